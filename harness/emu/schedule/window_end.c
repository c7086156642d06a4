/* Where lanes of a window stop: at barriers, and whether what they have done on trial stays so. */
#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/schedule/around.h"
#include "harness/emu/schedule/finder.h"
#include "harness/emu/schedule/idle.h"
#include "harness/emu/schedule/window_state.h"

/* Whether a lane waits at a barrier for which all threads of the CTA have to come. */
static bool waits_at(const struct emu_thread *t, uint64_t number)
{
    const struct emu_barrier *b = &t->cta->barriers[number];

    return t->barrier_generation > b->generation && t->at_barrier == number + 1 && !b->expected;
}

/* Whether all that is left of a lane's turn is that it ends, or blocks at a barrier that so many others, or fewer, come
 * to before a lane that has not. */
static bool gives_way(const struct window *w, const struct emu_thread *t, uint32_t others)
{
    const struct emu_op *op = t->pc;
    const struct emu_barrier *b;
    uint64_t number;

    if (op->together == EMU_END && op->guard == EMU_NO && !t->frame->caller)
        return true;
    if (t->polled || (w->all >> t->lane & 1 && t->steps >= w->began[t->lane] + w->length))
        return true;
    if (op->guard != EMU_NO && (t->r[op->guard] != 0) == op->guard_not)
        return false;
    if (op->together == EMU_END)
        return !t->frame->caller;
    if (op->together == EMU_MEETING)
        return true;
    if (op->together != EMU_BARRIER)
        return false;
    number = t->r[op->a];
    if (t->barrier_generation) /* it has come before, and is about to try again */
        return waits_at(t, number) && t->cta->barriers[number].arrived + others < t->cta->live;
    b = t->cta->barriers ? &t->cta->barriers[number < EMU_BARRIERS ? number : 0] : NULL;
    return number < EMU_BARRIERS &&
           (!b || ((!b->arrived || (!b->expected && !b->reduces)) && !(b->warps[t->warp].lanes >> t->lane & 1) &&
                   b->arrived + others < t->cta->live));
}

/* Whether all these lanes are in the window and about to leave the grid: then each gives way. */
static bool leave_alike(const struct window *w, uint32_t set)
{
    const struct emu_op *op = w->lanes[w->first].pc;
    uintptr_t differs = 0;

    if (set & ~w->all || !op || op->together != EMU_END || op->guard != EMU_NO)
        return false;
    for (uint32_t lane; window_next(&set, &lane);)
        differs |= ((uintptr_t)w->lanes[lane].pc ^ (uintptr_t)op) | (uintptr_t)w->lanes[lane].frame->caller;
    return !differs;
}

/* Whether all these lanes are in the window and about to come to the same barrier, none of them at the end of its turn:
 * then each gives way if the first of them does. */
static bool come_alike(const struct window *w, uint32_t set)
{
    const uint32_t first = (uint32_t)__builtin_ctz(set | 1u << 31);
    const struct emu_op *op = w->lanes[first].pc;
    const struct emu_barrier *b = w->lanes->cta->barriers;
    uint64_t differs = 0, number;

    if (!set || set & ~w->all || !op || op->together != EMU_BARRIER || op->guard != EMU_NO ||
        op->a < w->block->code->first_constant * EMU_WARP || w->lanes[first].steps >= w->began[first] + w->length)
        return false;
    number = w->lanes[first].r[op->a];
    for (uint32_t lane, left = set; window_next(&left, &lane);) {
        const struct emu_thread *t = &w->lanes[lane];
        differs |= ((uintptr_t)t->pc ^ (uintptr_t)op) | t->barrier_generation | t->rests;
    }
    return !differs && (!b || number >= EMU_BARRIERS || !(b[number].warps[w->lanes->warp].lanes & set));
}

