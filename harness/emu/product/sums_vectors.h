/* Vectors of the loops of sums.h: as wide as the processor's that they are compiled for. */
#ifndef COPYCHECK_EMU_PRODUCT_SUMS_VECTORS_H
#define COPYCHECK_EMU_PRODUCT_SUMS_VECTORS_H

#include <string.h>

#include "harness/emu/product/sums.h"

/* Bytes of a vector; words of one. */
#if defined(__AVX512BW__)
#define WIDTH 64
#elif defined(__AVX2__)
#define WIDTH 32
#else
#define WIDTH 16
#endif
enum { PER = WIDTH / 4 };
#if WIDTH > 16
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

typedef float reals __attribute__((vector_size(WIDTH)));
typedef int32_t words __attribute__((vector_size(WIDTH)));
typedef uint32_t bits __attribute__((vector_size(WIDTH)));
typedef uint8_t bytes __attribute__((vector_size(WIDTH)));

INLINE words choose(words where, words a, words b)
{
    return (where & a) | (~where & b);
}

/* Modulo 2^32. */
INLINE words plus(words a, words b)
{
    return (words)((bits)a + (bits)b);
}

/* Where they are NaNs. */
INLINE words nans(reals x)
{
    return ((words)x & 0x7fffffff) > 0x7f800000;
}
#if WIDTH == 64
#define larger(a, b)        ((words)_mm512_max_epi32((__m512i)(a), (__m512i)(b)))
#define smaller(a, b)       ((words)_mm512_min_epi32((__m512i)(a), (__m512i)(b)))
#define larger_bytes(a, b)  ((bytes)_mm512_max_epu8((__m512i)(a), (__m512i)(b)))
#define smaller_bytes(a, b) ((bytes)_mm512_min_epu8((__m512i)(a), (__m512i)(b)))
#define added_bytes(a, b)   ((bytes)_mm512_adds_epu8((__m512i)(a), (__m512i)(b)))
#define pairs_of(a, b)      ((words)_mm512_madd_epi16((__m512i)(a), (__m512i)(b)))
#define any(where)          (_mm512_test_epi32_mask((__m512i)(where), (__m512i)(where)) != 0)
#elif WIDTH == 32
#define larger(a, b)        ((words)_mm256_max_epi32((__m256i)(a), (__m256i)(b)))
#define smaller(a, b)       ((words)_mm256_min_epi32((__m256i)(a), (__m256i)(b)))
#define larger_bytes(a, b)  ((bytes)_mm256_max_epu8((__m256i)(a), (__m256i)(b)))
#define smaller_bytes(a, b) ((bytes)_mm256_min_epu8((__m256i)(a), (__m256i)(b)))
#define added_bytes(a, b)   ((bytes)_mm256_adds_epu8((__m256i)(a), (__m256i)(b)))
#define pairs_of(a, b)      ((words)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#define any(where)          (!_mm256_testz_si256((__m256i)(where), (__m256i)(where)))
#else
INLINE words larger(words a, words b)
{
    return choose(a > b, a, b);
}
INLINE words smaller(words a, words b)
{
    return choose(a < b, a, b);
}
INLINE bytes larger_bytes(bytes a, bytes b)
{
    const bytes where = (bytes)(a > b);

    return (where & a) | (~where & b);
}
INLINE bytes smaller_bytes(bytes a, bytes b)
{
    const bytes where = (bytes)(a < b);

    return (where & a) | (~where & b);
}
/* Sums that stop at 255. */
INLINE bytes added_bytes(bytes a, bytes b)
{
    const bytes sum = a + b;

    return sum | (bytes)(sum < a);
}
/* The sum of the products of the low and of the high halves. */
INLINE words pairs_of(bits a, bits b)
{
    return ((words)(a << 16) >> 16) * ((words)(b << 16) >> 16) + ((words)a >> 16) * ((words)b >> 16);
}
INLINE bool any(words where)
{
    uint64_t parts[WIDTH / 8], all = 0;

    memcpy(parts, &where, sizeof parts);
    for (unsigned k = 0; k < WIDTH / 8; k++)
        all |= parts[k];
    return all != 0;
}
#endif
/* a * b + c; a * b is exact. */
#if WIDTH == 64
#define fused(a, b, c) ((reals)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#elif defined(__FMA__)
#define fused(a, b, c) ((reals)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#else
#define fused(a, b, c) ((a) * (b) + (c))
#endif

INLINE words all_of(int value)
{
    return (words){ 0 } + value;
}

INLINE reals splat(float value)
{
#if WIDTH == 64
    return (reals)_mm512_set1_ps(value);
#elif WIDTH == 32
    return (reals)_mm256_set1_ps(value);
#else
    return (reals){ value, value, value, value };
#endif
}

