/* Random programs of plain accesses and barriers, held against what a race is: two threads access a byte with no
 * barrier between, and one of them writes. The judge finds something exactly where there is one, and both accesses that
 * it names are two of one race. */
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

enum { PROGRAMS = 2000, STEPS = 7, BYTES = 32768, MOST = 96 };

/* What the program does, step by step: lanes do together what lies in one turn. A thread that takes part has its bytes
 * `stride` bytes behind those of the one before in the order of `index`. */
struct step {
    bool barrier, stores, ends_turn, sleeps;
    uint32_t size, index, stride, base, guard, warp, lane, line;
};

enum { THREAD, LANE, OF_WARP, OTHER_WARP, BEFORE, BACKWARDS, ROWS, SCATTERED, INDICES };

/* In PTX these leave in %a what index_of gives, and the guards in %p whether takes_part. */
static const char *const index_words[] = {
    [THREAD] = "mov.u32 %a, %i;",
    [LANE] = "mov.u32 %a, %l;",
    [OF_WARP] = "mov.u32 %a, %w;",
    [OTHER_WARP] = "xor.b32 %a, %i, 32;",
    [BEFORE] = "max.u32 %a, %i, 1; sub.u32 %a, %a, 1;",
    [BACKWARDS] = "xor.b32 %a, %i, 31;",
    [ROWS] = "shr.u32 %a, %i, 4; and.b32 %n, %i, 15; mad.lo.u32 %a, %a, 36, %n;",
    [SCATTERED] = "mad.lo.u32 %a, %l, 5, 3; and.b32 %a, %a, 31;",
};

static uint32_t index_of(const struct step *s, uint32_t t)
{
    switch (s->index) {
    case LANE: return t % 32;
    case OF_WARP: return t / 32;
    case OTHER_WARP: return t ^ 32;
    case BEFORE: return t ? t - 1 : 0;
    case BACKWARDS: return t ^ 31;
    case ROWS: return t / 16 * 36 + t % 16;
    case SCATTERED: return (t % 32 * 5 + 3) % 32;
    default: return t;
    }
}

enum { ALL, WARP, BELOW, FROM, WARP_BELOW, WARP_FROM, ONE, SOME, GUARDS };

static const char *const guard_words[] = {
    [WARP] = "setp.eq.u32 %%p, %%w, %u; // %u\n",
    [BELOW] = "mov.u32 %%n, %u; setp.lt.u32 %%p, %%l, %u;\n",
    [FROM] = "mov.u32 %%n, %u; setp.ge.u32 %%p, %%l, %u;\n",
    [WARP_BELOW] = "setp.eq.u32 %%p, %%w, %u; setp.lt.and.u32 %%p, %%l, %u, %%p;\n",
    [WARP_FROM] = "setp.eq.u32 %%p, %%w, %u; setp.ge.and.u32 %%p, %%l, %u, %%p;\n",
    [ONE] = "setp.eq.u32 %%p, %%w, %u; setp.eq.and.u32 %%p, %%l, %u, %%p;\n",
    [SOME] = "mov.u32 %%n, %u; and.b32 %%n, %%i, %u; setp.eq.u32 %%p, %%n, 0;\n",
};

static bool takes_part(const struct step *s, uint32_t t)
{
    const uint32_t warp = t / 32, lane = t % 32;

    switch (s->guard) {
    case WARP: return warp == s->warp;
    case BELOW: return lane < s->lane;
    case FROM: return lane >= s->lane;
    case WARP_BELOW: return warp == s->warp && lane < s->lane;
    case WARP_FROM: return warp == s->warp && lane >= s->lane;
    case ONE: return warp == s->warp && lane == s->lane;
    case SOME: return !(t & s->lane);
    default: return true;
    }
}

static uint32_t offset_of(const struct step *s, uint32_t t)
{
    return (s->stride * index_of(s, t) + s->base) / s->size * s->size;
}

static uint64_t state;
static struct step steps[STEPS];
static uint32_t count, threads;

static uint32_t below(uint32_t n)
{
    return splitmix64_below(&state, n);
}

