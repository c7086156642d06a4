/* The tensormap proxy: tensor maps in global memory, which copies read through it.
 *
 * What was written by generic accesses is seen there after a release fence that follows the write and an acquire fence
 * of the map's address in each CTA that uses it, at a scope that takes both in. PTX ISA, membar / fence; CUDA
 * Programming Guide, Usage of a Modified Tensor Map. The released is a view of its own, VIEW_MAP, that synchronisation
 * passes on; an acquire keeps what its thread knew in that view. */
#include "harness/emu/judge/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/tensor_map.h"
#include "harness/emu/copies/flight.h"
#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/line.h"
#include "harness/emu/judge/objects.h"
#include "harness/emu/judge/pages.h"
#include "harness/emu/judge/prior.h"
#include "harness/emu/judge/touch.h"
#include "harness/emu/judge/verdict.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/regions.h"

enum { OF_ONE_THREAD = 4 }; /* as many acquires of a map by one thread are kept */

enum acquire_kind { ACQUIRED, TOO_NARROW, PREFETCHED };

/* A thread of the cluster has acquired 128 bytes, tried to at .cta scope, or prefetched them. */
struct order_acquire {
    uint64_t address;
    enum acquire_kind kind;
    bool system;  /* at .sys scope: what the host wrote too */
    bool cluster; /* at .cluster scope: what others in the cluster wrote */
    uint32_t thread, epoch;
    struct order_known released; /* what it knew in VIEW_MAP then */
};

static void forget(struct order_acquire *a)
{
    order_past_drop(&a->released.past);
}

void order_maps_free(struct order *o)
{
    for (uint32_t i = 0; i < o->acquire_count; i++)
        forget(&o->acquires[i]);
    free(o->acquires);
}

/* Room for one more of a thread and address: its oldest, where there are many. */
static struct order_acquire *room(struct order *o, uint32_t thread, uint64_t address)
{
    struct order_acquire *oldest = NULL, *more;
    uint32_t n = 0;

    for (uint32_t i = 0; i < o->acquire_count; i++) {
        struct order_acquire *a = &o->acquires[i];
        if (a->thread != thread || a->address != address)
            continue;
        n++;
        if (!oldest || a->epoch < oldest->epoch)
            oldest = a;
    }
    if (n >= OF_ONE_THREAD) {
        forget(oldest);
        return oldest;
    }
    more = realloc(o->acquires, (o->acquire_count + 1) * sizeof *more);
    if (!more) {
        o->failed = true;
        return NULL;
    }
    o->acquires = more;
    return &o->acquires[o->acquire_count++];
}

static void keep(struct order *o, uint32_t thread, const struct order_acquire *a)
{
    const struct order_thread *t = &o->thread[thread];
    struct order_acquire *at = room(o, thread, a->address);

    if (!at)
        return;
    *at = *a;
    at->thread = thread;
    at->epoch = t->view[VIEW_GENERIC].own[OWN_NOW];
    at->released = (struct order_known){ 0 };
    order_past_set(&at->released.past, &t->pasts->of[VIEW_MAP]);
    memcpy(at->released.own, t->view[VIEW_MAP].own, sizeof at->released.own);
}

/* An acquire fence. A .cta scope is kept for the message alone: no text lets it do. */
void order_map_acquire(struct order *o, uint32_t thread, uint64_t address, uint16_t scope)
{
    keep(o, thread,
         &(struct order_acquire){ .address = address,
                                  .kind = scope == PTX_cta ? TOO_NARROW : ACQUIRED,
                                  .system = scope == PTX_sys,
                                  .cluster = scope == PTX_cluster });
}

void order_map_prefetch(struct emu_thread *t, uint64_t address)
{
    struct order *o = order_of(t);

    if (o && emu_is_global(address))
        keep(o, order_number(o, t), &(struct order_acquire){ .address = address, .kind = PREFETCHED });
}

/* ---- a copy uses a map ------------------------------------------------------------------------------------------- */

struct use {
    struct order *o;
    struct emu_flight *f;
    uint32_t thread;
    uint64_t address, at; /* of the map; of the line that is looked at */
    uint64_t written[2];  /* bytes of the map that were written in this grid, by eighths */
    bool reported;
};

static bool in_cta(const struct use *u, const struct order_acquire *a)
{
    const uint32_t per_cta = u->o->per_cta;

    return a->thread / per_cta == u->thread / per_cta &&
           (a->thread == u->thread ||
            order_known(u->o, u->thread, VIEW_GENERIC, order_component(a->thread, OWN_NOW)) >= a->epoch);
}

