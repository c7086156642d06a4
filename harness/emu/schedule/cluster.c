/* A cluster, thread by thread: which one runs next, and what happens when none can.
 *
 * The threads of a cluster take turns of a fixed number of instructions. A thread that waits for another thread or for
 * an asynchronous operation is blocked, and is called again at the same instruction when something has changed. A wait
 * that the program itself repeats looks the same from here: of a loop of test_wait the handler says that it polled in
 * vain, and any other loop that goes round without effect is found by around.c; such a thread rests. When every thread
 * is blocked or rests, asynchronous operations are delivered. When none is in flight either, the clock jumps, so that a
 * bounded loop runs out. When the threads' states repeat and no clock can change that, it is a deadlock.
 *
 * A loop that counts its tries, or changes memory each time, never rests. So that a thread that waits for a copy does
 * not starve beside it, a copy lands at the latest after a number of rounds. */
#include "harness/emu/schedule/cluster.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/copies/deliver.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/schedule/around.h"
#include "harness/emu/schedule/finder.h"
#include "harness/emu/schedule/idle.h"
#include "harness/emu/schedule/making.h"
#include "harness/emu/schedule/tried.h"
#include "harness/emu/schedule/turns.h"
#include "harness/emu/schedule/window.h"

/* Rounds that a poller rests while others run on and nothing that it may wait for happens; rounds in a row in which
 * nothing changed, or in which none landed, after which a copy in flight does. */
enum { REST = 64, QUIET_ROUNDS = 32, HELD_ROUNDS = 256 };

/* Once a cluster goes round, and has executed so much for each of its threads without any change, they have turns of
 * another length, so that one that only counts gets to an end: in instructions. What a round is counted as beside them.
 */
enum { QUIET_THREAD = 1 << 13, QUIET_TURN = 1 << 24, ROUND_COST = 64 };

/* What a turn of a thread takes beside its instructions, in additions; more where memory costs more: idle.c. */
enum { TURN_COST = 6 };

/* Rounds in which it is noted where threads go round that have reached a limit; and how many more there are at most, in
 * which those that ask mbarriers, and do other things in between, are seen to ask all at once. */
enum { SHOWN_ROUNDS = 4, ASKING_ROUNDS = 64 };

/* How often threads that look at a clock go on before it jumps: one that polls once between two looks is quick. */
enum { PATIENCE = 4 };

/* Whether the cluster has been quiet for so long that its turns have another length. */
static bool has_long_turns(const struct emu_cluster *c)
{
    return c->run->quiet >= EMU_GOES_ROUND + (uint64_t)emu_threads_of(c) * QUIET_THREAD;
}

/* ---- running ------------------------------------------------------------------------------------------------------
 */

/* Executes instructions of a thread that is not watched, up to so many of its steps. */
static void execute_plainly(struct emu_thread *t, uint64_t end)
{
    struct emu_run *run = emu_run_of(t);
    const uint64_t acts = emu_acts(run, t);

    while (t->steps < end && !t->rests) {
        const struct emu_op *op = t->pc;
        t->pc++;
        t->steps++;
        if (op->guard == EMU_NO || (t->r[op->guard] != 0) != op->guard_not)
            op->run(t, op);
    }
    if (emu_acts(run, t) != acts || t->ahead_acts)
        emu_around_acted(t);
}

/* Executes a thread's instructions up to the end of its turn. */
static void execute(struct emu_thread *t, uint64_t end)
{
    while (t->steps < end && !t->rests) {
        const uint64_t until = emu_around_until(t);
        if (until > t->steps && emu_around_turn(t, until < end ? until : end))
            continue;
        const uint64_t from = emu_around_from(t);
        execute_plainly(t, from < end ? from : end);
    }
}

/* Whether an op changes or reads nothing that other threads may see. */
static inline bool is_own(const struct emu_op *op)
{
    if (op->together == EMU_APART || op->together == EMU_PRIVATE)
        return !op->sync && (op->space == PTX_const || op->space == PTX_local || op->space == PTX_param);
    return op->together == EMU_PURE || op->together == EMU_BRANCH || op->together == EMU_FRAME;
}

