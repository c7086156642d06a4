/* Which points run on which engine, and in which order. */
#include "harness/run/queues.h"

#include <stdlib.h>
#include <string.h>

/* In which order jobs of one engine run. The longest begin first, where several run at a time. What may cost the
 * context comes last, so that it costs no other point its company; on a device what gates comes before what only
 * observes, what measures time has the device for itself, and texts that do not gate come late, since its compiler may
 * hang or die of them: those at which it is known to first. Beside a device an engine without one does what does not
 * gate late too. */
enum { SLOW, TEXT, PLAIN, TIMED, SEEN, SEEN_TIMED, WATCHED_SLOW, WATCHED, FAULTS, KINDS };

bool ck_run_has_device(const struct ck_run *run)
{
    for (size_t e = 0; e < run->engine_count; e++)
        if (run->engines[e].ops->one)
            return true;
    return false;
}

unsigned ck_job_device(const struct ck_run *run, const struct job *job, unsigned place)
{
    if (job && !run->engines[job->engine].ops->one)
        return 0;
    return job && !job->point->c->assemble && job->point->faults ? run->devices - 1 : place % run->devices;
}

static int kind_of(const struct ck_engine *e, const struct ck_point *p, bool beside)
{
    const bool device = e->ops->one, seen = !strcmp(ck_point_expected(p), "seen");

    if (p->c->assemble)
        return !device || !seen ? TEXT : p->c->slow ? WATCHED_SLOW : WATCHED;
    if (beside && !device && seen)
        return WATCHED;
    if (p->faults)
        return FAULTS;
    if (device && seen)
        return p->c->timed ? SEEN_TIMED : SEEN;
    if (device)
        return p->c->timed ? TIMED : PLAIN;
    return p->c->slow ? SLOW : PLAIN;
}

bool ck_queue_behind(const struct ck_run *run, unsigned engine)
{
    const struct ck_engine_ops *ops = run->engines[engine].ops;

    return ops->launch && !ops->one && ck_run_has_device(run);
}

/* Whether point i runs on engine e. Each breach that faults costs a device a context, and its engines give the same
 * instructions to the same machine: the first one shows them all, the others one of each kind. */
static bool is_wanted(const struct ck_run *run, size_t e, size_t i)
{
    const struct ck_engine *engine = &run->engines[e];
    const struct ck_point *p = run->points[i];
    bool first = true;

    if (!ck_engine_can(engine, p))
        return false;
    if (!engine->ops->one || !p->faults)
        return true;
    if (run->no_faults)
        return false;
    if (!run->spare || strcmp(ck_point_expected(p), "seen") != 0)
        return true;
    for (size_t k = 0; k < e; k++)
        first &= !run->engines[k].ops->one || !ck_engine_can(&run->engines[k], p);
    return first ? !run->brief || !run->spare[i] : !run->brief && !run->spare[i];
}

size_t ck_run_planned(const struct ck_run *run)
{
    size_t n = 0;

    for (size_t e = 0; e < run->engine_count; e++)
        for (size_t i = 0; i < run->point_count; i++)
            n += is_wanted(run, e, i);
    return n;
}

uint64_t ck_run_plan(const struct ck_run *run)
{
    uint64_t plan = 0;

    for (size_t e = 0; e < run->engine_count; e++)
        for (size_t i = 0; i < run->point_count; i++)
            if (is_wanted(run, e, i))
                plan += ck_record_hash(run->points[i]->name, run->engines[e].name);
    return plan;
}

/* Makes the jobs of an engine. */
static bool make_queue(struct queues *s, const struct ck_run *run, unsigned e)
{
    const struct ck_engine *engine = &run->engines[e];
    struct queue *q = &s->queues[e];
    const bool device = ck_run_has_device(run);
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
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = from; i < s->count; i++)
            if (kind_of(engine, s->jobs[i].point, device) == kind) {
                q->jobs[q->count++] = i;
                q->texts += kind <= TEXT;
                q->shared += kind <= PLAIN;
                q->gates += kind <= TIMED;
                q->observed += kind <= SEEN;
                q->plain += kind <= SEEN_TIMED;
                q->watched += kind <= WATCHED;
            }
    return true;
}

bool ck_queues_make(struct queues *s, const struct ck_run *run)
{
    s->jobs = calloc(ck_run_planned(run) + 1, sizeof *s->jobs);
    if (!s->jobs)
        return false;
    for (unsigned e = 0; e < run->engine_count; e++)
        if (!make_queue(s, run, e))
            return false;
    return true;
}

void ck_queues_free(struct queues *s)
{
    for (size_t e = 0; e < CK_ENGINES; e++)
        free(s->queues[e].jobs);
    free(s->jobs);
}
// SPDX-License-Identifier: Apache-2.0
