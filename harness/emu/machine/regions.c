/* Global memory as a list of allocations, sorted by address, and the budget of host memory. */
#include "harness/emu/machine/regions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/base/room.h"
#include "harness/emu/machine/values.h"

/* Where the first allocation is put: an address that Linux on x86-64 and AArch64 leaves free unless asked. The next
 * ones lie behind it, so that a program meets the same addresses in each run. */
#define FIRST_ALLOCATION 0x200000000000u

enum {
    PAGE = 4096,
    GAP = 4096 /* bytes behind each allocation that belong to none, so that an access behind one does not hit another */
};

struct emu_region *emu_region_of(struct emu *e, uint64_t address)
{
    size_t low = 0, high = e->region_count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (e->regions[middle].at <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address - e->regions[low - 1].at < e->regions[low - 1].size ? &e->regions[low - 1] : NULL;
}

const struct emu_region *emu_region_near(const struct emu *e, uint64_t address)
{
    enum { JUST_BEHIND = 1 << 16 }; /* bytes */
    const struct emu_region *near = NULL;

    for (size_t i = 0; i < e->region_count && e->regions[i].at <= address; i++)
        near = &e->regions[i];
    return near && address - near->at < near->size + JUST_BEHIND ? near : NULL;
}

/* Zeros of the host, behind all allocations that there were: a freed address is not used again, so that a late access
 * is known for what it is. Where another machine of this process has taken the place, or
 * the host refuses it, they lie wherever the host puts them. */
static bool take_bytes(struct emu *e, struct emu_region *r, uint64_t step)
{
    const uint64_t behind = e->region_end ? e->region_end : FIRST_ALLOCATION;
    const uint64_t at = (behind + step - 1) / step * step, size = (r->size + GAP + step - 1) / step * step;
    void *got = mmap((void *)(uintptr_t)at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (got == (void *)(uintptr_t)at) {
        r->bytes = got;
        r->mapped = size;
        e->region_end = at + size;
        return true;
    }
    if (got != MAP_FAILED)
        munmap(got, size);
    r->bytes = aligned_alloc(step, size);
    if (r->bytes)
        memset(r->bytes, 0, r->size);
    return r->bytes != NULL;
}

static void give_bytes(struct emu_region *r)
{
    emu_values_free(r);
    if (r->adopted)
        return;
    if (r->mapped)
        munmap(r->bytes, r->mapped);
    else
        free(r->bytes);
}

/* Puts it into the list; NULL where there is no room. */
static struct emu_region *insert(struct emu *e, const struct emu_region *r)
{
    struct emu_region *regions = ck_room(e->regions, e->region_count, &e->region_room, 64, sizeof *regions);
    size_t at;

    if (!regions)
        return NULL;
    e->regions = regions;
    for (at = e->region_count; at && regions[at - 1].at > r->at; at--)
        regions[at] = regions[at - 1];
    regions[at] = *r;
    e->region_count++;
    e->memory += r->size;
    return &regions[at];
}

struct emu_region *emu_region_add(struct emu *e, uint64_t bytes, unsigned align, const char *name)
{
    const uint64_t size = bytes ? bytes : 1, step = align < PAGE ? PAGE : align;
    struct emu_region r = { .size = size }, *new;

    if (size > e->options.max_memory || e->memory > e->options.max_memory - size)
        return NULL;
    if (!take_bytes(e, &r, step))
        return NULL;
    r.at = (uint64_t)(uintptr_t)r.bytes;
    snprintf(r.name, sizeof r.name, "%s", name ? name : "memory");
    new = insert(e, &r);
    if (!new)
        give_bytes(&r);
    return new;
}

struct emu_region *emu_region_adopt(struct emu *e, void *bytes, uint64_t size, const char *name)
{
    struct emu_region r = { .at = (uint64_t)(uintptr_t)bytes, .size = size, .bytes = bytes, .adopted = true };

    r.written = r.always = r.host = true;
    snprintf(r.name, sizeof r.name, "%s", name ? name : "memory");
    return insert(e, &r);
}

/* Takes it out of the list. */
static void drop(struct emu *e, struct emu_region *r)
{
    e->memory -= r->size;
    give_bytes(r);
    e->region_count--;
    for (size_t i = (size_t)(r - e->regions); i < e->region_count; i++)
        e->regions[i] = e->regions[i + 1];
}

static void remember(struct emu *e, const struct emu_region *r, const char *by)
{
    struct emu_freed *f;

    if (!e->freed)
        e->freed = calloc(EMU_FREED, sizeof *e->freed);
    if (!e->freed)
        return;
    f = &e->freed[e->freed_count % EMU_FREED];
    *f = (struct emu_freed){ .at = r->at, .size = r->size };
    snprintf(f->name, sizeof f->name, "%s", r->name);
    snprintf(f->by, sizeof f->by, "%s", by);
    e->freed_count++;
}

const struct emu_freed *emu_freed_of(const struct emu *e, uint64_t address)
{
    const size_t n = e->freed_count < EMU_FREED ? e->freed_count : EMU_FREED;

    for (size_t i = 1; i <= n; i++) {
        const struct emu_freed *f = &e->freed[(e->freed_count - i) % EMU_FREED];
        if (address - f->at < f->size)
            return f;
    }
    return NULL;
}

bool emu_region_free(struct emu *e, uint64_t at, const char *by)
{
    struct emu_region *r = emu_region_of(e, at);

    if (!r || r->at != at || r->variable)
        return false;
    if (by && r->mapped) /* other memory is the host's to use again */
        remember(e, r, by);
    drop(e, r);
    return true;
}

void emu_region_drop(struct emu *e, uint64_t at)
{
    struct emu_region *r = emu_region_of(e, at);

    if (r)
        drop(e, r);
}

void emu_regions_free(struct emu *e, bool variables)
{
    size_t kept = 0;

    for (size_t i = 0; i < e->region_count; i++) {
        if (e->regions[i].variable && !variables) {
            e->regions[kept] = e->regions[i];
            kept++;
            continue;
        }
        e->memory -= e->regions[i].size;
        give_bytes(&e->regions[i]);
    }
    e->region_count = kept;
    e->region_end = kept ? e->regions[kept - 1].at + e->regions[kept - 1].size + GAP : 0;
    if (kept)
        return;
    free(e->regions);
    e->regions = NULL;
    e->region_room = 0;
    free(e->freed);
    e->freed = NULL;
    e->freed_count = 0;
}

bool emu_region_write(struct emu *e, uint64_t to, const void *from, uint64_t bytes)
{
    struct emu_region *r = emu_region_of(e, to);

    if (!r || bytes > r->at + r->size - to)
        return false;
    memcpy(r->bytes + (to - r->at), from, bytes);
    emu_values_set(r, to - r->at, bytes);
    r->host = true;
    return true;
}

bool emu_region_read(struct emu *e, void *to, uint64_t from, uint64_t bytes)
{
    const struct emu_region *r = emu_region_of(e, from);

    if (!r || bytes > r->at + r->size - from)
        return false;
    memcpy(to, r->bytes + (from - r->at), bytes);
    return true;
}

bool emu_host_wrote(struct emu *e, uint64_t address)
{
    const struct emu_region *r = emu_region_of(e, address);

    return r && r->host;
}

/* ---- the budget -------------------------------------------------------------------------------------------------- */

/* Of the cluster that this host thread runs ahead: what it may take, 0 where there is none, and what it has taken. */
static _Thread_local uint64_t share, taken;

void emu_reserve_share(uint64_t bytes, uint64_t reserved)
{
    share = bytes;
    taken = reserved;
}

uint64_t emu_reserved(void)
{
    return taken;
}

bool emu_reserve(struct emu *e, uint64_t bytes)
{
    if (share) {
        if (bytes > share || taken > share - bytes)
            return false;
        taken += bytes;
        return true;
    }
    if (bytes > e->options.max_memory || e->memory > e->options.max_memory - bytes)
        return false;
    e->memory += bytes;
    return true;
}

void emu_unreserve(struct emu *e, uint64_t bytes)
{
    if (share)
        taken -= bytes;
    else
        e->memory -= bytes;
}
// SPDX-License-Identifier: Apache-2.0
