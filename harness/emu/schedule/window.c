/* The lanes of a warp together.
 *
 * Threads take their turns one behind the other. What a thread does at the beginning of its turn with its own registers
 * alone nobody else can see, and nobody else has a part in it. So all lanes of a warp do that together before the first
 * of their turns, instruction by instruction for all of them that are at the same place; in its own turn each goes on
 * where it is then. The lanes that are furthest behind in the program come first, so that they meet again.
 *
 * A lane stops here before an instruction of another kind (EMU_APART), at the end of its turn, and where it rests.
 *
 * Common loads and stores are done too, on trial (tried.h): only at the end it is known whether the turns one behind
 * the other would have done the same. They would if no lane accesses what another one writes here, if what each lane
 * does in the rest of its turn changes nothing for those after it, and if a watcher finds nothing to report. Else all
 * is put back to the first such access, and each thread goes on from there in its own turn. */
#include "harness/emu/schedule/window.h"

#include <string.h>

#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/reach.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/schedule/around.h"
#include "harness/emu/schedule/finder.h"
#include "harness/emu/schedule/idle.h"
#include "harness/emu/schedule/tried.h"
#include "harness/emu/schedule/window_state.h"

/* ---- where a lane stops ------------------------------------------------------------------------------------------ */

/* Lanes of a group have executed so many instructions and are at an op now; without any they are where they were. */
static void settle(struct window *w, uint32_t group, const struct emu_op *at, uint64_t steps)
{
    const uint32_t first = (uint32_t)__builtin_ctz(group | 1u << 31);
    const uint64_t *limit = w->limit + first;
    uint32_t left;
    bool limits = false;

    if (!group || (!steps && !w->back.low))
        return;
    if (w->back.low)
        window_keep(w);
    left = group >> first;
    struct emu_thread *t = w->lanes + first;
    if (!(left & (left + 1))) /* lanes next to one another: mostly all */
        for (const uint64_t *end = limit + (32 - __builtin_clz(left)); limit < end; limit++, t++, left = 0) {
            t->pc = at;
            t->steps += steps;
            limits |= t->steps == *limit;
        }
    for (; left; t++, limit++, left >>= 1) {
        if (!(left & 1))
            continue;
        t->pc = at;
        t->steps += steps;
        limits |= t->steps == *limit;
    }
    for (uint32_t lane, of = group & w->watched; window_next(&of, &lane);)
        w->lanes[lane].still += steps;
    for (uint32_t lane, of = w->back.low ? group : 0; window_next(&of, &lane);)
        emu_reach_back(&w->lanes[lane], w->back.low, w->back.high);
    if (limits)
        window_plan_alike(w, group, false);
}

/* Lanes of a group have jumped back: those that are watched may rest now. */
static void look_back(struct window *w, uint32_t group)
{
    struct emu_keeping later;

    if (!group)
        return;
    later.count = 0;
    window_keep(w);
    for (uint32_t lane, left = group; window_next(&left, &lane);) {
        emu_around_back(&w->lanes[lane], &later);
        if (w->lanes[lane].polled)
            w->running &= ~(1u << lane);
    }
    emu_registers_kept(&later);
}

/* ---- one instruction --------------------------------------------------------------------------------------------- */

/* A set of lanes as their handlers take it, until the next call. */
static const uint64_t *on_of(struct window *w, uint32_t set)
{
    if (set == WINDOW_ALL)
        return NULL;
    if (w->set != set)
        for (uint32_t lane = 0; lane < EMU_WARP; lane++)
            w->on[lane] = set >> lane & 1;
    w->set = set;
    return w->on;
}

static void execute(struct window *w, const struct emu_op *op, uint32_t set)
{
    if (w->from)
        emu_tried_writes(w->tried, w->lanes, w->r, op);
    if (op->lanes)
        op->lanes(w->r, op, on_of(w, set));
    else if (op->whole)
        op->whole(w->lanes, set, op);
    else
        for (uint32_t lane, left = set; window_next(&left, &lane);)
            op->run(&w->lanes[lane], op);
}

