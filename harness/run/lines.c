/* In which lines of the pool a run's jobs wait. */
#include "harness/run/lines.h"

enum {
    JOBS_MAX = 32, /* workers of one engine */
    /* Contexts that are expected to be lost, on one device. Measured on an H200: a process with a fault takes 0.34 s
     * alone, and 0.14 to 0.19 s for each of four or more at once, as the driver makes and ends contexts in turn. A
     * process that has had a fault gets no other context: cuCtxCreate returns the fault. */
    FAULTS_AT_ONCE = 8,
    /* Of these, while launches go on, where there are several devices. Contexts of different devices are made in turn
     * too, so with more of them the launches wait for the driver: on two H200s a run took 24.8 s with eight, 22 with
     * three, and one of them alone 26 to 31. */
    FAULTS_BESIDE = 3,
    /* Launches at a time, by threads of one process that share a context; two processes on one device would take turns
     * of milliseconds. On an H200 the matrix comes after 8.2 s with three or four of them, 7.2 with six, 7.4 with
     * eight: more only wait for each other in the driver. What measures time comes last in its line and has the device
     * for itself. Launches come first of all: a run waits longest for their contexts. */
    LAUNCHES_AT_ONCE = 6,
    TEXTS_AT_ONCE = 8,   /* workers of a device's engine with texts for the driver's compiler; each has a context */
    WATCHED_AT_ONCE = 4, /* and of those with texts that it may hang at or die of */
    LINES = 8,           /* of an engine, at most */
};

_Static_assert((int)LINES *(int)CK_ENGINES <= (int)CK_POOL_LINES, "an engine's lines of the pool");

struct making {
    struct queues *q;
    const struct batches *b;
    const struct ck_run *run;
    struct ck_pool *pool;
    unsigned jobs;  /* workers of an engine without a device */
    unsigned lines; /* so far */
    bool made;      /* all of these */
};

static bool has_device(const struct making *m, unsigned e)
{
    return m->run->engines[e].ops->one;
}

/* Adds a line; its number. */
static unsigned add(struct making *m, const size_t *tasks, size_t count, unsigned workers)
{
    m->made &= ck_pool_line(m->pool, tasks, count, workers);
    return m->lines++;
}

/* Adds the line of jobs [from, to) of an engine's queue. */
static unsigned add_jobs(struct making *m, unsigned e, size_t from, size_t to, unsigned workers)
{
    const struct queue *q = &m->q->queues[e];

    for (size_t i = from; i < to; i++)
        m->q->jobs[q->jobs[i]].line = m->lines;
    return add(m, q->jobs + from, to - from, workers);
}

/* What needs no device: all jobs of an engine without one; of a device's, texts for the driver's compiler, as that is
 * work of the processors. Rows that are judged together come first. What does on processors what a device does beside
 * it takes those that are left, until the launches that gate are over. */
static void add_texts(struct making *m, unsigned e, unsigned gating)
{
    const struct queue *q = &m->q->queues[e];
    const struct batches *b = m->b;
    const bool device = has_device(m, e), behind = ck_queue_behind(m->run, e);
    const unsigned workers = device && m->jobs > TEXTS_AT_ONCE ? TEXTS_AT_ONCE : m->jobs;
    size_t first = 0, count = 0;

    for (size_t i = b->count; i-- > 0;)
        if (b->all[i].engine == e) {
            first = i;
            count++;
        }
    const unsigned batches = add(m, b->tasks + first, count, workers);
    if (behind)
        ck_pool_line_spare(m->pool, 0, gating - 1, m->jobs);
    add_jobs(m, e, 0, device ? q->texts : q->count, workers);
    ck_pool_line_after(m->pool, batches, batches);
    if (behind)
        ck_pool_line_spare(m->pool, 0, gating - 1, m->jobs);
    if (device)
        add_jobs(m, e, q->plain, q->watched, WATCHED_AT_ONCE);
}

/* Adds a line of an engine's launches [from, to), of which those before `shared` have company; it comes behind the
 * launches before it, and has its context by then. */
static void add_launch_line(struct making *m, unsigned e, size_t from, size_t shared, size_t to, unsigned workers)
{
    const unsigned line = add_jobs(m, e, from, to, workers);

    ck_pool_line_threads(m->pool, LAUNCHES_AT_ONCE, shared - from);
    if (!line)
        return;
    ck_pool_line_after(m->pool, line - 1, line - 1);
    ck_pool_line_early(m->pool);
}

/* The same for all devices: each has one worker, which takes the next launches. What measures time, from `shared` on,
 * keeps away from the last of several devices, where others fault. */
static void add_launches(struct making *m, unsigned e, size_t from, size_t shared, size_t to)
{
    const unsigned devices = m->run->devices;

    if (devices == 1) {
        add_launch_line(m, e, from, shared, to, 1);
        return;
    }
    add_launch_line(m, e, from, shared, shared, devices);
    if (shared < to)
        add_launch_line(m, e, shared, shared, to, devices - 1);
}

bool ck_lines_make(struct queues *q, const struct batches *b, const struct ck_run *run, struct ck_pool *pool)
{
    struct making m = {
        .q = q, .b = b, .run = run, .pool = pool, .jobs = run->jobs < JOBS_MAX ? run->jobs : JOBS_MAX, .made = true
    };

    for (unsigned e = 0; e < run->engine_count; e++)
        if (has_device(&m, e))
            add_launches(&m, e, q->queues[e].texts, q->queues[e].shared, q->queues[e].gates);
    const unsigned gating = m.lines;
    for (unsigned e = 0; e < run->engine_count; e++)
        if (has_device(&m, e))
            add_launches(&m, e, q->queues[e].gates, q->queues[e].observed, q->queues[e].plain);
    const unsigned launches = m.lines;
    for (unsigned e = 0; e < run->engine_count; e++)
        add_texts(&m, e, gating);
    /* Texts that do not gate do not wait as long as what may fault: a driver's compiler that hangs at one would hold up
     * the end. Where there are several devices, what may fault does not wait either. */
    for (unsigned e = 0; e < run->engine_count; e++)
        if (has_device(&m, e)) {
            add_jobs(&m, e, q->queues[e].watched, q->queues[e].count, FAULTS_AT_ONCE);
            if (run->devices > 1)
                ck_pool_line_few(pool, 0, launches - 1, FAULTS_BESIDE);
            else
                ck_pool_line_after(pool, 0, launches - 1);
        }
    return m.made;
}
// SPDX-License-Identifier: Apache-2.0
