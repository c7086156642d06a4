/* An index of an array's elements by a key: a hash table with open addressing. */
#ifndef COPYCHECK_INDEX_H
#define COPYCHECK_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as { 0 }, without any place. */
struct ck_index {
    size_t *places; /* number of an element + 1; 0: free */
    size_t size;    /* of places; a power of two */
};

/* Gives the index room for `count` elements, at most half full, and empties it. False where memory runs out: the index
 * is then as it was. */
bool ck_index_make(struct ck_index *index, size_t count);
void ck_index_free(struct ck_index *index);

/* The place of the element with a key of this hash for which `is` is true; a free place where there is none, for the
 * caller to fill in if the index has room; NULL where the index has no place at all. */
size_t *ck_index_find(const struct ck_index *index, uint64_t hash, bool (*is)(const void *key, size_t element),
                      const void *key);

#endif
// SPDX-License-Identifier: Apache-2.0
