/* Grids that go on for ever end by a limit after as many instructions as it is of, however many CTAs begin and on any
 * number of host threads; grids whose CTAs end go on, however long they take. Instructions are counted, not time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"

/* %n counts, %t is the thread in the grid, %a its word of a buffer, %s its word of shared memory. */
#define HEAD                                                                                                           \
    ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"                            \
    ".reg .pred %p; .reg .b32 %i, %n, %s, %t, %x; .reg .b64 %a, %d; .shared .b32 word[1024];\n"                        \
    "mov.u32 %i, %tid.x; mov.u32 %t, %ctaid.x; mad.lo.u32 %t, %t, 64, %i; mul.wide.u32 %d, %t, 4;\n"                   \
    "ld.param.u64 %a, [p]; add.u64 %a, %a, %d; shl.b32 %i, %i, 2; mov.u32 %s, word; add.u32 %s, %s, %i;\n"             \
    "mov.u32 %n, 1; st.shared.u32 [%s], %n;\nL: "

/* %n is odd for ever. */
#define FOR_EVER " add.u32 %n, %n, 2; setp.ne.u32 %p, %n, 0; @%p bra L; ret;\n}\n"
#define TIMES(n) " add.u32 %n, %n, 2; setp.lt.u32 %p, %n, " n "; @%p bra L; ret;\n}\n"

enum { CTAS = 128, THREADS = 64 };

static struct ptx_module *module_of(const char *text)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_read(text, strlen(text), NULL, &error);

    if (!m)
        fail_msg("line %d: %s", error.line, error.message);
    return m;
}

/* How the grid ends; *executed: instructions of all its runs, those included that were given up. */
static enum emu_end launch(const char *text, unsigned jobs, enum emu_turns_kind turns, uint64_t busy,
                           uint64_t *executed)
{
    struct emu_progress progress = { 0 };
    const struct emu_options options = {
        .jobs = jobs, .check_order = true, .turns = turns, .max_busy = busy, .progress = &progress
    };
    const uint32_t grid[3] = { CTAS, 1, 1 }, block[3] = { THREADS, 1, 1 };
    struct emu *e = emu_new(&options);
    struct ptx_module *m = module_of(text);
    struct emu_report report;
    char why[200];
    uint64_t p;
    enum emu_end end;

    assert_true(emu_load(e, m, why, sizeof why));
    p = emu_alloc(e, 4 * CTAS * THREADS, 256, true, "a");
    end = emu_launch(e, "k", grid, block, NULL, 0, &p, sizeof p, &report);
    *executed = progress.instructions;
    emu_free(e);
    ptx_free(m);
    return end;
}

static void test_for_ever(void **state)
{
    static const char *const loops[] = {
        HEAD FOR_EVER,
        HEAD "ld.shared.u32 %x, [%s]; add.u32 %x, %x, 1; st.shared.u32 [%s], %x;" FOR_EVER,
        HEAD "ld.global.u32 %x, [%a]; add.u32 %x, %x, 1; st.global.u32 [%a], %x;" FOR_EVER,
        HEAD "bar.sync 0; st.shared.u32 [%s], %n; bar.sync 0;" FOR_EVER,
        HEAD "cp.async.ca.shared.global [%s], [%a], 4; cp.async.wait_all;" FOR_EVER,
    };
    const uint64_t busy = 4 << 20;
    uint64_t executed;

    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        for (unsigned jobs = 1; jobs <= 2; jobs++) {
            assert_int_equal(launch(loops[i], jobs, EMU_TURNS_IN_ORDER, busy, &executed), EMU_TOO_LONG);
            /* twice: ahead, which ends at a part, and by turns; more by what is new, and by the last round */
            if (executed > 3 * busy)
                fail_msg("loop %zu, %u jobs: %llu instructions", i, jobs, (unsigned long long)executed);
        }
}

static void test_ends(void **state)
{
    static const enum emu_turns_kind turns[] = { EMU_TURNS_IN_ORDER, EMU_TURNS_REVERSED };
    const uint64_t busy = 4 << 20;
    uint64_t executed;

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned jobs = 1; jobs <= 2; jobs++) {
            assert_int_equal(launch(HEAD TIMES("2000"), jobs, turns[i], busy, &executed), EMU_DONE);
            assert_true(executed > 5 * busy);
        }
}

/* What a launch has reached is new to the next one of the machine. */
static void test_again(void **state)
{
    struct emu_progress progress = { 0 };
    const struct emu_options options = { .jobs = 1, .check_order = true, .max_busy = 4 << 20, .progress = &progress };
    const uint32_t grid[3] = { CTAS, 1, 1 }, block[3] = { THREADS, 1, 1 };
    struct emu *e = emu_new(&options);
    struct ptx_module *m =
        module_of(HEAD "ld.global.u32 %x, [%a]; add.u32 %x, %x, 1; st.global.u32 [%a], %x;" FOR_EVER);
    struct emu_report report;
    uint64_t p, executed[2];
    char why[200];

    (void)state;
    assert_true(emu_load(e, m, why, sizeof why));
    p = emu_alloc(e, 4 * CTAS * THREADS, 256, true, "a");
    for (int i = 0; i < 2; i++) {
        const uint64_t before = progress.instructions;
        assert_int_equal(emu_launch(e, "k", grid, block, NULL, 0, &p, sizeof p, &report), EMU_TOO_LONG);
        executed[i] = progress.instructions - before;
    }
    assert_int_equal(executed[0], executed[1]);
    emu_free(e);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_for_ever), cmocka_unit_test(test_ends),
                                        cmocka_unit_test(test_again) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
