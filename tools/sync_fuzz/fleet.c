/* Worker processes take seeds one after the other and tell what came of them through a pipe. A process that dies or
 * does not end is replaced, and its program is one that is not as it should be. */
#include "tools/sync_fuzz/fleet.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/sync_fuzz/tables.h"

enum { JOBS_MAX = 256, GPU_BATCH = 32 };

struct slot {
    pid_t pid;
    uint64_t at;   /* number of its program, on a GPU of the first one of a batch */
    unsigned left; /* of a batch, the programs from `at` on that a process has left to the next one */
    time_t since;
    bool busy;
};

struct shared {
    time_t start;
    atomic_ullong next, none; /* numbers of programs; seeds that gave none */
    struct slot slots[JOBS_MAX];
};

static void tell(void *context, const struct verdict *v)
{
    const int pipe = *(const int *)context;

    if (write(pipe, v, sizeof *v) != (ssize_t)sizeof *v)
        _exit(2);
}

static time_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* A launch that failed leaves the process unable to use the GPU: another one goes on behind it. */
static void leave_broken(struct slot *slot, unsigned count, unsigned done)
{
    if (done == count)
        return;
    slot->at += done;
    slot->left = count - done;
    slot->busy = false;
    _exit(0);
}

/* No seed is left, or no time. */
static bool over(const struct fleet *f, const struct shared *s)
{
    return atomic_load(&s->next) >= f->programs || (f->stop && now() - s->start >= (time_t)f->stop);
}

static void work(const struct fleet *f, struct shared *s, struct slot *slot, int pipe)
{
    const unsigned batch = f->gpu ? GPU_BATCH : 1;

    for (;;) {
        slot->busy = false;
        if (!slot->left && over(f, s))
            _exit(0);
        const uint64_t at = slot->left ? slot->at : atomic_fetch_add(&s->next, batch);
        if (at >= f->programs)
            _exit(0);
        const unsigned count =
            slot->left ? slot->left : (unsigned)(f->programs - at < batch ? f->programs - at : batch);
        slot->at = at;
        slot->left = 0;
        slot->since = now();
        slot->busy = true;
        if (f->gpu)
            leave_broken(slot, count, judge_gpu(f->seed + at, count, tell, &pipe));
        else if (!judge_seed(&f->settings, f->seed + at, tell, &pipe))
            atomic_fetch_add(&s->none, 1);
    }
}

static void begin(const struct fleet *f, struct shared *s, struct slot *slot, int pipe)
{
    slot->since = now();
    slot->busy = false;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        work(f, s, slot, pipe);
    slot->pid = child;
}

/* A process that has ended, or is ended because it is late. */
static void look_at(const struct fleet *f, struct shared *s, struct slot *slot, int pipe, struct tables *t)
{
    struct verdict v = { .seed = f->seed + slot->at, .form = -1 };
    int status = 0;
    bool late = false;

    if (slot->busy && now() - slot->since > (time_t)f->deadline) {
        late = true;
        kill(slot->pid, SIGKILL);
        while (waitpid(slot->pid, &status, 0) < 0 && errno == EINTR)
            ;
    } else if (waitpid(slot->pid, &status, WNOHANG) != slot->pid) {
        return;
    }
    slot->pid = 0;
    if (slot->busy) {
        snprintf(v.message, sizeof v.message, late ? "does not end within %u s" : "the process died, status 0x%x",
                 late ? f->deadline : (unsigned)status);
        tables_add(t, &v);
    }
    if (slot->left || !over(f, s))
        begin(f, s, slot, pipe);
}

static void drain(int pipe, struct tables *t, int wait_ms)
{
    struct pollfd p = { .fd = pipe, .events = POLLIN };
    struct verdict v;

    while (poll(&p, 1, wait_ms) > 0 && read(pipe, &v, sizeof v) == (ssize_t)sizeof v) {
        tables_add(t, &v);
        wait_ms = 0;
    }
}

int fleet_run(const struct fleet *f)
{
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const unsigned jobs = f->jobs < JOBS_MAX ? f->jobs : JOBS_MAX;
    struct tables *t = tables_new(f);
    bool any = true;
    int ends[2], status;

    if (s == MAP_FAILED || !t || pipe(ends)) {
        fprintf(stderr, "sync_fuzz: %s\n", strerror(errno));
        return 2;
    }
    s->start = now();
    for (unsigned i = 0; i < jobs; i++)
        begin(f, s, &s->slots[i], ends[1]);
    while (any) {
        any = false;
        drain(ends[0], t, 50);
        for (unsigned i = 0; i < jobs; i++)
            if (s->slots[i].pid > 0) {
                any = true;
                look_at(f, s, &s->slots[i], ends[1], t);
            }
    }
    drain(ends[0], t, 0);
    close(ends[0]);
    close(ends[1]);
    status = tables_print(t, (unsigned long long)atomic_load(&s->none), (unsigned long)(now() - s->start));
    munmap(s, sizeof *s);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
