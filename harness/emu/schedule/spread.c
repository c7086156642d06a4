/* The clusters of a grid on several host threads, with the result of one.
 *
 * Clusters that do not depend on one another may run in any order. Whether they do shows while they run: a cluster that
 * is about to access bytes that another one has accessed, and one of them writes, gives the whole run up
 * (machine/claims.c). So does one that waits for something that only another cluster or time can bring, that faults,
 * reaches a limit, or calls a function that concerns the machine as a whole. Then all bytes written are put back, and
 * the clusters run by turns in grid.c, which defines the result. */
#include "harness/emu/schedule/spread.h"

#include <stdlib.h>

#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/schedule/cluster.h"

enum { HOST_THREADS = 256 };

struct spread {
    struct emu_image *image;
    const struct emu_code *code;
    uint64_t total, most_instructions, share;
    _Atomic uint64_t next, executed;
    atomic_bool given_up;
};

/* A host thread. */
struct worker {
    struct emu_claimer claimer;
    struct spread *spread;
    struct emu_grid grid; /* a copy of its own: its clusters know nothing of others */
    struct emu_report report;
};

/* Runs a cluster; false where the run is to be given up. */
static bool run_cluster(struct worker *w, uint64_t number)
{
    struct spread *s = w->spread;
    struct emu_cluster cluster;
    struct emu_run run;
    bool fine;

    emu_reserve_share(s->share);
    if (w->grid.watch)
        w->grid.watch->grid_begin(&w->grid);
    fine = emu_cluster_begin(&w->grid, s->image, s->code, number, &cluster, &run);
    emu_claims_begin(&run, &w->claimer, number);
    while (fine && cluster.live && run.end == EMU_DONE) {
        const uint64_t before = w->grid.executed;
        const bool helped = emu_cluster_round(&cluster, &run) == EMU_HELPED;
        const uint64_t more = w->grid.executed - before, all = atomic_fetch_add(&s->executed, more) + more;
        fine = helped && run.end == EMU_DONE && all <= s->most_instructions &&
               !atomic_load_explicit(&s->given_up, memory_order_relaxed);
    }
    if (!fine && run.end == EMU_DONE)
        run.end = EMU_FAULTED;
    emu_cluster_finish(&cluster, &run, &w->report);
    if (w->grid.watch)
        w->grid.watch->grid_end(&w->grid);
    emu_reserve_share(0);
    return fine && run.end == EMU_DONE;
}

static void *work(void *context)
{
    struct worker *w = context;
    struct spread *s = w->spread;

    while (!atomic_load(&s->given_up)) {
        const uint64_t number = atomic_fetch_add(&s->next, 1);
        if (number >= s->total)
            break;
        if (!run_cluster(w, number))
            atomic_store(&s->given_up, true);
    }
    return NULL;
}

/* Runs the workers, this host thread among them. */
static void run_workers(struct worker *workers, unsigned count)
{
    pthread_t threads[HOST_THREADS];
    unsigned started = 1;

    for (; started < count; started++)
        if (pthread_create(&threads[started], NULL, work, &workers[started]))
            break; /* fewer will do */
    work(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
}

bool emu_spread_grid(struct emu_grid *g, struct emu_image *image, const struct emu_code *code, uint64_t total,
                     struct emu_report *report)
{
    struct emu *e = g->machine;
    const unsigned jobs = e->options.jobs < HOST_THREADS ? e->options.jobs : HOST_THREADS;
    const unsigned count = total < jobs ? (unsigned)total : jobs;
    const uint64_t most = emu_resident_clusters(g);
    const uint64_t resident = total < most ? total : most;
    struct spread s = { .image = image, .code = code, .total = total };
    struct worker *workers = NULL;
    bool fine;

    /* Bytes that each cluster is sure to get where as many are resident together as may be. */
    s.share = resident ? (e->options.max_memory - e->memory) / resident : 0;
    s.most_instructions = e->options.max_instructions;
    /* Claims take as much host memory as the memory that they are of. */
    if (total > EMU_CLAIM_CLUSTERS || !s.share || e->memory > e->options.max_memory / 2)
        return false;
    if (emu_claims_make(e))
        workers = calloc(count, sizeof *workers);
    fine = workers != NULL;
    for (unsigned i = 0; i < count && fine; i++) {
        workers[i].spread = &s;
        workers[i].claimer.given_up = &s.given_up;
        workers[i].grid = *g;
    }
    if (fine)
        run_workers(workers, count);
    fine = fine && !atomic_load(&s.given_up);
    for (unsigned i = 0; i < count && workers; i++) {
        if (!fine)
            emu_claimer_put_back(&workers[i].claimer);
        report->instructions += fine ? workers[i].report.instructions : 0;
        emu_claimer_free(&workers[i].claimer);
    }
    free(workers);
    emu_claims_free(e);
    if (fine)
        report->jobs = count;
    else
        e->findings.count = 0;
    return fine;
}
