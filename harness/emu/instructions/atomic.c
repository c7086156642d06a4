/* Atomics and reductions of memory. PTX ISA, "atom" and "red". */
#include <string.h>

#include "harness/emu/instructions/alu/reduce.h"
#include "harness/emu/instructions/decoders.h"
#include "harness/emu/instructions/memory.h"
#include "harness/emu/machine/thread.h"

static bool in_shared(const struct emu_op *op, uint64_t address)
{
    return op->space == PTX_shared || op->space == PTX_shared_cta || op->space == PTX_shared_cluster ||
           (op->space == PTX_none && address >= EMU_SHARED_WINDOW);
}

static void atomic(struct emu_thread *t, const struct emu_op *op)
{
    struct emu *e = emu_machine_of(t);
    const uint16_t word = op->atomic.word, type = op->atomic.type;
    const uint64_t address = t->r[op->a] + (uint64_t)op->offset;
    unsigned char *at = emu_access_bytes(t, op, address, op->size, EMU_ATOMIC);
    const uint64_t c = op->c == EMU_NO ? 0 : t->r[op->c];
    uint64_t old = 0, new;

    pthread_mutex_lock(&e->lock);
    memcpy(&old, at, op->size);
    new = alu_combine(word, type, op->size, old, t->r[op->b], c, !in_shared(op, address));
    memcpy(at, &new, op->size);
    pthread_mutex_unlock(&e->lock);
    if (op->d != EMU_NO)
        t->r[op->d] = old;
    emu_wake(t->cta->cluster);
}

/* Vectors in global memory; each element by itself is atomic. op->atomic.elements has the destinations, or EMU_NO, then
 * the sources. */
static void atomic_vector(struct emu_thread *t, const struct emu_op *op)
{
    struct emu *e = emu_machine_of(t);
    const uint16_t type = op->atomic.type;
    unsigned char *at = emu_access_bytes(t, op, t->r[op->a] + (uint64_t)op->offset, op->size * op->vector, EMU_ATOMIC);

    pthread_mutex_lock(&e->lock);
    for (unsigned k = 0; k < op->vector; k++) {
        const uint64_t b = t->r[op->atomic.elements[op->vector + k]];
        uint64_t old = 0, new;
        memcpy(&old, at + k * op->size, op->size);
        new = alu_combine(op->atomic.word, type, op->size, old, b, 0, true);
        memcpy(at + k * op->size, &new, op->size);
        if (op->atomic.elements[k] != EMU_NO)
            t->r[op->atomic.elements[k]] = old;
    }
    pthread_mutex_unlock(&e->lock);
    emu_wake(t->cta->cluster);
}

/* exch and cas of 16 bytes, in two slots each. */
static void atomic_wide(struct emu_thread *t, const struct emu_op *op)
{
    struct emu *e = emu_machine_of(t);
    unsigned char *at = emu_access_bytes(t, op, t->r[op->a] + (uint64_t)op->offset, 16, EMU_ATOMIC);
    const uint64_t *r = t->r, *new = op->atomic.word == PTX_cas ? &r[op->c] : &r[op->b];
    uint64_t old[2];

    pthread_mutex_lock(&e->lock);
    memcpy(old, at, sizeof old);
    if (op->atomic.word == PTX_exch || (old[0] == r[op->b] && old[1] == r[op->b + 1]))
        memcpy(at, new, sizeof old);
    pthread_mutex_unlock(&e->lock);
    if (op->d != EMU_NO)
        memcpy(&t->r[op->d], old, sizeof old);
    emu_wake(t->cta->cluster);
}

static emu_handler *decode_vector(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool reduces = i->op == OP_red;
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

emu_handler *emu_decode_atomic(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool reduces = i->op == OP_red;
    const unsigned base = reduces ? 0 : 1;

    if (i->op != OP_atom && i->op != OP_red)
        return NULL;
    op->atomic.word = alu_atom_word(m, i);
    op->atomic.type = i->type[0];
    op->d = reduces || ptx_operand(m, i, 0)->kind == PO_sink ? EMU_NO : emu_slot(ptx_operand(m, i, 0), i->type[0]);
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
