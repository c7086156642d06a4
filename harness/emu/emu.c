/* The emulated machine: its memory, its launches. */
#include "harness/emu/machine/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t default_memory = 4ull << 30;

struct emu *emu_new(const struct emu_options *options)
{
    struct emu *e = calloc(1, sizeof *e);

    if (!e)
        return NULL;
    e->options = *options;
    if (!e->options.max_memory)
        e->options.max_memory = default_memory;
    if (!e->options.jobs)
        e->options.jobs = 1;
    pthread_mutex_init(&e->lock, NULL);
    return e;
}

static void free_code(struct emu_code *c)
{
    if (!c)
        return;
    free(c->ops);
    free(c->slot_of);
    free(c->constants);
    free(c->specials);
    emu_free_lists(c);
    free(c);
}

static void free_image(struct emu_image *image)
{
    for (uint32_t i = 0; image->code && i < image->module->n_functions; i++)
        free_code(image->code[i]);
    free(image->code);
    free(image->address);
    free(image->constants);
    pthread_mutex_destroy(&image->lock);
    free(image);
}

void emu_free(struct emu *e)
{
    if (!e)
        return;
    while (e->images) {
        struct emu_image *next = e->images->next;
        free_image(e->images);
        e->images = next;
    }
    for (size_t i = 0; i < e->region_count; i++)
        free(e->regions[i].bytes);
    free(e->regions);
    emu_heap_free(e);
    emu_findings_free(&e->findings);
    pthread_mutex_destroy(&e->lock);
    free(e);
}

/* ---- global memory -------------------------------------------------------------------------------------------- */

/* The region that holds this address, or NULL. */
static struct emu_region *find_region(struct emu *e, uint64_t address)
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

static _Thread_local uint64_t share, taken;

