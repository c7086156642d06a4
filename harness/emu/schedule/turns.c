/* Whose turn it is, and for how long.
 *
 * A warp's threads take their turns one behind the other: a warp goes through a barrier as a whole, as on a device. In
 * random order there are two kinds of cluster. In one the warps have priorities: the first that can go on runs until it
 * has to wait, now and then only for a few instructions, and is then put last (Burckhardt et al., A Randomized
 * Scheduler with Probabilistic Guarantees of Finding Bugs, 2010). In the other all of them run in rounds of changing
 * order, with turns of changing length.
 *
 * In half of the clusters one thread is slow: it goes on only where no other can. What waits for too little, or may
 * miss what it waits for, shows when one lane of a warp is far behind the others.
 *
 * Where a few threads stop (stops.c), all others go on in one random order, each as far as it can, or all of them one
 * operation after the other.
 *
 * A swap makes two operations change places: a thread that comes to the first is held back until the second has come,
 * or until nobody else can go on. */
#include "harness/emu/schedule/turns.h"

#include <stdlib.h>
#include <string.h>

#include "expected/random.h"
#include "harness/emu/machine/sync.h"
#include "harness/emu/schedule/alone.h"
#include "harness/emu/schedule/stops.h"
#include "harness/emu/machine/thread.h"

/* Instructions of a turn: of a warp that has priority, or of a thread where changes come alone; of one that is put last
 * after it, at most. */
enum { LONG_TURN = 4096, SHORT_TURN = 64 };

/* Rounds that a thread is held back, or a slow one stands, while others go round in a loop, perhaps because they wait
 * for it; and in which a slow one stands in all, before it is slow no more. */
enum { HELD_ROUNDS = 64, SLOW_ROUNDS = 256 };

/* Rounds of a cluster, one behind the other, in reversed order: one that is ahead of others goes as far as it can
 * before they catch up, where in schedule 0 all go on step by step. */
enum { AHEAD_ROUNDS = 64 };

struct emu_turns {
    uint64_t random;
    uint32_t *warps; /* of the whole cluster, in the order of their turns: CTA rank * warps of a CTA + warp */
    uint32_t warp_count, warps_of_cta;
    uint32_t warp, lane; /* of the next thread: its place in `warps`, and in `lanes` */
    uint8_t lanes[EMU_WARP];
    bool fixed, priorities; /* fixed: nothing is random */
    bool moved, last;       /* this warp has executed something in this round; it is to be put last */
    int length;             /* of this warp's turns */
    const struct emu_swap *swap;
    uint32_t first_times[EMU_WARP], second_times[EMU_WARP]; /* that each lane has executed the two instructions */
    uint32_t held;                                          /* lanes of the first operation's warp */
    unsigned held_rounds;
    bool released;
    const struct emu_thread *slow; /* NULL: none */
    unsigned slow_rounds;          /* in a row in which it stood; */
    unsigned all_slow_rounds;      /* in all */
    bool stands, stood;            /* in this round too; it could have gone on */
    bool any;                      /* a thread has executed something in this round */
    struct emu_alone *alone;       /* of EMU_TURNS_ALONE, else NULL */
    struct emu_stops *stops;       /* of EMU_TURNS_STOPS, else NULL */
    uint64_t acts;                 /* of the run, and of others in global memory, when the round began */
    struct emu_way *ways;          /* of each thread, where some stop */
    bool counts;                   /* the thread has executed an operation that counts, in its turn */
};

static void shuffle_warps(struct emu_turns *o)
{
    for (uint32_t i = o->warp_count; i > 1; i--) {
        const uint32_t k = splitmix64_below(&o->random, i), warp = o->warps[i - 1];
        o->warps[i - 1] = o->warps[k];
        o->warps[k] = warp;
    }
}

/* The order of the lanes of each warp: that of their indices, backwards, from one of them on, or any. */
static void draw_lanes(struct emu_turns *o)
{
    const uint32_t how = splitmix64_below(&o->random, 4), first = how == 2 ? splitmix64_below(&o->random, EMU_WARP) : 0;

    for (uint32_t i = 0; i < EMU_WARP; i++)
        o->lanes[i] = (uint8_t)(how == 1 ? EMU_WARP - 1 - i : (first + i) % EMU_WARP);
    for (uint32_t i = EMU_WARP; i > 1 && how == 3; i--) {
        const uint32_t k = splitmix64_below(&o->random, i);
        const uint8_t lane = o->lanes[i - 1];
        o->lanes[i - 1] = o->lanes[k];
        o->lanes[k] = lane;
    }
}

