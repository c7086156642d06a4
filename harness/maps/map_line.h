/* Calls as lines of text: the batch form of copycheck encode and copycheck tile, and a stream of random ones.
 *
 *   type rank address dims strides box element_strides interleave swizzle l2 fill [coordinates shared_offset]
 *
 * The columns are separated by tabs, entries of a list by commas; numbers are decimal or 0x hexadecimal, enumerators
 * those of cuda.h. A list has `rank` entries, strides one less (none at rank 1); a rank outside 1 to 5 takes any. */
#ifndef COPYCHECK_MAP_LINE_H
#define COPYCHECK_MAP_LINE_H

#include <stdio.h>

#include "expected/tensor_map.h"

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

#endif
