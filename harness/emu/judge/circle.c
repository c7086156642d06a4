/* Who would do what others wait for. What a thread does later is not known, so a circle is told only where the objects
 * leave no doubt: a barrier that everybody comes to, an mbarrier at which the thread arrived in the phase before, or as
 * many missing arrivals as threads that have yet to arrive. */
#include "harness/emu/judge/circle.h"

#include "harness/emu/judge/lives.h"
#include "harness/emu/machine/thread.h"

/* Whether threads of group h arrived in the phase before this one and have not in this one. */
static bool arrived_before(const struct circle *x, const struct emu_mbarrier *m, uint32_t h)
{
    for (uint32_t i = 0; i < emu_threads_of(x->cluster); i++) {
        const struct life_thread *l = x->of[i] == h + 1 ? life_seen_by(m, emu_thread_at(x->cluster, i)) : NULL;
        if (l && m->phase && l->arrived == m->phase)
            return true;
    }
    return false;
}

static bool arrives_at(const struct circle *x, const struct emu_thread *t, uint32_t h)
{
    const struct emu_mbarrier *m = emu_mbarrier_find(t->cta, t->wait_a);
    const uint64_t pending = m ? emu_mbarrier_pending(m) : 0;

    if (!pending || m->state != EMU_MBARRIER_ALIVE || !x->groups[h].arrives)
        return false;
    return arrived_before(x, m, h) || (!m->phase && pending == x->groups[h].count);
}

static bool comes_to(const struct circle *x, const struct emu_thread *t, uint32_t h)
{
    const struct circle_group *g = &x->groups[h];
    uint32_t arrived = 0, expected = 0;

    if (g->first->cta != t->cta || (g->first->wait == EMU_WAIT_BARRIER && g->first->wait_a == t->wait_a))
        return false;
    emu_barrier_counts(t->cta, t->wait_a, &arrived, &expected);
    return g->meets && (expected == t->cta->live || expected - arrived == g->count);
}

/* Lanes of the mask that threads of the warp wait for. */
static bool in_mask(const struct emu_thread *t, const struct circle_group *g)
{
    const struct emu_thread *o = g->first;

    return o->cta == t->cta && o->index - o->lane == t->index - t->lane && (t->wait_a >> o->lane & 1) &&
           !(o->wait == EMU_WAIT_WARP && o->wait_a == t->wait_a);
}

/* Whether group g waits for what group h has yet to do. */
static bool waits_for(const struct circle *x, uint32_t g, uint32_t h)
{
    const struct emu_thread *t = x->groups[g].first;

    switch (g == h ? EMU_WAIT_NONE : t->wait) {
    case EMU_WAIT_MBARRIER: return arrives_at(x, t, h);
    case EMU_WAIT_BARRIER: return comes_to(x, t, h);
    case EMU_WAIT_CLUSTER: return x->groups[h].first->wait != EMU_WAIT_CLUSTER;
    case EMU_WAIT_WARP: return in_mask(t, &x->groups[h]);
    default: return false;
    }
}

/* The shortest way from group `start` back to it, by breadth. */
static uint32_t circle_from(const struct circle *x, uint32_t start, uint32_t order[CIRCLE_GROUPS])
{
    uint32_t from[CIRCLE_GROUPS] = { 0 }, queue[CIRCLE_GROUPS], head = 0, tail = 0, length = 0;

    queue[tail++] = start;
    while (head < tail) {
        const uint32_t g = queue[head++];
        if (g != start && waits_for(x, g, start)) {
            for (uint32_t i = g; i != start; i = from[i] - 1)
                length++;
            length++;
            for (uint32_t i = g, k = length; k-- > 0; i = from[i] - 1)
                order[k] = i;
            return length;
        }
        for (uint32_t h = 0; h < x->count; h++)
            if (h != start && !from[h] && waits_for(x, g, h)) {
                from[h] = g + 1;
                queue[tail++] = h;
            }
    }
    return 0;
}

uint32_t circle_find(const struct circle *x, uint32_t order[CIRCLE_GROUPS])
{
    uint32_t best = 0, found[CIRCLE_GROUPS];

    for (uint32_t g = 0; g < x->count; g++) {
        const uint32_t length = circle_from(x, g, found);
        if (!length || (best && length >= best))
            continue;
        best = length;
        for (uint32_t i = 0; i < length; i++)
            order[i] = found[i];
    }
    return best;
}
// SPDX-License-Identifier: Apache-2.0
