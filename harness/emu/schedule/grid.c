/* A grid's clusters by turns: the definition of what a launch does. The rounds of a cluster may have been run before
 * they are taken (spread.c); the result is that of turns on one host thread all the same. */
#include "harness/emu/schedule/schedule.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/code.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/image.h"
#include "harness/emu/machine/spare.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/machine/written.h"
#include "harness/emu/schedule/alone.h"
#include "harness/emu/schedule/cluster.h"
#include "harness/emu/schedule/finder.h"
#include "harness/emu/schedule/idle.h"
#include "harness/emu/schedule/resident.h"
#include "harness/emu/schedule/spread.h"
#include "harness/emu/schedule/stops.h"
#include "harness/emu/schedule/swaps.h"
#include "harness/emu/schedule/turns.h"

/* How far the clock jumps when nothing but time can help, in emulated nanoseconds: at first as far as the shortest
 * sleep takes, or LEAST, so that a wait with a limit does not run out beside a thread that only pauses. Twice as far
 * each time where the threads come to the same states again, or where those that look at a clock have done nothing
 * since; and twice as far for good after so many JUMPS, up to MOST. Beyond FAR, over 70 years, no limit that a program
 * sets to a wait is left. */
static const uint64_t least_jump = 1000, most_jump = 5 * 1000 * 1000, far_away = 1ull << 61;
enum { JUMPS = 512 };

/* A cluster that is resident, and its run. As on a device, many are resident at a time, so that a kernel whose CTAs
 * wait for one another comes to its end. */
struct resident {
    struct emu_cluster cluster;
    struct emu_run run;
    enum emu_stuck how;      /* its last round ended */
    uint64_t clock;          /* then */
    struct emu_ahead *ahead; /* the cluster and its run are there, where it runs ahead; else NULL */
};

static bool over(const struct resident *r)
{
    if (r->ahead)
        return emu_spread_over(r->ahead);
    return !r->cluster.live || r->run.end != EMU_DONE;
}

/* The clusters of a grid that are resident now, and the number of the next one. A few are resident at first, for they
 * take memory; where all of them wait, more begin, up to as many as a device holds. */
struct clusters {
    struct resident **all;
    size_t count, room;
    uint64_t resident, most; /* how many are to be resident; may be */
    uint64_t next, total;
    uint64_t jump, jumped; /* the last jump of the clock; all since the states of threads repeat */
    uint64_t jumps, acts;  /* how many there were; what threads had changed by the last one */
    uint64_t wrote;        /* changes of global memory, when somebody outside the grid was last waited for */
    struct emu_cluster_turns turns;
    struct emu_spread *spread;   /* they run ahead; NULL: they do not */
    struct emu_claimer *claimer; /* through which all of them write, so that it can be put back; NULL: it cannot */
    bool given_up;               /* it is to be: they depend on one another, or there is a doubt */
};

/* Whether the cluster would do again what it did in its last round: its states repeat, and neither global memory nor
 * the clock has changed since. */
static bool stands(const struct resident *r)
{
    return r->how != EMU_HELPED && r->run.repeat.found && r->run.wrote_seen == r->cluster.grid->wrote &&
           r->clock == r->run.clock;
}

static enum emu_stuck round_of(struct clusters *c, struct resident *r)
{
    if (r->ahead) {
        c->given_up |= !emu_spread_round(c->spread, r->ahead);
        return EMU_HELPED;
    }
    if (!stands(r)) {
        r->clock = r->run.clock;
        r->how = emu_cluster_round(&r->cluster, &r->run);
        c->given_up |= c->claimer && atomic_load(c->claimer->given_up);
    }
    return r->how;
}

