/* Random programs with mbarriers and barriers of some threads of a CTA, with the light judge and without. */
#include "tests/unit/emu_light_random.h"

/* Threads in a row that do something together: whole warps, mostly. */
struct some {
    uint32_t from, to;
};
enum { BARS = 4 };
static struct {
    struct some who;
    enum { EACH_ONE, ONE_OF_WARP, FIRST } how; /* who of them arrives */
    uint32_t phase;
} bar[BARS];
static uint32_t labels;

static struct some some_threads(void)
{
    const uint32_t warps = (threads + 31) / 32, from = below(warps), to = from + 1 + below(warps - from);

    if (!below(3))
        return (struct some){ 0, threads };
    return (struct some){ from * 32, to * 32 < threads ? to * 32 : threads };
}

/* They alone do what follows, up to the end. */
static uint32_t write_only(struct ck_growing *to, struct some who)
{
    labels++;
    ck_grow(to, "setp.lt.u32 %%q, %%t, %u; @%%q bra S%u; setp.ge.u32 %%q, %%t, %u; @%%q bra S%u;\n", who.from, labels,
            who.to, labels);
    return labels;
}

static void write_end(struct ck_growing *to, uint32_t label)
{
    ck_grow(to, "S%u:\n", label);
}

static uint32_t arrivals_of(uint32_t b)
{
    const uint32_t n = bar[b].who.to - bar[b].who.from;

    return bar[b].how == EACH_ONE ? n : bar[b].how == FIRST ? 1 : (n + 31) / 32;
}

/* Mostly with the count of those that will arrive, by one thread, and a barrier behind. */
static void write_inits(struct ck_growing *to)
{
    for (uint32_t b = 0; b < BARS; b++) {
        bar[b].who = some_threads();
        bar[b].how = below(3);
        bar[b].phase = 0;
        ck_grow(to, "setp.eq.u32 %%p, %%t, %u; @%%p mbarrier.init.shared.b64 [bars+%u], %u;\n", below(20) ? 0 : 40,
                8 * b, below(30) ? arrivals_of(b) : 1 + below(threads));
    }
    ck_grow(to, "%s%s\n", below(4) ? "" : "fence.mbarrier_init.release.cluster;",
            below(25) ? "bar.sync 0;" : PICK("", "bar.warp.sync 0xffffffff;", "@%p bar.sync 1, 32;"));
}

static void write_arrival(struct ck_growing *to, uint32_t b)
{
    static const char *const odd[] = { "mbarrier.arrive.relaxed.cta.shared.b64 %d, [bars+",
                                       "mbarrier.arrive.noComplete.shared.b64 %d, [bars+",
                                       "mbarrier.arrive_drop.shared.b64 %d, [bars+",
                                       "mbarrier.arrive.expect_tx.shared.b64 %d, [bars+" };
    const uint32_t kind = below(60);

    if (bar[b].how != EACH_ONE && below(8) && threads % 32 == 0)
        ck_grow(to, "bar.warp.sync 0xffffffff;\n");
    if (bar[b].how == ONE_OF_WARP)
        ck_grow(to, "and.b32 %%m, %%t, 31; setp.eq.u32 %%p, %%m, 0; @%%p ");
    else if (bar[b].how == FIRST)
        ck_grow(to, "setp.eq.u32 %%p, %%t, %u; @%%p ", bar[b].who.from);
    if (kind < 4)
        ck_grow(to, "%s%u]%s;\n", odd[kind], 8 * b, kind == 1 ? ", 1" : kind == 3 ? ", 0" : "");
    else
        ck_grow(to, "mbarrier.arrive%s.shared.b64 %%d, [bars+%u]%s;\n", below(2) ? "" : ".release.cta", 8 * b,
                below(40) ? "" : ", 2");
}

static void write_wait(struct ck_growing *to, uint32_t b, uint32_t parity)
{
    labels++;
    ck_grow(to, "W%u: mbarrier.%s.parity%s.shared.b64 %%p, [bars+%u], %u;\n", labels,
            below(2) ? "test_wait" : "try_wait", below(30) ? "" : ".relaxed.cta", 8 * b, parity);
    if (below(25))
        ck_grow(to, "@!%%p bra W%u;\n", labels);
}

/* Some access memory, and arrive; others wait, and access memory. */
static void write_handshake(struct ck_growing *to)
{
    const uint32_t b = below(BARS);
    uint32_t end = write_only(to, bar[b].who);

    if (below(3))
        write_access(to);
    if (below(30))
        write_arrival(to, b);
    if (!below(6))
        write_access(to);
    if (!below(3))
        write_wait(to, b, bar[b].phase & 1);
    write_end(to, end);
    end = write_only(to, below(2) ? (struct some){ 0, threads } : some_threads());
    if (below(15))
        write_wait(to, b, (bar[b].phase + !below(25)) & 1);
    if (below(3))
        write_access(to);
    write_end(to, end);
    bar[b].phase++;
}

/* A barrier of some warps, some of which may only arrive. */
static void write_part(struct ck_growing *to)
{
    const struct some who = some_threads();
    const uint32_t id = 1 + below(2), n = (who.to - who.from + 31) / 32 * 32, end = write_only(to, who);

    if (below(3))
        write_access(to);
    if (n > 32 && !below(3))
        ck_grow(to, "setp.lt.u32 %%p, %%t, %u; @%%p bar.arrive %u, %u; @!%%p bar.sync %u, %u;\n", who.from + 32, id, n,
                id, n);
    else
        ck_grow(to, "bar.sync %u, %u;\n", id, below(30) ? n : n + 32);
    if (below(3))
        write_access(to);
    write_end(to, end);
}

static void write_parts(struct ck_growing *to)
{
    const uint32_t steps = 1 + below(5);

    threads = ONE_OF(32, 64, 64, 96, 100, 128, 160);
    barriers = ONE_OF(10, 40, 70);
    labels = 0;
    before.shared = true;
    before.size = 4;
    ck_grow(to, "%s", head);
    for (uint32_t from = 0; from < BYTES && below(20); from += 4 * threads)
        ck_grow(to,
                "mad.lo.u32 %%a, %%t, 4, %u; setp.lt.u32 %%p, %%a, %u; add.u32 %%a, %%a, %%b; @%%p st.shared.u32 "
                "[%%a], %%t;\n",
                from, BYTES);
    write_inits(to);
    write_address(to, true, 4);
    for (uint32_t i = 0; i < steps; i++) {
        switch (below(8)) {
        case 0: write_access(to); break;
        case 1: write_part(to); break;
        case 2:
            if (below(4))
                write_part(to);
            else
                write_copy(to);
            break;
        default: write_handshake(to); break;
        }
        if (below(100) < barriers)
            write_rest(to, i);
    }
    ck_grow(to, "cp.async.wait_all;\nE: ret;\n}\n");
}

static void as_without_parts(void **unused)
{
    (void)unused;
    compare(write_parts, PROGRAMS, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_without_parts) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
