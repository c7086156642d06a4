/* The machine as its users see it: what emu.h declares, by the layers below. */
#include "harness/emu/emu.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/copies/map_object.h"
#include "harness/emu/decode.h"
#include "harness/emu/instructions/system.h"
#include "harness/emu/judge/judge.h"
#include "harness/emu/machine/children.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/heap.h"
#include "harness/emu/machine/image.h"
#include "harness/emu/machine/prior.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/spare.h"
#include "harness/emu/machine/values.h"
#include "harness/emu/machine/written.h"
#include "harness/emu/machine/shared.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/outside.h"
#include "harness/emu/schedule/resident.h"
#include "harness/emu/schedule/schedule.h"

static const uint64_t default_memory = 4ull << 30, default_instructions = 1ull << 33, default_quiet = 50 * 1000 * 1000,
                      default_idle = 200 * 1000 * 1000, default_busy = 1000 * 1000 * 1000;

/* Puts the defaults where nothing was chosen. */
static void complete(struct emu_options *o, uint64_t memory)
{
    if (!o->max_memory)
        o->max_memory = memory;
    if (!o->max_instructions)
        o->max_instructions = default_instructions;
    if (!o->max_quiet)
        o->max_quiet = default_quiet;
    if (!o->max_idle)
        o->max_idle = default_idle;
    if (!o->max_busy)
        o->max_busy = default_busy;
    if (!o->jobs)
        o->jobs = 1;
}

struct emu *emu_new(const struct emu_options *options)
{
    struct emu *e = calloc(1, sizeof *e);

    if (e)
        e->spare = calloc(1, sizeof *e->spare);
    if (!e || !e->spare) {
        free(e);
        return NULL;
    }
    e->options = *options;
    complete(&e->options, default_memory);
    pthread_mutex_init(&e->lock, NULL);
    return e;
}

void emu_free(struct emu *e)
{
    if (!e)
        return;
    judge_forget(e);
    emu_images_free(e);
    emu_regions_free(e, true);
    emu_heap_free(e);
    emu_textures_free(e);
    emu_children_free(e);
    emu_findings_free(&e->findings);
    emu_spare_free(e->spare);
    free(e->spare);
    free(e->idle);
    pthread_mutex_destroy(&e->lock);
    free(e);
}

bool emu_load(struct emu *e, const struct ptx_module *m, char *error, size_t size)
{
    return emu_image_load(e, m, emu_decode_function, error, size);
}

void emu_unload(struct emu *e, const struct ptx_module *m)
{
    judge_forget(e);
    emu_image_unload(e, m);
}

uint64_t emu_static_shared(struct emu *e, const struct ptx_module *m, uint32_t entry)
{
    return emu_shared_of(emu_image_of(e, m), &m->functions[entry])->top - EMU_SHARED_BASE;
}

bool emu_variable(struct emu *e, const struct ptx_module *m, const char *name, uint64_t *at, uint64_t *bytes)
{
    return emu_image_variable(e, m, name, at, bytes);
}

bool emu_variable_at(const struct emu *e, uint64_t address, uint64_t *at, uint64_t *bytes)
{
    return emu_image_variable_at(e, address, at, bytes);
}

bool emu_set_variable(struct emu *e, const struct ptx_module *m, const char *name, const void *bytes, size_t size)
{
    return emu_image_set(e, m, name, bytes, size);
}

uint64_t emu_alloc(struct emu *e, uint64_t bytes, unsigned align, bool written, const char *name)
{
    struct emu_region *r = emu_region_add(e, bytes, align, name);

    if (!r)
        return 0;
    r->written = r->always = written;
    return r->at;
}

bool emu_adopt(struct emu *e, void *bytes, uint64_t size, const char *name)
{
    return emu_region_adopt(e, bytes, size, name) != NULL;
}

bool emu_release(struct emu *e, uint64_t at, const char *by)
{
    return emu_region_free(e, at, by);
}

void emu_where(const struct emu *e, uint64_t address, struct emu_spot *out)
{
    emu_spot_of(e, address, out);
}

void emu_release_all(struct emu *e)
{
    judge_forget(e);
    emu_regions_free(e, false);
    e->workspace = 0;
    emu_heap_free(e);
    emu_textures_free(e);
    emu_children_free(e);
}

bool emu_write(struct emu *e, uint64_t to, const void *from, uint64_t bytes)
{
    return emu_region_write(e, to, from, bytes);
}

uint64_t emu_texture(struct emu *e, const struct emu_texture *x)
{
    return emu_texture_add(e, x);
}

void emu_map_encode(const struct tensor_map *map, void *object)
{
    emu_map_encode_object(map, object);
}

bool emu_map_read(const void *object, struct tensor_map *map)
{
    char why[200];

    return emu_map_decode(object, map, why, sizeof why);
}

