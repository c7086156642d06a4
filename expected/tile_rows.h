/* How a tile's box is counted along each dimension: shared by tile_rows.c and tile.c. */
#ifndef COPYCHECK_TILE_ROWS_H
#define COPYCHECK_TILE_ROWS_H

#include "expected/oracle.h"

/* Bytes of one slice of channels of an interleaved map, 16 or 32; 0 where the map is not interleaved. */
size_t tile_slice_bytes(const struct tensor_map *map);
/* The distance in elements between two neighbours that a tile takes along dimension `i` of the tensor. */
uint32_t tile_step(const struct tensor_map *map, int i);
/* How many elements a tile has along dimension `i`: cuda.h, ceil(boxDim / elementStrides). */
uint32_t tile_count(const struct tensor_map *map, int i);

#endif
// SPDX-License-Identifier: Apache-2.0
