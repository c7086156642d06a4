/* Which operations of a cluster could come in the other order.
 *
 * Two operations on one object by two warps could, if they are neighbours, the order shows, and nothing else orders
 * them. That is the race of dynamic partial-order reduction (Flanagan, Godefroid: Dynamic Partial-Order Reduction for
 * Model Checking Software, 2005). As there, each warp has a clock: the number of the last operation of each warp that
 * comes before its next one, by the objects that both used or by a wait. */
#include "harness/emu/schedule/finder.h"

#include <stdlib.h>
#include <string.h>

#include "expected/random.h"
#include "harness/base/room.h"
#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/machine/sync.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/schedule/swaps.h"

/* Warps that a cluster may have that is looked at; what is kept of each. */
enum { WARPS = 512, OBJECTS = 4096 };

/* Numbers of objects and of operations, by a key that is not 0. */
struct table {
    struct {
        uint64_t key;
        uint32_t value;
    } * slots;
    size_t count, room; /* room: a power of two */
};

/* An operation, and its number among those of its warp. */
struct seen {
    struct emu_event event;
    uint64_t generation; /* of a barrier; of an mbarrier its phase */
    uint32_t number;     /* 0: there was none */
    uint8_t sync;
};

/* What an instruction has done to an object; above that, the number of the first thread, counted from 1. */
enum change { CHANGED = 1, LEFT_IT = 2, BY_SEVERAL = 4, BY = 8 };

struct object {
    uint64_t key;
    struct emu_event first;
    struct seen last, change;      /* the last of all; the last that changed it */
    uint64_t user;                 /* its first thread, counted from 1 */
    bool looked, shared;           /* a thread has looked at it; another thread has used it */
    struct seen run;               /* the first of those that one warp did in a row, up to the last */
    struct emu_event first_change; /* the first that changed it; */
    struct emu_event other_look; /* of one warp's looks in a row, the last by another instruction than the last one; */
    struct emu_event early_look; /* the first of these before a look that was repeated. No `at`: there was none */
    uint32_t *clock;             /* what those that used it knew */
    uint32_t *before;            /* of a barrier: what those knew that came in the generation before */
};

struct emu_finder {
    uint32_t warps_of_cta, warps;
    uint32_t *clocks; /* of each warp, `warps` numbers */
    struct table times, objects;
    struct table changes; /* by object and instruction: bits of enum change */
    struct object *all;
    size_t count, room;
    struct emu_swap *swaps;
    size_t swap_count, swap_room;
    uint64_t generation;  /* of a barrier, that the thread's operation belongs to */
    uint32_t *change;     /* what is known of it, NULL: it changes no memory; as long as nothing is added */
    uint64_t acts;        /* of the run, before it */
    struct emu_way *ways; /* of each thread */
    bool more, waits;     /* waits: the thread is at a barrier at which it has arrived */
};

/* The value of a key, made 0 where there was none; NULL where memory is short. */
static uint32_t *value_of(struct table *t, uint64_t key)
{
    if (2 * t->count >= t->room) {
        struct table more = { .room = t->room ? 2 * t->room : 256 };
        more.slots = calloc(more.room, sizeof *more.slots);
        if (!more.slots)
            return NULL;
        for (size_t i = 0; i < t->room; i++)
            if (t->slots[i].key)
                *value_of(&more, t->slots[i].key) = t->slots[i].value;
        free(t->slots);
        *t = more;
    }
    for (size_t i = splitmix64(key);; i++) {
        const size_t at = i & (t->room - 1);
        if (!t->slots[at].key) {
            t->slots[at].key = key;
            t->count++;
        }
        if (t->slots[at].key == key)
            return &t->slots[at].value;
    }
}

static struct object *object_of(struct emu_finder *f, uint64_t key)
{
    uint32_t *number = value_of(&f->objects, key);
    struct object *all;

    if (number && *number)
        return &f->all[*number - 1];
    if (!number || f->count == OBJECTS)
        return NULL;
    all = ck_room(f->all, f->count, &f->room, 64, sizeof *all);
    if (!all)
        return NULL;
    f->all = all;
    f->all[f->count] = (struct object){ .key = key, .clock = calloc(2ul * f->warps, sizeof(uint32_t)) };
    if (!f->all[f->count].clock)
        return NULL;
    f->all[f->count].before = f->all[f->count].clock + f->warps;
    f->count++;
    *number = (uint32_t)f->count;
    return &f->all[f->count - 1];
}

static void join(uint32_t *to, const uint32_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (from[i] > to[i])
            to[i] = from[i];
}

