/* What the cases of views share: one tile of a small array, accessed by a tile kernel or by the tensor copy that does
 * the same.
 *
 * A case makes an access, computes what it must leave, lets a mutant change the access, and launches it:
 *
 *     struct access a = access_to_load(t);
 *     const unsigned char *expected;
 *
 *     access_cut(&a, dim, over);
 *     expected = access_loaded(t, &a);
 *     if (ck_variant(t, "longer"))
 *         a.v.extents.of[dim]++;
 *     access_load(t, &a);
 *     ck_equal(t, a.tile, expected);
 *
 * The axis `by` says what does it: "tile", a kernel of kernels/cuda_tile, or "copy", a tensor copy. */
#ifndef COPYCHECK_TESTS_ACCESS_H
#define COPYCHECK_TESTS_ACCESS_H

#include "expected/view.h"
#include "harness/ck.h"
#include "kernels/view.h"

/* Axes of one value, and the rest that cases of views have in common. */
#define TILE                                                                                                           \
    {                                                                                                                  \
        "by", "=tile"                                                                                                  \
    }
#define COPY                                                                                                           \
    {                                                                                                                  \
        "by", "=copy"                                                                                                  \
    }
#define PLAIN                                                                                                          \
    {                                                                                                                  \
        "padding", "=none"                                                                                             \
    }
#define MASKED                                                                                                         \
    {                                                                                                                  \
        "padding", "=zero"                                                                                             \
    }
#define ALL_TYPES "u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64 e4m3 e5m2"
#define SIZES     "u8 u16 u32 u64"
#define LOWERED   .name = "lowered", .needs = "sm_90, PTX 8.0" /* the case that shows it by a tensor copy */

enum { ACCESS_INNER = 16 }; /* elements of a tile in the last dimension: a multiple of 16 bytes of any type */

struct access {
    struct view_access v;
    struct ck_buf array;
    struct ck_buf tile; /* a load's result, or what a store takes: elements in row-major order; a copy's has guards */
    bool copy;
};

/* The last tile of an array of two tiles in each dimension, of the axes' rank, type and padding. Tiles have 16, 4 x 16,
 * 2 x 4 x 16, ... elements. Behind each row of the array there are 16 elements more. The array of a load holds bytes
 * that are neither 0 nor poison. */
struct access access_to_load(struct ck *t);
struct access access_to_store(struct ck *t);
/* The same without an axis for the padding, which is zero. */
struct access access_to_load_zero(struct ck *t);
struct access access_to_store_zero(struct ck *t);

/* Makes the array `over` elements shorter in a dimension, so that its last tile hangs over by so many. Its memory stays
 * where it is. */
void access_cut(struct access *a, int dimension, int64_t over);

/* Gives the array memory for its extents and strides, and for those of a mutant that is a few elements off. */
void access_place(struct ck *t, struct access *a, bool load);

/* Makes the index that of tile `number`, the last dimension counted fastest. */
void access_pick(struct access *a, int64_t number);

/* The bytes of the tile, with its guards, that a load leaves; those of the array that a store leaves. */
unsigned char *access_loaded(struct ck *t, const struct access *a);
unsigned char *access_stored(struct ck *t, const struct access *a);

/* Carries it out with load or load_masked, store or store_masked, according to the padding. */
enum ck_end access_load(struct ck *t, const struct access *a);
enum ck_end access_store(struct ck *t, const struct access *a);
/* The same by a tile kernel of this name. */
enum ck_end access_by(struct ck *t, const struct access *a, const char *kernel);

/* Copies each NaN that the load left outside the array into `expected`: any NaN will do there. */
void access_take_nans(const struct access *a, unsigned char *expected);

bool access_at(struct ck *t);   /* valid: `at` numbers one of two tiles in each dimension */
bool access_over(struct ck *t); /* valid: `dim` below `rank`, and `over` leaves a part of the tile inside */
/* valid: the same, and a row that a tensor copy stores ends at a multiple of 16 bytes. */
bool access_over_chunk(struct ck *t);

/* A load of any full tile returns each element of the array at its own place: tile (i, j, ...) begins at element i * T
 * of each dimension. */
static inline void access_loads_any(struct ck *t)
{
    struct access a = access_to_load(t);
    const unsigned char *expected;

    access_pick(&a, ck_int(t, "at"));
    expected = access_loaded(t, &a);
    if (ck_variant(t, "index"))
        access_pick(&a, ck_int(t, "at") ^ 1);
    access_load(t, &a);
    ck_equal(t, a.tile, expected);
}

#endif
// SPDX-License-Identifier: Apache-2.0
