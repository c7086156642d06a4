#include "harness/emu/judge/table.h"

#include <stdbool.h>
#include <stdlib.h>

enum { LEAST = 64 };

static uint64_t key_of(const void *thing)
{
    return *(const uint64_t *)thing;
}

static void **slot_of(void **slots, uint32_t room, uint64_t key)
{
    uint64_t h = (key ^ key >> 17) * 0x9E3779B97F4A7C15u >> 32;

    while (slots[h & (room - 1)] && key_of(slots[h & (room - 1)]) != key)
        h++;
    return &slots[h & (room - 1)];
}

void *order_table_there(const struct order_table *t, uint64_t key)
{
    return t->room ? *slot_of(t->slots, t->room, key) : NULL;
}

static bool grow(struct order_table *t)
{
    const uint32_t room = t->room ? t->room * 2 : LEAST;
    void **more = calloc(room, sizeof *more);

    if (!more)
        return false;
    for (uint32_t i = 0; i < t->room; i++)
        if (t->slots[i])
            *slot_of(more, room, key_of(t->slots[i])) = t->slots[i];
    free(t->slots);
    t->slots = more;
    t->room = room;
    return true;
}

void **order_table_place(struct order_table *t, uint64_t key)
{
    if (t->count * 2 >= t->room && !grow(t))
        return NULL;
    return slot_of(t->slots, t->room, key);
}
// SPDX-License-Identifier: Apache-2.0