bool emu_finder_make(struct emu_cluster *c)
{
    const uint32_t warps_of_cta = emu_warps_of(c->ctas[0].thread_count);
    const uint32_t warps = warps_of_cta * c->cta_count;
    struct emu_finder *f;

    if (!c->grid->machine->options.swaps || c->run->number >= EMU_SWAPS_CLUSTERS || warps > WARPS)
        return true;
    f = c->finder = calloc(1, sizeof *f);
    if (!f)
        return false;
    f->warps_of_cta = warps_of_cta;
    f->warps = warps;
    f->clocks = calloc((size_t)warps * warps, sizeof *f->clocks);
    f->ways = calloc((size_t)warps * EMU_WARP, sizeof *f->ways);
    return f->clocks && f->ways;
}

void emu_finder_free(struct emu_cluster *c)
{
    struct emu_finder *f = c->finder;

    if (!f)
        return;
    for (size_t i = 0; i < f->count; i++)
        free(f->all[i].clock);
    free(f->all);
    free(f->swaps);
    free(f->times.slots);
    free(f->changes.slots);
    free(f->objects.slots);
    free(f->clocks);
    free(f->ways);
    free(f);
    c->finder = NULL;
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

/* The current phase of an mbarrier, 0 where there is none. */
static uint64_t phase_of(const struct emu_thread *t, const struct emu_op *op)
{
    uint64_t offset;
    const struct emu_cta *cta = emu_sync_cta(t->cta->cluster, emu_sync_object(t, op), &offset);
    const struct emu_mbarrier *m = cta ? emu_mbarrier_find(cta, offset) : NULL;

    return m ? m->phase : 0;
}

/* The generation of a barrier, or the phase of an mbarrier, that the thread is about to arrive in, or waits for. */
static uint64_t generation_of(const struct emu_thread *t, const struct emu_op *op)
{
    if (emu_sync_is_of_mbarrier(op))
        return phase_of(t, op);
    switch (op->sync) {
    case EMU_SYNC_BARRIER:
        if (t->barrier_generation)
            return t->barrier_generation - 1;
        return t->cta->barriers && t->r[op->a] < EMU_BARRIERS ? t->cta->barriers[t->r[op->a]].generation : 0;
    case EMU_SYNC_CLUSTER_ARRIVE: return t->cluster_arrived;
    case EMU_SYNC_CLUSTER_WAIT: return t->cluster_arrived - 1;
    default: return 0;
    }
}

/* Whether it shows which of the two comes first. */
static bool shows(const struct seen *first, const struct seen *second)
{
    switch (second->sync) {
    case EMU_SYNC_COUNT: return first->event.at != second->event.at;
    case EMU_SYNC_BARRIER: return first->generation != second->generation;
    case EMU_SYNC_CLUSTER_ARRIVE: return false;
    default: return true;
    }
}

static void add_swap(struct emu_finder *f, const struct emu_event *first, const struct emu_event *second)
{
    struct emu_swap *all =
        f->swap_count < EMU_SWAPS_OF_CLUSTER ? ck_room(f->swaps, f->swap_count, &f->swap_room, 64, sizeof *all) : NULL;

    f->more |= !all;
    if (!all)
        return;
    f->swaps = all;
    all[f->swap_count] = (struct emu_swap){ .first = *first, .second = *second, .number = (uint32_t)f->swap_count };
    f->swap_count++;
}

/* Adds the swap of an earlier operation and this one where nothing orders them, and their order shows. */
static void compare_with(struct emu_finder *f, const struct seen *before, const struct seen *now, const uint32_t *clock)
{
    if (before->number && before->event.warp != now->event.warp && clock[before->event.warp] < before->number &&
        shows(before, now))
        add_swap(f, &before->event, &now->event);
}

/* A warp that looks again and again waits for a change. What it has looked at before, in another place of the program,
 * was meant to come before that change. */
static void note_look(struct object *o, const struct seen *now)
{
    if (o->last.sync != EMU_SYNC_LOOK || o->last.event.warp != now->event.warp)
        o->other_look = (struct emu_event){ 0 };
    else if (o->last.event.at != now->event.at)
        o->other_look = o->last.event;
    else if (!o->early_look.at)
        o->early_look = o->other_look;
}

static void note(struct emu_finder *f, struct object *o, struct seen *now)
{
    const uint32_t warp = now->event.warp;
    uint32_t *clock = f->clocks + (size_t)warp * f->warps;

    compare_with(f, now->sync == EMU_SYNC_LOOK ? &o->change : &o->last, now, clock);
    if (now->sync == EMU_SYNC_CHANGE && o->run.number != o->last.number)
        compare_with(f, &o->run, now, clock); /* as where a warp takes a lock and gives it back */
    if (o->last.number && now->generation != o->last.generation) {
        /* Who waited for the one before may still be there. */
        memcpy(o->before, o->clock, f->warps * sizeof *o->before);
        memset(o->clock, 0, f->warps * sizeof *o->clock);
    }
    if (now->sync == EMU_SYNC_CHANGE || now->sync == EMU_SYNC_LOOK)
        join(clock, o->clock, f->warps);
    clock[warp]++;
    now->number = clock[warp];
    join(o->clock, clock, f->warps);
    if (!o->last.number)
        o->first = now->event;
    if (!o->last.number || o->last.event.warp != warp)
        o->run = *now;
    if (now->sync == EMU_SYNC_LOOK)
        note_look(o, now);
    o->last = *now;
    if (now->sync == EMU_SYNC_LOOK)
        return;
    o->change = *now;
    o->first_change = o->first_change.at ? o->first_change : now->event;
}

/* Notes who uses an object in memory, which is no mbarrier. */
static void note_use(struct emu_finder *f, struct object *o, uint64_t thread, uint32_t at, const struct emu_op *op)
{
    if (emu_sync_is_of_mbarrier(op) || op->sync > EMU_SYNC_COUNT)
        return;
    o->shared |= o->user && o->user != thread;
    o->user = o->user ? o->user : thread;
    o->looked |= op->sync == EMU_SYNC_LOOK;
    if (op->sync == EMU_SYNC_LOOK)
        return;
    f->change = value_of(&f->changes, (uint64_t)(o - f->all + 1) << 32 | at);
    if (f->change && *f->change < BY)
        *f->change |= (uint32_t)thread * BY;
    else if (f->change && *f->change / BY != thread)
        *f->change |= BY_SEVERAL;
}

void emu_finder_before(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_finder *f = t->cta->cluster->finder;
    const uint64_t thread = (uint64_t)t->cta->rank * t->cta->thread_count + t->index + 1;
    const uint32_t at = (uint32_t)(op->source - t->cta->cluster->grid->module->instructions);
    struct seen now = { .sync = op->sync };
    struct object *o;
    uint32_t *times;

    f->change = NULL;
    if (emu_way_has(op))
        emu_way_on(&f->ways[thread - 1], op);
    if (op->sync == EMU_SYNC_FENCE)
        return;
    now.generation = f->generation = generation_of(t, op);
    f->waits = !emu_sync_begins(t, op);
    if (f->waits || op->sync == EMU_SYNC_WAIT || op->sync == EMU_SYNC_CLUSTER_WAIT)
        return;
    o = object_of(f, emu_sync_object(t, op));
    times = value_of(&f->times, thread << 32 | at);
    f->more |= !o || !times;
    if (!o || !times)
        return;
    note_use(f, o, thread, at, op);
    f->acts = emu_acts(t->cta->cluster->run, t);
    now.event = (struct emu_event){ .at = op->source,
                                    .cluster = t->cta->cluster->run->number,
                                    .warp = t->cta->rank * f->warps_of_cta + t->warp,
                                    .again = *times };
    ++*times;
    if (!o->last.number || !emu_same_event(&o->last.event, &now.event))
        note(f, o, &now); /* else for another thread of the warp */
}

/* The thread's warp knows what those knew that used the object in the generation that the thread has waited for. */
static void join_waited(struct emu_finder *f, const struct emu_thread *t, const struct emu_op *op)
{
    const uint32_t warp = t->cta->rank * f->warps_of_cta + t->warp;
    struct object *o = object_of(f, emu_sync_object(t, op));

    if (o)
        join(f->clocks + (size_t)warp * f->warps, f->generation == o->last.generation ? o->clock : o->before, f->warps);
}

void emu_finder_passes(struct emu_thread *lanes, uint32_t set, const struct emu_op *op)
{
    struct emu_finder *f = lanes->cta->cluster->finder;
    uint64_t done = UINT64_MAX; /* a generation, of all lanes the same as a rule */

    for (struct emu_thread *t = lanes; set; set >>= 1, t++) {
        if (!(set & 1) || generation_of(t, op) == done)
            continue;
        f->generation = done = generation_of(t, op);
        join_waited(f, t, op);
    }
}

void emu_finder_after(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_finder *f = t->cta->cluster->finder;
    bool waited = false;

    if (f->change)
        *f->change |= emu_acts(t->cta->cluster->run, t) != f->acts || op->source->op != OP_atom ? CHANGED : LEFT_IT;
    switch (op->sync) {
    case EMU_SYNC_WAIT:
        waited = t->r[op->d] != 0;
        f->generation--; /* the phase that is over */
        break;
    case EMU_SYNC_BARRIER: waited = f->waits && !t->barrier_generation; break;
    case EMU_SYNC_CLUSTER_WAIT: waited = t->state == EMU_READY; break;
    default: break;
    }
    if (waited)
        join_waited(f, t, op);
}

/* ---- what the cluster adds to the launch's
 * --------------------------------------------------------------------------- */

static void take_changer(struct emu_swaps *s, const struct emu_changer *changer)
{
    struct emu_changer *all = ck_room(s->changers, s->changer_count, &s->changer_room, 64, sizeof *all);

    if (!all)
        return;
    s->changers = all;
    all[s->changer_count] = *changer;
    s->changer_count++;
}

/* The instructions that have changed what others look at. Of global memory, others may be in other clusters. An atom
 * that has left a place as it was has looked. */
static void take_changers(struct emu_swaps *s, struct emu_finder *f, const struct ptx_instruction *instructions,
                          bool one_cluster)
{
    for (size_t i = 0; i < f->changes.room; i++)
        if (f->changes.slots[i].value & LEFT_IT)
            f->all[(f->changes.slots[i].key >> 32) - 1].looked = true;
    for (size_t i = 0; i < f->count; i++) {
        const struct emu_changer look = { .object = f->all[i].key, .looked = true };
        if (f->all[i].looked && emu_sync_is_global(f->all[i].key))
            take_changer(s, &look);
    }
    for (size_t i = 0; i < f->changes.room; i++) {
        const uint64_t key = f->changes.slots[i].key;
        const struct object *o = key ? &f->all[(key >> 32) - 1] : NULL;
        const bool global = o && emu_sync_is_global(o->key);
        const struct emu_changer one = { .at = instructions + (uint32_t)key,
                                         .looks = f->changes.slots[i].value & LEFT_IT,
                                         .several = f->changes.slots[i].value & BY_SEVERAL,
                                         .object = o && global ? o->key : 0,
                                         .looked = o && o->looked };
        if (o && ((global && !one_cluster) || (o->looked && o->shared)))
            take_changer(s, &one);
    }
}

static void take_end(struct emu_swaps *s, const struct emu_swap_end *end)
{
    struct emu_swap_end *all = ck_room(s->ends, s->end_count, &s->end_room, 64, sizeof *all);

    s->more |= !all;
    if (!all)
        return;
    s->ends = all;
    s->ends[s->end_count] = *end;
    s->end_count++;
}

static void take_operations(struct emu_swaps *s, const struct emu_finder *f, uint64_t cluster, uint32_t threads)
{
    for (uint32_t i = 0; f->ways && i < f->warps * EMU_WARP; i++) { /* else memory ran out when it was made */
        const uint32_t warp = i / threads * f->warps_of_cta + i % threads / EMU_WARP;
        const struct emu_operations one = { .cluster = cluster,
                                            .warp = cluster * f->warps + warp,
                                            .index = i,
                                            .all = f->ways[i].all,
                                            .counted = f->ways[i].counted };
        struct emu_operations *all =
            one.all ? ck_room(s->operations, s->operation_count, &s->operation_room, 64, sizeof *all) : NULL;
        if (!all)
            continue;
        s->operations = all;
        all[s->operation_count++] = one;
    }
}

void emu_finder_end(struct emu_cluster *c)
{
    const struct emu_grid *g = c->grid;
    struct emu *e = g->machine;
    struct emu_finder *f = c->finder;
    struct emu_swaps *s = e->options.swaps;
    const bool one_cluster = (uint64_t)g->dim[0] * g->dim[1] * g->dim[2] == c->cta_count;

    if (!f)
        return;
    pthread_mutex_lock(&e->lock);
    s->more |= f->more;
    for (size_t i = 0; i < f->swap_count; i++)
        emu_swaps_take(s, &f->swaps[i]);
    take_changers(s, f, c->grid->module->instructions, one_cluster);
    take_operations(s, f, c->run->number, c->ctas[0].thread_count);
    for (size_t i = 0; i < f->count; i++) {
        const struct object *o = &f->all[i];
        const struct emu_swap_end end = { .object = o->key,
                                          .first = o->first,
                                          .last = o->last.event,
                                          .changed = o->first_change,
                                          .looked = o->early_look };
        if (emu_sync_is_global(o->key) && o->last.number)
            take_end(s, &end);
    }
    pthread_mutex_unlock(&e->lock);
}
// SPDX-License-Identifier: Apache-2.0
