/* The tensor and the tile that the swizzle cases share. */
#ifndef COPYCHECK_TESTS_SWIZZLE_MAP_H
#define COPYCHECK_TESTS_SWIZZLE_MAP_H

#include "expected/oracle.h"
#include "harness/ck.h"

enum { IMAGE = 16384, BARRIER = 1024 }; /* bytes of the shared image, and of the room for the barrier behind it */

#define MODES "32B 64B 128B"
#define TYPES "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16"

/* A tensor of the axes' type, rank and mode with padding between its rows. A row of the box fills the mode's span; the
 * rows of a box are no multiple of the pattern, nor are those of a plane of it. */
struct tensor_map swizzled_map(struct ck *t);

/* Bytes of global memory from map.address to behind the tensor. */
size_t swizzled_bytes(const struct tensor_map *map);

/* A corner inside the tensor, with the whole box inside. */
void swizzled_corner(const struct tensor_map *map, int32_t corner[TENSOR_RANK_MAX]);

/* Where a tile starts in the image, in bytes: at rank 1 in a line of the pattern that moves a single row. */
uint32_t swizzled_offset(struct ck *t);

/* Encodes the map, loads its tile at `corner` to `offset` of a poisoned image, and waits for it. */
void swizzled_load(struct ck *t, const struct tensor_map *map, struct ck_buf src, struct ck_buf image,
                   const int32_t corner[TENSOR_RANK_MAX], uint32_t offset);
/* Stores the tile at `offset` of the image `in` to `dst`. */
void swizzled_store(struct ck *t, const struct tensor_map *map, struct ck_buf dst, struct ck_buf in,
                    const int32_t corner[TENSOR_RANK_MAX], uint32_t offset);

#endif
// SPDX-License-Identifier: Apache-2.0
