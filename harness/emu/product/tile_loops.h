/* Products of 16 by 8 as mma.sync makes them, a column of D at a time: a vector has its rows. sums_plain.c, sums_avx2.c
 * and sums_avx512.c include it behind sums_loops.h, which says how a sum is computed. What is not so simple is left to
 * others: infinities, NaNs and factors that are very large or small, sums near the ends of an f32 or of what an integer
 * holds. */
#include "harness/emu/instructions/alu/real.h"
#include "harness/emu/product/rounding.h"

enum { TILE_ROWS = 16, TILE_COLUMNS = 8, TILE_DEPTH = 16, TILE_VECTORS = TILE_ROWS / PER };
/* Exponents of factors are at most TILE_MOST and at least -TILE_MOST. In place of an exponent there is what it is below
 * TILE_MOST; NOTHING, of a zero: a sum of two, which stops at 255, is less for all other products. */
enum { TILE_MOST = 50, NOTHING = 255 };
/* Biased exponents of an f32: the least and the largest of a sum's largest term; of a product whose factors are
 * 2^TILE_MOST. And the number from which one takes it for the power that brings its last digit to 1. */
enum { TILE_LEAST = 27, TILE_LARGEST = 240, TILE_TOP = 127 + 2 * TILE_MOST, TILE_UNIT = 127 + 25 + 127 };

/* Bytes of a word of far_a and far_b are of four factors in a row of A or a column of B. */
struct tile {
    _Alignas(64) float a[TILE_DEPTH][TILE_ROWS];
    _Alignas(64) float b[TILE_DEPTH][TILE_COLUMNS];
    _Alignas(64) uint32_t far_a[TILE_DEPTH / 4][TILE_ROWS];
    _Alignas(64) uint32_t far_b[TILE_DEPTH / 4][TILE_COLUMNS];
};
/* The elements of D or C by columns. */
struct tile_d {
    _Alignas(64) uint32_t of[TILE_COLUMNS][TILE_ROWS];
};

typedef uint16_t eight_pairs __attribute__((vector_size(32)));
typedef int32_t eight_words __attribute__((vector_size(32)));
typedef float eight_reals __attribute__((vector_size(32)));

#if WIDTH > 16
#define larger_of(a, b)     ((eight)_mm256_max_epu32((__m256i)(a), (__m256i)(b)))
#define smaller_of(a, b)    ((eight)_mm256_min_epu32((__m256i)(a), (__m256i)(b)))
#define larger_pairs(a, b)  ((eight_pairs)_mm256_max_epu16((__m256i)(a), (__m256i)(b)))
#define smaller_pairs(a, b) ((eight_pairs)_mm256_min_epu16((__m256i)(a), (__m256i)(b)))
#else
#define one_of(type, where, a, b) (((type)(where) & (a)) | (~(type)(where) & (b)))
#define larger_of(a, b)           one_of(eight, (a) > (b), a, b)
#define smaller_of(a, b)          one_of(eight, (a) < (b), a, b)
#define larger_pairs(a, b)        one_of(eight_pairs, (a) > (b), a, b)
#define smaller_pairs(a, b)       one_of(eight_pairs, (a) < (b), a, b)
#endif

/* ---- registers --------------------------------------------------------------------------------------------------- */

