/* The call that `copycheck encode` and `copycheck tile` are given by named options. */
#ifndef COPYCHECK_MAP_ARGS_H
#define COPYCHECK_MAP_ARGS_H

#include <stdio.h>

#include "expected/tensor_map.h"

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

#endif