/* The same as execute, up to behind the first instruction that is not the thread's own. */
static void execute_step(struct emu_thread *t, uint64_t end)
{
    bool own = true;

    while (own && t->steps < end && !t->rests) {
        const struct emu_op *op = t->pc;
        own = is_own(op) || (op->guard != EMU_NO && (t->r[op->guard] != 0) == op->guard_not);
        if (emu_around_until(t) <= t->steps || !emu_around_turn(t, t->steps + 1))
            execute_plainly(t, t->steps + 1);
    }
}

/* Whether lanes go on step by step. */
static bool goes_in_step(const struct emu_cluster *c)
{
    return c->grid->machine->options.in_step && !c->turns && !c->run->observed && !has_long_turns(c);
}

/* Whether a thread is watched at its next instruction, and up to which of its steps that stays so if it has no effect.
 */
struct glance {
    uint64_t until, quiet_since;
    bool watched;
};

static struct glance glance_at(const struct emu_thread *t, uint64_t steps)
{
    const uint64_t until = emu_around_until_at(t, steps);
    const bool watched = until > steps;

    return (struct glance){ watched ? until : emu_around_from_at(t, steps), t->quiet_since, watched };
}

/* Executes instructions of a thread that is not watched, up to one of its steps or to an operation that somebody asks
 * about. Whether the thread can go on. */
static bool execute_unasked(struct emu_thread *t, uint64_t end)
{
    while (t->steps < end && !t->rests) {
        const struct emu_op *op = t->pc;
        const bool runs = op->guard == EMU_NO || (t->r[op->guard] != 0) != op->guard_not;
        if (runs && op->sync)
            return true;
        t->pc++;
        t->steps++;
        if (runs)
            op->run(t, op);
    }
    return !t->rests;
}

/* The same where somebody asks about the operations by which threads synchronise. `parked`: the first of them has been
 * asked about. */
static void execute_asked(struct emu_thread *t, uint64_t end, bool parked)
{
    const struct emu_cluster *c = t->cta->cluster;
    const bool each = parked || c->turns || c->run->probed;
    struct glance glance = glance_at(t, t->steps + 1);

    while (t->steps < end && !t->rests) {
        if (!each && !glance.watched && t->steps + 1 < glance.until) {
            const uint64_t until = glance.until - 1;
            if (!execute_unasked(t, until < end ? until : end) || t->steps == end)
                return;
        }
        const struct emu_op *op = t->pc;
        const bool runs = op->guard == EMU_NO || (t->r[op->guard] != 0) != op->guard_not;
        const bool asked = runs && op->sync;
        if (asked && !parked && c->turns && !emu_turns_begins(t, op))
            return;
        if (asked && !parked && c->finder)
            emu_finder_before(t, op);
        if (runs && !asked && c->turns)
            emu_turns_passes(t, op);
        parked = false;
        t->pc++;
        t->steps++;
        if (t->cta->cluster->run->probed)
            emu_idle_probe(t, op);
        if (t->steps >= glance.until || t->quiet_since != glance.quiet_since)
            glance = glance_at(t, t->steps);
        if (glance.watched)
            emu_around_step(t, op, runs);
        else if (runs)
            op->run(t, op);
        if (asked && c->turns)
            emu_turns_ended(t);
        if (asked && c->finder)
            emu_finder_after(t, op);
    }
}

/* The turn of run->turn, or the rest of it after its cluster was parked. Returns whether it executed anything that it
 * had not tried in vain before. */
