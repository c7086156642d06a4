/* Sums, products and fused products of f16 and bf16, and of pairs of them, rounded to nearest even, by the host's
 * double precision. A product of two is exact there. What a sum leaves off makes its last digit odd ("rounding to odd",
 * Boldo and Melquiond, Emulation of FMA and Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd, 2008), so
 * that it is rounded once. */
#include "harness/emu/instructions/alu/halves.h"

#include <string.h>

#include "harness/emu/instructions/alu/lanes.h"

enum { DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023, DOUBLE_TOP = 2047, WIDTH = 16, NAN_BITS = 0x7fff, FOUR = 4 };

/* Four lanes at a time: bits, and values. A comparison gives all ones where it holds. */
typedef uint64_t __attribute__((vector_size(32))) bits;
typedef int64_t __attribute__((vector_size(32))) numbers;
typedef double __attribute__((vector_size(32))) values;

#define EACH static inline __attribute__((always_inline))

/* Two to a power, as bits of a double. */
#define POWER(k) ((uint64_t)(DOUBLE_BIAS + (k)) << DOUBLE_FRACTION)

EACH bits either(bits first, bits a, bits b)
{
    return (a & first) | (b & ~first);
}

EACH bits below(bits a, uint64_t b) /* both less than 2^63 */
{
    return (bits)((numbers)a < (int64_t)b);
}

/* The values of the lowest 16 bits. `fraction` is how many bits that has; `bias`, of the exponent. */
EACH values value_of(bits of, unsigned fraction, int bias)
{
    const bits body = of & 0x7fff, exponent = body >> fraction;
    const uint64_t top = (uint64_t)0x7fff >> fraction, up = (uint64_t)(DOUBLE_BIAS - bias), most = DOUBLE_TOP - top;
    const bits raised = ((bits)(exponent == top) & (most - up)) + up;
    const bits whole = (body << (DOUBLE_FRACTION - fraction)) + (raised << DOUBLE_FRACTION);
    /* an integer below the digits of 2^52 is one above them */
    const values integer = (values)(body | POWER(DOUBLE_FRACTION)) - 0x1p52;
    const values unit = (values)((bits){ 0 } + POWER(1 - bias - (int)fraction));

    return (values)(either((bits)(exponent == 0), (bits)(integer * unit), whole) | (of & 0x8000) << 48);
}

/* Values, rounded. */
EACH bits rounded(bits of, unsigned fraction, int bias)
{
    const unsigned off = DOUBLE_FRACTION - fraction;
    const uint64_t infinite = (uint64_t)0x7fff >> fraction << fraction, sign = (uint64_t)1 << 63;
    const bits body = of & ~sign;
    const bits whole = ((body + (((uint64_t)1 << (off - 1)) - 1) + (body >> off & 1)) >> off) -
                       ((uint64_t)(DOUBLE_BIAS - bias) << fraction);
    /* what lies below the last digit of this number is below the smallest one of the format */
    const values large = (values)((bits){ 0 } + POWER(DOUBLE_FRACTION + 1 - bias - (int)fraction));
    const bits small = (bits)((values)body + large) & 0xffff;
    const bits limited = either(below(whole, infinite), whole, (bits){ 0 } + infinite);
    const bits number = either(below(body, POWER(1 - bias)), small, limited) | (of & sign) >> (63 - (WIDTH - 1));

    return either(below(body, ((uint64_t)DOUBLE_TOP << DOUBLE_FRACTION) + 1), number, (bits){ 0 } + NAN_BITS);
}

EACH bits sum_of(values x, values y)
{
    const values sum = x + y, part = sum - x, rest = (x - (sum - part)) + (y - part);
    const bits of = (bits)sum, even = (bits)((of & 1) == 0), some = (bits)(rest > 0) | (bits)(rest < 0);
    const bits down = (bits)(rest > 0) ^ (bits)(sum > 0); /* all ones is -1 */

    return of + ((down | 1) & even & some);
}

#define ADD(a, b, c, F, B) sum_of(value_of(a, F, B), value_of(b, F, B))
#define SUB(a, b, c, F, B) sum_of(value_of(a, F, B), -value_of(b, F, B))
#define MUL(a, b, c, F, B) (bits)(value_of(a, F, B) * value_of(b, F, B))
#define FMA(a, b, c, F, B) sum_of(value_of(a, F, B) * value_of(b, F, B), value_of(c, F, B))

EACH bits four_of(const uint64_t *r)
{
    bits of;

    memcpy(&of, r, sizeof of);
    return of;
}