/* The values of lanes 4 g + t, by t: element g of each vector. */
INLINE void take_lanes(const uint64_t *from, eight out[4])
{
    eight lanes[8], pairs[4];

    for (unsigned g = 0; g < 8; g++)
        memcpy(&lanes[g], from + 4 * g, sizeof lanes[g]);
    for (unsigned k = 0; k < 4; k++)
        pairs[k] = shuffled(eight, lanes[2 * k], lanes[2 * k + 1], 0, 2, 8, 10, 4, 6, 12, 14);
    for (unsigned odd = 0; odd < 2; odd++) {
        const eight low = odd ? shuffled(eight, pairs[0], pairs[1], 1, 3, 9, 11, 5, 7, 13, 15)
                              : shuffled(eight, pairs[0], pairs[1], 0, 2, 8, 10, 4, 6, 12, 14);
        const eight high = odd ? shuffled(eight, pairs[2], pairs[3], 1, 3, 9, 11, 5, 7, 13, 15)
                               : shuffled(eight, pairs[2], pairs[3], 0, 2, 8, 10, 4, 6, 12, 14);
        out[odd] = shuffled(eight, low, high, 0, 1, 2, 3, 8, 9, 10, 11);
        out[odd + 2] = shuffled(eight, low, high, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

INLINE void put_lanes(const eight from[4], uint64_t *to)
{
    const eight none = { 0 };

    for (unsigned half = 0; half < 2; half++) {
        const eight even = half ? shuffled(eight, from[0], from[2], 4, 5, 6, 7, 12, 13, 14, 15)
                                : shuffled(eight, from[0], from[2], 0, 1, 2, 3, 8, 9, 10, 11);
        const eight odd = half ? shuffled(eight, from[1], from[3], 4, 5, 6, 7, 12, 13, 14, 15)
                               : shuffled(eight, from[1], from[3], 0, 1, 2, 3, 8, 9, 10, 11);
        for (unsigned k = 0; k < 2; k++) {
            const eight two = k ? shuffled(eight, even, odd, 2, 10, 3, 11, 6, 14, 7, 15)
                                : shuffled(eight, even, odd, 0, 8, 1, 9, 4, 12, 5, 13);
            const eight first = shuffled(eight, two, none, 0, 8, 1, 9, 4, 12, 5, 13);
            const eight second = shuffled(eight, two, none, 2, 10, 3, 11, 6, 14, 7, 15);
            memcpy(to + 4 * (4 * half + 2 * k), &first, sizeof first);
            memcpy(to + 4 * (4 * half + 2 * k + 1), &second, sizeof second);
        }
    }
}

/* Addends; a register holds columns of rows 0 to 7 or 8 to 15, of halves two. */
INLINE void take_d(const struct sums_tile *x, bool halves, struct tile_d *out)
{
    for (unsigned r = 0; r < (halves ? 2 : 4); r++) {
        const unsigned row = (halves ? r : r / 2) * 8;
        eight of[4];
        take_lanes(x->c[r], of);
        for (unsigned t = 0; t < 4; t++) {
            const eight low = halves ? of[t] & 0xffff : of[t], high = of[t] >> 16;
            memcpy(&out->of[2 * t + (halves ? 0 : r % 2)][row], &low, sizeof low);
            if (halves)
                memcpy(&out->of[2 * t + 1][row], &high, sizeof high);
        }
    }
}

INLINE void put_d(const struct sums_tile *x, bool halves, const struct tile_d *d)
{
    for (unsigned r = 0; r < (halves ? 2 : 4); r++) {
        const unsigned row = (halves ? r : r / 2) * 8;
        eight of[4], high;
        for (unsigned t = 0; t < 4; t++) {
            memcpy(&of[t], &d->of[2 * t + (halves ? 0 : r % 2)][row], sizeof of[t]);
            memcpy(&high, &d->of[2 * t + 1][row], sizeof high);
            of[t] |= halves ? high << 16 : (eight){ 0 };
        }
        put_lanes(of, x->d[r]);
    }
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

/* The least and the largest magnitude of factors, where that is not zero; of pairs, in each half of a word. */
struct span {
    eight least, most;
};

/* Whether all factors of a matrix are to be had so. */
INLINE bool in_range(const struct sums_format *f, const struct span *of)
{
    const bool pairs = f->bits == 16;
    const uint32_t low = f->exponent < 8 ? 0 : ((127u - TILE_MOST) << f->fraction) - 1;
    const uint32_t high = f->exponent < 8 ? f->beyond - 1 : ((127u + TILE_MOST + 1) << f->fraction) - 1;
    const eight lows = (eight){ 0 } + (pairs ? low | low << 16 : low);
    const eight highs = (eight){ 0 } + (pairs ? high | high << 16 : high);
    const eight wrong = pairs ? ((eight)larger_pairs((eight_pairs)of->most, (eight_pairs)highs) ^ highs) |
                                    ((eight)smaller_pairs((eight_pairs)of->least, (eight_pairs)lows) ^ lows)
                              : (larger_of(of->most, highs) ^ highs) | (smaller_of(of->least, lows) ^ lows);
    uint64_t parts[4];

    memcpy(parts, &wrong, sizeof parts);
    return !(parts[0] | parts[1] | parts[2] | parts[3]);
}

/* Factors of 8 rows or columns, the bits of words, as single precision, and their exponents as struct tile has them. */
INLINE void convert_eight(const struct sums_format *f, eight of, float *value, eight *far, struct span *span)
{
    const uint32_t sign = 1u << (f->bits - 1), top = (1u << (f->exponent - 1)) - 1 + TILE_MOST;
    const eight all = of & ~((1u << f->low) - 1), magnitude = all & (sign - 1), zero = (eight)(magnitude == 0);
    const eight exponent = larger_of(magnitude >> f->fraction, (eight){ 0 } + 1);
    const eight single = (eight)((eight_reals)(magnitude << f->shift) * f->power) | (all & sign) << (32 - f->bits);

    span->most = larger_of(span->most, magnitude);
    span->least = smaller_of(span->least, magnitude - 1);
    memcpy(value, &single, sizeof single);
    *far = ((top - exponent) | zero) & NOTHING;
}

/* The same of factors of 16 bits, two in each word; the second ones' values are `next` values on. */
INLINE void convert_pairs(bool half, eight of, float *value, unsigned next, eight *far, struct span *span)
{
    const eight_pairs magnitude = (eight_pairs)of & 0x7fff, zero = (eight_pairs)(magnitude == 0);
    const eight_pairs exponent = larger_pairs(magnitude >> (half ? 10 : 7), (eight_pairs){ 0 } + 1);
    const eight_pairs top = (eight_pairs){ 0 } + (uint16_t)(half ? 15 + TILE_MOST : 127 + TILE_MOST);
    eight low, high;

    if (half) {
        low = (eight)((eight_reals)((eight)((eight_words)(of << 16) >> 3) & 0x8fffe000) * 0x1p112f);
        high = (eight)((eight_reals)((eight)((eight_words)of >> 3) & 0x8fffe000) * 0x1p112f);
    } else {
        low = of << 16;
        high = of & 0xffff0000;
    }
    span->most = (eight)larger_pairs((eight_pairs)span->most, magnitude);
    span->least = (eight)smaller_pairs((eight_pairs)span->least, magnitude - 1);
    memcpy(value, &low, sizeof low);
    memcpy(value + next, &high, sizeof high);
    *far = (eight)((top - exponent) | zero >> 8);
}

/* A register of A, 8 rows, or of B, its columns: quad k of the factors in a row, 4 words of it. A row of values has
 * `wide` of them, and so have exponents. Of factors of 8 bits the first two of each four, or the others. */
INLINE void take_factors(enum real_type type, const struct sums_format *f, const uint64_t *from, unsigned k,
                         unsigned wide, bool second, float *value, uint32_t *far, struct span *span)
{
    eight of[4], got[4];

    take_lanes(from, of);
    for (unsigned t = 0; t < 4; t++)
        if (type == REAL_F16 || type == REAL_BF16) {
            convert_pairs(type == REAL_F16, of[t], value + 2 * (t + 4 * k) * wide, wide, &got[t], span);
        } else if (type == REAL_TF32) {
            convert_eight(f, of[t], value + (t + 4 * k) * wide, &got[t], span);
        } else {
            float *to = value + 2 * (t + 4 * k) * wide;
            eight high;
            convert_eight(f, of[t] >> (second ? 16 : 0) & 0xff, to, &got[t], span);
            convert_eight(f, of[t] >> (second ? 24 : 8) & 0xff, to + wide, &high, span);
            got[t] |= high << 16;
        }
    if (type == REAL_TF32) {
        got[0] |= got[1] << 8 | got[2] << 16 | got[3] << 24;
        memcpy(far + k * wide, &got[0], sizeof got[0]);
        return;
    }
    for (unsigned t = 0; t < 2; t++) {
        got[t] |= got[t + 2] << 8;
        memcpy(far + (2 * k + t) * wide, &got[t], sizeof got[t]);
    }
}

/* A and B; false: they are not to be had so. `quads`: of their registers. */
INLINE bool take_tile(const struct sums_tile *x, enum real_type type, unsigned quads, bool second, struct tile *t)
{
    const eight all = (eight){ 0 } + UINT32_MAX, none = { 0 };
    struct span a = { all, none }, b = { all, none };

    for (unsigned k = 0; k < quads; k++) {
        take_factors(type, x->format_a, x->a[2 * k], k, TILE_ROWS, second, t->a[0], t->far_a[0], &a);
        take_factors(type, x->format_a, x->a[2 * k + 1], k, TILE_ROWS, second, t->a[0] + 8, t->far_a[0] + 8, &a);
        take_factors(type, x->format_b, x->b[k], k, TILE_COLUMNS, second, t->b[0], t->far_b[0], &b);
    }
    return in_range(x->format_a, &a) && in_range(x->format_b, &b);
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* What the largest product of each sum is below 2^(2 TILE_MOST); NOTHING: there is none. */
INLINE words far_below(const struct tile *t, unsigned depth, unsigned column, unsigned row)
{
    bytes least = (bytes){ 0 } + NOTHING;
    bits of;

    for (unsigned k = 0; k < depth / 4; k++) {
        memcpy(&of, &t->far_a[k][row], sizeof of);
        least = smaller_bytes(least, added_bytes((bytes)of, (bytes)((bits){ 0 } + t->far_b[k][column])));
    }
    least = smaller_bytes(least, (bytes)((bits)least >> 16));
    least = smaller_bytes(least, (bytes)((bits)least >> 8));
    return (words)((bits)least & 0xff);
}

/* d = c + a * b, `depth` products deep; false: not all are to be had so. */
INLINE bool tile_sums(const struct tile *t, unsigned depth, bool halves, const struct tile_d *c, struct tile_d *d)
{
    words least = { 0 }, most = { 0 }, wrong = { 0 };

    for (unsigned n = 0; n < TILE_COLUMNS; n++)
        for (unsigned v = 0; v < TILE_VECTORS; v++) {
            const unsigned row = v * PER;
            words largest, exponent, total;
            bits addend, inverse, out;
            memcpy(&addend, &c->of[n][row], sizeof addend);
            addend = halves ? single_of(addend) : addend;
            exponent = (words)(addend << 1 >> 24);
            if (halves) /* one that is subnormal there */
                exponent = larger(exponent, all_of(113)) & (words)(exponent != 0);
            largest = larger(TILE_TOP - far_below(t, depth, n, row), exponent);
            wrong |= (largest < TILE_LEAST) & (words)(addend << 1);
            largest = larger(largest, all_of(TILE_LEAST));
            wrong |= largest > TILE_LARGEST;
            inverse = (bits)(TILE_UNIT - largest) << 23;
            total = __builtin_convertvector((reals)addend * (reals)inverse, words);
#pragma GCC unroll 16
            for (unsigned k = 0; k < depth; k++) {
                reals of;
                memcpy(&of, __builtin_assume_aligned(&t->a[k][row], WIDTH), sizeof of);
                total += __builtin_convertvector(of * splat(t->b[k][n]) * (reals)inverse, words);
            }
            most = larger(most, total);
            least = smaller(least, total);
            out = result(halves, total, (bits){ 0 } + ((uint32_t)(TILE_UNIT - 25) << 23), inverse);
            memcpy(&d->of[n][row], &out, sizeof out);
        }
    return !any(wrong | (most > LIMIT) | (least < -LIMIT));
}

/* A function that is called while the host cuts. */
#define TILE(name, type, quads, depth, halves)                                                                         \
    static __attribute__((noinline)) bool name(const struct sums_tile *x, struct tile_d *c, struct tile_d *d)          \
    {                                                                                                                  \
        struct tile t;                                                                                                 \
        return take_tile(x, type, quads, false, &t) && tile_sums(&t, depth, halves, c, d);                             \
    }
#define TILES(name, type, quads, depth)                                                                                \
    TILE(name##_singles, type, quads, depth, false) TILE(name##_halves, type, quads, depth, true)
TILES(tile_f16_16, REAL_F16, 2, 16)
TILES(tile_f16_8, REAL_F16, 1, 8)
TILE(tile_bf16_16, REAL_BF16, 2, 16, false)
TILE(tile_bf16_8, REAL_BF16, 1, 8, false)
TILE(tile_tf32_8, REAL_TF32, 2, 8, false)
TILE(tile_tf32_4, REAL_TF32, 1, 4, false)

/* Factors of 8 bits: the first two of each four make one sum, the others are added to it in another; the addend comes
 * last, and is not added here. */
#define TILE_BYTES(name, quads, depth, halves)                                                                         \
    static __attribute__((noinline)) bool name(const struct sums_tile *x, struct tile_d *d)                            \
    {                                                                                                                  \
        const struct tile_d none = { 0 };                                                                              \
        struct tile_d first;                                                                                           \
        struct tile t;                                                                                                 \
        return take_tile(x, REAL_E4M3, quads, false, &t) && tile_sums(&t, depth, halves, &none, &first) &&             \
               take_tile(x, REAL_E4M3, quads, true, &t) && tile_sums(&t, depth, halves, &first, d);                    \
    }
TILE_BYTES(tile_bytes_16_singles, 2, 16, false)
TILE_BYTES(tile_bytes_16_halves, 2, 16, true)
TILE_BYTES(tile_bytes_8_singles, 1, 8, false)
TILE_BYTES(tile_bytes_8_halves, 1, 8, true)

/* Adds the addend, rounded to nearest; false: some are infinities or NaNs. */
static __attribute__((noinline)) bool tile_add(bool halves, const struct tile_d *c, struct tile_d *d)
{
    const uint32_t beyond = halves ? 0x7c00 : 0x7f800000;
    words wrong = { 0 };

    for (unsigned k = 0; k < TILE_ROWS * TILE_COLUMNS; k += PER) {
        bits a, b;
        memcpy(&a, &c->of[0][k], sizeof a);
        memcpy(&b, &d->of[0][k], sizeof b);
        wrong |= (words)((a & beyond) == beyond) | (words)((b & beyond) == beyond);
        a = halves ? half_of((bits)((reals)single_of(a) + (reals)single_of(b))) : (bits)((reals)a + (reals)b);
        memcpy(&d->of[0][k], &a, sizeof a);
    }
    return !any(wrong);
}

static bool tile_floats(const struct sums_tile *x)
{
    struct tile_d c, d;
    unsigned was;
    bool well;

    take_d(x, x->halves, &c);
    was = rounding_cuts();
    if (x->format_a->bits == 16 && x->format_a->exponent == 5)
        well = x->quads == 2 ? (x->halves ? tile_f16_16_halves : tile_f16_16_singles)(x, &c, &d)
                             : (x->halves ? tile_f16_8_halves : tile_f16_8_singles)(x, &c, &d);
    else if (x->format_a->bits == 16)
        well = (x->quads == 2 ? tile_bf16_16 : tile_bf16_8)(x, &c, &d);
    else if (x->format_a->bits == 32)
        well = (x->quads == 2 ? tile_tf32_8 : tile_tf32_4)(x, &c, &d);
    else
        well = x->quads == 2 ? (x->halves ? tile_bytes_16_halves : tile_bytes_16_singles)(x, &d)
                             : (x->halves ? tile_bytes_8_halves : tile_bytes_8_singles)(x, &d);
    rounding_back(was);
    well = well && (x->format_a->bits != 8 || tile_add(x->halves, &c, &d));
    if (well)
        put_d(x, x->halves, &d);
    return well;
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

enum { TILE_PARTS = 4 * 2 * 4 }; /* pairs of factors in a row, at most */

/* Factors of a register as pairs of 16 bits: of 8 or 4 bits, the first one of each half of a word, then the next. */
INLINE void take_pairs(const uint64_t *from, unsigned bits_of, bool is_signed, unsigned wide, uint32_t *to)
{
    typedef int16_t shorts __attribute__((vector_size(32)));
    const unsigned parts = 16 / bits_of;
    eight of[4];

    take_lanes(from, of);
    for (unsigned t = 0; t < 4; t++)
        for (unsigned k = 0; k < parts; k++) {
            const shorts up = (shorts)of[t] << (16 - bits_of * (k + 1));
            const eight pair = is_signed ? (eight)(up >> (16 - bits_of)) : (eight)((eight_pairs)up >> (16 - bits_of));
            memcpy(to + (t * parts + k) * wide, &pair, sizeof pair);
        }
}

INLINE void tile_integers_of(const struct sums_tile *x, unsigned bits_of)
{
    const unsigned each = 4 * 16 / bits_of, pairs = x->quads * each;
    _Alignas(64) uint32_t a[TILE_PARTS][TILE_ROWS];
    uint32_t b[TILE_PARTS][TILE_COLUMNS];
    struct tile_d d;

    take_d(x, false, &d);
    for (unsigned k = 0; k < x->quads; k++) {
        take_pairs(x->a[2 * k], bits_of, x->a_signed, TILE_ROWS, a[k * each]);
        take_pairs(x->a[2 * k + 1], bits_of, x->a_signed, TILE_ROWS, a[k * each] + 8);
        take_pairs(x->b[k], bits_of, x->b_signed, TILE_COLUMNS, b[k * each]);
    }
    for (unsigned v = 0; v < TILE_VECTORS; v++)
        for (unsigned n = 0; n < TILE_COLUMNS; n += 4) {
            words total[4] = { { 0 } };
            for (unsigned k = 0; k < pairs; k++) {
                bits own;
                memcpy(&own, __builtin_assume_aligned(&a[k][v * PER], WIDTH), sizeof own);
                for (unsigned j = 0; j < 4; j++)
                    total[j] += pairs_of(own, (bits){ 0 } + b[k][n + j]);
            }
            for (unsigned j = 0; j < 4; j++) {
                bits addend, sum;
                memcpy(&addend, &d.of[n + j][v * PER], sizeof addend);
                sum = addend + (bits)total[j];
                if (x->stops)
                    sum = (bits)choose((words)((addend ^ sum) & ((bits)total[j] ^ sum)) >> 31,
                                       (words)addend >> 31 ^ INT32_MAX, (words)sum);
                memcpy(&d.of[n + j][v * PER], &sum, sizeof sum);
            }
        }
    put_d(x, false, &d);
}

static void tile_bits(const struct sums_tile *x)
{
    const unsigned words_of_row = 4 * x->quads;
    uint32_t a[TILE_ROWS][8], b[TILE_COLUMNS][8];
    struct tile_d d;

    take_d(x, false, &d);
    for (unsigned k = 0; k < words_of_row; k++) {
        const unsigned quad = k / 4, t = k % 4;
        for (unsigned g = 0; g < 8; g++) {
            a[g][k] = (uint32_t)x->a[2 * quad][4 * g + t];
            a[g + 8][k] = (uint32_t)x->a[2 * quad + 1][4 * g + t];
            b[g][k] = (uint32_t)x->b[quad][4 * g + t];
        }
    }
    for (unsigned n = 0; n < TILE_COLUMNS; n++)
        for (unsigned row = 0; row < TILE_ROWS; row++) {
            unsigned sum = 0;
            for (unsigned k = 0; k < words_of_row; k++)
                sum += (unsigned)__builtin_popcount(x->exclusive ? a[row][k] ^ b[n][k] : a[row][k] & b[n][k]);
            d.of[n][row] += sum;
        }
    put_d(x, false, &d);
}

static bool tile(const struct sums_tile *x)
{
    if (x->format_a)
        return tile_floats(x);
    if (x->bits == 1)
        tile_bits(x);
    else if (x->bits == 8)
        tile_integers_of(x, 8);
    else
        tile_integers_of(x, 4);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
