/* For tests of floating-point arithmetic: an instruction as PTX text, run over values on the emulator, and tables of
 * instructions with the bits that must come. */
#ifndef COPYCHECK_TESTS_EMU_ALU_FLOAT_H
#define COPYCHECK_TESTS_EMU_ALU_FLOAT_H

#include <stdlib.h>

#include "tests/unit/emu_one_buffer.h"

/* One instruction that computes %d of `bytes` from %a, %b, %c of `from` bytes; t, u are there for it to use. */
struct tuple {
    uint64_t a, b, c, d;
};

static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 at)\n{\n"
    ".reg .b%u %%a, %%b, %%c; .reg .b%u %%d; .reg .u64 %%at; .reg .u32 %%x, %%y, %%z;\n"
    "ld.param.u64 %%at, [at];\nmov.u32 %%x, %%ctaid.x;\nmov.u32 %%y, %%ntid.x;\nmul.lo.u32 %%x, %%x, %%y;\n"
    "mov.u32 %%y, %%tid.x;\nadd.u32 %%x, %%x, %%y;\nmad.wide.u32 %%at, %%x, 32, %%at;\n"
    "ld.global.b%u %%a, [%%at];\nld.global.b%u %%b, [%%at+8];\nld.global.b%u %%c, [%%at+16];\n"
    "%s;\nst.global.b%u [%%at+24], %%d;\nret;\n}\n";

static inline void run(const char *ptx, unsigned from, unsigned to, struct tuple *tuples, uint32_t count)
{
    const uint32_t ctas = (count + 255) / 256;
    struct emu_report report;
    char text[4096];

    snprintf(text, sizeof text, frame, from * 8, to * 8, from * 8, from * 8, from * 8, ptx, to * 8);
    report = launch_over(text, ptx, ctas, 256, tuples, count * sizeof *tuples, ctas * 256 * sizeof *tuples);
    if (report.end != EMU_DONE)
        fail_msg("%s: %s", ptx, report.message);
}

static inline uint64_t once(const char *ptx, unsigned from, unsigned to, uint64_t a, uint64_t b, uint64_t c)
{
    struct tuple t = { a, b, c, 0 };

    run(ptx, from, to, &t, 1);
    return t.d;
}

/* A row of a table: `d`, of `to` bytes, is what must come of a, b and c, of `from` bytes. */
struct row {
    const char *ptx;
    unsigned from, to;
    uint64_t a, b, c, d;
};

static inline void hold(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t d = once(rows[i].ptx, rows[i].from, rows[i].to, rows[i].a, rows[i].b, rows[i].c);
        if (d != rows[i].d)
            fail_msg("row %zu: %s of %#llx, %#llx, %#llx: %#llx, not %#llx", i, rows[i].ptx,
                     (unsigned long long)rows[i].a, (unsigned long long)rows[i].b, (unsigned long long)rows[i].c,
                     (unsigned long long)d, (unsigned long long)rows[i].d);
    }
}
#define HOLD(rows) hold(rows, sizeof(rows) / sizeof *(rows))

#endif
// SPDX-License-Identifier: Apache-2.0
