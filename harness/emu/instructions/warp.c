/* Warp-wide operations: a thread that comes to one waits until all members of its mask are at the same instruction;
 * the last to come carries it out for all. */
#include "harness/emu/instructions/warp.h"

#include <stdlib.h>

#include "harness/emu/instructions/decoders.h"
#include "harness/emu/machine/bytes.h"
#include "harness/emu/machine/machine.h"
#include "harness/emu/machine/thread.h"

/* What a thread brings to the operation that it waits at. */
struct offer {
    const struct emu_op *op;
    uint32_t mask;
    uint64_t value, extra;
};

static struct offer *offer_of(struct emu_thread *t)
{
    if (!t->offer && !(t->offer = calloc(1, sizeof(struct offer))))
        emu_bad_access(t, NULL, 0, 0, "out of memory for a warp operation");
    return t->offer;
}

bool emu_warp_meet(struct emu_thread *t, const struct emu_op *op, uint32_t mask, uint64_t value, uint64_t extra,
                   struct emu_meeting *m)
{
    struct emu_thread *warp = &t->cta->threads[t->index - t->lane];
    struct offer *mine = offer_of(t);

    if (!(mask >> t->lane & 1))
        emu_bad_access(t, &rule_warp_member, mask, 0, "the member mask 0x%08x lacks the lane that executes it, %u",
                       mask, t->lane);
    *mine = (struct offer){ op, mask, value, extra };
    *m = (struct emu_meeting){ .mask = mask };
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        struct emu_thread *o = &warp[i];
        const struct offer *theirs;
        if (!(mask >> i & 1))
            continue;
        if (o->index >= t->cta->thread_count || o->state == EMU_EXITED) {
            m->mask &= ~(1u << i);
            continue;
        }
        theirs = o->offer;
        if (o != t && (o->wait != EMU_WAIT_WARP || o->state != EMU_BLOCKED || !theirs || theirs->op != op)) {
            emu_block(t, EMU_WAIT_WARP, mask, 0);
            return false;
        }
        m->lane[i] = o;
    }
    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (m->lane[i] && ((struct offer *)m->lane[i]->offer)->mask != mask) {
            emu_complain(t, &rule_warp_same_mask, NULL, 0, 0, "lane %u names the members 0x%08x, lane %u 0x%08x",
                         t->lane, mask, i, ((struct offer *)m->lane[i]->offer)->mask);
            break;
        }
    return true;
}

/* The one that runs has been stepped already. */
void emu_warp_release(struct emu_thread *t, const struct emu_meeting *m)
{
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        struct emu_thread *o = m->lane[i];
        if (!o || o == t)
            continue;
        o->pc++;
        o->state = EMU_READY;
        o->wait = EMU_WAIT_NONE;
    }
}

static uint64_t value_of(const struct emu_meeting *m, uint32_t lane)
{
    return ((struct offer *)m->lane[lane]->offer)->value;
}

static uint64_t *slot(const struct emu_meeting *m, uint32_t lane, uint32_t s)
{
    return &m->lane[lane]->r[s];
}

#define EACH(i, m)                                                                                                     \
    for (uint32_t i = 0; i < EMU_WARP; i++)                                                                            \
        if ((m).lane[i])

/* ---- operations ------------------------------------------------------------------------------------------------ */

enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

static void vote(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_meeting m;
    uint32_t ballot = 0;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->b], (t->r[op->a] != 0) != op->warp.negated, 0, &m))
        return;
    EACH(i, m) ballot |= (uint32_t)(value_of(&m, i) != 0) << i;
    EACH(i, m)
    *slot(&m, i, op->d) = op->warp.kind == VOTE_ALL   ? ballot == m.mask
                          : op->warp.kind == VOTE_ANY ? ballot != 0
                          : op->warp.kind == VOTE_UNI ? ballot == 0 || ballot == m.mask
                                                      : ballot;
    emu_warp_release(t, &m);
}

enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

/* PTX ISA, shfl.sync: c holds the clamp in bits 4:0 and the segment mask in bits 12:8. */
static void shfl(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_meeting m;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->warp.mask], t->r[op->a], t->r[op->b] | t->r[op->c] << 32, &m))
        return;
    EACH(i, m)
    {
        const struct offer *o = m.lane[i]->offer;
        const uint32_t b = (uint32_t)o->extra & 31, c = (uint32_t)(o->extra >> 32);
        const uint32_t clamp = c & 31, segment = c >> 8 & 31;
        const uint32_t top = (i & segment) | (clamp & ~segment), bottom = i & segment;
        uint32_t j;
        bool p;
        switch (op->warp.kind) {
        case SHFL_UP:
            j = i - b;
            p = (int32_t)j >= (int32_t)top;
            break;
        case SHFL_DOWN:
            j = i + b;
            p = j <= top;
            break;
        case SHFL_BFLY:
            j = i ^ b;
            p = j <= top;
            break;
        default:
            j = bottom | (b & ~segment);
            p = j <= top;
            break;
        }
        if (!p)
            j = i;
        *slot(&m, i, op->d) = m.lane[j & 31] ? value_of(&m, j & 31) : value_of(&m, i);
        if (op->warp.predicate != EMU_NO)
            *slot(&m, i, op->warp.predicate) = p;
    }
    emu_warp_release(t, &m);
}

