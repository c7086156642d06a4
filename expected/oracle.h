/* The oracle: what the documents promise, computed in the simplest C that is right. */
#ifndef COPYCHECK_ORACLE_H
#define COPYCHECK_ORACLE_H

#include "expected/tensor_map.h"

/* One limit that a call breaks. */
struct tensor_map_fault {
    const struct ck_rule *rule;
    const char *argument; /* "globalDim[2]": cuda.h's name of it */
    uint64_t value;       /* what was given */
    uint64_t nearest;     /* the nearest value that is legal for this argument, whichever of its rules is broken */
    uint64_t holds; /* of a stride that is less than what it steps over: those bytes, which `nearest` holds; else 0 */
    const char *limit; /* the limit in words: "a multiple of 16" */
    bool tolerated;    /* the documents forbid it, and driver 580 accepts it */
};

/* All rules that the call breaks on a device of compute capability 9.0, documented and observed ones, at most `max` of
 * them stored; returns how many there are. 0: the call is legal. */
size_t tensor_map_check(const struct tensor_map *map, struct tensor_map_fault *faults, size_t max);
/* What an H200 with driver 580 answers: false if the call breaks a rule that the driver enforces. */
bool tensor_map_accepted(const struct tensor_map *map);

/* Sets members of a map from words "name=value ...": type=f32 rank=2 dims=64x32 strides=256 box=32x8
 * element-strides=1x1 interleave=none swizzle=128B l2=none fill=nan address=0x100; dims[1]=7 sets one entry. Numbers
 * are C's, also 2^32, 2^40-16. On an error says which word and why, and returns false. */
bool tensor_map_set(struct tensor_map *map, const char *words, char *error, size_t error_size);
/* A small legal call of this type and rank: what tensor_map_set's words are usually laid over. */
struct tensor_map tensor_map_default(int64_t type, int64_t rank);

/* Bytes of an element in global memory (packed types: of 16 elements, and *per is then 16 instead of 1). `per` may be
 * NULL; a type that does not exist has 0 bytes. */
size_t tensor_type_bytes(int64_t type, unsigned *per);

/* Bytes that a tile load writes to shared memory and signals: product of ceil(box/element stride), times the size; of
 * an interleaved tensor times the slice, without the dimension of channels; in im2col mode pixels times channels. */
size_t tensor_tile_bytes(const struct tensor_map *map);

/* Where the byte at `address` of an unswizzled image is found: PTX ISA "Swizzling Modes". */
uint64_t tensor_swizzle(int64_t swizzle, uint64_t address);
/* Bytes within which a mode permutes: 32, 64 or 128; 0 for no swizzle. */
unsigned tensor_swizzle_span(int64_t swizzle);
/* Bytes after which the pattern of a mode repeats: 16 for no swizzle, up to 1024. */
unsigned tensor_swizzle_period(int64_t swizzle);

/* Bytes between two rows of a tile (steps of dimension 1) in shared memory. */
size_t tensor_tile_pitch(const struct tensor_map *map);
/* Bytes of shared memory that a tile spans, from its first byte to its last, padding of rows included. */
size_t tensor_tile_span(const struct tensor_map *map);

/* A two-dimensional tiled map whose box is one row high, as a gather4 or scatter4 copy takes it: the tile has four
 * rows, and its corner is the first column and then the number of each row. */
struct tensor_map tensor_gather4(const struct tensor_map *map);

/* The words that tensor_map_set understands for enumerators: "f16", "128B"; NULL for a value without a name. */
const char *tensor_type_name(int64_t type);
const char *tensor_interleave_name(int64_t interleave);
const char *tensor_swizzle_name(int64_t swizzle);
const char *tensor_l2_name(int64_t l2);
const char *tensor_fill_name(int64_t fill);
const char *tensor_mode_call(int64_t mode); /* the name of the encode call */
bool tensor_type_is_float(int64_t type);
bool tensor_type_is_packed(int64_t type);

/* One element of a tile (of a packed type: 16 of them). Those of a slice of an interleaved tensor share coordinates:
 * dimension 0 counts positions there, dimension rank-2 slices. */
struct tensor_element {
    int64_t at[TENSOR_RANK_MAX]; /* its coordinates in the tensor */
    bool inside;                 /* of the tensor */
    uint64_t global;             /* where it is in global memory; no meaning outside the tensor */
    uint64_t linear;             /* its byte in the tile before swizzling, from the tile's first byte on */
    size_t size;                 /* bytes */
};
/* Of a tile that is neither interleaved nor in im2col mode: its rows; of row `index`, counting dimension 1 fastest, all
 * but dimension 0: where the element at coordinate 0 there is, and whether the row is inside the tensor. */
size_t tensor_tile_rows(const struct tensor_map *map);
void tensor_tile_row(const struct tensor_map *map, const int32_t corner[], size_t index, struct tensor_element *row);
typedef void tensor_element_fn(void *context, const struct tensor_element *element);
/* Calls `visit` for each element of the tile whose first element is at `corner`: `rank` coordinates; of a map in im2col
 * mode TENSOR_CORNER numbers, the last three of them offsets along W, H and D. */
void tensor_tile_each(const struct tensor_map *map, const int32_t corner[], tensor_element_fn *visit, void *context);

/* A tile load: what shared memory holds from `shared` (byte address in the shared window) on. `image` is all of shared
 * memory, its byte 0 at shared address 0; only the tile's bytes are written. `global` is the memory that map->address
 * is an offset into. Out of bounds elements take the map's fill. */
void oracle_tile_load(const struct tensor_map *map, const unsigned char *global, const int32_t corner[],
                      unsigned char *image, uint64_t shared);
/* A tile store: writes the in-bounds elements of the tile at `shared` to global memory. */
void oracle_tile_store(const struct tensor_map *map, unsigned char *global, const int32_t corner[],
                       const unsigned char *image, uint64_t shared);

#endif
// SPDX-License-Identifier: Apache-2.0