static uint64_t between(uint64_t low, uint64_t value, uint64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Time passes. False where no time helps any more. */
static bool jump(struct clusters *c)
{
    const uint64_t doublings = c->jumps++ / JUMPS;
    uint64_t first = doublings < 16 ? least_jump << doublings : most_jump, acts = 0, nap = 0;
    bool repeats = true;

    for (size_t i = 0; i < c->count; i++) {
        const struct emu_run *run = &c->all[i]->run;
        repeats &= run->repeat.found;
        acts += emu_acts_counted(run);
        nap = run->nap && (!nap || run->nap < nap) ? run->nap : nap;
    }
    first = nap && (!doublings || nap > first) ? nap : between(0, first, most_jump);
    if (repeats)
        c->jump = between(first, c->jump * 2, far_away);
    else if (nap)
        c->jump = first;
    else
        c->jump = between(first, acts == c->acts ? c->jump * 2 : c->jump / 2, most_jump);
    c->acts = acts;
    c->jumped = repeats ? c->jumped + c->jump : 0;
    if (c->jumped > far_away)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        c->all[i]->run.clock_read = false;
        c->all[i]->run.clock += c->jump;
    }
    return true;
}

/* Whether more clusters are to be resident from now on. */
static bool grow(struct clusters *c)
{
    if (c->next == c->total || c->resident == c->most)
        return false;
    c->resident = c->resident < c->most / 2 ? c->resident * 2 : c->most;
    return true;
}

/* Rounds of each resident cluster, as its turn comes, until one is over. False where none can go on. */
static bool rounds(const struct emu_grid *g, struct clusters *c)
{
    bool helped = false, time = false;

    emu_turns_of_clusters(g, &c->turns, c->count);
    for (size_t k = 0; k < c->count; k++) {
        unsigned more;
        struct resident *r = c->all[emu_turns_cluster(g, &c->turns, k, &more)];
        enum emu_stuck how = EMU_HELPED;
        for (; more && how == EMU_HELPED; more--) {
            how = round_of(c, r);
            helped |= how == EMU_HELPED;
            time |= how == EMU_TIME;
            if (c->given_up || over(r))
                return true;
            if (r->run.quiet > EMU_GOES_ROUND)
                break; /* it may wait for the others */
        }
    }
    for (size_t i = 0; i < c->count && !helped; i++)
        if (emu_turns_release(&c->all[i]->cluster, true)) {
            c->all[i]->how = EMU_HELPED;
            helped = true;
        }
    return helped || grow(c) || (time && jump(c));
}

/* A cluster is over. The clock's jumps do not go on doubling over cluster after cluster that waits for time: a program
 * that looks at 32 bits of the clock would see none of a jump over 2^32. */
static void finish(struct clusters *c, size_t k, struct emu_report *report)
{
    c->jump = between(0, c->jump, most_jump);
    c->jumped = 0;
    if (c->all[k]->ahead)
        emu_spread_drop(c->spread, c->all[k]->ahead, report);
    else
        emu_cluster_finish(&c->all[k]->cluster, &c->all[k]->run, report);
    free(c->all[k]);
    c->count--;
    c->all[k] = c->all[c->count];
}

static void end_without_memory(struct emu_report *report)
{
    report->end = EMU_NO_MEMORY;
    snprintf(report->message, sizeof report->message, "out of memory");
}

/* Makes clusters as long as there is room for them on the device. */
static void fill_up(struct emu_grid *g, struct clusters *c, struct emu_image *image, const struct emu_code *code,
                    struct emu_report *report)
{
    for (; c->next < c->total && c->count < c->resident && report->end == EMU_DONE; c->next++) {
        struct resident **all = ck_room(c->all, c->count, &c->room, 64, sizeof *all), *r;
        c->all = all ? all : c->all;
        r = all ? calloc(1, sizeof *r) : NULL;
        if (!r) {
            end_without_memory(report);
            return;
        }
        c->all[c->count] = r;
        c->count++;
        if (c->spread) {
            r->ahead = emu_spread_next(c->spread);
            c->given_up |= !r->ahead;
        } else if (!emu_cluster_begin(g, image, code, c->next, &r->cluster, &r->run)) {
            finish(c, c->count - 1, report);
        } else if (c->claimer) {
            emu_claims_begin(&r->run, c->claimer, 0);
            r->run.granted = true;
        }
    }
}

