/* Inputs near boundaries: zeros, subnormals, extremes, infinities, NaNs with payloads, values next to powers of two and
 * to ties of narrower formats, operands that cancel, underflow, overflow together; and random ones. */
#include <string.h>

#include "expected/random.h"
#include "harness/base/hash.h"
#include "tools/alu_sweep.h"

static unsigned below(uint64_t *state, unsigned n)
{
    return n ? (unsigned)(splitmix64_next(state) >> 33) % n : 0;
}

static uint64_t ones(unsigned n)
{
    return n >= 64 ? ~0ull : (1ull << n) - 1;
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

enum { CORE = 32 };

static uint64_t core_integer(unsigned bits, unsigned k)
{
    static const uint64_t from_zero[] = { 0, 1, 2, 3, 5, 7, 8, 16, 31, 32, 33, 0x7f, 0x80, 0xff, 0x100, 0x3210 };
    static const uint64_t from_top[] = { 0, 1, 2, 3, 31, 0x7f, 0x80, 0xff, 0x7fff }; /* -1 and below */

    if (k < 16)
        return from_zero[k];
    if (k < 25)
        return ~from_top[k - 16] & ones(bits);
    switch (k) {
    case 25: return ones(bits - 1);
    case 26: return 1ull << (bits - 1);
    case 27: return ones(bits - 1) - 1;
    case 28: return (1ull << (bits - 1)) + 1;
    case 29: return ones(bits / 2);
    case 30: return 1ull << bits / 2;
    default: return 0x5555555555555555u & ones(bits);
    }
}

static uint64_t any_integer(unsigned bits, uint64_t *state)
{
    const uint64_t r = splitmix64_next(state);
    const unsigned k = below(state, bits), cut = below(state, bits);

    switch (below(state, 8)) {
    case 0:
    case 1: return core_integer(bits, below(state, CORE));
    case 2: return r & ones(k + 1);
    case 3: return ~(r & ones(k + 1)) & ones(bits);
    case 4: return ((1ull << k) + below(state, 3) - 1) & ones(bits);
    case 5: return ((r & ~ones(cut)) | (ones(cut) >> 1)) & ones(k + 1); /* next to a tie */
    case 6: return (((r & ~ones(cut)) | 1ull << cut >> 1) + below(state, 2)) & ones(k + 1);
    default: return r & ones(bits);
    }
}

/* ---- floats ------------------------------------------------------------------------------------------------------ */

static uint64_t core_float(const struct sweep_type *t, unsigned k)
{
    const unsigned fraction = t->fraction;
    const uint64_t bias = ones(t->exponent - 1), infinite = ones(t->exponent) << fraction, one = bias << fraction;
    const uint64_t magnitudes[CORE / 2] = {
        0,
        1,
        ones(fraction),   /* the largest subnormal */
        1ull << fraction, /* the smallest normal */
        (1ull << fraction) + 1,
        one - 1,
        one,
        one + 1,
        one - (1ull << fraction),       /* 1/2 */
        one + (1ull << (fraction - 1)), /* 3/2 */
        one + (1ull << fraction),       /* 2 */
        infinite - 1,
        infinite,
        infinite | 1ull << (fraction - 1), /* quiet NaN */
        infinite | 1,                      /* signalling */
        infinite | (0x5a5a5a5a5a5a5a5au & ones(fraction)),
    };

    return magnitudes[k / 2] | (uint64_t)(k & 1) << (t->bits - 1);
}

static uint64_t any_fraction(unsigned fraction, uint64_t *state)
{
    const uint64_t r = splitmix64_next(state) & ones(fraction);
    const unsigned cut = 1 + below(state, fraction);

    switch (below(state, 8)) {
    case 0: return 0;
    case 1: return ones(fraction);
    case 2: return 1ull << below(state, fraction);
    case 3: return (r & ~ones(cut)) | 1ull << (cut - 1);                        /* a tie */
    case 4: return (r & ~ones(cut)) | (ones(cut) >> 1);                         /* below it */
    case 5: return ((r & ~ones(cut)) | 1ull << (cut - 1) | 1) & ones(fraction); /* above it */
    default: return r;
    }
}

/* `before`: earlier operands of the same tuple and type, for values that meet theirs. */
static uint64_t any_float(const struct sweep_type *t, const uint64_t *before, unsigned count, uint64_t *state)
{
    const int bias = (int)ones(t->exponent - 1), most = (int)ones(t->exponent), fraction = (int)t->fraction;
    const uint64_t sign = (splitmix64_next(state) & 1) << (t->bits - 1);
    const uint64_t magnitude = ones(t->bits - 1);
    int exponent;

    if (count && below(state, 2)) {
        const uint64_t a = before[below(state, count)];
        const int ea = (int)((a & magnitude) >> fraction);
        const int near = (int)below(state, (unsigned)fraction + 6);
        switch (below(state, 9)) {
        case 0: return a;
        case 1: return a ^ 1ull << (t->bits - 1);
        case 2: return (a + below(state, 5) - 2) & ones(t->bits);
        case 3: exponent = ea - near + 2; break;
        case 4: exponent = ea + near - 2; break;
        case 5: exponent = bias + 1 - ea + near - fraction; break;             /* a product near the smallest */
        case 6: exponent = most + bias - ea + (int)below(state, 4) - 2; break; /* near the largest */
        case 7: exponent = ea + bias - near + 2; break;                        /* a quotient near the smallest */
        default:                                                               /* against the product of two operands */
            exponent = ea + (int)((before[0] & magnitude) >> fraction) - bias +
                       (int)below(state, 2u * (unsigned)fraction) - fraction;
            break;
        }
    } else {
        switch (below(state, 8)) {
        case 0: return core_float(t, below(state, CORE));
        case 1: return splitmix64_next(state) & ones(t->bits);
        case 2: return sign | (splitmix64_next(state) & ones(t->fraction));
        case 3:
        case 4: exponent = bias - 1 + (int)below(state, 66); break; /* around integers of all widths */
        case 5: exponent = bias - 12 + (int)below(state, 24); break;
        case 6: exponent = (int)below(state, (unsigned)most); break;
        default: /* around the limits of the narrower formats */
            exponent = bias + (below(state, 2) ? -1 : 1) *
                                  (int[]){ 14, 15, 24, 25, 126, 127, 149, 8, 9, 133 }[below(state, 10)];
            break;
        }
    }
    exponent = exponent < 0 ? 0 : exponent >= most ? most - 1 : exponent;
    return sign | (uint64_t)exponent << (t->fraction & 63) | any_fraction(t->fraction, state);
}

/* Elements of a matrix: the warp's number chooses how far exponents spread, and how many are zero. */
static uint64_t any_element(const struct sweep_type *t, unsigned warp, uint64_t *state)
{
    static const struct {
        unsigned spread, zeros; /* of exponents; of 16 */
        int around;             /* 0: one; -1: the smallest normal; 1: the largest */
        bool specials, exact;
    } modes[12] = {
        { 1, 0, 0, false, true },   { 1, 0, 0, false, false },   { 4, 0, 0, false, false },
        { 12, 0, 0, false, false }, { 30, 4, 0, false, false },  { 6, 8, -1, false, false },
        { 3, 14, 0, false, false }, { 24, 14, 0, false, false }, { 3, 2, 1, false, false },
        { 8, 2, 0, true, false },   { 60, 13, 0, false, false }, { 2, 12, 0, false, false },
    };
    const int bias = (int)ones(t->exponent - 1), most = (int)ones(t->exponent) - (t->fraction > 3);
    const unsigned m = warp % 12;
    const uint64_t sign = (splitmix64_next(state) & 1) << (t->bits - 1);
    const int offset = (int)below(state, 2 * modes[m].spread) - (int)modes[m].spread;
    int exponent = modes[m].around < 0 ? offset + 2 : modes[m].around > 0 ? bias + bias / 2 + offset : bias + offset;
    uint64_t fraction = splitmix64_next(state) & ones(t->fraction);

    if (below(state, 16) < modes[m].zeros)
        return sign;
    if (modes[m].specials && !below(state, 50))
        return core_float(t, below(state, CORE));
    if (modes[m].exact)
        fraction = t->fraction > 2 ? fraction & ~ones(t->fraction - 2) : fraction;
    exponent = exponent < 0 ? 0 : exponent > most ? most : exponent;
    return sign | (uint64_t)exponent << t->fraction | fraction;
}

/* ---- tuples ------------------------------------------------------------------------------------------------------ */

static uint64_t any_small(uint64_t *state)
{
    static const uint32_t some[] = { 0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0xffffffff };

    return below(state, 3) ? some[below(state, sizeof some / sizeof *some)] : below(state, 72);
}

static uint64_t any_metadata(const struct sweep_type *t, uint64_t *state)
{
    static const uint8_t two_of_four[] = { 0x4, 0x8, 0x9, 0xc, 0xd, 0xe };
    uint64_t out = 0;

    for (unsigned k = 0; k < 8; k++)
        out |= (uint64_t)(t->lanes == 8 ? two_of_four[below(state, 6)] : below(state, 2) ? 0x4 : 0xe) << 4 * k;
    return out;
}

static uint64_t value_of(const struct sweep_form *f, unsigned k, unsigned i, const uint64_t *tuple, uint64_t *state)
{
    const struct sweep_type *t = f->in[k];
    uint64_t out = 0;

    for (unsigned lane = 0; lane < t->lanes; lane++) {
        const unsigned shift = lane * t->bits;
        const unsigned first = (i + 11 * lane) % CORE, core = k == 0 ? first : k == 1 ? i / CORE : CORE;
        uint64_t before[SWEEP_MAX_IN], one;
        unsigned count = 0;

        for (unsigned j = 0; j < k; j++)
            if (f->in[j] == t)
                before[count++] = tuple[j] >> shift & ones(t->bits);
        switch (t->class) {
        case SWEEP_INTEGER:
            one = core < CORE && (f->ins > 1 || i < CORE) ? core_integer(t->bits, core) : any_integer(t->bits, state);
            break;
        case SWEEP_FLOAT:
            one = core < CORE && (f->ins > 1 || i < CORE) ? core_float(t, core) : any_float(t, before, count, state);
            break;
        case SWEEP_FRAGMENT: one = any_element(t, i / 32, state); break;
        case SWEEP_PREDICATE: one = splitmix64_next(state) & 1; break;
        case SWEEP_SMALL: one = any_small(state); break;
        case SWEEP_METADATA: return any_metadata(t, state);
        default: one = splitmix64_next(state) & ones(t->bits); break;
        }
        out |= one << shift;
    }
    return out;
}

void sweep_inputs(const struct sweep_form *f, uint64_t *values)
{
    uint64_t state = 0x5eed;

    for (unsigned k = 0; k < f->ins; k++)
        state = fnv1a(state, f->in[k]->name, strlen(f->in[k]->name));
    for (unsigned i = 0; i < SWEEP_INPUTS; i++)
        for (unsigned k = 0; k < f->ins; k++)
            values[i * f->ins + k] = value_of(f, k, i, &values[i * f->ins], &state);
}
// SPDX-License-Identifier: Apache-2.0
