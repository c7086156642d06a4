/* Sums in double precision, which holds every product of two factors and every digit that a sum keeps: whatever the
 * factors and the addends are, infinities and NaNs too, which come out of a chain of additions as they should.
 * sums_plain.c, sums_avx2.c and sums_avx512.c include it behind sums_loops.h. */
#include "harness/emu/instructions/alu/dot.h"

typedef double doubles __attribute__((vector_size(WIDTH)));
typedef int64_t long_words __attribute__((vector_size(WIDTH)));
typedef float half_reals __attribute__((vector_size(WIDTH / 2)));
typedef int32_t half_words __attribute__((vector_size(WIDTH / 2)));
typedef int16_t shorts __attribute__((vector_size(WIDTH)));
typedef int16_t half_shorts __attribute__((vector_size(WIDTH / 2)));

/* A vector of words is two of doubles. Biased exponents of a double, and its fraction's digits. */
enum { HALVES = 2, HALF = PER / HALVES, DOUBLE_BIAS = 1023, DOUBLE_DIGITS = 52 };

#if WIDTH == 64
#define doubles_of(x)       ((doubles)_mm512_cvtps_pd((__m256)(x)))
#define longs_of(x)         ((long_words)_mm512_cvtepi32_epi64((__m256i)(x)))
#define larger_shorts(a, b) ((shorts)_mm512_max_epi16((__m512i)(a), (__m512i)(b)))
#define whole_part(x)       ((doubles)_mm512_roundscale_pd((__m512d)(x), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))
#elif WIDTH == 32
#define doubles_of(x)       ((doubles)_mm256_cvtps_pd((__m128)(x)))
#define longs_of(x)         ((long_words)_mm256_cvtepi32_epi64((__m128i)(x)))
#define larger_shorts(a, b) ((shorts)_mm256_max_epi16((__m256i)(a), (__m256i)(b)))
#define whole_part(x)       ((doubles)_mm256_round_pd((__m256d)(x), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))
#else
#define doubles_of(x) __builtin_convertvector(x, doubles)
#define longs_of(x)   __builtin_convertvector(x, long_words)
INLINE shorts larger_shorts(shorts a, shorts b)
{
    const shorts where = (shorts)(a > b);

    return (where & a) | (~where & b);
}
/* Of what is below 2^52, while the host rounds towards zero. */
INLINE doubles whole_part(doubles x)
{
    const long_words sign = (long_words)x & INT64_MIN;

    return (doubles)((long_words)((doubles)((long_words)x & INT64_MAX) + 0x1p52 - 0x1p52) | sign);
}
#endif

static bool widen(const struct sums_format *f, uint32_t flip, const uint32_t *from, unsigned n, float *values,
                  int16_t *exponents)
{
    const uint32_t sign = 1u << (f->bits - 1), low = (1u << f->low) - 1;
    const uint32_t infinity = ((1u << f->exponent) - 1) << f->fraction; /* e4m3 has none, but a number there */
    const int bias = (1 << (f->exponent - 1)) - 1;

    words odd = { 0 };

    for (unsigned k = 0; k < n; k += PER) {
        bits all, value;
        memcpy(&all, &from[k], sizeof all);
        all &= ~low;
        const bits magnitude = all & (sign - 1);
        const words wrong = (words)(magnitude >= f->beyond), none = (words)(magnitude == 0) | wrong;
        const words exponent = larger((words)(magnitude >> f->fraction), all_of(1)) - bias;
        value = (bits)((reals)(magnitude << f->shift) * f->power);
        value = (bits)choose(wrong, choose((words)(magnitude == infinity), all_of(0x7f800000), all_of(0x7fffffff)),
                             (words)value) |
                ((all & sign) << (32 - f->bits) ^ flip);
        memcpy(&values[k], &value, sizeof value);
        const half_shorts narrow = __builtin_convertvector(choose(none, all_of(SUMS_NEVER), exponent), half_shorts);
        memcpy(&exponents[k], &narrow, sizeof narrow);
        odd |= wrong;
    }
    return any(odd);
}

/* The largest exponents of each sum's terms, and its addend in single precision. */
INLINE void wide_terms(const struct sums *s, const struct sums_wide *b, struct row d, int32_t *top, float *addends)
{
    int16_t most[SUMS_COLUMNS + WIDTH / 2];

    for (unsigned column = 0; column < s->columns; column += WIDTH / 2) {
        shorts all = (shorts){ 0 } + (int16_t)ALU_DOT_LOWEST;
        for (unsigned k = 0; k < s->n; k++) {
            shorts of;
            memcpy(&of, b->exponent[0] + s->at[k] + column, sizeof of);
            all = larger_shorts(all, of + s->wide[k]);
        }
        memcpy(&most[column], &all, sizeof all);
    }
    for (unsigned column = 0; column < s->columns; column += PER) {
        const bits addend = load_d(d, s->halves, column), single = s->halves ? single_of(addend) : addend;
        const words field = (words)(single << 1 >> 24);
        const words exponent = larger(field, all_of(s->halves ? 113 : 1)) - 127;
        const words none = (words)(single << 1 == 0) | (words)(field == 255);
        half_shorts of;
        memcpy(&of, &most[column], sizeof of);
        const words largest =
            larger(__builtin_convertvector(of, words), choose(none, all_of(ALU_DOT_LOWEST), exponent));
        memcpy(&top[column], &largest, sizeof largest);
        memcpy(&addends[column], &single, sizeof single);
    }
}

