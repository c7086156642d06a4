/* Products of 16 by 8 as mma.sync makes them, two rows of D at a time, 8 apart: their registers lie side by side, so
 * that a vector has four columns of both, and no matrix is turned but B. sums_plain.c, sums_avx2.c and sums_avx512.c
 * include it behind sums_loops.h, which says how a sum is computed. What is not so simple is left to others:
 * infinities, NaNs and factors that are very large or small, sums near the ends of an f32 or of what an integer holds.
 */
#include "harness/emu/instructions/alu/real.h"
#include "harness/emu/product/rounding.h"

/* TILE_PAIRS: of rows. TILE_WORDS: elements of D in a pair of rows: of columns 0 2 4 6, for each that of the first row,
 * then that of the second; then of columns 1 3 5 7. TILE_QUADS: lanes that have a row of A or a column of B. */
enum { TILE_ROWS = 16, TILE_PAIRS = 8, TILE_COLUMNS = 8, TILE_WORDS = 16, TILE_VECTORS = TILE_WORDS / PER };
enum { TILE_DEPTH = 16, TILE_QUADS = 4 };
/* Exponents of factors are at most TILE_MOST and at least -TILE_MOST. In place of an exponent there is what it is below
 * TILE_MOST; NOTHING, of a zero: a sum of two, which stops at 255, is less for all other products. */
enum { TILE_MOST = 50, NOTHING = 255 };
/* Biased exponents of an f32: the least and the largest of a sum's largest term; of a product whose factors are
 * 2^TILE_MOST. And the number from which one takes it for the power that brings its last digit to 1. */
enum { TILE_LEAST = 27, TILE_LARGEST = 240, TILE_TOP = 127 + 2 * TILE_MOST, TILE_UNIT = 127 + 25 + 127 };

/* Factors, in one order of k for A and B. Two of A, of both rows of a pair, are in one word of 64 bits; those of B are
 * there twice, for either row. Bytes of a word of far_a and far_b are of four factors in a row or a column. */
struct tile {
    _Alignas(64) uint64_t a[TILE_PAIRS][TILE_DEPTH];
    _Alignas(64) float b[TILE_DEPTH][TILE_WORDS];
    _Alignas(64) uint64_t far_a[TILE_PAIRS][TILE_QUADS];
    _Alignas(64) uint32_t far_b[TILE_QUADS][TILE_WORDS];
};
/* The elements of D or C. */
struct tile_d {
    _Alignas(64) uint32_t of[TILE_PAIRS][TILE_WORDS];
};

typedef uint16_t eight_pairs __attribute__((vector_size(32)));
typedef int16_t eight_shorts __attribute__((vector_size(32)));
typedef int32_t eight_words __attribute__((vector_size(32)));
typedef float eight_reals __attribute__((vector_size(32)));
typedef uint64_t four_lanes __attribute__((vector_size(32)));
typedef uint64_t longs __attribute__((vector_size(WIDTH)));

#if WIDTH > 16
#define larger_of(a, b)     ((eight)_mm256_max_epu32((__m256i)(a), (__m256i)(b)))
#define smaller_of(a, b)    ((eight)_mm256_min_epu32((__m256i)(a), (__m256i)(b)))
#define larger_pairs(a, b)  ((eight_pairs)_mm256_max_epu16((__m256i)(a), (__m256i)(b)))
#define smaller_pairs(a, b) ((eight_pairs)_mm256_min_epu16((__m256i)(a), (__m256i)(b)))
#define even_words(a, b)    ((eight)_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0x88))
#define odd_words(a, b)     ((eight)_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0xdd))
#else
#define one_of(type, where, a, b) (((type)(where) & (a)) | (~(type)(where) & (b)))
#define larger_of(a, b)           one_of(eight, (a) > (b), a, b)
#define smaller_of(a, b)          one_of(eight, (a) < (b), a, b)
#define larger_pairs(a, b)        one_of(eight_pairs, (a) > (b), a, b)
#define smaller_pairs(a, b)       one_of(eight_pairs, (a) < (b), a, b)
#define even_words(a, b)          shuffled(eight, a, b, 0, 2, 8, 10, 4, 6, 12, 14)
#define odd_words(a, b)           shuffled(eight, a, b, 1, 3, 9, 11, 5, 7, 13, 15)
#endif

/* ---- registers --------------------------------------------------------------------------------------------------- */