/* Who takes part: mostly with the numbers of the step before, so that some are those that others are not. */
static void draw_guard(struct step *s)
{
    s->guard = below(3) ? below(GUARDS) : ALL;
    if (below(3) == 0)
        s->warp = below(threads / 32);
    if (!s->lane || below(4) == 0)
        s->lane = 1 + below(31);
}

static void draw_place(struct step *s, bool own)
{
    static const uint32_t bases[] = { 0, 0, 0, 32, 64, 96, 120, 128, 256 };

    s->size = 1u << below(4);
    s->index = own || below(3) == 0 ? THREAD : below(INDICES);
    s->base = bases[below(9)];
    s->stride = below(7) ? s->size << (below(6) == 0) : below(2) && !own ? 0 : 128;
}

static void draw(void)
{
    /* In some, threads go again and again to bytes of their own, and in the end some look at others'. */
    const bool own = below(2);

    threads = 64 + 32 * below(2);
    count = 2 + below(STEPS - 1);
    memset(steps, 0, sizeof steps);
    for (uint32_t i = 0; i < count; i++) {
        const bool behind = i && !steps[i - 1].barrier;
        struct step *s = &steps[i];
        if (i)
            *s = steps[i - 1];
        s->barrier = behind && below(own ? 12 : 3) == 0;
        if (!behind || (!own && below(2)))
            draw_place(s, own);
        else if (own && i + 1 == count)
            s->index = OTHER_WARP + below(3);
        s->stores = below(5) < 2 && s->size > 1; /* of more than a byte values can be told apart */
        s->ends_turn = below(5) == 0;
        s->sleeps = below(6) == 0 && !own;
        draw_guard(s);
    }
}

/* In shared memory, or global memory. */
static void write_program(struct ck_growing *text, bool shared)
{
    static const char *const registers[] = { [1] = "%t", [2] = "%t", [4] = "%r", [8] = "%u" };

    ck_grow(text,
            ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 pg)\n{\n"
            ".reg .pred %%p; .reg .b16 %%t; .reg .b32 %%i, %%l, %%w, %%a, %%n, %%r, %%s; .reg .b64 %%d, %%g, %%u;\n");
    ck_grow(text, ".shared .align 256 .b8 s[%d];\n", BYTES);
    ck_grow(
        text,
        "ld.param.u64 %%g, [pg]; mov.u32 %%s, s; mov.u32 %%i, %%tid.x; and.b32 %%l, %%i, 31; shr.u32 %%w, %%i, 5;\n");
    for (uint32_t i = 0; i < count; i++) {
        struct step *s = &steps[i];
        if (s->barrier) {
            ck_grow(text, "bar.sync 0;\n");
            continue;
        }
        ck_grow(text, "%s mad.lo.u32 %%a, %%a, %u, %u; and.b32 %%a, %%a, %d;\n", index_words[s->index], s->stride,
                s->base, -(int)s->size);
        if (s->guard != ALL)
            ck_grow(text, guard_words[s->guard], s->warp, s->lane);
        ck_grow(text, "cvt.u64.u32 %%d, %%a; add.u64 %%d, %%d, %%g; add.u32 %%a, %%a, %%s;\n");
        if (s->stores) /* a value that no other thread and no other step has */
            ck_grow(text, "mad.lo.u32 %%r, %%i, 16, %u; cvt.u16.u32 %%t, %%r; cvt.u64.u32 %%u, %%r;\n", i + 1);
        ck_grow(text, "%s%s.%s.u%u ", s->guard == ALL ? "" : "@%p ", s->stores ? "st" : "ld",
                shared ? "shared" : "global", 8 * s->size);
        if (s->stores)
            ck_grow(text, "[%s], %s;\n", shared ? "%a" : "%d", registers[s->size]);
        else
            ck_grow(text, "%s, [%s];\n", registers[s->size], shared ? "%a" : "%d");
        s->line = 0; /* how many there are by now */
        for (const char *c = text->data; (c = strchr(c, '\n')); c++)
            s->line++;
        if (s->sleeps)
            ck_grow(text, "%snanosleep.u32 2000;\n", s->guard == ALL ? "" : "@%p ");
        for (uint32_t n = 0; s->ends_turn && n < 64; n++)
            ck_grow(text, "add.u32 %%n, %%n, 1; add.u32 %%n, %%n, 1; add.u32 %%n, %%n, 1; add.u32 %%n, %%n, 1;\n");
    }
    ck_grow(text, "ret;\n}\n");
}

