/* Which points run on which engine, in which order, and in which lines of the pool. */
#include "harness/run/queues.h"

#include <stdlib.h>

enum {
    JOBS_MAX = 32, /* workers of one engine */
    /* Contexts that are expected to be lost, on one device. Measured on an H200: a process with a fault takes 0.34 s
     * alone, and 0.19 s for each of four at once; more at once gain nothing, as the driver makes contexts in turn. */
    FAULTS_AT_ONCE = 4,
    TEXTS_AT_ONCE = 8, /* workers of a device's engine with texts for the driver's compiler; each has a context */
};

_Static_assert(3 * (int)CK_ENGINES <= (int)CK_POOL_LINES, "each engine has up to three lines of the pool");

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
static bool add_line(struct ck_pool *pool, unsigned *lines, const struct queue *q, size_t from, size_t to,
                     unsigned workers)
{
    (*lines)++;
    return ck_pool_line(pool, q->jobs + from, to - from, workers);
}

/* Makes the lines of the pool. An engine without a device has one. Of a device's engines, texts for the driver's
 * compiler are a line, as that is work of the processors; launches are one each, one worker after the other, since two
 * processes on one device take turns of milliseconds; those that may fault follow when all this is over. */
static bool make_lines(struct queues *s, const struct ck_run *run, struct ck_pool *pool)
{
    const unsigned jobs = run->jobs < JOBS_MAX ? run->jobs : JOBS_MAX;
    unsigned lines = 0, launches = 0;

    for (unsigned e = 0; e < run->engine_count; e++) {
        struct queue *q = &s->queues[e];
        const bool device = run->engines[e].ops->one;
        if (!add_line(pool, &lines, q, 0, device ? q->texts : q->count,
                      device && jobs > TEXTS_AT_ONCE ? TEXTS_AT_ONCE : jobs))
            return false;
        q->line = lines - 1;
    }
    const unsigned first = lines;
    for (unsigned e = 0; e < run->engine_count; e++) {
        struct queue *q = &s->queues[e];
        if (!run->engines[e].ops->one)
            continue;
        if (!add_line(pool, &lines, q, q->texts, q->plain, 1))
            return false;
        q->line = lines - 1;
        if (launches++)
            ck_pool_line_after(pool, lines - 2, lines - 2);
    }
    const unsigned last = lines - 1;
    for (unsigned e = 0; e < run->engine_count; e++) {
        const struct queue *q = &s->queues[e];
        if (!run->engines[e].ops->one)
            continue;
        if (!add_line(pool, &lines, q, q->plain, q->count, FAULTS_AT_ONCE))
            return false;
        ck_pool_line_after(pool, first, last);
        s->late += q->count - q->plain;
    }
    return true;
}

/* Makes the jobs of an engine. */
static bool make_queue(struct queues *s, const struct ck_run *run, unsigned e)
{
    const struct ck_engine *engine = &run->engines[e];
    struct queue *q = &s->queues[e];
    const size_t from = s->count;

    q->jobs = calloc(run->point_count + 1, sizeof *q->jobs);
    if (!q->jobs)
        return false;
    for (size_t i = 0; i < run->point_count; i++) {
        if (!is_wanted(run, e, i) || (run->done && run->done(run->context, run->points[i]->name, engine->name)))
            continue;
        s->jobs[s->count] = (struct job){ .point = run->points[i], .engine = e };
        s->count++;
    }
    /* What may cost the context comes last, so that it costs no other point its company. */
    for (int turn = 0; turn < 3; turn++)
        for (size_t i = from; i < s->count; i++) {
            const struct ck_point *p = s->jobs[i].point;
            if ((p->faults ? 2 : p->c->assemble ? 0 : 1) != turn)
                continue;
            q->texts += turn == 0;
            q->plain += turn < 2;
            q->jobs[q->count++] = i;
        }
    return true;
}

bool ck_queues_make(struct queues *s, const struct ck_run *run, struct ck_pool *pool)
{
    s->jobs = calloc(ck_run_planned(run) + 1, sizeof *s->jobs);
    if (!s->jobs)
        return false;
    for (unsigned e = 0; e < run->engine_count; e++)
        if (!make_queue(s, run, e))
            return false;
    return make_lines(s, run, pool);
}

void ck_queues_free(struct queues *s)
{
    for (size_t e = 0; e < CK_ENGINES; e++)
        free(s->queues[e].jobs);
    free(s->jobs);
}
