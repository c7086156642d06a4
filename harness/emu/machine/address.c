/* An address of a state space, checked, into the host bytes behind it. */
#include "harness/emu/machine/address.h"

#include <stdio.h>

#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/heap.h"
#include "harness/emu/machine/name.h"
#include "harness/emu/machine/prior.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/thread.h"

uint64_t emu_window_of(uint16_t space)
{
    switch (space) {
    case PTX_shared:
    case PTX_shared_cta:
    case PTX_shared_cluster: return EMU_SHARED_WINDOW;
    case PTX_local: return EMU_LOCAL_WINDOW;
    case PTX_param:
    case PTX_param_entry: return EMU_PARAM_WINDOW;
    case PTX_const: return EMU_CONST_WINDOW;
    default: return 0;
    }
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* The windows of generic addresses, the highest first. */
static const struct window {
    uint64_t begin;
    uint16_t space;
    const char *name;
} windows[] = { { EMU_SHARED_WINDOW, PTX_shared_cluster, "shared memory" },
                { EMU_LOCAL_WINDOW, PTX_local, "local memory" },
                { EMU_PARAM_WINDOW, PTX_param, "the kernel's parameters" },
                { EMU_CONST_WINDOW, PTX_const, "constant memory" } };

enum { WINDOWS = sizeof windows / sizeof *windows };

enum { NULL_PAGE = 1 << 16 }; /* an address below is a member or an element of what a null pointer points to */

/* The window of an address that is not global. */
static const struct window *window_at(uint64_t address)
{
    size_t k = 0;

    while (k + 1 < WINDOWS && address < windows[k].begin)
        k++;
    return &windows[k];
}

void emu_spot_of(const struct emu *e, uint64_t address, struct emu_spot *out)
{
    const uint64_t generic = address <= UINT32_MAX ? address + EMU_SHARED_WINDOW : address;
    const struct emu_region *near = emu_is_global(generic) ? emu_region_near(e, generic) : NULL;
    const struct window *w = emu_is_global(generic) ? NULL : window_at(generic);
    const struct emu_freed *freed = near && generic - near->at < near->size ? NULL : emu_freed_of(e, generic);
    uint64_t rank;

    if (freed && !w) {
        *out = (struct emu_spot){ .offset = generic - freed->at, .outside = false };
        snprintf(out->name, sizeof out->name, "%s", freed->name);
        snprintf(out->freed, sizeof out->freed, "%s", freed->by);
        return;
    }
    *out = (struct emu_spot){ .offset = generic - (near ? near->at : w ? w->begin : 0), .outside = !near && !w };
    snprintf(out->name, sizeof out->name, "%s", near ? near->name : w ? w->name : "global memory");
    rank = w && w->begin == EMU_SHARED_WINDOW ? out->offset >> EMU_RANK_SHIFT : 0;
    if (rank) {
        out->offset &= (1u << EMU_RANK_SHIFT) - 1;
        snprintf(out->name, sizeof out->name, "shared memory of CTA rank %llu", (unsigned long long)rank - 1);
    }
}

/* Whether a global or generic address is below all memory. Where it is only a number, it would be taken for an offset
 * in shared memory. */
static bool is_nowhere(uint16_t space, uint64_t address)
{
    return (space == PTX_global || space == PTX_generic) && address <= UINT32_MAX;
}

void emu_spot_words(const struct emu_thread *t, uint16_t space, uint64_t address, char *out, size_t size)
{
    const uint64_t generic = address + emu_window_of(space);
    struct emu_spot spot;
    char name[60] = "";

    emu_spot_of(emu_machine_of(t), generic, &spot);
    if (generic <= UINT32_MAX || (!emu_is_global(generic) && window_at(generic)->begin == EMU_SHARED_WINDOW))
        emu_shared_name(t->cta->cluster->grid, spot.offset, name, sizeof name);
    if (spot.outside || is_nowhere(space, address))
        snprintf(out, size, "address 0x%llx of no allocation",
                 (unsigned long long)(spot.outside ? spot.offset : address));
    else
        snprintf(out, size, "offset %llu%s of %s", (unsigned long long)spot.offset, name, spot.name);
}

/* ---- findings, apart from the way that nearly every access takes ------------------------------------------------- */

/* The rule that an ordinary access breaks; NULL where the operand of a copy has set one of its own. */
static const struct ck_rule *ordinary(const struct emu_thread *t, const struct ck_rule *rule)
{
    return t->bounds[0] ? NULL : rule;
}

static void misaligned(struct emu_thread *t, uint16_t space, uint64_t address, uint64_t n, unsigned align)
    __attribute__((noreturn, cold, noinline));
static void misaligned(struct emu_thread *t, uint16_t space, uint64_t address, uint64_t n, unsigned align)
{
    char where[140];

    emu_spot_words(t, space, address, where, sizeof where);
    emu_bad_access(t, ordinary(t, &rule_access_align), address + emu_window_of(space),
                   is_nowhere(space, address) ? 0 : n, "%s is not a multiple of %u", where, align);
}

/* [at, at + n) of a memory of `size` bytes, whose window begins there; `which` begins what the finding says of it. */
static void outside(struct emu_thread *t, uint64_t window, uint64_t at, uint64_t n, uint64_t size, const char *which)
    __attribute__((noreturn, cold, noinline));
static void outside(struct emu_thread *t, uint64_t window, uint64_t at, uint64_t n, uint64_t size, const char *which)
{
    emu_bad_access(t, ordinary(t, &rule_access_bounds), window + at, n, "bytes %llu to %llu of %s %llu",
                   (unsigned long long)at, (unsigned long long)at + n - 1, which, (unsigned long long)size);
}

static const char *converted(uint64_t address)
{
    return address >> EMU_RANK_SHIFT == EMU_NOT_SHARED
               ? ": it was converted from a generic address that is not in shared memory"
               : "";
}

static void not_own(struct emu_thread *t, uint64_t address, uint64_t n) __attribute__((noreturn, cold, noinline));
static void not_own(struct emu_thread *t, uint64_t address, uint64_t n)
{
    emu_bad_access(t, ordinary(t, &rule_access_own_window), address, *converted(address) ? 0 : n,
                   "address 0x%llx is outside the CTA's shared memory%s", (unsigned long long)address,
                   converted(address));
}

static void no_such_rank(struct emu_thread *t, uint64_t address, uint64_t n) __attribute__((noreturn, cold, noinline));
static void no_such_rank(struct emu_thread *t, uint64_t address, uint64_t n)
{
    emu_bad_access(t, *converted(address) ? ordinary(t, &rule_access_bounds) : &rule_dsmem_rank_range, address,
                   *converted(address) ? 0 : n, "shared address 0x%llx is in no CTA of the cluster of %u%s",
                   (unsigned long long)address, t->cta->cluster->cta_count, converted(address));
}

static void exited(struct emu_thread *t, uint64_t address, uint64_t n, const struct emu_cta *owner)
    __attribute__((noreturn, cold, noinline));
static void exited(struct emu_thread *t, uint64_t address, uint64_t n, const struct emu_cta *owner)
{
    emu_bad_access(t, &rule_dsmem_exit, address, n, "shared memory of CTA rank %u, which has exited", owner->rank);
}

static void read_only(struct emu_thread *t, uint64_t address, uint64_t n, const char *which)
    __attribute__((noreturn, cold, noinline));
static void read_only(struct emu_thread *t, uint64_t address, uint64_t n, const char *which)
{
    emu_bad_access(t, ordinary(t, &rule_access_read_only), address, n, "a write to %s memory", which);
}

/* Bytes of no allocation, or not of one alone: named by the allocation that they begin in or just behind, where there
 * is one. */
static void unallocated(struct emu_thread *t, uint64_t address, uint64_t n) __attribute__((noreturn, cold, noinline));
static void unallocated(struct emu_thread *t, uint64_t address, uint64_t n)
{
    const struct emu_freed *freed = emu_freed_of(emu_machine_of(t), address);
    const struct emu_region *near = emu_region_near(emu_machine_of(t), address);

    if (freed)
        emu_bad_access(t, ordinary(t, &rule_access_bounds), address, n,
                       "%llu bytes at offset %llu of %s, which %s has freed", (unsigned long long)n,
                       (unsigned long long)(address - freed->at), freed->name, freed->by);
    if (near)
        emu_bad_access(t, ordinary(t, &rule_access_bounds), address, n,
                       "%llu bytes at offset %llu of %s, which has %llu", (unsigned long long)n,
                       (unsigned long long)(address - near->at), near->name, (unsigned long long)near->size);
    emu_bad_access(t, ordinary(t, &rule_access_bounds), address, is_nowhere(PTX_generic, address) ? 0 : n,
                   "address 0x%llx is in no allocation%s", (unsigned long long)address,
                   address < NULL_PAGE ? "; a null pointer leads there" : "");
}

/* ---- spaces ------------------------------------------------------------------------------------------------------ */

/* A 32-bit address of the cluster window: rank plus 1 above the offset; no rank is the thread's own CTA. */
static unsigned char *in_shared(struct emu_thread *t, uint64_t address, uint64_t n, uint64_t *offset,
                                struct emu_cta **cta)
{
    const uint64_t field = address >> EMU_RANK_SHIFT, at = address & ((1u << EMU_RANK_SHIFT) - 1);
    struct emu_cta *owner = t->cta;

    if (field) {
        const struct emu_cluster *c = t->cta->cluster;
        if (field > c->cta_count)
            no_such_rank(t, address, n);
        owner = &c->ctas[field - 1];
    }
    if (at + n > owner->shared_bytes)
        outside(t, EMU_SHARED_WINDOW, at, n, owner->shared_bytes, "shared memory, which has");
    if (!owner->live && owner != t->cta)
        exited(t, address, n, owner);
    if (offset)
        *offset = at;
    if (cta)
        *cta = owner;
    return owner->shared + at;
}

/* There is room for more than the functions that the thread is in have: a variable's end is the end. */
static unsigned char *in_local(struct emu_thread *t, uint64_t at, uint64_t n)
{
    const uint64_t top = t->frame->local_top;

    if (at > top || n > top - at)
        outside(t, EMU_LOCAL_WINDOW, at, n, top, "local memory, which has");
    return t->local + at;
}

static unsigned char *in_const(struct emu_thread *t, uint64_t at, uint64_t n)
{
    const struct emu_image *image = emu_run_of(t)->image;

    if (at > image->const_bytes || n > image->const_bytes - at)
        outside(t, EMU_CONST_WINDOW, at, n, image->const_bytes, "constant memory, which has");
    return image->constants + at;
}

static unsigned char *in_param(struct emu_thread *t, uint64_t at, uint64_t n)
{
    const struct emu_grid *g = t->cta->cluster->grid;

    if (at > g->param_bytes || n > g->param_bytes - at)
        outside(t, EMU_PARAM_WINDOW, at, n, g->param_bytes, "the kernel's parameters, which have");
    return (unsigned char *)(uintptr_t)(g->params + at);
}

/* [address, address + n) of global memory, of one allocation. Not inlined: accesses of shared memory would save and
 * restore the registers that it needs. */
static __attribute__((noinline)) unsigned char *in_global(struct emu_thread *t, uint64_t address, uint64_t n,
                                                          bool writes, uint64_t *offset)
{
    struct emu_run *run = emu_run_of(t);
    struct emu_region *r;

    if (emu_machine_of(t)->prior && !writes)
        emu_prior_read(t, address, n);
    for (unsigned i = 0; i < 2 && !run->claimer; i++) {
        const struct emu_near *near = &run->near[i];
        const uint64_t at = address - near->at;
        if (at < near->size && n <= near->size + EMU_NEAR_END - at) {
            if (offset)
                *offset = at;
            return (unsigned char *)(uintptr_t)address;
        }
    }
    r = emu_region_of(emu_machine_of(t), address);
    if (!r || n > r->at + r->size - address)
        unallocated(t, address, n);
    if (r->heap) {
        emu_heap_check(t, address, n);
    } else if (r->size > EMU_NEAR_END && r->at != run->near[0].at && r->at != run->near[1].at) {
        run->near[1] = run->near[0];
        run->near[0] = (struct emu_near){ r->at, r->size - EMU_NEAR_END, r->claims };
    }
    if (run->claimer)
        emu_claim_bytes(t, r, address, n, writes);
    if (offset)
        *offset = address - r->at;
    return r->bytes + (address - r->at);
}

/* A generic address in one of the windows: the space that it is of, and the address in it. */
static uint16_t space_of_window(struct emu_thread *t, uint64_t *address, uint64_t n, enum emu_access access)
{
    const struct window *w = window_at(*address);

    if (access != EMU_READ && *address < EMU_LOCAL_WINDOW)
        read_only(t, *address, n, w->space == PTX_param ? "parameter" : "constant");
    *address -= w->begin;
    return w->space;
}

unsigned char *emu_bytes(struct emu_thread *t, uint16_t space, uint64_t address, uint64_t n, unsigned align,
                         enum emu_access access, uint64_t *offset, struct emu_cta **cta)
{
    if (cta)
        *cta = NULL;
    if (space != PTX_none && space != PTX_global)
        address = (uint32_t)address; /* a window has 32-bit addresses: base plus offset wraps */
    if (address & (align - 1))
        misaligned(t, space, address, n, align);
    if (space == PTX_none && !emu_is_global(address))
        space = space_of_window(t, &address, n, access);
    if (offset)
        *offset = address;
    switch (space) {
    case PTX_shared:
    case PTX_shared_cta:
        if (address >> EMU_RANK_SHIFT && address >> EMU_RANK_SHIFT != t->cta->rank + 1)
            not_own(t, address, n);
        /* fall through */
    case PTX_shared_cluster: return in_shared(t, address, n, offset, cta);
    case PTX_local: return in_local(t, address, n);
    case PTX_const: return in_const(t, address, n);
    case PTX_param:
    case PTX_param_entry: return in_param(t, address, n);
    default: return in_global(t, address, n, access != EMU_READ, offset);
    }
}
// SPDX-License-Identifier: Apache-2.0
