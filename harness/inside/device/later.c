/* Operations that wait, and kernels that run beside the host. */
#include "harness/inside/device/later.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/processors.h"
#include "harness/inside/device/early.h"
#include "harness/inside/device/graph.h"
#include "harness/inside/device/outside.h"

/* Seconds: how long a kernel that waits may wait on when a thread of the host waits for the device and nothing happens.
 * Another thread may be about to write; longer where others compute, in this part of the time or more. */
static const double grace = 2.0, grace_busy = 30.0, busy_part = 0.05;
/* Nanoseconds between two looks at memory: from the first to the last of them, each twice the one before. */
enum { LOOK_FIRST = 20 * 1000, LOOK_LAST = 5 * 1000 * 1000 };
/* How often a thread looks, in some 10 microseconds, whether another one is done, before it sleeps: a small kernel
 * takes less than falling asleep and waking up. On one processor it would only keep the other one from it. */
enum { LOOKS = 200 };
/* Of the threads that kernels run in; and what a thread of the host must have left for one, or for a graph of them. */
enum { STACK = 16 << 20, STACK_LEFT = 2 << 20 };

enum state { QUEUED, RUNS, AWAY, DONE };

/* An operation in a thread of its own, or one that is left. */
struct work {
    struct operation op;
    const struct stream *stream; /* its identity only: it may have been destroyed */
    bool is_default, blocking;   /* what it was */
    bool borrowed;               /* the graph of `op` is the caller's */
    void *staged;                /* bytes of the program's that a copy is from, as they were at its call; or NULL */
    enum state state;
    CUresult result;
    double since;  /* when it last got on */
    double others; /* processor time that other threads had taken by then */
    long look;     /* nanoseconds until the next look */
    struct work *next;
};

static struct {
    struct work *first; /* in the order of their calls; with the lock of the device */
    unsigned waiting;   /* threads of the host that wait for one of them */
    double news;        /* when an operation last took place, or was put */
} later;
/* Of `told`: nothing else is locked within. Who sees a change comes while the one that made it still has the lock. */
static pthread_mutex_t lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;   /* `told` has changed */
static _Atomic uint64_t told;                            /* changes of a work's state */
static pthread_cond_t handed = PTHREAD_COND_INITIALIZER; /* `offered` is there; with `lock`, as these: */
static struct work *_Atomic offered;                     /* what a thread that is idle runs next */
static unsigned idle;                                    /* threads that have run a work and wait for the next one */
static _Thread_local struct work *own;                   /* of the thread that runs it */

/* A work's state has changed, or it is gone. */
static void tell(void)
{
    pthread_mutex_lock(&lock);
    told++;
    pthread_cond_broadcast(&news);
    pthread_mutex_unlock(&lock);
}

static unsigned looks(void)
{
    static unsigned most; /* 1 more; 0: not known yet */

    if (!most)
        most = (ck_processors() > 1 ? LOOKS : 0) + 1;
    return most - 1;
}

