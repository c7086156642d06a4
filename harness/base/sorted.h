/* Arrays that are sorted by a number in each element. */
#ifndef COPYCHECK_BASE_SORTED_H
#define COPYCHECK_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* The first of `count` elements of so many bytes whose number is not below `least`; `count`: there is none. */
static inline size_t ck_sorted_from(const void *all, size_t count, size_t size, uint64_t (*number)(const void *element),
                                    uint64_t least)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (number((const char *)all + middle * size) < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
// SPDX-License-Identifier: Apache-2.0