/* An op that accesses lanes' own memory. False: each is to do so alone. */
static bool execute_private(struct window *w, const struct emu_op *op, uint32_t set)
{
    if (w->from)
        emu_tried_writes(w->tried, w->lanes, w->r, op);
    return op->private(w->lanes, set, op, w->from ? &w->tried->own : NULL);
}

/* Those lanes of a group for which an op's guard holds. */
static uint32_t guarded(const struct window *w, const struct emu_op *op, uint32_t group)
{
    if (op->guard == EMU_NO)
        return group;
    return (emu_lanes_true(w->r + op->guard) ^ (op->guard_not ? WINDOW_ALL : 0)) & group;
}

/* ---- a group of lanes that are at one place ---------------------------------------------------------------------- */

/* A group, or a part of it, jumps. */
static const struct emu_op *jump(struct window *w, const struct emu_op *op)
{
    const struct emu_op *target = w->code + op->branch.target;

    if (target <= op) {
        w->back.low = w->back.low && w->back.low < target ? w->back.low : target;
        w->back.high = w->back.high > op ? w->back.high : op;
    }
    return target;
}

/* What some lanes of a group do that the others do not, at an op: `on` stop there, or branch. */
static void part(struct window *w, uint32_t group, uint32_t on, const struct emu_op *op, uint64_t steps)
{
    w->alike = false;
    if (op->together == EMU_BRANCH) {
        const struct emu_op *target = jump(w, op);
        const uint32_t watched = target <= op ? on & w->watched : 0, acts = watched & w->acts;
        settle(w, on, target, steps + 1);
        for (uint32_t lane, left = acts; window_next(&left, &lane);)
            window_look_at_acts(w, &w->lanes[lane]);
        look_back(w, watched & ~acts);
    } else {
        w->running &= ~on;
        settle(w, on, op, steps);
    }
    settle(w, group & ~on, op + 1, steps + 1);
}

/* Executes ops that all lanes of a group have handlers for, up to one that is another; where it is. */
static const struct emu_op *straight(struct window *w, uint32_t group, const struct emu_op *op,
                                     const struct emu_op *end)
{
    const uint64_t *on = on_of(w, group);
    uint64_t *r = w->r;

    if (w->from)
        for (; op < end && op->lanes && op->guard == EMU_NO; op++) {
            emu_tried_writes(w->tried, w->lanes, r, op);
            op->lanes(r, op, on);
        }
    else
        for (; op < end && op->lanes && op->guard == EMU_NO; op++)
            op->lanes(r, op, on);
    return op;
}

/* From this op on what lanes do can be put back; or else they stop there. */
static void begin(struct window *w, uint32_t group, const struct emu_op *op)
{
    if (w->tried && emu_tried_dares(w->tried, op) && emu_tried_begin(w->tried, w->lanes, w->all, w->block))
        w->from = op;
    else
        w->running &= ~group;
}

static inline bool is_access(const struct window *w, const struct emu_op *op)
{
    return op->together == EMU_LOAD || op->together == EMU_STORE || (op->together == EMU_FETCH && w->any_order);
}

static inline void access_by(struct window *w, const struct emu_op *op, uint32_t set, const uint64_t *on)
{
    const bool first = !w->tried->n && !w->tried->scatter;

    if (emu_tried_access(w->tried, w->lanes, w->r, op, set, on)) {
        w->acts |= w->tried->changed;
        return;
    }
    w->failed = true;
    w->cut = w->in_step && !first ? op : NULL;
}

/* Whether a new trial is to begin at an access. */
static inline bool cuts(const struct window *w, const struct emu_op *op)
{
    return w->in_step && w->from && emu_tried_cuts(w->tried, op);
}

/* Lanes execute a load or a store together, those for which its guard holds. */
static inline void access_memory(struct window *w, const struct emu_op *op, uint32_t on)
{
    if (on && w->tried)
        access_by(w, op, on, on_of(w, on));
}