static void pause_a_little(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* Gives the device to other threads until a work has news, at most for so long. */
static void let_others(long nanoseconds)
{
    struct timespec until;
    uint64_t before;
    unsigned held;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += nanoseconds;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    before = told; /* with the device: nobody else can be done before it is released */
    held = device_release();
    for (unsigned i = looks(); i && told == before; i--)
        pause_a_little();
    if (told == before) {
        pthread_mutex_lock(&lock);
        while (told == before && !pthread_cond_timedwait(&news, &lock, &until))
            continue;
        pthread_mutex_unlock(&lock);
    }
    device_retake(held);
}

/* ---- what comes before what -------------------------------------------------------------------------------------- */

static bool is_blocking(const struct stream *s)
{
    return !stream_is_default(s) && !(s->flags & CU_STREAM_NON_BLOCKING);
}

/* Whether a work has to take place before what is put into the stream now. */
static bool is_before(const struct work *w, const struct stream *s, bool is_default, bool blocking)
{
    return w->stream == s || (w->is_default && blocking) || (w->blocking && is_default);
}

static bool is_kernel(const struct operation *op)
{
    return op->kind == OPERATION_KERNEL || op->kind == OPERATION_GRAPH || op->kind == OPERATION_CONDITION ||
           op->kind == OPERATION_VALUE;
}

/* Whether an operation has to wait for a work that was put before. */
static bool has_to_wait(const struct work *w, const struct work *of)
{
    return is_before(w, of->stream, of->is_default, of->blocking) ||
           (of->op.kind == OPERATION_WAIT && w->op.kind == OPERATION_RECORD && w->op.event == of->op.event);
}

/* Whether it has to wait for any of those in front of it. */
static bool is_held(const struct work *of)
{
    for (const struct work *w = later.first; w && w != of; w = w->next)
        if (has_to_wait(w, of))
            return true;
    return false;
}

/* ---- taking place ------------------------------------------------------------------------------------------------ */

static void append(struct work *w)
{
    struct work **at = &later.first;

    while (*at)
        at = &(*at)->next;
    *at = w;
}

static void discard(struct work *w)
{
    for (struct work **at = &later.first; *at; at = &(*at)->next)
        if (*at == w) {
            *at = w->next;
            break;
        }
    if (!w->borrowed)
        operation_free(&w->op);
    free(w->staged);
    free(w);
}

static void *run_apart(void *state) __attribute__((noreturn));

/* Gives a work to a thread that has run one before: making a thread takes longer than an empty kernel. */
static bool hand_over(struct work *w)
{
    bool given;

    pthread_mutex_lock(&lock);
    given = idle && !offered;
    if (given) {
        offered = w;
        pthread_cond_signal(&handed);
    }
    pthread_mutex_unlock(&lock);
    return given;
}

static struct work *next_offered(void)
{
    struct work *w;

    pthread_mutex_lock(&lock);
    idle++;
    pthread_mutex_unlock(&lock);
    for (unsigned i = looks(); i && !offered; i--)
        pause_a_little();
    pthread_mutex_lock(&lock);
    while (!offered)
        pthread_cond_wait(&handed, &lock);
    w = offered;
    offered = NULL;
    idle--;
    pthread_mutex_unlock(&lock);
    return w;
}

/* A process that was forked has none of the threads. */
static void have_no_threads(void)
{
    lock = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
    news = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    handed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    offered = NULL;
    idle = 0;
}

/* Runs a work in a thread of its own; in this one where there is none, and then it waits for nobody. */
static void start(struct work *w)
{
    static bool prepared;
    pthread_attr_t how;
    pthread_t thread;
    int error;

    w->state = RUNS;
    if (hand_over(w))
        return;
    if (!prepared)
        prepared = pthread_atfork(NULL, NULL, have_no_threads) == 0;
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK);
    pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
    error = pthread_create(&thread, &how, run_apart, w);
    pthread_attr_destroy(&how);
    if (error) {
        w->result = operation_run(&w->op);
        w->state = DONE;
    }
}

/* Whether this thread has much of its stack left. Who has one of its own making is not known to have. */
static bool has_stack(void)
{
    static _Thread_local uintptr_t begin, end; /* 0: not known yet */
    const uintptr_t now = (uintptr_t)__builtin_frame_address(0);
    pthread_attr_t how;
    void *at;
    size_t size;

    if (!begin && pthread_getattr_np(pthread_self(), &how) == 0) {
        if (pthread_attr_getstack(&how, &at, &size) == 0) {
            begin = (uintptr_t)at;
            end = begin + size;
        }
        pthread_attr_destroy(&how);
    }
    return now < end && now - begin > STACK_LEFT && now > begin;
}

/* Whether a work runs in the thread of its call. To hand it to another one takes longer than a small kernel. */
static bool runs_here(const struct work *w)
{
    return !is_kernel(&w->op) || (!own && operation_is_alone(&w->op) && has_stack());
}

/* It has taken place, and its call has returned before. */
static void end(struct work *w)
{
    if (w->result != CUDA_SUCCESS && device.error == CUDA_SUCCESS)
        device.error = w->result;
    later.news = device_clock();
    discard(w);
    tell();
}

/* What no longer has to wait takes place. */
static void go_on(void)
{
    struct work *w = later.first;

    while (w) {
        if (w->state != QUEUED || is_held(w)) {
            w = w->next;
            continue;
        }
        if (is_kernel(&w->op)) {
            start(w);
            if (w->state == RUNS) {
                w->state = AWAY;
                w = w->next;
                continue;
            }
        } else {
            w->state = RUNS;
            w->result = operation_run(&w->op);
        }
        end(w);
        w = later.first; /* one in front may have waited for it */
    }
}

/* Seconds of processor time that the other threads of the process have taken. */
static double taken_by_others(void)
{
    struct timespec all, mine;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mine);
    return (double)(all.tv_sec - mine.tv_sec) + 1e-9 * (double)(all.tv_nsec - mine.tv_nsec);
}

static void got_on_now(struct work *w)
{
    w->since = device_clock();
    w->others = taken_by_others();
    w->look = LOOK_FIRST;
}

/* Whether somebody may still write what the kernel waits for. */
static bool may_go_on(const struct work *w)
{
    const double now = device_clock(), still = now - (w->since > later.news ? w->since : later.news);
    const bool busy = taken_by_others() - w->others > busy_part * (now - w->since);

    return !later.waiting || still < (busy ? grace_busy : grace);
}

