/* Logic, shifts, bit fields, permutation of bytes. PTX ISA, "Logic and Shift Instructions", and bfe, bfi, bfind, bmsk,
 * brev, clz, fns, popc, szext of "Integer Arithmetic Instructions". */
#include "harness/emu/instructions/alu/handler.h"

static bool is_constant(const struct ptx_module *m, const struct ptx_instruction *i, unsigned k)
{
    const struct ptx_operand *o = ptx_operand(m, i, k);

    return o->kind == PO_immediate && !(o->flags & PF_FLOAT);
}

/* ---- logic: values are zero-extended, so that one handler does for all sizes ------------------------------------- */

EMU_U64(and_bits, TWO, a &b)
EMU_U64(or_bits, TWO, a | b)
EMU_U64(xor_bits, TWO, a ^ b)
EMU_SIZES(not_bits, ONE, ~ua)
EMU_U64(cnot, ONE, !a)

EMU_U64(and_pred, TWO, (a ^ op->predicates.not_a) & (b ^ op->predicates.not_b))
EMU_U64(or_pred, TWO, (a ^ op->predicates.not_a) | (b ^ op->predicates.not_b))
EMU_U64(xor_pred, TWO, a ^ b ^ op->predicates.not_a ^ op->predicates.not_b)
EMU_U64(not_pred, ONE, a ^ op->predicates.not_a ^ 1)

/* lop3: bit a*4 + b*2 + c of the table. Of each pair of entries that differ in c alone, the first and their
 * exclusive-or, spread over 32 bits. */
struct alu_table {
    uint32_t first[4], toggle[4];
    /* of lop3.and and lop3.or, which combine the result with a predicate */
    uint32_t result, predicate; /* slots; EMU_NO: the result is dropped */
    uint16_t with;              /* PTX_and, PTX_or */
    bool negated;               /* the predicate */
};

static uint32_t look_up(const struct alu_table *l, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t p = l->first[0] ^ (c & l->toggle[0]), q = l->first[1] ^ (c & l->toggle[1]);
    const uint32_t r = l->first[2] ^ (c & l->toggle[2]), s = l->first[3] ^ (c & l->toggle[3]);
    const uint32_t x = p ^ (b & (p ^ q)), y = r ^ (b & (r ^ s));

    return x ^ (a & (x ^ y));
}

EMU_U32(lop3, THREE, look_up(op->table, ua, ub, uc))

/* The tables that programs use most have handlers of their own. */
EMU_U32(lop3_and, THREE, a &b &c)
EMU_U32(lop3_or, THREE, a | b | c)
EMU_U32(lop3_xor, THREE, a ^ b ^ c)
EMU_U32(lop3_and_or, THREE, (a & b) | c)
EMU_U32(lop3_and_xor, THREE, (a & b) ^ c)
EMU_U32(lop3_or_and, THREE, a | (b & c))
EMU_U32(lop3_xor_and, THREE, a ^ (b & c))
EMU_U32(lop3_either, THREE, c ^ (a & (b ^ c)))
EMU_U32(lop3_majority, THREE, (a & b) | (c & (a | b)))

static const struct {
    uint8_t table;
    emu_handler *run;
} common_tables[] = {
    { 0x80, lop3_and },     { 0xfe, lop3_or },      { 0x96, lop3_xor },
    { 0xea, lop3_and_or },  { 0x6a, lop3_and_xor }, { 0xf8, lop3_or_and },
    { 0x78, lop3_xor_and }, { 0xca, lop3_either },  { 0xe8, lop3_majority },
};

/* lop3.and, lop3.or: d is the predicate that they give. */
static void lop3_pred(struct emu_thread *t, const struct emu_op *op)
{
    const struct alu_table *l = op->table;
    const uint32_t value = look_up(l, (uint32_t)t->r[op->a], (uint32_t)t->r[op->b], (uint32_t)t->r[op->c]);
    const uint64_t q = t->r[l->predicate] ^ l->negated;

    if (l->result != EMU_NO)
        t->r[l->result] = value;
    t->r[op->d] = l->with == PTX_and ? (value != 0) & q : (value != 0) | q;
}