/* A group does so by an op, and by those behind it that are loads and stores of all of the group, up to `end`: where
 * the next one is, or the one that failed. */
static const struct emu_op *accesses(struct window *w, uint32_t group, const struct emu_op *op,
                                     const struct emu_op *end)
{
    access_memory(w, op, guarded(w, op, group));
    if (w->failed)
        return op;
    op++;
    if (w->finder)
        return op;
    const uint64_t *on = on_of(w, group);
    for (; op < end && is_access(w, op) && op->guard == EMU_NO && !cuts(w, op); op++) {
        access_by(w, op, group, on);
        if (w->failed)
            return op;
    }
    return op;
}

/* Lanes go on behind a barrier. */
static void go_through(struct window *w, const struct emu_op *op, uint32_t set)
{
    if (w->finder)
        emu_finder_passes(w->lanes, set, op);
    op->whole(w->lanes, set, op);
    w->passing &= ~set;
    w->fresh |= set;
}

/* A group is at a barrier. Whether it goes on behind it as a whole; else all is settled. */
static bool pass(struct window *w, uint32_t group, const struct emu_op *op, uint64_t steps)
{
    const uint32_t on = guarded(w, op, group);
    uint32_t through = window_passing(w, op, on);

    if (through == group) {
        go_through(w, op, through);
        return true;
    }
    w->alike = false;
    settle(w, group, op, steps);
    group &= w->running;
    if (!through && window_comes(w, op, on & group))
        return false;
    through &= group;
    w->running &= ~(on & ~through);
    if (through)
        go_through(w, op, through);
    settle(w, (group & ~on) | through, op + 1, 1);
    return false;
}

/* A group has come to the end of its program, or to the end of what it does here. */
static void end_here(struct window *w, uint32_t group, const struct emu_op *op, uint64_t steps)
{
    settle(w, group, op, steps);
    if ((group & ~w->running) || !window_leaves(w, op, group))
        w->running &= ~group;
}

/* Where at most so many ops end that lie before others. */
static inline const struct emu_op *end_of(const struct emu_op *op, const struct emu_op *others, uint64_t most)
{
    return most < (uint64_t)(others - op) ? op + most : others;
}

/* Executes at most so many instructions of a group, as long as it stays together before an op where others are. */
static void advance(struct window *w, uint32_t group, const struct emu_op *op, const struct emu_op *others,
                    uint64_t most)
{
    uint64_t steps = 0;

    w->back = (struct emu_reach){ NULL, NULL };
    while (steps < most && op < others) {
        uint32_t on;
        bool pure;
        if (op->lanes && op->guard == EMU_NO) {
            const struct emu_op *next = straight(w, group, op, end_of(op, others, most - steps));
            steps += (uint64_t)(next - op);
            op = next;
            continue;
        }
        if (is_access(w, op) && !(w->finder && op->sync)) {
            if (cuts(w, op)) {
                settle(w, group, op, steps);
                window_end_trial(w);
                return;
            }
            if (!w->from) {
                settle(w, group, op, steps);
                begin(w, group & w->running, op);
                return;
            }
            const struct emu_op *next = accesses(w, group, op, end_of(op, others, most - steps));
            steps += (uint64_t)(next - op);
            op = next;
            if (w->failed)
                break;
            continue;
        }
        on = guarded(w, op, group);
        if (op->together == EMU_BARRIER) {
            if (!pass(w, group, op, steps))
                return;
            op++;
            steps++;
            continue;
        }
        if (w->finder && op->sync && on) {
            part(w, group, on, op, steps);
            return;
        }
        if (op->together == EMU_PRIVATE && on && execute_private(w, op, on)) {
            op++;
            steps++;
            continue;
        }
        pure = op->together == EMU_PURE || (op->together == EMU_FRAME && !w->from);
        if (op->together == EMU_MEETING && on == WINDOW_ALL) {
            settle(w, group, op, steps);
            if (w->running != WINDOW_ALL || !window_meets(w, op))
                w->running = 0;
            else if (window_turn_again(w))
                window_meet_calmly(w);
            return;
        }
        if (op->together == EMU_END && on == group) {
            end_here(w, group, op, steps);
            return;
        }
        if (!pure && on && (on != group || op->together != EMU_BRANCH || (w->watched & group))) {
            part(w, group, on, op, steps);
            return;
        }
        if (pure && on)
            execute(w, op, on);
        op = pure || !on ? op + 1 : jump(w, op);
        steps++;
    }
    settle(w, group, op, steps);
}

