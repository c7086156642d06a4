/* Warp-wide operations: votes, shuffles, matches, reductions, barriers of a warp. */
#include "expected/random.h"
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/meeting.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

static uint64_t value_of(const struct emu_meeting *m, uint32_t lane)
{
    return m->lane[lane]->offer->value;
}

/* A member's result, where its own instruction, which need not be that of others, has it. */
static void give(const struct emu_meeting *m, uint32_t lane, uint64_t value)
{
    const uint32_t slot = m->lane[lane]->offer->op->d;

    if (slot != EMU_NO)
        m->lane[lane]->r[slot] = value;
}

/* Its second result, a predicate. */
static void give_predicate(const struct emu_meeting *m, uint32_t lane, bool value)
{
    const uint32_t slot = m->lane[lane]->offer->op->warp.predicate;

    if (slot != EMU_NO)
        m->lane[lane]->r[slot] = value;
}

/* Gives all members the same value. */
static void give_all(const struct emu_meeting *m, uint64_t value)
{
    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (m->lane[i])
            give(m, i, value);
}

/* Lists the members without gaps; returns how many there are. */
static uint32_t members_of(const struct emu_meeting *m, struct emu_thread *out[EMU_WARP])
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < EMU_WARP; i++) {
        if (!m->lane[i])
            continue;
        out[n] = m->lane[i];
        n++;
    }
    return n;
}

/* The members that brought this value, as a mask. */
static uint32_t who_brought(const struct emu_meeting *m, uint64_t value)
{
    uint32_t mask = 0;

    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (m->lane[i] && value_of(m, i) == value)
            mask |= 1u << i;
    return mask;
}

/* ---- operations ------------------------------------------------------------------------------------------------ */

enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

static void vote(struct emu_thread *t, const struct emu_op *op)
{
    const bool mine = (t->r[op->a] != 0) != op->warp.negated;
    struct emu_meeting m;
    uint32_t ballot, out;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->b], mine, 0, &m))
        return;
    ballot = who_brought(&m, true);
    switch (op->warp.kind) {
    case VOTE_ALL: out = ballot == m.mask; break;
    case VOTE_ANY: out = ballot != 0; break;
    case VOTE_UNI: out = ballot == 0 || ballot == m.mask; break;
    default: out = ballot; break;
    }
    give_all(&m, out);
    emu_warp_release(t, &m);
}

enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

/* The lane whose value a lane gets, and whether that lane is in range; the lane itself where it is not. PTX ISA,
 * shfl.sync: c holds the clamp in bits 4:0 and the segment mask in bits 12:8. */
static uint32_t source_lane(unsigned kind, uint32_t lane, uint32_t b, uint32_t c, bool *in_range)
{
    const uint32_t clamp = c & 31, segment = c >> 8 & 31;
    const uint32_t top = (lane & segment) | (clamp & ~segment), bottom = lane & segment;
    uint32_t from;

    switch (kind) {
    case SHFL_UP: from = lane - b; break;
    case SHFL_DOWN: from = lane + b; break;
    case SHFL_BFLY: from = lane ^ b; break;
    default: from = bottom | (b & ~segment); break;
    }
    *in_range = kind == SHFL_UP ? (int32_t)from >= (int32_t)top : from <= top;
    return *in_range ? from & 31 : lane;
}

/* Nobody has sent what all lanes get that name a lane: at the first of them, of which the source is `from`. */
static void nobody_sends(struct emu_thread *t, uint32_t from)
{
    emu_complain(
        t, &rule_warp_source, NULL, 0, 0,
        "the value of lane %u, which does not execute the instruction: no lane gets a value that another sends", from);
}

static void shfl(struct emu_thread *t, const struct emu_op *op)
{
    uint32_t absent = EMU_WARP; /* a lane that is named and is not there */
    struct emu_meeting m;
    bool sent = false;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->warp.mask], t->r[op->a], t->r[op->b] | t->r[op->c] << 32, &m))
        return;
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        uint32_t from, b, c;
        bool in_range;
        if (!m.lane[i])
            continue;
        b = (uint32_t)m.lane[i]->offer->extra & 31;
        c = (uint32_t)(m.lane[i]->offer->extra >> 32);
        from = source_lane(op->warp.kind, i, b, c, &in_range);
        sent |= m.lane[from] != NULL;
        absent = m.lane[from] ? absent : from;
        give(&m, i, value_of(&m, m.lane[from] ? from : i));
        give_predicate(&m, i, in_range);
    }
    if (!sent && absent < EMU_WARP && op->warp.kind == SHFL_IDX)
        nobody_sends(t, absent);
    emu_warp_release(t, &m);
}

static void match(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);
    struct emu_thread *met[EMU_WARP];
    struct emu_meeting m;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->b], emu_low(t->r[op->a], op->size), 0, &m))
        return;
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        uint32_t same;
        if (!m.lane[i])
            continue;
        same = who_brought(&m, value_of(&m, i));
        give(&m, i, op->warp.all && same != m.mask ? 0 : same);
        give_predicate(&m, i, same == m.mask);
    }
    if (watch)
        watch->converge(met, members_of(&m, met));
    emu_warp_release(t, &m);
}