/* Of so many bytes as a vector has words. */
INLINE words words_of(const uint8_t *from)
{
#if WIDTH == 64
    return (words)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)from));
#elif WIDTH == 32
    return (words)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from));
#else
    return (words){ from[0], from[1], from[2], from[3] };
#endif
}

/* Of words, the low bytes. */
INLINE void put_bytes(words value, int8_t *to)
{
#if WIDTH == 64
    _mm_storeu_si128((__m128i *)to, _mm512_cvtepi32_epi8((__m512i)value));
#elif WIDTH == 32
    const __m256i low = _mm256_packs_epi32((__m256i)value, (__m256i)value);
    const words four = (words)_mm256_packs_epi16(low, low);
    const int32_t parts[2] = { four[0], four[4] };
    memcpy(to, parts, sizeof parts);
#else
    for (unsigned k = 0; k < PER; k++)
        to[k] = (int8_t)value[k];
#endif
}

/* Elements of two vectors, by their numbers. */
#ifdef __clang__
#define shuffled(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define shuffled(type, a, b, ...) __builtin_shuffle(a, b, (type){ __VA_ARGS__ })
#endif

/* ---- a warp's registers ------------------------------------------------------------------------------------------ */

#if WIDTH == 64
#define low_words(a, b) ((bits)_mm512_shuffle_ps((__m512)(a), (__m512)(b), 0x88))
#define FIRST_HALF      0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define SECOND_HALF     2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#elif WIDTH == 32
#define low_words(a, b) ((bits)_mm256_shuffle_ps((__m256)(a), (__m256)(b), 0x88))
#define FIRST_HALF      0, 8, 1, 9, 4, 12, 5, 13
#define SECOND_HALF     2, 10, 3, 11, 6, 14, 7, 15
#else
#define low_words(a, b) shuffled(bits, a, b, 0, 2, 4, 6)
#define FIRST_HALF      0, 4, 1, 5
#define SECOND_HALF     2, 6, 3, 7
#endif

/* A row of D and its addend: the registers of some columns, and the lane that holds the first of those. */
struct row {
    const uint64_t *const *from;
    uint64_t *const *to;
    unsigned lane;
};

/* The row from a column on, a multiple of SUMS_GROUP. */
INLINE struct row row_of(const struct sums *s, bool halves, const struct sums_d *d, unsigned column)
{
    const unsigned first = s->row / 8 * (halves ? 1 : 2) + column / SUMS_GROUP * (halves ? 2 : 4);

    return (struct row){ d->from + first, d->to + first, s->row % 8 * 4 };
}

/* A vector of lanes of a register; where it holds columns of two groups, the others are the same lanes of the register
 * that is `apart` behind. */
INLINE bits load_lanes(uint64_t const *const *reg, size_t lane, unsigned apart)
{
#if WIDTH == 64
    return (bits)_mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(reg[0] + lane))),
                                    _mm256_loadu_si256((const __m256i *)(reg[apart] + lane)), 1);
#else
    bits value;

    (void)apart;
    memcpy(&value, reg[0] + lane, sizeof value);
    return value;
#endif
}

INLINE void store_lanes(uint64_t *const *reg, size_t lane, unsigned apart, bits value)
{
#if WIDTH == 64
    _mm256_storeu_si256((__m256i *)(reg[0] + lane), _mm512_castsi512_si256((__m512i)value));
    _mm256_storeu_si256((__m256i *)(reg[apart] + lane), _mm512_extracti64x4_epi64((__m512i)value, 1));
#else
    (void)apart;
    memcpy(reg[0] + lane, &value, sizeof value);
#endif
}

/* The elements in a row from a column on, a multiple of PER. */
INLINE bits load_d(struct row r, bool halves, unsigned column)
{
    const unsigned group = halves ? 2 : 4;
    const size_t reg = column / SUMS_GROUP * group, lane = r.lane + column % SUMS_GROUP / 2;
    const bits a = load_lanes(r.from + reg, lane, group);

    if (halves)
        return low_words(a & 0xffff, a >> 16);
    return low_words(a, load_lanes(r.from + reg + 1, lane, group));
}

INLINE void store_d(struct row r, bool halves, unsigned column, bits value)
{
    const unsigned group = halves ? 2 : 4;
    const size_t reg = column / SUMS_GROUP * group, lane = r.lane + column % SUMS_GROUP / 2;
    const bits none = { 0 }, both = shuffled(bits, value, none, SECOND_HALF);
    const bits first = shuffled(bits, value, none, FIRST_HALF);

    store_lanes(r.to + reg, lane, group, halves ? first | both << 16 : first);
    if (!halves)
        store_lanes(r.to + reg + 1, lane, group, both);
}

#endif
// SPDX-License-Identifier: Apache-2.0
