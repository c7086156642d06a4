/* Tensor maps and tiles on the command line: calls from options and from lines of text, random calls, and pictures. */
#ifndef COPYCHECK_MAPS_H
#define COPYCHECK_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "expected/tensor_map.h"
#include "expected/view.h"

/* ---- the call that `copycheck encode` and `copycheck tile` are given by named options: map_args.c ---------------- */

/* Options of the call, for a command's help. */
extern const char map_args_help[];

/* What was gathered of the call so far. Starts as { 0 }. */
struct map_args {
    char words[2048]; /* for tensor_map_set */
    bool any;
};

enum map_args_taken {
    MAP_ARGS_OTHER, /* it is something else */
    MAP_ARGS_TAKEN,
    MAP_ARGS_BAD, /* bad input, after a message */
};

/* Takes argv[*i] if it is an option of the call ("--dims 64x32", "--dims=64x32") or a word ("dims=64x32"), and moves
 * *i to its last argument. */
enum map_args_taken map_args_take(struct map_args *args, int argc, char **argv, int *i);

/* The call: words laid over tensor_map_default, with rank and strides that follow from the dimensions where they are
 * not given. False with what is wrong in `error`. */
bool map_args_read(const struct map_args *args, struct tensor_map *map, char *error, size_t size);
/* The same; false after a message. */
bool map_args_finish(const struct map_args *args, struct tensor_map *map);

/* The call's arguments, one a line, with cuda.h's names. */
void map_args_print(FILE *to, const struct tensor_map *map);

/* ---- calls as lines of text: map_line.c, map_random.c -----------------------------------------------------------
 *
 * These are the batch form of copycheck encode and copycheck tile, and a stream of random ones.
 *
 *   type rank address dims strides box element_strides interleave swizzle l2 fill [coordinates shared_offset]
 *
 * The columns are separated by tabs, entries of a list by commas; numbers are decimal or 0x hexadecimal, enumerators
 * those of cuda.h. A list has `rank` entries, strides one less (none at rank 1); a rank outside 1 to 5 takes any. */

struct tile_at {
    int32_t corner[TENSOR_RANK_MAX];
    uint64_t offset; /* of the tile in the shared image, bytes */
};

/* Reads one line, with or without its newline. `at` is NULL where the two last columns are absent. False with what is
 * wrong and the name of the column. */
bool map_line_read(const char *line, struct tensor_map *map, struct tile_at *at, char *error, size_t error_size);

struct map_line {
    const char *name;     /* of the file, for messages */
    unsigned long number; /* 1-based */
    const char *text;
    struct tensor_map map;
    struct tile_at at; /* where the lines have these columns */
};

/* Reads the lines of a file (NULL or "-": standard input) and calls `visit` for each, until it returns a status other
 * than 0. Returns that status, or 2 after a message: the file cannot be read, or a line is none. */
int map_lines_each(const char *path, bool with_tile, int (*visit)(void *context, const struct map_line *line),
                   void *context);

/* Writes one call's eleven columns, without an end of line. */
void map_line_write(FILE *to, const struct tensor_map *map);

/* A call with each argument legal most of the time and near a limit often. `state` is the sequence's, not 0. */
void map_random(uint64_t *state, struct tensor_map *map);

/* ---- tile-space loads as lines of text: view_line.c --------------------------------------------------------------
 *
 *   type extents strides tile index padding
 *
 * The columns are separated by tabs, the entries of a list by commas: decimal numbers, the slowest dimension first; a
 * list may be empty. */

/* Reads a list that ends at the end of the text. */
bool view_list_read(const char *text, struct view_list *list, char *error, size_t error_size);

/* Reads the lines of a file (NULL or "-": standard input) and calls `visit` for each. Returns 0, or 2 after a message:
 * the file cannot be read, or a line is none. */
int view_lines_each(const char *path, void (*visit)(void *context, const struct view_access *load), void *context);

/* ---- small text pictures that help to understand a rule: picture.c ---------------------------------------------- */

/* Draws the picture of a rule after an empty line; false if there is none. What can be computed is asked of the
 * oracle. */
bool ck_picture(FILE *to, const char *rule);

/* The same as SVG with a caption, for a page; false if there is none. Of boxes and swizzles alone. */
bool ck_picture_svg(FILE *to, const char *rule);
void ck_swizzle_svg(FILE *to, int64_t mode);

/* A tile that one swizzle has laid out and another one reads, from shared offset `base` on, in a grid of 16-byte
 * pieces, as many lines of 128 bytes as the patterns take to repeat or the tile has; pieces that the reader takes for
 * others are marked. Returns how many of the tile's pieces those are. */
uint64_t ck_swizzle_pair(char *out, size_t size, int64_t writer, int64_t reader, uint64_t base, uint64_t bytes);

#endif
// SPDX-License-Identifier: Apache-2.0
