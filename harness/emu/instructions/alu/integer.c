/* Integer arithmetic. PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic". */
#include "harness/emu/instructions/alu/integer.h"

EMU_SIZES(add, UA + UB)
EMU_SIZES(sub, UA - UB)
EMU_SIZES(mul_lo, t->r[op->a] * t->r[op->b])
EMU_SIZES(mad_lo, t->r[op->a] * t->r[op->b] + t->r[op->c])
EMU_INTS(mul_hi, ((W)A * (W)B) >> BITS)
EMU_INTS(mad_hi, (((W)A * (W)B) >> BITS) + (W)C)
EMU_INTS(minimum, A < B ? A : B)
EMU_INTS(maximum, A > B ? A : B)
EMU_INTS(sad, UC + (A > B ? UA - UB : UB - UA))
EMU_SIZES(negate, 0 - UA)
EMU_SIZES(absolute, UA >> (BITS - 1) ? 0 - UA : UA)

/* PTX leaves division by zero to the machine; here quotient and remainder are all ones, as Direct3D asks of unsigned
 * division on the same machines. The most negative value divided by -1 is itself. */
EMU_INTS(divide, !B ? (U)~0ull : SIGNED && UB == (U)~0ull ? (U)(0 - UA) : (U)(A / B))
EMU_INTS(modulo, !B ? (U)~0ull : SIGNED && UB == (U)~0ull ? (U)0 : (U)(A % B))

/* ---- wide products ----------------------------------------------------------------------------------------------- */

#define WIDE(name, type, wide, result, e)                                                                              \
    static void name(struct emu_thread *t, const struct emu_op *op)                                                    \
    {                                                                                                                  \
        const wide product = (wide)((wide)(type)t->r[op->a] * (wide)(type)t->r[op->b]);                                \
        t->r[op->d] = (result)(e);                                                                                     \
    }
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
#define LOW24(x)  ((x)&0xffffffu)
#define SIGN24(x) ((int64_t)(int32_t)((uint32_t)(x) << 8) >> 8)
EMU_U32(mul24_lo_u, LOW24(UA) * LOW24(UB))
EMU_U32(mul24_hi_u, ((uint64_t)LOW24(UA) * LOW24(UB)) >> 16)
EMU_U32(mul24_lo_s, SIGN24(UA) * SIGN24(UB))
EMU_U32(mul24_hi_s, (SIGN24(UA) * SIGN24(UB)) >> 16)
EMU_U32(mad24_lo_u, LOW24(UA) * LOW24(UB) + UC)
EMU_U32(mad24_hi_u, (((uint64_t)LOW24(UA) * LOW24(UB)) >> 16) + UC)
EMU_U32(mad24_lo_s, SIGN24(UA) * SIGN24(UB) + C)
EMU_U32(mad24_hi_s, ((SIGN24(UA) * SIGN24(UB)) >> 16) + C)

/* ---- saturation -------------------------------------------------------------------------------------------------- */

