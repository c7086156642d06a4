/* What the device's memory held, copied. */
#include "harness/inside/device/kept.h"

#include <stdlib.h>
#include <string.h>

static void keep(uint64_t at, uint64_t bytes, void *state)
{
    struct kept *k = state;
    struct kept_piece *piece;

    if (k->failed || k->count == k->room) {
        k->failed = true;
        return;
    }
    piece = &k->all[k->count];
    *piece = (struct kept_piece){ (unsigned char *)at, malloc(bytes), bytes };
    if (!piece->bytes) {
        k->failed = true;
        return;
    }
    memcpy(piece->bytes, piece->at, bytes);
    k->count++;
}

static void keep_memory(const struct memory *m, void *state)
{
    keep(m->at, m->bytes, state);
}

static void count_one(uint64_t at, uint64_t bytes, void *state)
{
    (void)at, (void)bytes;
    ((struct kept *)state)->room++;
}

static void count_memory(const struct memory *m, void *state)
{
    count_one(m->at, m->bytes, state);
}

struct kept kept_all(void)
{
    struct kept k = { 0 };

    memory_each(count_memory, &k);
    module_each_variable(count_one, &k);
    k.all = calloc(k.room + 1, sizeof *k.all);
    k.failed = !k.all;
    memory_each(keep_memory, &k);
    module_each_variable(keep, &k);
    return k;
}

void kept_put_back(const struct kept *k)
{
    for (size_t i = 0; i < k->count; i++)
        memcpy(k->all[i].at, k->all[i].bytes, k->all[i].size);
}

void kept_free(struct kept *k)
{
    for (size_t i = 0; k->all && i < k->count; i++)
        free(k->all[i].bytes);
    free(k->all);
}

static void add(uint64_t at, uint64_t bytes, void *state)
{
    (void)at;
    *(uint64_t *)state += bytes;
}

static void add_memory(const struct memory *m, void *state)
{
    add(m->at, m->bytes, state);
}

uint64_t kept_bytes(void)
{
    uint64_t bytes = 0;

    memory_each(add_memory, &bytes);
    module_each_variable(add, &bytes);
    return bytes;
}

bool kept_same(const struct kept *k)
{
    for (size_t i = 0; i < k->count; i++)
        if (memcmp(k->all[i].at, k->all[i].bytes, k->all[i].size) != 0)
            return false;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