/* ---- what is right ----------------------------------------------------------------------------------------------- */

static bool overlap(const struct step *a, uint32_t t, const struct step *b, uint32_t u)
{
    const uint32_t x = offset_of(a, t), y = offset_of(b, u);

    return takes_part(a, t) && takes_part(b, u) && x < y + b->size && y < x + a->size;
}

/* Whether two threads' accesses by these steps are a race. */
static bool races(uint32_t i, uint32_t t, uint32_t k, uint32_t u)
{
    const uint32_t low = i < k ? i : k, high = i < k ? k : i;

    if (t == u || steps[i].barrier || steps[k].barrier || !(steps[i].stores || steps[k].stores))
        return false;
    for (uint32_t n = low; n < high; n++)
        if (steps[n].barrier)
            return false;
    return overlap(&steps[i], t, &steps[k], u);
}

static bool has_race(void)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i; k < count; k++)
            for (uint32_t t = 0; t < threads; t++)
                for (uint32_t u = 0; u < threads; u++)
                    if (races(i, t, k, u))
                        return true;
    return false;
}

static uint32_t step_at(const struct emu_place *p)
{
    for (uint32_t i = 0; p->known && p->at && i < count; i++)
        if (!steps[i].barrier && steps[i].line == p->at->line)
            return i;
    return STEPS;
}

/* ---- what is found ----------------------------------------------------------------------------------------------- */

static const struct emu_watch no_watch; /* the judge hears of each access by itself */

static void check(uint64_t seed, bool shared, bool race)
{
    const struct emu_options options = { .jobs = 1,
                                         .check_order = true,
                                         .turns = seed % 5 ? EMU_TURNS_IN_ORDER : EMU_TURNS_REVERSED,
                                         .watch = seed % 4 ? NULL : &no_watch };
    const uint32_t grid[3] = { 1, 1, 1 }, block[3] = { threads, 1, 1 };
    struct ck_growing text = { 0 };
    struct emu *e = emu_new(&options);
    struct emu_report report;
    struct ptx_error error;
    struct ptx_module *m;
    char why[200] = "";
    uint64_t g;

    write_program(&text, shared);
    m = ptx_read(text.data, text.size, NULL, &error);
    if (!m)
        fail_msg("%d: %s\n%s", error.line, error.message, text.data);
    assert_true(e && emu_load(e, m, why, sizeof why));
    g = emu_alloc(e, BYTES, 256, true, "g");
    assert_int_equal(emu_launch(e, "k", grid, block, NULL, 0, &g, sizeof g, &report), EMU_DONE);
    if (!report.count != !race)
        fail_msg("seed %llu: %s\n%s", (unsigned long long)seed,
                 race ? "a race, and nothing found" : report.findings->message, text.data);
    for (size_t n = 0; n < report.count; n++) {
        const struct emu_finding *f = &report.findings[n];
        const uint32_t i = step_at(&f->here), k = step_at(&f->there);
        if (i == STEPS || k == STEPS || !races(i, f->here.tid[0], k, f->there.tid[0]))
            fail_msg("seed %llu: no race: %s\n%s", (unsigned long long)seed, f->message, text.data);
    }
    ck_growing_free(&text);
    emu_free(e);
    ptx_free(m);
}

static void found(void **unused)
{
    const uint64_t first = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1;
    uint32_t right = 0;

    (void)unused;
    for (uint64_t seed = first; seed < first + PROGRAMS; seed++) {
        bool race;
        state = splitmix64(seed);
        draw();
        race = has_race();
        check(seed, true, race);
        check(seed, false, race);
        right += !race;
    }
    assert_in_range(right, PROGRAMS / 10, PROGRAMS * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(found) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
