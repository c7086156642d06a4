/* The clusters of a grid ahead of their turns, on several host threads, with the result of turns on one.
 *
 * grid.c defines what a launch does: clusters take turns, a round each. What a cluster does in a round depends on
 * others only where they meet in global memory, so its rounds may be run before their turns come: on other host
 * threads, and many at a stretch, which is quicker than by turns. grid.c then takes round after round, in the order of
 * turns, of what has been run. A cluster that comes to an atomic whose order counts is parked; it goes on when grid.c
 * wants that very round, so that these atomics happen in the order of turns whatever the number of host threads.
 *
 * Whether clusters depend on one another in other ways shows while they run: one that is about to access bytes that
 * another has accessed, and one of them writes, gives the whole run up (machine/claims.c). So does one that waits for
 * something that only another cluster or time can bring, that faults, reaches a limit, or calls a function that
 * concerns the machine as a whole. Then all bytes written are put back, and the clusters run by turns. */
#include "harness/emu/schedule/spread.h"

#include <stdlib.h>

#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/code.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/spare.h"
#include "harness/emu/machine/written.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/schedule/cluster.h"
#include "harness/emu/schedule/idle.h"

enum { HOST_THREADS = 256 };

/* Instructions that a cluster runs ahead at a stretch, at least: then it may be another one's turn, since this one may
 * spin until that one has come. */
enum { STRETCH = 1 << 20 };

/* So many clusters more than there are host threads are begun and run beside each other while none of them ends: those
 * that wait for a neighbour soon meet it, and the first end before many have begun. */
enum { BESIDE = 3 };

/* A grid of no more threads is as quick by turns on one host thread: what its clusters touch stays in the caches. And
 * it is not run twice where its clusters depend on one another. With the light judge that is so where a thread does
 * little. And so it is with several where all threads together do less than it takes to make a host thread. */
enum { FEW_THREADS = 1024, FEW_INSTRUCTIONS = 1 << 15 };

struct emu_ahead {
    struct emu_ahead *next, **here; /* in the order of numbers; here: what points to this one */
    struct emu_grid grid;           /* a copy of its own: the cluster knows nothing of others */
    struct emu_cluster cluster;
    struct emu_run run;
    struct emu_report report;
    uint64_t number, reserved; /* reserved: bytes of its share */
    uint64_t rounds;           /* that have been run */
    bool begun, parked, ended;
    /* With the lock: */
    bool busy; /* a host thread runs it now: what stands above is that one's */
    uint64_t made,
        taken; /* rounds that have been run, as of when it was not busy; of them those that grid.c has taken */
    bool over; /* all have been taken, and there are no more */
};

/* A host thread. */
struct worker {
    struct emu_claimer claimer;
    struct emu_spare *spare, own; /* the first one's is that of the grid */
    struct emu_spread *spread;
    pthread_t thread;
};

struct emu_spread {
    struct emu_grid *grid;
    struct emu_image *image;
    const struct emu_code *code;
    uint64_t total, resident, share, most_instructions;
    _Atomic uint64_t executed;
    atomic_bool given_up, atomics, doubted;
    bool light;                     /* the light judge watches */
    pthread_mutex_t lock;           /* of all that follows, but for the cluster that a host thread is busy with */
    pthread_cond_t news;            /* a cluster is no longer busy, or everything is over */
    size_t findings;                /* of the launch, that were there before: of the grid that launched this one, say */
    struct emu_written_mark values; /* the same of what it has written */
    struct emu_ahead *first, **last, *handed; /* handed: the first one that is not resident yet */
    struct emu_ahead *open;                   /* those before it have ended */
    uint64_t made, alive, wanted; /* clusters that exist; of them those that have not ended; that became resident */
    bool over;
    struct worker *workers; /* this host thread is the first */
    unsigned count, beside; /* host threads; clusters that run beside each other */
};

/* ---- one cluster ------------------------------------------------------------------------------------------------ */

static void begin(struct emu_spread *s, struct emu_ahead *a, struct emu_spare *spare)
{
    a->grid = *s->grid;
    a->grid.spare = spare;
    if (s->light)
        a->grid.watch = a->grid.light;
    if (a->grid.watch)
        a->grid.watch->grid_begin(&a->grid);
    a->begun = true;
    if (!emu_cluster_begin(&a->grid, s->image, s->code, a->number, &a->cluster, &a->run))
        a->run.end = EMU_NO_MEMORY;
}

static void finish(struct emu_ahead *a)
{
    emu_cluster_finish(&a->cluster, &a->run, &a->report);
    if (a->grid.watch)
        a->grid.watch->grid_end(&a->grid);
    a->ended = true;
}

