/* A run: points on engines, in worker processes.
 *
 * The parent never touches an engine. Workers take points off a shared counter and leave each result in shared memory,
 * so that nothing is lost when one dies; the number of an ended job goes through a pipe, which wakes the parent. A
 * fault of the device poisons the whole process: the worker leaves, and a new one goes on where it was. Points that
 * may fault run last, so that none of the others has to be run again: one that does fault is the last of its worker,
 * one that does not has cost no context. Any other point that dies is run again alone; if it lives then, the culprit
 * among its predecessors is found by halving them. */
#include "harness/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/engines/gpu.h"

enum { OPEN_MS = 60000, WORKERS = 64, NO_JOB = -1 };

struct job {
    const struct ck_point *point;
    unsigned engine;
    bool again;   /* runs alone because it died in company */
    bool settled; /* its result is final; the record waits for those before it */
    bool written;
    pid_t company; /* of a job that runs again: the worker that it died in */
};

/* What one engine's workers share. */
struct counters {
    _Atomic size_t next; /* of the queue */
    _Atomic uint64_t context, load, compile, launch, contexts, launches;
};

struct shared {
    struct counters counters[CK_ENGINES];
    struct ck_slot results[];
};

/* The jobs of an engine that run in company, and those that run alone. */
struct queue {
    size_t *company, *alone;
    size_t company_count, alone_count, alone_next;
    size_t recorded; /* of company: written, or to be written when they have run again */
    unsigned limit;  /* workers at a time */
};

struct worker {
    pid_t pid; /* 0: free */
    unsigned engine;
    bool alone;
    size_t job; /* of a worker that runs one alone */
};

struct state {
    const struct ck_run *run;
    struct shared *shared;
    size_t shared_size;
    struct job *jobs;
    size_t job_count;
    struct queue queues[CK_ENGINES];
    struct worker workers[WORKERS];
    int pipe[2];
    size_t ended, failed;
    bool unwritten;
    int unwritten_errno;
};

/* What the detail of a point that was killed at its deadline begins with. */
static const char deadline_words[] = "deadline";

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- the worker ----------------------------------------------------------------------------------------------- */

static void add_cost(struct counters *c, bool opened)
{
    atomic_fetch_add(&c->context, ck_gpu_cost.context);
    atomic_fetch_add(&c->load, ck_gpu_cost.load);
    atomic_fetch_add(&c->compile, ck_gpu_cost.compile);
    atomic_fetch_add(&c->launch, ck_gpu_cost.launch);
    atomic_fetch_add(&c->launches, ck_gpu_cost.launches);
    atomic_fetch_add(&c->contexts, opened && ck_gpu_cost.context ? 1 : 0);
}

/* Runs a point as often as asked; the result is the first that is not like the first run's, or the last. */
static void run_repeated(const struct ck_run *run, const struct ck_point *p, struct ck_engine *e, struct ck_slot *r)
{
    int first;
    unsigned k;

    ck_point_run(p, e, run->seed, r);
    first = r->verdict;
    for (k = 1; k < run->repeat && !r->lost && r->verdict == first; k++) {
        atomic_store(&r->began, now()); /* each run has its own deadline */
        ck_point_run(p, e, run->seed, r);
    }
    r->runs = k;
    r->same = k;
    if (r->verdict != first) {
        const size_t n = strlen(r->detail);
        snprintf(r->detail + n, sizeof r->detail - n, "%sunstable  %s in run %u of %u, %s before", n ? "\n" : "",
                 ck_verdict_names[r->verdict], k, run->repeat, ck_verdict_names[first]);
        r->same = 1;
        if (r->verdict == CK_V_PASS || r->verdict == CK_V_KILLED) {
            r->verdict = first;
            r->same = k - 1;
        }
    }
}

