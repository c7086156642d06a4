/* Atomics and reductions of memory. PTX ISA, "atom" and "red". */
#include <string.h>

#include "harness/emu/instructions/alu/reduce.h"
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/instructions/memory.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

static bool in_shared(const struct emu_op *op, uint64_t address)
{
    return emu_window_of(op->space) == EMU_SHARED_WINDOW ||
           (op->space == PTX_none && address - EMU_SHARED_WINDOW < EMU_WINDOW_BYTES);
}

/* What an atomic changes: n bytes, and where they are for the judge. */
struct target {
    unsigned char *bytes;
    unsigned n;
    struct emu_cta *cta;
    uint64_t at;
};

/* Claimed as those of an atomic where the cluster runs ahead. */
static struct target target_of(struct emu_thread *t, const struct emu_op *op, unsigned n)
{
    struct emu_run *run = emu_run_of(t);
    struct target x = { .n = n, .at = t->r[op->a] + (uint64_t)op->offset };
    uint64_t offset = 0;

    run->atomic = (enum emu_claim_kind)op->atomic.claim;
    x.bytes = emu_bytes(t, op->space, x.at, n, n, EMU_ATOMIC, &offset, &x.cta);
    run->atomic = EMU_CLAIM_PLAIN;
    if (x.cta)
        x.at = offset;
    return x;
}

/* Whether the judge is to learn that the atomic changes nothing. Without a result it may meet others of its kind, and
 * what it changes depends on their order. */
static bool may_be_idle(const struct emu_thread *t, const struct emu_op *op, const struct target *x)
{
    return op->d != EMU_NO && emu_watched(t, x->cta);
}

static void tell(struct emu_thread *t, const struct emu_op *op, const struct target *x, bool idle)
{
    emu_access_tell(t, op, x->cta, x->at, x->n, idle ? EMU_ATOMIC_IDLE : EMU_ATOMIC);
}

/* The operation is done. One that leaves memory as it was has changed nothing that another thread may wait for; without
 * a result it counts all the same, since what was there may depend on the order of such. */
static void done(struct emu_thread *t, const struct emu_op *op, bool changes)
{
    if (!changes && op->d != EMU_NO)
        return;
    emu_act(t, in_shared(op, t->r[op->a] + (uint64_t)op->offset) ? t->cta : NULL);
    emu_wake(t->cta->cluster);
}

static void atomic(struct emu_thread *t, const struct emu_op *op)
{
    struct emu *e = emu_machine_of(t);
    const uint16_t word = op->atomic.word, type = op->atomic.type;
    const bool global = !in_shared(op, t->r[op->a] + (uint64_t)op->offset);
    const struct target x = target_of(t, op, op->size);
    const uint64_t c = op->c == EMU_NO ? 0 : t->r[op->c];
    uint64_t old = 0, new;
    bool idle = false;

    if (may_be_idle(t, op, &x)) {
        memcpy(&old, x.bytes, op->size);
        new = alu_combine(word, type, op->size, old, t->r[op->b], c, global);
        idle = memcmp(&new, &old, op->size) == 0;
    }
    tell(t, op, &x, idle);
    pthread_mutex_lock(&e->lock);
    memcpy(&old, x.bytes, op->size);
    new = alu_combine(word, type, op->size, old, t->r[op->b], c, global);
    memcpy(x.bytes, &new, op->size);
    pthread_mutex_unlock(&e->lock);
    done(t, op, memcmp(&new, &old, op->size) != 0);
    if (op->d != EMU_NO)
        t->r[op->d] = old;
}

/* Vectors in global memory; each element by itself is atomic. op->atomic.elements has the destinations, or EMU_NO, then
 * the sources. */
static void atomic_vector(struct emu_thread *t, const struct emu_op *op)
{
    struct emu *e = emu_machine_of(t);
    const uint16_t type = op->atomic.type;
    const struct target x = target_of(t, op, op->size * op->vector);
    bool changes = false;

    tell(t, op, &x, false);
    pthread_mutex_lock(&e->lock);
    for (unsigned k = 0; k < op->vector; k++) {
        const uint64_t b = t->r[op->atomic.elements[op->vector + k]];
        uint64_t old = 0, new;
        memcpy(&old, x.bytes + k * op->size, op->size);
        new = alu_combine(op->atomic.word, type, op->size, old, b, 0, true);
        memcpy(x.bytes + k * op->size, &new, op->size);
        changes |= memcmp(&new, &old, op->size) != 0;
        if (op->atomic.elements[k] != EMU_NO)
            t->r[op->atomic.elements[k]] = old;
    }
    pthread_mutex_unlock(&e->lock);
    done(t, op, changes);
}

