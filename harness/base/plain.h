/* Plain text, of which most texts are: eight or sixteen bytes at a time. */
#ifndef COPYCHECK_BASE_PLAIN_H
#define COPYCHECK_BASE_PLAIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CK_EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (uint64_t)(b))

/* The lowest bit of the result belongs to the first of eight bytes that is this one; of bytes behind it nothing is
 * said.
 */
static inline uint64_t ck_find_byte(uint64_t bytes, unsigned char one)
{
    const uint64_t zero = bytes ^ CK_EACH_BYTE(one);

    return (zero - CK_EACH_BYTE(1)) & ~zero & CK_EACH_BYTE(0x80);
}

/* How many bytes from here on are printable ASCII but neither quote nor backslash. */
static inline size_t ck_plain(const char *text, size_t size)
{
    size_t n = 0;

#ifdef __SSE2__
    for (__m128i v; size - n >= sizeof v; n += sizeof v) {
        v = _mm_loadu_si128((const __m128i *)(const void *)(text + n));
        const __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')), slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')),
                      low = _mm_cmplt_epi8(v, _mm_set1_epi8(' ')), /* bytes from 0x80 on are negative */
            del = _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7F));
        const int others = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), _mm_or_si128(low, del)));
        if (others)
            return n + (size_t)__builtin_ctz((unsigned)others);
    }
#endif
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is the lowest one");
    for (uint64_t w; size - n >= sizeof w; n += sizeof w) {
        memcpy(&w, text + n, sizeof w);
        w = (w & CK_EACH_BYTE(0x80)) | ((w - CK_EACH_BYTE(0x20)) & ~w & CK_EACH_BYTE(0x80)) | ck_find_byte(w, '"') |
            ck_find_byte(w, '\\') | ck_find_byte(w, 0x7F);
        if (w)
            return n + (size_t)__builtin_ctzll(w) / 8;
    }
    while (n < size && text[n] >= ' ' && text[n] <= '~' && text[n] != '"' && text[n] != '\\')
        n++;
    return n;
}

#endif
// SPDX-License-Identifier: Apache-2.0