/* The values of four lanes of two registers, side by side. */
INLINE eight side_by_side(const uint64_t *first, const uint64_t *second)
{
    four_lanes a, b;

    memcpy(&a, first, sizeof a);
    memcpy(&b, second, sizeof b);
    return (eight)(a | b << 32);
}

/* The values of lanes 4 g + t, by t: element g of each vector. */
INLINE void take_lanes(const uint64_t *from, eight out[4])
{
    eight lanes[8], pairs[4];

#pragma GCC unroll 8
    for (unsigned g = 0; g < 8; g++)
        memcpy(&lanes[g], from + 4 * g, sizeof lanes[g]);
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; k++)
        pairs[k] = even_words(lanes[2 * k], lanes[2 * k + 1]);
    for (unsigned odd = 0; odd < 2; odd++) {
        const eight low = odd ? odd_words(pairs[0], pairs[1]) : even_words(pairs[0], pairs[1]);
        const eight high = odd ? odd_words(pairs[2], pairs[3]) : even_words(pairs[2], pairs[3]);
        out[odd] = shuffled(eight, low, high, 0, 1, 2, 3, 8, 9, 10, 11);
        out[odd + 2] = shuffled(eight, low, high, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* Words of columns of B, for both rows of a pair. */
INLINE void put_twice(eight of, uint32_t *to)
{
    const eight even = shuffled(eight, of, of, 0, 0, 2, 2, 4, 4, 6, 6);
    const eight odd = shuffled(eight, of, of, 1, 1, 3, 3, 5, 5, 7, 7);

    memcpy(to, &even, sizeof even);
    memcpy(to + 8, &odd, sizeof odd);
}

/* Addends; a register holds columns of rows 0 to 7 or 8 to 15, of halves two. */
INLINE void take_d(const struct sums_tile *x, bool halves, struct tile_d *out)
{
    for (unsigned g = 0; g < TILE_PAIRS; g++) {
        const eight of = side_by_side(x->c[0] + 4 * g, x->c[halves ? 1 : 2] + 4 * g);
        const eight even = halves ? of & 0xffff : of;
        const eight odd = halves ? of >> 16 : side_by_side(x->c[1] + 4 * g, x->c[3] + 4 * g);
        memcpy(out->of[g], &even, sizeof even);
        memcpy(out->of[g] + 8, &odd, sizeof odd);
    }
}

INLINE void put_side_by_side(eight of, uint64_t *first, uint64_t *second)
{
    const four_lanes a = (four_lanes)of & UINT32_MAX, b = (four_lanes)of >> 32;

    memcpy(first, &a, sizeof a);
    memcpy(second, &b, sizeof b);
}

INLINE void put_d(const struct sums_tile *x, bool halves, const struct tile_d *d)
{
    for (unsigned g = 0; g < TILE_PAIRS; g++) {
        eight even, odd;
        memcpy(&even, d->of[g], sizeof even);
        memcpy(&odd, d->of[g] + 8, sizeof odd);
        put_side_by_side(halves ? even | odd << 16 : even, x->d[0] + 4 * g, x->d[halves ? 1 : 2] + 4 * g);
        if (!halves)
            put_side_by_side(odd, x->d[1] + 4 * g, x->d[3] + 4 * g);
    }
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

/* How factors are taken out of a word of a register: one of tf32; two of bf16; two of f16; of 8 bits two of four. */
enum tile_words { TILE_TF32, TILE_BF16, TILE_F16, TILE_BYTES };

/* The least and the largest magnitude of factors, where that is not zero; of pairs, in each half of a word. */
struct span {
    eight least, most;
};

/* By how much a format's fraction is shorter than that of an f16, with whose bits its factors are had. */
INLINE unsigned shorter(const struct sums_format *f)
{
    return 10 - f->fraction;
}

/* Whether all factors of a matrix are to be had so. */
INLINE bool in_range(enum tile_words kind, const struct sums_format *f, const struct span *of)
{
    const bool pairs = kind != TILE_TF32, near = kind == TILE_F16 || kind == TILE_BYTES;
    const uint32_t low = near ? 0 : ((127u - TILE_MOST) << f->fraction) - 1;
    const uint32_t high = near ? (f->beyond << shorter(f)) - 1 : ((127u + TILE_MOST + 1) << f->fraction) - 1;
    const eight lows = (eight){ 0 } + (pairs ? low | low << 16 : low);
    const eight highs = (eight){ 0 } + (pairs ? high | high << 16 : high);
    const eight wrong = pairs ? ((eight)larger_pairs((eight_pairs)of->most, (eight_pairs)highs) ^ highs) |
                                    ((eight)smaller_pairs((eight_pairs)of->least, (eight_pairs)lows) ^ lows)
                              : (larger_of(of->most, highs) ^ highs) | (smaller_of(of->least, lows) ^ lows);
    uint64_t parts[4];

    memcpy(parts, &wrong, sizeof parts);
    return !(parts[0] | parts[1] | parts[2] | parts[3]);
}

/* Factors of words, as single precision; returns their exponents as struct tile has them, in the low bytes. */
INLINE eight convert_words(const struct sums_format *f, eight of, eight *value, struct span *span)
{
    const uint32_t sign = 1u << 31, top = 127 + TILE_MOST;
    const eight all = of & ~((1u << f->low) - 1), magnitude = all & (sign - 1), zero = (eight)(magnitude == 0);
    const eight exponent = larger_of(magnitude >> 23, (eight){ 0 } + 1);

    span->most = larger_of(span->most, magnitude);
    span->least = smaller_of(span->least, magnitude - 1);
    *value = all;
    return ((top - exponent) | zero) & NOTHING;
}

/* Two bytes of a word of four as pairs that have the bits of an f16: it is a power of two smaller or larger. */
INLINE eight pairs_of_bytes(const struct sums_format *f, eight of, bool second)
{
    const eight halves = second ? (of >> 8 & 0xff00) | (of & 0xff000000) : (of & 0xff) << 8 | (of & 0xff00) << 16;

    return f->exponent == 4 ? (eight)((eight_shorts)halves >> 1) & 0xbf80bf80 : halves;
}

/* The same of factors of 16 bits, two in each word: value[0] and value[1], and the low byte of each half. */
INLINE eight convert_pairs(const struct sums_format *f, bool half, eight of, eight value[2], struct span *span)
{
    const eight_pairs magnitude = (eight_pairs)of & 0x7fff, zero = (eight_pairs)(magnitude == 0);
    const eight_pairs exponent = larger_pairs(magnitude >> (half ? 10 : 7), (eight_pairs){ 0 } + 1);
    const unsigned bias = half ? (1u << (f->exponent - 1)) - 1 : 127;

    if (half) {
        value[0] = (eight)((eight_reals)((eight)((eight_words)(of << 16) >> 3) & 0x8fffe000) * f->power);
        value[1] = (eight)((eight_reals)((eight)((eight_words)of >> 3) & 0x8fffe000) * f->power);
    } else {
        value[0] = of << 16;
        value[1] = of & 0xffff0000;
        span->least = (eight)smaller_pairs((eight_pairs)span->least, magnitude - 1);
    }
    span->most = (eight)larger_pairs((eight_pairs)span->most, magnitude);
    return (eight)(((uint16_t)(bias + TILE_MOST) - exponent) | zero >> 8);
}

/* The factors of a word. Of 8 bits, the first two of each four, or the others. */
INLINE eight convert_factors(enum tile_words kind, const struct sums_format *f, eight of, bool second, eight value[2],
                             struct span *span)
{
    if (kind == TILE_TF32)
        return convert_words(f, of, &value[0], span);
    return convert_pairs(f, kind != TILE_BF16, kind == TILE_BYTES ? pairs_of_bytes(f, of, second) : of, value, span);
}

/* What bytes of far_a and far_b are where there are no factors. */
INLINE uint32_t far_of_none(enum tile_words kind, unsigned quads)
{
    return kind == TILE_TF32 ? (quads == 2 ? 0xffff0000 : 0xffffff00) : (quads == 2 ? 0 : 0xff00ff00);
}

/* A and B; false: they are not to be had so. `quads`: of their registers. */
INLINE bool take_tile(const struct sums_tile *x, enum tile_words kind, unsigned quads, bool second, struct tile *t)
{
    const eight all = (eight){ 0 } + UINT32_MAX, none = { 0 };
    const struct sums_format format_a = *x->format_a, format_b = *x->format_b;
    const unsigned parts = kind == TILE_TF32 ? 1 : 2;
    struct span a = { all, none }, b = { all, none };
    eight lanes[2][4];

    for (unsigned g = 0; g < TILE_PAIRS; g++) {
        eight far = none + far_of_none(kind, quads);
        for (unsigned q = 0; q < quads; q++) {
            const eight of = side_by_side(x->a[2 * q] + 4 * g, x->a[2 * q + 1] + 4 * g);
            eight value[2];
            far |= convert_factors(kind, &format_a, of, second, value, &a) << 8 * q;
            for (unsigned part = 0; part < parts; part++)
                memcpy(&t->a[g][(q * parts + part) * TILE_QUADS], &value[part], sizeof value[part]);
        }
        memcpy(t->far_a[g], &far, sizeof far);
    }
    if (!in_range(kind, &format_a, &a))
        return false;
    for (unsigned q = 0; q < quads; q++)
        take_lanes(x->b[q], lanes[q]);
    for (unsigned k = 0; k < TILE_QUADS; k++) {
        eight far = none + far_of_none(kind, quads);
        for (unsigned q = 0; q < quads; q++) {
            eight value[2];
            far |= convert_factors(kind, &format_b, lanes[q][k], second, value, &b) << 8 * q;
            for (unsigned part = 0; part < parts; part++)
                put_twice(value[part], (uint32_t *)(void *)t->b[(q * parts + part) * TILE_QUADS + k]);
        }
        put_twice(far, t->far_b[k]);
    }
    return in_range(kind, &format_b, &b);
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* A word for both rows of a pair, for all columns of a vector. */
INLINE bits for_all(uint64_t both)
{
    return (bits)((longs){ 0 } + both);
}

/* What the largest product of each sum of a pair of rows is below 2^(2 TILE_MOST); NOTHING: there is none. */
INLINE void far_below(const struct tile *t, unsigned g, words out[TILE_VECTORS])
{
    bytes least[TILE_VECTORS];

    for (unsigned v = 0; v < TILE_VECTORS; v++)
        least[v] = (bytes){ 0 } + NOTHING;
    for (unsigned k = 0; k < TILE_QUADS; k++) {
        const bytes own = (bytes)for_all(t->far_a[g][k]);
        for (unsigned v = 0; v < TILE_VECTORS; v++) {
            bytes of;
            memcpy(&of, __builtin_assume_aligned(&t->far_b[k][v * PER], WIDTH), sizeof of);
            least[v] = smaller_bytes(least[v], added_bytes(own, of));
        }
    }
    for (unsigned v = 0; v < TILE_VECTORS; v++) {
        least[v] = smaller_bytes(least[v], (bytes)((bits)least[v] >> 16));
        least[v] = smaller_bytes(least[v], (bytes)((bits)least[v] >> 8));
        out[v] = (words)((bits)least[v] & 0xff);
    }
}

/* The exponent of an addend, 0 of a zero. */
INLINE words exponent_of(bits addend, bool halves)
{
    const words exponent = (words)(addend << 1 >> 24);

    return halves ? larger(exponent, all_of(113)) & (words)(exponent != 0) : exponent; /* of one that is subnormal */
}

/* Whether there is a sum of products that are all zero with an addend that is not, but too small. */
static __attribute__((noinline)) bool some_small(const struct tile *t, bool halves, const struct tile_d *c)
{
    words wrong = { 0 };

    for (unsigned g = 0; g < TILE_PAIRS; g++) {
        words far[TILE_VECTORS];
        far_below(t, g, far);
        for (unsigned v = 0; v < TILE_VECTORS; v++) {
            bits addend;
            memcpy(&addend, &c->of[g][v * PER], sizeof addend);
            addend = halves ? single_of(addend) : addend;
            wrong |= (larger(TILE_TOP - far[v], exponent_of(addend, halves)) < TILE_LEAST) & (words)(addend << 1);
        }
    }
    return any(wrong);
}

/* d = c + a * b, `depth` products deep; false: not all are to be had so. */
INLINE bool tile_sums(const struct tile *t, unsigned depth, bool halves, const struct tile_d *c, struct tile_d *d)
{
    words least = { 0 }, most = { 0 }, lowest = all_of(TILE_LEAST), highest = { 0 };

    for (unsigned g = 0; g < TILE_PAIRS; g++) {
        words total[TILE_VECTORS], far[TILE_VECTORS];
        bits inverse[TILE_VECTORS];
        far_below(t, g, far);
#pragma GCC unroll 4
        for (unsigned v = 0; v < TILE_VECTORS; v++) {
            words largest;
            bits addend;
            memcpy(&addend, &c->of[g][v * PER], sizeof addend);
            addend = halves ? single_of(addend) : addend;
            largest = larger(TILE_TOP - far[v], exponent_of(addend, halves));
            lowest = smaller(lowest, largest);
            largest = larger(largest, all_of(TILE_LEAST));
            highest = larger(highest, largest);
            inverse[v] = (bits)(TILE_UNIT - largest) << 23;
            total[v] = __builtin_convertvector((reals)addend * (reals)inverse[v], words);
        }
#pragma GCC unroll 16
        for (unsigned k = 0; k < depth; k++) {
            const reals own = (reals)for_all(t->a[g][k]);
#pragma GCC unroll 4
            for (unsigned v = 0; v < TILE_VECTORS; v++) {
                reals of;
                memcpy(&of, __builtin_assume_aligned(&t->b[k][v * PER], WIDTH), sizeof of);
                total[v] = plus(total[v], __builtin_convertvector(own * of * (reals)inverse[v], words));
            }
        }
#pragma GCC unroll 4
        for (unsigned v = 0; v < TILE_VECTORS; v++) {
            bits out;
            if (depth > SAFE) {
                most = larger(most, total[v]);
                least = smaller(least, total[v]);
            }
            out = result(halves, total[v], (bits){ 0 } + ((uint32_t)(TILE_UNIT - 25) << 23), inverse[v]);
            memcpy(&d->of[g][v * PER], &out, sizeof out);
        }
    }
    return !any((highest > TILE_LARGEST) | (most > LIMIT) | (least < -LIMIT)) &&
           (!any(lowest < TILE_LEAST) || !some_small(t, halves, c));
}

/* Functions that are called while the host cuts. */
#define TAKE(name, kind, quads)                                                                                        \
    static __attribute__((noinline)) bool name(const struct sums_tile *x, bool second, struct tile *t)                 \
    {                                                                                                                  \
        return take_tile(x, kind, quads, second, t);                                                                   \
    }
TAKE(take_f16_2, TILE_F16, 2)
TAKE(take_f16_1, TILE_F16, 1)
TAKE(take_bf16_2, TILE_BF16, 2)
TAKE(take_bf16_1, TILE_BF16, 1)
TAKE(take_tf32_2, TILE_TF32, 2)
TAKE(take_tf32_1, TILE_TF32, 1)
TAKE(take_bytes_2, TILE_BYTES, 2)
TAKE(take_bytes_1, TILE_BYTES, 1)
#define TILE_SUMS(name, depth, halves)                                                                                 \
    static __attribute__((noinline)) bool name(const struct tile *t, const struct tile_d *c, struct tile_d *d)         \
    {                                                                                                                  \
        return tile_sums(t, depth, halves, c, d);                                                                      \
    }
TILE_SUMS(singles_16, 16, false)
TILE_SUMS(singles_8, 8, false)
TILE_SUMS(singles_4, 4, false)
TILE_SUMS(halves_16, 16, true)
TILE_SUMS(halves_8, 8, true)

static bool take_any(const struct sums_tile *x, bool second, struct tile *t)
{
    const struct sums_format *f = x->format_a;

    if (f->bits == 16 && f->exponent == 5)
        return x->quads == 2 ? take_f16_2(x, second, t) : take_f16_1(x, second, t);
    if (f->bits == 16)
        return x->quads == 2 ? take_bf16_2(x, second, t) : take_bf16_1(x, second, t);
    if (f->bits == 32)
        return x->quads == 2 ? take_tf32_2(x, second, t) : take_tf32_1(x, second, t);
    return x->quads == 2 ? take_bytes_2(x, second, t) : take_bytes_1(x, second, t);
}

static bool sum_any(const struct sums_tile *x, const struct tile *t, const struct tile_d *c, struct tile_d *d)
{
    const unsigned depth = x->quads * (x->format_a->bits == 32 ? 4 : 8);

    if (x->halves)
        return depth == 16 ? halves_16(t, c, d) : halves_8(t, c, d);
    return depth == 16 ? singles_16(t, c, d) : depth == 8 ? singles_8(t, c, d) : singles_4(t, c, d);
}

// SPDX-License-Identifier: Apache-2.0
