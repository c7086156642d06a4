/* The list of a cluster's copies in flight, and the groups of its threads. */
#include "harness/emu/copies/flight.h"

#include <stdlib.h>

#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/watch.h"

/* A thread's groups of each kind: the number of the one that collects now. */
struct emu_groups {
    uint64_t open[3]; /* by enum emu_group */
};

void emu_async_begin(struct emu_cluster *c)
{
    struct emu_flights *f = calloc(1, sizeof *f);

    if (f)
        f->last = &f->first;
    c->async = f;
}

void emu_async_free(struct emu_cluster *c)
{
    struct emu_flights *list = emu_flights_of(c);

    while (list && list->first) {
        struct emu_flight *f = list->first;
        list->first = f->next;
        free(f->bytes);
        free(f);
    }
    free(list);
    c->async = NULL;
    for (uint32_t i = 0; i < c->cta_count; i++)
        emu_mbarriers_free(&c->ctas[i]);
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; c->ctas[i].threads && k < c->ctas[i].thread_count; k++)
            free(c->ctas[i].threads[k].async);
}

struct emu_flight *emu_fly(struct emu_thread *t, const struct emu_op *op, enum emu_flight_kind kind)
{
    struct emu_flights *list = emu_flights_of(t->cta->cluster);
    struct emu_flight *f = list ? calloc(1, sizeof *f) : NULL;

    if (!f)
        emu_bad_access(t, NULL, 0, 0, "out of memory for a copy in flight");
    f->kind = kind;
    f->thread = t;
    f->at = op->source;
    *list->last = f;
    list->last = &f->next;
    return f;
}

void emu_flight_issued(struct emu_flight *f)
{
    const struct emu_watch *watch = emu_watch_of(f->thread);

    if (watch)
        watch->copy_issued(f->thread, f);
}

void emu_flight_end(struct emu_flight *f)
{
    struct emu_flights *list = emu_flights_of(f->thread->cta->cluster);
    struct emu_flight **p = &list->first;

    while (*p && *p != f)
        p = &(*p)->next;
    if (*p) {
        *p = f->next;
        if (list->last == &f->next)
            list->last = p;
    }
    free(f->bytes);
    free(f);
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static struct emu_groups *groups_of(struct emu_thread *t)
{
    if (!t->async)
        t->async = calloc(1, sizeof(struct emu_groups));
    if (!t->async)
        emu_bad_access(t, NULL, 0, 0, "out of memory for a thread's groups");
    return t->async;
}

uint64_t emu_groups_open(struct emu_thread *t, enum emu_group kind)
{
    return groups_of(t)->open[kind];
}

void emu_groups_commit(struct emu_thread *t, enum emu_group kind)
{
    groups_of(t)->open[kind]++;
}