/* 2 to so many. */
INLINE doubles powers_of(half_words exponent)
{
    return (doubles)((longs_of(exponent) + DOUBLE_BIAS) << DOUBLE_DIGITS);
}

/* A sum as single precision, cut, or where it is to be rounded further, its last digit 1 if digits are lost. */
INLINE half_words single_of_sum(bool halves, uint32_t kept, doubles sum)
{
    const long_words sign = (long_words)sum & INT64_MIN, infinity = (long_words)((doubles){ 0 } + __builtin_inf());
    const long_words huge = (long_words)((doubles)((long_words)sum & INT64_MAX) >= 0x1p128);
    half_reals out;

    sum = (doubles)((huge & (sign | infinity)) | (~huge & (long_words)sum));
    out = __builtin_convertvector(sum, half_reals);
    if (!halves)
        return (half_words)out & (int32_t)kept;
    return (half_words)out | (__builtin_convertvector(doubles_of(out) != sum, half_words) & 1);
}

/* Such sums as the results that they are: there is one NaN, and one zero. */
INLINE bits wide_result(bool halves, bits sum)
{
    const words nan = (words)((sum & 0x7fffffff) > 0x7f800000), some = (words)(sum << 1 != 0);

    return (bits)choose(nan, all_of(halves ? 0x7fff : 0x7fffffff), halves ? (words)half_of(sum) : (words)sum & some);
}

/* The same of sums that are infinite or NaNs. */
INLINE bits special_result(bool halves, reals sum)
{
    const bits infinite = halves ? ((bits)sum >> 16 & 0x8000) | 0x7c00 : (bits)sum;

    return (bits)choose(nans(sum), all_of(halves ? 0x7fff : 0x7fffffff), (words)infinite);
}

/* The results of a vector of columns. */
INLINE bits wide_block(const struct sums *s, const struct sums_wide *b, unsigned column, const int32_t *top,
                       const float *addends)
{
    doubles sum[HALVES], by[HALVES], back[HALVES];
    half_words out[HALVES], exponent;
    half_reals addend;
    bits all;

    for (unsigned h = 0; h < HALVES; h++) {
        memcpy(&exponent, &top[column + h * HALF], sizeof exponent);
        memcpy(&addend, &addends[column + h * HALF], sizeof addend);
        by[h] = powers_of(s->digits - exponent);
        back[h] = powers_of(exponent - s->digits);
        sum[h] = whole_part(doubles_of(addend) * by[h]);
    }
    for (unsigned k = 0; k < s->n; k++)
        for (unsigned h = 0; h < HALVES; h++) {
            half_reals factor;
            memcpy(&factor, b->value[0] + s->at[k] + column + h * HALF, sizeof factor);
            sum[h] += whole_part(doubles_of(factor) * (double)s->value[k] * by[h]);
        }
    for (unsigned h = 0; h < HALVES; h++)
        out[h] = single_of_sum(s->halves, s->kept, sum[h] * back[h]);
    memcpy(&all, out, sizeof all);
    return wide_result(s->halves, all);
}

/* The same where all of them are infinite or NaNs, and products of finite factors are not too large for single
 * precision. */
INLINE bits special_block(const struct sums *s, const struct sums_wide *b, unsigned column, const float *addends)
{
    reals sum, factor;

    memcpy(&sum, &addends[column], sizeof sum);
    for (unsigned k = 0; k < s->n; k++) {
        memcpy(&factor, b->value[0] + s->at[k] + column, sizeof factor);
        sum += splat(s->value[k]) * factor;
    }
    return special_result(s->halves, sum);
}

/* Which of a vector of sums have an infinite term or a NaN, if they meet all rows of B. */
INLINE words special(const struct sums *s, const struct sums_wide *b, unsigned column, const float *addends)
{
    bits addend;

    memcpy(&addend, &addends[column], sizeof addend);
    return (words)((addend & 0x7f800000) == 0x7f800000) | (words_of(b->odd + column) != 0) | (s->odd ? -1 : 0);
}

static void wide_row(const struct sums *s, const struct sums_wide *b, const struct sums_d *d, const uint8_t *wanted)
{
    _Alignas(64) int32_t top[SUMS_COLUMNS];
    _Alignas(64) float addends[SUMS_COLUMNS];
    const struct row own = row_of(s, s->halves, d, 0);
    const struct row made = { (const uint64_t *const *)own.to, own.to, own.lane };

    wide_terms(s, b, own, top, addends);
    for (unsigned column = 0; column < s->columns; column += PER) {
        words where = all_of(-1);
        if (wanted) {
            where = words_of(wanted + column) != 0;
            if (!any(where))
                continue;
        }
        const bool all_special = b->near && !s->moved && !any(where & ~special(s, b, column, addends));
        const bits value = all_special ? special_block(s, b, column, addends) : wide_block(s, b, column, top, addends);
        store_d(own, s->halves, column,
                wanted ? (bits)choose(where, (words)value, (words)load_d(made, s->halves, column)) : value);
    }
}
// SPDX-License-Identifier: Apache-2.0
