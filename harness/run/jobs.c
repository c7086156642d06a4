/* A run: points on engines, in worker processes (pool.h), records as they end.
 *
 * The parent never touches an engine. A job is a point on an engine; each engine has a line of jobs, which its workers
 * share, and each job leaves its result in shared memory, so that nothing is lost when a worker dies. A fault of the
 * device poisons the whole process: the worker leaves, and a new one goes on where it was. Points that may fault run
 * last, so that none of the others has to be run again: one that does fault is the last of its worker, one that does
 * not has cost no context. Any other point that dies is run again alone; if it lives then, the culprit among its
 * predecessors is found by halving them. */
#include "harness/run/run.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/records/tally.h"
#include "harness/run/lines.h"

enum {
    OPEN_MS = 60000, /* for an engine to open */
    WORKERS = 64,    /* at a time, of all engines together */
    MANY = 1000,     /* jobs of an engine from which on it prepares all that a run may need */
};

/* What an engine's workers spent on what cannot be avoided, in ns, and how often. */
struct counters {
    _Atomic uint64_t context, load, compile, copy, launch, contexts, launches;
};

struct shared {
    struct counters counters[CK_ENGINES];
    struct ck_slot results[];
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

struct state {
    const struct ck_run *run;
    struct ck_pool *pool;
    struct shared *shared;
    size_t shared_size;
    struct queues plan;
    struct batches batches; /* tasks of the pool from plan.count on */
    size_t ended, failed;
    bool gated;      /* run->gated was called, or there was nothing to tell */
    uint64_t digest; /* of the records that were written */
    bool unwritten;
    int unwritten_errno;
};

/* ---- the worker ----------------------------------------------------------------------------------------------- */

static void add_cost(struct counters *c, bool opened)
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
    for (k = 1; k < run->repeat && !r->lost && r->verdict == first; k++) {
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

/* Opens the engine of the worker's first job; jobs of one worker are all of one engine. */
static void open_engine(const struct ck_run *run, unsigned number, struct ck_seat *seat)
{
    if (hold.tried)
        return;
    hold.number = number;
    hold.engine = run->engines[number];
    hold.tried = true;
    memset(&ck_engine_cost, 0, sizeof ck_engine_cost);
    ck_seat_limit(seat, OPEN_MS);
    hold.open = hold.engine.ops->open(&hold.engine, &hold.opened);
}

/* Opens the engine of the task, unless it has been tried; whether it is open. */
static bool has_engine(struct state *s, unsigned engine, struct ck_seat *seat)
{
    const bool first = !hold.tried;

    open_engine(s->run, engine, seat);
    if (first && hold.open && hold.engine.ops->prepare && s->plan.queues[engine].count >= MANY)
        hold.engine.ops->prepare(&hold.engine);
    return hold.open;
}

static void work_batch(struct state *s, size_t number, struct ck_seat *seat)
{
    if (has_engine(s, s->batches.all[number].engine, seat))
        ck_batch_ask(&s->batches, &s->plan, number, &hold.engine, seat, s->run->deadline_ms);
}

/* Where launches on a device go on, one after the other, the run waits for them and not for a processor: workers with
 * anything else give way to theirs. */
static void give_way(struct state *s, size_t number)
{
    enum { NICE = 19 };
    const struct job *job = number < s->plan.count ? &s->plan.jobs[number] : NULL;

    if (hold.begun)
        return;
    hold.begun = true;
    if (ck_run_has_device(s->run) && (!job || job->point->c->assemble || !s->run->engines[job->engine].ops->one))
        setpriority(PRIO_PROCESS, 0, NICE);
}

static bool work(void *context, struct ck_seat *seat, size_t number)
{
    struct state *s = context;
    struct ck_slot *r = &s->shared->results[number];

    give_way(s, number);
    if (number >= s->plan.count) {
        work_batch(s, number - s->plan.count, seat);
        return true;
    }
    const struct job *job = &s->plan.jobs[number];
    const struct ck_outcome *known = ck_batch_known(&s->batches, number);
    struct ck_engine closed = s->run->engines[job->engine]; /* enough for what is known */
    r->worker = getpid();
    if (!known && !has_engine(s, job->engine, seat)) {
        r->verdict = hold.opened.kind == CK_O_MEMORY ? CK_V_BROKEN : CK_V_SKIP;
        r->outcome = (int)hold.opened.kind;
        snprintf(r->detail, sizeof r->detail, "%s", hold.opened.message);
        return true;
    }
    run_repeated(s->run, job->point, known ? &closed : &hold.engine, known, r, seat);
    if (r->lost)
        add_cost(&s->shared->counters[hold.number], true);
    return !r->lost;
}

/* Makes the context of launches that are not to begin yet, and compiles nothing: they would wait for that. */
static void ready(void *context, struct ck_seat *seat, size_t number)
{
    struct state *s = context;

    give_way(s, number);
    open_engine(s->run, s->plan.jobs[number].engine, seat);
}

static void leave(void *context)
{
    struct state *s = context;

    if (!hold.tried)
        return;
    add_cost(&s->shared->counters[hold.number], hold.open);
    if (hold.engine.ops->close)
        hold.engine.ops->close(&hold.engine);
}

/* ---- records -------------------------------------------------------------------------------------------------- */

static void unwritten(struct state *s, int why)
{
    s->unwritten = true;
    s->unwritten_errno = why;
}

static struct ck_record record_of(const struct state *s, size_t number)
{
    const struct job *job = &s->plan.jobs[number];
    const struct ck_point *p = job->point;
    const struct ck_slot *r = &s->shared->results[number];
    const struct ck_engine *e = &s->run->engines[job->engine];
    const bool accepts = ck_case_row(p->c) != NULL;
    const bool observes = p->c->seen_only || p->side == CK_SEEN || (p->variant && !p->mutant);
    return (struct ck_record){
        .point = p->name,
        .rule = p->c->rule->id,
        .family = p->c->rule->family,
        .engine = e->name,
        .phase = ck_point_phase(p),
        .evidence = ck_evidence_name(observes ? CK_OBSERVED : p->c->rule->evidence),
        .verdict = (enum ck_verdict)r->verdict,
        .expected = ck_point_expected(p),
        .outcome = accepts && r->outcome == CK_O_DONE ? "accept" : ck_outcome_names[r->outcome],
        .code = r->code,
        .seen = r->seen,
        .varies = p->variant && p->variant->varies,
        .detail = r->detail,
        .at = p->c->at,
        .digest = r->digest,
        .seed = s->run->seed,
        .runs = s->run->repeat > 1 ? r->runs : 0,
        .same = s->run->repeat > 1 ? r->same : 0,
        .ratio = r->ratio,
        .low = r->low,
        .high = r->high,
        .rounds = r->rounds,
        .ms = r->ms,
    };
}

static void write_record(struct state *s, size_t number)
{
    struct job *job = &s->plan.jobs[number];

    if (job->written)
        return;
    const struct ck_record record = record_of(s, number);
    job->written = true;
    s->ended++;
    if (!s->unwritten && !ck_write_record(s->run->out, &record))
        unwritten(s, errno);
    s->digest += ck_record_digest(&record);
}

/* Several workers of an engine end out of turn: records are written in the order of its queue, whatever --jobs is. A
 * point that is to run again does not hold up the others. */
static void record_due(struct state *s, struct queue *q)
{
    for (; q->recorded < q->count; q->recorded++) {
        const struct job *next = &s->plan.jobs[q->jobs[q->recorded]];
        if (!next->settled && !next->again)
            break;
        if (!next->again)
            write_record(s, q->jobs[q->recorded]);
    }
}

static void record(struct state *s, size_t number)
{
    struct job *job = &s->plan.jobs[number];
    const int verdict = s->shared->results[number].verdict;

    if (!job->settled)
        s->failed += ck_verdict_is_bad((enum ck_verdict)verdict);
    job->settled = true;
    if (job->again)
        write_record(s, number);
    record_due(s, &s->plan.queues[job->engine]);
}

/* Whatever is known and waits for others, because the run ends before its time or results may be overwritten. */
static void record_rest(struct state *s)
{
    for (size_t i = 0; i < s->plan.count; i++)
        if (s->plan.jobs[i].settled)
            write_record(s, i);
}

/* ---- blame ---------------------------------------------------------------------------------------------------- */

/* Whether the job dies after these, in one worker. Their results are overwritten. */
static bool dies_after(struct state *s, const size_t *before, size_t count, size_t number)
{
    size_t *tasks = calloc(count + 1, sizeof *tasks);
    bool lives = true;

    if (tasks) {
        memcpy(tasks, before, count * sizeof *tasks);
        tasks[count] = number;
        lives = ck_pool_lives(s->pool, tasks, count + 1, OPEN_MS + s->run->deadline_ms);
    }
    free(tasks);
    return !lives;
}

/* The jobs that ran before this one in the worker that it died in; how many. */
static size_t predecessors(const struct state *s, size_t number, size_t *list)
{
    const struct queue *q = &s->plan.queues[s->plan.jobs[number].engine];
    size_t count = 0;

    for (size_t i = 0; i < q->count && q->jobs[i] != number; i++)
        if (s->shared->results[q->jobs[i]].worker == s->plan.jobs[number].company)
            list[count++] = q->jobs[i];
    return count;
}

/* The one among `count` jobs after which this one dies, found by halving; false where it takes more than one. */
static bool find_culprit(struct state *s, const size_t *list, size_t count, size_t number, size_t *culprit)
{
    while (count > 1) {
        const size_t half = count / 2;
        if (dies_after(s, list, half, number)) {
            count = half;
        } else if (dies_after(s, list + half, count - half, number)) {
            list += half;
            count -= half;
        } else {
            return false;
        }
    }
    if (count)
        *culprit = list[0];
    return count == 1;
}

/* The job died after others in its worker and lived alone: looks for the one predecessor that makes it die. */
static void blame(struct state *s, size_t number)
{
    struct ck_slot *r = &s->shared->results[number], alone = *r;
    size_t *list = calloc(s->plan.queues[s->plan.jobs[number].engine].count + 1, sizeof *list);
    size_t culprit = 0;
    const bool found = list && find_culprit(s, list, predecessors(s, number, list), number, &culprit);

    *r = alone;
    if (found) {
        ck_append(r->detail, sizeof r->detail, "%scompany   died after %s, lives alone", r->detail[0] ? "\n" : "",
                  s->plan.jobs[culprit].point->name);
        if (!s->plan.jobs[culprit].written)
            snprintf(s->shared->results[culprit].detail, sizeof s->shared->results[culprit].detail,
                     "the next points of its worker die of it: %s", s->plan.jobs[number].point->name);
    }
    free(list);
}

/* ---- the parent ----------------------------------------------------------------------------------------------- */

/* A job's result is final, unless it took along a worker that had run others: then it runs again alone. If it lives,
 * its record waits until the worker has ended and the culprit is found. */
static void settle(struct state *s, size_t number, bool alone)
{
    struct job *job = &s->plan.jobs[number];
    const struct ck_slot *r = &s->shared->results[number];

    if (!alone && !job->again && !job->point->faults && r->lost) {
        job->again = true;
        job->company = r->worker;
        if (!ck_pool_alone(s->pool, job->line, number))
            unwritten(s, ENOMEM);
        record_due(s, &s->plan.queues[job->engine]);
    } else if (!job->again || r->lost) {
        record(s, number);
    }
}

static void done(void *context, size_t number)
{
    const struct state *s = context;

    if (number < s->plan.count)
        settle(context, number, false);
}

/* The result of a point that took its worker along: killed at its deadline, or the process ended by itself. A
 * compiler that dies of its input, and a breach that never ends, are what was to be seen. */
static void judge_death(const struct ck_point *p, struct ck_slot *r, const struct ck_death *how)
{
    const bool watched = !strcmp(ck_point_expected(p), "seen"), late = how->late_ms != 0;
    const bool killed = WIFSIGNALED(how->status) && !late;
    const bool compiles = ck_case_compiles(p->c);
    const char *what = compiles ? "compiler" : "case";

    if (late)
        snprintf(r->detail, sizeof r->detail, "deadline  no end within %u ms; the worker was killed", how->late_ms);
    else if (killed)
        snprintf(r->detail, sizeof r->detail, "the %s died of signal %d (%s)", what, WTERMSIG(how->status),
                 strsignal(WTERMSIG(how->status)));
    else
        snprintf(r->detail, sizeof r->detail, "the %s ended its process with status %d", what,
                 WEXITSTATUS(how->status));
    if (late)
        r->outcome = compiles ? CK_O_TIMEOUT : CK_O_HANG;
    else
        r->outcome = CK_O_CRASHED;
    r->code = killed ? WTERMSIG(how->status) : 0;
    r->verdict = late ? CK_V_HANG : compiles ? CK_V_FAIL : CK_V_BROKEN;
    if (watched && (late || compiles)) {
        r->verdict = CK_V_SEEN;
        snprintf(r->seen, sizeof r->seen, "%s", ck_outcome_names[r->outcome]);
    } else if (p->mutant && r->verdict != CK_V_BROKEN) {
        r->verdict = CK_V_KILLED;
    }
    r->lost = true;
}

static void died(void *context, size_t number, bool alone, const struct ck_death *how)
{
    struct state *s = context;

    if (number >= s->plan.count)
        return; /* of a batch: its rows are asked alone */
    judge_death(s->plan.jobs[number].point, &s->shared->results[number], how);
    settle(s, number, alone);
}

/* Whether the job died with another one that was running beside it, and whose fault it was or still may be. */
static bool is_explained(const struct state *s, size_t number)
{
    const struct job *jobs = s->plan.jobs;

    for (size_t i = 0; i < s->plan.count; i++)
        if (i != number && jobs[i].again && jobs[i].company == jobs[number].company &&
            (!jobs[i].settled || s->shared->results[i].lost))
            return true;
    return false;
}

static void alone_over(void *context, size_t number)
{
    struct state *s = context;

    if (!s->plan.jobs[number].again || s->plan.jobs[number].written)
        return;
    if (!is_explained(s, number)) {
        record_rest(s);
        blame(s, number);
    }
    record(s, number);
}

/* Out of memory is no reason to stop: the report at the end tells all. */
static void tell(const struct state *s, const struct ck_to_come *left)
{
    struct ck_record *records = calloc(s->ended + 1, sizeof *records);
    size_t count = 0;

    for (size_t i = 0; records && i < s->plan.count; i++)
        if (s->plan.jobs[i].written)
            records[count++] = record_of(s, i);
    if (records)
        s->run->gated(s->run->context, left, records, count);
    free(records);
}

/* Tells once that what gates is recorded, and what is left. */
static void tell_gated(struct state *s)
{
    struct ck_to_come left = { 0 };

    if (s->gated || !s->run->gated || !ck_run_has_device(s->run))
        return;
    for (unsigned e = 0; e < s->run->engine_count; e++)
        if (!ck_queue_behind(s->run, e) && s->plan.queues[e].recorded < s->plan.queues[e].gates)
            return;
    for (unsigned e = 0; e < s->run->engine_count; e++) {
        const struct queue *q = &s->plan.queues[e];
        const size_t faulting = s->run->engines[e].ops->one ? q->count - q->watched : 0;
        if (ck_queue_behind(s->run, e)) {
            left.behind = s->run->engines[e].name;
            left.on_it += q->count - q->recorded;
        } else {
            left.faulting += faulting;
            left.observing += q->recorded < q->count - faulting ? q->count - faulting - q->recorded : 0;
        }
    }
    s->gated = true;
    if (left.on_it + left.observing + left.faulting)
        tell(s, &left);
}

static bool turn(void *context)
{
    struct state *s = context;

    if (s->run->progress)
        s->run->progress(s->run->context, s->ended, s->plan.count, s->failed);
    if (!s->unwritten && fflush(s->run->out) != 0)
        unwritten(s, errno);
    if (!s->unwritten)
        tell_gated(s);
    return !s->unwritten;
}

/* ---- a run ---------------------------------------------------------------------------------------------------- */

static bool make_state(struct state *s, const struct ck_run *run)
{
    static const struct ck_pool_ops ops = {
        .work = work, .ready = ready, .leave = leave, .done = done, .died = died, .alone_over = alone_over, .turn = turn
    };
    const size_t planned = ck_run_planned(run);

    *s = (struct state){ .run = run, .shared = MAP_FAILED };
    s->shared_size = sizeof *s->shared + (planned + 1) * sizeof(struct ck_slot);
    s->shared = mmap(NULL, s->shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    s->pool = ck_pool_new(&ops, s, WORKERS);
    return s->shared != MAP_FAILED && s->pool && ck_queues_make(&s->plan, run) &&
           ck_batches_make(&s->batches, &s->plan, run) && ck_lines_make(&s->plan, &s->batches, run, s->pool);
}

static void free_state(struct state *s)
{
    ck_pool_free(s->pool);
    ck_batches_free(&s->batches);
    ck_queues_free(&s->plan);
    if (s->shared != MAP_FAILED)
        munmap(s->shared, s->shared_size);
}

static double seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void add_up(const struct state *s, struct ck_profile *profile)
{
    profile->records = s->ended;
    profile->digest = s->digest;
    for (size_t e = 0; e < s->run->engine_count; e++) {
        const struct counters *c = &s->shared->counters[e];
        profile->context += seconds(c->context);
        profile->load += seconds(c->load);
        profile->compile += seconds(c->compile);
        profile->copy += seconds(c->copy);
        profile->launch += seconds(c->launch);
        profile->contexts += c->contexts;
        profile->launches += c->launches;
    }
}

enum ck_run_end ck_run_points(const struct ck_run *run, struct ck_profile *profile)
{
    const uint64_t start = now();
    enum ck_pool_end end;
    struct state s;
    int by, why;

    *profile = (struct ck_profile){ 0 };
    if (!make_state(&s, run)) {
        why = errno;
        free_state(&s);
        errno = why;
        return CK_RUN_UNWRITTEN;
    }
    end = ck_pool_run(s.pool, &by);
    if (end == CK_POOL_STUCK)
        unwritten(&s, errno);
    else if (end == CK_POOL_COMPLETE && !s.unwritten && s.ended < s.plan.count)
        unwritten(&s, EAGAIN); /* a worker was lost between two points */
    if (end != CK_POOL_COMPLETE)
        record_rest(&s);
    profile->wall = seconds(now() - start);
    add_up(&s, profile);
    why = s.unwritten_errno;
    free_state(&s);
    errno = why;
    return s.unwritten ? CK_RUN_UNWRITTEN : end == CK_POOL_SIGNALED ? CK_RUN_INTERRUPTED : CK_RUN_COMPLETE;
}
