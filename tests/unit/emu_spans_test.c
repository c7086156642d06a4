/* Reads by many threads, in patterns drawn at random, and one write at the end, often another one between two of them:
 * a race is found where a thread read what another writes, and nothing orders the two. Whatever the shadow makes of the
 * patterns, it forgets no read and invents none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expected/random.h"
#include "harness/emu/forms/form.h"
#include "harness/emu/emu.h"

enum { PROGRAMS = 2400, ROUNDS = 6, BYTES = 512, ALONE = 1000 /* more than there are threads */ };

/* Every thread of number t with t % every == rest loads `size` bytes at number (t * near + t / row * far + e) of such
 * units in the buffer, e growing from CTA to CTA; then, where it says so, all of the CTA meet, or each thread fences,
 * which orders nothing by itself. A strong load races with the weak write as a weak one does. */
struct round {
    uint32_t every, rest, size, near, row, far, e, of_cta;
    bool meets, fences, strong;
};

struct program {
    uint32_t threads, ctas, rounds;
    struct round round[ROUNDS];
    uint32_t writer, cta, at, size; /* who writes at the end, and which bytes */
    uint32_t lanes;                 /* of its warp, which meet before that */
    uint32_t early; /* the round behind which it writes them too, between two barriers; or the number of rounds */
    enum emu_turns_kind turns;
    uint64_t seed;
};

static uint32_t one_of(uint64_t *random, const uint32_t *of, uint32_t n)
{
    return of[splitmix64_below(random, n)];
}

static uint32_t place(const struct round *r, uint32_t t, uint32_t cta)
{
    return (t * r->near + t / r->row * r->far + r->e + cta * r->of_cta) % (BYTES / r->size) * r->size;
}

static void draw(struct program *p, uint64_t *random)
{
    static const uint32_t rows[] = { 1, 4, 8, 16, 32, 48 }, sizes[] = { 1, 2, 4, 4, 4, 8, 16 },
                          nears[] = { 0, 1, 1, 1, 2, 3 }, fars[] = { 0, 0, 0, 1, 16, 32 },
                          everies[] = { 1, 1, 1, 2, 3, 16, ALONE };
    static const enum emu_turns_kind turns[] = { EMU_TURNS_IN_ORDER, EMU_TURNS_REVERSED, EMU_TURNS_RANDOM };

    p->threads = splitmix64_below(random, 2) ? 32 : 32 + 32 * splitmix64_below(random, 4);
    p->ctas = splitmix64_below(random, 2) ? 1 : 1 + splitmix64_below(random, splitmix64_below(random, 2) ? 4 : 40);
    p->rounds = 1 + splitmix64_below(random, ROUNDS);
    p->writer = splitmix64_below(random, p->threads);
    for (uint32_t i = 0; i < p->rounds; i++) {
        struct round *r = &p->round[i];
        if (i && splitmix64_below(random, 2)) { /* as before: a loop */
            *r = p->round[i - 1];
            r->meets = splitmix64_below(random, 3) == 0;
            r->fences = splitmix64_below(random, 2);
            continue;
        }
        r->every = one_of(random, everies, 7);
        r->rest = r->every == ALONE ? p->writer : splitmix64_below(random, r->every);
        r->size = one_of(random, sizes, 7);
        r->near = one_of(random, nears, 6);
        r->row = one_of(random, rows, 6);
        r->far = one_of(random, fars, 6);
        r->e = splitmix64_below(random, 8);
        r->of_cta = splitmix64_below(random, 3) ? 0 : splitmix64_below(random, 20);
        r->meets = splitmix64_below(random, 3) == 0;
        r->fences = splitmix64_below(random, 2);
        r->strong = splitmix64_below(random, 4) == 0;
    }
    p->lanes = 1u << p->writer % 32 | ~(1u << splitmix64_below(random, 32)); /* all lanes, or all but one */
    p->cta = splitmix64_below(random, p->ctas);
    p->size = one_of(random, sizes, 7);
    p->at = splitmix64_below(random, BYTES);
    if (splitmix64_below(random, 4)) /* what somebody reads */
        p->at = place(&p->round[splitmix64_below(random, p->rounds)], splitmix64_below(random, p->threads),
                      splitmix64_below(random, p->ctas));
    p->at -= p->at % p->size;
    p->early = splitmix64_below(random, 2) ? p->rounds : splitmix64_below(random, p->rounds);
    p->turns = turns[splitmix64_below(random, 3)];
    p->seed = splitmix64_next(random);
}

/* Whether another thread has read some of the bytes, with no barrier between. */
static bool races(const struct program *p)
{
    uint32_t first = 0; /* round that no barrier of the writer's CTA is behind */

    for (uint32_t i = 0; i < p->rounds; i++)
        if (p->round[i].meets || i == p->early)
            first = i + 1;
    for (uint32_t cta = 0; cta < p->ctas; cta++)
        for (uint32_t i = cta == p->cta ? first : 0; i < p->rounds; i++) /* other CTAs' race with both writes */
            for (uint32_t t = p->round[i].rest; t < p->threads; t += p->round[i].every) {
                const uint32_t at = place(&p->round[i], t, cta);
                const bool known = cta == p->cta && t / 32 == p->writer / 32 && p->lanes >> t % 32 & 1;
                if (!known && at < p->at + p->size && p->at < at + p->round[i].size)
                    return true;
            }
    return false;
}

