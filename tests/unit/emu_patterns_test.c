/* What the judge says of accesses that lanes of a warp make together, against what it says of the same in turns.
 *
 * Random programs of loads and stores whose addresses follow patterns run twice: judged at once where the judge can
 * (judge/patterns.c), and with a second watcher, which wants each access for itself. Findings and memory have to be the
 * same, to the last word: so the shadow of memory became the same too, since later accesses are compared with it. */
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
#include "harness/emu/machine/watch.h"

enum { PROGRAMS = 1200, MOST_INTERVALS = 8, ROOM = 16384, AREAS = 3, AREA = 4864, FLAG = ROOM - 256 };

static uint64_t state;
static struct ck_growing text;

static uint32_t below(uint32_t n)
{
    return splitmix64_below(&state, n);
}

/* Percent of a hundred. */
static bool chance(uint32_t percent)
{
    return below(100) < percent;
}

/* %i is the thread, %l its lane, %w its warp, %x a thread of another one, %m and %e a place in rows of 16 and of 8
 * threads, %z the thread before, of the first one itself; %s and %g are shared and global memory, %h
 * global memory that nobody wrote. r, d, h are what loads leave, %v and %u what stores take. */
static void head(void)
{
    ck_grow(
        &text,
        ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 pg, .param .u64 ph)\n{\n"
        ".reg .pred %%p, %%q; .reg .b16 %%t; .reg .b32 %%i, %%l, %%w, %%s, %%n, %%r, %%v, %%a, %%k, %%x, %%m, %%e, %%z;\n"
        ".reg .b64 %%g, %%h, %%d, %%u, %%b;\n.shared .align 128 .b8 s[%d];\n"
        "ld.param.u64 %%g, [pg]; ld.param.u64 %%h, [ph]; mov.u32 %%s, s; mov.u32 %%i, %%tid.x;\n"
        "shr.u32 %%n, %%i, 4; and.b32 %%m, %%i, 15; mad.lo.u32 %%m, %%n, 36, %%m; max.u32 %%z, %%i, 1;\n"
        "shr.u32 %%n, %%i, 3; and.b32 %%e, %%i, 7; mad.lo.u32 %%e, %%n, 20, %%e; sub.u32 %%z, %%z, 1;\n"
        "and.b32 %%l, %%i, 31; shr.u32 %%w, %%i, 5; xor.b32 %%x, %%i, 32; mov.u32 %%k, 0; mov.u64 %%u, 5; mov.u32 %%v, 5;\n",
        ROOM);
}

/* Leaves in %p which threads take part; whether all do. */
static bool guard(void)
{
    switch (below(9)) {
    case 0: ck_grow(&text, "setp.eq.u32 %%p, %%w, %u;\n", below(3)); return false;
    case 1: ck_grow(&text, "setp.lt.u32 %%p, %%l, %u;\n", 1 + below(31)); return false;
    case 2: ck_grow(&text, "setp.eq.u32 %%p, %%i, %u;\n", below(96)); return false;
    case 3: ck_grow(&text, "and.b32 %%n, %%i, %u; setp.eq.u32 %%p, %%n, %u;\n", 1 + below(3), below(2)); return false;
    case 4: ck_grow(&text, "setp.ge.u32 %%p, %%i, %u;\n", below(64)); return false;
    default: return true;
    }
}

/* Puts into %a and %b the offset of this thread's bytes: those of an area lie in a few lines. */
static void place(unsigned size, uint32_t area)
{
    static const char *const of[] = { "%i", "%i", "%i", "%i", "%i", "%i", "%x", "%l", "%w", "%m", "%m", "%e", "%z" };
    static const uint32_t bases[] = { 0, 0, 0, 32, 64, 96, 120, 128, 200, 256 };
    const uint32_t strides[] = { size, size, size, size, size, size, 0, 2 * size, 16, 128 };
    const uint32_t stride = strides[below(10)], base = bases[below(10)];
    const bool back = chance(5);

    ck_grow(&text, "mul.lo.u32 %%a, %s, %u; add.u32 %%a, %%a, %u;\n", of[below(13)], stride / size * size,
            base + area * AREA);
    if (back) /* the last lane first */
        ck_grow(&text, "sub.u32 %%a, %u, %%a;\n", 31 * stride / size * size + 2 * (base + area * AREA));
    ck_grow(&text, "and.b32 %%a, %%a, %d; cvt.u64.u32 %%b, %%a;\n", ROOM - 1);
}