static bool rest_of_turn(struct emu_run *run, bool parked)
{
    struct emu_thread *const t = run->turn;
    uint64_t steps;

    if (t->cta->cluster->asked || run->observed || run->probed)
        execute_asked(t, run->turn_ends, parked);
    else if (goes_in_step(t->cta->cluster))
        execute_step(t, run->turn_ends);
    else
        execute(t, run->turn_ends);
    if (t->ahead_acts)
        emu_around_acted(t);
    if (t->wait == EMU_WAIT_TURN) {
        t->state = EMU_READY;
        t->wait = EMU_WAIT_NONE;
        run->met = true;
    }
    steps = t->steps - run->turn_began;
    run->instructions += steps;
    run->heavy += run->passes ? 0 : TURN_COST + run->cost_of_memory;
    run->turn = NULL;
    if (emu_acts(run, t) != run->turn_acts)
        t->quiet_since = t->steps;
    if (!steps || (t->polled && !t->went_on) || (t->state == EMU_BLOCKED && steps <= 1))
        return false; /* one more round of a loop that only polls, one more try */
    t->hashed = false;
    return true;
}

/* A thread's turn of so many instructions at most. */
static bool turn(struct emu_thread *t, struct emu_run *run, int length)
{
    run->turn = t;
    run->turn_began = t->steps - t->ahead;
    run->turn_acts = emu_acts_counted(run);
    run->probed = emu_idle_probes(t->cta->cluster);
    if (goes_in_step(t->cta->cluster) && (run->probed || t->cta->cluster->asked))
        length = (int)t->ahead + 1;
    run->turn_ends = run->turn_began + (uint64_t)length;
    t->ahead = 0;
    if (run->probed)
        emu_idle_turn(run, t);
    return rest_of_turn(run, false);
}

/* The shortest time that a thread sleeps, in nanoseconds, at least 1; 0: none does. */
static uint64_t shortest_sleep(const struct emu_cluster *c)
{
    uint64_t shortest = 0;

    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            const struct emu_thread *t = &c->ctas[i].threads[k];
            const uint64_t ns = t->wait_a ? t->wait_a : 1;
            if (t->state == EMU_BLOCKED && t->wait == EMU_WAIT_SLEEP && (!shortest || ns < shortest))
                shortest = ns;
        }
    return shortest;
}

/* No thread of the cluster can go on. What helps: a copy that lands; time; going round once more, unless that has been
 * seen to change nothing. */
static enum emu_stuck stuck(struct emu_cluster *c, struct emu_run *run)
{
    if (emu_async_deliver(c, true))
        return EMU_HELPED;
    emu_around_compare(c);
    run->nap = shortest_sleep(c);
    if (run->repeat.found)
        return run->repeat.by_time ? EMU_TIME : EMU_STUCK;
    if (!run->nap && (!run->clock_read || run->patience++ < PATIENCE))
        return EMU_HELPED;
    run->patience = 0;
    return EMU_TIME;
}

static void wake_all(struct emu_cluster *c)
{
    c->run->resting = false;
    for (uint32_t i = 0; i < c->cta_count; i++) {
        const struct emu_thread *end = c->ctas[i].threads + c->ctas[i].thread_count;
        for (struct emu_thread *t = c->ctas[i].threads; t < end; t++) {
            t->polled = false;
            if (t->state == EMU_BLOCKED && t->wait != EMU_WAIT_WARP)
                t->state = EMU_READY;
        }
    }
}

/* Memory has changed: threads that go round look at it again. */
static void wake_resting(struct emu_cluster *c)
{
    if (!c->run->resting)
        return;
    c->run->resting = false;
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            struct emu_thread *t = &c->ctas[i].threads[k];
            t->polled &= t->wait != EMU_WAIT_MEMORY;
        }
}

/* How long a turn is that would be of this length if the cluster had not been quiet for long. The turns of a round go
 * beyond a limit by no more than that. */
static int turn_of(const struct emu_cluster *c, int length)
{
    const struct emu_options *o = &c->grid->machine->options;
    const uint64_t done = c->run->instructions - c->run->round_began, quiet = c->run->quiet + done;
    const uint64_t all = c->grid->executed + done;
    uint64_t left = QUIET_TURN;

    if (!has_long_turns(c))
        return length;
    left = quiet < o->max_quiet && o->max_quiet - quiet < left ? o->max_quiet - quiet : left;
    left = all < o->max_instructions && o->max_instructions - all < left ? o->max_instructions - all : left;
    return quiet >= o->max_quiet || all >= o->max_instructions || left < (uint64_t)length ? length : (int)left;
}