void emu_reserve_share(uint64_t bytes)
{
    share = bytes;
    taken = 0;
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

uint64_t emu_alloc(struct emu *e, uint64_t bytes, unsigned align, bool written, const char *name)
{
    const uint64_t size = bytes ? bytes : 1, step = align < 256 ? 256 : align,
                   rounded = (size + step - 1) / step * step;
    struct emu_region r = { .size = size, .written = written };
    size_t at;

    if (size > e->options.max_memory || e->memory > e->options.max_memory - size)
        return 0;
    if (e->region_count == e->region_room) {
        const size_t room = e->region_room ? e->region_room * 2 : 64;
        struct emu_region *more = realloc(e->regions, room * sizeof *more);
        if (!more)
            return 0;
        e->regions = more;
        e->region_room = room;
    }
    r.bytes = aligned_alloc(step, rounded);
    if (!r.bytes)
        return 0;
    memset(r.bytes, 0, rounded);
    r.at = (uint64_t)(uintptr_t)r.bytes;
    r.id = (uint32_t)e->region_count;
    snprintf(r.name, sizeof r.name, "%s", name ? name : "memory");
    for (at = e->region_count; at && e->regions[at - 1].at > r.at; at--)
        e->regions[at] = e->regions[at - 1];
    e->regions[at] = r;
    e->region_count++;
    e->memory += size;
    return r.at;
}

/* Variables of modules have names that begin so; all else goes. */
void emu_release_all(struct emu *e)
{
    size_t kept = 0;

    for (size_t i = 0; i < e->region_count; i++) {
        if (!strncmp(e->regions[i].name, "variable ", 9)) {
            e->regions[kept++] = e->regions[i];
            continue;
        }
        e->memory -= e->regions[i].size;
        free(e->regions[i].bytes);
    }
    e->region_count = kept;
    emu_heap_free(e);
}

bool emu_write(struct emu *e, uint64_t to, const void *from, uint64_t bytes)
{
    struct emu_region *r = find_region(e, to);

    if (!r || bytes > r->at + r->size - to)
        return false;
    memcpy(r->bytes + (to - r->at), from, bytes);
    r->written = r->host = true;
    return true;
}

bool emu_host_wrote(struct emu *e, uint64_t address)
{
    const struct emu_region *r = find_region(e, address);

    return r && r->host;
}

bool emu_read(struct emu *e, void *to, uint64_t from, uint64_t bytes)
{
    const struct emu_region *r = find_region(e, from);

    if (!r || bytes > r->at + r->size - from)
        return false;
    memcpy(to, r->bytes + (from - r->at), bytes);
    return true;
}

/* ---- checked access ------------------------------------------------------------------------------------------- */

/* The rule that an ordinary access breaks; an operand of a copy has one of its own. */
static const struct ck_rule *plain(const struct emu_thread *t, const struct ck_rule *rule)
{
    return t->bounds[0] ? NULL : rule;
}

/* A 32-bit address of the cluster window: rank plus 1 above the offset; no rank is the thread's own CTA. */
static unsigned char *in_shared(struct emu_thread *t, uint64_t address, uint64_t n, uint64_t *offset,
                                struct emu_cta **cta)
{
    const uint64_t field = address >> EMU_RANK_SHIFT, at = address & ((1u << EMU_RANK_SHIFT) - 1);
    struct emu_cluster *c = t->cta->cluster;
    struct emu_cta *owner = field ? &c->ctas[field - 1] : t->cta;

    if (field > c->cta_count)
        emu_bad_access(t, &rule_dsmem_rank_range, address, n, "shared address 0x%llx is in no CTA of the cluster of %u",
                       (unsigned long long)address, c->cta_count);
    if (at + n > owner->shared_bytes)
        emu_bad_access(t, plain(t, &rule_access_bounds), address, n,
                       "bytes %llu to %llu of shared memory, which has %llu", (unsigned long long)at,
                       (unsigned long long)at + n, (unsigned long long)owner->shared_bytes);
    if (!owner->live && owner != t->cta)
        emu_bad_access(t, &rule_dsmem_exit, address, n, "shared memory of CTA rank %u, which has exited", owner->rank);
    if (offset)
        *offset = at;
    if (cta)
        *cta = owner;
    return owner->shared + at;
}

static unsigned char *in_local(struct emu_thread *t, uint64_t at, uint64_t n, uint64_t *offset)
{
    if (at > t->local_size || n > t->local_size - at)
        emu_bad_access(t, plain(t, &rule_access_bounds), at, n, "bytes %llu to %llu of local memory, which has %llu",
                       (unsigned long long)at, (unsigned long long)at + n, (unsigned long long)t->local_size);
    if (offset)
        *offset = at;
    return t->local + at;
}

static unsigned char *in_const(struct emu_thread *t, uint64_t at, uint64_t n, uint64_t *offset)
{
    const struct emu_image *image = emu_run_of(t)->image;

    if (at > image->const_bytes || n > image->const_bytes - at)
        emu_bad_access(t, plain(t, &rule_access_bounds), at, n, "bytes %llu to %llu of constant memory, which has %llu",
                       (unsigned long long)at, (unsigned long long)at + n, (unsigned long long)image->const_bytes);
    if (offset)
        *offset = at;
    return image->constants + at;
}

static unsigned char *in_param(struct emu_thread *t, uint64_t at, uint64_t n, uint64_t *offset)
{
    const struct emu_grid *g = t->cta->cluster->grid;

    if (at > g->param_bytes || n > g->param_bytes - at)
        emu_bad_access(t, plain(t, &rule_access_bounds), at, n,
                       "bytes %llu to %llu of the kernel's parameters, which have %llu", (unsigned long long)at,
                       (unsigned long long)at + n, (unsigned long long)g->param_bytes);
    if (offset)
        *offset = at;
    return (unsigned char *)(uintptr_t)(g->params + at);
}

/* An address of no allocation: named by the allocation that it lies just behind, where there is one. */
static void outside(struct emu_thread *t, uint64_t address, uint64_t n) __attribute__((noreturn));
static void outside(struct emu_thread *t, uint64_t address, uint64_t n)
{
    const struct emu *e = t->cta->cluster->grid->machine;
    const struct emu_region *near = NULL;

    for (size_t i = 0; i < e->region_count && e->regions[i].at <= address; i++)
        near = &e->regions[i];
    if (near && address - near->at - near->size < 1 << 16)
        emu_bad_access(t, plain(t, &rule_access_bounds), address, n, "%llu bytes at offset %llu of %s, which has %llu",
                       (unsigned long long)n, (unsigned long long)(address - near->at), near->name,
                       (unsigned long long)near->size);
    emu_bad_access(t, plain(t, &rule_access_bounds), address, n, "address 0x%llx is in no allocation",
                   (unsigned long long)address);
}

unsigned char *emu_bytes(struct emu_thread *t, uint16_t space, uint64_t address, uint64_t n, unsigned align,
                         enum emu_access access, uint64_t *offset, struct emu_cta **cta)
{
    struct emu_region *r;

    if (cta)
        *cta = NULL;
    if (space != PTX_none && space != PTX_global)
        address = (uint32_t)address; /* a window has 32-bit addresses: base plus offset wraps */
    if (align > 1 && address % align)
        emu_bad_access(t, plain(t, &rule_access_align), address, n, "address 0x%llx is not a multiple of %u",
                       (unsigned long long)address, align);
    switch (space) {
    case PTX_shared:
    case PTX_shared_cta:
        if (address >> EMU_RANK_SHIFT && address >> EMU_RANK_SHIFT != t->cta->rank + 1)
            emu_bad_access(t, plain(t, &rule_access_own_window), address, n,
                           "address 0x%llx is outside the CTA's shared memory", (unsigned long long)address);
        return in_shared(t, address, n, offset, cta);
    case PTX_shared_cluster: return in_shared(t, address, n, offset, cta);
    case PTX_local: return in_local(t, address, n, offset);
    case PTX_const: return in_const(t, address, n, offset);
    case PTX_param:
    case PTX_param_entry: return in_param(t, address, n, offset);
    default: break;
    }
    if (space == PTX_none && !emu_is_global(address)) {
        if (address >= EMU_SHARED_WINDOW)
            return in_shared(t, address - EMU_SHARED_WINDOW, n, offset, cta);
        if (address >= EMU_LOCAL_WINDOW)
            return in_local(t, address - EMU_LOCAL_WINDOW, n, offset);
        if (access != EMU_READ)
            emu_bad_access(t, plain(t, &rule_access_read_only), address, n, "a write to %s memory",
                           address >= EMU_PARAM_WINDOW ? "parameter" : "constant");
        return address >= EMU_PARAM_WINDOW ? in_param(t, address - EMU_PARAM_WINDOW, n, offset)
                                           : in_const(t, address - EMU_CONST_WINDOW, n, offset);
    }
    r = find_region(t->cta->cluster->grid->machine, address);
    if (!r)
        outside(t, address, n);
    if (n > r->at + r->size - address)
        emu_bad_access(t, plain(t, &rule_access_bounds), address, n, "%llu bytes at offset %llu of %s, which has %llu",
                       (unsigned long long)n, (unsigned long long)(address - r->at), r->name,
                       (unsigned long long)r->size);
    if (r->heap) {
        emu_heap_check(t, address, n);
    } else if (r->size >= 8) {
        emu_run_of(t)->near_at = r->at;
        emu_run_of(t)->near_size = r->size - 7;
        emu_run_of(t)->near_claims = r->claims;
    }
    if (emu_run_of(t)->worker)
        emu_claim_bytes(t, r, address, n, access != EMU_READ);
    if (offset)
        *offset = address - r->at;
    return r->bytes + (address - r->at);
}

/* ---- launches ------------------------------------------------------------------------------------------------- */

static enum emu_end refuse(struct emu_report *report, const char *format, const char *name)
{
    report->end = EMU_BAD_LAUNCH;
    snprintf(report->message, sizeof report->message, format, name);
    return EMU_BAD_LAUNCH;
}

/* Whether an extent holds more than so many: of 32 bits each, so that their product may not fit into 64. */
static bool more_than(const uint32_t n[3], uint32_t most)
{
    return n[0] > most || n[1] > most || n[2] > most || (uint64_t)n[0] * n[1] * n[2] > most;
}

enum emu_end emu_launch(struct emu *e, const char *entry, const uint32_t grid[3], const uint32_t block[3],
                        const uint32_t cluster[3], uint32_t smem, const void *params, size_t param_bytes,
                        struct emu_report *report)
{
    struct emu_grid g = { .machine = e, .smem = smem, .number = e->launches++ };
    struct emu_image *image;
    uint32_t f = PTX_NO;
    unsigned char *padded;
    enum emu_end end;

    *report = (struct emu_report){ 0 };
    e->findings.count = 0;
    for (image = e->images; image; image = image->next)
        if ((f = ptx_find_function(image->module, entry)) != PTX_NO && image->module->functions[f].is_entry)
            break;
    if (!image)
        return refuse(report, "no entry %s", entry);
    g.module = image->module;
    g.entry = &image->module->functions[f];
    for (int i = 0; i < 3; i++) {
        g.dim[i] = grid[i] ? grid[i] : 1;
        g.block[i] = block[i] ? block[i] : 1;
        g.cluster_dim[i] = cluster && cluster[0] ? (cluster[i] ? cluster[i] : 1)
                           : g.entry->cluster[i] ? g.entry->cluster[i]
                                                 : 1;
        if (g.dim[i] % g.cluster_dim[i])
            return refuse(report, "%s: the grid is no multiple of the cluster", entry);
    }
    if (more_than(g.block, 1024))
        return refuse(report, "%s: more than 1024 threads a CTA", entry);
    if (more_than(g.cluster_dim, 16))
        return refuse(report, "%s: more than 16 CTAs a cluster", entry);
    if (image->shared_bytes + smem > 1u << EMU_RANK_SHIFT)
        return refuse(report, "%s: more shared memory than an address of the cluster window reaches", entry);
    if (g.entry->local_bytes > EMU_LOCAL_MAX)
        return refuse(report, "%s: more than 512 KiB of .local memory a thread", entry);
    if (param_bytes < g.entry->param_bytes)
        return refuse(report, "%s: fewer parameter bytes than the kernel takes", entry);
    if (!emu_heap_prepare(e, g.module))
        return refuse(report, "%s: no room for the heap of malloc", entry);
    padded = aligned_alloc(256, (param_bytes + 255) / 256 * 256 + 256);
    if (!padded)
        return refuse(report, "%s: out of memory", entry);
    memcpy(padded, params, param_bytes);
    g.params = padded;
    g.param_bytes = param_bytes;
    emu_order_grid_begin(&g);
    end = emu_step_grid(&g, report);
    emu_order_grid_end(&g);
    for (size_t i = 0; i < e->region_count; i++) { /* as far as the next launch is concerned */
        e->regions[i].written = true;
        e->regions[i].host = false;
    }
    free(padded);
    emu_findings_sort(&e->findings);
    report->findings = e->findings.all;
    report->count = e->findings.count;
    return end;
}