static int64_t saturate(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

EMU_S32(add_sat, saturate((W)A + B))
EMU_S32(sub_sat, saturate((W)A - B))
EMU_S32(mad_hi_sat, saturate((((W)A * B) >> 32) + C))
EMU_S32(mad24_hi_sat, saturate(((SIGN24(UA) * SIGN24(UB)) >> 16) + C))

/* ---- carries: u16 says that it takes the flag, u32 that it sets it. A difference is the sum with the complement and
 * 1, so the flag of a subtraction is set where nothing is borrowed; chains of one kind cannot tell. -------------------
 */

#define CHAIN(name, type, bits, x, y, first)                                                                           \
    static void name(struct emu_thread *t, const struct emu_op *op)                                                    \
    {                                                                                                                  \
        typedef type U;                                                                                                \
        const emu_u128 sum = (emu_u128)(U)(x) + (U)(y) + (op->u16 ? t->carry : first);                                 \
        if (op->u32)                                                                                                   \
            t->carry = (sum >> bits) & 1;                                                                              \
        t->r[op->d] = (U)sum;                                                                                          \
    }
#define HIGH_U32 (((t->r[op->a] & 0xffffffffu) * (t->r[op->b] & 0xffffffffu)) >> 32)
#define HIGH_S32 (((int64_t)(int32_t)t->r[op->a] * (int32_t)t->r[op->b]) >> 32)
#define HIGH_U64 (((emu_u128)t->r[op->a] * t->r[op->b]) >> 64)
#define HIGH_S64 (((emu_s128)(int64_t)t->r[op->a] * (int64_t)t->r[op->b]) >> 64)

CHAIN(chain_add_32, uint32_t, 32, UA, UB, 0)
CHAIN(chain_add_64, uint64_t, 64, UA, UB, 0)
CHAIN(chain_sub_32, uint32_t, 32, UA, ~UB, 1)
CHAIN(chain_sub_64, uint64_t, 64, UA, ~UB, 1)
CHAIN(chain_lo_32, uint32_t, 32, UA *UB, UC, 0)
CHAIN(chain_lo_64, uint64_t, 64, UA *UB, UC, 0)
CHAIN(chain_hi_u32, uint32_t, 32, HIGH_U32, UC, 0)
CHAIN(chain_hi_s32, uint32_t, 32, HIGH_S32, UC, 0)
CHAIN(chain_hi_u64, uint64_t, 64, HIGH_U64, UC, 0)
CHAIN(chain_hi_s64, uint64_t, 64, HIGH_S64, UC, 0)

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
    EMU_U32(name, name##_half((type)UA, (type)UB) | name##_half((type)(UA >> 16), (type)(UB >> 16)) << 16)
PAIR(add_16x2, uint16_t, a + b)
PAIR(min_u16x2, uint16_t, a < b ? a : b)
PAIR(max_u16x2, uint16_t, a > b ? a : b)
PAIR(min_s16x2, int16_t, a < b ? a : b)
PAIR(max_s16x2, int16_t, a > b ? a : b)
PAIR(min_relu_s16x2, int16_t, a < 0 || b < 0 ? 0 : a < b ? a : b)
PAIR(max_relu_s16x2, int16_t, a < 0 && b < 0 ? 0 : a > b ? a : b)
EMU_S32(min_relu, A < 0 || B < 0 ? 0 : A < B ? A : B)
EMU_S32(max_relu, A < 0 && B < 0 ? 0 : A > B ? A : B)

/* ---- dot products: u16 bit 0 says that a is signed, bit 1 that b is ---------------------------------------------- */

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
        sum += (uint32_t)(part(a, 8, k, op->u16 & 1) * part(b, 8, k, op->u16 & 2));
    t->r[op->d] = sum;
}

/* The two halves of a with the low or the high (u32) two bytes of b. */
static void dp2a(struct emu_thread *t, const struct emu_op *op)
{
    const uint32_t a = (uint32_t)t->r[op->a], b = (uint32_t)t->r[op->b];
    uint32_t sum = (uint32_t)t->r[op->c];

    for (unsigned k = 0; k < 2; k++)
        sum += (uint32_t)(part(a, 16, k, op->u16 & 1) * part(b, 8, k + op->u32, op->u16 & 2));
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

    op->u16 = i->op == OP_addc || i->op == OP_subc;
    op->u32 = ptx_has(m, i, PTX_cc);
    if (op->u16 || op->u32)
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
    op->u16 = i->op == OP_madc;
    op->u32 = ptx_has(m, i, PTX_cc);
    if (op->u16 || op->u32)
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
    op->u16 = (uint16_t)((i->type[0] == PTX_s32) | (i->type[1] == PTX_s32) << 1);
    op->u32 = ptx_has(m, i, PTX_hi) ? 2 : 0;
    return i->op == OP_dp4a ? dp4a : dp2a;
}

emu_handler *emu_decode_integer(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    static emu_decode *const parts[] = { emu_decode_move, emu_decode_compare, emu_decode_bits };
    const enum emu_int type = emu_int_of(i->type[0]);
    emu_handler *run = NULL;

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
    default: break;
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts && !run; k++)
        run = parts[k](m, i, op);
    return run;
}
