/* neg and abs of f32 and f64, min and max of f32, by many lanes at a time. PTX ISA: a number wins over a NaN, and -0 is
 * below +0. A NaN becomes the one of its format; of f64 it keeps its sign and its fraction, and is quiet. */
#include "harness/emu/instructions/alu/signs.h"

#include "harness/emu/instructions/alu/lanes.h"

#define SIGN_32   0x80000000u
#define NAN_32    0x7fffffffu
#define ABOVE_32  0x7f800000u /* the bits of a NaN without a sign are larger */
#define SIGN_64   0x8000000000000000u
#define QUIET_64  0x0008000000000000u
#define ABOVE_64  0x7ff0000000000000u
#define EACH_SIGN static inline __attribute__((always_inline))

/* Not a branch, which would keep lanes apart. */
EACH_SIGN uint32_t either_32(bool first, uint32_t a, uint32_t b)
{
    const uint32_t mask = -(uint32_t)first;

    return (a & mask) | (b & ~mask);
}

EACH_SIGN uint64_t either_64(bool first, uint64_t a, uint64_t b)
{
    const uint64_t mask = -(uint64_t)first;

    return (a & mask) | (b & ~mask);
}

EACH_SIGN bool is_nan_32(uint32_t bits)
{
    return (int32_t)(bits & ~SIGN_32) > (int32_t)ABOVE_32;
}

EACH_SIGN bool is_nan_64(uint64_t bits)
{
    return (int64_t)(bits & ~SIGN_64) > (int64_t)ABOVE_64;
}

/* In the order of values. */
EACH_SIGN int32_t order_of(uint32_t bits)
{
    return (int32_t)(bits ^ (-(bits >> 31) >> 1));
}

EACH_SIGN uint64_t neg_f32_value(const struct emu_lane *t, const struct emu_op *op)
{
    const uint32_t a = (uint32_t)t->r[op->a];

    return either_32(is_nan_32(a), NAN_32, a ^ SIGN_32);
}
EMU_LANES(neg_f32)

EACH_SIGN uint64_t abs_f32_value(const struct emu_lane *t, const struct emu_op *op)
{
    const uint32_t a = (uint32_t)t->r[op->a];

    return either_32(is_nan_32(a), NAN_32, a & ~SIGN_32);
}
EMU_LANES(abs_f32)

EACH_SIGN uint64_t neg_f64_value(const struct emu_lane *t, const struct emu_op *op)
{
    const uint64_t a = t->r[op->a];

    return either_64(is_nan_64(a), a | QUIET_64, a ^ SIGN_64);
}
EMU_LANES(neg_f64)

EACH_SIGN uint64_t abs_f64_value(const struct emu_lane *t, const struct emu_op *op)
{
    const uint64_t a = t->r[op->a];

    return either_64(is_nan_64(a), a | QUIET_64, a & ~SIGN_64);
}
EMU_LANES(abs_f64)

/* The first is taken where it is the one that is asked for. */
EACH_SIGN uint32_t extreme_of(uint32_t a, uint32_t b, bool first)
{
    const uint32_t number = either_32(first, a, b);
    const uint32_t any = either_32(is_nan_32(a), b, either_32(is_nan_32(b), a, number));

    return either_32(is_nan_32(any), NAN_32, any);
}

EACH_SIGN uint64_t min_f32_value(const struct emu_lane *t, const struct emu_op *op)
{
    const uint32_t a = (uint32_t)t->r[op->a], b = (uint32_t)t->r[op->b];

    return extreme_of(a, b, order_of(a) < order_of(b));
}
EMU_LANES(min_f32)

EACH_SIGN uint64_t max_f32_value(const struct emu_lane *t, const struct emu_op *op)
{
    const uint32_t a = (uint32_t)t->r[op->a], b = (uint32_t)t->r[op->b];

    return extreme_of(a, b, order_of(a) > order_of(b));
}
EMU_LANES(max_f32)

emu_handler *alu_signs(uint16_t op, bool f64)
{
    switch (op) {
    case OP_neg: return f64 ? neg_f64 : neg_f32;
    case OP_abs: return f64 ? abs_f64 : abs_f32;
    case OP_min: return f64 ? NULL : min_f32;
    case OP_max: return f64 ? NULL : max_f32;
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
