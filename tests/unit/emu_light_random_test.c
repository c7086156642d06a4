/* Random programs of accesses, atomics, copies, barriers of a CTA and of a warp, exits and loops, and of CTAs that
 * meet, with the light judge and without. */
#include "tests/unit/emu_light_random.h"

/* ---- CTAs that meet ---------------------------------------------------------------------------------------------- */

static const char *fence_of(void)
{
    return below(8)
               ? PICK("@%p membar.gl;", "@%p fence.acq_rel.gpu;", "@%p fence.sc.gpu;", "membar.gl;", "@%p membar.sys;")
               : PICK("", "@%p membar.cta;", "@%p fence.acq_rel.cta;");
}

/* Leaves the address of the thread's word in a CTA's memory in %d, in that of the one `behind` this one; and, behind
 * the memory of all, that of the CTA's flag or, with behind == CTAS, of one that all have, in %w. */
static void write_places(struct ck_growing *to, uint32_t behind)
{
    ck_grow(to, "add.u32 %%a, %%c, %u; rem.u32 %%a, %%a, %u; mul.wide.u32 %%d, %%a, %u; add.u64 %%d, %%d, %%e; ",
            CTAS - behind % CTAS, CTAS, BYTES);
    ck_grow(to, "mad.lo.u32 %%a, %%a, 4, %u; cvt.u64.u32 %%w, %%a; add.u64 %%w, %%w, %%e; ", BYTES * CTAS + 16);
    if (behind == CTAS)
        ck_grow(to, "add.u64 %%w, %%e, %u; ", BYTES * CTAS);
    ck_grow(to, "mul.wide.u32 %%f, %%t, 4; add.u64 %%d, %%d, %%f; setp.eq.u32 %%p, %%t, 0;\n");
}

static void write_words(struct ck_growing *to)
{
    ck_grow(to, "%s %s%s\n",
            PICK("st.global.u32 [%d], %t;", "st.global.u32 [%d], %t;", "@%p st.global.u32 [%d], 3;",
                 "st.volatile.global.u32 [%d], %t;", "st.global.u8 [%d], %h;", ""),
            mostly("bar.sync 0;"), below(6) ? "" : " bar.warp.sync 0xffffffff;");
}

/* The CTA's words, and then its flag or that of all. */
static void write_message(struct ck_growing *to)
{
    write_places(to, below(3) ? 0 : CTAS);
    ck_grow(to, "sub.u64 %%d, %%d, %%f; mul.wide.u32 %%d, %%c, %u; add.u64 %%d, %%d, %%e; add.u64 %%d, %%d, %%f;\n",
            BYTES);
    write_words(to);
    ck_grow(to, "%s %s\n", fence_of(),
            PICK("@%p st.volatile.global.u32 [%w], 1;", "@%p st.relaxed.gpu.global.u32 [%w], 1;",
                 "@%p st.release.gpu.global.u32 [%w], 1;", "@%p red.global.add.u32 [%w], 1;",
                 "@%p atom.global.add.u32 %x, [%w], 1;", "@%p atom.global.exch.b32 %x, [%w], 1;",
                 "@%p atom.add.release.gpu.global.u32 %x, [%w], 1;", "@%p atom.add.acq_rel.gpu.global.u32 %x, [%w], 1;",
                 "@%p st.global.u32 [%w], 1;", "@%p st.release.cta.global.u32 [%w], 1;",
                 "@%p atom.global.max.u32 %x, [%w], 1;", "@%p st.volatile.global.u64 [%w], 1;"));
}

/* A look at the flag of a CTA before this one, or at that of all; and its words, where the flag was there. */
static void write_look(struct ck_growing *to)
{
    const uint32_t behind = ONE_OF(1, 1, 1, 2, CTAS - 1, CTAS);

    write_places(to, behind);
    ck_grow(to, "%s %s\n",
            PICK("@%p ld.volatile.global.u32 %x, [%w];", "@%p ld.relaxed.gpu.global.u32 %x, [%w];",
                 "@%p ld.acquire.gpu.global.u32 %x, [%w];", "@%p atom.global.or.b32 %x, [%w], 0;",
                 "@%p atom.or.acquire.gpu.global.b32 %x, [%w], 0;", "@%p ld.global.u32 %x, [%w];",
                 "@%p ld.acquire.cta.global.u32 %x, [%w];", "ld.volatile.global.u32 %x, [%w];",
                 "@%p ld.volatile.global.u16 %h, [%w]; @%p cvt.u32.u16 %x, %h;"),
            fence_of());
    ck_grow(to, "@%%p st.shared.u32 [tile+1020], %%x; %s ld.shared.u32 %%m, [tile+1020]; setp.ne.u32 %%q, %%m, 0; %s\n",
            mostly("bar.sync 0;"), below(4) ? "" : "membar.gl;");
    ck_grow(to, "%s %s\n",
            PICK("@%q ld.global.u32 %y, [%d];", "@%q ld.global.u32 %y, [%d];", "@%q ld.volatile.global.u32 %y, [%d];",
                 "@%q st.global.u32 [%d], 9;", "@%q atom.global.add.u32 %y, [%d], 1;", "@%q ld.global.u8 %h, [%d];"),
            mostly("bar.sync 0;"));
}

