/* Worker processes that take numbered tasks in turn. */
#include "harness/run/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/room.h"

enum {
    TURN_MS = 20,
    REST_NS = 500000,        /* of the parent, so that what many short tasks write is read in one go */
    STALLS = 50,             /* turns in which no process could be made, one after the other: then none can be had */
    TRIAL = CK_POOL_WORKERS, /* the seat of ck_pool_lives */
    SEATS = CK_POOL_WORKERS + 1,
};

struct ck_seat {
    _Atomic size_t task;       /* number + 1 of what the worker is at; 0: nothing */
    _Atomic uint64_t since;    /* CLOCK_MONOTONIC, ns */
    _Atomic unsigned limit_ms; /* for the task, from `since` on; 0: none */
    _Atomic size_t good;       /* tasks after which the worker could go on */
    _Atomic size_t next;       /* counter of a worker that has tasks of its own */
};

struct shared {
    struct ck_seat seats[SEATS];
    _Atomic size_t next[CK_POOL_LINES]; /* how many tasks of each line are taken */
};

struct line {
    const size_t *tasks;
    size_t count;
    size_t *alone;
    size_t alone_count, alone_room, alone_next;
    unsigned workers; /* at a time */
    bool waits;       /* for the lines from `first` to `last` */
    unsigned first, last;
};

/* What a worker writes into the pipe. */
struct note {
    size_t task; /* number of what is done */
    size_t seat;
};

struct worker {
    pid_t pid;   /* 0: the seat is free */
    size_t done; /* number + 1 of the last task that it has done, as the pipe said; 0: none yet */
    unsigned line;
    bool alone;
    size_t task;      /* of a worker that runs one alone */
    unsigned late_ms; /* it was killed, as its task took longer */
};

struct ck_pool {
    const struct ck_pool_ops *ops;
    void *context;
    struct shared *shared;
    struct line lines[CK_POOL_LINES];
    unsigned line_count;
    struct worker workers[CK_POOL_WORKERS];
    size_t seats; /* how many of them are used */
    int pipe[2];
};

/* What one worker is to do. */
struct work {
    struct ck_seat *seat;
    const size_t *tasks;
    size_t count;
    _Atomic size_t *next;
    bool quiet; /* `done` is not called for its tasks */
};

static volatile sig_atomic_t signaled;

static void on_signal(int number)
{
    signaled = number;
}

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool passed(uint64_t since, unsigned ms)
{
    return now() - since > (uint64_t)ms * 1000000u;
}

/* ---- the worker ----------------------------------------------------------------------------------------------- */

void ck_seat_limit(struct ck_seat *seat, unsigned ms)
{
    atomic_store(&seat->since, now());
    atomic_store(&seat->limit_ms, ms);
}

static void tell(const struct ck_pool *p, const struct ck_seat *seat, size_t task)
{
    const struct note note = { .task = task, .seat = (size_t)(seat - p->shared->seats) };
    ssize_t n;

    do
        n = write(p->pipe[1], &note, sizeof note);
    while (n < 0 && errno == EINTR);
    if (n != sizeof note)
        _exit(3);
}

static _Noreturn void work(const struct ck_pool *p, const struct work *w, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before the line above */
        _exit(1);
    signal(SIGINT, SIG_IGN); /* the parent decides what an interrupt means */
    signal(SIGTERM, SIG_DFL);
    for (size_t i = atomic_fetch_add(w->next, 1); i < w->count; i = atomic_fetch_add(w->next, 1)) {
        const size_t task = w->tasks[i];
        bool usable;

        ck_seat_limit(w->seat, 0);
        atomic_store(&w->seat->task, task + 1);
        usable = p->ops->work(p->context, w->seat, task);
        if (usable)
            atomic_fetch_add(&w->seat->good, 1);
        if (!w->quiet)
            tell(p, w->seat, task);
        atomic_store(&w->seat->task, 0); /* after the note, so that a worker killed in between loses no task */
        if (!usable)
            _exit(1); /* without exit handlers, which what is lost can hold up */
    }
    p->ops->leave(p->context);
    _exit(0);
}

/* The process, or -1. */
static pid_t spawn(const struct ck_pool *p, const struct work *w)
{
    const pid_t parent = getpid();
    pid_t pid;

    atomic_store(&w->seat->task, 0);
    atomic_store(&w->seat->good, 0);
    fflush(NULL);
    pid = fork();
    if (pid == 0)
        work(p, w, parent);
    return pid;
}

/* ---- the parent ----------------------------------------------------------------------------------------------- */