/* To the end of a turn of 256 instructions. */
static void turn_ends(void)
{
    for (unsigned i = 0; i < 64; i++)
        ck_grow(&text, "add.u32 %%n, %%n, 1; add.u32 %%n, %%n, 1; add.u32 %%n, %%n, 1; add.u32 %%n, %%n, 1;\n");
}

static void access_memory(uint32_t area)
{
    static const char *const registers[] = { "%t", "%t", "%r", "%d" }, *const stored[] = { "%t", "%t", "%v", "%u" };
    const unsigned log = chance(60) ? 2 : below(4), size = 1u << log;
    const bool shared = chance(60), unwritten = !shared && chance(8), all = guard();
    const char *on = all ? "" : "@%p ", *const space = shared ? "shared" : "global";
    const char *const strong = !chance(8) ? "" : chance(50) ? ".volatile" : shared ? ".relaxed.cta" : ".relaxed.gpu";
    const char *const constant = !shared && !*strong && chance(6) ? ".nc" : "";
    const bool loads = chance(60), stores = !loads || chance(25);

    place(size, area);
    ck_grow(&text, shared ? "add.u32 %%a, %%a, %%s;\n" : "add.u64 %%b, %%b, %s;\n", unwritten ? "%h" : "%g");
    if (chance(50)) /* each thread its own value */
        ck_grow(&text, "add.u32 %%v, %%i, %u; cvt.u64.u32 %%u, %%v;\n", below(3));
    ck_grow(&text, "cvt.u16.u32 %%t, %%v;\n");
    for (bool again = chance(10); loads; again = false) {
        ck_grow(&text, "%sld%s.%s%s.u%u %s, [%s];\n", on, strong, space, constant, 8 * size, registers[log],
                shared ? "%a" : "%b");
        if (!again)
            break;
        turn_ends();
    }
    for (uint32_t more = loads && chance(30) ? 1 + below(9) : 0; more--;) /* neighbours one after the other */
        ck_grow(&text, "%sld.%s.u%u %s, [%s+%d];\n", on, space, 8 * size, registers[log], shared ? "%a" : "%b",
                (int)(size * below(12)));
    if (stores && loads && chance(15)) { /* not all of those that loaded */
        ck_grow(&text, "setp.%s.u32 %%q, %%l, %u;\n%s", chance(50) ? "lt" : "ge", 1 + below(31),
                all ? "" : "and.pred %q, %q, %p;\n");
        on = "@%q ";
    }
    if (stores && loads && chance(70)) /* what was there */
        ck_grow(&text, "%sst.%s.u%u [%s], %s;\n", on, space, 8 * size, shared ? "%a" : "%b", registers[log]);
    else if (stores)
        ck_grow(&text, "%sst%s.%s.u%u [%s], %s;\n", on, strong, space, 8 * size, shared ? "%a" : "%b", stored[log]);
    if (stores && chance(15))
        ck_grow(&text, "%sst.%s.u%u [%s], %s;\n", on, space, 8 * size, shared ? "%a" : "%b", stored[log]);
}

/* Some threads store 16 bytes each; or one of them copies whole lines. Either meets what several others did. */
static void access_widely(uint32_t area)
{
    const uint32_t base = area * AREA + 16 * below(16);
    const bool all = guard();

    if (chance(50)) {
        ck_grow(&text, "shl.b32 %%a, %%i, 4; add.u32 %%a, %%a, %u; cvt.u64.u32 %%b, %%a; add.u64 %%b, %%b, %%g;\n",
                base);
        ck_grow(&text, "add.u32 %%a, %%a, %%s; %sst.%s.v4.u32 [%s], {%%v, %%v, %%i, %%v};\n", all ? "" : "@%p ",
                area ? "shared" : "global", area ? "%a" : "%b");
    } else {
        ck_grow(&text,
                "setp.eq.u32 %%p, %%i, %u; @%%p cp.async.bulk.global.shared::cta.bulk_group [%%g+%u], [%%s+%u], %u;\n"
                "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n",
                below(96), base, below(AREAS) * AREA + 128 * below(3), 16 * (1 + below(24)));
    }
}

