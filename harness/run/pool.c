/* Worker processes that take numbered tasks in turn. */
#include "harness/run/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/room.h"

enum {
    TURN_MS = 20,
    REST_NS = 500000, /* of the parent, so that what many short tasks write is read in one go */
    STALLS = 50,      /* turns in which no process could be made, one after the other: then none can be had */
};

struct line {
    const size_t *tasks;
    size_t count;
    size_t *alone;
    size_t alone_count, alone_room, alone_next;
    unsigned workers; /* at a time */
    unsigned threads; /* of a worker, for its first tasks */
    size_t together;  /* how many tasks these are */
    bool early;       /* a worker begins before its tasks may */
    struct span {
        unsigned first, count; /* lines */
    } before, ahead;           /* it waits for the ones; beside the others it takes what is left of `spare` workers */
    unsigned spare;
    struct span slow; /* while these are not over, it has `few` workers at a time */
    unsigned few;
};

/* Who has a seat: a worker, or a thread of one that has several. */
struct worker {
    pid_t pid;            /* 0: the seat is free */
    bool thread;          /* the worker has an earlier seat too */
    size_t done;          /* number + 1 of the last task that it has done, as the pipe said; 0: none yet */
    unsigned line, place; /* its place: ck_seat_place */
    bool alone;
    size_t task;      /* of a worker that runs one alone */
    unsigned late_ms; /* it was killed, as its task took longer */
};

struct ck_pool {
    const struct ck_pool_ops *ops;
    void *context;
    struct pool_shared *shared;
    struct line lines[CK_POOL_LINES];
    unsigned line_count;
    struct worker workers[CK_POOL_WORKERS];
    size_t seats; /* how many of them are used */
    int pipe[2];
};

static volatile sig_atomic_t signaled;

static void on_signal(int number)
{
    signaled = number;
}

static bool passed(uint64_t since, unsigned ms)
{
    return pool_now() - since > (uint64_t)ms * 1000000u;
}

/* The process, or -1. */
static pid_t spawn(const struct ck_pool *p, const struct pool_work *w, const size_t *seats, unsigned threads)
{
    const pid_t parent = getpid();
    pid_t pid;

    for (unsigned k = 0; k < threads; k++) {
        atomic_store(&p->shared->seats[seats[k]].task, 0);
        atomic_store(&p->shared->seats[seats[k]].good, 0);
    }
    fflush(NULL);
    pid = fork();
    if (pid == 0)
        pool_work(w, seats, threads, parent);
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
    p->lines[p->line_count++] =
        (struct line){ .tasks = tasks, .count = count, .workers = workers, .threads = 1, .together = count };
    return true;
}

void ck_pool_line_after(struct ck_pool *p, unsigned first, unsigned last)
{
    p->lines[p->line_count - 1].before = (struct span){ first, last - first + 1 };
}

void ck_pool_line_early(struct ck_pool *p)
{
    p->lines[p->line_count - 1].early = true;
}

void ck_pool_line_spare(struct ck_pool *p, unsigned first, unsigned last, unsigned workers)
{
    struct line *l = &p->lines[p->line_count - 1];

    l->ahead = (struct span){ first, last - first + 1 };
    l->spare = workers;
}

void ck_pool_line_few(struct ck_pool *p, unsigned first, unsigned last, unsigned workers)
{
    struct line *l = &p->lines[p->line_count - 1];

    l->slow = (struct span){ first, last - first + 1 };
    l->few = workers;
}

