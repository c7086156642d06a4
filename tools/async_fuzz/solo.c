/* One thread plays with an mbarrier of its own: every result is certain, and the oracle says what is legal. */
#include "tools/async_fuzz/state.h"

#include "expected/mbarrier.h"

enum { MOVES = 10, COUNT = 6 };

static void add_up(struct gen *g, const char *what)
{
    text_add(g->out, "    %s;\n    mad.lo.u64 %%seen, %%seen, 5, %%d0;\n", what);
}

static void try_arrival(struct gen *g, struct mbarrier *b)
{
    static const char *const sems[] = { "", ".release.cta", ".release.cluster", ".relaxed.cta" };
    struct mbarrier_arrival a = { .count = 1 + below(g, COUNT), .drop = chance(g, 25), .stay = chance(g, 30) };
    struct mbarrier_state state;

    a.drop &= b->expected > (int64_t)a.count; /* an object that expects nobody is of no use */
    if (!a.stay && chance(g, 30)) {
        a.bytes = below(g, 5000);
        a.count = 1;
        a.drop &= b->expected > 1;
        if (mbarrier_arrive(b, a, &state))
            return;
        text_add(g->out, "    mbarrier.%s.expect_tx%s.shared::cta.b64 %%d1, [%%r5], %u;\n",
                 a.drop ? "arrive_drop" : "arrive", PICK(g, sems), (unsigned)a.bytes);
        return;
    }
    if (a.stay && (int64_t)a.count == b->pending) /* only bytes would keep the phase */
        return;
    if (mbarrier_arrive(b, a, &state))
        return;
    text_add(g->out, "    mbarrier.%s%s%s.shared::cta.b64 %%d1, [%%r5], %u;\n", a.drop ? "arrive_drop" : "arrive",
             a.stay ? ".noComplete" : "", a.stay ? "" : PICK(g, sems), (unsigned)a.count);
    if (!a.stay)
        return;
    text_add(g->out, "    mbarrier.pending_count.b64 %%r4, %%d1;\n");
    add_up(g, "cvt.u64.u32 %d0, %r4");
}

/* Before it arrives again, a thread has to have seen that the phase before is over. */
static void look_back(struct gen *g, const struct mbarrier *b, uint64_t *phase)
{
    if (b->phase == *phase)
        return;
    text_add(g->out, "    mbarrier.test_wait.parity.shared::cta.b64 %%p3, [%%r5], %u;\n", (unsigned)(*phase & 1));
    add_up(g, "selp.b64 %d0, 9, 4, %p3");
    *phase = b->phase;
}

/* try_wait only where the phase is over: of one that is not, an H200 may say what the thread's later arrivals make true
 * (docs/findings.md). */
static void ask(struct gen *g, const struct mbarrier *b)
{
    const unsigned parity = below(g, 2);
    bool done = false;

    mbarrier_test_parity(b, parity, &done);
    text_add(g->out, "    mbarrier.%s.parity.shared::cta.b64 %%p3, [%%r5], %u;\n",
             done && chance(g, 40) ? "try_wait" : "test_wait", parity);
    add_up(g, "selp.b64 %d0, 7, 2, %p3");
}

bool step_solo(struct gen *g)
{
    const unsigned c = below(g, g->p->ctas), t = below(g, g->p->threads), offset = SMEM_REGIONS * REGION + SOLO_BAR * 8;
    const unsigned count = 1 + below(g, COUNT), moves = 2 + below(g, MOVES);
    struct mbarrier b = { 0 };
    uint64_t phase = 0;
    unsigned label;

    if (g->solo[c] && g->solo[c] != t + 1)
        return false;
    g->solo[c] = t + 1;
    g->solo_clean[c] = true; /* after a barrier another thread may take it */
    label = guard(g, (int)c, (int)t);
    mbarrier_init(&b, count);
    text_add(g->out, "    add.u32 %%r5, %%sm, %u;\n    mbarrier.init.shared::cta.b64 [%%r5], %u;\n", offset, count);
    for (unsigned i = 0; i < moves; i++) {
        const unsigned bytes = b.tx > 0 && chance(g, 50) ? (unsigned)b.tx : below(g, 3000);
        switch (below(g, 5)) {
        case 0:
            if ((b.pending || b.tx + (int64_t)bytes) && !mbarrier_expect(&b, bytes)) /* what ends no phase */
                text_add(g->out, "    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%%r5], %u;\n", bytes);
            break;
        case 1:
            if (!mbarrier_complete(&b, bytes))
                text_add(g->out, "    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%%r5], %u;\n", bytes);
            break;
        case 2: ask(g, &b); break;
        default: try_arrival(g, &b);
        }
        look_back(g, &b, &phase);
    }
    ask(g, &b);
    if (b.tx > 0)
        text_add(g->out, "    mbarrier.complete_tx.shared::cta.b64 [%%r5], %u;\n", (unsigned)b.tx);
    else if (b.tx < 0)
        text_add(g->out, "    mbarrier.expect_tx.shared::cta.b64 [%%r5], %u;\n", (unsigned)-b.tx);
    text_add(g->out, "    mbarrier.inval.shared::cta.b64 [%%r5];\n");
    end_guard(g, label);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
