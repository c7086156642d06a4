/* What lanes of a warp fetch of textures in a window. */
#ifndef COPYCHECK_EMU_MACHINE_FETCHED_H
#define COPYCHECK_EMU_MACHINE_FETCHED_H

#include <stdint.h>

/* Lines of texels that are remembered: the binary logarithm of how many. */
enum { EMU_FETCHED_BITS = 8 };

struct emu_fetched {
    uint64_t low, end; /* all texels that the last one may read lie between */
    /* Lines of which nothing more is to be asked in this cluster, whatever of them it fetches, by their addresses. */
    uint64_t lines[1 << EMU_FETCHED_BITS];
};

/* Where the line of an address is, if it is one of them; `line`: its address. */
static inline uint64_t *emu_fetched_line(struct emu_fetched *of, uint64_t line)
{
    return &of->lines[line * 0x9E3779B97F4A7C15u >> (64 - EMU_FETCHED_BITS)];
}

#endif
// SPDX-License-Identifier: Apache-2.0