static bool can_go_on(const struct emu_thread *t)
{
    return (t->state == EMU_READY && !t->polled) || t->ahead;
}

/* Turns of all warps in order, or backwards, the lanes of each in order; behind a thread, or from the first one on.
 * Where lanes go on step by step (options.in_step), a turn ends behind the first instruction that others may see, and
 * they have more turns before the next warp has any. */
static void turns_of_warps(struct emu_cluster *c, struct emu_run *run, const struct emu_thread *behind)
{
    const uint32_t warps = emu_warps_of(c->ctas[0].thread_count), all = warps * c->cta_count;
    const bool backwards = c->grid->machine->options.turns == EMU_TURNS_REVERSED;
    const bool together = !run->observed && !has_long_turns(c), step = goes_in_step(c);
    uint32_t k = 0, lane = 0;

    if (!behind) {
        run->met = run->stepped = false;
        run->again = 0;
        run->passes = false;
        run->warp_began = run->instructions;
    } else {
        k = behind->cta->rank * warps + behind->warp;
        k = backwards ? all - 1 - k : k;
        lane = behind->lane + 1;
    }
    while (k < all) {
        const uint32_t warp = backwards ? all - 1 - k : k;
        struct emu_thread *lanes = &c->ctas[warp / warps].threads[warp % warps * EMU_WARP];
        const struct emu_thread *end = emu_warp_end(lanes);
        bool begins = together;
        for (struct emu_thread *t = lanes + lane; t < end; t++) {
            if (!can_go_on(t))
                continue;
            if (begins && emu_window_turns(t, (uint64_t)c->grid->turn))
                break;
            if (can_go_on(t))
                run->stepped |= turn(t, run, turn_of(c, c->grid->turn));
            run->moved |= run->stepped;
            begins = together && run->completed;
        }
        lane = 0;
        k += !emu_turns_again(run, step, c->grid->turn);
    }
}

/* A turn for each thread that can go on; behind the thread that the cluster was parked at, where it was. */
static void turns(struct emu_cluster *c, struct emu_run *run)
{
    const struct emu_thread *parked = run->turn;
    bool this = parked && rest_of_turn(run, true);
    struct emu_thread *t;
    int length;

    if (!parked)
        run->moved = false;
    run->moved |= this;
    if (!c->turns) {
        turns_of_warps(c, run, parked);
        return;
    }
    if (!parked)
        emu_turns_round(c);
    while ((t = emu_turns_next(c, this, &length))) {
        this = can_go_on(t) && turn(t, run, turn_of(c, length));
        run->moved |= this;
    }
}

/* Whether each thread that has not ended asks an mbarrier in vain or stands at a barrier, and nothing is in flight. Who
 * counts its tries never rests, and would give up in the end; what it waits for does not come all the same. */
static bool all_wait_within(const struct emu_cluster *c)
{
    bool asks = false;

    if (c->flights && c->flights->first)
        return false;
    for (uint32_t i = 0; i < emu_threads_of(c); i++) {
        const struct emu_thread *t = emu_thread_at(c, i);
        const bool stands = t->state == EMU_BLOCKED &&
                            (t->wait == EMU_WAIT_BARRIER || t->wait == EMU_WAIT_CLUSTER || t->wait == EMU_WAIT_WARP);
        if (t->state == EMU_EXITED || stands)
            continue;
        if (t->wait != EMU_WAIT_MBARRIER || !(t->state == EMU_BLOCKED || t->polled))
            return false;
        asks = true;
    }
    return asks;
}

/* Ends the grid where a limit is reached. The message says which threads go round: each has a few more turns, in
 * which that is noted. Where they wait for one another within the cluster, it is a deadlock. */
