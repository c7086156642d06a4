/* Memory of a parsed module: small blocks for strings and structs, and growing arrays, all under one limit. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/ptx/parser.h"

enum { BLOCK = 64 * 1024, ARRAYS = 32 };

struct block {
    struct block *next;
    size_t used, size;
    _Alignas(16) unsigned char data[];
};

struct ptx_arena {
    struct block *blocks;
    size_t used, limit;
    void *arrays[ARRAYS];
    uint32_t n_arrays;
};

struct ptx_arena *arena_new(size_t limit)
{
    struct ptx_arena *a = calloc(1, sizeof *a);
    if (a)
        a->limit = limit;
    return a;
}

void arena_free(struct ptx_arena *a)
{
    if (!a)
        return;
    for (struct block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    for (uint32_t i = 0; i < a->n_arrays; i++)
        free(a->arrays[i]);
    free(a);
}

void *arena_alloc(struct ptx_arena *a, size_t bytes, size_t align)
{
    struct block *b = a->blocks;
    size_t at = b ? (b->used + align - 1) / align * align : 0;

    if (!b || at > b->size || bytes > b->size - at) {
        const size_t size = bytes > BLOCK ? bytes : BLOCK;
        if (size > a->limit || a->used > a->limit - size)
            return NULL;
        b = calloc(1, sizeof *b + size);
        if (!b)
            return NULL;
        b->size = size;
        a->used += size;
        /* A large allocation fills its block: keep the half-used one in front. */
        if (a->blocks && bytes > BLOCK) {
            b->next = a->blocks->next;
            a->blocks->next = b;
        } else {
            b->next = a->blocks;
            a->blocks = b;
        }
        at = 0;
    }
    b->used = at + bytes;
    return b->data + at;
}

size_t arena_bytes(const struct ptx_arena *a)
{
    return a->used;
}

void *vec_add(struct ptx_arena *a, struct vec *v, uint32_t n)
{
    if (n > UINT32_MAX - 1 - v->count)
        return NULL;
    const uint32_t need = v->count + n;
    if (need > v->capacity) {
        uint64_t capacity = v->capacity ? (uint64_t)v->capacity * 2 : 16;
        while (capacity < need)
            capacity *= 2;
        if (capacity > UINT32_MAX)
            capacity = UINT32_MAX;
        const size_t more = (size_t)(capacity - v->capacity) * v->size;
        if (more > a->limit || a->used > a->limit - more)
            return NULL;
        if (!v->slot) {
            if (a->n_arrays == ARRAYS)
                return NULL;
            a->n_arrays++;
            v->slot = a->n_arrays;
        }
        void *data = realloc(v->data, (size_t)capacity * v->size);
        if (!data)
            return NULL;
        a->arrays[v->slot - 1] = data;
        a->used += more;
        v->data = data;
        v->capacity = (uint32_t)capacity;
    }
    void *at = (unsigned char *)v->data + (size_t)v->count * v->size;
    memset(at, 0, (size_t)n * v->size);
    v->count = need;
    return at;
}
// SPDX-License-Identifier: Apache-2.0
