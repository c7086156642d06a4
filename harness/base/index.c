/* An index of an array's elements by a key. */
#include "harness/base/index.h"

#include <stdlib.h>

bool ck_index_make(struct ck_index *index, size_t count)
{
    size_t size = 16;
    size_t *places;

    while (size < count * 2)
        size *= 2;
    places = calloc(size, sizeof *places);
    if (!places)
        return false;
    free(index->places);
    index->places = places;
    index->size = size;
    return true;
}

void ck_index_free(struct ck_index *index)
{
    free(index->places);
    *index = (struct ck_index){ 0 };
}

size_t *ck_index_find(const struct ck_index *index, uint64_t hash, bool (*is)(const void *key, size_t element),
                      const void *key)
{
    const size_t first = (size_t)(hash ^ hash >> 32);

    for (size_t i = 0; i < index->size; i++) {
        size_t *place = &index->places[(first + i) & (index->size - 1)];
        if (!*place || is(key, *place - 1))
            return place;
    }
    return NULL;
}
// SPDX-License-Identifier: Apache-2.0
