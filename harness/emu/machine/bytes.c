/* Copies and fills of host memory: by vectors of AVX2 where there are such. */
#include "harness/emu/machine/bytes.h"

#include "harness/emu/machine/lanes.h"

/* Elsewhere copies and fills go in pieces below the size from which libc takes `rep movsb`: that is slow on some
 * processors, and callgrind counts it as an instruction a byte. */
enum { PIECE = 1024 };

/* Bytes of the next piece. The compiler must not know how many they are at most: it would copy by words itself, where
 * libc takes vectors. */
static inline size_t piece(size_t left)
{
    size_t n = left < PIECE ? left : PIECE;

    __asm__("" : "+r"(n));
    return n;
}

#ifdef __x86_64__
/* As many vectors at a time as there are registers for; how many bytes these are. */
typedef long long __attribute__((may_alias, vector_size(32), aligned(1))) vector;
enum { VECTORS = 16, AT_ONCE = VECTORS * sizeof(vector) };

EMU_AVX2 static size_t copy_avx2(char *restrict to, const char *restrict from, size_t n)
{
    const size_t all = n / AT_ONCE * AT_ONCE;

    for (size_t done = 0; done < all; done += AT_ONCE) {
        vector v[VECTORS];
#pragma GCC unroll 16
        for (int i = 0; i < VECTORS; i++)
            v[i] = ((const vector *)(from + done))[i];
#pragma GCC unroll 16
        for (int i = 0; i < VECTORS; i++)
            ((vector *)(to + done))[i] = v[i];
    }
    return all;
}

EMU_AVX2 static size_t fill_avx2(char *to, int byte, size_t n)
{
    const long long word = (long long)(0x0101010101010101ull * (unsigned char)byte);
    const vector v = { word, word, word, word };
    const size_t all = n / AT_ONCE * AT_ONCE;

    for (size_t done = 0; done < all; done += AT_ONCE) {
#pragma GCC unroll 16
        for (int i = 0; i < VECTORS; i++)
            ((vector *)(to + done))[i] = v;
    }
    return all;
}
#endif

void emu_copy(void *to, const void *from, size_t n)
{
    size_t done = 0;

    EMU_IF_AVX2(if (n >= AT_ONCE && emu_has_avx2()) done = copy_avx2(to, from, n);)
    for (; done < n; done += PIECE)
        memcpy((char *)to + done, (const char *)from + done, piece(n - done));
}

void emu_fill(void *to, int byte, size_t n)
{
    size_t done = 0;

    EMU_IF_AVX2(if (n >= AT_ONCE && emu_has_avx2()) done = fill_avx2(to, byte, n);)
    for (; done < n; done += PIECE)
        memset((char *)to + done, byte, piece(n - done));
}
// SPDX-License-Identifier: Apache-2.0