/* Whether the acquire's thread knew that this write had been released. */
static bool covers(const struct use *u, const struct order_acquire *a, const struct order_record *w)
{
    const struct order *o = u->o;
    const uint32_t cluster = w->who / o->threads, local = w->who % o->threads;
    const uint32_t past = order_past_value(o, &a->released.past, o->number, cluster, order_component(local, OWN_NOW));
    const uint32_t own = cluster == o->number && local == a->thread ? a->released.own[OWN_NOW] : 0;

    return (past > own ? past : own) >= w->epoch;
}

/* The fences of the two threads, of memory or of the async proxy, which copies' reading of maps does not heed. */
static void fence_table(const struct use *u, const struct order_record *w, struct emu_finding *f)
{
    static const char why[] = "which does not reach the tensormap proxy";
    const uint32_t writer = w->who - u->o->base;
    const struct order_thread *they = writer < u->o->threads ? &u->o->thread[writer] : NULL,
                              *me = &u->o->thread[u->thread];
    const bool proxy = f->rule == &rule_tmap_fence_not_async;
    const struct ptx_instruction *theirs = !they   ? NULL
                                           : proxy ? they->proxy_fence
                                                   : they->memory_fence,
                                 *own = proxy ? me->proxy_fence : me->memory_fence;

    if (theirs)
        order_fence_words(u->o, &f->there, theirs, why, f->table, sizeof f->table);
    if (own && own != theirs)
        order_fence_words(u->o, &f->here, own, why, f->table, sizeof f->table);
}

static void report(struct use *u, const struct order_record *w, const struct ck_rule *rule, const struct ck_rule *also,
                   const char *remedy)
{
    struct emu_finding f = { .rule = rule, .also = { also } };
    char at[140];

    if (u->reported)
        return;
    u->reported = true;
    emu_spot_words(u->f->thread, PTX_none, u->address, at, sizeof at);
    order_place_of(u->o, u->thread, u->f->at ? (uint32_t)(u->f->at - u->o->module->instructions) : PTX_NO, u->address,
                   TENSOR_MAP_BYTES, &f.here);
    if (w)
        order_place(u->o, w->who, w->at, u->address, TENSOR_MAP_BYTES, &f.there);
    snprintf(f.message, sizeof f.message,
             "the tensor map at %s is used by thread %u,%u,%u of CTA %u,%u,%u (line %u), and ", at, f.here.tid[0],
             f.here.tid[1], f.here.tid[2], f.here.ctaid[0], f.here.ctaid[1], f.here.ctaid[2],
             f.here.at ? f.here.at->line : 0);
    if (w)
        snprintf(f.message + strlen(f.message), sizeof f.message - strlen(f.message),
                 "its CTA has not acquired what thread %u,%u,%u of CTA %u,%u,%u wrote there (line %u)", f.there.tid[0],
                 f.there.tid[1], f.there.tid[2], f.there.ctaid[0], f.there.ctaid[1], f.there.ctaid[2],
                 f.there.at ? f.there.at->line : 0);
    else
        snprintf(f.message + strlen(f.message), sizeof f.message - strlen(f.message),
                 "its CTA has not acquired what the host wrote there");
    snprintf(f.remedy, sizeof f.remedy, "%s", remedy);
    if (w && (rule == &rule_tensor_proxy_map || rule == &rule_tmap_fence_not_async))
        fence_table(u, w, &f);
    emu_file(u->o->cluster->grid, &f);
}

static const char map_remedy[] = "fence.proxy.tensormap::generic.release after the write, .acquire before the use";
static const char release_remedy[] =
    "fence.proxy.tensormap::generic.release after the write too: the map was acquired, "
    "and nothing had released the write";
static const char acquire_remedy[] =
    "fence.proxy.tensormap::generic.acquire of the map, after the write and before the "
    "use: it has been released";
static const char early_remedy[] = "fence.proxy.tensormap::generic.acquire of the map behind the write too: it was "
                                   "acquired before the write";