/* ---- shifts ------------------------------------------------------------------------------------------------------ */

EMU_SIZES(shift_left, TWO, (uint32_t)rb >= BITS ? 0 : ra << (uint32_t)rb)
EMU_INTS(shift_right, TWO, (uint32_t)rb < BITS ? a >> (uint32_t)rb : SIGNED ? a >> (BITS - 1) : 0)

/* a and b as one value, a in its low half. */
static uint64_t joined(uint32_t a, uint32_t b)
{
    return (uint64_t)b << 32 | a;
}

EMU_U32(funnel_l_wrap, THREE, joined(ua, ub) << (uc & 31) >> 32)
EMU_U32(funnel_l_clamp, THREE, joined(ua, ub) << (uc > 32 ? 32 : uc) >> 32)
EMU_U32(funnel_r_wrap, THREE, joined(ua, ub) >> (uc & 31))
EMU_U32(funnel_r_clamp, THREE, joined(ua, ub) >> (uc > 32 ? 32 : uc))

/* ---- counting and searching -------------------------------------------------------------------------------------- */

EMU_U64(popc, ONE, __builtin_popcountll(a))
EMU_U32(clz_32, ONE, a ? __builtin_clz(a) : 32)
EMU_U64(clz_64, ONE, a ? __builtin_clzll(a) : 64)

/* The place of the highest bit that differs from the sign, or its distance from the top; all ones where there is none.
 */
static uint32_t find_bit(uint64_t value, unsigned bits, bool is_signed, bool from_top)
{
    const bool negative = is_signed && value >> (bits - 1) & 1;
    const uint64_t differs = negative ? emu_low(~value, bits / 8) : value;

    if (!differs)
        return UINT32_MAX;
    const uint32_t place = (uint32_t)(63 - __builtin_clzll(differs));
    return from_top ? bits - 1 - place : place;
}

EMU_INTS(find, ONE, find_bit(ua, BITS, SIGNED, false))
EMU_INTS(find_shift, ONE, find_bit(ua, BITS, SIGNED, true))

static uint64_t reverse(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    return __builtin_bswap64(x);
}

EMU_SIZES(reversed, ONE, reverse(ua) >> (64 - BITS))

/* The n-th set bit of a mask from bit `base` on, upwards for n > 0, downwards for n < 0; 0 asks for the base itself. */
static uint32_t nth_set(uint32_t mask, uint32_t base, int32_t n)
{
    const int step = n < 0 ? -1 : 1;
    uint32_t left = n < 0 ? 0 - (uint32_t)n : (uint32_t)n;

    if (n == INT32_MIN) /* it has no magnitude; an H200 gives this */
        return 0;
    if (base > 31)
        return UINT32_MAX;
    if (!n)
        return mask >> base & 1 ? base : UINT32_MAX;
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && !--left)
            return (uint32_t)at;
    return UINT32_MAX;
}

EMU_U32(fns, THREE, nth_set(ua, ub, (int32_t)uc))

/* ---- fields: position and length are the low 8 bits of their operands; of 64-bit fields, on an H200, all 32 -------
 */

static uint32_t field_part(uint64_t slot, unsigned bits)
{
    return bits == 64 ? (uint32_t)slot : (uint8_t)slot;
}

static uint64_t low_bits(uint32_t n)
{
    return n >= 64 ? ~0ull : (1ull << n) - 1;
}

static uint64_t extract(uint64_t value, uint32_t at, uint32_t length, uint32_t bits, bool is_signed)
{
    uint64_t field = at >= 64 ? 0 : value >> at & low_bits(length);
    uint64_t top = (uint64_t)at + length - 1; /* the bit that is the sign of the field */

    if (!is_signed || !length)
        return field;
    if (top > bits - 1)
        top = bits - 1;
    if (!(value >> top & 1))
        return field;
    /* the sign fills the bits above the field, and above the end of the value */
    return field | ~low_bits(at > bits ? 0 : bits - at < length ? bits - at : length);
}

