/* Integer arithmetic. PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic". */
#include "harness/emu/instructions/alu/handler.h"

/* Sums of whole slots: the compiler has them in vectors as they are. */
EMU_SIZES(add, TWO, ra + rb)
EMU_SIZES(sub, TWO, ra - rb)

/* Products of 32 bits, in vectors of halves of slots: those of the low halves, and 0 in the high ones. */
typedef uint32_t __attribute__((may_alias)) half;
static const uint64_t low_halves[EMU_WARP] = { [0 ... EMU_WARP - 1] = UINT32_MAX };

#define PRODUCT_32(name, third, e)                                                                                     \
    static inline uint32_t name##_of(uint32_t a, uint32_t b, uint32_t c)                                               \
    {                                                                                                                  \
        (void)c;                                                                                                       \
        return e;                                                                                                      \
    }                                                                                                                  \
    static inline uint64_t name##_value(const struct emu_lane *t, const struct emu_op *op)                             \
    {                                                                                                                  \
        return name##_of((uint32_t)t->r[op->a], (uint32_t)t->r[op->b], (uint32_t)t->r[op->third]);                     \
    }                                                                                                                  \
    EMU_HANDLER_LANES void name##_whole(uint64_t *r, const struct emu_op *op)                                          \
    {                                                                                                                  \
        const half *a = (const half *)(r + op->a), *b = (const half *)(r + op->b), *c = (const half *)(r + op->third); \
        const half *low = (const half *)low_halves;                                                                    \
        half *d = (half *)(r + op->d);                                                                                 \
        EMU_EACH(k, 2 * EMU_WARP)                                                                                      \
        {                                                                                                              \
            d[k] = name##_of(a[k], b[k], c[k]) & low[k];                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    EMU_LANES_BY(name)

EMU_U16(mul_lo_u16, TWO, ra *rb)
PRODUCT_32(mul_lo_u32, a, a *b)
EMU_U64(mul_lo_u64, TWO, ra *rb)
static emu_handler *const mul_lo[6] = { mul_lo_u16, mul_lo_u32, mul_lo_u64, mul_lo_u16, mul_lo_u32, mul_lo_u64 };
EMU_U16(mad_lo_u16, THREE, ra *rb + rc)
PRODUCT_32(mad_lo_u32, c, a *b + c)
EMU_U64(mad_lo_u64, THREE, ra *rb + rc)
static emu_handler *const mad_lo[6] = { mad_lo_u16, mad_lo_u32, mad_lo_u64, mad_lo_u16, mad_lo_u32, mad_lo_u64 };

EMU_INTS(mul_hi, TWO, ((W)a * (W)b) >> BITS)
EMU_INTS(mad_hi, THREE, (((W)a * (W)b) >> BITS) + (W)c)
EMU_INTS(minimum, TWO, a < b ? a : b)
EMU_INTS(maximum, TWO, a > b ? a : b)
EMU_INTS(sad, THREE, uc + (a > b ? ua - ub : ub - ua))
EMU_SIZES(negate, ONE, 0 - ra)
EMU_SIZES(absolute, ONE, ua >> (BITS - 1) ? 0 - ua : ua)

/* PTX leaves division by zero to the machine. Here quotient and remainder are all ones, as Direct3D demands of unsigned
 * division on the same machines. The most negative value divided by -1 is itself. */
EMU_INTS(divide, TWO, !b ? (U)~0ull : SIGNED && ub == (U)~0ull ? (U)(0 - ua) : (U)(a / b))
EMU_INTS(modulo, TWO, !b ? (U)~0ull : SIGNED && ub == (U)~0ull ? (U)0 : (U)(a % b))

/* ---- wide products ----------------------------------------------------------------------------------------------- */

#define WIDE(name, type, wide, result, e)                                                                              \
    static inline uint64_t name##_value(const struct emu_lane *t, const struct emu_op *op)                             \
    {                                                                                                                  \
        const wide product = (wide)((wide)(type)t->r[op->a] * (wide)(type)t->r[op->b]);                                \
        return (result)(e);                                                                                            \
    }                                                                                                                  \
    EMU_LANES(name)
WIDE(mul_wide_u16, uint16_t, uint32_t, uint32_t, product)
WIDE(mul_wide_s16, int16_t, int32_t, uint32_t, product)
WIDE(mul_wide_u32, uint32_t, uint64_t, uint64_t, product)
WIDE(mul_wide_s32, int32_t, int64_t, uint64_t, product)
WIDE(mad_wide_u16, uint16_t, uint32_t, uint32_t, product + (uint32_t)t->r[op->c])
WIDE(mad_wide_s16, int16_t, int32_t, uint32_t, (uint32_t)product + (uint32_t)t->r[op->c])
WIDE(mad_wide_u32, uint32_t, uint64_t, uint64_t, product + t->r[op->c])
WIDE(mad_wide_s32, int32_t, int64_t, uint64_t, (uint64_t)product + t->r[op->c])

static emu_handler *const mul_wide[6] = {
    [EMU_I_U16] = mul_wide_u16, [EMU_I_U32] = mul_wide_u32, [EMU_I_S16] = mul_wide_s16, [EMU_I_S32] = mul_wide_s32
};
static emu_handler *const mad_wide[6] = {
    [EMU_I_U16] = mad_wide_u16, [EMU_I_U32] = mad_wide_u32, [EMU_I_S16] = mad_wide_s16, [EMU_I_S32] = mad_wide_s32
};

/* 24-bit operands: the low 32 bits of the 48-bit product, or its bits 16 to 47. */
static uint32_t low_24(uint32_t x)
{
    return x & 0xffffffu;
}

static int64_t sign_24(uint32_t x)
{
    return (int32_t)(x << 8) >> 8;
}

EMU_U32(mul24_lo_u, TWO, low_24(ua) * low_24(ub))
EMU_U32(mul24_hi_u, TWO, ((uint64_t)low_24(ua) * low_24(ub)) >> 16)
EMU_U32(mul24_lo_s, TWO, sign_24(ua) * sign_24(ub))
EMU_U32(mul24_hi_s, TWO, (sign_24(ua) * sign_24(ub)) >> 16)
EMU_U32(mad24_lo_u, THREE, low_24(ua) * low_24(ub) + uc)
EMU_U32(mad24_hi_u, THREE, (((uint64_t)low_24(ua) * low_24(ub)) >> 16) + uc)
EMU_U32(mad24_lo_s, THREE, sign_24(ua) * sign_24(ub) + c)
EMU_U32(mad24_hi_s, THREE, ((sign_24(ua) * sign_24(ub)) >> 16) + c)

/* ---- saturation -------------------------------------------------------------------------------------------------- */

static int64_t saturate(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

EMU_S32(add_sat, TWO, saturate((W)a + b))
EMU_S32(sub_sat, TWO, saturate((W)a - b))
EMU_S32(mad_hi_sat, THREE, saturate((((W)a * b) >> 32) + c))
EMU_S32(mad24_hi_sat, THREE, saturate(((sign_24(ua) * sign_24(ub)) >> 16) + c))

/* ---- carries. A difference is the sum with the complement and 1, so a subtraction sets the flag where it borrows
 * nothing; chains of subtractions alone cannot see the difference.
 * ------------------------------------------------------------------------ */

static uint64_t sum_with_carry(struct emu_thread *t, const struct emu_op *op, uint64_t x, uint64_t y, unsigned bits,
                               unsigned carry)
{
    const emu_u128 sum =
        (emu_u128)emu_low(x, bits / 8) + emu_low(y, bits / 8) + (op->sum.carries_in ? t->carry : carry);

    if (op->sum.carries_out)
        t->carry = (sum >> bits) & 1;
    return (uint64_t)sum;
}

/* Handlers of x + y + carry in the type of `types`; the carry is the flag if the instruction reads it, else `carry`.
 */
#define CHAIN(name, types, reads, x, y, carry) types(name, reads, sum_with_carry(t, op, x, y, BITS, carry))
#define U32(name, reads, e)                    EMU_HANDLER_OF_THREAD(name, uint32_t, uint32_t, uint64_t, 0, reads, e)
#define S32(name, reads, e)                    EMU_HANDLER_OF_THREAD(name, int32_t, uint32_t, int64_t, 1, reads, e)
#define U64(name, reads, e)                    EMU_HANDLER_OF_THREAD(name, uint64_t, uint64_t, emu_u128, 0, reads, e)
#define S64(name, reads, e)                    EMU_HANDLER_OF_THREAD(name, int64_t, uint64_t, emu_s128, 1, reads, e)

CHAIN(chain_add_32, U32, TWO, ua, ub, 0)
CHAIN(chain_add_64, U64, TWO, ua, ub, 0)
CHAIN(chain_sub_32, U32, TWO, ua, ~ub, 1)
CHAIN(chain_sub_64, U64, TWO, ua, ~ub, 1)
CHAIN(chain_lo_32, U32, THREE, (U)(ua *ub), uc, 0)
CHAIN(chain_lo_64, U64, THREE, (U)(ua *ub), uc, 0)
CHAIN(chain_hi_u32, U32, THREE, (uint64_t)(((W)a * (W)b) >> BITS), uc, 0)
CHAIN(chain_hi_s32, S32, THREE, (uint64_t)(((W)a * (W)b) >> BITS), uc, 0)
CHAIN(chain_hi_u64, U64, THREE, (uint64_t)(((W)a * (W)b) >> BITS), uc, 0)
CHAIN(chain_hi_s64, S64, THREE, (uint64_t)(((W)a * (W)b) >> BITS), uc, 0)

static emu_handler *const chain_add[6] = { NULL, chain_add_32, chain_add_64, NULL, chain_add_32, chain_add_64 };
static emu_handler *const chain_sub[6] = { NULL, chain_sub_32, chain_sub_64, NULL, chain_sub_32, chain_sub_64 };
static emu_handler *const chain_lo[6] = { NULL, chain_lo_32, chain_lo_64, NULL, chain_lo_32, chain_lo_64 };
static emu_handler *const chain_hi[6] = { NULL, chain_hi_u32, chain_hi_u64, NULL, chain_hi_s32, chain_hi_s64 };

/* ---- pairs of 16-bit values -------------------------------------------------------------------------------------- */

#define PAIR(name, type, e)                                                                                            \
    static uint32_t name##_half(type a, type b)                                                                        \
    {                                                                                                                  \
        return (uint16_t)(e);                                                                                          \
    }                                                                                                                  \
    EMU_U32(name, TWO, name##_half((type)ua, (type)ub) | name##_half((type)(ua >> 16), (type)(ub >> 16)) << 16)
PAIR(add_16x2, uint16_t, a + b)
PAIR(min_u16x2, uint16_t, a < b ? a : b)
PAIR(max_u16x2, uint16_t, a > b ? a : b)
PAIR(min_s16x2, int16_t, a < b ? a : b)
PAIR(max_s16x2, int16_t, a > b ? a : b)
PAIR(min_relu_s16x2, int16_t, a < 0 || b < 0 ? 0 : a < b ? a : b)
PAIR(max_relu_s16x2, int16_t, a < 0 && b < 0 ? 0 : a > b ? a : b)
EMU_S32(min_relu, TWO, a < 0 || b < 0 ? 0 : a < b ? a : b)
EMU_S32(max_relu, TWO, a < 0 && b < 0 ? 0 : a > b ? a : b)

/* ---- dot products ------------------------------------------------------------------------------------------------ */

static int32_t part(uint32_t word, unsigned bits, unsigned k, bool is_signed)
{
    const uint32_t low = word >> bits * k << (32 - bits);

    return is_signed ? (int32_t)low >> (32 - bits) : (int32_t)(low >> (32 - bits));
}

static void dp4a(struct emu_thread *t, const struct emu_op *op)
{
    const uint32_t a = (uint32_t)t->r[op->a], b = (uint32_t)t->r[op->b];
    uint32_t sum = (uint32_t)t->r[op->c];

    for (unsigned k = 0; k < 4; k++)
        sum += (uint32_t)(part(a, 8, k, op->sum.signed_a) * part(b, 8, k, op->sum.signed_b));
    t->r[op->d] = sum;
}

/* The two halves of a with the low or the high two bytes of b. */
static void dp2a(struct emu_thread *t, const struct emu_op *op)
{
    const uint32_t a = (uint32_t)t->r[op->a], b = (uint32_t)t->r[op->b];
    uint32_t sum = (uint32_t)t->r[op->c];

    for (unsigned k = 0; k < 2; k++)
        sum += (uint32_t)(part(a, 16, k, op->sum.signed_a) * part(b, 8, k + op->sum.first, op->sum.signed_b));
    t->r[op->d] = sum;
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

static emu_handler *of(emu_handler *const table[6], enum emu_int type)
{
    return type == EMU_I_NONE ? NULL : table[type];
}

static bool is_pair(uint16_t type)
{
    return type == PTX_u16x2 || type == PTX_s16x2;
}

static emu_handler *decode_sum(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const enum emu_int type = emu_int_of(i->type[0]);
    const bool adds = i->op == OP_add || i->op == OP_addc;

    op->sum.carries_in = i->op == OP_addc || i->op == OP_subc;
    op->sum.carries_out = ptx_has(m, i, PTX_cc);
    if (op->sum.carries_in || op->sum.carries_out)
        return of(adds ? chain_add : chain_sub, type);
    if (is_pair(i->type[0]))
        return adds ? add_16x2 : NULL;
    if (ptx_has(m, i, PTX_sat))
        return type != EMU_I_S32 ? NULL : adds ? add_sat : sub_sat;
    return of(adds ? add : sub, type);
}

static emu_handler *decode_mad(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const enum emu_int type = emu_int_of(i->type[0]);
    const bool high = ptx_has(m, i, PTX_hi);

    if (type == EMU_I_NONE)
        return NULL;
    op->sum.carries_in = i->op == OP_madc;
    op->sum.carries_out = ptx_has(m, i, PTX_cc);
    if (op->sum.carries_in || op->sum.carries_out)
        return (high ? chain_hi : chain_lo)[type];
    if (ptx_has(m, i, PTX_wide)) {
        op->c = emu_slot_as(m, i, 3, op->size == 2 ? PTX_b32 : PTX_b64);
        return mad_wide[type];
    }
    if (ptx_has(m, i, PTX_sat))
        return type == EMU_I_S32 && high ? mad_hi_sat : NULL;
    return (high ? mad_hi : mad_lo)[type];
}

static emu_handler *decode_mul24(const struct ptx_module *m, const struct ptx_instruction *i)
{
    /* by signedness and half */
    static emu_handler *const mul[2][2] = { { mul24_lo_u, mul24_hi_u }, { mul24_lo_s, mul24_hi_s } };
    static emu_handler *const mad[2][2] = { { mad24_lo_u, mad24_hi_u }, { mad24_lo_s, mad24_hi_s } };
    const bool high = ptx_has(m, i, PTX_hi);

    if (ptx_has(m, i, PTX_sat))
        return mad24_hi_sat;
    return (i->op == OP_mul24 ? mul : mad)[i->type[0] == PTX_s32][high];
}

static emu_handler *decode_extreme(const struct ptx_module *m, const struct ptx_instruction *i)
{
    const bool relu = ptx_has(m, i, PTX_relu), min = i->op == OP_min;

    switch (i->type[0]) {
    case PTX_u16x2: return min ? min_u16x2 : max_u16x2;
    case PTX_s16x2:
        if (relu)
            return min ? min_relu_s16x2 : max_relu_s16x2;
        return min ? min_s16x2 : max_s16x2;
    case PTX_s32:
        if (relu)
            return min ? min_relu : max_relu;
        break;
    default: break;
    }
    return of(min ? minimum : maximum, emu_int_of(i->type[0]));
}

static emu_handler *decode_dot(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    op->sum.signed_a = i->type[0] == PTX_s32;
    op->sum.signed_b = i->type[1] == PTX_s32;
    op->sum.first = ptx_has(m, i, PTX_hi) ? 2 : 0;
    return i->op == OP_dp4a ? dp4a : dp2a;
}

emu_handler *emu_decode_integer(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const enum emu_int type = emu_int_of(i->type[0]);

    switch (i->op) {
    case OP_add:
    case OP_sub:
    case OP_addc:
    case OP_subc: return decode_sum(m, i, op);
    case OP_mul:
        if (ptx_has(m, i, PTX_wide))
            return of(mul_wide, type);
        return of(ptx_has(m, i, PTX_hi) ? mul_hi : mul_lo, type);
    case OP_mad:
    case OP_madc: return decode_mad(m, i, op);
    case OP_mul24:
    case OP_mad24: return decode_mul24(m, i);
    case OP_sad: return of(sad, type);
    case OP_div: return of(divide, type);
    case OP_rem: return of(modulo, type);
    case OP_abs: return of(absolute, type);
    case OP_neg: return of(negate, type);
    case OP_min:
    case OP_max: return decode_extreme(m, i);
    case OP_dp4a:
    case OP_dp2a: return decode_dot(m, i, op);
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