/* The lanes that are furthest behind; where the next ones are; how far all of them may go. */
static uint32_t behind(const struct window *w, const struct emu_op **at, const struct emu_op **others, uint64_t *most)
{
    const struct emu_op *first = NULL, *next = NULL;
    uint32_t group = 0;

    if (w->alike && w->running) {
        const uint32_t lane = (uint32_t)__builtin_ctz(w->running);
        *at = w->lanes[lane].pc;
        *others = w->end_of_code;
        *most = w->limit[lane] - w->lanes[lane].steps;
        return w->running;
    }
    for (uint32_t lane, left = w->running; window_next(&left, &lane);) {
        const struct emu_op *pc = w->lanes[lane].pc;
        const uint64_t rest = w->limit[lane] - w->lanes[lane].steps;
        if (!first || pc < first) {
            next = first;
            first = pc;
            group = 0;
            *most = rest;
        }
        if (pc == first) {
            group |= 1u << lane;
            *most = rest < *most ? rest : *most;
        } else if (!next || pc < next) {
            next = pc;
        }
    }
    *at = first;
    *others = next ? next : w->end_of_code;
    return group;
}

/* ---- a warp ------------------------------------------------------------------------------------------------------ */

/* Whether a lane has a turn. */
static inline bool has_turn(const struct emu_thread *t)
{
    return !t->rests;
}

/* It has come to a barrier that is not complete, and is about to ask again: nothing in the window changes that. */
static inline bool asks_again(const struct emu_thread *t)
{
    return t->barrier_generation && t->at_barrier;
}

/* Those lanes that have a turn, and of which nobody asks about each instruction, with the frame of the first. Those
 * that are about to ask again are none of them. */
static uint32_t lanes_of(struct window *w)
{
    const uint64_t probe = emu_idle_next_probe(w->lanes->cta->cluster);
    const struct emu_thread *t = w->lanes + w->first, *end = w->lanes + EMU_WARP;
    struct emu_block *block = NULL;
    uint32_t set = 0, turns = 0;

    w->asking = 0;
    for (; t < end; t++) {
        if (!has_turn(t)) {
            if (probe != UINT64_MAX && t->state == EMU_BLOCKED && t->wait == EMU_WAIT_WARP)
                return 0; /* it may have a turn by then, or not: which turns are probed is not known */
            continue;
        }
        if (t->ahead)
            return 0; /* it has been in a window of this turn */
        if (turns++ == probe) {
            w->probed = true;
            continue;
        }
        if (asks_again(t)) {
            w->asking |= 1u << t->lane;
            continue;
        }
        block = block ? block : t->frame->block;
        if (t->frame->block != block)
            continue;
        set |= 1u << t->lane;
        if (t->barrier_generation)
            w->passing |= 1u << t->lane;
    }
    w->block = block;
    w->fresh = set & ~w->passing;
    return set;
}

/* What lanes_of and window_plan_all find, in one go, where all lanes that have a turn are at one place and have been
 * without an effect for equally long; t is the first of them. False: they are not, and nothing has been found. */
