/* The swizzle patterns of the tensor copies as a function of the shared address. */
#include "expected/oracle.h"

/* PTX ISA "Swizzling Modes" draws each pattern as a table of 16-byte cells in 128-byte lines. Every table is an
 * exclusive or: the bits that choose a chunk inside the span take the bits that count the 128-byte lines. */
static const struct {
    unsigned shift;      /* by how many bits the bits that count lines are above the ones they change */
    uint64_t mask;       /* the bits that are changed */
    unsigned flip_shift; /* the mode that also swaps 8-byte halves has a second term */
    uint64_t flip_mask;
} pattern[TENSOR_SWIZZLE_COUNT] = {
    [TENSOR_SWIZZLE_32B] = { 3, 0x10, 0, 0 },
    [TENSOR_SWIZZLE_64B] = { 3, 0x30, 0, 0 },
    [TENSOR_SWIZZLE_128B] = { 3, 0x70, 0, 0 },
    [TENSOR_SWIZZLE_128B_ATOM_32B] = { 2, 0x60, 0, 0 },
    [TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B] = { 2, 0x60, 4, 0x08 },
    [TENSOR_SWIZZLE_128B_ATOM_64B] = { 1, 0x40, 0, 0 },
};

uint64_t tensor_swizzle(int64_t swizzle, uint64_t address)
{
    if (swizzle <= TENSOR_SWIZZLE_NONE || swizzle >= TENSOR_SWIZZLE_COUNT)
        return address;
    return address ^ ((address >> pattern[swizzle].shift) & pattern[swizzle].mask) ^
           ((address >> pattern[swizzle].flip_shift) & pattern[swizzle].flip_mask);
}

unsigned tensor_swizzle_span(int64_t swizzle)
{
    switch (swizzle) {
    case TENSOR_SWIZZLE_32B: return 32;
    case TENSOR_SWIZZLE_64B: return 64;
    case TENSOR_SWIZZLE_128B:
    case TENSOR_SWIZZLE_128B_ATOM_32B:
    case TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B:
    case TENSOR_SWIZZLE_128B_ATOM_64B: return 128;
    default: return 0;
    }
}

unsigned tensor_swizzle_period(int64_t swizzle)
{
    switch (swizzle) {
    case TENSOR_SWIZZLE_32B:
    case TENSOR_SWIZZLE_128B_ATOM_64B: return 256;
    case TENSOR_SWIZZLE_64B:
    case TENSOR_SWIZZLE_128B_ATOM_32B:
    case TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B: return 512;
    case TENSOR_SWIZZLE_128B: return 1024;
    default: return 16;
    }
}
// SPDX-License-Identifier: Apache-2.0
