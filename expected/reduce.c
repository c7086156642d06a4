/* Reductions of elements, by whole-number arithmetic alone: no answer depends on the host's floating point. */
#include "expected/reduce.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide_t;

static const struct format {
    unsigned bits, fraction; /* fraction 0: an integer */
} formats[REDUCE_TYPES] = {
    [REDUCE_U32] = { 32, 0 },  [REDUCE_S32] = { 32, 0 },  [REDUCE_U64] = { 64, 0 },  [REDUCE_S64] = { 64, 0 },
    [REDUCE_B32] = { 32, 0 },  [REDUCE_B64] = { 64, 0 },  [REDUCE_F16] = { 16, 10 }, [REDUCE_BF16] = { 16, 7 },
    [REDUCE_F32] = { 32, 23 }, [REDUCE_F64] = { 64, 52 },
};

size_t reduce_size(enum reduce_type type)
{
    return formats[type].bits / 8;
}

bool reduce_is_float(enum reduce_type type)
{
    return formats[type].fraction != 0;
}

unsigned reduce_fraction_bits(enum reduce_type type)
{
    return formats[type].fraction;
}

/* ---- floating point --------------------------------------------------------------------------------------------- */

/* A number is fraction * 2^exponent, apart from a constant that is the same for all numbers of a format: subnormal ones
 * have exponent 1 and no leading bit. */
struct number {
    bool negative;
    unsigned exponent; /* the field of the format; 1 for subnormal numbers */
    uint64_t fraction; /* with the leading bit */
};

static uint64_t low_bits(unsigned n)
{
    return (UINT64_C(1) << n) - 1;
}

static unsigned top_exponent(const struct format *f)
{
    return (1u << (f->bits - 1 - f->fraction)) - 1;
}

static unsigned exponent_of(const struct format *f, uint64_t bits)
{
    return (unsigned)(bits >> f->fraction) & top_exponent(f);
}

enum reduce_class reduce_class_of(enum reduce_type type, uint64_t bits)
{
    const struct format *f = &formats[type];
    const bool fraction = (bits & low_bits(f->fraction)) != 0;

    if (exponent_of(f, bits) == top_exponent(f))
        return fraction ? REDUCE_NAN : REDUCE_INFINITE;
    if (exponent_of(f, bits))
        return REDUCE_NORMAL;
    return fraction ? REDUCE_SUBNORMAL : REDUCE_ZERO;
}

static struct number unpack(const struct format *f, uint64_t bits)
{
    const unsigned exponent = exponent_of(f, bits);
    const uint64_t fraction = bits & low_bits(f->fraction);

    return (struct number){ .negative = bits >> (f->bits - 1) & 1,
                            .exponent = exponent ? exponent : 1,
                            .fraction = exponent ? fraction | UINT64_C(1) << f->fraction : fraction };
}

static uint64_t pack(const struct format *f, bool negative, unsigned exponent, uint64_t fraction)
{
    return (uint64_t)negative << (f->bits - 1) | (uint64_t)exponent << f->fraction | (fraction & low_bits(f->fraction));
}

/* Rounds sum * 2^(exponent - 64) to the nearest value of the format, ties to even. */
static uint64_t round_sum(const struct format *f, bool negative, unsigned exponent, wide_t sum)
{
    const wide_t leading = (wide_t)1 << (64 + f->fraction);
    uint64_t fraction, rest;

    while (sum >= 2 * leading) {
        sum = sum >> 1 | (sum & 1); /* what is shifted out still tells a tie from more than a tie */
        exponent++;
    }
    while (exponent > 1 && sum < leading) {
        sum <<= 1;
        exponent--;
    }
    fraction = (uint64_t)(sum >> 64);
    rest = (uint64_t)sum;
    if (rest > UINT64_C(1) << 63 || (rest == UINT64_C(1) << 63 && (fraction & 1)))
        fraction++;
    if (fraction >> (f->fraction + 1)) {
        fraction >>= 1;
        exponent++;
    }
    if (exponent >= top_exponent(f))
        return pack(f, negative, top_exponent(f), 0);
    return pack(f, negative, fraction >> f->fraction ? exponent : 0, fraction);
}