/* Whether a thread goes round a loop: it looks at memory, and perhaps at a clock. */
static bool goes_round(const struct emu_thread *t)
{
    return t->state != EMU_EXITED &&
           (t->wait == EMU_WAIT_MEMORY || t->wait == EMU_WAIT_SLEEP || t->wait == EMU_WAIT_NONE);
}

static bool some_go_round(const struct clusters *c)
{
    for (size_t i = 0; i < c->count; i++)
        for (uint32_t k = 0; k < c->all[i]->cluster.cta_count; k++) {
            const struct emu_cta *cta = &c->all[i]->cluster.ctas[k];
            for (uint32_t n = 0; n < cta->thread_count; n++)
                if (goes_round(&cta->threads[n]))
                    return true;
        }
    return false;
}

/* No cluster can go on. Whether one may from now on, because others write global memory: the limits begin anew. */
static bool wait_outside(struct emu_grid *g, struct clusters *c)
{
    const struct emu_options *o = &g->machine->options;

    if (!o->outside || c->spread || c->claimer || !some_go_round(c) ||
        !o->outside(g->wrote != c->wrote, o->outside_state))
        return false;
    c->wrote = ++g->wrote;
    c->jump = c->jumped = 0;
    emu_idle_reset(g->idle);
    for (size_t i = 0; i < c->count; i++)
        c->all[i]->run.quiet = c->all[i]->run.quiet_waits = 0;
    return true;
}

/* No cluster can go on: the first of them ends as a deadlock, and the others with it. */
static void end_stuck(struct clusters *c)
{
    struct emu_cluster **all = calloc(c->count, sizeof *all);
    const struct emu_standstill still = { .clusters = all, .count = c->count, .not_begun = c->total - c->next };
    struct emu_run *run = &c->all[0]->run;

    for (size_t i = 0; all && i < c->count && run->end == EMU_DONE; i++) {
        all[i] = &c->all[i]->cluster;
        emu_cluster_observe(all[i], &c->all[i]->run);
        run = c->all[i]->run.end != EMU_DONE ? &c->all[i]->run : run;
    }
    if (run->end == EMU_DONE) { /* no finding has ended it */
        run->end = EMU_DEADLOCK;
        snprintf(run->message, sizeof run->message, "deadlock: no thread can go on");
        emu_file_into(&run->findings);
        if (all && all[0]->watch)
            all[0]->watch->stuck(&still, run->message, sizeof run->message);
    }
    free(all);
}

static void run_by_turns(struct emu_grid *g, struct clusters *c, struct emu_image *image, const struct emu_code *code,
                         struct emu_report *report)
{
    while (report->end == EMU_DONE && (c->next < c->total || c->count)) {
        fill_up(g, c, image, code, report);
        if (report->end == EMU_DONE && c->count && !c->given_up && !rounds(g, c) && !wait_outside(g, c)) {
            c->given_up = c->claimer != NULL;
            if (!c->claimer)
                end_stuck(c);
        }
        if (c->given_up)
            return;
        for (size_t i = 0; i < c->count;) {
            if (over(c->all[i]))
                finish(c, i, report); /* another one is at i now */
            else
                i++;
        }
    }
    while (c->count) { /* a finding, or the lack of memory, ended the grid */
        c->all[c->count - 1]->run.end = report->end;
        finish(c, c->count - 1, report);
    }
}

/* All is put back, and begins again. */
static void begin_again(const struct emu_grid *g, struct emu_report *report)
{
    *report = (struct emu_report){ .jobs = 1, .in_vain = true, .end = EMU_DONE };
    emu_idle_reset(g->idle);
    if (g->machine->options.progress)
        atomic_store(&g->machine->options.progress->clusters, 0);
    if (g->machine->options.swaps)
        emu_swaps_begin(g->machine->options.swaps);
}