/* A round, up to its end or to where the cluster is parked; false where the whole run is to be given up. */
static bool round_of(struct emu_spread *s, struct emu_ahead *a)
{
    const uint64_t before = a->grid.executed;
    const bool helped = emu_cluster_round(&a->cluster, &a->run) == EMU_HELPED;
    const uint64_t more = a->grid.executed - before, all = atomic_fetch_add(&s->executed, more) + more;

    a->parked = emu_parked(&a->run);
    a->rounds += !a->parked;
    return helped && a->run.end == EMU_DONE && all <= s->most_instructions;
}

/* Runs a cluster that is not busy with others; as one of the resident ones whose turn it is, where it is granted. */
static void run_ahead(struct worker *w, struct emu_ahead *a, bool granted)
{
    struct emu_spread *s = w->spread;
    uint64_t most;
    bool fine = true;

    emu_reserve_share(s->share, a->reserved);
    if (!a->begun)
        begin(s, a, w->spare);
    a->grid.spare = w->spare;
    emu_claims_begin(&a->run, &w->claimer, a->number);
    a->run.granted = granted;
    most = a->run.instructions + (a->run.instructions > STRETCH ? a->run.instructions : STRETCH);
    if (granted)
        fine = round_of(s, a);
    a->run.granted = false;
    while (fine && a->run.end == EMU_DONE && a->cluster.live && !a->parked && a->run.instructions < most &&
           !atomic_load_explicit(&s->given_up, memory_order_relaxed))
        fine = round_of(s, a);
    if (fine && a->run.end == EMU_DONE && !a->cluster.live)
        finish(a);
    if (!fine || a->run.end != EMU_DONE)
        atomic_store(&s->given_up, true);
    a->reserved = emu_reserved();
    emu_reserve_share(0, 0);
}

/* ---- which one -------------------------------------------------------------------------------------------------- */

static struct emu_ahead *make(struct emu_spread *s)
{
    struct emu_ahead *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->number = s->made;
    s->made++;
    s->alive++;
    a->here = s->last;
    *s->last = a;
    s->last = &a->next;
    if (!s->handed)
        s->handed = a;
    if (!s->open)
        s->open = a;
    return a;
}

/* The cluster to run ahead: of the first that can go on by themselves the one that has run least, or else a new one, as
 * long as no more exist than would by turns. NULL: none. With the lock. */
static struct emu_ahead *choose(struct emu_spread *s)
{
    struct emu_ahead *best = NULL;
    unsigned beside = 0;

    while (s->open && !s->open->busy && s->open->ended)
        s->open = s->open->next;
    for (struct emu_ahead *a = s->open; a && beside < s->beside; a = a->next) {
        beside += a->busy || (!a->parked && !a->ended);
        if (!a->busy && !a->parked && !a->ended && (!best || a->run.instructions < best->run.instructions))
            best = a;
    }
    if ((!best || best->run.instructions >= STRETCH) && beside < s->beside && s->made < s->total &&
        s->alive < s->resident && s->made < s->wanted + s->resident) {
        struct emu_ahead *more = make(s);
        return more ? more : best;
    }
    return best;
}

/* With the lock, which is free while the cluster runs. */
static void run_one(struct worker *w, struct emu_ahead *a, bool granted)
{
    struct emu_spread *s = w->spread;

    a->busy = true;
    pthread_mutex_unlock(&s->lock);
    run_ahead(w, a, granted);
    pthread_mutex_lock(&s->lock);
    a->busy = false;
    a->made = a->rounds;
    s->alive -= a->ended;
    pthread_cond_broadcast(&s->news);
}