static bool begin_alike(struct window *w, struct emu_thread *t)
{
    const struct emu_thread *const first = t;
    const uint64_t quiet = t->steps - t->quiet_since;
    const uint64_t *r = t->r;
    uint64_t *began = w->began + t->lane;
    uint64_t differs = 0, rest;
    uint32_t set = 0;

    if (emu_idle_next_probe(t->cta->cluster) != UINT64_MAX)
        return false;
    const struct emu_thread *const end = emu_warp_end(w->lanes);
    for (uint32_t bit = 1u << t->lane; t < end; t++, r++, began++, bit <<= 1) {
        if (!has_turn(t))
            continue;
        if (t->barrier_generation) {
            if (t->at_barrier) {
                w->asking |= bit;
                continue;
            }
            w->passing |= bit;
        }
        differs |= (uintptr_t)t->pc ^ (uintptr_t)first->pc;
        differs |= (uintptr_t)t->r ^ (uintptr_t)r;
        *began = t->steps;
        differs |= (*began - t->quiet_since) ^ quiet;
        differs |= t->ahead;
        if (t->around)
            differs |= t->around->rested;
        set |= bit;
    }
    w->fresh = set & ~w->passing;
    if (differs)
        return false;
    w->block = first->frame->block;
    w->all = w->running = set;
    window_plan(w, first->lane);
    rest = w->limit[first->lane] - first->steps;
    EMU_EACH_LANE
    {
        w->limit[lane] = w->began[lane] + rest;
    }
    w->watched = w->watched ? set : 0;
    window_watch(w, w->watched);
    w->alike = true;
    return true;
}

/* Whether the first lane that has a turn goes on by nothing that it can do here. */
static bool begins_apart(const struct emu_thread *t)
{
    if (t->pc->guard != EMU_NO)
        return false;
    return t->pc->together == EMU_APART || (t->pc->together == EMU_FETCH && !emu_tried_in_any_order(t->cta)) ||
           (t->cta->cluster->asked && t->pc->sync && t->pc->together != EMU_BARRIER) ||
           (t->pc->together == EMU_BARRIER && !t->barrier_generation);
}

/* Executes what the lanes of a warp would do first in turns of this length; those before the first have had theirs.
 * Whether all their turns have ended so: they block at a barrier. */
static bool run_window(struct window *w, struct emu_thread *t)
{
    struct emu_cluster *c = t->cta->cluster;
    const bool watched = c->watched || t->cta->watched;
    const struct emu_op *at, *others;
    uint64_t most = 0;
    uint32_t group;

    if (!begin_alike(w, t)) {
        w->passing = 0;
        w->all = w->running = lanes_of(w);
        if (w->all)
            window_plan_all(w);
    }
    if (!(w->all & (w->all - 1)))
        return false;
    w->r = w->block->r;
    w->code = w->block->code->ops;
    w->end_of_code = w->code + w->block->code->function->n_instructions + 1;
    w->finder = c->asked;
    w->in_step = c->grid->machine->options.in_step && !c->turns;
    w->any_order = emu_tried_in_any_order(t->cta);
    w->tried = !watched || c->watch->patterns ? emu_tried_of(c) : NULL;
    while (!w->failed && (group = behind(w, &at, &others, &most)) != 0)
        advance(w, group, at, others, most);
    if (w->from)
        window_end_trial(w);
    for (uint32_t lane, left = w->all & ~w->came; window_next(&left, &lane);)
        w->lanes[lane].ahead = w->lanes[lane].steps - w->began[lane];
    if (w->came)
        window_end_turns(w);
    return w->none_left;
}

bool emu_window_turns(struct emu_thread *t, uint64_t length)
{
    const struct emu_thread *const end = emu_warp_end(t - t->lane);
    struct window w;

    emu_run_of(t)->completed = false;
    memset(&w, 0, offsetof(struct window, began));
    w.lanes = t - t->lane;
    w.first = t->lane;
    w.length = length;
    for (; t < end && (!has_turn(t) || asks_again(t)); t++)
        w.asking |= (uint32_t)has_turn(t) << t->lane;
    if (t == end)
        return w.asking && window_ask_again(&w);
    if (begins_apart(t))
        return false;
    return run_window(&w, t) && window_ask_again(&w);
}
// SPDX-License-Identifier: Apache-2.0