static void draw_slow(struct emu_cluster *c, struct emu_turns *o)
{
    const struct emu_cta *cta = &c->ctas[splitmix64_below(&o->random, c->cta_count)];

    if (splitmix64_below(&o->random, 2))
        o->slow = &cta->threads[splitmix64_below(&o->random, cta->thread_count)];
    o->stands = o->slow;
}

bool emu_turns_make(struct emu_cluster *c)
{
    const struct emu_options *options = &c->grid->machine->options;
    struct emu_turns *o;

    if (options->turns == EMU_TURNS_IN_ORDER || options->turns == EMU_TURNS_REVERSED)
        return true;
    o = c->turns = calloc(1, sizeof *o);
    if (!o)
        return false;
    o->warps_of_cta = emu_warps_of(c->ctas[0].thread_count);
    o->warp_count = o->warps_of_cta * c->cta_count;
    o->warps = calloc(o->warp_count, sizeof *o->warps);
    if (!o->warps)
        return false;
    for (uint32_t i = 0; i < o->warp_count; i++)
        o->warps[i] = i;
    for (uint32_t i = 0; i < EMU_WARP; i++)
        o->lanes[i] = (uint8_t)i;
    o->fixed = !emu_turns_random(options->turns);
    o->swap = options->turns == EMU_TURNS_SWAPPED ? options->swap : NULL;
    if (options->turns == EMU_TURNS_ALONE)
        o->alone = emu_alone_new(c);
    if (o->fixed)
        return options->turns != EMU_TURNS_ALONE || o->alone;
    o->random = splitmix64(options->seed + c->grid->number) + splitmix64(c->run->number) * SPLITMIX64_STEP;
    if (c->grid->stops) {
        o->stops = c->grid->stops;
        o->ways = calloc((size_t)c->cta_count * c->ctas[0].thread_count, sizeof *o->ways);
        shuffle_warps(o);
        draw_lanes(o);
        return o->ways != NULL;
    }
    o->priorities = splitmix64_below(&o->random, 2);
    shuffle_warps(o);
    draw_lanes(o);
    draw_slow(c, o);
    return true;
}

void emu_turns_free(struct emu_cluster *c)
{
    if (c->turns) {
        free(c->turns->warps);
        free(c->turns->ways);
        emu_alone_free(c->turns->alone);
    }
    free(c->turns);
    c->turns = NULL;
}

/* How long the turns of the next warp are, and what becomes of it then. */
static void begin_warp(struct emu_turns *o)
{
    o->lane = 0;
    o->moved = o->last = false;
    if (o->fixed) {
        o->length = o->alone ? LONG_TURN : EMU_TURN;
    } else if (o->stops) {
        o->length = LONG_TURN;
    } else if (o->priorities) {
        o->last = splitmix64_below(&o->random, 4) == 0;
        o->length = o->last ? 1 + (int)splitmix64_below(&o->random, SHORT_TURN) : LONG_TURN;
    } else {
        o->length = 1 + (int)splitmix64_below(&o->random, 1u << splitmix64_below(&o->random, 9));
    }
}

static struct emu_thread *thread_of(struct emu_cluster *c, const struct emu_turns *o, uint32_t place)
{
    const uint32_t warp = o->warps[o->warp];
    struct emu_cta *cta = &c->ctas[warp / o->warps_of_cta];

    return &cta->threads[warp % o->warps_of_cta * EMU_WARP + o->lanes[place]];
}

/* Whether a thread of this warp could have gone on: then its turn ended only because of its length. */
static bool could_go_on(struct emu_cluster *c, const struct emu_turns *o)
{
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        const struct emu_thread *t = thread_of(c, o, i);
        if (t->state == EMU_READY && !t->polled)
            return true;
    }
    return false;
}

/* A warp that has priority runs alone until it has to wait. So that one that asks in a loop for what others have to
 * bring does not keep them from it, it loses its priority at the end of a whole turn. */
static void end_priority(struct emu_cluster *c, struct emu_turns *o)
{
    const uint32_t warp = o->warps[o->warp];

    if (!o->last && !could_go_on(c, o))
        return;
    memmove(&o->warps[o->warp], &o->warps[o->warp + 1], (o->warp_count - o->warp - 1) * sizeof *o->warps);
    o->warps[o->warp_count - 1] = warp;
}

/* ---- swaps ------------------------------------------------------------------------------------------------------- */