static void *work(void *context)
{
    struct worker *w = context;
    struct emu_spread *s = w->spread;

    pthread_mutex_lock(&s->lock);
    while (!s->over && !atomic_load(&s->given_up)) {
        struct emu_ahead *a = choose(s);
        if (a)
            run_one(w, a, false);
        else
            pthread_cond_wait(&s->news, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- for grid.c ------------------------------------------------------------------------------------------------- */

static bool is_small(const struct emu_grid *g, const struct emu_code *code, unsigned jobs, bool light)
{
    uint64_t threads = 1;

    for (int i = 0; i < 3 && threads <= FEW_THREADS; i++)
        threads *= (uint64_t)g->dim[i] * g->block[i];
    if (threads > FEW_THREADS)
        return false;
    if (!emu_code_is_straight(code))
        return jobs == 1 && !light;
    return jobs == 1 || threads * code->function->n_instructions <= FEW_INSTRUCTIONS;
}

struct emu_spread *emu_spread_begin(struct emu_grid *g, struct emu_image *image, const struct emu_code *code,
                                    uint64_t total, uint64_t resident, bool light)
{
    struct emu *e = g->machine;
    const unsigned jobs = e->options.jobs < HOST_THREADS ? e->options.jobs : HOST_THREADS;
    const unsigned count = total < jobs ? (unsigned)total : jobs;
    struct emu_spread *s;

    /* Claims take as much host memory as the memory that they are of. One who wants all events in the order of turns
     * gets them so. */
    if (is_small(g, code, count, light) || total > EMU_CLAIM_CLUSTERS || e->memory > e->options.max_memory / 2 ||
        e->options.watch || e->options.by_turns)
        return NULL;
    s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct emu_spread){ .grid = g,
                              .image = image,
                              .code = code,
                              .total = total,
                              .light = light,
                              .findings = e->findings.count,
                              .values = emu_written_mark(e),
                              .last = &s->first };
    s->resident = total < resident ? total : resident;
    /* Bytes that each cluster is sure to get where as many are resident together as may be. */
    s->share = (e->options.max_memory - e->memory) / s->resident;
    s->most_instructions = e->options.max_instructions;
    s->workers = calloc(count, sizeof *s->workers);
    if (!s->workers || !s->share || !emu_claims_make(e)) {
        emu_claims_free(e);
        free(s->workers);
        free(s);
        return NULL;
    }
    s->beside = count + BESIDE;
    g->idle->ahead = count;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->news, NULL);
    for (unsigned i = 0; i < count; i++) {
        s->workers[i].spread = s;
        s->workers[i].spare = i ? &s->workers[i].own : g->spare;
        s->workers[i].claimer.given_up = &s->given_up;
        s->workers[i].claimer.atomics = &s->atomics;
        s->workers[i].claimer.doubted = &s->doubted;
    }
    for (s->count = 1; s->count < count; s->count++)
        if (pthread_create(&s->workers[s->count].thread, NULL, work, &s->workers[s->count]))
            break; /* fewer will do */
    return s;
}

struct emu_ahead *emu_spread_next(struct emu_spread *s)
{
    struct emu_ahead *a;

    pthread_mutex_lock(&s->lock);
    a = s->handed ? s->handed : make(s);
    if (a) {
        s->handed = a->next;
        s->wanted++;
        pthread_cond_broadcast(&s->news);
    }
    pthread_mutex_unlock(&s->lock);
    return a;
}

bool emu_spread_round(struct emu_spread *s, struct emu_ahead *a)
{
    pthread_mutex_lock(&s->lock);
    while (a->made == a->taken && !atomic_load(&s->given_up)) {
        const bool parked = !a->busy && a->parked;
        struct emu_ahead *next = parked ? a : choose(s);
        if (next)
            run_one(&s->workers[0], next, parked);
        else
            pthread_cond_wait(&s->news, &s->lock);
    }
    a->taken++;
    a->over = !a->busy && a->ended && a->taken == a->made;
    pthread_mutex_unlock(&s->lock);
    return !atomic_load(&s->given_up);
}

bool emu_spread_over(const struct emu_ahead *a)
{
    return a->over;
}

static void unlink_ahead(struct emu_spread *s, const struct emu_ahead *a)
{
    *a->here = a->next;
    if (a->next)
        a->next->here = a->here;
    else
        s->last = a->here;
    if (s->open == a)
        s->open = a->next;
}

void emu_spread_drop(struct emu_spread *s, struct emu_ahead *a, struct emu_report *report)
{
    pthread_mutex_lock(&s->lock);
    unlink_ahead(s, a);
    pthread_mutex_unlock(&s->lock);
    report->instructions += a->report.instructions;
    free(a);
}

bool emu_spread_end(struct emu_spread *s, struct emu_report *report, bool *doubted)
{
    struct emu *e = s->grid->machine;
    bool fine;

    pthread_mutex_lock(&s->lock);
    s->over = true;
    pthread_cond_broadcast(&s->news);
    pthread_mutex_unlock(&s->lock);
    for (unsigned i = 1; i < s->count; i++)
        pthread_join(s->workers[i].thread, NULL);
    /* What an atomic tells one cluster of another is not in the judge's clocks here: turns decide. */
    fine = !atomic_load(&s->given_up) && !s->first && !(atomic_load(&s->atomics) && e->findings.count > s->findings);
    *doubted = s->light && (atomic_load(&s->doubted) || e->findings.count > s->findings);
    fine &= !*doubted;
    while (s->first) {
        struct emu_ahead *a = s->first;
        s->first = a->next;
        emu_reserve_share(s->share, a->reserved);
        a->run.end = EMU_FAULTED; /* nobody will see it */
        a->grid.spare = s->grid->spare;
        if (a->begun && !a->ended)
            finish(a);
        emu_reserve_share(0, 0);
        free(a);
    }
    for (unsigned i = 0; i < s->count; i++) {
        if (!fine)
            emu_claimer_put_back(&s->workers[i].claimer);
        emu_claimer_free(&s->workers[i].claimer);
        emu_spare_free(&s->workers[i].own);
    }
    if (fine)
        report->jobs = s->count;
    if (!fine) {
        e->findings.count = s->findings;
        emu_written_back(e, s->values);
    }
    emu_claims_free(e);
    pthread_cond_destroy(&s->news);
    pthread_mutex_destroy(&s->lock);
    free(s->workers);
    free(s);
    return fine;
}
// SPDX-License-Identifier: Apache-2.0
