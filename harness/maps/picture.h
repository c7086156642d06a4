/* Small text pictures that help to understand a rule. */
#ifndef COPYCHECK_PICTURE_H
#define COPYCHECK_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Draws the picture of a rule after an empty line; false if there is none. What can be computed is asked of the
 * oracle. */
bool ck_picture(FILE *to, const char *rule);

/* A tile that one swizzle has laid out and another one reads, from shared offset `base` on, in a grid of 16-byte
 * pieces, as many lines of 128 bytes as the patterns take to repeat or the tile has; pieces that the reader takes for
 * others are marked. Returns how many of the tile's pieces those are. */
uint64_t ck_swizzle_pair(char *out, size_t size, int64_t writer, int64_t reader, uint64_t base, uint64_t bytes);

#endif