static bool reached_limit(struct emu_cluster *c, struct emu_run *run)
{
    char who[160] = "", which[200];

    if (!emu_idle_limit(c, which, sizeof which))
        return false;
    if (!run->claimer) { /* else the run is given up, and nobody sees the message */
        emu_around_observe(c);
        run->quiet = 0;
        for (int i = 0; i < SHOWN_ROUNDS && !run->turn; i++) {
            wake_all(c);
            turns(c, run);
        }
        emu_around_words(c, who, sizeof who);
        for (int i = 0; i < ASKING_ROUNDS && run->end == EMU_DONE && !run->turn && !all_wait_within(c); i++) {
            wake_all(c);
            turns(c, run);
        }
        if (run->end == EMU_DONE && !run->turn && c->watch && all_wait_within(c)) {
            run->end = EMU_DEADLOCK;
            c->watch->stuck(&(struct emu_standstill){ .clusters = &c, .count = 1 }, run->message, sizeof run->message);
            return true;
        }
    }
    run->end = EMU_TOO_LONG;
    snprintf(run->message, sizeof run->message, "%.60s: %s%s%s", c->grid->entry->name, which, *who ? "; " : "", who);
    return true;
}

static void begin_round(struct emu_cluster *c, struct emu_run *run)
{
    run->meets = false;
    run->round_began = run->instructions;
    run->round_acts = emu_acts_counted(run);
    run->round_wrote = run->wrote;
    if (run->stuck)
        wake_all(c);
}

/* The turns of a round have ended: what they changed, and how long nothing has. */
static void count_round(struct emu_cluster *c, struct emu_run *run)
{
    const uint64_t more = run->instructions - run->round_began;
    struct emu_progress *progress = c->grid->machine->options.progress;

    c->grid->executed += more;
    run->quiet_waits += emu_idle_round(c, more);
    if (progress)
        atomic_fetch_add_explicit(&progress->instructions, more, memory_order_relaxed);
    run->quiet += more + ROUND_COST;
    run->quiet_rounds++;
    run->held_rounds++;
    if (emu_acts_counted(run) != run->round_acts)
        run->quiet = run->quiet_waits = run->quiet_rounds = run->asked = 0;
}

/* In this round nothing happened but that some asked an mbarrier, say. Whether they are to ask a few times in vain
 * before a copy lands: a program that gives up then does so. */
static bool asks_in_vain(const struct emu_cluster *c, const struct emu_run *run)
{
    enum { TRIES = 8 };

    return run->asked < TRIES && !run->changed && emu_acts_counted(run) == run->round_acts && emu_turns_impatient(c);
}

/* What is in flight lands where it may, and where it has been held back for long enough. Whether anything did. */
static bool deliver(struct emu_cluster *c, struct emu_run *run)
{
    const bool must = run->quiet_rounds >= QUIET_ROUNDS || run->held_rounds >= HELD_ROUNDS;

    if (must)
        run->quiet_rounds = run->held_rounds = 0;
    return (must || (c->grid->machine->options.delivery != EMU_LATE && !asks_in_vain(c, run))) &&
           emu_async_deliver(c, must);
}

/* A round of turns, or the rest of it. EMU_TIME and EMU_STUCK: nothing happened, and without other clusters this one
 * waits for a clock, or for ever. */
static enum emu_stuck round_of(struct emu_cluster *c, struct emu_run *run)
{
    enum emu_stuck how = EMU_HELPED;

    if (!run->turn)
        begin_round(c, run);
    turns(c, run);
    count_round(c, run);
    if (reached_limit(c, run))
        return EMU_HELPED;
    run->changed |= deliver(c, run);
    if (run->changed)
        run->asked = 0;
    if (!run->moved && asks_in_vain(c, run)) {
        run->asked++;
        wake_all(c);
        return EMU_HELPED;
    }
    if (!run->changed && !run->moved && !emu_turns_hold(c))
        how = stuck(c, run);
    else if (!run->changed && !run->moved && emu_async_deliver(c, true))
        emu_turns_delivered(c);
    if (how != EMU_HELPED && emu_turns_release(c, false))
        how = EMU_HELPED;
    /* Waiters stay as they are, for the report of a deadlock. */
    run->stuck = how == EMU_STUCK || (run->observed && !run->changed && !run->moved);
    if (!run->changed && run->moved)
        run->rested++;
    if (!run->stuck && (run->changed || (!run->moved && !emu_turns_still(c)) || run->rested == REST)) {
        wake_all(c);
        run->rested = 0;
    } else if (emu_acts_counted(run) != run->round_acts) {
        wake_resting(c);
    }
    run->changed = false;
    c->grid->wrote += run->wrote - run->round_wrote;
    run->wrote_seen = c->grid->wrote;
    return how;
}

