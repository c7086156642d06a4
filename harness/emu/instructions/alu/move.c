/* Moves of whole values, packing and unpacking, selection. PTX ISA, mov, selp, slct. */
#include <string.h>

#include "harness/emu/instructions/alu/handler.h"

EMU_U16(mov_16, ONE, a)
EMU_U32(mov_32, ONE, a)
EMU_U64(mov_64, ONE, a)
EMU_U64(mov_pred, ONE, a ^ op->predicates.not_a)

/* Both slots are read before one is written: source and destination may be the same. */
static void mov_128(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t low = t->r[op->a], high = t->r[op->a + EMU_WARP];

    t->r[op->d] = low;
    t->r[op->d + EMU_WARP] = high;
}

static emu_handler *move_of(unsigned size)
{
    return size == 2 ? mov_16 : size == 4 ? mov_32 : size == 8 ? mov_64 : size == 16 ? mov_128 : NULL;
}

/* ---- packing: a value from its parts, the first in the low bits; parts from a value ------------------------------ */

enum { PARTS = 8 };

static inline uint64_t pack_64_value(const struct emu_lane *t, const struct emu_op *op)
{
    return (uint32_t)t->r[op->a] | t->r[op->b] << 32;
}
EMU_LANES(pack_64)

static void unpack_64(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t value = t->r[op->a];

    t->r[op->d] = (uint32_t)value;
    t->r[op->b] = value >> 32;
}

/* The parts are in the slots op->pack.elements. */
static void pack(struct emu_thread *t, const struct emu_op *op)
{
    uint64_t value = 0;

    for (unsigned k = 0; k < op->pack.count; k++)
        value |= emu_low(t->r[op->pack.elements[k]], op->pack.bits / 8) << k * op->pack.bits;
    t->r[op->d] = value;
}

static void unpack(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t value = t->r[op->a];

    for (unsigned k = 0; k < op->pack.count; k++)
        if (op->pack.elements[k] != EMU_NO)
            t->r[op->pack.elements[k]] = emu_low(value >> k * op->pack.bits, op->pack.bits / 8);
}

/* A 16-byte value is two slots. */
static void pack_128(struct emu_thread *t, const struct emu_op *op)
{
    const unsigned per = op->pack.count / 2u;
    uint64_t half[2] = { 0, 0 };

    for (unsigned k = 0; k < op->pack.count; k++)
        half[k / per] |= emu_low(t->r[op->pack.elements[k]], op->pack.bits / 8) << k % per * (op->pack.bits & 63);
    t->r[op->d] = half[0];
    t->r[op->d + EMU_WARP] = half[1];
}

static void unpack_128(struct emu_thread *t, const struct emu_op *op)
{
    const unsigned per = op->pack.count / 2u;
    const uint64_t half[2] = { t->r[op->a], t->r[op->a + EMU_WARP] };

    for (unsigned k = 0; k < op->pack.count; k++)
        if (op->pack.elements[k] != EMU_NO)
            t->r[op->pack.elements[k]] = emu_low(half[k / per] >> k % per * (op->pack.bits & 63), op->pack.bits / 8);
}

/* mov.v2, mov.v4: op->pack.elements has the destinations, then the sources. */
static void move_vector(struct emu_thread *t, const struct emu_op *op)
{
    uint64_t value[PARTS];

    for (unsigned k = 0; k < op->pack.count; k++)
        value[k] = emu_low(t->r[op->pack.elements[op->pack.count + k]], op->size);
    for (unsigned k = 0; k < op->pack.count; k++)
        if (op->pack.elements[k] != EMU_NO)
            t->r[op->pack.elements[k]] = value[k];
}

/* Whether the operand is a vector: in braces, or a register declared as a vector and named as a whole. */
static bool is_vector(const struct ptx_operand *o, unsigned size)
{
    return o->kind == PO_vector || (o->kind == PO_register && !o->component && emu_register_bytes(o) < size);
}

/* The slots of a vector's elements; of a register declared as one, those of its own. 0 where it is neither. */
static unsigned elements(const struct ptx_module *m, const struct ptx_operand *o, uint16_t type, unsigned count,
                         uint32_t slots[PARTS])
{
    if (o->kind == PO_vector && o->count <= PARTS) {
        for (uint32_t k = 0; k < o->count; k++)
            slots[k] = emu_slot(&m->operands[o->first + k], type);
        return o->count;
    }
    if (o->kind != PO_register || o->component || count > PARTS)
        return 0;
    for (unsigned k = 0; k < count; k++)
        slots[k] = emu_slot(o, type) + k * EMU_WARP;
    return count;
}