/* A child's whole life: takes jobs from `list` until there are none, or the engine is lost. */
static void work(struct state *s, unsigned engine, const size_t *list, size_t count, _Atomic size_t *next)
{
    const struct ck_run *run = s->run;
    struct counters *c = &s->shared->counters[engine];
    struct ck_engine e = run->engines[engine];
    struct ck_outcome opened = { 0 };
    bool open = false, ok = true;
    size_t i;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* the parent decides what an interrupt means */
    signal(SIGTERM, SIG_DFL);
    memset(&ck_gpu_cost, 0, sizeof ck_gpu_cost);
    while ((i = atomic_fetch_add(next, 1)) < count) {
        const int number = (int)list[i];
        struct ck_slot *r = &s->shared->results[number];
        atomic_store(&r->worker, getpid());
        atomic_store(&r->began, now());
        atomic_store(&r->state, open ? CK_STARTED : CK_OPENING);
        if (!open) {
            ok = e.ops->open(&e, &opened);
            open = true;
            atomic_store(&r->began, now());
            atomic_store(&r->state, CK_STARTED);
        }
        if (ok) {
            run_repeated(run, s->jobs[number].point, &e, r);
        } else {
            r->verdict = CK_V_SKIP;
            r->outcome = CK_O_UNSUPPORTED;
            snprintf(r->detail, sizeof r->detail, "%s", opened.message);
        }
        atomic_store(&r->state, CK_ENDED);
        if (write(s->pipe[1], &number, sizeof number) != sizeof number)
            _exit(3);
        if (ok && r->lost) {
            add_cost(c, true);
            _exit(1); /* without the driver's exit handlers, which a lost context can hold up */
        }
    }
    add_cost(c, open && ok);
    if (open && e.ops->close)
        e.ops->close(&e);
    _exit(0);
}

static pid_t spawn(struct state *s, unsigned engine, const size_t *list, size_t count, _Atomic size_t *next)
{
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0)
        work(s, engine, list, count, next);
    return pid;
}

/* ---- records -------------------------------------------------------------------------------------------------- */