/* What lanes do together ends well at a barrier of the CTA, at the end of their turn, or of the program: up to there
 * most accesses are of lines of their own. */
static void interval(void)
{
    static const char *const others[] = { "bar.warp.sync 0xffffffff;\n", "fence.acq_rel.cta;\n" };
    uint32_t area = below(AREAS);

    for (uint32_t left = 1 + below(3); left--; area = (area + chance(80)) % AREAS)
        access_memory(area);
    if (chance(20))
        access_widely(area);
    switch (below(20)) {
    case 0: ck_grow(&text, "%s", others[below(2)]); break;
    case 1:
        ck_grow(&text, "shl.b32 %%a, %%i, 4; cvt.u64.u32 %%b, %%a; add.u64 %%b, %%b, %%g; add.u32 %%a, %%a, %%s;\n"
                       "cp.async.ca.shared.global [%%a], [%%b], 16; cp.async.wait_all;\n");
        break;
    case 2:
    case 3: /* a thread releases; some lanes of others acquire it, if they come later */
        ck_grow(&text, "setp.eq.u32 %%p, %%i, %u; @%%p st.release.cta.shared.u32 [%%s+%u], 1;\n", below(64), FLAG);
        break;
    case 4:
    case 5:
        ck_grow(&text, "%s%sld.acquire.cta.shared.u32 %%r, [%%s+%u];\n", guard() ? "setp.ge.u32 %p, %i, 32;\n" : "",
                "@%p ", FLAG);
        break;
    case 6:
    case 7:
    case 8:
    case 9:
    case 10: turn_ends(); break;
    default: ck_grow(&text, "bar.sync 0;\n");
    }
}

static void generate(uint64_t seed)
{
    const uint32_t rounds = 1 + (splitmix64(seed) % 4 == 0);
    uint32_t intervals;

    state = seed;
    ck_growing_free(&text);
    head();
    intervals = 2 + below(MOST_INTERVALS - 1);
    if (chance(50)) /* so that all of it has a value */
        ck_grow(&text,
                "shl.b32 %%n, %%i, 2; add.u32 %%n, %%n, %%s; F: st.shared.u32 [%%n], 0;\n"
                "mov.u32 %%r, %%ntid.x; shl.b32 %%r, %%r, 2; add.u32 %%n, %%n, %%r; sub.u32 %%r, %%n, %%s;\n"
                "setp.lt.u32 %%q, %%r, %d; @%%q bra F; bar.sync 0;\n",
                ROOM);
    ck_grow(&text, "L:\n");
    while (intervals--)
        interval();
    ck_grow(&text, "add.u32 %%k, %%k, 1; setp.lt.u32 %%q, %%k, %u; @%%q bra L;\nret;\n}\n", rounds);
}

/* ---- two runs ---------------------------------------------------------------------------------------------------- */

struct result {
    struct ck_growing said;
    unsigned char memory[2][ROOM];
};

static const struct emu_watch no_watch; /* it leaves out every event, but the judge hears of each access by itself */

static void run(const struct ptx_module *m, uint64_t seed, bool in_turns, struct result *out)
{
    struct emu_options options = { .jobs = 1, .check_order = true, .by_turns = true };
    const uint32_t grid[3] = { 1, 1, 1 }, block[3] = { 32 + 32 * (uint32_t)(seed % 3), 1, 1 };
    unsigned char bytes[ROOM];
    struct emu_report report;
    uint64_t args[2];
    char why[200] = "";
    struct emu *e;

    options.watch = in_turns ? &no_watch : NULL;
    options.check_init = splitmix64(seed) % 2;
    options.check_same = splitmix64(seed) / 2 % 2;
    options.turns = splitmix64(seed) / 4 % 4 ? EMU_TURNS_IN_ORDER : EMU_TURNS_REVERSED;
    e = emu_new(&options);
    assert_non_null(e);
    assert_true(emu_load(e, m, why, sizeof why));
    for (int i = 0; i < ROOM; i++)
        bytes[i] = (unsigned char)(i % 7 ? 5 * !(i % 4) : i);
    args[0] = emu_alloc(e, ROOM, 256, true, "g");
    args[1] = emu_alloc(e, ROOM, 256, true, "h");
    assert_true(args[0] && args[1] && emu_write(e, args[0], bytes, ROOM));
    emu_launch(e, "k", grid, block, NULL, 0, args, sizeof args, &report);
    ck_grow(&out->said, "%d %s\n", (int)report.end, report.message);
    for (size_t i = 0; i < report.count + report.remarks; i++) {
        const struct emu_finding *f = &report.findings[i];
        ck_grow(&out->said, "%s%s: %s\n%s\n", f->remark ? "remark " : "", f->rule->id, f->message, f->remedy);
    }
    for (int i = 0; i < 2; i++)
        assert_true(emu_read(e, out->memory[i], args[i], ROOM));
    emu_free(e);
}