bool emu_read(struct emu *e, void *to, uint64_t from, uint64_t bytes)
{
    return emu_region_read(e, to, from, bytes);
}

void emu_wrote(struct emu *e, uint64_t to, uint64_t n)
{
    struct emu_region *r = emu_region_of(e, to);

    if (r && n <= r->at + r->size - to) {
        emu_values_set(r, to - r->at, n);
        r->host = true;
    }
}

void emu_copied(struct emu *e, uint64_t to, uint64_t from, uint64_t n)
{
    emu_written_copy(e, to, from, n);
}

void emu_lost(struct emu *e, uint64_t at, uint64_t n)
{
    struct emu_region *r = emu_region_of(e, at);

    if (!r || n > r->at + r->size - at)
        return;
    r->always = false;
    emu_values_clear(r, at - r->at, n);
}

bool emu_has_value(struct emu *e, uint64_t at, uint64_t n)
{
    const struct emu_region *r = emu_region_of(e, at);

    return !r || n > r->at + r->size - at || emu_values_any(r, at - r->at, n);
}

bool emu_before(struct emu *e)
{
    return emu_prior_begin(e);
}

bool emu_between(struct emu *e)
{
    return emu_prior_hide(e);
}

void emu_behind(struct emu *e)
{
    emu_prior_end(e);
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

bool emu_knows_instruction(struct emu *e, const struct ptx_module *m, uint32_t f, uint32_t at)
{
    const struct emu_code *code = emu_code_of(emu_image_of(e, m), f);

    return code && emu_decode_knows(&code->ops[at - code->function->instructions]);
}

bool emu_knows_function(const struct ptx_module *m, uint32_t f)
{
    const struct ptx_function *definition = &m->functions[m->functions[f].definition];

    return definition->has_body || emu_system_knows(definition);
}

/* The image that has an entry of this name, and the entry; NULL where none has. */
static struct emu_image *find_entry(struct emu *e, const char *name, const struct ptx_function **entry)
{
    for (struct emu_image *image = e->images; image; image = image->next) {
        const uint32_t f = ptx_find_function(image->module, name);
        if (f != PTX_NO && image->module->functions[f].is_entry) {
            *entry = &image->module->functions[f];
            return image;
        }
    }
    return NULL;
}

/* One side of a cluster, in CTAs: as the launch says, else as the kernel asks for, else 1. */
static uint32_t cluster_side(const struct emu_grid *g, const uint32_t *launch, int side)
{
    if (launch && launch[0])
        return launch[side] ? launch[side] : 1;
    return g->entry->cluster[side] ? g->entry->cluster[side] : 1;
}

/* Gives a grid that is launched cooperatively its workspace, all zeros. False where there is no room, with the line. */
static bool prepare_cooperation(struct emu_grid *g, const struct emu_image *image)
{
    static const unsigned char zeros[EMU_WORKSPACE];
    struct emu *e = g->machine;

    g->wants_workspace = image->wants_workspace;
    if (e->options.cooperative == EMU_COOPERATIVE_NO ||
        (e->options.cooperative == EMU_COOPERATIVE_AS_NEEDED && !g->wants_workspace))
        return true;
    if (!e->workspace)
        e->workspace = emu_alloc(e, EMU_WORKSPACE, 256, true, "the grid's workspace");
    g->workspace = e->workspace;
    return e->workspace && emu_write(e, e->workspace, zeros, sizeof zeros);
}

/* Whether the CTAs of a cooperative grid fit on the device together: the launch is refused where they do not. */
static bool fits_together(struct emu_grid *g, struct emu_report *report)
{
    const uint64_t size = (uint64_t)g->cluster_dim[0] * g->cluster_dim[1] * g->cluster_dim[2];
    const uint64_t ctas = (uint64_t)g->dim[0] * g->dim[1] * g->dim[2], most = emu_most_resident(g) * size;
    struct emu_finding f = { .rule = &rule_deadlock_resident,
                             .remedy =
                                 "launch no more CTAs than cudaOccupancyMaxActiveBlocksPerMultiprocessor allows" };

    if (!g->workspace || ctas <= most)
        return true;
    snprintf(
        f.message, sizeof f.message,
        "the launch is refused (cudaErrorCooperativeLaunchTooLarge): %llu CTAs, of which %llu can be resident together",
        (unsigned long long)ctas, (unsigned long long)most);
    emu_file(g, &f);
    report->end = EMU_FAULTED;
    snprintf(report->message, sizeof report->message, "%s", f.message);
    return false;
}

/* Why a grid cannot be launched, as a format for the entry's name; NULL where it can. */
static const char *what_is_wrong(struct emu_grid *g, const struct emu_image *image)
{
    for (int i = 0; i < 3; i++)
        if (g->dim[i] % g->cluster_dim[i])
            return "%s: the grid is no multiple of the cluster";
    if (more_than(g->block, 1024))
        return "%s: more than 1024 threads a CTA";
    if (more_than(g->cluster_dim, 16))
        return "%s: more than 16 CTAs a cluster";
    if (emu_shared_of(image, g->entry)->dynamic + g->smem > 1u << EMU_RANK_SHIFT)
        return "%s: more shared memory than an address of the cluster window reaches";
    if (g->entry->local_bytes > EMU_LOCAL_MAX)
        return "%s: more than 512 KiB of .local memory a thread";
    if (g->param_bytes < g->entry->param_bytes)
        return "%s: fewer parameter bytes than the kernel takes";
    if (!emu_heap_prepare(g->machine, g->module))
        return "%s: no room for the heap of malloc";
    if (!prepare_cooperation(g, image))
        return "%s: no room for the workspace of a cooperative launch";
    return NULL;
}

/* The judge watches, and behind it whom the options name; or nobody does. */
static void begin_watch(struct emu_grid *g)
{
    if (g->machine->options.unwatched)
        return;
    g->watch = judge_watch(&g->machine->options);
    if (g->machine->options.watch) {
        g->both[0] = g->watch;
        g->both[1] = g->machine->options.watch;
        g->watch = &emu_watch_both;
    }
    g->watch->grid_begin(g);
    g->light = judge_light(g);
}

/* A grid whose entry, extents and shared memory are set, from its beginning to its end. Then come those that it has
 * launched, and then end_watch. */
static void run_grid(struct emu_grid *g, struct emu_image *image, const void *params, size_t param_bytes,
                     struct emu_report *report)
{
    const char *wrong;
    unsigned char *padded;

    g->number = g->machine->launches++;
    g->module = image->module;
    g->param_bytes = param_bytes;
    wrong = what_is_wrong(g, image);
    padded = wrong ? NULL : aligned_alloc(256, (param_bytes + 255) / 256 * 256 + 256);
    if (wrong) {
        refuse(report, wrong, g->entry->name);
        return;
    }
    if (!padded) {
        report->end = EMU_NO_MEMORY;
        snprintf(report->message, sizeof report->message, "out of memory for the parameters");
        return;
    }
    memcpy(padded, params, param_bytes);
    g->params = padded;
    if (fits_together(g, report)) {
        begin_watch(g);
        emu_schedule_grid(g, image, report);
        if (g->watch)
            g->watch->grid_ran(g);
        else
            emu_written_lose(g->machine);
    }
    emu_written_settle(g->machine);
    free(padded);
}

static void end_watch(struct emu_grid *g)
{
    if (g->watch)
        g->watch->grid_end(g);
}

/* ---- grids that a grid has launched ----------------------------------------------------------------------------- */

enum { DEPTH = 1000, DEVICE_SMEM = 227 << 10 };

static void run_children(struct emu_grid *parent, struct emu_image *image, unsigned depth, struct emu_report *report);

/* A child grid, and then its own. What is asked about the order of threads is asked of the first grid alone. */
static void run_child(struct emu_grid *parent, struct emu_image *image, const struct emu_child *child, unsigned depth,
                      struct emu_report *report)
{
    struct emu *e = parent->machine;
    struct emu_grid g = {
        .machine = e, .entry = child->entry, .smem = child->smem, .parent = parent, .launched_as = child
    };
    struct emu_report own = { 0 };

    g.explicit_cluster = g.entry->cluster[0];
    for (int i = 0; i < 3; i++) {
        g.dim[i] = child->grid[i];
        g.block[i] = child->block[i];
        g.cluster_dim[i] = cluster_side(&g, NULL, i);
    }
    if (report->instructions >= e->options.max_instructions || depth > DEPTH) {
        own.end = EMU_TOO_LONG;
        snprintf(own.message, sizeof own.message, "%s: %s", g.entry->name,
                 depth > DEPTH ? "more than 1000 launches, each by the one before" : "too many instructions in all");
    } else if (g.smem > DEVICE_SMEM) {
        refuse(&own, "%s: more dynamic shared memory than a CTA has", g.entry->name);
    } else {
        run_grid(&g, image, child->params, g.entry->param_bytes, &own);
    }
    report->instructions += own.instructions;
    report->forgot |= own.forgot;
    if (own.end != EMU_DONE) {
        report->end = own.end;
        memcpy(report->message, own.message, sizeof report->message);
    } else {
        run_children(&g, image, depth + 1, report);
    }
    end_watch(&g);
}

/* A copy that a thread put into a stream leaves its allocations. */
static void end_copy(const struct emu_child *copy, struct emu_report *report)
{
    report->end = EMU_FAULTED;
    snprintf(report->message, sizeof report->message,
             "a kernel's cudaMemcpyAsync or cudaMemsetAsync of %llu bytes to 0x%llx does not lie in one allocation",
             (unsigned long long)copy->bytes, (unsigned long long)copy->to);
}

/* Those that the grid that has just ended launched, in the order of their launches; tail launches behind all others. */
static void run_children(struct emu_grid *parent, struct emu_image *image, unsigned depth, struct emu_report *report)
{
    struct emu *e = parent->machine;
    struct emu_children c = emu_children_take(e);

    for (int tail = 0; tail < 2; tail++)
        for (size_t i = 0; i < c.count && report->end == EMU_DONE; i++) {
            if (c.all[i].tail != tail)
                continue;
            if (c.all[i].params)
                run_child(parent, image, &c.all[i], depth, report);
            else if (!c.all[i].entry && !emu_child_move(e, &c.all[i]))
                end_copy(&c.all[i], report);
        }
    emu_children_end(&c);
}

/* The first grid's, with the options that are theirs: they have no swaps, and only the judge watches. */
static void run_all_children(struct emu_grid *first, struct emu_image *image, struct emu_report *report)
{
    struct emu *e = first->machine;
    const struct emu_options options = e->options;

    if (!e->children || !e->children->count)
        return;
    e->options.swaps = NULL;
    e->options.watch = NULL;
    if (options.turns == EMU_TURNS_SWAPPED || options.turns == EMU_TURNS_ALONE || options.turns == EMU_TURNS_STOPS)
        e->options.turns = EMU_TURNS_IN_ORDER;
    run_children(first, image, 1, report);
    e->options = options;
}

/* A grid whose entry is known. */
static enum emu_end launch(struct emu *e, struct emu_image *image, struct emu_grid *g, const uint32_t grid[3],
                           const uint32_t block[3], const uint32_t cluster[3], const void *params, size_t param_bytes,
                           struct emu_report *report)
{
    struct emu_children left;

    g->explicit_cluster = (cluster && cluster[0]) || g->entry->cluster[0];
    for (int i = 0; i < 3; i++) {
        g->dim[i] = grid[i] ? grid[i] : 1;
        g->block[i] = block[i] ? block[i] : 1;
        g->cluster_dim[i] = cluster_side(g, cluster, i);
    }
    judge_next_launch(e);
    run_grid(g, image, params, param_bytes, report);
    if (report->end == EMU_DONE)
        run_all_children(g, image, report);
    end_watch(g);
    if (e->findings.lost && (report->end == EMU_DONE || report->end == EMU_FAULTED)) {
        report->end = EMU_NO_MEMORY;
        snprintf(report->message, sizeof report->message, "out of memory for what was found");
    }
    left = emu_children_take(e); /* of a grid that did not come to its end */
    emu_children_end(&left);
    emu_findings_sort(&e->findings);
    report->findings = e->findings.all;
    report->count = 0;
    while (report->count < e->findings.count && !e->findings.all[report->count].remark)
        report->count++;
    report->remarks = e->findings.count - report->count;
    return report->end;
}

enum emu_end emu_launch(struct emu *e, const char *entry, const uint32_t grid[3], const uint32_t block[3],
                        const uint32_t cluster[3], uint32_t smem, const void *params, size_t param_bytes,
                        struct emu_report *report)
{
    struct emu_grid g = { .machine = e, .smem = smem };
    struct emu_image *image;

    *report = (struct emu_report){ 0 };
    e->findings.count = 0;
    e->findings.lost = false;
    image = find_entry(e, entry, &g.entry);
    if (!image)
        return refuse(report, "no entry %s", entry);
    return launch(e, image, &g, grid, block, cluster, params, param_bytes, report);
}

enum emu_end emu_launch_of(struct emu *e, const struct ptx_module *m, uint32_t entry, const struct emu_options *options,
                           const uint32_t grid[3], const uint32_t block[3], const uint32_t cluster[3], uint32_t smem,
                           const void *params, size_t param_bytes, struct emu_report *report)
{
    struct emu_grid g = { .machine = e, .smem = smem, .entry = &m->functions[entry] };
    struct emu_image *image = emu_image_of(e, m);
    struct emu_outside outside;

    *report = (struct emu_report){ 0 };
    e->findings.count = 0;
    e->findings.lost = false;
    if (!image || !g.entry->is_entry)
        return refuse(report, "no entry %s", g.entry->name);
    if (options) {
        const uint64_t memory = e->options.max_memory;
        e->options = *options;
        e->options.max_memory = memory;
        complete(&e->options, memory);
        emu_outside_begin(&outside, e);
    }
    return launch(e, image, &g, grid, block, cluster, params, param_bytes, report);
}

void emu_swaps_free(struct emu_swaps *s)
{
    free(s->all);
    free(s->ends);
    free(s->changers);
    free(s->operations);
    *s = (struct emu_swaps){ 0 };
}
// SPDX-License-Identifier: Apache-2.0