static bool is_of(const struct emu_thread *t, const struct emu_op *op, const struct emu_event *e)
{
    return op->source == e->at && t->cta->cluster->run->number == e->cluster &&
           t->cta->rank * t->cta->cluster->turns->warps_of_cta + t->warp == e->warp;
}

/* Where some threads stop: whether this one is not to, at an operation. */
static bool passes_stop(struct emu_turns *o, struct emu_thread *t, const struct emu_op *op)
{
    struct emu_way *w = &o->ways[t->cta->rank * t->cta->thread_count + t->index];
    const bool matters = emu_way_matters(w, op);

    if (!emu_way_has(op))
        return true;
    if ((matters && o->counts && o->stops->steps) || !emu_stops_begins(o->stops, t, op, w))
        return false;
    emu_stops_meets(o->stops, t, op);
    emu_way_on(w, op);
    o->counts |= matters;
    return true;
}

bool emu_turns_begins(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_turns *o = t->cta->cluster->turns;
    const struct emu_swap *swap = o->swap;

    if (o->alone)
        return emu_alone_begins(o->alone, t, op);
    if (o->stops)
        return passes_stop(o, t, op);
    if (!swap || !emu_sync_begins(t, op))
        return true;
    if (is_of(t, op, &swap->second)) {
        t->cta->cluster->grid->swapped |= o->second_times[t->lane] == swap->second.again;
        o->second_times[t->lane]++;
    }
    if (!is_of(t, op, &swap->first))
        return true;
    if (!o->released && !t->cta->cluster->grid->swapped && o->first_times[t->lane] == swap->first.again) {
        o->held |= 1u << t->lane;
        return false;
    }
    o->first_times[t->lane]++;
    return true;
}

void emu_turns_passes(struct emu_thread *t, const struct emu_op *op)
{
    if (t->cta->cluster->turns->alone)
        emu_alone_passes(t->cta->cluster->turns->alone, t, op);
}

void emu_turns_ended(struct emu_thread *t)
{
    if (t->cta->cluster->turns->alone)
        emu_alone_ended(t->cta->cluster->turns->alone, t);
}

bool emu_turns_hold(const struct emu_cluster *c)
{
    return c->turns && (c->turns->stood || (c->turns->alone && emu_alone_holds(c->turns->alone)) ||
                        (c->turns->stops && emu_stops_hold(c->turns->stops, c)));
}

bool emu_turns_impatient(const struct emu_cluster *c)
{
    return c->turns && !c->turns->fixed;
}

bool emu_turns_still(const struct emu_cluster *c)
{
    return c->turns && c->turns->stops && c->turns->stops->patience == 1 && emu_stops_hold(c->turns->stops, c);
}

void emu_turns_delivered(struct emu_cluster *c)
{
    c->run->changed = true;
    if (c->turns->alone)
        emu_alone_moved(c->turns->alone);
    if (c->turns->stops)
        c->turns->stops->moved = true;
}

static bool is_held(const struct emu_turns *o, const struct emu_thread *t)
{
    return o->held >> t->lane & 1 && t->cta->rank * o->warps_of_cta + t->warp == o->swap->first.warp;
}

/* Whether a thread was held back until now. That nobody could go on, or that all went round without effect, was said
 * without it. */
static bool release(struct emu_cluster *c)
{
    struct emu_turns *o = c->turns;

    if (!o->held)
        return false;
    o->held = 0;
    o->released = true;
    c->run->repeat = (struct emu_repeat){ 0 };
    c->run->changed = true;
    return true;
}

bool emu_turns_release(struct emu_cluster *c, bool all)
{
    const struct emu_swap *swap = c->turns ? c->turns->swap : NULL;

    return swap && (all || swap->first.cluster == swap->second.cluster) && release(c);
}

/* Whether the slow thread stands in the round that begins. It goes on where the cluster goes round, and turns are long.
 */
static void slow_round(const struct emu_cluster *c, struct emu_turns *o)
{
    o->stands = o->slow && o->any && o->slow_rounds < HELD_ROUNDS && c->run->quiet < EMU_GOES_ROUND;
    o->slow_rounds = o->stands ? o->slow_rounds + 1 : 0;
    o->all_slow_rounds += o->stands;
    if (o->all_slow_rounds == SLOW_ROUNDS)
        o->slow = NULL;
    o->any = o->stood = false;
}

/* Whether this thread is the slow one and has no turn now. */
static bool stands(struct emu_turns *o, const struct emu_thread *t)
{
    if (!o->stands || t != o->slow)
        return false;
    o->stood |= t->state == EMU_READY && !t->polled;
    return true;
}

