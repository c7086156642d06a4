/* The clusters of a grid on several host threads, with the result of one.
 *
 * Clusters that have nothing to do with one another may run in any order. Whether they do is seen while they run: each
 * four bytes of global memory belong to the cluster that writes them first, or to those that only read them; a cluster
 * that finds bytes taken (an atomic counts as a write) gives the whole run up, before it accesses them. So does one
 * that waits for what only another cluster or time can bring, that faults, comes upon a limit, or calls what belongs to
 * the machine. What was written is put back then, and the clusters run by turns in step.c, which defines the result.
 *
 * No two host threads ever access the same bytes unless all read, so that marks need no order among them. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/inside.h"

/* A mark: 0 untouched, READ by several clusters, else number of the cluster plus 1, WRITTEN or only read. */
#define WRITTEN 0x80000000u
#define SHARED  0x7fffffffu

enum { HOST_THREADS = 256 };

/* Bytes before they were first written. */
struct undo {
    unsigned char *at;
    uint32_t bytes;
};

struct spread {
    struct emu_image *image;
    const struct emu_code *code;
    uint64_t total, most_instructions, share;
    _Atomic uint64_t next, executed;
    atomic_bool given_up;
};

struct emu_worker {
    struct spread *spread;
    struct emu_grid grid; /* its own, for what a cluster knows of others: nothing */
    struct emu_report report;
    struct undo *undo;
    size_t undo_count, undo_room;
};

void emu_alone(struct emu_thread *t)
{
    struct emu_run *run = emu_run_of(t);

    if (!run->worker)
        return;
    atomic_store(&run->worker->spread->given_up, true);
    run->end = EMU_FAULTED; /* for the scheduler: nobody will see it */
    longjmp(t->cta->cluster->fault, 1);
}

static bool keep_bytes(struct emu_worker *w, unsigned char *at)
{
    if (w->undo_count == w->undo_room) {
        const size_t room = w->undo_room ? w->undo_room * 2 : 1024;
        struct undo *more = realloc(w->undo, room * sizeof *more);
        if (!more)
            return false;
        w->undo = more;
        w->undo_room = room;
    }
    w->undo[w->undo_count].at = at;
    memcpy(&w->undo[w->undo_count++].bytes, at, sizeof(uint32_t));
    return true;
}

/* True if the bytes of a mark may be accessed. */
static bool claim(struct emu_run *run, emu_claim *mark, unsigned char *bytes, bool writes)
{
    uint32_t now = atomic_load_explicit(mark, memory_order_relaxed);

    for (;;) {
        uint32_t then;
        if (now == run->claim_written || (!writes && (now == run->claim_read || now == SHARED)))
            return true;
        if (writes)
            then = now == 0 || now == run->claim_read ? run->claim_written : 0;
        else
            then = now == 0 ? run->claim_read : now & WRITTEN ? 0 : SHARED;
        if (!then)
            return false;
        if (atomic_compare_exchange_weak_explicit(mark, &now, then, memory_order_relaxed, memory_order_relaxed))
            return !writes || keep_bytes(run->worker, bytes);
    }
}

void emu_claim_bytes(struct emu_thread *t, struct emu_region *r, uint64_t address, uint64_t n, bool writes)
{
    struct emu_run *run = emu_run_of(t);
    const uint64_t first = (address - r->at) / 4, last = (address - r->at + n - 1) / 4;

    if (!r->claims)
        emu_alone(t);
    for (uint64_t k = first; n && k <= last; k++)
        if (!claim(run, &r->claims[k], r->bytes + k * 4, writes))
            emu_alone(t);
}