/* Runs the clusters ahead of their turns; false where that cannot be, and nothing has been done. light: as in spread.h;
 * false there where nothing has to be run again for its sake. */
static bool run_ahead(struct emu_grid *g, struct emu_image *image, const struct emu_code *code, uint64_t total,
                      struct emu_report *report, bool *light)
{
    struct clusters c = { .total = total, .resident = emu_first_resident(g), .most = emu_first_resident(g) };

    c.spread = emu_spread_begin(g, image, code, total, c.resident, *light);
    *light &= c.spread != NULL;
    if (!c.spread)
        return false;
    run_by_turns(g, &c, image, code, report);
    while (c.count)
        free(c.all[--c.count]);
    free(c.all);
    if (emu_spread_end(c.spread, report, light) && report->end == EMU_DONE)
        return true;
    begin_again(g, report);
    return false;
}

/* By turns, watched by the light judge. False where there is a doubt, or it cannot be: then nothing has been done. */
static bool run_lightly(struct emu_grid *g, struct emu_image *image, const struct emu_code *code, uint64_t total,
                        struct emu_report *report)
{
    struct emu *e = g->machine;
    const size_t findings = e->findings.count;
    const struct emu_written_mark values = emu_written_mark(e);
    atomic_bool given_up = false, atomics = false, doubted = false;
    struct emu_claimer claimer = { .given_up = &given_up, .atomics = &atomics, .doubted = &doubted };
    struct clusters c = { .total = total, .resident = emu_first_resident(g), .most = emu_most_resident(g) };
    struct emu_grid own = *g;
    bool fine;

    if (total >= UINT16_MAX || e->memory > e->options.max_memory / 2 || e->options.by_turns || !emu_claims_make(e)) {
        emu_claims_free(e);
        return false;
    }
    c.claimer = &claimer;
    own.watch = g->light;
    own.in_turns = true;
    own.watch->grid_begin(&own);
    c.given_up = !own.together;
    run_by_turns(&own, &c, image, code, report);
    fine = report->end == EMU_DONE && !c.given_up && !atomic_load(&given_up) && e->findings.count == findings;
    while (c.count) {
        struct emu_report none = { .end = EMU_DONE };
        c.all[c.count - 1]->run.end = EMU_FAULTED; /* nobody will see it */
        finish(&c, c.count - 1, &none);
    }
    free(c.all);
    if (fine)
        own.watch->grid_ran(&own);
    own.watch->grid_end(&own);
    if (!fine) {
        emu_claimer_put_back(&claimer);
        e->findings.count = findings;
        emu_written_back(e, values);
        begin_again(g, report);
    }
    emu_claimer_free(&claimer);
    emu_claims_free(e);
    return fine;
}

/* It was in vain so many times in a row; launches that are to come without it, twice as many each time. */
static uint32_t once_more(uint32_t *times)
{
    enum { MOST = 10 };

    *times += *times < MOST;
    return (2u << *times) - 2;
}

/* A launch of the kernel begins: what earlier ones were run in vain for may be no doubt any more. */
static void begin_lightly(const struct emu_grid *g, struct emu_code *kernel)
{
    const bool unused = g->machine->options.unused;

    if (unused && !kernel->unused)
        kernel->doubts = kernel->heavy = 0;
    kernel->unused = unused;
    atomic_store(&g->machine->lets_begin, false);
}

/* Whether the light judge is to watch this launch. */
static bool is_light(const struct emu_grid *g, const struct emu_code *kernel)
{
    return g->light && !kernel->heavy;
}

/* Whether the clusters are to take turns at once: they have met in the kernel's last launches, or synchronise as a
 * grid.
 */
static bool will_meet(const struct emu_grid *g, const struct emu_code *kernel)
{
    return kernel->apart || (g->workspace && g->wants_workspace);
}