static emu_handler *decode_vector(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    uint32_t slots[2 * PARTS];
    const unsigned n = elements(m, ptx_operand(m, i, 0), i->type[0], i->vector, slots);

    if (n != i->vector || elements(m, ptx_operand(m, i, 1), i->type[0], n, slots + n) != n)
        return NULL;
    op->d = EMU_NO;
    op->a = EMU_NO;
    op->pack.count = (uint16_t)n;
    op->pack.elements = emu_slots_kept(slots, 2 * n);
    return op->pack.elements ? move_vector : NULL;
}

static emu_handler *decode_parts(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool packs = is_vector(ptx_operand(m, i, 1), op->size);
    const struct ptx_operand *o = ptx_operand(m, i, packs ? 1 : 0);
    const unsigned count = o->kind == PO_vector ? o->count : op->size / emu_register_bytes(o);
    uint32_t *const first = packs ? &op->a : &op->d; /* the operand that is a vector */
    uint16_t type = PTX_b32;
    uint32_t slots[PARTS];

    if (is_vector(ptx_operand(m, i, packs ? 0 : 1), op->size) || !count || op->size % count)
        return NULL;
    switch (op->size / count) {
    case 1: type = PTX_b8; break;
    case 2: type = PTX_b16; break;
    case 4: type = PTX_b32; break;
    case 8: type = PTX_b64; break;
    default: return NULL;
    }
    op->pack.count = (uint16_t)elements(m, o, type, count, slots);
    op->pack.bits = (uint16_t)(ptx_type_size(type) * 8);
    if (op->pack.count == 2 && op->pack.bits == 32 && slots[0] != EMU_NO && slots[1] != EMU_NO) {
        *first = slots[0];
        op->b = slots[1];
        return packs ? pack_64 : unpack_64;
    }
    *first = EMU_NO;
    op->pack.elements = emu_slots_kept(slots, op->pack.count);
    if (!op->pack.count || !op->pack.elements)
        return NULL;
    if (op->size == 16)
        return packs ? pack_128 : unpack_128;
    return packs ? pack : unpack;
}

static emu_handler *decode_mov(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const struct ptx_operand *d = ptx_operand(m, i, 0), *a = ptx_operand(m, i, 1);

    if (i->vector > 1)
        return decode_vector(m, i, op);
    if (i->type[0] == PTX_pred) {
        op->a = emu_predicate(m, i, 1);
        op->predicates.not_a = emu_negated(m, i, 1);
        return mov_pred;
    }
    if (is_vector(d, op->size) || is_vector(a, op->size))
        return decode_parts(m, i, op);
    if (a->flags & PF_GENERIC || op->a == EMU_NO || op->d == EMU_NO)
        return NULL;
    return move_of(op->size);
}

/* ---- selection --------------------------------------------------------------------------------------------------- */

EMU_U64(selp, THREE, rc ? a : b)
EMU_U64(slct_s32, THREE, (int32_t)rc >= 0 ? a : b)

/* slct by the sign of a float: a for 0 or more and for -0, b for less and for a NaN. Magnitudes below `smallest` count
 * as 0. */
static bool at_least_zero(uint32_t bits, uint32_t smallest)
{
    const uint32_t magnitude = bits & 0x7fffffffu;

    return magnitude <= 0x7f800000u && (!(bits >> 31) || magnitude < smallest);
}

EMU_U64(slct_f32, THREE, at_least_zero((uint32_t)rc, 1) ? a : b)
EMU_U64(slct_f32_ftz, THREE, at_least_zero((uint32_t)rc, 0x800000u) ? a : b)

static emu_handler *decode_selp(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool negated = emu_negated(m, i, 3);

    op->a = emu_slot_as(m, i, negated ? 2 : 1, i->type[0]);
    op->b = emu_slot_as(m, i, negated ? 1 : 2, i->type[0]);
    op->c = emu_predicate(m, i, 3);
    return selp;
}

static emu_handler *decode_slct(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    op->a = emu_slot_as(m, i, 1, i->type[0]);
    op->b = emu_slot_as(m, i, 2, i->type[0]);
    op->c = emu_slot_as(m, i, 3, i->type[1]);
    if (i->type[1] == PTX_s32)
        return slct_s32;
    return ptx_has(m, i, PTX_ftz) ? slct_f32_ftz : slct_f32;
}

emu_handler *emu_decode_move(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_mov: return decode_mov(m, i, op);
    case OP_selp: return decode_selp(m, i, op);
    case OP_slct: return decode_slct(m, i, op);
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