static const char *bits(uint32_t size)
{
    return size == 1 ? "u8" : size == 2 ? "u16" : size == 4 ? "u32" : size == 8 ? "u64" : "v2.u64";
}

/* The write, by one thread. */
static size_t print_write(const struct program *p, char *text, size_t size)
{
    return (size_t)snprintf(
        text, size,
        "setp.eq.u32 %%p, %%i, %u; setp.eq.and.u32 %%p, %%c, %u, %%p; mov.u32 %%y, 7; @%%p st.global.%s [%%g+%u], %s;\n",
        p->writer, p->cta, bits(p->size), p->at,
        p->size == 16  ? "{%v, %v}"
        : p->size == 8 ? "%v"
                       : "%y");
}

static void print(const struct program *p, char *text, size_t size)
{
    size_t n =
        (size_t)snprintf(text, size,
                         ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 pg)\n{\n"
                         ".reg .pred %%p; .reg .b32 %%i, %%c, %%x, %%y; .reg .b64 %%g, %%a, %%d, %%v, %%w;\n"
                         "ld.param.u64 %%g, [pg]; mov.u32 %%i, %%tid.x; mov.u32 %%c, %%ctaid.x; mov.u64 %%v, 1;\n");

    for (uint32_t i = 0; i < p->rounds; i++) {
        const struct round *r = &p->round[i];
        n += (size_t)snprintf(text + n, size - n,
                              "rem.u32 %%x, %%i, %u; setp.eq.u32 %%p, %%x, %u; div.u32 %%x, %%i, %u;\n"
                              "mul.lo.u32 %%x, %%x, %u; mad.lo.u32 %%x, %%i, %u, %%x; mad.lo.u32 %%x, %%c, %u, %%x;\n"
                              "add.u32 %%x, %%x, %u; rem.u32 %%x, %%x, %u; mul.wide.u32 %%d, %%x, %u;\n"
                              "add.u64 %%a, %%g, %%d; @%%p ld%s.global.%s %s, [%%a];\n%s",
                              r->every, r->rest, r->row, r->far, r->near, r->of_cta, r->e, BYTES / r->size, r->size,
                              r->strong ? ".relaxed.gpu" : "", bits(r->size),
                              r->size == 16  ? "{%v, %w}"
                              : r->size == 8 ? "%v"
                                             : "%y",
                              r->meets    ? "bar.sync 0;\n"
                              : r->fences ? "membar.cta;\n"
                                          : "");
        if (i != p->early)
            continue;
        n += (size_t)snprintf(text + n, size - n, "bar.sync 0;\n");
        n += print_write(p, text + n, size - n);
        n += (size_t)snprintf(text + n, size - n, "bar.sync 0;\n");
    }
    n += (size_t)snprintf(text + n, size - n,
                          "shr.u32 %%x, %%i, 5; setp.eq.u32 %%p, %%x, %u; and.b32 %%x, %%i, 31; shr.u32 %%x, %u, %%x;\n"
                          "and.b32 %%x, %%x, 1; setp.eq.and.u32 %%p, %%x, 1, %%p; @%%p bar.warp.sync %u;\n",
                          p->writer / 32, p->lanes, p->lanes);
    n += print_write(p, text + n, size - n);
    snprintf(text + n, size - n, "ret;\n}\n");
}

static void judge(const struct program *p)
{
    const struct emu_options options = { .check_order = true, .turns = p->turns, .seed = p->seed };
    const uint32_t grid[3] = { p->ctas, 1, 1 }, block[3] = { p->threads, 1, 1 };
    struct emu *e = emu_new(&options);
    struct emu_report report;
    struct ptx_error error;
    struct ptx_module *m;
    char text[8192], why[200];
    uint64_t g;

    print(p, text, sizeof text);
    m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("line %d: %s\n%s", error.line, error.message, text);
    assert_true(emu_load(e, m, why, sizeof why));
    g = emu_alloc(e, BYTES, 256, true, "g");
    assert_int_equal(emu_launch(e, "k", grid, block, NULL, 0, &g, sizeof g, &report), EMU_DONE);
    if ((report.count > 0) != races(p))
        fail_msg("%zu findings, %u CTAs of %u threads, turns %d: %s\n%s", report.count, p->ctas, p->threads, p->turns,
                 report.count ? report.findings[0].message : "a race is not found", text);
    emu_free(e);
    ptx_free(m);
}

static void test_reads_by_many(void **state)
{
    uint64_t random = 1;
    unsigned races_there = 0;

    (void)state;
    for (int i = 0; i < PROGRAMS; i++) {
        struct program p = { 0 };
        draw(&p, &random);
        judge(&p);
        races_there += races(&p);
    }
    assert_in_range(races_there, PROGRAMS / 4, PROGRAMS * 3 / 4); /* both kinds are there */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_reads_by_many) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