/* Handlers of lanes, made from name_four, a function of four of them; and of one thread, whose pair is two of four
 * numbers that `one` takes. */
#define FOURS(name, one, third, two)                                                                                   \
    EACH void name##_each(uint64_t *r, const struct emu_op *op, const uint64_t *on)                                    \
    {                                                                                                                  \
        uint64_t *d = r + op->d;                                                                                       \
        for (unsigned i = 0; i < EMU_WARP; i += FOUR) {                                                                \
            bits out = name##_four(four_of(r + op->a + i), four_of(r + op->b + i), four_of(r + op->third + i));        \
            if (on)                                                                                                    \
                out = either((bits)(four_of(on + i) != 0), out, four_of(d + i));                                       \
            memcpy(d + i, &out, sizeof out);                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    EACH void name##_one(uint64_t *r, const struct emu_op *op)                                                         \
    {                                                                                                                  \
        const bits out = one((bits){ r[op->a], r[op->a] >> WIDTH }, (bits){ r[op->b], r[op->b] >> WIDTH },             \
                             (bits){ r[op->third], r[op->third] >> WIDTH });                                           \
        r[op->d] = two ? out[0] | out[1] << WIDTH : out[0];                                                            \
    }                                                                                                                  \
    EMU_IF_AVX2(EMU_AVX2 static void name##_one_avx2(uint64_t *r, const struct emu_op *op) { name##_one(r, op); })     \
    static void name(struct emu_thread *t, const struct emu_op *op)                                                    \
    {                                                                                                                  \
        EMU_IF_AVX2(if (emu_has_avx2()) {                                                                              \
            name##_one_avx2(t->r, op);                                                                                 \
            return;                                                                                                    \
        })                                                                                                             \
        name##_one(t->r, op);                                                                                          \
    }                                                                                                                  \
    static void name##_any(uint64_t *r, const struct emu_op *op, const uint64_t *on)                                   \
    {                                                                                                                  \
        name##_each(r, op, on);                                                                                        \
    }                                                                                                                  \
    EMU_IF_AVX2(EMU_AVX2 static void name##_avx2(uint64_t *r, const struct emu_op *op, const uint64_t *on) {           \
        name##_each(r, op, on);                                                                                        \
    })                                                                                                                 \
    EMU_LANES_ENTRY(name)

/* Of one number, and of a pair. */
#define HALVES(name, OPERATION, third, F, B)                                                                           \
    EACH bits name##_four(bits a, bits b, bits c)                                                                      \
    {                                                                                                                  \
        (void)c;                                                                                                       \
        return rounded(OPERATION(a, b, c, F, B), F, B);                                                                \
    }                                                                                                                  \
    EACH bits name##x2_four(bits a, bits b, bits c)                                                                    \
    {                                                                                                                  \
        return name##_four(a, b, c) | name##_four(a >> WIDTH, b >> WIDTH, c >> WIDTH) << WIDTH;                        \
    }                                                                                                                  \
    FOURS(name, name##_four, third, false)                                                                             \
    FOURS(name##x2, name##_four, third, true)

enum { F16_FRACTION = 10, F16_BIAS = 15, BF16_FRACTION = 7, BF16_BIAS = 127 };

HALVES(add_f16, ADD, b, F16_FRACTION, F16_BIAS)
HALVES(sub_f16, SUB, b, F16_FRACTION, F16_BIAS)
HALVES(mul_f16, MUL, b, F16_FRACTION, F16_BIAS)
HALVES(fused_f16, FMA, c, F16_FRACTION, F16_BIAS)
HALVES(add_bf16, ADD, b, BF16_FRACTION, BF16_BIAS)
HALVES(sub_bf16, SUB, b, BF16_FRACTION, BF16_BIAS)
HALVES(mul_bf16, MUL, b, BF16_FRACTION, BF16_BIAS)
HALVES(fused_bf16, FMA, c, BF16_FRACTION, BF16_BIAS)

emu_handler *alu_halves(uint16_t op, bool bf16, bool pair)
{
    switch (op) {
    case OP_add: return bf16 ? pair ? add_bf16x2 : add_bf16 : pair ? add_f16x2 : add_f16;
    case OP_sub: return bf16 ? pair ? sub_bf16x2 : sub_bf16 : pair ? sub_f16x2 : sub_f16;
    case OP_mul: return bf16 ? pair ? mul_bf16x2 : mul_bf16 : pair ? mul_f16x2 : mul_f16;
    case OP_fma:
    case OP_mad: return bf16 ? pair ? fused_bf16x2 : fused_bf16 : pair ? fused_f16x2 : fused_f16;
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
