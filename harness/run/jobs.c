/* A run: points on engines, in worker processes (pool.h), records as they end.
 *
 * The parent never touches an engine. A job is a point on an engine; each engine has a line of jobs, which its workers
 * share, and each job leaves its result in shared memory, so that nothing is lost when a worker dies. A fault of the
 * device poisons the whole process: the worker leaves, and a new one goes on where it was. Points that may fault run
 * last, so that none of the others has to be run again: one that does fault is the last of its worker, one that does
 * not has cost no context. Any other point that dies is run again alone; if it lives then, the culprit among its
 * predecessors is found by halving them. A worker that someone else kills, or the kernel where memory is short, says
 * nothing about its point, which runs again. So does one that lacks memory; if it always does, the run ends there. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/records/tally.h"
#include "harness/run/duties.h"

enum {
    WORKERS = 128, /* at a time, of all engines together */
    SHOTS = 3,     /* how often a point is run once more that was killed from outside, or that lacked memory */
};

/* ---- records -------------------------------------------------------------------------------------------------- */

static void unwritten(struct run_state *s, int why)
{
    s->unwritten = true;
    s->unwritten_errno = why;
}

static struct ck_record record_of(const struct run_state *s, size_t number)
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
        .machine = r->machine,
        .seed = s->run->seed,
        .gpu = (int)r->device,
        .runs = s->run->repeat > 1 ? r->runs : 0,
        .same = s->run->repeat > 1 ? r->same : 0,
        .ratio = r->ratio,
        .low = r->low,
        .high = r->high,
        .rounds = r->rounds,
        .ms = r->ms,
    };
}

static void write_record(struct run_state *s, size_t number)
{
    struct job *job = &s->plan.jobs[number];

    if (job->written)
        return;
    const struct ck_record record = record_of(s, number);
    job->written = true;
    s->ended++;
    if (!s->unwritten && !ck_write_record(s->run->out, &record, s->run->chain))
        unwritten(s, errno);
    s->digest += ck_record_digest(&record);
}

/* Several workers of an engine end out of turn: records are written in the order of its queue, whatever --jobs is. A
 * point that is to run again does not hold up the others. */
static void record_due(struct run_state *s, struct queue *q)
{
    for (; q->recorded < q->count; q->recorded++) {
        const struct job *next = &s->plan.jobs[q->jobs[q->recorded]];
        if (!next->settled && !next->again)
            break;
        if (!next->again)
            write_record(s, q->jobs[q->recorded]);
    }
}

static void record(struct run_state *s, size_t number)
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

/* Whatever is known and waits for others, because the run ends before its time. */
static void record_rest(struct run_state *s)
{
    for (size_t i = 0; i < s->plan.count; i++)
        if (s->plan.jobs[i].settled)
            write_record(s, i);
}

/* ---- blame ---------------------------------------------------------------------------------------------------- */

/* Whether the job dies after these, in one worker. Their results stay. */
static bool dies_after(struct run_state *s, const size_t *before, size_t count, size_t number)
{
    size_t *tasks = calloc(count + 1, sizeof *tasks);
    bool lives = true;

    if (tasks) {
        memcpy(tasks, before, count * sizeof *tasks);
        tasks[count] = number;
        s->trial = true;
        lives = ck_pool_lives(s->pool, tasks, count + 1, DUTY_OPEN_MS + s->run->deadline_ms);
        s->trial = false;
    }
    free(tasks);
    return !lives;
}

/* The jobs that ran before this one in the worker that it died in and did not end it themselves; how many. */
static size_t predecessors(const struct run_state *s, size_t number, size_t *list)
{
    const struct queue *q = &s->plan.queues[s->plan.jobs[number].engine];
    size_t count = 0;

    for (size_t i = 0; i < q->count && q->jobs[i] != number; i++) {
        const struct ck_slot *r = &s->shared->results[q->jobs[i]];
        if (r->worker == s->plan.jobs[number].company && !r->lost)
            list[count++] = q->jobs[i];
    }
    return count;
}

