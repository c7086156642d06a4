/* Waits for the round of an mbarrier, by all threads of its CTA or one, and what threads see after them. */
#include "tools/async_fuzz/state.h"

static const char *acquire(struct gen *g)
{
    static const char *const words[] = { "", ".acquire.cta", ".acquire.cluster", ".acquire.cluster" };

    return words[below(g, 4)];
}

/* A loop until the phase has completed. */
static void wait_loop(struct gen *g, const struct bar *b, unsigned bar, bool by_state)
{
    const unsigned loop = new_label(g);
    const char *const op = chance(g, 25) ? "test_wait" : "try_wait", *const sem = acquire(g);
    const char *const limit = op[1] == 'r' && chance(g, 20) ? ", 100" : "";

    text_add(g->out, "    add.u32 %%r5, %%sm, %u;\nL%u:\n", SMEM_REGIONS * REGION + bar * 8, loop);
    if (by_state)
        text_add(g->out, "    mbarrier.%s%s.shared::cta.b64 %%p3, [%%r5], %%st%u%s;\n", op, sem, bar, limit);
    else
        text_add(g->out, "    mbarrier.%s.parity%s.shared::cta.b64 %%p3, [%%r5], %u%s;\n", op, sem, b->parity, limit);
    text_add(g->out, "    @!%%p3 bra L%u;\n", loop);
    g->diverged = true;
}

/* Both parities, asked once: the old phase has ended, the new one cannot have. */
static void ask_again(struct gen *g, const struct bar *b, unsigned bar)
{
    for (unsigned parity = 0; parity < 2; parity++) {
        (void)bar;
        text_add(g->out,
                 "    mbarrier.test_wait.parity.shared::cta.b64 %%p3, [%%r5], %u;\n    selp.b64 %%d0, %u, 1, %%p3;\n"
                 "    mad.lo.u64 %%seen, %%seen, 3, %%d0;\n",
                 parity ^ b->parity, parity + 5);
    }
}

void wait_bar(struct gen *g, unsigned cta, unsigned bar, int thread)
{
    const struct bar *b = &g->bars[cta][bar];
    const unsigned label = guard(g, (int)cta, thread);

    wait_loop(g, b, bar, thread == ALL && b->all_arrive && b->has_state && chance(g, 50));
    end_guard(g, label);
}

/* What the round brought into this CTA, read by the threads that waited. */
static void see_round(struct gen *g, unsigned cta, unsigned round)
{
    const size_t count = g->count;

    for (size_t i = 0; i < count && has_room(g); i++) {
        const struct record *r = &g->records[i];
        if (r->of != round || r->link != ENDED || !(r->clean >> cta & 1) || !r->signals || r->a.mode == READ ||
            !chance(g, 60))
            continue;
        for (unsigned region = 0; region < SMEM_REGIONS; region++) {
            const struct access a = { .regions = smem_regions(cta, region, 1), .mode = READ, .proxy = GENERIC };
            if (!(r->a.regions & a.regions) || !may(g, cta, a))
                continue; /* another round may still add to it */
            observe(g, true, region);
            note(g, cta, a);
        }
    }
}

bool step_wait(struct gen *g)
{
    const unsigned start = below(g, g->p->ctas * BARS);
    const bool all = chance(g, 75), together = chance(g, 30);
    bool wrote = false;

    for (unsigned i = 0; i < g->p->ctas * BARS && (!wrote || together); i++) {
        const unsigned at = (start + i) % (g->p->ctas * BARS), c = at / BARS, bar = at % BARS;
        struct bar *b = &g->bars[c][bar];
        const unsigned round = b->round;
        unsigned label;
        if (!b->open)
            continue;
        label = guard(g, (int)c, all ? ALL : (int)below(g, g->p->threads));
        wait_loop(g, b, bar, all && b->all_arrive && b->has_state && chance(g, 50));
        if (all && chance(g, 20))
            ask_again(g, b, bar);
        end_round(g, c, bar, all);
        if (all)
            see_round(g, c, round);
        end_guard(g, label);
        wrote = true;
    }
    return wrote;
}
// SPDX-License-Identifier: Apache-2.0