static uint32_t reduced(const struct emu_op *op, uint32_t a, uint32_t b)
{
    switch (op->warp.kind) {
    case PTX_add: return a + b;
    case PTX_and: return a & b;
    case PTX_or: return a | b;
    case PTX_xor: return a ^ b;
    case PTX_min: return (op->warp.is_signed ? (int32_t)b < (int32_t)a : b < a) ? b : a;
    default: return (op->warp.is_signed ? (int32_t)b > (int32_t)a : b > a) ? b : a;
    }
}

static void redux(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_meeting m;
    uint32_t out = 0;
    bool first = true;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->b], t->r[op->a], 0, &m))
        return;
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        if (!m.lane[i])
            continue;
        out = first ? (uint32_t)value_of(&m, i) : reduced(op, out, (uint32_t)value_of(&m, i));
        first = false;
    }
    give_all(&m, out);
    emu_warp_release(t, &m);
}

/* Which of the members is the leader: the lowest, as in every implementation so far, or as the schedule says, since the
 * ISA leaves it open. It is the same for the same member mask throughout a launch. PTX ISA, elect.sync. */
static uint32_t leader_of(const struct emu_grid *g, uint32_t mask, uint32_t members)
{
    const struct emu_options *o = &g->machine->options;
    uint32_t others;

    if (o->turns == EMU_TURNS_REVERSED)
        return EMU_WARP - 1 - (uint32_t)__builtin_clz(members);
    if (o->turns != EMU_TURNS_RANDOM)
        return (uint32_t)__builtin_ctz(members);
    others = (uint32_t)(splitmix64((o->seed + g->number) ^ splitmix64(mask)) % (unsigned)__builtin_popcount(members));
    for (; others; others--)
        members &= members - 1;
    return (uint32_t)__builtin_ctz(members);
}

static void elect(struct emu_thread *t, const struct emu_op *op)
{
    const uint32_t mask = (uint32_t)t->r[op->a];
    struct emu_meeting m;
    uint32_t leader;

    if (!emu_warp_meet(t, op, mask, 0, 0, &m))
        return;
    leader = leader_of(t->cta->cluster->grid, mask, m.mask);
    give_all(&m, leader);
    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (m.lane[i])
            give_predicate(&m, i, i == leader);
    emu_warp_release(t, &m);
}

static void warp_sync(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);
    struct emu_thread *met[EMU_WARP];
    struct emu_meeting m;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->a], 0, 0, &m))
        return;
    if (watch)
        watch->meet(met, members_of(&m, met));
    emu_warp_release(t, &m);
}

enum { PATIENCE = 64 };

/* Whether a thread of the warp may still come to the instruction: it can go on, and has not come. */
static bool more_may_come(const struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_thread *warp = &t->cta->threads[t->index - t->lane];

    for (uint32_t i = 0; i < EMU_WARP; i++) {
        const struct emu_thread *o = &warp[i];
        const bool there = o == t || (o->offer && o->offer->op == op);
        if (!there && o->state == EMU_READY && !o->polled)
            return true;
    }
    return false;
}

/* The threads that are at the instruction together: those that arrive at it within one round of turns; the first of
 * them waits a round for the others, or, where turns are random and may be short, up to PATIENCE rounds. The ISA leaves
 * open which threads converge. Code goes on from here with a match or a shuffle of the mask, so no thread that goes
 * another way may be in it. */
static void activemask(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_thread *warp = &t->cta->threads[t->index - t->lane];
    struct emu_offer *mine = emu_warp_offer(t);
    struct emu_meeting m = { .mask = 0 };
    const bool random = emu_turns_random(emu_machine_of(t)->options.turns);

    if (mine->op != op)
        *mine = (struct emu_offer){ .op = op };
    if (!mine->value || (random && mine->value < PATIENCE && more_may_come(t, op))) {
        mine->value++; /* rounds */
        emu_block(t, EMU_WAIT_NONE, 0, 0);
        emu_wake(t->cta->cluster);
        return;
    }
    for (uint32_t i = 0; i < EMU_WARP && t->index - t->lane + i < t->cta->thread_count; i++) {
        struct emu_thread *o = &warp[i];
        struct emu_offer *theirs = o->offer;
        if (o->state == EMU_EXITED || !theirs || theirs->op != op || (o != t && o->pc != t->pc - 1))
            continue;
        m.lane[i] = o;
        m.mask |= 1u << i;
    }
    give_all(&m, m.mask);
    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (m.lane[i])
            m.lane[i]->offer->op = NULL;
    emu_warp_release(t, &m);
}

/* ---- decoding -------------------------------------------------------------------------------------------------- */

/* Lanes at instructions of one operation with the same qualifiers meet, wherever these are. Operands are no qualifiers:
 * not the `!` of a vote's predicate, nor whether shfl has a second result. */
