/* Operands of reductions. */
#include "tests/bulk_reduce/values.h"

#include <string.h>

static const struct {
    const char *text;
    struct reduction reduction;
} reductions[] = {
#define ROW(op, type, text) { text, { REDUCE_##op, REDUCE_##type } },
    REDUCTIONS_TO_GLOBAL(ROW)
#undef ROW
};

uint32_t bulk_reduction_of(struct ck *t)
{
    for (uint32_t i = 0; i + 1 < BULK_REDUCTIONS; i++)
        if (ck_is(t, "reduction", reductions[i].text))
            return i;
    return BULK_REDUCTIONS - 1;
}

struct reduction reduction_of(uint32_t reduction)
{
    return reductions[reduction].reduction;
}

static uint32_t number_of(enum reduce_op op, enum reduce_type type)
{
    uint32_t i = 0;

    while (i + 1 < BULK_REDUCTIONS && (reductions[i].reduction.op != op || reductions[i].reduction.type != type))
        i++;
    return i;
}

uint32_t other_reduction(uint32_t reduction)
{
    const struct reduction r = reductions[reduction].reduction;
    const bool wide = reduce_size(r.type) == 8;

    switch (r.op) {
    case REDUCE_MIN: return number_of(REDUCE_MAX, r.type);
    case REDUCE_MAX: return number_of(REDUCE_MIN, r.type);
    case REDUCE_INC: return BULK_DEC_U32;
    case REDUCE_DEC: return BULK_INC_U32;
    case REDUCE_AND: return number_of(REDUCE_OR, r.type);
    case REDUCE_OR:
    case REDUCE_XOR: return number_of(REDUCE_AND, r.type);
    default: return wide ? BULK_XOR_B64 : BULK_XOR_B32;
    }
}

void reduce_repeat(enum reduce_type type, unsigned char *to, uint64_t element, size_t bytes)
{
    const size_t size = reduce_size(type);

    for (size_t i = 0; i + size <= bytes; i += size)
        memcpy(to + i, &element, size);
}

static uint64_t cut(enum reduce_type type, uint64_t bits)
{
    return reduce_size(type) == 8 ? bits : bits & ((UINT64_C(1) << 8 * reduce_size(type)) - 1);
}

/* ---- special values --------------------------------------------------------------------------------------------- */

enum { EDGES = 16 };

static uint64_t integer_edge(enum reduce_type type, unsigned i)
{
    const uint64_t sign = UINT64_C(1) << (8 * reduce_size(type) - 1);
    const uint64_t edges[EDGES] = { 0,
                                    1,
                                    2,
                                    3,
                                    sign - 2,
                                    sign - 1,
                                    sign,
                                    sign + 1,
                                    UINT64_MAX - 2,
                                    UINT64_MAX - 1,
                                    UINT64_MAX,
                                    0xFFFF,
                                    0x10000,
                                    sign >> (4 * reduce_size(type)),
                                    0x5555555555555555,
                                    0xAAAAAAAAAAAAAAAA };

    return cut(type, edges[i]);
}

/* Zeros, subnormal and normal numbers at the ends of their ranges, and numbers near 1 with addends of half a unit in
 * the last place and a little more or less. Every other one is negative. */
static uint64_t float_edge(enum reduce_type type, unsigned i)
{
    const unsigned fraction = reduce_fraction_bits(type), width = (unsigned)(8 * reduce_size(type));
    const uint64_t unit = UINT64_C(1) << fraction, exponents = (UINT64_C(1) << (width - 1)) - unit;
    const uint64_t one = (exponents >> 1) / unit * unit, half_a_unit = one - (fraction + 1) * unit;
    const uint64_t edges[EDGES / 2] = {
        0, 1, unit - 1, unit, one, one + 1, half_a_unit, exponents - 1,
    };
    const uint64_t more[EDGES / 2] = {
        one + 2, half_a_unit + 1, half_a_unit - 1, one - unit, 2 * unit, one | (unit - 1), exponents, one + unit,
    };
    const uint64_t bits = i < EDGES / 2 ? edges[i] : more[i - EDGES / 2];

    return bits | (uint64_t)(i & 1) << (width - 1);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------ */

/* Whether the documents say what comes out, to the bit. */
static bool is_fixed(struct reduction r, uint64_t old, uint64_t by)
{
    const uint64_t out = reduce_element(r, old, by);
    const enum reduce_class a = reduce_class_of(r.type, old), b = reduce_class_of(r.type, by),
                            c = reduce_class_of(r.type, out);

    if (a == REDUCE_NAN || b == REDUCE_NAN || c == REDUCE_NAN)
        return false;
    if (r.type == REDUCE_F32 && (a == REDUCE_SUBNORMAL || b == REDUCE_SUBNORMAL || c == REDUCE_SUBNORMAL))
        return false;
    return r.op == REDUCE_ADD || a != REDUCE_ZERO || b != REDUCE_ZERO || old == by;
}

static void draw(struct ck *t, struct reduction r, const char *how, size_t i, uint64_t *old, uint64_t *by)
{
    const bool real = reduce_is_float(r.type);

    *old = cut(r.type, ck_random(t));
    *by = cut(r.type, ck_random(t));
    if (!strcmp(how, "near")) {
        const uint64_t random = ck_random(t);
        *by = *old + (random & 7) - 3;
        if (real) /* another exponent near by, and as often as not the other sign: rounding, or cancellation */
            *by = (*by + ((random >> 8 & 15) << reduce_fraction_bits(r.type)) -
                   (UINT64_C(8) << reduce_fraction_bits(r.type))) ^
                  (random >> 16 & 1) << (8 * reduce_size(r.type) - 1);
        *by = cut(r.type, *by);
    } else if (!strcmp(how, "edges")) {
        const unsigned a = (unsigned)(i % EDGES), b = (unsigned)((i + i / EDGES) % EDGES);
        *old = real ? float_edge(r.type, a) : integer_edge(r.type, a);
        *by = real ? float_edge(r.type, b) : integer_edge(r.type, b);
    }
}

void reduce_operands(struct ck *t, struct reduction r, const char *how, unsigned char *old, unsigned char *by,
                     size_t bytes)
{
    const size_t size = reduce_size(r.type);
    const size_t from = ck_random(t) % ((size_t)EDGES * EDGES);

    for (size_t i = 0; i + size <= bytes; i += size) {
        uint64_t a, b;
        draw(t, r, how, from + i / size, &a, &b);
        while (reduce_is_float(r.type) && !is_fixed(r, a, b))
            draw(t, r, "random", 0, &a, &b);
        memcpy(old + i, &a, size);
        memcpy(by + i, &b, size);
    }
}
// SPDX-License-Identifier: Apache-2.0