EMU_INTS(bfe, THREE, extract(ua, field_part(rb, BITS), field_part(rc, BITS), BITS, SIGNED))

static uint64_t insert(uint64_t field, uint64_t into, uint32_t at, uint32_t length)
{
    const uint64_t mask = at >= 64 ? 0 : low_bits(length) << at;

    return (into & ~mask) | (at >= 64 ? 0 : field << at & mask);
}

EMU_SIZES(bfi, THREE, insert(ua, ub, field_part(rc, BITS), field_part(t->r[op->field.length], BITS)))

/* Constant positions and lengths. */
EMU_SIZES(bfe_fixed, ONE, ua >> op->field.right & (U)op->field.mask)
EMU_S32(bfe_fixed_s32, ONE, (int32_t)(ua << op->field.left) >> op->field.right)
EMU_S64(bfe_fixed_s64, ONE, (int64_t)(ua << op->field.left) >> op->field.right)
EMU_SIZES(bfi_fixed, TWO, (ub & ~(U)op->field.mask) | (ua << op->field.left & (U)op->field.mask))

static uint32_t mask_of(uint32_t at, uint32_t width, bool clamp)
{
    if (clamp && at > 31)
        return 0;
    width = clamp && width > 31 ? 32 : width & 31;
    return (uint32_t)(low_bits(width) << (at & 31));
}

EMU_U32(bmsk, TWO, mask_of(ua, ub, op->field.clamps))

static uint32_t low_part(uint32_t value, uint32_t width, bool clamp, bool is_signed)
{
    if (clamp && width > 31)
        return value;
    width &= 31;
    if (!width)
        return 0;
    return is_signed ? (uint32_t)((int32_t)(value << (32 - width)) >> (32 - width)) : value & (uint32_t)low_bits(width);
}

EMU_U32(szext_u, TWO, low_part(ua, ub, op->field.clamps, false))
EMU_U32(szext_s, TWO, low_part(ua, ub, op->field.clamps, true))

/* ---- prmt -------------------------------------------------------------------------------------------------------- */

/* A selector has four nibbles. Each chooses a byte of b:a; where the nibble's bit 3 is set, the sign bit of that byte
 * in all eight places. */
static uint32_t permute(uint64_t bytes, uint32_t selector)
{
    uint32_t out = 0;

    for (unsigned k = 0; k < 4; k++, selector >>= 4) {
        uint8_t byte = (uint8_t)(bytes >> (selector & 7) * 8);
        if (selector & 8)
            byte = byte & 0x80 ? 0xff : 0;
        out |= (uint32_t)byte << k * 8;
    }
    return out;
}

EMU_U32(prmt, THREE, permute(joined(ua, ub), uc))
/* Constant selectors: of two whole halves, the low one first; of four bytes without signs. */
EMU_U32(prmt_halves, TWO,
        (joined(ua, ub) >> op->permute.shift[0] & 0xffffu) | (uint32_t)(joined(ua, ub) >> op->permute.shift[1]) << 16)

static uint32_t four_bytes(uint64_t bytes, const uint8_t *shift)
{
    return (uint32_t)(uint8_t)(bytes >> shift[0]) | (uint32_t)(uint8_t)(bytes >> shift[1]) << 8 |
           (uint32_t)(uint8_t)(bytes >> shift[2]) << 16 | (uint32_t)(uint8_t)(bytes >> shift[3]) << 24;
}

EMU_U32(prmt_bytes, TWO, four_bytes(joined(ua, ub), op->permute.shift))
/* The other modes: the low two bits of c choose the selector. */
EMU_U32(prmt_mode, THREE, permute(joined(ua, ub), op->permute.selectors[uc & 3]))

