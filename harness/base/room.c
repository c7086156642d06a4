/* Arrays that grow by one element at a time. */
#include "harness/base/room.h"

#include <stdlib.h>

void *ck_room(void *array, size_t count, size_t *room, size_t least, size_t size)
{
    const size_t more = *room ? *room * 2 : least;
    void *moved;

    if (count < *room)
        return array;
    moved = realloc(array, more * size);
    if (moved)
        *room = more;
    return moved;
}
// SPDX-License-Identifier: Apache-2.0