void ck_pool_line_threads(struct ck_pool *p, unsigned threads, size_t together)
{
    struct line *l = &p->lines[p->line_count - 1];

    l->threads = threads < CK_POOL_THREADS ? threads : CK_POOL_THREADS;
    l->together = together;
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

static bool are_over(const struct ck_pool *p, struct span lines)
{
    for (unsigned k = lines.first; k < lines.first + lines.count; k++)
        if (has_tasks(p, k) || has_workers(p, k))
            return false;
    return true;
}

/* Whether the line waits for others that are not over yet. */
static bool is_held(const struct ck_pool *p, unsigned line)
{
    const struct line *l = &p->lines[line];
    unsigned taken = 0;

    if (!are_over(p, l->before))
        return true;
    for (size_t i = 0; l->ahead.count && i < p->seats; i++)
        taken += p->workers[i].pid && atomic_load(&p->shared->open[p->workers[i].line]);
    return l->ahead.count && taken >= l->spare && !are_over(p, l->ahead);
}

/* Finds seats for one more worker of the line, one for each of its threads; how many, 0 where there is no room. */
static unsigned find_seats(const struct ck_pool *p, unsigned line, size_t *seats)
{
    const struct line *l = &p->lines[line];
    const unsigned wanted = atomic_load(&p->shared->next[line]) < l->together ? l->threads : 1;
    unsigned busy = 0, found = 0;

    for (size_t i = 0; i < p->seats; i++) {
        if (!p->workers[i].pid && found < wanted)
            seats[found++] = i;
        else
            busy += p->workers[i].pid && !p->workers[i].thread && p->workers[i].line == line;
    }
    return busy < (l->slow.count && !are_over(p, l->slow) ? l->few : l->workers) ? found : 0;
}

static bool is_taken(const struct ck_pool *p, unsigned line, unsigned place)
{
    for (size_t i = 0; i < p->seats; i++)
        if (p->workers[i].pid && p->workers[i].line == line && p->workers[i].place == place)
            return true;
    return false;
}

/* The lowest place in the line that no worker has. */
static unsigned free_place(const struct ck_pool *p, unsigned line)
{
    unsigned place = 0;

    while (is_taken(p, line, place))
        place++;
    return place;
}

/* Starts a worker for a line that had tasks, on free seats; false where no process can be made. */
static bool start(struct ck_pool *p, unsigned line, const size_t *seats, unsigned threads)
{
    struct line *l = &p->lines[line];
    struct ck_seat *place = &p->shared->seats[seats[0]];
    struct worker w = { .line = line, .place = free_place(p, line) };
    struct pool_work work = { .ops = p->ops,
                              .context = p->context,
                              .shared = p->shared,
                              .pipe = p->pipe[1],
                              .seat = place,
                              .tasks = l->tasks,
                              .together = l->together,
                              .count = l->count,
                              .next = &p->shared->next[line],
                              .open = l->early ? &p->shared->open[line] : NULL };

    if (atomic_load(&p->shared->next[line]) >= l->count) {
        if (l->alone_next == l->alone_count)
            return true; /* a worker has taken the last task just now */
        work.tasks = &l->alone[l->alone_next];
        work.together = 0;
        work.count = 1;
        work.next = &place->next;
        atomic_store(&place->next, 0);
        w.alone = true;
        w.task = l->alone[l->alone_next];
        threads = 1;
    }
    for (unsigned k = 0; k < threads; k++)
        atomic_store(&p->shared->seats[seats[k]].place, w.place);
    w.pid = spawn(p, &work, seats, threads);
    if (w.pid < 0)
        return false;
    l->alone_next += w.alone;
    for (unsigned k = 0; k < threads; k++) {
        w.thread = k > 0;
        p->workers[seats[k]] = w;
    }
    return true;
}

/* Whether a worker of the line may begin: its tasks may, or it is early and those of the lines before it may. */
static bool may_start(struct ck_pool *p, unsigned line)
{
    const struct line *l = &p->lines[line];
    bool next = l->early;

    if (!is_held(p, line)) {
        atomic_store(&p->shared->open[line], true);
        return true;
    }
    for (unsigned k = l->before.first; k < l->before.first + l->before.count; k++)
        next &= atomic_load(&p->shared->open[k]);
    return next;
}

/* Starts all workers that there are tasks and seats for; false where no process can be made. */
static bool start_all(struct ck_pool *p)
{
    size_t seats[CK_POOL_THREADS];

    for (unsigned line = 0; line < p->line_count; line++)
        while (may_start(p, line) && has_tasks(p, line)) {
            const unsigned threads = find_seats(p, line, seats);
            if (!threads)
                break;
            if (!start(p, line, seats, threads))
                return false;
        }
    return true;
}

static void drain(struct ck_pool *p)
{
    struct pool_note notes[256];
    ssize_t n;

    while ((n = read(p->pipe[0], notes, sizeof notes)) > 0)
        for (size_t i = 0; i < (size_t)n / sizeof *notes; i++) {
            p->workers[notes[i].seat].done = notes[i].task + 1;
            if (p->ops->done)
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
    for (size_t i = 0; i < p->seats; i++) {
        const pid_t pid = p->workers[i].pid;
        if (!pid || waitpid(pid, &status, WNOHANG) != pid)
            continue;
        drain(p); /* what it finished comes before what it died of */
        for (size_t k = 0; k < p->seats; k++)
            if (p->workers[k].pid == pid)
                bury(p, k, status);
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
            if (!p->workers[i].thread)
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
        if (p->ops->turn && !p->ops->turn(p->context))
            return CK_POOL_STOPPED;
        if (over(p) && !(p->ops->missed && p->ops->missed(p->context)))
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
    const struct pool_work work = { .ops = p->ops,
                                    .context = p->context,
                                    .shared = p->shared,
                                    .pipe = p->pipe[1],
                                    .seat = seat,
                                    .tasks = tasks,
                                    .count = count,
                                    .next = &seat->next,
                                    .quiet = true };
    const struct timespec nap = { .tv_nsec = 1000000 };
    const uint64_t since = pool_now();
    pid_t pid;

    atomic_store(&seat->next, 0);
    pid = spawn(p, &work, &(const size_t){ TRIAL }, 1);
    while (pid > 0 && waitpid(pid, NULL, WNOHANG) == 0) {
        if (passed(since, ms))
            kill(pid, SIGKILL);
        nanosleep(&nap, NULL);
    }
    return atomic_load(&seat->good) == count;
}
// SPDX-License-Identifier: Apache-2.0
