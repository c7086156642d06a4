/* The lanes of a warp together.
 *
 * Threads take their turns one behind the other. What a thread does at the beginning of its turn with its own registers
 * alone nobody else can see, and nobody else has a part in it. So all lanes of a warp do that together before the first
 * of their turns, instruction by instruction for all of them that are at the same place; in its own turn each goes on
 * where it is then. The lanes that are furthest behind in the program come first, so that they meet again.
 *
 * A lane stops here before an instruction of another kind (EMU_APART), at the end of its turn, and where it rests. */
#include "harness/emu/schedule/window.h"

#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/reach.h"
#include "harness/emu/schedule/around.h"
#include "harness/emu/schedule/idle.h"

/* Fewer lanes than this take their turns one by one. */
enum { FEW = 2 };

#define ALL UINT32_MAX

/* What a thread does next follows from the first three. */
struct plan {
    uint64_t steps, quiet_since, rested;
    uint64_t limit; /* 0: not known */
    bool watched;
};

struct window {
    struct emu_thread *lanes;
    uint64_t *r; /* the slots of their function */
    const struct emu_op *code, *end_of_code;
    uint64_t end[EMU_WARP];    /* of each lane, its steps at the end of its turn; */
    uint64_t limit[EMU_WARP];  /* and up to which it is watched now, or is not */
    uint32_t running, watched; /* lanes that go on; that are watched: around.h */
    struct plan plan;          /* the last */
    struct emu_reach back;     /* of the jumps back of a group: to the first op, from the last one; NULL: none */
    uint32_t set;              /* that `on` is of */
    uint64_t on[EMU_WARP];
};

/* Takes the first lane out of a set; false: it is empty. */
static inline bool next_of(uint32_t *set, uint32_t *lane)
{
    if (!*set)
        return false;
    *lane = (uint32_t)__builtin_ctz(*set);
    *set &= *set - 1;
    return true;
}

/* ---- where a lane stops ------------------------------------------------------------------------------------------ */

/* The lane has come to a limit, or begins: up to where it goes on, and whether it is watched. Mostly it is as with the
 * lane before. */
static void plan(struct window *w, uint32_t lane)
{
    struct emu_thread *t = &w->lanes[lane];
    struct plan *p = &w->plan;
    const uint64_t rested = t->around ? t->around->rested : 0, end = w->end[lane];

    if (t->steps >= end) {
        w->running &= ~(1u << lane);
        return;
    }
    if (p->steps != t->steps || p->quiet_since != t->quiet_since || p->rested != rested || !p->limit) {
        const uint64_t until = emu_around_until(t);
        *p = (struct plan){ t->steps, t->quiet_since, rested, .watched = until > t->steps };
        p->limit = p->watched ? until : emu_around_from(t);
    }
    w->limit[lane] = p->limit < end ? p->limit : end;
    w->watched = (w->watched & ~(1u << lane)) | (uint32_t)p->watched << lane;
    if (p->watched && !emu_around_ready(t))
        w->running &= ~(1u << lane);
}

/* Lanes of a group have executed so many instructions and are at an op now. */
static void settle(struct window *w, uint32_t group, const struct emu_op *at, uint64_t steps)
{
    for (uint32_t lane, left = group; next_of(&left, &lane);) {
        struct emu_thread *t = &w->lanes[lane];
        t->pc = at;
        t->steps += steps;
        t->still += w->watched >> lane & 1 ? steps : 0;
        if (w->back.low)
            emu_reach_back(t, w->back.low, w->back.high);
        if (t->steps == w->limit[lane])
            plan(w, lane);
    }
}

/* Lanes of a group have jumped back: those that are watched may rest now. */
static void look_back(struct window *w, uint32_t group)
{
    for (uint32_t lane, left = group; next_of(&left, &lane);) {
        emu_around_back(&w->lanes[lane]);
        if (w->lanes[lane].polled)
            w->running &= ~(1u << lane);
    }
}

/* ---- one instruction --------------------------------------------------------------------------------------------- */

/* A set of lanes as their handlers take it, until the next call. */
static const uint64_t *on_of(struct window *w, uint32_t set)
{
    if (set == ALL)
        return NULL;
    if (w->set != set)
        for (uint32_t lane = 0; lane < EMU_WARP; lane++)
            w->on[lane] = set >> lane & 1;
    w->set = set;
    return w->on;
}

