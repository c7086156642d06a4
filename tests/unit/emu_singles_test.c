/* Lines of global memory whose first accesses go on with no pattern are kept in a way of their own (judge/singles.h),
 * as lines of shared memory never are. So random programs of plain accesses run in both: what is found has to be the
 * same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expected/random.h"
#include "harness/base/append.h"
#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/judge/state.h"
#include "harness/emu/machine/watch.h"

/* UNWRITTEN: what shared memory holds at first. Bytes that are accessed: two lines. FAR: so far behind them is a page
 * that takes the place of theirs among those that the judge has near. */
enum { PROGRAMS = 800, STEPS = 40, BYTES = 512, USED = 256, THREADS = 96, UNWRITTEN = 0xCD };
enum { FAR = NEAR_PAGES << PAGE_BITS };

static uint64_t state;
static struct ck_growing text;

static uint32_t below(uint32_t n)
{
    return splitmix64_below(&state, n);
}

/* One thread, or some lanes of a warp with words in no order, load or store. */
static void access_memory(bool shared)
{
    static const char *const registers[] = { "%t", "%t", "%r", "%u" };
    const uint32_t log = below(4) ? 2 : below(4), size = 1u << log;
    const char *const space = shared ? "shared" : "global", *const at = shared ? "%a" : "%d";

    if (below(2))
        ck_grow(&text, "setp.eq.u32 %%p, %%i, %u; mov.u32 %%a, %u;\n", below(THREADS), below(USED / size) * size);
    else
        ck_grow(
            &text,
            "shr.u32 %%a, %%i, 5; setp.eq.u32 %%p, %%a, %u; and.b32 %%a, %%i, 31; setp.lt.and.u32 %%p, %%a, %u, %%p;\n"
            "mad.lo.u32 %%a, %%i, %u, %u; and.b32 %%a, %%a, 31; mad.lo.u32 %%a, %%a, 4, %u; and.b32 %%a, %%a, %d;\n",
            below(3), 1 + below(32), 1 + 2 * below(16), below(32), 128 * below(2) + (below(8) ? 0 : below(2) * 2),
            -(int)size);
    ck_grow(&text, "cvt.u64.u32 %%d, %%a; add.u64 %%d, %%d, %%g; add.u32 %%a, %%a, %%s;\n");
    if (below(2)) {
        ck_grow(&text, "@%%p ld.%s.u%u %s, [%s];\n", space, 8 * size, registers[log], at);
        return;
    }
    ck_grow(&text, "%s",
            below(2) ? "mov.u32 %r, 5; mov.u16 %t, 5; mov.u64 %u, 5;\n"
                     : "mov.u32 %r, %i; cvt.u16.u32 %t, %i; cvt.u64.u32 %u, %i;\n");
    ck_grow(&text, "@%%p st.%s.u%u [%s], %s;\n", space, 8 * size, at, registers[log]);
}

static void generate(uint64_t seed, bool shared)
{
    state = splitmix64(seed);
    ck_growing_free(&text);
    ck_grow(
        &text,
        ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 pg)\n{\n"
        ".reg .pred %%p; .reg .b16 %%t; .reg .b32 %%i, %%a, %%r, %%s; .reg .b64 %%d, %%g, %%u;\n"
        ".shared .align 512 .b8 s[%d];\n"
        "ld.param.u64 %%g, [pg]; mov.u32 %%s, s; mov.u32 %%i, %%tid.x; mov.u16 %%t, 7; mov.u32 %%r, 7; mov.u64 %%u, 7;\n",
        BYTES);
    for (uint32_t left = 2 + below(STEPS); left--;)
        if (below(8))
            access_memory(shared);
        else if (below(4))
            ck_grow(&text, "bar.sync 0;\n");
        else
            ck_grow(&text, "ld.global.u32 %%r, [%%g+%d];\n", FAR);
    ck_grow(&text, "ret;\n}\n");
}

static void note(struct ck_growing *out, const struct emu_place *p)
{
    ck_grow(out, " thread %u line %u, %u bytes at %u;", p->tid[0], p->known && p->at ? p->at->line : 0,
            (unsigned)p->bytes, (unsigned)(p->address % BYTES));
}

static const struct emu_watch no_watch; /* the judge hears of each access by itself */

static void run(uint64_t seed, bool shared, struct ck_growing *out)
{
    const struct emu_options options = { .jobs = 1,
                                         .check_order = true,
                                         .check_init = !shared,
                                         .check_same = seed % 2,
                                         .watch = seed % 3 ? &no_watch : NULL };
    const uint32_t grid[3] = { 1, 1, 1 }, block[3] = { THREADS, 1, 1 };
    unsigned char bytes[BYTES];
    struct emu *e = emu_new(&options);
    struct emu_report report;
    struct ptx_error error;
    struct ptx_module *m;
    char why[200] = "";
    uint64_t g;

    generate(seed, shared);
    m = ptx_read(text.data, text.size, NULL, &error);
    if (!m)
        fail_msg("%d: %s\n%s", error.line, error.message, text.data);
    assert_true(e && emu_load(e, m, why, sizeof why));
    memset(bytes, UNWRITTEN, sizeof bytes);
    g = emu_alloc(e, FAR + sizeof bytes, BYTES, true, "g");
    assert_true(g && emu_write(e, g, bytes, sizeof bytes));
    emu_launch(e, "k", grid, block, NULL, 0, &g, sizeof g, &report);
    for (size_t i = 0; i < report.count + report.remarks; i++) {
        const struct emu_finding *f = &report.findings[i];
        ck_grow(out, "%s:", f->rule ? f->rule->id : f->message);
        note(out, &f->here);
        note(out, &f->there);
        ck_grow(out, "\n");
    }
    emu_free(e);
    ptx_free(m);
}

static void alike(void **unused)
{
    const uint64_t first = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1;
    size_t found = 0;

    (void)unused;
    for (uint64_t seed = first; seed < first + PROGRAMS; seed++) {
        struct ck_growing in_shared = { 0 }, in_global = { 0 };
        run(seed, true, &in_shared);
        run(seed, false, &in_global);
        found += in_global.size != 0;
        if (in_shared.size != in_global.size || (in_shared.size && strcmp(in_shared.data, in_global.data) != 0))
            fail_msg("seed %llu: in shared memory\n%sin global memory\n%s%s", (unsigned long long)seed,
                     in_shared.size ? in_shared.data : "", in_global.size ? in_global.data : "", text.data);
        ck_growing_free(&in_shared);
        ck_growing_free(&in_global);
    }
    ck_growing_free(&text);
    assert_in_range(found, PROGRAMS / 4, PROGRAMS); /* not all are in order */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(alike) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
