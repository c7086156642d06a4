/* Where the elements of wgmma's matrices are. */
#include "expected/wgmma.h"

#include "expected/oracle.h"
#include "expected/tensor_map.h"

enum { CHUNK = 16, ROWS = 8, LANES = 32, PATTERN_ROW = 128 };

uint32_t wgmma_place(const struct wgmma_layout *l, uint32_t line, uint32_t k)
{
    const uint32_t along = (l->across ? line : k) * l->bytes, row = l->across ? k : line;
    const uint32_t span = l->swizzle == TENSOR_SWIZZLE_NONE ? CHUNK : tensor_swizzle_span(l->swizzle);
    const bool plain_across = l->across && l->swizzle == TENSOR_SWIZZLE_NONE;
    const uint32_t next_rows = plain_across ? l->leading : l->stride, next = plain_across ? l->stride : l->leading;
    const uint32_t at = l->start + row / ROWS * next_rows + along / span * next + row % ROWS * span + along % span;
    const uint32_t shift = l->base * PATTERN_ROW;

    return (uint32_t)tensor_swizzle(l->swizzle, at - shift) + shift;
}

uint64_t wgmma_descriptor(const struct wgmma_layout *l)
{
    const uint64_t mode = l->swizzle == TENSOR_SWIZZLE_128B  ? 1
                          : l->swizzle == TENSOR_SWIZZLE_64B ? 2
                          : l->swizzle == TENSOR_SWIZZLE_32B ? 3
                                                             : 0;

    return (uint64_t)(l->start / CHUNK) | (uint64_t)(l->leading / CHUNK) << 16 | (uint64_t)(l->stride / CHUNK) << 32 |
           (uint64_t)l->base << 49 | mode << 62;
}

struct wgmma_at wgmma_d_at(uint32_t t, uint32_t i)
{
    const uint32_t warp = t / LANES, lane = t % LANES;

    return (struct wgmma_at){ 16 * warp + lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2 };
}

struct wgmma_at wgmma_a_at(uint32_t t, uint32_t i, uint32_t e, uint32_t k, uint32_t bytes)
{
    const uint32_t warp = t / LANES, lane = t % LANES;

    return (struct wgmma_at){ 16 * warp + lane / 4 + 8 * (i % 2), i / 2 * (k / 2) + lane % 4 * (4 / bytes) + e };
}
// SPDX-License-Identifier: Apache-2.0