static emu_handler *decode_selector(uint64_t selector, struct emu_op *op)
{
    const unsigned low = selector & 7, high = selector >> 8 & 7;

    if (selector & 0x8888)
        return prmt;
    if ((selector >> 4 & 7) == low + 1 && (selector >> 12 & 7) == high + 1) {
        op->permute.shift[0] = (uint8_t)(low * 8);
        op->permute.shift[1] = (uint8_t)(high * 8);
        return prmt_halves;
    }
    for (unsigned k = 0; k < 4; k++)
        op->permute.shift[k] = (uint8_t)((selector >> 4 * k & 7) * 8);
    return prmt_bytes;
}

static emu_handler *decode_prmt(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    static const struct {
        uint16_t word, selector[4];
    } modes[] = {
        { PTX_f4e, { 0x3210, 0x4321, 0x5432, 0x6543 } }, { PTX_b4e, { 0x5670, 0x6701, 0x7012, 0x0123 } },
        { PTX_rc8, { 0x0000, 0x1111, 0x2222, 0x3333 } }, { PTX_ecl, { 0x3210, 0x3211, 0x3222, 0x3333 } },
        { PTX_ecr, { 0x0000, 0x1110, 0x2210, 0x3210 } }, { PTX_rc16, { 0x1010, 0x3232, 0x1010, 0x3232 } },
    };

    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
        if (ptx_has(m, i, modes[k].word)) {
            op->permute.selectors = modes[k].selector;
            return prmt_mode;
        }
    if (is_constant(m, i, 3))
        return decode_selector(ptx_operand(m, i, 3)->value, op);
    return prmt;
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

static emu_handler *decode_logic(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    if (i->type[0] != PTX_pred)
        return i->op == OP_and ? and_bits : i->op == OP_or ? or_bits : xor_bits;
    op->a = emu_predicate(m, i, 1);
    op->b = emu_predicate(m, i, 2);
    op->predicates.not_a = emu_negated(m, i, 1);
    op->predicates.not_b = emu_negated(m, i, 2);
    return i->op == OP_and ? and_pred : i->op == OP_or ? or_pred : xor_pred;
}

static emu_handler *decode_lop3(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const bool combines = ptx_has(m, i, PTX_and) || ptx_has(m, i, PTX_or);
    const struct ptx_operand *to = ptx_operand(m, i, 0);
    const uint64_t bits = ptx_operand(m, i, 4)->value;
    struct alu_table *l = emu_kept(sizeof *l);

    if (!l)
        return NULL;
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t even = bits >> 2 * k & 1 ? UINT32_MAX : 0, odd = bits >> (2 * k + 1) & 1 ? UINT32_MAX : 0;
        l->first[k] = even;
        l->toggle[k] = even ^ odd;
    }
    op->table = l;
    for (size_t k = 0; !combines && k < sizeof common_tables / sizeof *common_tables; k++)
        if (common_tables[k].table == bits)
            return common_tables[k].run;
    if (!combines)
        return lop3;
    if (to->kind != PO_pair || to->second == PTX_NO)
        return NULL;
    op->d = emu_slot_of_register(to->second);
    l->result = emu_slot(to, PTX_b32);
    l->predicate = emu_predicate(m, i, 5);
    emu_settle_later(&l->result);
    emu_settle_later(&l->predicate);
    l->with = ptx_has(m, i, PTX_and) ? PTX_and : PTX_or;
    l->negated = emu_negated(m, i, 5);
    return lop3_pred;
}

/* Whether the instruction fixes the field, and the field lies within the value: such instructions have shorter
 * handlers. */
