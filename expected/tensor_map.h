/* The arguments of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col. */
#ifndef COPYCHECK_TENSOR_MAP_H
#define COPYCHECK_TENSOR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expected/rule.h"

/* TENSOR_SPACE_MAX: of an image of im2col mode, W H D. A copy is given TENSOR_CORNER numbers: TENSOR_RANK_MAX
 * coordinates, then, of im2col loads, the offsets along W, H and D. */
enum { TENSOR_RANK_MAX = 5, TENSOR_SPACE_MAX = 3, TENSOR_CORNER = 8, TENSOR_MAP_BYTES = 128 };

/* CUtensorMapDataType, by value. */
enum tensor_type {
    TENSOR_U8,
    TENSOR_U16,
    TENSOR_U32,
    TENSOR_S32,
    TENSOR_U64,
    TENSOR_S64,
    TENSOR_F16,
    TENSOR_F32,
    TENSOR_F64,
    TENSOR_BF16,
    TENSOR_F32_FTZ,
    TENSOR_TF32,
    TENSOR_TF32_FTZ,
    TENSOR_16U4_ALIGN8B,
    TENSOR_16U4_ALIGN16B,
    TENSOR_16U6_ALIGN16B,
    TENSOR_TYPE_COUNT
};

enum tensor_interleave { TENSOR_INTERLEAVE_NONE, TENSOR_INTERLEAVE_16B, TENSOR_INTERLEAVE_32B };

enum tensor_swizzle {
    TENSOR_SWIZZLE_NONE,
    TENSOR_SWIZZLE_32B,
    TENSOR_SWIZZLE_64B,
    TENSOR_SWIZZLE_128B,
    TENSOR_SWIZZLE_128B_ATOM_32B,
    TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    TENSOR_SWIZZLE_128B_ATOM_64B,
    TENSOR_SWIZZLE_COUNT
};

enum tensor_l2 { TENSOR_L2_NONE, TENSOR_L2_64B, TENSOR_L2_128B, TENSOR_L2_256B };
enum tensor_fill { TENSOR_FILL_NONE, TENSOR_FILL_NAN };

enum tensor_mode {
    TENSOR_MODE_TILED,
    TENSOR_MODE_IM2COL,
    TENSOR_MODE_IM2COL_W,
    TENSOR_MODE_IM2COL_W128,
    TENSOR_MODE_ROWS, /* of no call: a tiled map as gather4 and scatter4 copies take it, see tensor_gather4 */
};

/* One call. Enumerators are plain numbers, wide enough for values that the documents forbid. */
struct tensor_map {
    int64_t type;
    int64_t rank;
    uint64_t address;                          /* globalAddress */
    uint64_t dims[TENSOR_RANK_MAX];            /* globalDim, elements, fastest first */
    uint64_t strides[TENSOR_RANK_MAX - 1];     /* globalStrides, bytes; strides[i] steps dimension i + 1 */
    uint32_t box[TENSOR_RANK_MAX];             /* boxDim, elements */
    uint32_t element_strides[TENSOR_RANK_MAX]; /* elementStrides */
    int64_t interleave, swizzle, l2, fill;
    int64_t mode; /* enum tensor_mode: which of the three calls; from IM2COL_W on the wide one with this less 2 */
    /* im2col has these in place of the box: the corners along W, H, D, what is copied of each pixel, and of how many */
    int32_t lower[TENSOR_SPACE_MAX], upper[TENSOR_SPACE_MAX];
    uint32_t channels, pixels;
};

#endif
// SPDX-License-Identifier: Apache-2.0
