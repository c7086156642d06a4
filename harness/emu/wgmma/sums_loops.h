/* The loops of sums.h, as static functions: sums_plain.c and sums_avx2.c include them, each for a kind of processor. */
#include <string.h>

#include "harness/emu/wgmma/sums.h"

/* Bytes of a vector; words of one; vectors of a block. */
#ifdef __AVX2__
#define WIDTH 32
#else
#define WIDTH 16
#endif
enum { PER = WIDTH / 4, LANES = SUMS_BLOCK, VECTORS = LANES / PER, SHORTS = WIDTH / 2 };

/* Sums beyond the one may have overflowed; powers of two beyond the other are taken apart. */
enum { LIMIT = 0x77000000, FAR = 90 };

#define INLINE static inline __attribute__((always_inline))

typedef float reals __attribute__((vector_size(WIDTH)));
typedef int32_t words __attribute__((vector_size(WIDTH)));
typedef uint32_t bits __attribute__((vector_size(WIDTH)));
typedef int16_t shorts __attribute__((vector_size(WIDTH)));
typedef int16_t half_shorts __attribute__((vector_size(WIDTH / 2)));

INLINE words choose(words where, words a, words b)
{
    return (where & a) | (~where & b);
}
#ifdef __AVX2__
#define larger(a, b)        ((words)__builtin_ia32_pmaxsd256(a, b))
#define smaller(a, b)       ((words)__builtin_ia32_pminsd256(a, b))
#define larger_shorts(a, b) ((shorts)__builtin_ia32_pmaxsw256(a, b))
#else
INLINE words larger(words a, words b)
{
    return choose(a > b, a, b);
}
INLINE words smaller(words a, words b)
{
    return choose(a < b, a, b);
}
INLINE shorts larger_shorts(shorts a, shorts b)
{
    const shorts where = a > b;

    return (where & a) | (~where & b);
}
#endif

INLINE bool any(words where)
{
    uint64_t parts[WIDTH / 8], all = 0;

    memcpy(parts, &where, sizeof parts);
    for (unsigned k = 0; k < WIDTH / 8; k++)
        all |= parts[k];
    return all != 0;
}

static void convert(const struct sums_format *f, uint32_t flip, const uint32_t *from, unsigned n, float *values,
                    int16_t *exponents, struct sums_range *range, uint8_t *odd)
{
    const uint32_t sign = 1u << (f->bits - 1), low = (1u << f->low) - 1;
    const int bias = (1 << (f->exponent - 1)) - 1;
    words least = (words){ 0 } + range->least, most = (words){ 0 } + range->most;

    for (unsigned k = 0; k < n; k += PER) {
        bits all;
        memcpy(&all, &from[k], sizeof all);
        all &= ~low;
        const bits magnitude = all & (sign - 1);
        const words zero = (words)(magnitude == 0), wrong = (words)(magnitude >= f->beyond);
        const words exponent = larger((words)(magnitude >> f->fraction), (words){ 0 } + 1) - bias;
        const bits value = (bits)((reals)(magnitude << f->shift) * f->power) | ((all & sign) << (32 - f->bits) ^ flip);
        const half_shorts narrow =
            __builtin_convertvector(choose(zero, (words){ 0 } + SUMS_ZERO, exponent), half_shorts);
        memcpy(&values[k], &value, sizeof value);
        memcpy(&exponents[k], &narrow, sizeof narrow);
        least = smaller(least, choose(zero, least, exponent));
        most = larger(most, choose(zero, most, exponent));
        for (unsigned j = 0; any(wrong) && j < PER; j++)
            odd[k + j] |= wrong[j] != 0;
    }
    for (unsigned j = 0; j < PER; j++) {
        range->least = least[j] < range->least ? least[j] : range->least;
        range->most = most[j] > range->most ? most[j] : range->most;
    }
}

/* Which row of B element k of the row of A meets. */
INLINE unsigned row_of(const struct sums *s, bool picks, unsigned k)
{
    return picks ? s->of[k] : k;
}

