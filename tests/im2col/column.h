/* What the cases of im2col copies share: a batch of images, a column of pixels in it, and what a copy of it leaves.
 *
 * A case makes a column, lets a mutant change a copy of it, and copies by that one:
 *
 *     struct column right = column_make(TENSOR_U16, 4), given;
 *
 *     right.corner[1] = 3;
 *     given = right;
 *     if (ck_variant(t, "step"))
 *         given.corner[1]++;
 *     column_load(t, &right, &given);
 */
#ifndef COPYCHECK_TESTS_COLUMN_H
#define COPYCHECK_TESTS_COLUMN_H

#include "expected/oracle.h"
#include "harness/ck.h"
#include "kernels/im2col.h"

enum { COLUMN_OFFSET = 256, COLUMN_GUARD = 256 }; /* bytes before and behind the column in its image */

struct column {
    struct tensor_map map;
    int32_t corner[TENSOR_CORNER]; /* where it starts; from TENSOR_RANK_MAX on the offsets */
};

/* Pixels along W, H, D, or the images, from dimension 1 on: 7 x 6 x 5 and three images; 64 bytes of channels, of which
 * the column takes 32; 40 pixels from the second position on. */
struct column column_make(int64_t type, int rank);
/* Strides of a tensor without gaps, after its dimensions were changed. */
void column_pack(struct tensor_map *map);
/* The last position of the bounding box in dimension `dim`, if it is reached in steps from the lower corner. */
int32_t column_last(const struct tensor_map *map, int dim);
/* Bytes of a tensor with so many images. */
size_t column_extent(const struct tensor_map *map, uint64_t images);

/* Loads by `given`, whose tensor has room for two images more than `right` says, and compares with what `right` says;
 * stores likewise. */
void column_load(struct ck *t, const struct column *right, const struct column *given);
void column_store(struct ck *t, const struct column *right, const struct column *given);

/* The kernel's arguments but for its buffers, the map encoded. */
struct im2col_args column_args(struct ck *t, const struct column *c, struct ck_buf tensor, struct ck_buf image);
/* An image that receives or holds a column of this map. */
size_t column_image(const struct tensor_map *map);
void column_launch(struct ck *t, const char *kernel, const struct im2col_args *a);

bool column_dim_in_rank(struct ck *t); /* valid: axis `dim` names one of W, H, D at this rank */

#endif
// SPDX-License-Identifier: Apache-2.0