struct ck_pool *ck_pool_new(const struct ck_pool_ops *ops, void *context, unsigned workers)
{
    struct ck_pool *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->ops = ops;
    p->context = context;
    p->seats = workers < CK_POOL_WORKERS ? workers : CK_POOL_WORKERS;
    p->shared = mmap(NULL, sizeof *p->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p->shared == MAP_FAILED) {
        free(p);
        return NULL;
    }
    if (pipe2(p->pipe, O_CLOEXEC) != 0) {
        munmap(p->shared, sizeof *p->shared);
        free(p);
        return NULL;
    }
    fcntl(p->pipe[0], F_SETFL, O_NONBLOCK);
    return p;
}

void ck_pool_free(struct ck_pool *p)
{
    if (!p)
        return;
    for (unsigned k = 0; k < p->line_count; k++)
        free(p->lines[k].alone);
    close(p->pipe[0]);
    close(p->pipe[1]);
    munmap(p->shared, sizeof *p->shared);
    free(p);
}

bool ck_pool_line(struct ck_pool *p, const size_t *tasks, size_t count, unsigned workers)
{
    if (p->line_count == CK_POOL_LINES)
        return false;
    p->lines[p->line_count++] = (struct line){ .tasks = tasks, .count = count, .workers = workers };
    return true;
}

void ck_pool_line_after(struct ck_pool *p, unsigned first, unsigned last)
{
    struct line *l = &p->lines[p->line_count - 1];

    l->waits = true;
    l->first = first;
    l->last = last;
}

bool ck_pool_alone(struct ck_pool *p, unsigned line, size_t task)
{
    struct line *l = &p->lines[line];

    size_t *alone = ck_room(l->alone, l->alone_count, &l->alone_room, 64, sizeof *alone);

    if (!alone)
        return false;
    l->alone = alone;
    l->alone[l->alone_count++] = task;
    return true;
}

static bool has_tasks(const struct ck_pool *p, unsigned line)
{
    const struct line *l = &p->lines[line];

    return atomic_load(&p->shared->next[line]) < l->count || l->alone_next < l->alone_count;
}

static bool has_workers(const struct ck_pool *p, unsigned line)
{
    for (size_t i = 0; i < p->seats; i++)
        if (p->workers[i].pid && p->workers[i].line == line)
            return true;
    return false;
}

/* Whether the line waits for others that are not over yet. */
static bool is_held(const struct ck_pool *p, unsigned line)
{
    const struct line *l = &p->lines[line];

    for (unsigned k = l->first; l->waits && k <= l->last; k++)
        if (has_tasks(p, k) || has_workers(p, k))
            return true;
    return false;
}

/* A free seat, if the line may have one more worker; else p->seats. */
static size_t free_seat(const struct ck_pool *p, unsigned line)
{
    size_t seat = p->seats;
    unsigned busy = 0;

    for (size_t i = 0; i < p->seats; i++) {
        if (!p->workers[i].pid)
            seat = seat < p->seats ? seat : i;
        else
            busy += p->workers[i].line == line;
    }
    return busy < p->lines[line].workers ? seat : p->seats;
}

/* Starts a worker for a line that has tasks, on a free seat; false where no process can be made. */
static bool start(struct ck_pool *p, unsigned line, size_t seat)
{
    struct line *l = &p->lines[line];
    struct ck_seat *place = &p->shared->seats[seat];
    struct worker w = { .line = line };
    struct work work = { .seat = place, .tasks = l->tasks, .count = l->count, .next = &p->shared->next[line] };

    if (atomic_load(&p->shared->next[line]) >= l->count) {
        work.tasks = &l->alone[l->alone_next];
        work.count = 1;
        work.next = &place->next;
        atomic_store(&place->next, 0);
        w.alone = true;
        w.task = l->alone[l->alone_next];
    }
    w.pid = spawn(p, &work);
    if (w.pid < 0)
        return false;
    l->alone_next += w.alone;
    p->workers[seat] = w;
    return true;
}

/* Starts all workers that there are tasks and seats for; false where no process can be made. */
static bool start_all(struct ck_pool *p)
{
    for (unsigned line = 0; line < p->line_count; line++)
        while (has_tasks(p, line) && !is_held(p, line)) {
            const size_t seat = free_seat(p, line);
            if (seat == p->seats)
                break;
            if (!start(p, line, seat))
                return false;
        }
    return true;
}

static void drain(struct ck_pool *p)
{
    struct note notes[256];
    ssize_t n;

    while ((n = read(p->pipe[0], notes, sizeof notes)) > 0)
        for (size_t i = 0; i < (size_t)n / sizeof *notes; i++) {
            p->workers[notes[i].seat].done = notes[i].task + 1;
            p->ops->done(p->context, notes[i].task);
        }
}