/* Runs the text both ways, which have to be alike; whether anything was found. */
static bool both_ways(uint64_t seed)
{
    static struct result together, in_turns;
    struct ptx_error error;
    struct ptx_module *m = ptx_read(text.data, text.size, NULL, &error);
    bool found;

    if (!m)
        fail_msg("%d: %s\n%s", error.line, error.message, text.data);
    run(m, seed, false, &together);
    run(m, seed, true, &in_turns);
    if (strcmp(together.said.data, in_turns.said.data) != 0)
        fail_msg("seed %llu: together\n%sin turns\n%s%s", (unsigned long long)seed, together.said.data,
                 in_turns.said.data, text.data);
    assert_memory_equal(together.memory, in_turns.memory, sizeof together.memory);
    found = strchr(together.said.data, '\n')[1] != 0;
    ck_growing_free(&together.said);
    ck_growing_free(&in_turns.said);
    ptx_free(m);
    return found;
}

/* A warp reads a row again behind a barrier: a store that meets the last two lanes' reads is told of the same one, and
 * one that meets the last lane's of that. */
static void row_again(void **unused)
{
    static const char *const stores[] = { "st.global.u64 [%g+248], %u", "st.global.u32 [%g+252], %v" };

    (void)unused;
    for (int i = 0; i < 2; i++) {
        ck_growing_free(&text);
        head();
        ck_grow(&text,
                "mul.lo.u32 %%a, %%i, 4; cvt.u64.u32 %%b, %%a; add.u64 %%b, %%b, %%g;\n"
                "ld.global.u32 %%r, [%%b]; bar.sync 0; setp.eq.u32 %%p, %%w, 1; @%%p ld.global.u32 %%r, [%%b];\n"
                "setp.eq.u32 %%p, %%i, 0; @%%p %s;\nret;\n}\n",
                stores[i]);
        assert_true(both_ways(1)); /* of two warps */
    }
    ck_growing_free(&text);
}

/* One lane of several stores to the word that it has loaded; another pattern begins where that one's would lie; and all
 * of it is put back, because of the atomics behind it. */
static void put_back(void **unused)
{
    (void)unused;
    ck_growing_free(&text);
    head();
    ck_grow(&text, "mul.lo.u32 %%a, %%l, 4; cvt.u64.u32 %%b, %%a; add.u64 %%b, %%b, %%g;\n"
                   "mul.lo.u32 %%a, %%l, 128; cvt.u64.u32 %%d, %%a; add.u64 %%d, %%d, %%g;\n"
                   "ld.global.u32 %%r, [%%b+1008]; setp.eq.u32 %%p, %%l, 5; @%%p st.global.u32 [%%b+1008], %%i;\n"
                   "ld.global.u32 %%r, [%%d+368]; atom.global.add.u32 %%r, [%%h], 1;\nret;\n}\n");
    assert_false(both_ways(3)); /* of one warp */
    ck_growing_free(&text);
}

static void alike(void **unused)
{
    const uint64_t first = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1;
    size_t found = 0;

    (void)unused;
    for (uint64_t seed = first; seed < first + PROGRAMS; seed++) {
        generate(seed);
        found += both_ways(seed);
    }
    ck_growing_free(&text);
    assert_in_range(found, PROGRAMS / 4, PROGRAMS * 9 / 10); /* neither all nor none are in order */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(row_again), cmocka_unit_test(put_back),
                                        cmocka_unit_test(alike) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