/* exch and cas of 16 bytes, in two slots each. */
static void atomic_wide(struct emu_thread *t, const struct emu_op *op)
{
    struct emu *e = emu_machine_of(t);
    const struct target x = target_of(t, op, 16);
    const uint64_t *r = t->r, with[2] = { r[op->b], r[op->b + EMU_WARP] };
    const uint32_t n = op->atomic.word == PTX_cas ? op->c : op->b;
    const uint64_t new[2] = { r[n], r[n + EMU_WARP] };
    const bool exchanges = op->atomic.word == PTX_exch || memcmp(x.bytes, with, sizeof with) == 0;
    uint64_t old[2];

    tell(t, op, &x, may_be_idle(t, op, &x) && (!exchanges || memcmp(x.bytes, new, sizeof old) == 0));
    pthread_mutex_lock(&e->lock);
    memcpy(old, x.bytes, sizeof old);
    if (exchanges)
        memcpy(x.bytes, new, sizeof old);
    done(t, op, memcmp(x.bytes, old, sizeof old) != 0);
    pthread_mutex_unlock(&e->lock);
    if (op->d != EMU_NO) {
        t->r[op->d] = old[0];
        t->r[op->d + EMU_WARP] = old[1];
    }
}

static emu_handler *decode_vector(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool reduces = i->op != OP_atom;
    const struct ptx_operand *d = ptx_operand(m, i, 0), *b = ptx_operand(m, i, reduces ? 1 : 2);
    uint32_t slots[16];

    if (op->vector > 8 || b->kind != PO_vector || b->count != op->vector)
        return NULL;
    for (unsigned k = 0; k < op->vector; k++) {
        slots[k] = reduces || d->kind != PO_vector ? EMU_NO : emu_slot(&m->operands[d->first + k], i->type[0]);
        slots[op->vector + k] = emu_slot(&m->operands[b->first + k], i->type[0]);
    }
    op->atomic.elements = emu_slots_kept(slots, 2u * op->vector);
    return atomic_vector;
}

/* The kind of an atomic without a result: ORDERED unless it commutes with its own kind. */
static enum emu_claim_kind kind_of(uint16_t word, uint16_t type)
{
    const bool is_signed = type == PTX_s32 || type == PTX_s64;
    const bool wide = type == PTX_b64 || type == PTX_u64 || type == PTX_s64;

    if (!wide && type != PTX_b32 && type != PTX_u32 && type != PTX_s32)
        return EMU_CLAIM_ORDERED;
    switch (word) {
    case PTX_add: return wide ? EMU_CLAIM_ADD_64 : EMU_CLAIM_ADD_32;
    case PTX_and: return EMU_CLAIM_AND;
    case PTX_or: return EMU_CLAIM_OR;
    case PTX_xor: return EMU_CLAIM_XOR;
    case PTX_min:
        if (is_signed)
            return wide ? EMU_CLAIM_MIN_S64 : EMU_CLAIM_MIN_S32;
        return wide ? EMU_CLAIM_MIN_U64 : EMU_CLAIM_MIN_U32;
    case PTX_max:
        if (is_signed)
            return wide ? EMU_CLAIM_MAX_S64 : EMU_CLAIM_MAX_S32;
        return wide ? EMU_CLAIM_MAX_U64 : EMU_CLAIM_MAX_U32;
    default: return EMU_CLAIM_ORDERED;
    }
}

/* How clusters that run ahead claim the bytes. Atomics of different clusters may meet only in a scope that holds both.
 */
static enum emu_claim_kind claim_of(const struct ptx_module *m, const struct ptx_instruction *i,
                                    const struct emu_op *op)
{
    const uint16_t scope = ptx_word_of(m, i, PC_scope);

    if (scope == PTX_cta || scope == PTX_cluster)
        return EMU_CLAIM_PLAIN;
    return op->d == EMU_NO && op->vector == 1 && op->size <= 8 ? kind_of(op->atomic.word, i->type[0])
                                                               : EMU_CLAIM_ORDERED;
}

emu_handler *emu_decode_atomic(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool reduces = i->op != OP_atom;
    const unsigned base = reduces ? 0 : 1;

    if (i->op != OP_atom && i->op != OP_red && i->op != OP_multimem_red)
        return NULL;
    op->atomic.word = alu_atom_word(m, i);
    op->atomic.type = i->type[0];
    op->d = i->drops ? EMU_NO : emu_slot(ptx_operand(m, i, 0), i->type[0]);
    op->atomic.claim = (uint8_t)claim_of(m, i, op);
    emu_address(ptx_operand(m, i, base), op, &op->a, &op->offset);
    op->b = emu_slot(ptx_operand(m, i, base + 1), i->type[0]);
    op->c = op->atomic.word == PTX_cas ? emu_slot(ptx_operand(m, i, base + 2), i->type[0]) : EMU_NO;
    if (op->size == 16) {
        const struct ptx_operand *last = ptx_operand(m, i, op->atomic.word == PTX_cas ? base + 2 : base + 1);
        const bool wide = (op->atomic.word == PTX_exch || op->atomic.word == PTX_cas) && last->kind == PO_register &&
                          ptx_operand(m, i, base + 1)->kind == PO_register;
        return wide ? atomic_wide : NULL;
    }
    if (!op->size || !alu_combines(op->atomic.word, i->type[0]))
        return NULL;
    return op->vector > 1 ? decode_vector(m, i, op) : atomic;
}
// SPDX-License-Identifier: Apache-2.0
