/* What the cases of tensor copies share: a small tensor, a box in it, and what a copy of the box must leave.
 *
 * A case makes a box, computes what its copy must leave, lets a mutant change the box, and copies it:
 *
 *     const struct tensor_map map = box_map(TENSOR_U16, 2);
 *     struct box b = box_to_load(t, &map);
 *     const unsigned char *const expected = box_loaded(t, &b);
 *
 *     if (ck_variant(t, "step"))
 *         box_move_on(&b);
 *     box_load(t, &b);
 *     ck_equal(t, b.image, expected);
 */
#ifndef COPYCHECK_TESTS_BOX_H
#define COPYCHECK_TESTS_BOX_H

#include "expected/oracle.h"
#include "harness/ck.h"
#include "kernels/tile.h"

enum { BOX_OFFSET = 256 }; /* of a tile in its image, bytes, unless a case says otherwise */

struct box {
    struct tensor_map map; /* its address is an offset into `tensor` */
    int32_t corner[5];     /* elements, dimension 0 (the fastest) first */
    uint32_t offset;       /* of the tile in the shared image, bytes */
    uint32_t image_bytes;  /* room for a tile twice as large without element strides, and for guards of 256 bytes */
    struct ck_buf tensor;
    struct ck_buf image; /* a load's result, or what a store takes */
};

int64_t box_type(struct ck *t);                      /* the axis `type` */
struct tensor_map box_map(int64_t type, int rank);   /* dims 64 bytes x 7 x 6 x 5 x 4, box 32 bytes x 3 x 2 x 2 x 2 */
uint64_t box_step(const struct tensor_map *map);     /* elements in 16 bytes */
void box_pack(struct tensor_map *map, size_t extra); /* strides: rows rounded up to 16 bytes, and `extra` */
size_t box_extent(const struct tensor_map *map);     /* bytes from offset 0 to behind the last element */
bool box_dim_in_rank(struct ck *t);                  /* valid: axis `dim` below axis `rank` */

/* Puts the corner inside the tensor: one step in, in each dimension. */
void box_inside(const struct tensor_map *map, int32_t corner[5]);
/* Moves the corner in one dimension so that the box hangs over ("low", "high") or is just outside ("below", "above").
 */
void box_over(const struct tensor_map *map, int32_t corner[5], int dim, const char *side);

/* One step further: one element on in the last dimension, in a tensor of rank 1 by 16 bytes. */
void box_move_on(struct box *b);
/* Makes the tensor that the map describes one element larger in this dimension; dimension 0 by up to 16 bytes, so that
 * it ends at a multiple of 16 bytes. */
void box_widen(struct box *b, int dim);

/* Makes the buffers of a load or a store. The tensor's buffer has room for one more slab of the last dimension. A
 * load's tensor holds values that no type converts. */
struct box box_to_load(struct ck *t, const struct tensor_map *map);
struct box box_to_load_late(struct ck *t, const struct tensor_map *map); /* from host memory: the copy takes long */
struct box box_to_store(struct ck *t, const struct tensor_map *map);

/* The image that a load of the box leaves, or the tensor's bytes that a store leaves, by the oracle. */
unsigned char *box_loaded(struct ck *t, const struct box *b);
unsigned char *box_stored(struct ck *t, const struct box *b);

/* What adding the image to the tensor leaves; types u32 and s32. */
unsigned char *box_added(struct ck *t, const struct box *b);

/* The arguments that load the box with tile_load or a kernel like it, its map encoded. */
struct tile_load_args box_load_args(struct ck *t, const struct box *b);

/* Load with tile_load, store with tile_store, or add with tensor_add. */
enum ck_end box_load(struct ck *t, const struct box *b);
enum ck_end box_store(struct ck *t, const struct box *b);
enum ck_end box_add(struct ck *t, const struct box *b);

/* The same with another kernel of the same arguments. */
enum ck_end box_load_by(struct ck *t, const struct box *b, const char *kernel);
enum ck_end box_store_by(struct ck *t, const struct box *b, const char *kernel);

#endif
// SPDX-License-Identifier: Apache-2.0
