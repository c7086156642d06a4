/* What the cases of tensor copies share: a small tensor, a box in it, and what a copy of the box must leave.
 *
 * A box says what is expected. What the kernel is told is the same, but for a twist: the axis that mutants set.
 *
 *   twist=step     the last coordinate starts one step further (the first of a rank 1 map by 16 bytes)
 *   twist=inside   the box starts inside the tensor
 *   twist=reverse  the coordinates come in the wrong order
 *   twist=wider    the tensor is one larger in dimension `dim` (dimension 0: up to the next 16 bytes)
 *   twist=tall     the box is one larger in its last dimension (rank 1: by 16 bytes)
 *   twist=wide     the box is 16 bytes wider
 *   twist=pitch    the rows of the tensor are packed
 *   twist=dense    the element strides are 1
 *   twist=zero     the fill is zero
 */
#ifndef COPYCHECK_TESTS_BOX_H
#define COPYCHECK_TESTS_BOX_H

#include "expected/oracle.h"
#include "harness/ck.h"

enum { BOX_OFFSET = 256 }; /* of a tile in its image, unless a case says otherwise */

struct box {
    struct tensor_map map; /* its address is an offset into `tensor` */
    int32_t corner[5];
    uint32_t offset;      /* of the tile in the shared image */
    uint32_t image_bytes; /* room for a tile twice as large without element strides, and for guards of 256 bytes */
    struct ck_buf tensor;
    struct ck_buf image; /* a load's result, or what a store takes */
};

int64_t box_type(struct ck *t);                      /* axis `type`, or u8 where there is none */
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

/* Makes the buffers of a load or a store. The tensor's buffer has room for one more slab of the last dimension. A
 * load's tensor holds values that no type converts; with memory=slow it is far away, so that it comes late. */
struct box box_to_load(struct ck *t, const struct tensor_map *map);
struct box box_to_store(struct ck *t, const struct tensor_map *map);

/* What the kernel is told: the box with its twist. */
struct box_told {
    struct tensor_map map;
    int32_t corner[5];
};
struct box_told box_told(struct ck *t, const struct box *b);

/* The image that a load of the box leaves, or the tensor's bytes that a store leaves, by the oracle. */
unsigned char *box_loaded(struct ck *t, const struct box *b);
unsigned char *box_stored(struct ck *t, const struct box *b);

/* What adding the image to the tensor leaves; types u32 and s32. */
unsigned char *box_added(struct ck *t, const struct box *b);

/* Load with tile_load, store with tile_store, or add with tensor_store, as told. */
enum ck_end box_load(struct ck *t, const struct box *b);
enum ck_end box_store(struct ck *t, const struct box *b);
enum ck_end box_add(struct ck *t, const struct box *b);

#endif