/* A kernel's threads wait for somebody. The call that has launched it returns. */
static bool outside(bool got_on, void *state)
{
    struct work *w = state;

    if (w->state == RUNS) {
        early_waited();
        w->state = AWAY;
        outside_goes();
        tell();
        got_on = true;
    }
    if (got_on)
        got_on_now(w);
    let_others(w->look);
    w->look = w->look * 2 < LOOK_LAST ? w->look * 2 : LOOK_LAST;
    return may_go_on(w);
}

static void run_one(struct work *w)
{
    device_enter();
    own = w;
    outside_set(outside, w);
    if (w->state == AWAY)
        outside_goes();
    w->result = operation_run(&w->op);
    outside_ends();
    own = NULL;
    if (w->state == AWAY) {
        end(w);
        go_on();
        device_leave();
        return;
    }
    w->state = DONE;
    device_leave(); /* first: whoever waits for the news takes the device */
    tell();
}

static void *run_apart(void *state)
{
    for (struct work *w = state;; w = next_offered())
        run_one(w);
}

/* ---- putting ----------------------------------------------------------------------------------------------------- */

/* A copy from memory that is not the device's is from what it holds now. */
static bool stage(struct work *w)
{
    struct rows *from = &w->op.copy.from;
    const size_t width = w->op.copy.width, height = w->op.copy.height, depth = w->op.copy.depth;

    if (w->op.kind != OPERATION_COPY || memory_of((uint64_t)(uintptr_t)from->at) || !width || !height || !depth)
        return true;
    w->staged = malloc(width * height * depth);
    for (size_t z = 0; w->staged && z < depth; z++)
        for (size_t y = 0; y < height; y++)
            memcpy((unsigned char *)w->staged + (z * height + y) * width, from->at + z * from->slice + y * from->pitch,
                   width);
    *from = (struct rows){ w->staged, width, width * height };
    return w->staged;
}

static CUresult put(struct stream *s, struct operation *op, bool borrowed)
{
    struct work *w = calloc(1, sizeof *w);
    CUresult result;

    if (!w) {
        if (!borrowed)
            operation_free(op);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *w = (struct work){
        .op = *op, .stream = s, .is_default = stream_is_default(s), .blocking = is_blocking(s), .borrowed = borrowed
    };
    op->kind = OPERATION_EMPTY;
    append(w);
    later.news = device_clock();
    if (is_held(w)) {
        if (w->op.kind == OPERATION_KERNEL)
            w->op.launch.dependent = false;
        result = w->op.kind == OPERATION_KERNEL ? launch_refused(&w->op.launch) : CUDA_SUCCESS;
        if (result == CUDA_SUCCESS && !stage(w))
            result = CUDA_ERROR_OUT_OF_MEMORY;
        if (result != CUDA_SUCCESS)
            discard(w);
        early_waited();
        return result;
    }
    w->state = RUNS;
    if (!runs_here(w)) {
        start(w);
        while (w->state == RUNS)
            let_others(LOOK_LAST);
        if (w->state == AWAY)
            return CUDA_SUCCESS;
    } else {
        w->result = operation_run(&w->op);
    }
    result = w->result;
    discard(w);
    go_on();
    return result;
}

CUresult later_put(struct stream *s, struct operation *op)
{
    return put(s, op, false);
}

CUresult later_put_graph(struct stream *s, struct graph *g)
{
    struct operation op = { .kind = OPERATION_GRAPH, .graph = g };

    return put(s, &op, true);
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

bool later_is_left(const struct stream *s)
{
    for (const struct work *w = later.first; w; w = w->next)
        if (w != own && (!s || is_before(w, s, stream_is_default(s), is_blocking(s))))
            return true;
    return false;
}

bool later_is_event_left(const struct event *e)
{
    for (const struct work *w = later.first; w; w = w->next)
        if (w->op.kind == OPERATION_RECORD && w->op.event == e)
            return true;
    return false;
}

void later_wait(const struct stream *s)
{
    later.waiting++;
    while (later_is_left(s))
        let_others(LOOK_LAST);
    later.waiting--;
}

void later_wait_event(const struct event *e)
{
    later.waiting++;
    while (later_is_event_left(e))
        let_others(LOOK_LAST);
    later.waiting--;
}

void later_forget_event(const struct event *e)
{
    for (struct work *w = later.first; w; w = w->next)
        if ((w->op.kind == OPERATION_RECORD || w->op.kind == OPERATION_WAIT) && w->op.event == e)
            w->op.kind = OPERATION_EMPTY;
}
// SPDX-License-Identifier: Apache-2.0
