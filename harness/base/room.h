/* Arrays that grow by one element at a time. */
#ifndef COPYCHECK_ROOM_H
#define COPYCHECK_ROOM_H

#include <stddef.h>

/* The malloc'd array with room for at least one element more than `count`: at its old place where *room elements are
 * enough, else moved to twice the room, and `least` elements at first. `size` is of an element, in bytes. NULL where
 * memory runs out; the array is then as it was. */
void *ck_room(void *array, size_t count, size_t *room, size_t least, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
