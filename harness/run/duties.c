/* What a worker of a run does with its jobs: it opens their engine, once, and runs the points. */
#include "harness/run/duties.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/records/tally.h"

enum {
    MANY = 1000,     /* jobs of an engine from which on it prepares all that a run may need */
    FIRST_MS = 2000, /* that other contexts wait for the one of the first launches, at most */
};

/* What a worker holds, or a thread of one. */
static _Thread_local struct hold {
    struct ck_engine engine;
    unsigned number; /* of the engine */
    bool begun;      /* it has had a task */
    bool tried;      /* to open it */
    bool open;
    struct ck_outcome opened;
} hold;

static void add_cost(struct run_cost *c, bool opened)
{
    atomic_fetch_add(&c->context, ck_engine_cost.context);
    atomic_fetch_add(&c->load, ck_engine_cost.load);
    atomic_fetch_add(&c->compile, ck_engine_cost.compile);
    atomic_fetch_add(&c->copy, ck_engine_cost.copy);
    atomic_fetch_add(&c->launch, ck_engine_cost.launch);
    atomic_fetch_add(&c->launches, ck_engine_cost.launches);
    atomic_fetch_add(&c->contexts, opened && ck_engine_cost.context ? 1 : 0);
}

/* A compiler ends at its own deadline first, which is longer than a launch's. */
static unsigned deadline_of(const struct ck_run *run, const struct ck_point *p)
{
    enum { COMPILER_MS = 65000 };
    const bool compiler = ck_case_compiles(p->c) && !p->c->assemble;

    return compiler && run->deadline_ms < COMPILER_MS ? COMPILER_MS : run->deadline_ms;
}

/* Runs a point as often as asked; the result is the first that is not like the first run's, or the last. */
static void run_repeated(const struct ck_run *run, const struct ck_point *p, struct ck_engine *e,
                         const struct ck_outcome *known, struct ck_slot *r, struct ck_seat *seat)
{
    const unsigned deadline = deadline_of(run, p);
    int first;
    unsigned k;

    ck_seat_limit(seat, deadline);
    ck_point_run(p, e, run->seed, known, r);
    first = r->verdict;
    for (k = 1; k < run->repeat && !r->lost && !r->starved && r->verdict == first; k++) {
        ck_seat_limit(seat, deadline); /* each run has its own deadline */
        ck_point_run(p, e, run->seed, known, r);
    }
    r->runs = k;
    r->same = k;
    if (r->verdict != first) {
        ck_append(r->detail, sizeof r->detail, "%sunstable  %s in run %u of %u, %s before", r->detail[0] ? "\n" : "",
                  ck_verdict_names[r->verdict], k, run->repeat, ck_verdict_names[first]);
        r->same = 1;
        if (r->verdict == CK_V_PASS || r->verdict == CK_V_KILLED) {
            r->verdict = first;
            r->same = k - 1;
        }
    }
}

bool duty_is_first(const struct run_state *s, size_t number)
{
    return number < s->plan.count && ck_run_has_device(s->run) && s->plan.jobs[number].line == 0;
}

/* A driver makes the contexts of all processes in turn: twenty take a second. The run waits for that of the first
 * launches, so it is made first. */
static void let_first(struct run_shared *shared)
{
    const struct timespec nap = { .tv_nsec = 1000000 };

    for (int i = 0; i < FIRST_MS && !atomic_load(&shared->first_open); i++)
        nanosleep(&nap, NULL);
}

/* Opens the engine of the worker's first job; jobs of one worker are all of one engine. */
static void open_engine(struct run_state *s, unsigned number, size_t task, struct ck_seat *seat)
{
    const bool first = duty_is_first(s, task);

    if (hold.tried)
        return;
    hold.number = number;
    hold.engine = s->run->engines[number];
    hold.engine.device = ck_job_device(s->run, task < s->plan.count ? &s->plan.jobs[task] : NULL, ck_seat_place(seat));
    hold.tried = true;
    memset(&ck_engine_cost, 0, sizeof ck_engine_cost);
    ck_seat_limit(seat, DUTY_OPEN_MS);
    if (hold.engine.ops->one && !first)
        let_first(s->shared);
    hold.open = hold.engine.ops->open(&hold.engine, &hold.opened);
    if (first)
        atomic_store(&s->shared->first_open, true);
}

/* Opens the engine of the task, unless it has been tried; whether it is open. */
static bool has_engine(struct run_state *s, unsigned engine, size_t task, struct ck_seat *seat)
{
    const bool first = !hold.tried;

    open_engine(s, engine, task, seat);
    if (first && hold.open && hold.engine.ops->prepare && s->plan.queues[engine].count >= MANY)
        hold.engine.ops->prepare(&hold.engine);
    return hold.open;
}

static void work_batch(struct run_state *s, size_t number, struct ck_seat *seat)
{
    if (has_engine(s, s->batches.all[number].engine, s->plan.count + number, seat))
        ck_batch_ask(&s->batches, &s->plan, number, &hold.engine, seat, s->run->deadline_ms);
}

/* Where launches on a device go on, one after the other, the run waits for them and not for a processor: workers with
 * anything else give way to theirs. */
static void give_way(struct run_state *s, size_t number)
{
    enum { NICE = 19 };
    const struct job *job = number < s->plan.count ? &s->plan.jobs[number] : NULL;

    if (hold.begun)
        return;
    hold.begun = true;
    if (ck_run_has_device(s->run) && (!job || job->point->c->assemble || !s->run->engines[job->engine].ops->one))
        setpriority(PRIO_PROCESS, 0, NICE);
}

bool duty_work(void *context, struct ck_seat *seat, size_t number)
{
    static struct ck_slot nobodys; /* of a trial, which has one thread */
    struct run_state *s = context;
    struct ck_slot *r = s->trial ? &nobodys : &s->shared->results[number];

    give_way(s, number);
    if (number >= s->plan.count) {
        work_batch(s, number - s->plan.count, seat);
        return true;
    }
    const struct job *job = &s->plan.jobs[number];
    const struct ck_outcome *known = ck_batch_known(&s->batches, number);
    struct ck_engine closed = s->run->engines[job->engine]; /* enough for what is known */
    r->worker = getpid();
    r->device = ck_job_device(s->run, job, ck_seat_place(seat));
    if (!known && !has_engine(s, job->engine, number, seat)) {
        r->verdict = hold.opened.kind == CK_O_MEMORY ? CK_V_BROKEN : CK_V_SKIP;
        r->outcome = (int)hold.opened.kind;
        r->starved = hold.opened.kind == CK_O_MEMORY && !hold.engine.ops->one;
        snprintf(r->detail, sizeof r->detail, "%s", hold.opened.message);
        return true;
    }
    run_repeated(s->run, job->point, known ? &closed : &hold.engine, known, r, seat);
    if (r->lost)
        add_cost(&s->shared->costs[hold.number], true);
    return !r->lost;
}

/* Makes the context of launches that are not to begin yet, and compiles nothing: they would wait for that. */
void duty_ready(void *context, struct ck_seat *seat, size_t number)
{
    struct run_state *s = context;

    give_way(s, number);
    open_engine(s, s->plan.jobs[number].engine, number, seat);
}

void duty_leave(void *context)
{
    struct run_state *s = context;

    if (!hold.tried)
        return;
    add_cost(&s->shared->costs[hold.number], hold.open);
    if (hold.engine.ops->close)
        hold.engine.ops->close(&hold.engine);
}
// SPDX-License-Identifier: Apache-2.0
