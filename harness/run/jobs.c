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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/records/tally.h"
#include "harness/run/pool.h"

enum {
    OPEN_MS = 60000, /* for an engine to open */
    WORKERS = 64,    /* at a time, of all engines together */
    JOBS_MAX = 32,   /* of one engine */
    /* Contexts that are expected to be lost, on one device. Measured on an H200: a process with a fault takes 0.34 s
     * alone, and 0.19 s for each of four at once; more at once gain nothing, as the driver makes contexts in turn. */
    FAULTS_AT_ONCE = 4,
    MANY = 1000,       /* jobs of an engine from which on it prepares all that a run may need */
    TEXTS_AT_ONCE = 8, /* workers of a device's engine with texts for the driver's compiler; each has a context */
};

_Static_assert(3 * (int)CK_ENGINES <= (int)CK_POOL_LINES, "each engine has up to three lines of the pool");

struct job {
    const struct ck_point *point;
    unsigned engine;
    bool again;   /* runs alone because it died with others before it in its worker */
    bool settled; /* its result is final; the record waits for those before it */
    bool written;
    pid_t company; /* of a job that runs again: the worker that it died in */
};

/* What an engine's workers spent on what cannot be avoided, in ns, and how often. */
struct counters {
    _Atomic uint64_t context, load, compile, copy, launch, contexts, launches;
};

struct shared {
    struct counters counters[CK_ENGINES];
    struct ck_slot results[];
};

/* The jobs of an engine, in the order in which they run and are recorded. */
struct queue {
    size_t *jobs;
    size_t count;
    size_t texts;    /* the first of them, for an assembler */
    size_t plain;    /* those and the further ones that do not fault */
    size_t recorded; /* written, or to be written when they have run again */
    unsigned line;   /* of the pool, for what is to run alone */
};

/* What a worker holds. */
struct hold {
    struct ck_engine engine;
    unsigned number; /* of the engine */
    bool tried;      /* to open it */
    bool open;
    struct ck_outcome opened;
};

struct state {
    const struct ck_run *run;
    struct ck_pool *pool;
    struct shared *shared;
    size_t shared_size;
    struct job *jobs;
    size_t job_count;
    struct queue queues[CK_ENGINES];
    struct hold hold; /* of a worker, in its own copy of this */
    size_t ended, failed;
    size_t late;     /* jobs of a device that may fault: they run after all others of the devices */
    bool gated;      /* run->gated was called */
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
static void run_repeated(const struct ck_run *run, const struct ck_point *p, struct ck_engine *e, struct ck_slot *r,
                         struct ck_seat *seat)
{
    const unsigned deadline = deadline_of(run, p);
    int first;
    unsigned k;