static void match(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_thread *met[EMU_WARP];
    struct emu_meeting m;
    uint32_t n = 0;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->b], emu_low(t->r[op->a], op->size), 0, &m))
        return;
    EACH(i, m)
    {
        uint32_t same = 0;
        EACH(k, m) same |= (uint32_t)(value_of(&m, k) == value_of(&m, i)) << k;
        if (op->warp.all)
            *slot(&m, i, op->d) = same == m.mask ? m.mask : 0;
        else
            *slot(&m, i, op->d) = same;
        if (op->warp.predicate != EMU_NO)
            *slot(&m, i, op->warp.predicate) = same == m.mask;
        met[n++] = m.lane[i];
    }
    emu_order_converge(met, n);
    emu_warp_release(t, &m);
}

static void redux(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_meeting m;
    uint32_t out = 0;
    bool first = true;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->b], t->r[op->a], 0, &m))
        return;
    EACH(i, m)
    {
        const uint32_t v = (uint32_t)value_of(&m, i);
        const bool is_signed = op->warp.is_signed;
        if (first)
            out = v;
        else if (op->warp.kind == PTX_add)
            out += v;
        else if (op->warp.kind == PTX_and)
            out &= v;
        else if (op->warp.kind == PTX_or)
            out |= v;
        else if (op->warp.kind == PTX_xor)
            out ^= v;
        else if (op->warp.kind == PTX_min)
            out = is_signed ? ((int32_t)v < (int32_t)out ? v : out) : (v < out ? v : out);
        else
            out = is_signed ? ((int32_t)v > (int32_t)out ? v : out) : (v > out ? v : out);
        first = false;
    }
    EACH(i, m) * slot(&m, i, op->d) = out;
    emu_warp_release(t, &m);
}

/* The leader is the lowest member, as every implementation has had it; the ISA leaves it open. */
static void elect(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_meeting m;
    uint32_t leader = EMU_WARP;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->a], 0, 0, &m))
        return;
    EACH(i, m) leader = leader == EMU_WARP ? i : leader;
    EACH(i, m)
    {
        if (op->d != EMU_NO)
            *slot(&m, i, op->d) = leader;
        *slot(&m, i, op->warp.predicate) = i == leader;
    }
    emu_warp_release(t, &m);
}

static void warp_sync(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_thread *met[EMU_WARP];
    struct emu_meeting m;
    uint32_t n = 0;

    if (!emu_warp_meet(t, op, (uint32_t)t->r[op->a], 0, 0, &m))
        return;
    EACH(i, m) met[n++] = m.lane[i];
    emu_order_meet(met, n);
    emu_warp_release(t, &m);
}

/* Threads that stand at the instruction together. Those that come in one round of turns do: the first of them waits a
 * round for the others. The ISA leaves open who converges, and code goes on from here with a match or a shuffle of the
 * mask, so that no thread may be in it that goes another way. */
static void activemask(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_thread *warp = &t->cta->threads[t->index - t->lane];
    struct offer *mine = offer_of(t);
    struct emu_meeting m = { .mask = 0 };
    const uint32_t d = op->d;

    if (mine->op != op) {
        *mine = (struct offer){ .op = op };
        emu_block(t, EMU_WAIT_NONE, 0, 0);
        emu_wake(t->cta->cluster);
        return;
    }
    for (uint32_t i = 0; i < EMU_WARP && t->index - t->lane + i < t->cta->thread_count; i++) {
        struct emu_thread *o = &warp[i];
        struct offer *theirs = o->offer;
        if (o->state == EMU_EXITED || !theirs || theirs->op != op || (o != t && o->pc != t->pc - 1))
            continue;
        theirs->op = NULL;
        m.lane[i] = o;
        m.mask |= 1u << i;
    }
    EACH(i, m) * slot(&m, i, d) = m.mask;
    emu_warp_release(t, &m);
}

/* ---- decoding -------------------------------------------------------------------------------------------------- */

/* The second register of a result pair "d|p". */
static void keep_predicate(const struct ptx_operand *o, struct emu_op *op)
{
    op->warp.predicate = o->kind == PO_pair && o->second != PTX_NO ? emu_register_slot(o->second) : EMU_NO;
    emu_settle_later(&op->warp.predicate);
}

emu_handler *emu_decode_warp(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
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