/* Runs a cluster; false where the run is to be given up. */
static bool run_cluster(struct emu_worker *w, uint64_t number)
{
    struct spread *s = w->spread;
    struct emu_cluster cluster;
    struct emu_run run;
    bool fine;

    emu_reserve_share(s->share);
    emu_order_grid_begin(&w->grid);
    fine = emu_cluster_begin(&w->grid, s->image, s->code, number, &cluster, &run);
    run.worker = w;
    run.claim_read = (uint32_t)number + 1;
    run.claim_written = run.claim_read | WRITTEN;
    while (fine && cluster.live && run.end == EMU_DONE) {
        const uint64_t before = w->grid.executed;
        fine = emu_cluster_round(&cluster, &run) == EMU_HELPED && run.end == EMU_DONE &&
               !atomic_load_explicit(&s->given_up, memory_order_relaxed);
        fine = atomic_fetch_add(&s->executed, w->grid.executed - before) + w->grid.executed - before <=
                   s->most_instructions &&
               fine;
    }
    if (!fine && run.end == EMU_DONE)
        run.end = EMU_FAULTED;
    emu_cluster_finish(&cluster, &run, &w->report);
    emu_order_grid_end(&w->grid);
    emu_reserve_share(0);
    return fine && run.end == EMU_DONE;
}

static void *work(void *context)
{
    struct emu_worker *w = context;
    struct spread *s = w->spread;
    uint64_t number;

    while (!atomic_load(&s->given_up) && (number = atomic_fetch_add(&s->next, 1)) < s->total)
        if (!run_cluster(w, number))
            atomic_store(&s->given_up, true);
    return NULL;
}

static bool make_marks(struct emu *e)
{
    bool fine = true;

    for (size_t i = 0; i < e->region_count && fine; i++)
        if (!e->regions[i].heap)
            fine = (e->regions[i].claims = calloc(e->regions[i].size / 4 + 1, sizeof(emu_claim))) != NULL;
    return fine;
}

static void free_marks(struct emu *e)
{
    for (size_t i = 0; i < e->region_count; i++) {
        free((void *)e->regions[i].claims);
        e->regions[i].claims = NULL;
    }
}

static void put_back(const struct emu_worker *w)
{
    for (size_t i = w->undo_count; i-- > 0;)
        memcpy(w->undo[i].at, &w->undo[i].bytes, sizeof w->undo[i].bytes);
}

/* Runs the workers, this host thread among them. */
static void run_workers(struct emu_worker *workers, unsigned count)
{
    pthread_t threads[HOST_THREADS];
    unsigned started = 1;

    for (; started < count; started++)
        if (pthread_create(&threads[started], NULL, work, &workers[started]))
            break; /* fewer do it too */
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
    const uint32_t size = g->cluster_dim[0] * g->cluster_dim[1] * g->cluster_dim[2];
    const uint64_t most = size < EMU_RESIDENT_CTAS ? EMU_RESIDENT_CTAS / (size ? size : 1) : 1;
    const uint64_t resident = total < most ? total : most;
    struct spread s = { .image = image, .code = code, .total = total };
    struct emu_worker *workers = NULL;
    bool fine;

    /* As much as each cluster is sure of where many are resident together. */
    s.share = resident ? (e->options.max_memory - e->memory) / resident : 0;
    s.most_instructions = emu_instruction_limit(&e->options);
    if (total >= SHARED - 1 || !s.share || e->memory > e->options.max_memory / 2) /* marks take as much as memory */
        return false;
    fine = make_marks(e) && (workers = calloc(count, sizeof *workers)) != NULL;
    for (unsigned i = 0; i < count && fine; i++) {
        workers[i].spread = &s;
        workers[i].grid = *g;
    }
    if (fine)
        run_workers(workers, count);
    fine = fine && !atomic_load(&s.given_up);
    for (unsigned i = 0; i < count && workers; i++) {
        if (!fine)
            put_back(&workers[i]);
        report->instructions += fine ? workers[i].report.instructions : 0;
        free(workers[i].undo);
    }
    free(workers);
    free_marks(e);
    if (fine)
        report->jobs = count;
    else
        e->findings.count = 0;
    return fine;
}
