/* The loops of sums.h, as static functions: sums_plain.c and sums_avx2.c include them, each for a kind of processor. */
#include "harness/emu/product/sums_vectors.h"

/* Integers beyond may have overflowed, but not sums of so few products. */
enum { LIMIT = 0x77000000, SAFE = 8 };
/* Vectors of a block, at most. */
enum { VECTORS = 8 };

static void convert(const struct sums_format *f, uint32_t flip, const uint32_t *from, unsigned n, float *values,
                    int8_t *exponents, struct sums_range *range, uint8_t *odd)
{
    const uint32_t sign = 1u << (f->bits - 1), low = (1u << f->low) - 1;
    const int bias = (1 << (f->exponent - 1)) - 1;
    words least = all_of(range->least), most = all_of(range->most);

    for (unsigned k = 0; k < n; k += PER) {
        bits all;
        memcpy(&all, &from[k], sizeof all);
        all &= ~low;
        const bits magnitude = all & (sign - 1);
        const words wrong = (words)(magnitude >= f->beyond), zero = (words)(magnitude == 0) | wrong;
        const words exponent = larger((words)(magnitude >> f->fraction), all_of(1)) - bias;
        const bits value = (bits)((reals)(magnitude << f->shift) * f->power) | ((all & sign) << (32 - f->bits) ^ flip);
        memcpy(&values[k], &value, sizeof value);
        put_bytes(choose(zero, all_of(SUMS_NONE), exponent), &exponents[k]);
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

static bool ready(const float *values, const int8_t *exponents, unsigned n, int most, struct sums *s)
{
    const uint8_t up = (uint8_t)(SUMS_MOST_A - most);
    uint8_t zeros = 0;

    for (unsigned k = 0; k < n; k++) {
        s->exponent[k] = (uint8_t)((uint8_t)exponents[k] + up);
        zeros |= exponents[k] == SUMS_NONE;
    }
    for (unsigned k = 0; k < n; k++) {
        s->value[k] = s->few ? __builtin_fabsf(values[k]) : values[k];
    }
    return !zeros;
}

static void finish(struct sums_factors *b, unsigned k, unsigned n, int most, float by, bool few)
{
    float *restrict value = b->value[k], *restrict below = b->value[SUMS_DEPTH + k];
    uint8_t *restrict exponent = b->exponent[k];
    const uint8_t up = (uint8_t)(SUMS_MOST_B - most), none = (uint8_t)SUMS_NONE;

    for (unsigned j = 0; j < n; j++)
        exponent[j] = exponent[j] == none ? SUMS_ZERO : (uint8_t)(exponent[j] + up);
    for (unsigned j = 0; by != 1 && j < n; j++)
        value[j] *= by;
    for (unsigned j = 0; few && j < n; j += PER) {
        bits all;
        memcpy(&all, &value[j], sizeof all);
        const bits negative = (bits)((words)all >> 31), minus = all & negative & 0x7fffffff, plus = all & ~negative;
        memcpy(&value[j], &plus, sizeof plus);
        memcpy(&below[j], &minus, sizeof minus);
    }
}

/* ---- B turned ---------------------------------------------------------------------------------------------------- */

typedef uint32_t eight __attribute__((vector_size(32)));
typedef uint16_t eight_halves __attribute__((vector_size(16)));
typedef uint8_t eight_bytes __attribute__((vector_size(8)));

INLINE void take_eight(const unsigned char *from, unsigned n, eight *out)
{
    eight_halves half;
    eight_bytes byte;

    if (n == 4) {
        memcpy(out, from, sizeof *out);
    } else if (n == 2) {
        memcpy(&half, from, sizeof half);
        *out = __builtin_convertvector(half, eight);
    } else {
        memcpy(&byte, from, sizeof byte);
        *out = __builtin_convertvector(byte, eight);
    }
}

static void turn(const unsigned char *from, unsigned wide, unsigned stride, uint32_t (*to)[SUMS_COLUMNS])
{
    eight row[8], pairs[8], fours[8];

    for (unsigned k = 0; k < 8; k++) {
        const unsigned char *column = from + sums_turned(k) * stride;
        if (wide == 4)
            take_eight(column, 4, &row[k]);
        else if (wide == 2)
            take_eight(column, 2, &row[k]);
        else
            take_eight(column, 1, &row[k]);
    }
    for (unsigned k = 0; k < 8; k += 2) {
        pairs[k] = shuffled(eight, row[k], row[k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[k + 1] = shuffled(eight, row[k], row[k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (unsigned k = 0; k < 8; k += 4)
        for (unsigned j = 0; j < 2; j++) {
            fours[k + 2 * j] = shuffled(eight, pairs[k + j], pairs[k + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            fours[k + 2 * j + 1] = shuffled(eight, pairs[k + j], pairs[k + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (unsigned k = 0; k < 4; k++) {
        const eight low = shuffled(eight, fours[k], fours[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        const eight high = shuffled(eight, fours[k], fours[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
        memcpy(to[k], &low, sizeof low);
        memcpy(to[k + 4], &high, sizeof high);
    }
}

/* ---- the largest products ---------------------------------------------------------------------------------------- */

INLINE void tops_of(const struct sums *s, const struct sums_factors *b, unsigned vectors, unsigned column, uint8_t *out)
{
    bytes top[VECTORS];

    for (unsigned v = 0; v < vectors; v++)
        top[v] = (bytes){ 0 } + (uint8_t)s->lowest;
    for (unsigned k = 0; k < s->n; k++) {
        const uint8_t *from = b->exponent[0] + s->at[k] % SUMS_BELOW + column;
        const bytes own = (bytes){ 0 } + s->exponent[k];
        for (unsigned v = 0; v < vectors; v++) {
            bytes other;
            memcpy(&other, __builtin_assume_aligned(from + v * WIDTH, WIDTH), sizeof other);
            top[v] = larger_bytes(top[v], other + own);
        }
    }
    memcpy(out + column, top, vectors * sizeof *top);
}

/* The largest exponent of each column's products. */
INLINE void tops(const struct sums *s, const struct sums_factors *b, uint8_t *out)
{
    unsigned column = 0;

    for (; column + 4 * WIDTH < s->columns; column += 8 * WIDTH)
        tops_of(s, b, 8, column, out);
    for (; column + WIDTH < s->columns; column += 4 * WIDTH)
        tops_of(s, b, 4, column, out);
    for (; column < s->columns; column += WIDTH)
        tops_of(s, b, 1, column, out);
}

/* ---- results in f16 ---------------------------------------------------------------------------------------------- */

/* An f16 as an f32; infinities and NaNs become such. */
INLINE bits single_of(bits half)
{
    const bits magnitude = half & 0x7fff;
    const bits beyond = (bits)(magnitude >= 0x7c00) & 0x7f800000;

    return (bits)((reals)(magnitude << 13) * 0x1p112f) | beyond | (half & 0x8000) << 16;
}

/* An f32 that has been rounded to odd, as an f16 rounded to nearest. */
INLINE bits half_of(bits value)
{
    const bits magnitude = value & 0x7fffffff, sign = value >> 16 & 0x8000;
    const words field = (words)(magnitude >> 23);
    const words below = larger(113 - field, all_of(0));
    const bits shift = (bits)(smaller(below, all_of(18)) + 13);
    const bits one = (bits){ 0 } + 1, digits = (magnitude & 0x7fffff) | 0x800000;
    const bits cut = digits >> shift, rest = digits & ((one << shift) - 1), tie = one << (shift - 1);
    const bits up = (bits)((rest > tie) | ((rest == tie) & ((cut & 1) != 0))) & 1;
    const bits whole = cut + up + ((bits)((field - 113) << 10) & ~(bits)(below > 0));
    const bits out = (bits)choose(field >= 143, (words)(sign | 0x7c00), (words)((sign | whole) & (bits)(whole != 0)));

    return out & (bits)(magnitude != 0);
}

/* ---- blocks of columns ------------------------------------------------------------------------------------------- */

/* Columns of a row, from one on. */
struct task {
    const struct sums *s;
    const float *value; /* of B */
    const uint8_t *top; /* the largest exponent of each column's products */
    struct row d;
    uint8_t *redo;
};

/* The addends of a vector as f32, and the biased exponent of the largest term of each sum. */
INLINE bits terms(const struct task *t, bool halves, unsigned column, words *largest)
{
    const bits addend = load_d(t->d, halves, column), single = halves ? single_of(addend) : addend;
    words exponent = (words)(single << 1 >> 24);

    if (halves) /* one that is subnormal there */
        exponent = larger(exponent, all_of(113)) & (words)(exponent != 0);
    *largest = larger(words_of(t->top + column) + t->s->shift, exponent);
    return single;
}

/* Whether some results of a block are not to be had, by the least and the most of what `terms` gave. */
INLINE bool some_left(const struct sums *s, words least, words most)
{
    return s->odd || any((least <= s->lowest + s->shift) | (most > s->highest));
}

/* Puts the results of a vector in place, except those that are not to be had, of which some are `wrong`: there, the
 * addends. */
INLINE void put(const struct task *t, bool halves, unsigned column, bits value, words wrong)
{
    const struct sums *s = t->s;
    words largest;
    const bits addend = terms(t, halves, column, &largest);
    const words low = largest <= s->lowest + s->shift;

    wrong |= (low & (s->deep ? all_of(-1) : (words)(addend << 1 != 0))) | (largest > s->highest);
    for (unsigned k = 0; k < PER; k++) {
        t->redo[column + k] |= wrong[k] != 0;
        wrong[k] = t->redo[column + k] ? -1 : 0;
    }
    store_d(t->d, halves, column, (bits)choose(wrong, (words)load_d(t->d, halves, column), (words)value));
}

/* A sum as an integer, of digits that count as much as `back` says; `inverse` is the other way round. */
INLINE bits result(bool halves, words total, bits back, bits inverse)
{
    reals value = __builtin_convertvector(total, reals);

    if (halves) /* odd where digits are lost */
        value = (reals)((bits)value | ((bits)(__builtin_convertvector(value, words) != total) & 1));
    value *= (reals)(back - inverse);
    return halves ? half_of((bits)value) : (bits)value;
}

/* Sums as integers: each product is exact in single precision. It is scaled so that the last digit that the sum keeps
 * becomes 1, and cut to an integer. */
INLINE bool block(const struct task *t, bool halves, unsigned vectors)
{
    const struct sums *s = t->s;
    const int unit = s->scale + 127 + s->digits + 127;
    const bits of_addend = (bits){ 0 } + ((uint32_t)-s->scale << 23);
    const bits back = (bits){ 0 } + ((uint32_t)(unit - s->digits) << 23);
    words total[VECTORS], least = all_of(INT32_MAX), most = { 0 };
    bits inverse[VECTORS];
    bool again;

#pragma GCC unroll 8
    for (unsigned v = 0; v < vectors; v++) {
        words largest;
        const bits addend = terms(t, halves, v * PER, &largest);
        least = smaller(least, largest);
        most = larger(most, largest);
        inverse[v] = (bits)(unit - largest) << 23;
        total[v] = __builtin_convertvector((reals)addend * (reals)(inverse[v] + of_addend), words);
    }
    again = some_left(s, least, most);
#pragma GCC unroll 4
    for (unsigned k = 0; k < s->n_by_4; k++) {
        const float *from = t->value + s->at[k];
        const reals own = splat(s->value[k]);
#pragma GCC unroll 8
        for (unsigned v = 0; v < vectors; v++) {
            reals factor;
            memcpy(&factor, __builtin_assume_aligned(from + v * PER, WIDTH), sizeof factor);
            total[v] = plus(total[v], __builtin_convertvector(own * factor * (reals)inverse[v], words));
        }
    }
    if (s->n > SAFE) {
        most = least = (words){ 0 };
#pragma GCC unroll 8
        for (unsigned v = 0; v < vectors; v++) {
            most = larger(most, total[v]);
            least = smaller(least, total[v]);
        }
        again |= any((most > LIMIT) | (least < -LIMIT));
    }
    if (again) {
        for (unsigned v = 0; v < vectors; v++)
            put(t, halves, v * PER, result(halves, total[v], back, inverse[v]),
                (total[v] > LIMIT) | (total[v] < -LIMIT));
        return true;
    }
#pragma GCC unroll 8
    for (unsigned v = 0; v < vectors; v++)
        store_d(t->d, halves, v * PER, result(halves, total[v], back, inverse[v]));
    return false;
}

/* Sums of few digits as single precision: terms above zero and below are added to a number so large that its last
 * digit is the last one that the sum keeps, which cuts each of them. */
INLINE bool block_of_few(const struct task *t, bool halves, unsigned vectors)
{
    const struct sums *s = t->s;
    words least = all_of(INT32_MAX), most = { 0 };
    reals plus[VECTORS], minus[VECTORS];
    bool again;

#pragma GCC unroll 8
    for (unsigned v = 0; v < vectors; v++) {
        words largest;
        const bits addend = terms(t, halves, v * PER, &largest);
        const reals large = (reals)((bits)(largest + (23 - s->digits)) << 23);
        const bits negative = (bits)((words)addend >> 31);
        least = smaller(least, largest);
        most = larger(most, largest);
        plus[v] = large + (reals)(addend & ~negative);
        minus[v] = large - (reals)(addend & negative);
    }
    again = some_left(s, least, most);
#pragma GCC unroll 4
    for (unsigned k = 0; k < s->n_by_4; k++) {
        const float *first = t->value + s->at[k], *second = t->value + s->other[k];
        const reals own = splat(s->value[k]);
#pragma GCC unroll 8
        for (unsigned v = 0; v < vectors; v++) {
            reals one, other;
            memcpy(&one, __builtin_assume_aligned(first + v * PER, WIDTH), sizeof one);
            memcpy(&other, __builtin_assume_aligned(second + v * PER, WIDTH), sizeof other);
            plus[v] = fused(own, one, plus[v]);
            minus[v] = fused(own, other, minus[v]);
        }
    }
#pragma GCC unroll 8
    for (unsigned v = 0; v < vectors; v++) {
        const bits value = (bits)(plus[v] - minus[v]), out = halves ? half_of(value) : value & s->kept;
        if (again)
            put(t, halves, v * PER, out, (words){ 0 });
        else
            store_d(t->d, halves, v * PER, out);
    }
    return again;
}

/* All columns of a row, by blocks. */
#define ROW(name, block, most, halves)                                                                                 \
    static bool name(const struct sums *s, const struct sums_factors *b, const uint8_t *top, const struct sums_d *d,   \
                     uint8_t *redo)                                                                                    \
    {                                                                                                                  \
        unsigned column = 0;                                                                                           \
        bool again = false;                                                                                            \
        while (column < s->columns) {                                                                                  \
            const struct task t = { s, b->value[0] + column, top + column, row_of(s, halves, d, column),               \
                                    redo + column };                                                                   \
            const unsigned left = s->columns - column;                                                                 \
            if (left >= (most)*PER) {                                                                                  \
                again |= block(&t, halves, most);                                                                      \
                column += (most)*PER;                                                                                  \
            } else if (left >= 2 * PER) {                                                                              \
                again |= block(&t, halves, 2);                                                                         \
                column += 2 * PER;                                                                                     \
            } else {                                                                                                   \
                again |= block(&t, halves, 1);                                                                         \
                column += PER;                                                                                         \
            }                                                                                                          \
        }                                                                                                              \
        return again;                                                                                                  \
    }
ROW(row_of_singles, block, 8, false)
ROW(row_of_halves, block, 8, true)
ROW(row_of_few_singles, block_of_few, 6, false)
ROW(row_of_few_halves, block_of_few, 6, true)

static bool floats(const struct sums *s, const struct sums_factors *b, const struct sums_d *d, uint8_t *redo)
{
    uint8_t top[SUMS_COLUMNS + 4 * WIDTH];

    tops(s, b, top);
    if (s->few)
        return s->halves ? row_of_few_halves(s, b, top, d, redo) : row_of_few_singles(s, b, top, d, redo);
    return s->halves ? row_of_halves(s, b, top, d, redo) : row_of_singles(s, b, top, d, redo);
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

INLINE void integers_of(const uint32_t *a, const uint32_t (*b)[SUMS_COLUMNS], unsigned count, unsigned vectors,
                        unsigned column, const struct sums *s, const struct sums_d *d, bool stops)
{
    words total[VECTORS] = { { 0 } };

    for (unsigned k = 0; k < count; k++) {
        const bits own = (bits){ 0 } + a[k];
        for (unsigned v = 0; v < vectors; v++) {
            bits factor;
            memcpy(&factor, &b[k][column + v * PER], sizeof factor);
            total[v] += pairs_of(own, factor);
        }
    }
    for (unsigned v = 0; v < vectors; v++) {
        const bits addend = load_d(row_of(s, false, d, 0), false, column + v * PER), sum = addend + (bits)total[v];
        const words over = (words)((addend ^ sum) & ((bits)total[v] ^ sum)) >> 31;
        const words end = (words)addend >> 31 ^ INT32_MAX;
        store_d(row_of(s, false, d, 0), false, column + v * PER, stops ? (bits)choose(over, end, (words)sum) : sum);
    }
}

static void integers(const uint32_t *a, const uint32_t (*b)[SUMS_COLUMNS], unsigned count, const struct sums *s,
                     const struct sums_d *d, bool stops)
{
    unsigned column = 0;

    for (; s->columns - column >= VECTORS * PER; column += VECTORS * PER)
        integers_of(a, b, count, VECTORS, column, s, d, stops);
    for (; column < s->columns; column += PER)
        integers_of(a, b, count, 1, column, s, d, stops);
}
// SPDX-License-Identifier: Apache-2.0