/* The largest exponent of each column's products. */
INLINE void tops(const struct sums *s, const struct sums_factors *b, bool picks, unsigned column, int16_t *out)
{
    shorts top[LANES / SHORTS];

    for (unsigned v = 0; v < LANES / SHORTS; v++)
        top[v] = (shorts){ 0 } + 2 * SUMS_ZERO;
#pragma GCC unroll 4
    for (unsigned k = 0; k < s->count; k++)
        for (unsigned v = 0; v < LANES / SHORTS; v++) {
            shorts other;
            memcpy(&other, __builtin_assume_aligned(&b->exponent[row_of(s, picks, k)][column + SHORTS * v], WIDTH),
                   sizeof other);
            top[v] = larger_shorts(top[v], other + s->exponent[k]);
        }
    memcpy(out, top, sizeof top);
}

/* An f32 that has been rounded to odd, as an f16 rounded to nearest. */
INLINE bits half_of(bits value)
{
    const bits magnitude = value & 0x7fffffff, sign = value >> 16 & 0x8000;
    const words field = (words)(magnitude >> 23);
    const words below = larger(113 - field, (words){ 0 });
    const bits shift = (bits)(smaller(below, (words){ 0 } + 18) + 13);
    const bits one = (bits){ 0 } + 1, digits = (magnitude & 0x7fffff) | 0x800000;
    const bits cut = digits >> shift, rest = digits & ((one << shift) - 1), tie = one << (shift - 1);
    const bits up = (bits)((rest > tie) | ((rest == tie) & ((cut & 1) != 0))) & 1;
    const bits whole = cut + up + ((bits)((field - 113) << 10) & ~(bits)(below > 0));
    const bits out = (bits)choose(field >= 143, (words)(sign | 0x7c00), (words)((sign | whole) & (bits)(whole != 0)));

    return out & (bits)(magnitude != 0);
}

/* The addend's digits as an integer with the last digit that the sum keeps as 1, and that digit's power of two. */
INLINE words align(const struct sums *s, bool halves, bits addend, words top, words *unit, words *odd)
{
    const unsigned fraction = halves ? 10 : 23, sign = halves ? 15 : 31;
    const int more = s->digits > (int)fraction ? s->digits - (int)fraction : 0;
    const bits magnitude = addend & ((1u << sign) - 1);
    const words field = (words)(magnitude >> fraction), zero = (words)(magnitude == 0),
                minus = -(words)(addend >> sign);
    const bits digits = (magnitude & ((1u << fraction) - 1)) | ((bits)(field > 0) & 1u << fraction);
    const words exponent =
        choose(zero, (words){ 0 } + SUMS_ZERO, larger(field, (words){ 0 } + 1) - (halves ? 15 : 127));
    const words largest = larger(larger(top + s->scale, exponent), (words){ 0 } + ALU_DOT_LOWEST);
    const words down = smaller(largest - s->digits - exponent + (int)fraction + more, (words){ 0 } + 31);
    const words part = (words)((digits << more) >> (bits)down);

    *unit = largest - s->digits;
    *odd |= field >= (halves ? 31 : 255);
    return (part ^ minus) - minus;
}

/* The sums as f32 or f16, where they are far from the ends of an f32. */
INLINE bits near_results(const struct sums *s, bool halves, words sum, words unit)
{
    const bits power = (bits)(unit + 127) << 23;
    reals value = __builtin_convertvector(sum, reals);

    if (halves) /* odd where digits are lost */
        value = (reals)((bits)value | ((bits)(__builtin_convertvector(value, words) != sum) & 1));
    value *= (reals)power;
    return halves ? half_of((bits)value) : (bits)value & s->kept;
}

