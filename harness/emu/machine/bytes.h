/* Copies and fills of host memory, and values of less than 8 bytes. Anything in the emulator may include it. */
#ifndef COPYCHECK_EMU_MACHINE_BYTES_H
#define COPYCHECK_EMU_MACHINE_BYTES_H

#include <stdint.h>
#include <string.h>

/* Copies and fills go in pieces below the size from which libc takes `rep movsb`: that is slow on some processors, and
 * callgrind counts it as an instruction a byte. */
enum { EMU_PIECE = 1024 };

/* Bytes of the next piece. The compiler must not know how many they are at most: it would copy by words itself, where
 * libc takes vectors. */
static inline size_t emu_piece(size_t left)
{
    size_t n = left < EMU_PIECE ? left : EMU_PIECE;

    __asm__("" : "+r"(n));
    return n;
}

static inline void emu_copy(void *to, const void *from, size_t n)
{
    for (size_t done = 0; done < n; done += EMU_PIECE)
        memcpy((char *)to + done, (const char *)from + done, emu_piece(n - done));
}

static inline void emu_fill(void *to, int byte, size_t n)
{
    for (size_t done = 0; done < n; done += EMU_PIECE)
        memset((char *)to + done, byte, emu_piece(n - done));
}

/* The low bytes of a value, zero-extended. */
static inline uint64_t emu_low(uint64_t value, unsigned bytes)
{
    return bytes >= 8 ? value : value & ((1ull << bytes * 8) - 1);
}

#endif
// SPDX-License-Identifier: Apache-2.0