static void write_record(struct state *s, size_t number)
{
    static const char *const evidence[] = { "documented", "observed", "folklore" };
    struct job *job = &s->jobs[number];
    const struct ck_point *p = job->point;
    const struct ck_slot *r = &s->shared->results[number];
    const struct ck_engine *e = &s->run->engines[job->engine];
    const bool accepts = p->c->assemble || p->c->encode;
    const struct ck_record record = {
        .point = p->name,
        .rule = p->c->rule->id,
        .family = p->c->rule->family,
        .engine = e->name,
        .phase = ck_point_phase(p),
        .evidence =
            evidence[p->c->seen_only || p->side == CK_SEEN || (p->variant && !p->mutant) ? CK_OBSERVED
                                                                                         : p->c->rule->evidence],
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
    if (!s->unwritten && !ck_write_record(s->run->out, &record)) {
        s->unwritten = true;
        s->unwritten_errno = errno;
    }
}

/* Several workers of an engine end out of turn: records are written in the order of its queue, whatever --jobs is. A
 * point that is to run again holds up nobody. */
static void record_due(struct state *s, struct queue *q)
{
    for (; q->recorded < q->company_count; q->recorded++) {
        const struct job *next = &s->jobs[q->company[q->recorded]];
        if (!next->settled && !next->again)
            break;
        if (!next->again)
            write_record(s, q->company[q->recorded]);
    }
}

static void record(struct state *s, size_t number)
{
    struct job *job = &s->jobs[number];
    const int verdict = s->shared->results[number].verdict;

    if (!job->settled)
        s->failed += verdict == CK_V_FAIL || verdict == CK_V_HANG || verdict == CK_V_FAULT || verdict == CK_V_BROKEN ||
                     verdict == CK_V_UNPROVEN || verdict == CK_V_SURVIVED;
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

/* Runs these jobs in one worker of their own and waits; true if the last of them dies. Results are overwritten. */
static bool sequence_dies(struct state *s, unsigned engine, const size_t *list, size_t count)
{
    static _Atomic size_t *next;
    struct ck_slot *last = &s->shared->results[list[count - 1]];
    const uint64_t start = now();
    int status;
    pid_t pid;

    if (!next)
        next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    atomic_store(next, 0);
    atomic_store(&last->state, CK_WAITING);
    pid = spawn(s, engine, list, count, next);
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (now() - start > (uint64_t)(OPEN_MS + s->run->deadline_ms) * 1000000u)
            kill(pid, SIGKILL);
        usleep(1000);
    }
    return atomic_load(&last->state) != CK_ENDED || last->lost;
}

/* The job lived alone and died in company: looks for the one predecessor that it cannot live with. */
static void blame(struct state *s, size_t number)
{
    const pid_t company = s->jobs[number].company;
    const unsigned engine = s->jobs[number].engine;
    const struct queue *q = &s->queues[engine];
    size_t *list = calloc(q->company_count + 1, sizeof *list), *half = calloc(q->company_count + 1, sizeof *half);
    struct ck_slot *r = &s->shared->results[number], alone = *r;
    size_t count = 0;

    if (list && half) {
        for (size_t i = 0; i < q->company_count && q->company[i] != number; i++)
            if (atomic_load(&s->shared->results[q->company[i]].worker) == company)
                list[count++] = q->company[i];
        while (count > 1) {
            const size_t a = count / 2;
            memcpy(half, list, a * sizeof *half);
            half[a] = number;
            if (sequence_dies(s, engine, half, a + 1)) {
                count = a;
                continue;
            }
            memcpy(half, list + a, (count - a) * sizeof *half);
            half[count - a] = number;
            if (!sequence_dies(s, engine, half, count - a + 1))
                break; /* it takes more than one */
            memmove(list, list + a, (count - a) * sizeof *list);
            count -= a;
        }
    }
    *r = alone;
    if (count == 1) {
        struct ck_slot *culprit = &s->shared->results[list[0]];
        const size_t n = strlen(r->detail);
        snprintf(r->detail + n, sizeof r->detail - n, "%scompany   died after %s, lives alone", n ? "\n" : "",
                 s->jobs[list[0]].point->name);
        if (!s->jobs[list[0]].written)
            snprintf(culprit->detail, sizeof culprit->detail, "the next points of its worker die of it: %s",
                     s->jobs[number].point->name);
    }
    free(list);
    free(half);
}

/* ---- the parent ----------------------------------------------------------------------------------------------- */

static void run_alone(struct state *s, size_t number)
{
    struct queue *q = &s->queues[s->jobs[number].engine];

    q->alone[q->alone_count++] = number;
}

/* A job's result is final, or it is run again alone, as it took its worker along in company. If it lives then, its
 * record waits until the worker has ended and the culprit is found. */
static void settle(struct state *s, size_t number, bool alone)
{
    struct job *job = &s->jobs[number];
    const struct ck_slot *r = &s->shared->results[number];

    if (!alone && !job->again && r->lost) {
        job->again = true;
        job->company = r->worker;
        run_alone(s, number);
        record_due(s, &s->queues[job->engine]);
    } else if (!job->again || r->lost) {
        record(s, number);
    }
}

static void drain(struct state *s)
{
    int numbers[256];
    ssize_t n;

    while ((n = read(s->pipe[0], numbers, sizeof numbers)) > 0)
        for (size_t i = 0; i < (size_t)n / sizeof *numbers; i++)
            settle(s, (size_t)numbers[i], s->jobs[numbers[i]].again || s->jobs[numbers[i]].point->faults);
    if (s->run->progress)
        s->run->progress(s->run->context, s->ended, s->job_count, s->failed);
    if (!s->unwritten && fflush(s->run->out) != 0) {
        s->unwritten = true;
        s->unwritten_errno = errno;
    }
}

/* The job that a worker was at when it ended, or NO_JOB. */
static long unfinished(struct state *s, const struct worker *w)
{
    const struct queue *q = &s->queues[w->engine];
    const size_t claimed = atomic_load(&s->shared->counters[w->engine].next);

    if (w->alone)
        return atomic_load(&s->shared->results[w->job].state) == CK_ENDED ? NO_JOB : (long)w->job;
    for (size_t i = claimed < q->company_count ? claimed : q->company_count; i-- > 0;) {
        const struct ck_slot *r = &s->shared->results[q->company[i]];
        const int state = atomic_load(&r->state);
        if (atomic_load(&r->worker) == w->pid && (state == CK_STARTED || state == CK_OPENING))
            return (long)q->company[i];
    }
    return NO_JOB;
}

/* What a point has come to that took its worker along: killed at its deadline, or the process ended by itself. A
 * compiler that dies of its input, and a breach that never ends, are what was to be seen. */
static void judge_death(const struct ck_point *p, struct ck_slot *r, int status)
{
    const bool watched = !strcmp(ck_point_expected(p), "seen");
    const bool hung = !strncmp(r->detail, deadline_words, sizeof deadline_words - 1);
    const char *who = p->c->assemble ? "compiler" : "case";

    if (WIFSIGNALED(status) && !hung)
        snprintf(r->detail, sizeof r->detail, "the %s died of signal %d (%s)", who, WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (!hung)
        snprintf(r->detail, sizeof r->detail, "the %s ended its process with status %d", who, WEXITSTATUS(status));
    r->outcome = p->c->assemble ? (hung ? CK_O_TIMEOUT : CK_O_CRASHED) : hung ? CK_O_HANG : CK_O_CRASHED;
    r->code = WIFSIGNALED(status) && !hung ? WTERMSIG(status) : 0;
    r->verdict = hung ? CK_V_HANG : p->c->assemble ? CK_V_FAIL : CK_V_BROKEN;
    if (watched && (hung || p->c->assemble)) {
        r->verdict = CK_V_SEEN;
        snprintf(r->seen, sizeof r->seen, "%s", ck_outcome_names[r->outcome]);
    } else if (p->mutant && r->verdict != CK_V_BROKEN) {
        r->verdict = CK_V_KILLED;
    }
    r->lost = true;
    atomic_store(&r->state, CK_ENDED);
}

/* A worker has ended: what it was at died with it. */
static void bury(struct state *s, struct worker *w, int status)
{
    const long number = unfinished(s, w);
    const struct worker dead = *w;

    w->pid = 0;
    if (number != NO_JOB) {
        judge_death(s->jobs[number].point, &s->shared->results[number], status);
        settle(s, (size_t)number, dead.alone || s->jobs[number].point->faults);
        return;
    }
    if (dead.alone && s->jobs[dead.job].again && !s->jobs[dead.job].written) {
        record_rest(s);
        blame(s, dead.job);
        record(s, dead.job);
    }
}

static bool start_worker(struct state *s, unsigned engine)
{
    struct queue *q = &s->queues[engine];
    struct counters *c = &s->shared->counters[engine];
    struct worker *free_slot = NULL;
    unsigned busy = 0;
    static _Atomic size_t *alone_next;

    for (size_t i = 0; i < WORKERS; i++) {
        if (!s->workers[i].pid)
            free_slot = &s->workers[i];
        else if (s->workers[i].engine == engine)
            busy++;
    }
    if (!free_slot || busy >= q->limit)
        return false;
    if (atomic_load(&c->next) < q->company_count) {
        *free_slot = (struct worker){ .engine = engine };
        free_slot->pid = spawn(s, engine, q->company, q->company_count, &c->next);
        return free_slot->pid > 0;
    }
    if (q->alone_next < q->alone_count) {
        const size_t number = q->alone[q->alone_next++];
        if (!alone_next)
            alone_next =
                mmap(NULL, WORKERS * sizeof *alone_next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        atomic_store(&alone_next[free_slot - s->workers], 0);
        atomic_store(&s->shared->results[number].state, CK_WAITING);
        *free_slot = (struct worker){ .engine = engine, .alone = true, .job = number };
        free_slot->pid = spawn(s, engine, &q->alone[q->alone_next - 1], 1, &alone_next[free_slot - s->workers]);
        return free_slot->pid > 0;
    }
    return false;
}

/* Kills workers whose point has passed its deadline, or that do not get their engine open. */
static void check_deadlines(struct state *s)
{
    for (size_t i = 0; i < WORKERS; i++) {
        struct worker *w = &s->workers[i];
        long number;
        struct ck_slot *r;
        uint64_t limit;
        int state;

        if (!w->pid || (number = unfinished(s, w)) == NO_JOB)
            continue;
        r = &s->shared->results[number];
        state = atomic_load(&r->state);
        if (state != CK_STARTED && state != CK_OPENING)
            continue;
        limit = state == CK_OPENING ? OPEN_MS : s->run->deadline_ms;
        if (now() - atomic_load(&r->began) > limit * 1000000u) {
            snprintf(r->detail, sizeof r->detail, "%s  no end within %llu ms; the worker was killed", deadline_words,
                     (unsigned long long)limit);
            kill(w->pid, SIGKILL);
        }
    }
}

static bool make_state(struct state *s, const struct ck_run *run)
{
    const size_t planned = ck_run_planned(run);

    *s = (struct state){ .run = run, .pipe = { -1, -1 } };
    s->shared_size = sizeof *s->shared + (planned + 1) * sizeof(struct ck_slot);
    s->shared = mmap(NULL, s->shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    s->jobs = calloc(planned + 1, sizeof *s->jobs);
    if (s->shared == MAP_FAILED || !s->jobs || pipe2(s->pipe, O_CLOEXEC) != 0)
        return false;
    fcntl(s->pipe[0], F_SETFL, O_NONBLOCK);
    for (unsigned e = 0; e < run->engine_count; e++) {
        struct queue *q = &s->queues[e];
        const size_t from = s->job_count;
        q->company = calloc(run->point_count + 1, sizeof *q->company);
        q->alone = calloc(run->point_count * 2 + 1, sizeof *q->alone);
        q->limit = run->engines[e].ops->one ? 1 : run->jobs < WORKERS / 2 ? run->jobs : WORKERS / 2;
        if (!q->company || !q->alone)
            return false;
        for (size_t i = 0; i < run->point_count; i++) {
            if (!ck_engine_can(&run->engines[e], run->points[i]) ||
                (run->done && run->done(run->context, run->points[i]->name, run->engines[e].name)))
                continue;
            s->jobs[s->job_count] = (struct job){ .point = run->points[i], .engine = e };
            s->job_count++;
        }
        /* What may cost the context comes last, so that it costs no other point its company. */
        for (int faults = 0; faults < 2; faults++)
            for (size_t i = from; i < s->job_count; i++)
                if (s->jobs[i].point->faults == (faults == 1))
                    q->company[q->company_count++] = i;
    }
    return true;
}

static void free_state(struct state *s, size_t engines)
{
    for (size_t e = 0; e < engines; e++) {
        free(s->queues[e].company);
        free(s->queues[e].alone);
    }
    if (s->pipe[0] >= 0) {
        close(s->pipe[0]);
        close(s->pipe[1]);
    }
    free(s->jobs);
    if (s->shared != MAP_FAILED)
        munmap(s->shared, s->shared_size);
}

size_t ck_run_planned(const struct ck_run *run)
{
    size_t n = 0;

    for (size_t e = 0; e < run->engine_count; e++)
        for (size_t i = 0; i < run->point_count; i++)
            n += ck_engine_can(&run->engines[e], run->points[i]);
    return n;
}

static void reap(struct state *s)
{
    int status;

    for (size_t i = 0; i < WORKERS; i++)
        if (s->workers[i].pid && waitpid(s->workers[i].pid, &status, WNOHANG) == s->workers[i].pid) {
            drain(s); /* what it finished comes before what it died of */
            bury(s, &s->workers[i], status);
        }
}

static bool busy(const struct state *s)
{
    for (size_t i = 0; i < WORKERS; i++)
        if (s->workers[i].pid)
            return true;
    return false;
}

static void kill_all(struct state *s)
{
    for (size_t i = 0; i < WORKERS; i++)
        if (s->workers[i].pid) {
            kill(s->workers[i].pid, SIGKILL);
            waitpid(s->workers[i].pid, NULL, 0);
            s->workers[i].pid = 0;
        }
    drain(s);
    record_rest(s);
}

enum ck_run_end ck_run_points(const struct ck_run *run, struct ck_profile *profile)
{
    struct sigaction action = { .sa_handler = on_signal }, old_int, old_term;
    const uint64_t start = now();
    enum ck_run_end end = CK_RUN_COMPLETE;
    struct state s;
    bool started;
    int stalls = 0;

    *profile = (struct ck_profile){ 0 };
    interrupted = 0;
    if (!make_state(&s, run)) {
        const int why = errno;
        free_state(&s, run->engine_count);
        errno = why;
        return CK_RUN_UNWRITTEN;
    }
    sigaction(SIGINT, &action, &old_int);
    sigaction(SIGTERM, &action, &old_term);
    do {
        struct pollfd wait = { .fd = s.pipe[0], .events = POLLIN };
        started = false;
        for (unsigned e = 0; e < run->engine_count; e++)
            while (start_worker(&s, e))
                started = true;
        if (!started && !busy(&s) && s.ended < s.job_count && ++stalls > 50) { /* no process can be had */
            s.unwritten = true;
            s.unwritten_errno = EAGAIN;
        }
        poll(&wait, 1, 20);
        drain(&s);
        reap(&s);
        check_deadlines(&s);
    } while ((started || busy(&s) || s.ended < s.job_count) && !interrupted && !s.unwritten);
    if (interrupted || s.unwritten)
        kill_all(&s);
    end = s.unwritten ? CK_RUN_UNWRITTEN : interrupted ? CK_RUN_INTERRUPTED : CK_RUN_COMPLETE;
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGTERM, &old_term, NULL);
    profile->wall = (double)(now() - start) / 1e9;
    profile->records = s.ended;
    for (size_t e = 0; e < run->engine_count; e++) {
        const struct counters *c = &s.shared->counters[e];
        profile->context += (double)c->context / 1e9;
        profile->load += (double)c->load / 1e9;
        profile->compile += (double)c->compile / 1e9;
        profile->launch += (double)c->launch / 1e9;
        profile->contexts += c->contexts;
        profile->launches += c->launches;
    }
    free_state(&s, run->engine_count);
    errno = s.unwritten_errno;
    return end;
}