/* The one among `count` jobs after which this one dies, found by halving; false where it takes more than one. */
static bool find_culprit(struct run_state *s, const size_t *list, size_t count, size_t number, size_t *culprit)
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
static void blame(struct run_state *s, size_t number)
{
    struct ck_slot *r = &s->shared->results[number];
    size_t *list = calloc(s->plan.queues[s->plan.jobs[number].engine].count + 1, sizeof *list);
    size_t culprit = 0;
    const bool found = list && find_culprit(s, list, predecessors(s, number, list), number, &culprit);

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

/* Has the job run once more, alone; its record does not hold up the others. */
static void run_again(struct run_state *s, size_t number)
{
    struct job *job = &s->plan.jobs[number];

    job->again = true;
    if (!ck_pool_alone(s->pool, job->line, number))
        unwritten(s, ENOMEM);
    record_due(s, &s->plan.queues[job->engine]);
}

/* Whether the worker that the job died in had another one. Texts have no other threads beside them. */
static bool had_company(const struct run_state *s, size_t number)
{
    const struct queue *q = &s->plan.queues[s->plan.jobs[number].engine];
    bool other = !s->plan.jobs[number].point->c->assemble;

    for (size_t i = 0; !other && i < q->count; i++)
        other = q->jobs[i] != number && s->shared->results[q->jobs[i]].worker == s->shared->results[number].worker;
    return other;
}

/* A job's result is final, unless it took along a worker that had run others: then it runs again alone. If it lives,
 * its record waits until the worker has ended and the culprit is found. */
static void settle(struct run_state *s, size_t number, bool alone)
{
    struct job *job = &s->plan.jobs[number];
    const struct ck_slot *r = &s->shared->results[number];

    if (!alone && !job->again && !job->point->faults && r->lost && had_company(s, number)) {
        job->company = r->worker;
        run_again(s, number);
    } else if (r->starved) {
        if (job->shot++ < SHOTS) /* it may go when others have given their memory back */
            run_again(s, number);
        else
            unwritten(s, ENOMEM);
    } else if (!job->again || r->lost) {
        record(s, number);
    }
}

static void done(void *context, size_t number)
{
    const struct run_state *s = context;

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

/* Whether a worker ended by a signal that no point sends to its own process. */
static bool is_from_outside(const struct ck_death *how)
{
    const int number = WIFSIGNALED(how->status) && !how->late_ms ? WTERMSIG(how->status) : 0;

    return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGQUIT;
}

static void died(void *context, size_t number, bool alone, const struct ck_death *how)
{
    struct run_state *s = context;

    if (number >= s->plan.count)
        return; /* of a batch: its rows are asked alone */
    if (is_from_outside(how) && s->plan.jobs[number].shot < SHOTS) {
        s->plan.jobs[number].shot++;
        run_again(s, number);
        return;
    }
    judge_death(s->plan.jobs[number].point, &s->shared->results[number], how);
    s->plan.jobs[number].along |= !alone;
    settle(s, number, alone);
}

/* Whether the job died with another one that was running beside it, and whose fault it was or still may be. One that
 * gave up its worker itself does not die of those that were only taken along. */
static bool is_explained(const struct run_state *s, size_t number)
{
    const struct job *jobs = s->plan.jobs;

    for (size_t i = 0; i < s->plan.count; i++)
        if (i != number && jobs[i].again && jobs[i].company == jobs[number].company &&
            (jobs[number].along || !jobs[i].along) && (!jobs[i].settled || s->shared->results[i].lost))
            return true;
    return false;
}

static void alone_over(void *context, size_t number)
{
    struct run_state *s = context;

    if (!s->plan.jobs[number].again || s->plan.jobs[number].written || s->shared->results[number].starved)
        return;
    if (!s->plan.jobs[number].shot && !is_explained(s, number))
        blame(s, number);
    record(s, number);
}

/* Runs alone what a worker took and lost before it had begun. */
static bool missed(void *context)
{
    enum { MOST = 3 }; /* then no worker can begin anything */
    struct run_state *s = context;
    bool any = false;

    if (s->asked++ == MOST)
        return false;
    for (size_t i = 0; i < s->plan.count; i++)
        if (!s->plan.jobs[i].settled)
            any |= ck_pool_alone(s->pool, s->plan.jobs[i].line, i);
    return any;
}

/* Out of memory is no reason to stop: the report at the end tells all. */
static void tell(const struct run_state *s, const struct ck_to_come *left)
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
static void tell_gated(struct run_state *s)
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
    struct run_state *s = context;

    if (s->run->progress)
        s->run->progress(s->run->context, s->ended, s->plan.count, s->failed);
    if (!s->unwritten && fflush(s->run->out) != 0)
        unwritten(s, errno);
    if (!s->unwritten)
        tell_gated(s);
    return !s->unwritten;
}

/* ---- a run ---------------------------------------------------------------------------------------------------- */

/* Whether there are first launches to wait for. */
static bool has_first(const struct run_state *s)
{
    for (size_t i = 0; i < s->plan.count; i++)
        if (duty_is_first(s, i))
            return true;
    return false;
}

static bool make_state(struct run_state *s, const struct ck_run *run)
{
    static const struct ck_pool_ops ops = { .work = duty_work,
                                            .ready = duty_ready,
                                            .leave = duty_leave,
                                            .done = done,
                                            .died = died,
                                            .alone_over = alone_over,
                                            .missed = missed,
                                            .turn = turn };
    const size_t planned = ck_run_planned(run);

    *s = (struct run_state){ .run = run, .shared = MAP_FAILED };
    s->shared_size = sizeof *s->shared + (planned + 1) * sizeof(struct ck_slot);
    s->shared = mmap(NULL, s->shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    s->pool = ck_pool_new(&ops, s, WORKERS);
    if (s->shared == MAP_FAILED || !s->pool || !ck_queues_make(&s->plan, run) ||
        !ck_batches_make(&s->batches, &s->plan, run) || !ck_lines_make(&s->plan, &s->batches, run, s->pool))
        return false;
    s->shared->first_open = !has_first(s);
    return true;
}

static void free_state(struct run_state *s)
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

static void add_up(const struct run_state *s, struct ck_profile *profile)
{
    profile->records = s->ended;
    profile->digest = s->digest;
    for (size_t e = 0; e < s->run->engine_count; e++) {
        const struct run_cost *c = &s->shared->costs[e];
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
    struct run_state s;
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
        unwritten(&s, EAGAIN); /* workers are lost before they begin */
    if (end != CK_POOL_COMPLETE)
        record_rest(&s);
    profile->wall = seconds(now() - start);
    add_up(&s, profile);
    why = s.unwritten_errno;
    free_state(&s);
    errno = why;
    return s.unwritten ? CK_RUN_UNWRITTEN : end == CK_POOL_SIGNALED ? CK_RUN_INTERRUPTED : CK_RUN_COMPLETE;
}
// SPDX-License-Identifier: Apache-2.0