static uint64_t add_numbers(const struct format *f, struct number a, struct number b)
{
    const bool b_larger = b.exponent > a.exponent || (b.exponent == a.exponent && b.fraction > a.fraction);
    const struct number large = b_larger ? b : a, small = b_larger ? a : b;
    const unsigned apart = large.exponent - small.exponent;
    const wide_t first = (wide_t)large.fraction << 64;
    wide_t second = (wide_t)small.fraction << 64;

    if (apart >= 120) {
        second = second != 0;
    } else {
        const bool lost = (second & (((wide_t)1 << apart) - 1)) != 0;
        second = second >> apart | lost;
    }
    if (large.negative == small.negative)
        return round_sum(f, large.negative, large.exponent, first + second);
    if (first == second)
        return pack(f, false, 0, 0); /* a difference of zero is positive */
    return round_sum(f, large.negative, large.exponent, first - second);
}

static uint64_t add_floats(enum reduce_type type, uint64_t a, uint64_t b)
{
    const struct format *f = &formats[type];
    const enum reduce_class of_a = reduce_class_of(type, a), of_b = reduce_class_of(type, b);

    if (of_a == REDUCE_NAN || of_b == REDUCE_NAN || (of_a == REDUCE_INFINITE && of_b == REDUCE_INFINITE && a != b))
        return pack(f, false, top_exponent(f), low_bits(f->fraction));
    if (of_a == REDUCE_INFINITE || of_b == REDUCE_INFINITE)
        return of_a == REDUCE_INFINITE ? a : b;
    return add_numbers(f, unpack(f, a), unpack(f, b));
}

/* The place of a number in the order of all numbers of its format. */
static int64_t place_of(const struct format *f, uint64_t bits)
{
    const uint64_t magnitude = bits & low_bits(f->bits - 1);

    return bits >> (f->bits - 1) & 1 ? -(int64_t)magnitude : (int64_t)magnitude;
}

static uint64_t lesser_float(enum reduce_type type, uint64_t a, uint64_t b, bool greater)
{
    const struct format *f = &formats[type];

    if (reduce_class_of(type, a) == REDUCE_NAN || reduce_class_of(type, b) == REDUCE_NAN)
        return reduce_class_of(type, a) == REDUCE_NAN ? b : a;
    return (place_of(f, a) < place_of(f, b)) != greater ? a : b;
}

/* ---- all types -------------------------------------------------------------------------------------------------- */

static bool is_less(enum reduce_type type, uint64_t a, uint64_t b)
{
    if (type == REDUCE_S32)
        return (int32_t)a < (int32_t)b;
    if (type == REDUCE_S64)
        return (int64_t)a < (int64_t)b;
    return a < b;
}

uint64_t reduce_element(struct reduction r, uint64_t old, uint64_t by)
{
    const uint64_t all = formats[r.type].bits == 64 ? UINT64_MAX : low_bits(formats[r.type].bits);

    switch (r.op) {
    case REDUCE_ADD: return reduce_is_float(r.type) ? add_floats(r.type, old, by) : (old + by) & all;
    case REDUCE_MIN:
    case REDUCE_MAX:
        if (reduce_is_float(r.type))
            return lesser_float(r.type, old, by, r.op == REDUCE_MAX);
        return is_less(r.type, old, by) == (r.op == REDUCE_MIN) ? old : by;
    case REDUCE_INC: return old >= by ? 0 : old + 1;
    case REDUCE_DEC: return old == 0 || old > by ? by : old - 1;
    case REDUCE_AND: return old & by;
    case REDUCE_OR: return old | by;
    case REDUCE_XOR: return old ^ by;
    }
    return old;
}

void oracle_reduce(struct reduction r, unsigned char *to, const unsigned char *from, size_t bytes)
{
    const size_t size = reduce_size(r.type);

    for (size_t i = 0; i + size <= bytes; i += size) {
        uint64_t old = 0, by = 0;
        memcpy(&old, to + i, size);
        memcpy(&by, from + i, size);
        old = reduce_element(r, old, by);
        memcpy(to + i, &old, size);
    }
}
// SPDX-License-Identifier: Apache-2.0