/* A worker has ended: what it was at died with it. */
static void bury(struct ck_pool *p, size_t seat, int status)
{
    const size_t task = atomic_load(&p->shared->seats[seat].task);
    const struct worker w = p->workers[seat];
    const struct ck_death how = { .status = status, .late_ms = w.late_ms };

    p->workers[seat].pid = 0;
    if (task && task != w.done)
        p->ops->died(p->context, task - 1, w.alone, &how);
    else if (w.alone && p->ops->alone_over)
        p->ops->alone_over(p->context, w.task);
}

static void reap(struct ck_pool *p)
{
    siginfo_t ended = { 0 };
    int status;

    if (!waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) && !ended.si_pid)
        return; /* nobody: most turns */
    for (size_t i = 0; i < p->seats; i++)
        if (p->workers[i].pid && waitpid(p->workers[i].pid, &status, WNOHANG) == p->workers[i].pid) {
            drain(p); /* what it finished comes before what it died of */
            bury(p, i, status);
        }
}

/* Kills workers whose task has passed its limit; they are buried when they have ended. */
static void check_limits(struct ck_pool *p)
{
    for (size_t i = 0; i < p->seats; i++) {
        struct worker *w = &p->workers[i];
        const struct ck_seat *seat = &p->shared->seats[i];
        const unsigned limit = w->pid ? atomic_load(&seat->limit_ms) : 0;

        if (limit && !w->late_ms && atomic_load(&seat->task) && passed(atomic_load(&seat->since), limit)) {
            w->late_ms = limit;
            kill(w->pid, SIGKILL);
        }
    }
}

static void await(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void kill_all(struct ck_pool *p)
{
    for (size_t i = 0; i < p->seats; i++)
        if (p->workers[i].pid)
            kill(p->workers[i].pid, SIGKILL);
    for (size_t i = 0; i < p->seats; i++)
        if (p->workers[i].pid) {
            await(p->workers[i].pid);
            p->workers[i].pid = 0;
        }
    drain(p);
}

static bool busy(const struct ck_pool *p)
{
    for (size_t i = 0; i < p->seats; i++)
        if (p->workers[i].pid)
            return true;
    return false;
}

static bool over(const struct ck_pool *p)
{
    for (unsigned line = 0; line < p->line_count; line++)
        if (has_tasks(p, line))
            return false;
    return !busy(p);
}

/* Turns until all is done, or something ends it. */
static enum ck_pool_end turns(struct ck_pool *p)
{
    const struct timespec rest = { .tv_nsec = REST_NS };
    struct pollfd wait = { .fd = p->pipe[0], .events = POLLIN };
    int stalls = 0, why = 0;

    while (!signaled) {
        if (start_all(p) || busy(p)) {
            stalls = 0;
        } else {
            why = errno;
            stalls++;
        }
        if (stalls > STALLS) {
            errno = why;
            return CK_POOL_STUCK;
        }
        if (poll(&wait, 1, TURN_MS) > 0)
            nanosleep(&rest, NULL);
        drain(p);
        reap(p);
        check_limits(p);
        if (!p->ops->turn(p->context))
            return CK_POOL_STOPPED;
        if (over(p))
            return CK_POOL_COMPLETE;
    }
    return CK_POOL_SIGNALED;
}

enum ck_pool_end ck_pool_run(struct ck_pool *p, int *by)
{
    const struct sigaction action = { .sa_handler = on_signal };
    struct sigaction old_int, old_term;
    enum ck_pool_end end;
    int why;

    signaled = 0;
    sigaction(SIGINT, &action, &old_int);
    sigaction(SIGTERM, &action, &old_term);
    if (old_int.sa_handler == SIG_IGN) /* a shell started this in the background */
        sigaction(SIGINT, &old_int, NULL);
    end = turns(p);
    why = errno;
    kill_all(p);
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGTERM, &old_term, NULL);
    *by = signaled;
    errno = why;
    return end;
}

bool ck_pool_lives(struct ck_pool *p, const size_t *tasks, size_t count, unsigned ms)
{
    struct ck_seat *seat = &p->shared->seats[TRIAL];
    const struct work work = { .seat = seat, .tasks = tasks, .count = count, .next = &seat->next, .quiet = true };
    const struct timespec nap = { .tv_nsec = 1000000 };
    const uint64_t since = now();
    pid_t pid;

    atomic_store(&seat->next, 0);
    pid = spawn(p, &work);
    while (pid > 0 && waitpid(pid, NULL, WNOHANG) == 0) {
        if (passed(since, ms))
            kill(pid, SIGKILL);
        nanosleep(&nap, NULL);
    }
    return atomic_load(&seat->good) == count;
}
