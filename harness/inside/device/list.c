/* All memory of the device, by address. */
#include "harness/inside/device/list.h"

#include <string.h>

#include "harness/base/room.h"

struct memory_list memories;

size_t memory_behind(uint64_t address)
{
    size_t low = 0, high = memories.count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (memories.all[middle].at <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct memory *memory_of(uint64_t address)
{
    const size_t i = memory_behind(address);

    return i && address - memories.all[i - 1].at < memories.all[i - 1].bytes ? &memories.all[i - 1] : NULL;
}

bool memory_insert(const struct memory *m)
{
    struct memory_list *l = &memories;
    struct memory *grown = ck_room(l->all, l->count, &l->room, 64, sizeof *l->all);
    size_t at;

    if (!grown)
        return false;
    l->all = grown;
    at = memory_behind(m->at);
    memmove(&l->all[at + 1], &l->all[at], (l->count - at) * sizeof *l->all);
    l->all[at] = *m;
    l->count++;
    return true;
}

void memory_remove(size_t i)
{
    struct memory_list *l = &memories;

    l->count--;
    memmove(&l->all[i], &l->all[i + 1], (l->count - i) * sizeof *l->all);
}

void memory_leave_pool(uint64_t at)
{
    memories.all[memory_behind(at) - 1].pool = NULL;
}

uint64_t memory_used(void)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < memories.count; i++)
        if (memories.all[i].kind != MEMORY_MANAGED && memories.all[i].kind != MEMORY_HOST &&
            memories.all[i].kind != MEMORY_REGISTERED)
            bytes += memories.all[i].bytes;
    return bytes;
}

void memory_each(void (*each)(const struct memory *m, void *state), void *state)
{
    for (size_t i = 0; i < memories.count; i++)
        each(&memories.all[i], state);
}
// SPDX-License-Identifier: Apache-2.0