static bool is_fixed(const struct ptx_module *m, const struct ptx_instruction *i, unsigned k, unsigned bits,
                     uint32_t *at, uint32_t *length)
{
    if (!is_constant(m, i, k) || !is_constant(m, i, k + 1))
        return false;
    *at = (uint32_t)ptx_operand(m, i, k)->value & (bits == 64 ? UINT32_MAX : 0xff);
    *length = (uint32_t)ptx_operand(m, i, k + 1)->value & (bits == 64 ? UINT32_MAX : 0xff);
    return *length && *length <= bits && *at <= bits - *length;
}

static emu_handler *decode_bfe(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const enum emu_int type = emu_int_of(i->type[0]);
    const unsigned bits = op->size * 8u;
    uint32_t at = 0, length = 0;

    op->b = emu_slot_as(m, i, 2, PTX_u32);
    op->c = emu_slot_as(m, i, 3, PTX_u32);
    if (!is_fixed(m, i, 2, bits, &at, &length))
        return bfe[type];
    if (type == EMU_I_S32 || type == EMU_I_S64) {
        op->field.left = (uint8_t)(bits - at - length);
        op->field.right = (uint8_t)(bits - length);
        return type == EMU_I_S32 ? bfe_fixed_s32 : bfe_fixed_s64;
    }
    op->field.right = (uint8_t)at;
    op->field.mask = low_bits(length);
    return bfe_fixed[type];
}

static emu_handler *decode_bfi(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const enum emu_int type = emu_int_of(i->type[0]);
    uint32_t at = 0, length = 0;

    op->c = emu_slot_as(m, i, 3, PTX_u32);
    if (is_fixed(m, i, 3, op->size * 8u, &at, &length)) {
        op->field.left = (uint8_t)at;
        op->field.mask = low_bits(length) << at;
        return bfi_fixed[type];
    }
    op->field.length = emu_slot_as(m, i, 4, PTX_u32);
    emu_settle_later(&op->field.length);
    return bfi[type];
}

static emu_handler *decode_shf(const struct ptx_module *m, const struct ptx_instruction *i)
{
    const bool clamp = ptx_has(m, i, PTX_clamp);

    if (ptx_has(m, i, PTX_l))
        return clamp ? funnel_l_clamp : funnel_l_wrap;
    return clamp ? funnel_r_clamp : funnel_r_wrap;
}

/* Instructions that work on predicates too. */
static bool is_logic(uint16_t op)
{
    return op == OP_and || op == OP_or || op == OP_xor || op == OP_not;
}

emu_handler *emu_decode_bits(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const enum emu_int type = emu_int_of(i->type[0]);

    if (type == EMU_I_NONE && !(i->type[0] == PTX_pred && is_logic(i->op)))
        return NULL;
    switch (i->op) {
    case OP_and:
    case OP_or:
    case OP_xor: return decode_logic(m, i, op);
    case OP_not:
        if (type != EMU_I_NONE)
            return not_bits[type];
        op->a = emu_predicate(m, i, 1);
        op->predicates.not_a = emu_negated(m, i, 1);
        return not_pred;
    case OP_cnot: return cnot;
    case OP_lop3: return decode_lop3(m, i, op);
    case OP_shf: return decode_shf(m, i);
    case OP_shl:
    case OP_shr: op->b = emu_slot_as(m, i, 2, PTX_u32); return (i->op == OP_shl ? shift_left : shift_right)[type];
    case OP_popc: return popc;
    case OP_clz: return op->size == 8 ? clz_64 : clz_32;
    case OP_bfind: return (ptx_has(m, i, PTX_shiftamt) ? find_shift : find)[type];
    case OP_brev: return reversed[type];
    case OP_fns: return fns;
    case OP_bfe: return decode_bfe(m, i, op);
    case OP_bfi: return decode_bfi(m, i, op);
    case OP_bmsk:
    case OP_szext:
        op->field.clamps = !ptx_has(m, i, PTX_wrap);
        return i->op == OP_bmsk ? bmsk : i->type[0] == PTX_s32 ? szext_s : szext_u;
    case OP_prmt: return decode_prmt(m, i, op);
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