/* Whether a watcher has nothing to report of what lanes have accessed. */
static bool judged(const struct window *w)
{
    const struct emu_cta *cta = w->lanes->cta;
    const struct emu_watch *watch = cta->cluster->watch;
    const struct emu_pattern *sorted;

    if (!cta->watched && !cta->cluster->watched)
        return true;
    sorted = watch->any_order ? w->tried->of : emu_tried_sorted(w->tried);
    return sorted && watch->patterns(w->lanes, sorted, w->tried->n);
}

/* Whether the turns one behind the other would have come to the same; where lanes go on step by step, they have. */
static bool comes_to_the_same(const struct window *w)
{
    uint32_t accessing = w->tried->scatter, before, left;

    for (uint32_t i = 0; i < w->tried->n; i++)
        accessing |= w->tried->of[i].lanes;
    if (!accessing)
        return true;
    if (w->in_step)
        return judged(w);
    before = ((1u << (31 - __builtin_clz(accessing))) - 1) & ~((1u << w->first) - 1);
    left = leave_alike(w, before) ? 0 : come_alike(w, before) ? before & -before : before;
    for (uint32_t lane; window_next(&left, &lane);)
        if (w->lanes[lane].state != EMU_EXITED &&
            (!((w->all | w->asking) >> lane & 1) || !gives_way(w, &w->lanes[lane], emu_lanes_count(before))))
            return false;
    return judged(w);
}

void window_end_trial(struct window *w)
{
    const bool well = !w->failed && comes_to_the_same(w);

    if (!well && w->cut)
        emu_tried_cut(w->tried, w->cut);
    else
        emu_tried_learn(w->tried, w->from, well);
    w->from = NULL;
    if (!well) {
        w->failed = true;
        emu_tried_put_back(w->tried, w->lanes, w->all, w->block);
        return;
    }
    w->effects |= w->tried->acted | w->tried->wrote | w->acts;
    for (uint32_t lane, left = w->tried->acted; window_next(&left, &lane);)
        w->lanes[lane].acted = true;
    for (uint32_t lane, left = w->tried->wrote; window_next(&left, &lane);)
        w->lanes[lane].wrote = true;
    for (uint32_t lane, left = w->acts; window_next(&left, &lane);)
        w->lanes[lane].ahead_acts = true;
    w->acts = 0;
}

