/* Vectors of the loops of sums.h: as wide as the processor's that they are compiled for. */
#ifndef COPYCHECK_EMU_PRODUCT_SUMS_VECTORS_H
#define COPYCHECK_EMU_PRODUCT_SUMS_VECTORS_H

#include <string.h>

#include "harness/emu/product/sums.h"

/* Bytes of a vector; words of one. */
#ifdef __AVX2__
#define WIDTH 32
#else
#define WIDTH 16
#endif
enum { PER = WIDTH / 4 };

#define INLINE static inline __attribute__((always_inline))

typedef float reals __attribute__((vector_size(WIDTH)));
typedef int32_t words __attribute__((vector_size(WIDTH)));
typedef uint32_t bits __attribute__((vector_size(WIDTH)));
typedef uint8_t bytes __attribute__((vector_size(WIDTH)));

INLINE words choose(words where, words a, words b)
{
    return (where & a) | (~where & b);
}
#ifdef __AVX2__
#define larger(a, b)       ((words)__builtin_ia32_pmaxsd256(a, b))
#define smaller(a, b)      ((words)__builtin_ia32_pminsd256(a, b))
#define larger_bytes(a, b) ((bytes)__builtin_ia32_pmaxub256((small_bytes)(a), (small_bytes)(b)))
#define pairs_of(a, b)     ((words)__builtin_ia32_pmaddwd256((shorts)(a), (shorts)(b)))
typedef char small_bytes __attribute__((vector_size(WIDTH)));
typedef short shorts __attribute__((vector_size(WIDTH)));
typedef char sixteen_bytes __attribute__((vector_size(16), aligned(1), may_alias));
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
/* The sum of the products of the low and of the high halves. */
INLINE words pairs_of(bits a, bits b)
{
    return ((words)(a << 16) >> 16) * ((words)(b << 16) >> 16) + ((words)a >> 16) * ((words)b >> 16);
}
#endif
/* a * b + c; a * b is exact. */
#ifdef __FMA__
#define fused(a, b, c) ((reals)__builtin_ia32_vfmaddps256(a, b, c))
#else
#define fused(a, b, c) ((a) * (b) + (c))
#endif

INLINE words all_of(int value)
{
    return (words){ 0 } + value;
}

INLINE reals splat(float value)
{
#ifdef __AVX2__
    return (reals){ value, value, value, value, value, value, value, value };
#else
    return (reals){ value, value, value, value };
#endif
}

/* Of so many bytes as a vector has words. */
INLINE words words_of(const uint8_t *from)
{
#ifdef __AVX2__
    return (words)__builtin_ia32_pmovzxbd256(*(const sixteen_bytes *)from);
#else
    return (words){ from[0], from[1], from[2], from[3] };
#endif
}

/* Of words, the low bytes. */
INLINE void put_bytes(words value, int8_t *to)
{
#ifdef __AVX2__
    const shorts low = __builtin_ia32_packssdw256(value, value);
    const words four = (words)__builtin_ia32_packsswb256(low, low);
    const int32_t parts[2] = { four[0], four[4] };
    memcpy(to, parts, sizeof parts);
#else
    for (unsigned k = 0; k < PER; k++)
        to[k] = (int8_t)value[k];
#endif
}

INLINE bool any(words where)
{
    uint64_t parts[WIDTH / 8], all = 0;

    memcpy(parts, &where, sizeof parts);
    for (unsigned k = 0; k < WIDTH / 8; k++)
        all |= parts[k];
    return all != 0;
}

/* Elements of two vectors, by their numbers. */
#ifdef __clang__
#define shuffled(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define shuffled(type, a, b, ...) __builtin_shuffle(a, b, (type){ __VA_ARGS__ })
#endif

/* ---- a warp's registers ------------------------------------------------------------------------------------------ */

#ifdef __AVX2__
#define low_words(a, b) ((bits)__builtin_ia32_shufps256((reals)(a), (reals)(b), 0x88))
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

/* The elements in a row from a column on, a multiple of PER. */
INLINE bits load_d(struct row r, bool halves, unsigned column)
{
    const size_t reg = column / SUMS_GROUP * (halves ? 2 : 4), lane = column % SUMS_GROUP / 2;
    bits a, b;

    memcpy(&a, r.from[reg] + r.lane + lane, sizeof a);
    if (halves)
        return low_words(a & 0xffff, a >> 16);
    memcpy(&b, r.from[reg + 1] + r.lane + lane, sizeof b);
    return low_words(a, b);
}

INLINE void store_d(struct row r, bool halves, unsigned column, bits value)
{
    const size_t reg = column / SUMS_GROUP * (halves ? 2 : 4), lane = column % SUMS_GROUP / 2;
    const bits none = { 0 }, both = shuffled(bits, value, none, SECOND_HALF);
    bits first = shuffled(bits, value, none, FIRST_HALF);

    if (halves)
        first |= both << 16;
    memcpy(r.to[reg] + r.lane + lane, &first, sizeof first);
    if (!halves)
        memcpy(r.to[reg + 1] + r.lane + lane, &both, sizeof both);
}

#endif
