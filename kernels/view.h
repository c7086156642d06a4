/* Arguments of the kernels that access one tile of an array: kernels/cuda_tile/view_*.cu. A tile kernel has the members
 * as parameters, in this order. */
#ifndef COPYCHECK_KERNELS_VIEW_H
#define COPYCHECK_KERNELS_VIEW_H

#include "kernels/args.h"

enum { VIEW_KERNEL_RANK = 5 };

struct view_args {
    struct ck_head head;
    uint64_t array, tile; /* elements; a tile has them in row-major order */
    uint64_t rows;        /* of a gather-scatter view: the numbers of the rows, 32 bits each */
    int32_t extents[VIEW_KERNEL_RANK], strides[VIEW_KERNEL_RANK], index[VIEW_KERNEL_RANK]; /* slowest dimension first */
    int32_t unused;
};

#endif
// SPDX-License-Identifier: Apache-2.0