enum emu_stuck emu_cluster_round(struct emu_cluster *c, struct emu_run *run)
{
    emu_file_into(&run->findings);
    if (setjmp(c->fault))
        return EMU_HELPED; /* it is parked, or a finding ended the grid, and run->end says how */
    return round_of(c, run);
}

/* Threads rest at each poll of a loop, and when they come to its end: it is gone round several times. */
void emu_cluster_observe(struct emu_cluster *c, struct emu_run *run)
{
    enum { TIMES = 8, MOST_ROUNDS = 64 };

    emu_around_observe(c);
    for (int i = 0, times = 0; i < MOST_ROUNDS && times < TIMES && run->end == EMU_DONE; i++) {
        emu_cluster_round(c, run);
        times += run->stuck;
    }
    emu_around_observed(c);
}

/* Who is to be told of what from now on. */
static void begin_watch(struct emu_cluster *c)
{
    c->watch = c->grid->watch;
    if (!c->watch || !c->watch->cluster_begin(c))
        return;
    c->watched = true;
    for (uint32_t i = 0; i < c->cta_count; i++)
        c->ctas[i].watched = true;
}

bool emu_cluster_begin(struct emu_grid *g, struct emu_image *image, const struct emu_code *code, uint64_t number,
                       struct emu_cluster *c, struct emu_run *run)
{
    const uint32_t clusters[3] = { g->dim[0] / g->cluster_dim[0], g->dim[1] / g->cluster_dim[1], 1 };

    *run = (struct emu_run){ .image = image, .number = number };
    *c = (struct emu_cluster){ .run = run, .grid = g };
    emu_place_in(clusters, number, c->id);
    c->random = g->machine->options.seed * 0x9E3779B97F4A7C15u + g->number * 0xBF58476D1CE4E5B9u + number;
    if (!emu_cluster_make(c, image, code)) {
        run->end = EMU_NO_MEMORY;
        snprintf(run->message, sizeof run->message,
                 "--max-memory leaves no room for the shared and local memory of a cluster");
        return false;
    }
    run->live = emu_threads_of(c);
    emu_async_begin(c);
    begin_watch(c);
    return true;
}

void emu_cluster_finish(struct emu_cluster *c, struct emu_run *run, struct emu_report *report)
{
    struct emu_progress *progress = c->grid->machine->options.progress;

    if (progress)
        atomic_fetch_add_explicit(&progress->clusters, 1, memory_order_relaxed);
    emu_file_into(&run->findings);
    if (run->end == EMU_DONE && c->flights && setjmp(c->fault) == 0)
        emu_async_end(c);
    emu_finder_end(c);
    if (c->watch)
        c->watch->cluster_end(c, run->end == EMU_DONE);
    emu_async_free(c);
    emu_file_cluster(c->grid->machine, run);
    emu_file_into(NULL);
    report->instructions += run->instructions;
    report->forgot |= run->forgot;
    report->lost |= run->lost;
    if (run->end == EMU_DONE && run->unjudged) {
        run->end = EMU_NO_MEMORY;
        snprintf(run->message, sizeof run->message,
                 "no memory for the order checker, or more threads than it can number");
    }
    if (run->end != EMU_DONE && report->end == EMU_DONE) {
        report->end = run->end;
        memcpy(report->message, run->message, sizeof report->message);
    }
    emu_cluster_free(c);
}
// SPDX-License-Identifier: Apache-2.0