    ck_seat_limit(seat, deadline);
    ck_point_run(p, e, run->seed, r);
    first = r->verdict;
    for (k = 1; k < run->repeat && !r->lost && r->verdict == first; k++) {
        ck_seat_limit(seat, deadline); /* each run has its own deadline */
        ck_point_run(p, e, run->seed, r);
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

/* Opens the engine of the worker's first job, of `many`; jobs of one worker are all of one engine. */
static void open_engine(const struct ck_run *run, struct hold *h, unsigned number, bool many, struct ck_seat *seat)
{
    h->number = number;
    h->engine = run->engines[number];
    h->tried = true;
    memset(&ck_engine_cost, 0, sizeof ck_engine_cost);
    ck_seat_limit(seat, OPEN_MS);
    h->open = h->engine.ops->open(&h->engine, &h->opened);
    if (h->open && h->engine.ops->prepare && many)
        h->engine.ops->prepare(&h->engine);
}

static bool work(void *context, struct ck_seat *seat, size_t number)
{
    struct state *s = context;
    struct hold *h = &s->hold;
    struct ck_slot *r = &s->shared->results[number];

    r->worker = getpid();
    if (!h->tried)
        open_engine(s->run, h, s->jobs[number].engine, s->queues[s->jobs[number].engine].count >= MANY, seat);
    if (!h->open) {
        r->verdict = h->opened.kind == CK_O_MEMORY ? CK_V_BROKEN : CK_V_SKIP;
        r->outcome = (int)h->opened.kind;
        snprintf(r->detail, sizeof r->detail, "%s", h->opened.message);
        return true;
    }
    run_repeated(s->run, s->jobs[number].point, &h->engine, r, seat);
    if (r->lost)
        add_cost(&s->shared->counters[h->number], true);
    return !r->lost;
}

static void leave(void *context)
{
    struct state *s = context;
    struct hold *h = &s->hold;

    if (!h->tried)
        return;
    add_cost(&s->shared->counters[h->number], h->open);
    if (h->engine.ops->close)
        h->engine.ops->close(&h->engine);
}

/* ---- records -------------------------------------------------------------------------------------------------- */

static void unwritten(struct state *s, int why)
{
    s->unwritten = true;
    s->unwritten_errno = why;
}

static void write_record(struct state *s, size_t number)
{
    struct job *job = &s->jobs[number];
    const struct ck_point *p = job->point;
    const struct ck_slot *r = &s->shared->results[number];
    const struct ck_engine *e = &s->run->engines[job->engine];
    const bool accepts = ck_case_row(p->c) != NULL;
    const bool observes = p->c->seen_only || p->side == CK_SEEN || (p->variant && !p->mutant);
    const struct ck_record record = {
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
        .ms = r->ms,
    };

    if (job->written)
        return;
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
        const struct job *next = &s->jobs[q->jobs[q->recorded]];
        if (!next->settled && !next->again)
            break;
        if (!next->again)
            write_record(s, q->jobs[q->recorded]);
    }
}

static void record(struct state *s, size_t number)
{
    struct job *job = &s->jobs[number];
    const int verdict = s->shared->results[number].verdict;

    if (!job->settled)
        s->failed += ck_verdict_is_bad((enum ck_verdict)verdict);
    job->settled = true;
    if (job->again)
        write_record(s, number);
    record_due(s, &s->queues[job->engine]);
}

/* Whatever is known and waits for others, because the run ends before its time or results may be overwritten. */
static void record_rest(struct state *s)
{
    for (size_t i = 0; i < s->job_count; i++)
        if (s->jobs[i].settled)
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
    const struct queue *q = &s->queues[s->jobs[number].engine];
    size_t count = 0;

    for (size_t i = 0; i < q->count && q->jobs[i] != number; i++)
        if (s->shared->results[q->jobs[i]].worker == s->jobs[number].company)
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
    size_t *list = calloc(s->queues[s->jobs[number].engine].count + 1, sizeof *list);
    size_t culprit = 0;
    const bool found = list && find_culprit(s, list, predecessors(s, number, list), number, &culprit);

    *r = alone;
    if (found) {
        ck_append(r->detail, sizeof r->detail, "%scompany   died after %s, lives alone", r->detail[0] ? "\n" : "",
                  s->jobs[culprit].point->name);
        if (!s->jobs[culprit].written)
            snprintf(s->shared->results[culprit].detail, sizeof s->shared->results[culprit].detail,
                     "the next points of its worker die of it: %s", s->jobs[number].point->name);
    }
    free(list);
}

/* ---- the parent ----------------------------------------------------------------------------------------------- */

/* A job's result is final, unless it took along a worker that had run others: then it runs again alone. If it lives,
 * its record waits until the worker has ended and the culprit is found. */
static void settle(struct state *s, size_t number, bool alone)
{
    struct job *job = &s->jobs[number];
    const struct ck_slot *r = &s->shared->results[number];

    if (!alone && !job->again && !job->point->faults && r->lost) {
        job->again = true;
        job->company = r->worker;
        if (!ck_pool_alone(s->pool, s->queues[job->engine].line, number))
            unwritten(s, ENOMEM);
        record_due(s, &s->queues[job->engine]);
    } else if (!job->again || r->lost) {
        record(s, number);
    }
}

static void done(void *context, size_t number)
{
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

    judge_death(s->jobs[number].point, &s->shared->results[number], how);
    settle(s, number, alone);
}

static void alone_over(void *context, size_t number)
{
    struct state *s = context;

    if (!s->jobs[number].again || s->jobs[number].written)
        return;
    record_rest(s);
    blame(s, number);
    record(s, number);
}

/* Tells once that all but the late jobs is recorded. */
static void tell_gated(struct state *s)
{
    size_t left = 0;

    if (s->gated || !s->run->gated || !s->late || s->ended + s->late < s->job_count)
        return;
    for (unsigned e = 0; e < s->run->engine_count; e++) {
        const struct queue *q = &s->queues[e];
        if (q->recorded < q->plain)
            return;
        if (s->run->engines[e].ops->one)
            left += q->count - q->recorded;
        else if (q->recorded < q->count)
            return;
    }
    s->gated = true;
    if (left && !fflush(s->run->out))
        s->run->gated(s->run->context, left);
}

static bool turn(void *context)
{
    struct state *s = context;

    if (s->run->progress)
        s->run->progress(s->run->context, s->ended, s->job_count, s->failed);
    if (!s->unwritten && fflush(s->run->out) != 0)
        unwritten(s, errno);
    if (!s->unwritten)
        tell_gated(s);
    return !s->unwritten;
}

/* ---- a run ---------------------------------------------------------------------------------------------------- */

/* Whether point i runs on engine e. In a short run a device shows one fault of each kind, on the first of its engines:
 * each costs a context. */
static bool is_wanted(const struct ck_run *run, size_t e, size_t i)
{
    const struct ck_engine *engine = &run->engines[e];
    bool first = true;

    if (!ck_engine_can(engine, run->points[i]))
        return false;
    if (!run->spare || !engine->ops->one || !run->points[i]->faults)
        return true;
    for (size_t k = 0; k < e; k++)
        first &= !run->engines[k].ops->one;
    return first && !run->spare[i];
}

size_t ck_run_planned(const struct ck_run *run)
{
    size_t n = 0;

    for (size_t e = 0; e < run->engine_count; e++)
        for (size_t i = 0; i < run->point_count; i++)
            n += is_wanted(run, e, i);
    return n;
}

/* Adds the line of jobs [from, to) of an engine's queue. */
static bool add_line(struct state *s, unsigned *lines, const struct queue *q, size_t from, size_t to, unsigned workers)
{
    (*lines)++;
    return ck_pool_line(s->pool, q->jobs + from, to - from, workers);
}

/* Makes the lines of the pool. An engine without a device has one. Of a device's engines, texts for the driver's
 * compiler are a line, as that is work of the processors; launches are one each, one worker after the other, since two
 * processes on one device take turns of milliseconds; those that may fault follow when all this is over. */
static bool make_lines(struct state *s)
{
    const struct ck_run *run = s->run;
    const unsigned jobs = run->jobs < JOBS_MAX ? run->jobs : JOBS_MAX;
    unsigned lines = 0, launches = 0;

    for (unsigned e = 0; e < run->engine_count; e++) {
        struct queue *q = &s->queues[e];
        const bool device = run->engines[e].ops->one;
        if (!add_line(s, &lines, q, 0, device ? q->texts : q->count,
                      device && jobs > TEXTS_AT_ONCE ? TEXTS_AT_ONCE : jobs))
            return false;
        q->line = lines - 1;
    }
    const unsigned first = lines;
    for (unsigned e = 0; e < run->engine_count; e++) {
        struct queue *q = &s->queues[e];
        if (!run->engines[e].ops->one)
            continue;
        if (!add_line(s, &lines, q, q->texts, q->plain, 1))
            return false;
        q->line = lines - 1;
        if (launches++)
            ck_pool_line_after(s->pool, lines - 2, lines - 2);
    }
    const unsigned last = lines - 1;
    for (unsigned e = 0; e < run->engine_count; e++) {
        const struct queue *q = &s->queues[e];
        if (!run->engines[e].ops->one)
            continue;
        if (!add_line(s, &lines, q, q->plain, q->count, FAULTS_AT_ONCE))
            return false;
        ck_pool_line_after(s->pool, first, last);
        s->late += q->count - q->plain;
    }
    return true;
}

/* Makes the jobs of an engine. */
static bool make_queue(struct state *s, unsigned e)
{
    const struct ck_run *run = s->run;
    const struct ck_engine *engine = &run->engines[e];
    struct queue *q = &s->queues[e];
    const size_t from = s->job_count;

    q->jobs = calloc(run->point_count + 1, sizeof *q->jobs);
    if (!q->jobs)
        return false;
    for (size_t i = 0; i < run->point_count; i++) {
        if (!is_wanted(run, e, i) || (run->done && run->done(run->context, run->points[i]->name, engine->name)))
            continue;
        s->jobs[s->job_count] = (struct job){ .point = run->points[i], .engine = e };
        s->job_count++;
    }
    /* What may cost the context comes last, so that it costs no other point its company. */
    for (int turn = 0; turn < 3; turn++)
        for (size_t i = from; i < s->job_count; i++) {
            const struct ck_point *p = s->jobs[i].point;
            if ((p->faults ? 2 : p->c->assemble ? 0 : 1) != turn)
                continue;
            q->texts += turn == 0;
            q->plain += turn < 2;
            q->jobs[q->count++] = i;
        }
    return true;
}

static bool make_state(struct state *s, const struct ck_run *run)
{
    static const struct ck_pool_ops ops = {
        .work = work, .leave = leave, .done = done, .died = died, .alone_over = alone_over, .turn = turn
    };
    const size_t planned = ck_run_planned(run);

    *s = (struct state){ .run = run, .shared = MAP_FAILED };
    s->shared_size = sizeof *s->shared + (planned + 1) * sizeof(struct ck_slot);
    s->shared = mmap(NULL, s->shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    s->jobs = calloc(planned + 1, sizeof *s->jobs);
    s->pool = ck_pool_new(&ops, s, WORKERS);
    if (s->shared == MAP_FAILED || !s->jobs || !s->pool)
        return false;
    for (unsigned e = 0; e < run->engine_count; e++)
        if (!make_queue(s, e))
            return false;
    return make_lines(s);
}

static void free_state(struct state *s)
{
    for (size_t e = 0; e < CK_ENGINES; e++)
        free(s->queues[e].jobs);
    ck_pool_free(s->pool);
    free(s->jobs);
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
        profile->processes += c->contexts > 0;
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
    else if (end == CK_POOL_COMPLETE && !s.unwritten && s.ended < s.job_count)
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
