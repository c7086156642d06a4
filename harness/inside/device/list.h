/* All memory of the device, by address: what the rest of this room finds, adds and removes there. */
#ifndef COPYCHECK_INSIDE_LIST_H
#define COPYCHECK_INSIDE_LIST_H

#include "harness/inside/device/device.h"

struct memory_list {
    struct memory *all; /* sorted by address */
    size_t count, room;
};
extern struct memory_list memories;

/* Where the memory of this address is, or would have to be inserted: behind the last that begins at or before it. */
size_t memory_behind(uint64_t address);
/* False: no memory for it. */
bool memory_insert(const struct memory *m);
/* That at this place of the list. */
void memory_remove(size_t i);

#endif
// SPDX-License-Identifier: Apache-2.0
