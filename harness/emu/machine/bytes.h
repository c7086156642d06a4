/* Copies and fills of host memory, and values of less than 8 bytes. Anything in the emulator may include it. */
#ifndef COPYCHECK_EMU_MACHINE_BYTES_H
#define COPYCHECK_EMU_MACHINE_BYTES_H

#include <stdint.h>
#include <string.h>

void emu_copy(void *to, const void *from, size_t n);
void emu_fill(void *to, int byte, size_t n);

/* The low bytes of a value, zero-extended. */
static inline uint64_t emu_low(uint64_t value, unsigned bytes)
{
    return bytes >= 8 ? value : value & ((1ull << bytes * 8) - 1);
}

#endif
// SPDX-License-Identifier: Apache-2.0
