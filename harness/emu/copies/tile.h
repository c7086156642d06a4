/* Tiles in runs of bytes: what tensor copies do to memory, row by row and not element by element. */
#ifndef COPYCHECK_EMU_COPIES_TILE_H
#define COPYCHECK_EMU_COPIES_TILE_H

#include "expected/oracle.h"

/* Bytes of a tile that lie one after the other, both in the tensor and, apart from the swizzle, in the tile. */
struct emu_tile_run {
    bool inside;     /* of the tensor */
    uint64_t global; /* address; no meaning outside */
    uint64_t linear; /* from the tile's first byte on */
    uint64_t bytes;
};

/* So many runs of equal length in equal steps: `run` is the first one. Steps in bytes; the global one has no meaning
 * outside of the tensor. */
struct emu_tile_rows {
    struct emu_tile_run run;
    uint64_t count, global_step, linear_step;
};

/* What the swizzle of a map flips in each line of its period: of 128 bytes, eight of them. */
enum { EMU_PERIOD_LINES = 8 };
struct emu_tile_flips {
    bool any, in_turn; /* in_turn: each line its number in the period, in chunks of 16 bytes */
    uint8_t of[EMU_PERIOD_LINES];
};

/* What a map says of every tile of it, in bytes: tensor_tile_bytes, tensor_tile_span, tensor_tile_pitch; and of those
 * of a map of rank 1 or 2 whose rows lie as in plain arrays (element 0: it is none): an element, a row, from one row of
 * the tensor to the next. */
struct emu_tile_size {
    uint64_t bytes, span, pitch;
    uint64_t element, width, stride;
    struct emu_tile_flips flips;
};
struct emu_tile_size emu_tile_size(const struct tensor_map *map);

/* A tile as a tensor copy takes it. What a copy asks several times is worked out once. */
enum { EMU_TILE_ROWS = 3 };
struct emu_tile {
    struct tensor_map map;
    struct emu_tile_size size;
    int32_t corner[TENSOR_CORNER]; /* as tensor_tile_each has it */
    unsigned kept;                 /* how many of `rows` are all of the tile; 0: it has more */
    struct emu_tile_rows rows[EMU_TILE_ROWS];
};
/* Map, size and corner are set: works out the rest. */
void emu_tile_place(struct emu_tile *t);

typedef void emu_tile_fn(void *context, const struct emu_tile_run *run);
/* Calls `visit` for all bytes of the tile, in its order. */
void emu_tile_runs(const struct emu_tile *t, emu_tile_fn *visit, void *context);
/* Bytes of the tile that are outside the tensor: a load fills them. */
uint64_t emu_tile_outside(const struct emu_tile *t);

/* Shared memory `image`, of which the tile at `shared` is a part, with every byte of the tile set to `byte`. */
void emu_tile_fill(const struct emu_tile *t, unsigned char *image, uint64_t shared, int byte);
/* The tile into shared memory, from global memory, with the map's fill. */
void emu_tile_load(const struct emu_tile *t, unsigned char *image, uint64_t shared);
/* The tile out of shared memory, without the swizzle: tensor_tile_span bytes. */
void emu_tile_read(const struct emu_tile *t, const unsigned char *image, uint64_t shared, unsigned char *linear);
/* What of that is inside the tensor, to global memory. */
void emu_tile_store(const struct emu_tile *t, const unsigned char *linear);

#endif
// SPDX-License-Identifier: Apache-2.0
