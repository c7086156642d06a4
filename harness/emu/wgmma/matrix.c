/* Matrix descriptors. */
#include "harness/emu/wgmma/matrix.h"

static uint32_t field(uint64_t descriptor, unsigned bit)
{
    return (uint32_t)(descriptor >> bit & 0x3fff) * EMU_CHUNK;
}

struct emu_matrix emu_matrix_of(uint64_t descriptor, bool across)
{
    return (struct emu_matrix){ .start = field(descriptor, 0),
                                .leading = field(descriptor, 16),
                                .stride = field(descriptor, 32),
                                .base = (uint32_t)(descriptor >> 49 & 7),
                                .mode = (enum emu_matrix_mode)(descriptor >> 62),
                                .across = across };
}
// SPDX-License-Identifier: Apache-2.0
