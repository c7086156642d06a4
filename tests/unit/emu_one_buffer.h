/* For tests of the emulator's instructions: a kernel k(.param .u64 at) as PTX text, launched over one buffer. */
#ifndef COPYCHECK_TESTS_EMU_ONE_BUFFER_H
#define COPYCHECK_TESTS_EMU_ONE_BUFFER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/forms/form.h"
#include "harness/emu/emu.h"

/* Launches `ctas` CTAs of `threads` threads over a buffer of `room` bytes of global memory. Its first `size` bytes are
 * `bytes` before, and are read back into `bytes` behind the launch. `what` names the text where it is refused. Of the
 * report, the findings are gone: their machine is. */
static inline struct emu_report launch_over(const char *text, const char *what, uint32_t ctas, uint32_t threads,
                                            void *bytes, size_t size, size_t room)
{
    const struct emu_options options = { .jobs = 1 };
    const uint32_t grid[3] = { ctas, 1, 1 }, block[3] = { threads, 1, 1 }, cluster[3] = { 1, 1, 1 };
    struct emu *e = emu_new(&options);
    struct emu_report report;
    struct ptx_error error;
    struct ptx_module *m = ptx_read(text, strlen(text), NULL, &error);
    char why[400];
    uint64_t at;

    if (!m)
        fail_msg("%s: %s", what, error.message);
    assert_non_null(e);
    assert_true(emu_load(e, m, why, sizeof why));
    at = emu_alloc(e, room, 256, true, "bytes");
    assert_true(at && emu_write(e, at, bytes, size));
    emu_launch(e, "k", grid, block, cluster, 0, &at, sizeof at, &report);
    assert_true(emu_read(e, bytes, at, size));
    emu_free(e);
    ptx_free(m);
    report.findings = NULL;
    return report;
}

/* One CTA over a buffer of `size` bytes, which has to end in this way, without a finding if the launch is done. `what`
 * is the part of the text that a failure prints. */
static inline void launch_one(const char *text, const char *what, uint32_t threads, void *bytes, size_t size,
                              enum emu_end end)
{
    const struct emu_report report = launch_over(text, what, 1, threads, bytes, size, size);

    if (report.end != end)
        fail_msg("%s: %s", what, report.message);
    assert_true(end != EMU_DONE || report.count == 0);
}

#endif
// SPDX-License-Identifier: Apache-2.0