static void execute(struct window *w, const struct emu_op *op, uint32_t set)
{
    if (op->lanes)
        op->lanes(w->r, op, on_of(w, set));
    else
        for (uint32_t lane, left = set; next_of(&left, &lane);)
            op->run(&w->lanes[lane], op);
}

/* Those lanes of a group for which an op's guard holds. */
static uint32_t guarded(const struct window *w, const struct emu_op *op, uint32_t group)
{
    if (op->guard == EMU_NO)
        return group;
    return (emu_lanes_true(w->r + op->guard) ^ (op->guard_not ? ALL : 0)) & group;
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
    if (op->together == EMU_BRANCH) {
        const struct emu_op *target = jump(w, op);
        const uint32_t watched = target <= op ? on & w->watched : 0;
        settle(w, on, target, steps + 1);
        look_back(w, watched);
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

    for (; op < end && op->lanes && op->guard == EMU_NO; op++)
        op->lanes(r, op, on);
    return op;
}

/* Executes at most so many instructions of a group, as long as it stays together before an op where others are. */
static void advance(struct window *w, uint32_t group, const struct emu_op *op, const struct emu_op *others,
                    uint64_t most)
{
    uint64_t steps = 0;

    w->back = (struct emu_reach){ NULL, NULL };
    while (steps < most && op < others) {
        const bool pure = op->together == EMU_PURE;
        uint32_t on;
        if (op->lanes && op->guard == EMU_NO) {
            const struct emu_op *next =
                straight(w, group, op, most - steps < (uint64_t)(others - op) ? op + (most - steps) : others);
            steps += (uint64_t)(next - op);
            op = next;
            continue;
        }
        on = guarded(w, op, group);
        if (!pure && on && (on != group || op->together == EMU_APART || (w->watched & group))) {
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

    for (uint32_t lane, left = w->running; next_of(&left, &lane);) {
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

/* Those lanes that have a turn, and of which nobody asks about each instruction, with the frame of the first. */
static uint32_t lanes_of(struct emu_thread *lanes)
{
    const uint64_t probe = emu_idle_next_probe(lanes->cta->cluster);
    const struct emu_block *block = NULL;
    uint32_t set = 0, turns = 0;

    for (uint32_t lane = 0; lane < EMU_WARP; lane++) {
        const struct emu_thread *t = &lanes[lane];
        if (probe != UINT64_MAX && t->state == EMU_BLOCKED && t->wait == EMU_WAIT_WARP)
            return 0; /* it may have a turn by then, or not: which turns are probed is not known */
        if (t->state != EMU_READY || t->polled || turns++ == probe)
            continue;
        block = block ? block : t->frame->block;
        set |= (uint32_t)(t->frame->block == block) << lane;
    }
    return set;
}

void emu_window(struct emu_thread *lanes, uint64_t length)
{
    struct window w = { .lanes = lanes };
    const struct emu_op *at, *others;
    struct emu_block *block;
    uint64_t most = 0;
    uint32_t set, group;

    for (uint32_t lane = 0; lane < EMU_WARP; lane++)
        if (lanes[lane].state == EMU_READY && !lanes[lane].polled) {
            if (lanes[lane].pc->together == EMU_APART && lanes[lane].pc->guard == EMU_NO)
                return;
            break;
        }
    set = w.running = lanes_of(lanes);
    if (__builtin_popcount(set) < FEW)
        return;
    block = lanes[__builtin_ctz(set)].frame->block;
    w.r = block->r;
    w.code = block->code->ops;
    w.end_of_code = w.code + block->code->function->n_instructions + 1;
    for (uint32_t lane, left = set; next_of(&left, &lane);) {
        lanes[lane].ahead = lanes[lane].steps;
        w.end[lane] = lanes[lane].steps + length;
        plan(&w, lane);
    }
    while ((group = behind(&w, &at, &others, &most)) != 0)
        advance(&w, group, at, others, most);
    for (uint32_t lane, left = set; next_of(&left, &lane);)
        lanes[lane].ahead = lanes[lane].steps - lanes[lane].ahead;
}
