/* The list of a cluster's copies in flight, and the groups of its threads. */
#include "harness/emu/copies/flight.h"

#include <stdlib.h>

#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/prior.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

/* What a copy takes beside its instruction, in additions: itself; so many bytes of it, or a reduced byte. */
enum { COST = 500, BYTES = 16, COST_REDUCED = 2 };

/* A thread's groups of each kind: the number of the one that collects now. */
struct emu_groups {
    uint64_t open[EMU_GROUPS];
};

static void free_flight(struct emu_flight *f)
{
    if (f)
        free(f->bytes);
    free(f);
}

void emu_async_begin(struct emu_cluster *c)
{
    struct emu_flights *f = calloc(1, sizeof *f);

    if (f)
        f->last = &f->first;
    c->flights = f;
}

void emu_async_free(struct emu_cluster *c)
{
    struct emu_flights *list = emu_flights_of(c);

    while (list && list->first) {
        struct emu_flight *f = list->first;
        list->first = f->next;
        free_flight(f);
    }
    if (list)
        free_flight(list->spare);
    if (list)
        free(list->maps);
    free(list);
    c->flights = NULL;
    for (uint32_t i = 0; i < c->cta_count; i++)
        emu_mbarriers_free(&c->ctas[i]);
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; c->ctas[i].extras && k < c->ctas[i].thread_count; k++)
            free(c->ctas[i].threads[k].groups);
}

struct emu_flight *emu_fly(struct emu_thread *t, const struct emu_op *op, enum emu_flight_kind kind)
{
    struct emu_flights *list = emu_flights_of(t->cta->cluster);
    struct emu_flight *f = list ? list->spare : NULL;

    if (f)
        list->spare = NULL;
    else if (list)
        f = calloc(1, sizeof *f);
    if (!f)
        emu_starve(t, "a copy in flight");
    *f = (struct emu_flight){ .kind = kind, .thread = t, .at = op->source, .bytes = f->bytes, .room = f->room };
    f->here = list->last;
    *list->last = f;
    list->last = &f->next;
    list->n++;
    emu_act(t, t->cta);
    return f;
}

void emu_flight_hold(struct emu_flight *f, uint64_t n)
{
    if (n <= f->room && f->bytes)
        return;
    free(f->bytes);
    f->bytes = malloc(n ? n : 1);
    f->room = n;
    if (!f->bytes)
        emu_starve(f->thread, "a copy");
}

void emu_flight_issued(struct emu_flight *f)
{
    const struct emu_watch *watch = emu_watch_of(f->thread);

    /* A copy may read as soon as it is issued, whenever it does here. */
    if (emu_machine_of(f->thread)->prior && (f->kind == EMU_COPY || f->kind == EMU_REDUCE) && !f->from_cta)
        emu_prior_read(f->thread, f->from, f->size);
    emu_run_of(f->thread)->heavy += COST + (f->kind == EMU_REDUCE ? COST_REDUCED * f->size : f->size / BYTES);
    if (watch)
        watch->copy_issued(f->thread, f);
}

void emu_flight_end(struct emu_flight *f)
{
    struct emu_flights *list = emu_flights_of(f->thread->cta->cluster);

    list->n--;
    *f->here = f->next;
    if (f->next)
        f->next->here = f->here;
    else
        list->last = f->here;
    free_flight(list->spare);
    list->spare = f;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static struct emu_groups *groups_of(struct emu_thread *t)
{
    if (!t->groups)
        t->groups = calloc(1, sizeof *t->groups);
    t->cta->extras = true;
    if (!t->groups)
        emu_starve(t, "a thread's groups");
    return t->groups;
}

uint64_t emu_groups_open(struct emu_thread *t, enum emu_group kind)
{
    return groups_of(t)->open[kind];
}

void emu_groups_commit(struct emu_thread *t, enum emu_group kind)
{
    groups_of(t)->open[kind]++;
}
// SPDX-License-Identifier: Apache-2.0