/* The CTA that comes last reads the words of all, and may begin the count again. */
static void write_last(struct ck_growing *to, uint32_t step)
{
    write_places(to, CTAS);
    ck_grow(to, "mul.wide.u32 %%d, %%c, %u; add.u64 %%d, %%d, %%e; add.u64 %%d, %%d, %%f; add.u64 %%w, %%w, 8;\n",
            BYTES);
    write_words(to);
    ck_grow(to, "%s mov.u32 %%x, 0; %s @%%p st.shared.u32 [tile+1020], %%x; %s\n", fence_of(),
            PICK("@%p atom.global.inc.u32 %x, [%w], 11;", "@%p atom.global.add.u32 %x, [%w], 1;",
                 "@%p atom.add.acq_rel.gpu.global.u32 %x, [%w], 1;"),
            mostly("bar.sync 0;"));
    ck_grow(to, "ld.shared.u32 %%m, [tile+1020]; setp.ne.u32 %%q, %%m, %u; @%%q bra N%u; %s\n", CTAS - 1, step,
            below(3) ? "membar.gl;" : "");
    ck_grow(to, "rem.u32 %%a, %%t, %u; mul.wide.u32 %%d, %%a, %u; add.u64 %%d, %%d, %%e; %s\n", CTAS, BYTES,
            PICK("ld.global.u32 %y, [%d];", "ld.volatile.global.u32 %y, [%d];", "ld.global.u32 %y, [%d+8];"));
    ck_grow(to, "%s\nN%u: %s\n",
            PICK("@%p st.global.u32 [%w], 0;", "@%p st.global.u32 [%w], 0;", "@%p ld.global.u32 %y, [%w];",
                 "st.global.u32 [%w], 0;", ""),
            step, mostly("bar.sync 0;"));
}

/* All CTAs wait for one another. */
static void write_grid_barrier(struct ck_growing *to, uint32_t step, uint32_t *round)
{
    write_places(to, CTAS);
    ck_grow(to, "add.u64 %%w, %%w, 12; %s %s %s\n", mostly("bar.sync 0;"), fence_of(),
            PICK("@%p red.global.add.u32 [%w], 1;", "@%p atom.global.add.u32 %x, [%w], 1;",
                 "@%p atom.add.release.gpu.global.u32 %x, [%w], 1;", "@%p red.release.gpu.global.add.u32 [%w], 1;"));
    ck_grow(to, "G%u: %s setp.lt.and.u32 %%q, %%x, %u, %%p; @%%q bra G%u;\n%s %s\n", step,
            PICK("@%p ld.volatile.global.u32 %x, [%w];", "@%p ld.acquire.gpu.global.u32 %x, [%w];"), ++*round * CTAS,
            step, fence_of(), mostly("bar.sync 0;"));
}

/* An access of some CTA's words. */
static void write_other(struct ck_growing *to)
{
    write_places(to, below(4));
    ck_grow(to, "%s %s\n",
            PICK("ld.global.u32 %y, [%d];", "ld.global.u32 %y, [%d];", "st.global.u32 [%d], %t;",
                 "ld.volatile.global.u32 %y, [%d];", "red.global.add.u32 [%d], 1;", "ld.global.nc.u32 %y, [%d];"),
            below(3) ? "bar.sync 0;" : "");
}

static void write_meeting(struct ck_growing *to)
{
    const uint32_t steps = 1 + below(4);
    uint32_t round = 0;

    threads = ONE_OF(32, 64, 96, 128);
    ck_grow(to, "%s", head);
    for (uint32_t i = 0; i < steps; i++)
        switch (below(6)) {
        case 0: write_message(to); break;
        case 1:
            write_message(to);
            ck_grow(to, "bar.sync 0;\n");
            write_look(to);
            break;
        case 2: write_look(to); break;
        case 3: write_last(to, i); break;
        case 4: write_grid_barrier(to, i, &round); break;
        default: write_other(to); break;
        }
    ck_grow(to, "E: ret;\n}\n");
}

static void write_program(struct ck_growing *to)
{
    const uint32_t steps = 2 + below(below(2) ? 1 : STEPS);
    const bool copies = below(2);

    threads = ONE_OF(32, 64, 64, 96, 100, 128);
    barriers = ONE_OF(40, 70, 85);
    before.shared = true;
    before.size = 4;
    ck_grow(to, "%s", head);
    write_address(to, true, 4);
    if (below(10)) { /* all of the shared memory has a value */
        for (uint32_t from = 0; from < BYTES; from += 4 * threads)
            ck_grow(to,
                    "mad.lo.u32 %%a, %%t, 4, %u; setp.lt.u32 %%p, %%a, %u; add.u32 %%a, %%a, %%b; @%%p "
                    "st.shared.u32 [%%a], %%t;\n",
                    from, BYTES);
        ck_grow(to, "bar.sync 0;\n");
    }
    for (uint32_t i = 0; i < steps; i++) {
        if (copies && !below(2))
            write_copy(to);
        else
            write_access(to);
        write_rest(to, i);
    }
    if (copies && below(8))
        ck_grow(to, "cp.async.wait_all;\n");
    ck_grow(to, "E: ret;\n}\n");
}

static void as_without(void **unused)
{
    (void)unused;
    compare(write_program, PROGRAMS, true);
}

static void as_without_meetings(void **unused)
{
    (void)unused;
    compare(write_meeting, PROGRAMS, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_without), cmocka_unit_test(as_without_meetings) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