/* A write of the map in this grid must have been acquired. */
static void check_write(struct use *u, const struct order_record *w)
{
    const struct order *o = u->o;
    const bool mine = w->who / o->per_cta == (o->base + u->thread) / o->per_cta;
    const uint32_t writer = w->who - o->base;
    bool narrow = writer < o->threads && o->thread[writer].map_narrow >= w->epoch, prefetched = false, other = false;
    bool early = false; /* the map was acquired, but before this write */
    const bool async = writer < o->threads && o->thread[writer].map_async >= w->epoch;

    if (w->who & RECORD_FLIGHT || order_known_of(o, u->thread, VIEW_GENERIC, w->who, OWN_NOW) < w->epoch)
        return; /* not ordered at all: the shadow says so */
    for (uint32_t i = 0; i < o->acquire_count; i++) {
        const struct order_acquire *a = &o->acquires[i];
        if (!in_cta(u, a))
            continue;
        if (a->address != u->address) {
            other |= a->kind == ACQUIRED && covers(u, a, w);
            continue;
        }
        if (a->kind == ACQUIRED && covers(u, a, w)) {
            if (!a->cluster || w->who / o->threads == o->number)
                return;
            narrow = true;
        }
        narrow |= a->kind == TOO_NARROW;
        early |= a->kind == ACQUIRED;
        prefetched |= a->kind == PREFETCHED;
    }
    if (narrow)
        report(u, w, &rule_tmap_acquire_scope, NULL, "release and acquire the map at .gpu scope");
    else if (prefetched)
        report(u, w, &rule_tmap_prefetch_no_effect, &rule_tensor_proxy_map,
               "fence.proxy.tensormap::generic.release, then .acquire: a prefetch is not a fence");
    else if (other)
        report(u, w, &rule_tmap_fence_range, &rule_tensor_proxy_map,
               "fence.proxy.tensormap::generic.acquire of this map: another one was acquired");
    else if (!mine && order_known_of(o, u->thread, VIEW_MAP, w->who, OWN_NOW) >= w->epoch)
        report(u, w, &rule_tmap_acquire_per_block, NULL, "fence.proxy.tensormap::generic.acquire in this CTA too");
    else
        report(u, w, async ? &rule_tmap_fence_not_async : &rule_tensor_proxy_map, async ? &rule_tensor_proxy_map : NULL,
               order_known_of(o, u->thread, VIEW_MAP, w->who, OWN_NOW) < w->epoch ? early ? release_remedy : map_remedy
               : early                                                            ? early_remedy
                                                                                  : acquire_remedy);
}

static void tell(void *context, const struct order_record *r, int step, uint32_t count, unsigned first, unsigned last)
{
    struct use *u = context;
    struct order_record one = *r;

    if (order_is_prior(u->o, r->who))
        return; /* as what was written before the launch */
    for (uint32_t i = 0; i < count && !u->reported; i++, one.who += (uint32_t)step)
        check_write(u, &one);
    for (unsigned i = first; i <= last; i++) {
        const uint64_t byte = u->at + i - u->address;
        u->written[byte / 64] |= 1ull << byte % 64;
    }
}

/* What the host wrote is not seen through the proxy at the start of a kernel either. PTX ISA, Memory synchronization.
 */
static void check_host(struct use *u)
{
    const struct order *o = u->o;
    bool narrow = false;

    for (uint32_t i = 0; i < o->acquire_count; i++) {
        const struct order_acquire *a = &o->acquires[i];
        if (a->address != u->address || !in_cta(u, a) || a->kind == PREFETCHED)
            continue;
        if (a->system || (a->kind == ACQUIRED && !emu_host_wrote(o->cluster->grid->machine, u->address)))
            return;
        narrow = true;
    }
    if (narrow)
        report(u, NULL, &rule_tmap_acquire_scope, &rule_tmap_host_acquire_sys,
               "fence.proxy.tensormap::generic.acquire.sys before the use");
    else
        report(u, NULL, &rule_tmap_host_acquire_sys, &rule_tmap_space_global,
               "fence.proxy.tensormap::generic.acquire.sys before the use");
}

void order_map_use(struct emu_flight *f, uint64_t address)
{
    struct order *o = order_of(f->thread);
    struct use u = { .o = o, .f = f, .address = address };
    struct order_flight *r;
    struct order_line *line;

    if (!o || !emu_is_global(address)) /* parameters and constants do not change */
        return;
    u.thread = order_number(o, f->thread);
    for (u.at = address & ~(uint64_t)(LINE - 1); u.at < address + TENSOR_MAP_BYTES; u.at += LINE) {
        const unsigned first = u.at < address ? (unsigned)(address - u.at) : 0;
        const uint64_t end = address + TENSOR_MAP_BYTES - u.at;
        line = order_line_of(o, u.at);
        if (!line)
            return;
        order_line_writes(line, first, end < LINE ? (unsigned)end - 1 : LINE - 1, tell, &u);
    }
    if (~u.written[0] || ~u.written[1])
        check_host(&u);
    /* A load's reading of the map may be waited for with the thread's bulk groups. PTX ISA, cp.async.bulk.tensor. */
    r = order_flight_at(o, f->order);
    if (r->kind == COPY_BULK_GROUP) {
        r->map = r->sequence;
    } else {
        struct order_groups *g = order_groups_own(o, &o->thread[u.thread]);
        if (!g)
            return;
        r->map = ++g[1].issued;
    }
    order_touch(o, f->thread, f->order, address, TENSOR_MAP_BYTES, RECORD_MAP);
}
// SPDX-License-Identifier: Apache-2.0
