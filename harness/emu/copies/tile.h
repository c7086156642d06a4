/* Tiles in runs of bytes: what tensor copies do to memory, row by row and not element by element. */
#ifndef COPYCHECK_EMU_COPIES_TILE_H
#define COPYCHECK_EMU_COPIES_TILE_H

#include "expected/oracle.h"

/* Bytes of a tile that lie one after the other, both in the tensor and, apart from the swizzle, in the tile. */
struct emu_tile_run {
    bool inside;     /* of the tensor */
    uint64_t global; /* address; no meaning outside */
    uint64_t linear; /* from the tile's first byte on */
    uint64_t bytes;
};
typedef void emu_tile_fn(void *context, const struct emu_tile_run *run);
/* Calls `visit` for all bytes of the tile at `corner` (as tensor_tile_each has it), in the order of the tile. */
void emu_tile_runs(const struct tensor_map *map, const int32_t corner[], emu_tile_fn *visit, void *context);
/* Bytes of that tile that are outside the tensor: a load fills them. */
uint64_t emu_tile_outside(const struct tensor_map *map, const int32_t corner[]);

/* Shared memory `image`, of which the tile at `shared` is a part, with every byte of the tile set to `byte`. */
void emu_tile_fill(const struct tensor_map *map, const int32_t corner[], unsigned char *image, uint64_t shared,
                   int byte);
/* The tile into shared memory, from global memory, with the map's fill. */
void emu_tile_load(const struct tensor_map *map, const int32_t corner[], unsigned char *image, uint64_t shared);
/* The tile out of shared memory, without the swizzle: tensor_tile_span bytes. */
void emu_tile_read(const struct tensor_map *map, const int32_t corner[], const unsigned char *image, uint64_t shared,
                   unsigned char *linear);
/* What of that is inside the tensor, to global memory. */
void emu_tile_store(const struct tensor_map *map, const int32_t corner[], const unsigned char *linear);

#endif
// SPDX-License-Identifier: Apache-2.0