/* Whether nothing is to be asked of the thread in this round: it cannot go on. */
static bool is_idle(const struct emu_turns *o, const struct emu_thread *t)
{
    return t->state == EMU_EXITED || (!o->alone && (t->state != EMU_READY || t->polled));
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

/* Where some threads stop, those that sleep wake up when time is to pass; where all go on step by step, also when
 * memory has changed. */
static void pass_time(struct emu_cluster *c, struct emu_turns *o)
{
    const uint64_t acts = emu_acts_counted(c->run) + c->grid->wrote;
    const bool changed = o->stops->steps && acts != o->acts;

    o->acts = acts;
    if (!o->stops->wake && !changed)
        return;
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            struct emu_thread *t = &c->ctas[i].threads[k];
            if (t->state == EMU_BLOCKED && t->wait == EMU_WAIT_SLEEP)
                t->state = EMU_READY;
        }
}

void emu_turns_round(struct emu_cluster *c)
{
    struct emu_turns *o = c->turns;

    o->warp = 0;
    slow_round(c, o);
    if (o->alone)
        emu_alone_round(o->alone, c);
    if (o->stops)
        pass_time(c, o);
    if (!o->fixed && !o->priorities && !o->stops && splitmix64_below(&o->random, 4) == 0)
        shuffle_warps(o);
    begin_warp(o);
    o->held_rounds += o->held != 0;
    if (o->held_rounds == HELD_ROUNDS || c->grid->swapped)
        release(c);
}

/* Whether the schedule has the thread wait. For the report of a deadlock all waiters say what they wait for. */
static bool is_kept_back(struct emu_turns *o, const struct emu_thread *t)
{
    return stands(o, t) || (o->held && is_held(o, t)) || (o->alone && !emu_alone_turn(o->alone, t)) ||
           (o->stops && !emu_stops_turn(o->stops, t));
}

struct emu_thread *emu_turns_next(struct emu_cluster *c, bool moved, int *length)
{
    struct emu_turns *o = c->turns;
    struct emu_thread *t;

    o->moved |= moved;
    o->any |= moved;
    if (o->alone && moved)
        emu_alone_moved(o->alone);
    if (o->stops && moved)
        o->stops->moved = true;
    do {
        if (o->lane == EMU_WARP) {
            if (o->priorities && o->moved) {
                end_priority(c, o);
                return NULL;
            }
            o->warp++;
            if (o->warp == o->warp_count || (c->grid->swapped && release(c)))
                return NULL; /* the one that was held back goes on before those behind it */
            begin_warp(o);
        }
        t = thread_of(c, o, o->lane);
        o->lane++;
    } while (is_idle(o, t) || (!c->run->observed && is_kept_back(o, t)));
    *length = o->length;
    o->counts = false;
    return t;
}

/* ---- clusters ---------------------------------------------------------------------------------------------------- */

void emu_turns_of_clusters(const struct emu_grid *g, struct emu_cluster_turns *o, size_t count)
{
    const struct emu_options *options = &g->machine->options;

    o->count = count;
    if (g->gate)
        emu_gate_round(g->gate);
    if (g->stops)
        emu_stops_round(g->stops);
    o->backwards = options->turns == EMU_TURNS_REVERSED;
    if (!emu_turns_random(options->turns) || !count)
        return;
    if (!o->random)
        o->random = splitmix64(options->seed + g->number) | 1;
    o->backwards = splitmix64_below(&o->random, 2);
    o->first = splitmix64_below(&o->random, (uint32_t)count);
}

size_t emu_turns_cluster(const struct emu_grid *g, struct emu_cluster_turns *o, size_t k, unsigned *rounds)
{
    const size_t i = (o->first + k) % o->count;

    switch (g->machine->options.turns) {
    case EMU_TURNS_RANDOM: *rounds = 1 + splitmix64_below(&o->random, 1u << splitmix64_below(&o->random, 6)); break;
    case EMU_TURNS_REVERSED: *rounds = AHEAD_ROUNDS; break;
    default: *rounds = 1; break;
    }
    return o->backwards ? o->count - 1 - i : i;
}

bool emu_turns_again(struct emu_run *run, bool step, int length)
{
    bool again = run->met && run->again != EMU_AGAIN;

    run->again = again ? run->again + 1 : 0;
    if (step && !again)
        again = (run->met || run->stepped) && run->instructions - run->warp_began < (uint64_t)length * EMU_WARP;
    run->passes = again && step;
    run->warp_began = again ? run->warp_began : run->instructions;
    run->met = run->stepped = false;
    return again;
}
// SPDX-License-Identifier: Apache-2.0
