/* The heap of malloc and free in device code: a region of its own, made before a launch, so that no thread changes the
 * list of regions. Blocks lie one behind the other and no bytes are given twice: what is freed stays free, so that its
 * use is found. */
#include "harness/emu/machine/heap.h"

#include <stdlib.h>

#include "harness/base/room.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/thread.h"

enum { HEAP_BYTES = 8 << 20, HEAP_ALIGN = 16 };

struct block {
    uint64_t at, size; /* bytes that malloc was asked for */
    bool freed;
};

struct emu_heap {
    uint64_t at, used;
    struct block *blocks; /* sorted by address */
    size_t count, room;
};

bool emu_heap_prepare(struct emu *e, const struct ptx_module *m)
{
    struct emu_region *r;

    if (e->heap || (ptx_find_function(m, "malloc") == PTX_NO && ptx_find_function(m, "__cudaCDP2Malloc") == PTX_NO))
        return true;
    r = emu_region_add(e, HEAP_BYTES, 0, "device heap");
    if (!r)
        return false;
    r->heap = true;
    r->written = r->always = false; /* what malloc gives has no value */
    e->heap = calloc(1, sizeof *e->heap);
    if (e->heap)
        e->heap->at = r->at;
    return e->heap != NULL;
}

void emu_heap_free(struct emu *e)
{
    if (e->heap)
        free(e->heap->blocks);
    free(e->heap);
    e->heap = NULL;
}

/* The last block that begins at or below this address. */
static struct block *block_at(const struct emu_heap *h, uint64_t address)
{
    size_t low = 0, high = h->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (h->blocks[middle].at <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &h->blocks[low - 1] : NULL;
}

/* The rule of the heap, unless a copy has set one for its operands. */
static const struct ck_rule *rule_of(const struct emu_thread *t)
{
    return t->bounds[0] ? NULL : &rule_access_heap;
}

void emu_heap_check(struct emu_thread *t, uint64_t address, uint64_t n)
{
    struct emu *e = emu_machine_of(t);
    struct block b = { 0 };
    const struct block *at;

    pthread_mutex_lock(&e->lock);
    at = block_at(e->heap, address);
    if (at)
        b = *at;
    pthread_mutex_unlock(&e->lock);
    if (!at || address - b.at >= b.size + HEAP_ALIGN)
        emu_bad_access(t, rule_of(t), address, n, "%llu bytes of the device's heap that malloc gave to nobody",
                       (unsigned long long)n);
    if (b.freed)
        emu_bad_access(t, rule_of(t), address, n, "%llu bytes at offset %llu of a block of malloc that was freed",
                       (unsigned long long)n, (unsigned long long)(address - b.at));
    if (address - b.at + n > b.size)
        emu_bad_access(t, rule_of(t), address, n, "%llu bytes at offset %llu of a block of malloc, which has %llu",
                       (unsigned long long)n, (unsigned long long)(address - b.at), (unsigned long long)b.size);
}

static uint64_t take_block(struct emu_heap *h, uint64_t size)
{
    const uint64_t whole = (size + HEAP_ALIGN) / HEAP_ALIGN * HEAP_ALIGN; /* at least a byte between two blocks */
    struct block *blocks;

    if (size > HEAP_BYTES || whole > HEAP_BYTES - h->used)
        return 0;
    blocks = ck_room(h->blocks, h->count, &h->room, 64, sizeof *blocks);
    if (!blocks)
        return 0;
    h->blocks = blocks;
    blocks[h->count] = (struct block){ .at = h->at + h->used, .size = size };
    h->count++;
    h->used += whole;
    return h->at + h->used - whole;
}

uint64_t emu_heap_take(struct emu *e, uint64_t bytes)
{
    uint64_t at = 0;

    pthread_mutex_lock(&e->lock);
    if (e->heap)
        at = take_block(e->heap, bytes);
    pthread_mutex_unlock(&e->lock);
    return at;
}

enum emu_heap_give emu_heap_give(struct emu *e, uint64_t address)
{
    enum emu_heap_give how = EMU_HEAP_UNKNOWN;
    struct block *b;

    pthread_mutex_lock(&e->lock);
    b = e->heap ? block_at(e->heap, address) : NULL;
    if (b && b->at == address) {
        how = b->freed ? EMU_HEAP_AGAIN : EMU_HEAP_FREED;
        b->freed = true;
    }
    pthread_mutex_unlock(&e->lock);
    return how;
}
// SPDX-License-Identifier: Apache-2.0