enum { MEETS_VOTE = 1, MEETS_SHFL = 8, MEETS_MATCH = 16, MEETS_ELECT = 20, MEETS_BARRIER, MEETS_REDUX };

/* The second register of a result pair "d|p". */
static void keep_predicate(const struct ptx_operand *o, struct emu_op *op)
{
    op->warp.predicate = o->kind == PO_pair && o->second != PTX_NO ? emu_register_slot(o->second) : EMU_NO;
    emu_settle_later(&op->warp.predicate);
}

/* The number of such instructions, 0 for one that is met at its place alone. Those without .sync are carried out by the
 * lanes that are there, which a vote of PTX before 6.0 takes for all. */
static uint8_t meets_at(const struct ptx_module *m, const struct ptx_instruction *i, const struct emu_op *op)
{
    static const uint16_t sums[] = { PTX_add, PTX_and, PTX_or, PTX_xor, PTX_min, PTX_max };
    unsigned number = 0;

    if (!ptx_has(m, i, PTX_sync))
        return 0;
    switch (i->op) {
    case OP_vote: return (uint8_t)(MEETS_VOTE + op->warp.kind);
    case OP_shfl: return (uint8_t)(MEETS_SHFL + op->warp.kind);
    case OP_match: return (uint8_t)(MEETS_MATCH + 2 * op->warp.all + (op->size == 8));
    case OP_elect: return MEETS_ELECT;
    case OP_bar:
    case OP_barrier: return MEETS_BARRIER;
    case OP_redux:
        while (number < sizeof sums / sizeof *sums - 1 && sums[number] != op->warp.kind)
            number++;
        return (uint8_t)(MEETS_REDUX + 3 * number + (i->type[0] == PTX_s32 ? 1 : i->type[0] == PTX_b32 ? 2 : 0));
    default: return 0;
    }
}

static emu_handler *decode(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *d = i->n_operands ? ptx_operand(m, i, 0) : NULL;

    if (!d)
        return NULL;
    switch (i->op) {
    case OP_vote:
        op->warp.kind = ptx_has(m, i, PTX_all)   ? VOTE_ALL
                        : ptx_has(m, i, PTX_any) ? VOTE_ANY
                        : ptx_has(m, i, PTX_uni) ? VOTE_UNI
                                                 : VOTE_BALLOT;
        op->warp.negated = (ptx_operand(m, i, 1)->flags & PF_NOT) != 0;
        op->b = i->n_operands < 3 ? emu_constant(0xffffffffu) : emu_slot(ptx_operand(m, i, 2), PTX_b32);
        return vote;
    case OP_shfl:
        op->warp.kind = ptx_has(m, i, PTX_up)     ? SHFL_UP
                        : ptx_has(m, i, PTX_down) ? SHFL_DOWN
                        : ptx_has(m, i, PTX_bfly) ? SHFL_BFLY
                                                  : SHFL_IDX;
        keep_predicate(d, op);
        op->warp.mask = i->n_operands > 4 ? emu_slot(ptx_operand(m, i, 4), PTX_b32) : emu_constant(0xffffffffu);
        emu_settle_later(&op->warp.mask);
        op->b = emu_slot(ptx_operand(m, i, 2), PTX_b32);
        op->c = emu_slot(ptx_operand(m, i, 3), PTX_b32);
        return shfl;
    case OP_match:
        op->warp.all = ptx_has(m, i, PTX_all);
        keep_predicate(d, op);
        op->b = emu_slot(ptx_operand(m, i, 2), PTX_b32);
        return match;
    case OP_redux:
        if (i->type[0] != PTX_u32 && i->type[0] != PTX_s32 && i->type[0] != PTX_b32)
            return NULL;
        op->warp.kind = ptx_has(m, i, PTX_add)   ? PTX_add
                        : ptx_has(m, i, PTX_and) ? PTX_and
                        : ptx_has(m, i, PTX_or)  ? PTX_or
                        : ptx_has(m, i, PTX_xor) ? PTX_xor
                        : ptx_has(m, i, PTX_min) ? PTX_min
                                                 : PTX_max;
        op->warp.is_signed = i->type[0] == PTX_s32;
        return redux;
    case OP_elect:
        keep_predicate(d, op);
        op->d = d->kind == PO_pair && d->reg == PTX_NO ? EMU_NO : op->d;
        op->a = emu_slot(ptx_operand(m, i, 1), PTX_b32);
        return elect;
    case OP_bar:
    case OP_barrier:
        if (!ptx_has(m, i, PTX_warp))
            return NULL;
        op->a = emu_slot(ptx_operand(m, i, 0), PTX_b32);
        return warp_sync;
    case OP_activemask: return activemask;
    default: return NULL;
    }
}

emu_handler *emu_decode_warp(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    emu_handler *run = decode(m, i, op);

    if (run)
        op->meets = meets_at(m, i, op);
    return run;
}
// SPDX-License-Identifier: Apache-2.0