/* No lane runs on here; a trial ends. False: the window is to be put back. */
static bool stop(struct window *w)
{
    if (w->from)
        window_end_trial(w);
    w->running = 0;
    return !w->failed;
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

/* Which barrier lanes are at; EMU_BARRIERS: not all at the same. */
static uint64_t number_at(const struct window *w, const struct emu_op *op, uint32_t on)
{
    const uint64_t *r = w->r + op->a, number = r[__builtin_ctz(on)];

    if (op->a >= w->block->code->first_constant * EMU_WARP)
        return number; /* a constant */
    for (uint32_t lane; window_next(&on, &lane);)
        if (r[lane] != number)
            return EMU_BARRIERS;
    return number;
}

/* Those that wait at a barrier in the order of turns see its completion whatever the turns before theirs do: the next
 * one needs them, too. */
uint32_t window_passing(const struct window *w, const struct emu_op *op, uint32_t on)
{
    const struct emu_cta *cta = w->lanes->cta;
    const struct emu_barrier *b;
    uint64_t number;

    on &= w->passing;
    if (!on || w->from || (w->finder && on != w->all) || (cta->cluster->watched && !cta->cluster->watch->patterns))
        return 0;
    number = number_at(w, op, on);
    if (number >= EMU_BARRIERS || !cta->barriers)
        return 0;
    b = &cta->barriers[number];
    return b->arrived && b->expected ? 0 : on;
}

/* Those lanes that are about to come to a barrier, if all others of the warp wait there already or have exited, and
 * none of them but the last may complete it; else none. */
static uint32_t coming(const struct window *w, const struct emu_op *op, uint32_t on)
{
    const struct emu_cta *cta = w->lanes->cta;
    const uint64_t number = number_at(w, op, on);
    const struct emu_barrier *b;
    uint32_t set = on & w->fresh;

    if (number >= EMU_BARRIERS || w->probed || (cta->cluster->watched && !cta->cluster->watch->patterns))
        return 0;
    for (uint32_t lane, left = ~set & ~((1u << w->first) - 1); window_next(&left, &lane);) {
        const struct emu_thread *t = &w->lanes[lane];
        if (t->state != EMU_EXITED && (!t->barrier_generation || !waits_at(t, number)))
            return 0;
    }
    if (!set)
        return 0;
    b = cta->barriers ? &cta->barriers[number] : NULL;
    if (b && ((b->arrived && (b->expected || b->reduces)) || b->warps[w->lanes->warp].lanes & set))
        return 0;
    return (b ? b->arrived : 0) + emu_lanes_count(set) <= cta->live ? set : 0;
}

bool window_comes(struct window *w, const struct emu_op *op, uint32_t on)
{
    const struct emu_cta *cta = w->lanes->cta;
    const uint32_t set = on ? coming(w, op, on) : 0;
    uint32_t arrived;

    if (!set)
        return false;
    if (!stop(w))
        return true;
    arrived = cta->barriers ? cta->barriers[w->r[op->a + (uint32_t)__builtin_ctz(set)]].arrived : 0;
    w->none_left = arrived + emu_lanes_count(set) < cta->live;
    w->came = w->none_left ? set : set & ~(1u << (31 - __builtin_clz(set)));
    for (uint32_t lane, left = w->finder ? w->came : 0; window_next(&left, &lane);)
        emu_finder_before(&w->lanes[lane], op);
    if (w->came)
        op->whole(w->lanes, w->came, op);
    return true;
}

/* The last one's turn in which it does so ends too: machine/meeting.h. */
bool window_meets(struct window *w, const struct emu_op *op)
{
    const struct emu_cluster *c = w->lanes->cta->cluster;
    struct emu_thread *last = &w->lanes[EMU_WARP - 1];
    struct emu_run *run = emu_run_of(last);
    uint64_t acts;

    if (w->all != UINT32_MAX || w->probed || (c->watched && !c->watch->patterns))
        return false;
    if (!stop(w))
        return true;
    w->none_left = true;
    w->came = UINT32_MAX;
    acts = emu_acts(run, last);
    run->meets = true;
    op->whole(w->lanes, w->came, op);
    for (struct emu_thread *t = w->lanes; op->calm && t <= last; t++)
        t->pc = op + 1;
    run->meets = false;
    if (last->state == EMU_BLOCKED) /* and so are all */
        return true;
    run->met = run->moved = true;
    last->hashed = false;
    if (emu_acts(run, last) != acts) {
        emu_around_acted(last);
        last->quiet_since = last->steps + 1;
        w->effects |= 1u << last->lane;
    }
    return true;
}

/* ---- exits ------------------------------------------------------------------------------------------------------- */

static bool nobody_waits(const struct emu_cta *cta)
{
    uint32_t arrived = 0;

    for (unsigned i = 0; cta->barriers && i < EMU_BARRIERS; i++)
        arrived |= cta->barriers[i].arrived;
    return !arrived && !cta->cluster->barrier;
}

bool window_leaves(struct window *w, const struct emu_op *op, uint32_t set)
{
    const struct emu_cta *cta = w->lanes->cta;

    if (!op->whole || w->block->depth || w->probed || !nobody_waits(cta))
        return false;
    for (uint32_t lane, left = ~set; window_next(&left, &lane);)
        if (w->lanes[lane].state != EMU_EXITED)
            return false;
    if (!stop(w))
        return true;
    op->whole(w->lanes, set, op);
    w->came = set;
    w->none_left = true;
    emu_run_of(w->lanes)->moved = true;
    return true;
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

bool window_ask_again(struct window *w)
{
    struct emu_cluster *c = w->lanes->cta->cluster;
    const uint32_t n = emu_lanes_count(w->asking);

    if (emu_idle_next_probe(c) != UINT64_MAX)
        return !n;
    for (uint32_t lane, left = w->asking; window_next(&left, &lane);) {
        struct emu_thread *t = &w->lanes[lane];
        t->still += emu_around_until(t) > t->steps && emu_around_ready(t);
        t->steps++;
        t->state = EMU_BLOCKED;
    }
    c->run->instructions += n;
    return true;
}

void window_end_turns(struct window *w)
{
    struct emu_run *run = emu_run_of(w->lanes);
    const uint32_t first = (uint32_t)__builtin_ctz(w->came);
    const uint64_t *began = w->began + first;
    uint64_t acts = emu_acts_counted(run), all = 0, most = 0;
    uint32_t left;

    emu_idle_passes(w->lanes->cta->cluster, emu_lanes_count(w->came));
    for (uint32_t lane, of = w->came & w->watched; window_next(&of, &lane);)
        w->lanes[lane].still++;
    left = w->came >> first;
    for (struct emu_thread *t = w->lanes + first; left; t++, began++, left >>= 1) {
        if (!(left & 1))
            continue;
        const uint64_t steps = ++t->steps - *began;
        if (steps > 1)
            t->hashed = false;
        most = steps > most ? steps : most;
        all += steps;
    }
    for (uint32_t lane, of = w->came & w->effects; window_next(&of, &lane);) {
        struct emu_thread *t = &w->lanes[lane];
        if (t->ahead_acts)
            emu_around_acted(t);
        if (emu_acts(run, t) != acts)
            t->quiet_since = t->steps;
        acts = emu_acts_counted(run);
    }
    run->moved |= most > 1;
    run->instructions += all;
}

bool window_turn_again(struct window *w)
{
    struct emu_run *run = emu_run_of(w->lanes);
    const uint64_t steps = w->lanes->steps + 1 - w->began[0]; /* of each lane's turn */

    if (!run->met || !w->came || !w->alike || w->effects || run->again == EMU_AGAIN ||
        emu_idle_next_probe(w->lanes->cta->cluster) != UINT64_MAX)
        return false;
    run->again++;
    run->met = false;
    emu_idle_passes(w->lanes->cta->cluster, EMU_WARP);
    run->instructions += steps * EMU_WARP;
    for (uint32_t lane, left = w->watched; window_next(&left, &lane);)
        w->lanes[lane].still++;
    uint64_t *began = w->began;
    for (struct emu_thread *t = w->lanes; t < w->lanes + EMU_WARP; t++) {
        t->hashed = false;
        *began++ = ++t->steps;
    }
    w->came = 0;
    w->none_left = false;
    w->passing = 0;
    w->fresh = w->running = WINDOW_ALL;
    window_plan_alike(w, WINDOW_ALL, true);
    return w->running == WINDOW_ALL;
}

void window_meet_calmly(struct window *w)
{
    struct emu_run *run = emu_run_of(w->lanes);
    const struct emu_op *op = w->lanes->pc;
    uint64_t most = w->plan.limit - w->lanes->steps, n = 0;

    most = most < EMU_AGAIN - run->again ? most : EMU_AGAIN - run->again;
    for (; n < most && op->together == EMU_MEETING && op->calm && op->guard == EMU_NO; op++, n++)
        op->whole(w->lanes, WINDOW_ALL, op);
    if (!n)
        return;
    run->again += (unsigned)n;
    run->instructions += n * EMU_WARP;
    uint64_t *began = w->began;
    for (struct emu_thread *t = w->lanes; t < w->lanes + EMU_WARP; t++) {
        t->pc = op;
        *began++ = t->steps += n;
    }
    for (uint32_t lane, left = w->watched; window_next(&left, &lane);)
        w->lanes[lane].still += n;
    window_plan_alike(w, WINDOW_ALL, true);
}
// SPDX-License-Identifier: Apache-2.0