/* Instructions of a turn in a launch that is judged. */
static int turn_of(const struct emu_options *o)
{
    return o->evenly && o->check_order && !o->unwatched ? EMU_SHORT_TURN : EMU_TURN;
}

/* Ahead of their turns, with the light judge where that was not in vain lately; or by turns with it. False: nothing has
 * been done. */
static bool run_quickly(struct emu_grid *g, struct emu_image *image, const struct emu_code *code, uint64_t total,
                        struct emu_report *report)
{
    struct emu_code *kernel = image->code[code->function - image->module->functions];
    const bool apart = g->light && will_meet(g, kernel);
    bool tries, light, fine, meets = apart;

    begin_lightly(g, kernel);
    tries = light = is_light(g, kernel);
    g->turn = tries ? EMU_TURN : g->turn;
    fine = !apart && run_ahead(g, image, code, total, report, &light);
    kernel->heavy -= kernel->heavy != 0;
    kernel->apart -= kernel->apart != 0;
    if (!fine && g->light && !light && report->in_vain) {
        kernel->apart = once_more(&kernel->meets);
        meets = true;
    } else if (fine) {
        kernel->meets = 0;
    }
    if (meets && tries) {
        fine = run_lightly(g, image, code, total, report);
        light = !fine;
    }
    if (fine) {
        kernel->doubts = tries ? 0 : kernel->doubts;
        report->untraced = tries && atomic_load(&g->machine->lets_begin);
        return true;
    }
    if (!light)
        return false;
    kernel->heavy = once_more(&kernel->doubts);
    light = false;
    g->turn = turn_of(&g->machine->options);
    *report = (struct emu_report){ .jobs = 1, .in_vain = report->in_vain, .end = EMU_DONE };
    return !meets && run_ahead(g, image, code, total, report, &light);
}

enum emu_end emu_schedule_grid(struct emu_grid *g, struct emu_image *image, struct emu_report *report)
{
    const struct emu_code *code = emu_code_of(image, (uint32_t)(g->entry - g->module->functions));
    const uint32_t size = g->cluster_dim[0] * g->cluster_dim[1] * g->cluster_dim[2];
    const uint64_t total = (uint64_t)g->dim[0] * g->dim[1] * g->dim[2] / size;
    const struct emu_options *o = &g->machine->options;
    struct clusters c = { .total = total };
    const bool between = o->turns == EMU_TURNS_SWAPPED && o->swap->first.cluster != o->swap->second.cluster;
    const bool alone = o->turns == EMU_TURNS_ALONE && o->found->global;
    const bool stops = o->turns == EMU_TURNS_STOPS;
    struct emu_gate gate = { 0 };
    struct emu_stops stop;

    g->spare = g->machine->spare;
    g->turn = turn_of(o);
    if (alone)
        g->gate = &gate;
    if (stops) {
        emu_stops_draw(&stop, g);
        g->stops = &stop;
    }
    report->jobs = 1;
    report->end = EMU_DONE;
    g->idle = emu_idle_take(g->machine);
    if (!code || !g->idle) {
        end_without_memory(report);
    } else if (between || alone || stops || !run_quickly(g, image, code, total, report)) {
        c.resident = alone || stops ? emu_most_resident(g) : emu_first_resident(g);
        c.most = emu_most_resident(g);
        run_by_turns(g, &c, image, code, report);
        free(c.all);
    }
    report->settled = code && size == 1 && emu_code_is_orderly(code) && o->check_order && !o->unwatched &&
                      !report->forgot && !report->lost;
    g->gate = NULL;
    g->stops = NULL;
    g->spare = NULL;
    emu_spare_trim(g->machine->spare, EMU_SPARE_KEPT);
    if (o->swaps)
        emu_swaps_end(o->swaps, total);
    emu_idle_give(g->machine, g->idle);
    g->idle = NULL;
    return report->end;
}
// SPDX-License-Identifier: Apache-2.0