/* The same everywhere. *odd: where the result may be wrong. */
INLINE bits far_results(const struct sums *s, bool halves, words sum, words unit, words *odd)
{
    const words low = smaller(larger(unit, (words){ 0 } - 120), (words){ 0 } + 120);
    const words rest = smaller(larger(unit - low, (words){ 0 } - 120), (words){ 0 } + 120);
    reals value = __builtin_convertvector(sum, reals);

    if (halves)
        value = (reals)((bits)value | ((bits)(__builtin_convertvector(value, words) != sum) & 1));
    value = value * (reals)((bits)(low + 127) << 23) * (reals)((bits)(rest + 127) << 23);
    *odd |= ((bits)value & 0x7fffffff) == 0x7f7fffff;
    const bits some = (bits)value & s->kept;
    const bits out = some & (bits)(((bits)value & s->kept & 0x7fffffff) != 0);
    return halves ? half_of((bits)value & (bits)(((bits)value & 0x7fffffff) != 0)) : out;
}

INLINE bool block(const struct sums *s, const struct sums_factors *b, bool picks, bool halves, unsigned column,
                  const uint32_t *addends, uint32_t *results, uint8_t *redo)
{
    words total[VECTORS], unit[VECTORS], odd[VECTORS], far = { 0 };
    reals inverse[VECTORS];
    int16_t top[LANES];
    bool again = false;

    tops(s, b, picks, column, top);
    for (unsigned v = 0; v < VECTORS; v++) {
        half_shorts narrow;
        bits addend;
        memcpy(&narrow, &top[v * PER], sizeof narrow);
        memcpy(&addend, &addends[column + v * PER], sizeof addend);
        odd[v] = (words){ 0 };
        total[v] = align(s, halves, addend, __builtin_convertvector(narrow, words), &unit[v], &odd[v]);
        inverse[v] = (reals)((bits)smaller(larger(s->scale - unit[v] + 127, (words){ 0 }), (words){ 0 } + 254) << 23);
        far |= (unit[v] > FAR) | (unit[v] < -FAR);
    }
#pragma GCC unroll 4
    for (unsigned k = 0; k < s->count; k++) {
        const float *from = &b->value[row_of(s, picks, k)][column];
        const reals own = (reals){ 0 } + s->value[k];
        for (unsigned v = 0; v < VECTORS; v++) {
            reals factor;
            memcpy(&factor, __builtin_assume_aligned(from + v * PER, WIDTH), sizeof factor);
            total[v] += __builtin_convertvector(own * factor * inverse[v], words);
        }
    }
    const bool is_far = any(far);
    for (unsigned v = 0; v < VECTORS; v++) {
        const bits out =
            is_far ? far_results(s, halves, total[v], unit[v], &odd[v]) : near_results(s, halves, total[v], unit[v]);
        memcpy(&results[column + v * PER], &out, sizeof out);
        odd[v] |= (total[v] > LIMIT) | (total[v] < -LIMIT);
        if (!any(odd[v]))
            continue;
        again = true;
        for (unsigned n = 0; n < PER; n++)
            redo[column + v * PER + n] |= odd[v][n] != 0;
    }
    return again;
}

static bool floats(const struct sums *s, const struct sums_factors *b, const uint32_t *addends, uint32_t *results,
                   uint8_t *redo)
{
    bool again = false;

    for (unsigned column = 0; column < s->columns; column += LANES)
        if (s->of)
            again |= block(s, b, true, s->halves, column, addends, results, redo);
        else if (s->halves)
            again |= block(s, b, false, true, column, addends, results, redo);
        else
            again |= block(s, b, false, false, column, addends, results, redo);
    return again;
}

static void integers(const int32_t *a, const int32_t (*b)[SUMS_COLUMNS], unsigned count, unsigned columns,
                     int32_t *sums)
{
    for (unsigned column = 0; column < columns; column += LANES) {
        words total[VECTORS] = { { 0 } };
        for (unsigned k = 0; k < count; k++)
            for (unsigned v = 0; v < VECTORS; v++) {
                words factor;
                memcpy(&factor, &b[k][column + v * PER], sizeof factor);
                total[v] += factor * a[k];
            }
        memcpy(&sums[column], total, sizeof total);
    }
}
