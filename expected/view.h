/* The model of CUDA Tile's tile-space loads and stores: what a view of an array returns for a tile index.
 *
 * Dimensions are in C++'s order, the slowest first. Lengths, strides and offsets count elements. Extents, strides and
 * indices are run-time values of 64 bits; the element type, the tile's shape, the padding and the steps are the
 * kernel's template arguments. Sources: CUDA Programming Guide 13.4, 2.4.6; CUDA Tile C++ API Reference,
 * partition_view, strided_view and view padding; Tile IR specification, load_view_tko. What the compiler refuses is
 * what nvcc 13.5 refuses. */
#ifndef COPYCHECK_VIEW_H
#define COPYCHECK_VIEW_H

#include "expected/tensor_map.h"

enum { VIEW_RANK_MAX = 16 }; /* nvcc 13.5 takes any rank from 1 on; more than this the model does not hold */

enum view_type {
    VIEW_U8,
    VIEW_S8,
    VIEW_U16,
    VIEW_S16,
    VIEW_U32,
    VIEW_S32,
    VIEW_U64,
    VIEW_S64,
    VIEW_F16,
    VIEW_BF16,
    VIEW_F32,
    VIEW_F64,
    VIEW_E4M3,
    VIEW_E5M2,
    VIEW_TYPE_COUNT
};

/* What an element outside the array becomes. VIEW_UNMASKED: load() in place of load_masked(). */
enum view_padding {
    VIEW_ZERO,
    VIEW_NEGATIVE_ZERO,
    VIEW_POSITIVE_INF,
    VIEW_NEGATIVE_INF,
    VIEW_NAN,
    VIEW_UNMASKED,
    VIEW_PADDING_COUNT
};

struct view_list {
    int count;
    int64_t of[VIEW_RANK_MAX];
};

/* One load or store. All lists have as many entries as the array has dimensions, or the compiler refuses it. */
struct view_access {
    enum view_type type;
    enum view_padding padding; /* a store drops what lies outside, unless it is VIEW_UNMASKED */
    struct view_list extents, strides;
    struct view_list tile;  /* its shape */
    struct view_list index; /* counts tiles */
    struct view_list steps; /* of a strided view: elements from one tile to the next; count 0: a partition view, whose
                             * tiles follow each other */
};

enum view_answer {
    VIEW_DEFINED,
    VIEW_UNDEFINED, /* it compiles, and the documents say nothing about what comes */
    VIEW_REFUSED,   /* by the compiler */
};

struct view_reason {
    const char *rule; /* its id */
    const char *text; /* what is broken, a sentence fragment */
};

/* Whether the documents say what the access does; `why` says what it breaks where they do not. A store whose array has
 * two elements in one place is left to the caller: view_overlaps. */
enum view_answer view_check(const struct view_access *v, struct view_reason *why);

/* Whether two elements of the tile that lie inside the array are at one place in memory: harmless for a load. Takes the
 * square of the tile's elements. */
bool view_overlaps(const struct view_access *v);

/* Of a view that is defined: how many tiles a dimension has, ceil(extent / step); elements of a tile. */
int64_t view_tiles(const struct view_access *v, int dimension);
size_t view_elements(const struct view_access *v);

/* "u8", "e4m3"; "zero", "-zero", "inf", "-inf", "nan", "none". The find functions give -1 for a name that is none. */
const char *view_type_name(enum view_type type);
const char *view_padding_name(enum view_padding padding);
int view_type_find(const char *name);
int view_padding_find(const char *name);
size_t view_type_bytes(enum view_type type);

/* The bits of an element that lies outside the array. A NaN's are those that an H200 leaves (no document gives them):
 * quiet, positive, no payload; in e4m3, which has but one, 0x7F. */
uint64_t view_padding_bits(enum view_type type, enum view_padding padding);

/* Whether an element of a floating-point type with these bits is a NaN. */
bool view_is_nan(enum view_type type, uint64_t bits);

struct view_element {
    size_t number;             /* in the tile's row-major order */
    int64_t at[VIEW_RANK_MAX]; /* its place in the array */
    bool inside;               /* of the array */
    int64_t offset;            /* from the array's first element; no meaning outside */
};
typedef void view_element_fn(void *context, const struct view_element *element);
/* Calls `visit` for each element of a defined access's tile, in row-major order. */
void view_each(const struct view_access *v, view_element_fn *visit, void *context);

/* A load: writes the tile's elements in row-major order. `array` is the array's first element. */
void view_load(const struct view_access *v, const unsigned char *array, unsigned char *tile);
/* A store: writes the elements that lie inside the array. */
void view_store(const struct view_access *v, unsigned char *array, const unsigned char *tile);

/* The tensor copy that does the same, if there is one: of an array without zero strides whose last dimension is dense,
 * with padding zero or NaN (a tensor copy's NaN has other bits), within the limits of a tensor map. The map's address
 * is 0. False where there is none. */
bool view_lower(const struct view_access *v, struct tensor_map *map, int32_t corner[TENSOR_CORNER]);

#endif
// SPDX-License-Identifier: Apache-2.0
