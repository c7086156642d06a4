/* A few threads stop, each at one of its operations, and from then on go on only where nobody else can.
 *
 * What a program does that synchronises wrongly depends on few switches between threads, mostly one to three, each at
 * an operation by which threads synchronise. So as many are drawn: a thread, and how many operations it executes before
 * it stops. It has the lowest priority from then on, one operation at a time, below those that have stopped before it
 * (Burckhardt et al., A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs, 2010). How many operations
 * each thread executes is known from schedule 0. Each warp is as likely to have one that stops as any other.
 *
 * Two threads that both do what one of them should, both in a critical section say, are mostly seen only while the
 * second one is there too. So who changes or looks at the object at which another thread stands stops as well, before
 * its own next change, and below that one. */
#include "harness/emu/schedule/stops.h"

#include "expected/random.h"
#include "harness/base/sorted.h"
#include "harness/emu/machine/swap.h"
#include "harness/emu/machine/sync.h"
#include "harness/emu/machine/thread.h"

/* How often time passes for those that sleep before a thread that has just stopped goes on, at most. Rounds in which
 * one stands, after which nobody stops any more, and after so many of which it goes on all the same: those that count
 * their tries may need it. Operations of a thread since it stopped, after which it is one like any other. Rounds in
 * which all go on step by step, at most: two that give way to each other may do so for ever. */
enum { PATIENCE = 8, ROUNDS = 256, LONG = 64, STEPS = 6, STEP_ROUNDS = 1024 };

/* Threads that are drawn, at most; operations behind its last one in schedule 0 at which one may stop: it may come to
 * more. Of so many threads drawn that stop at any operation, not only where it matters. */
enum { DRAWN = 5, BEYOND = 2, ANY = 3, OF = 8 };

static uint64_t warp_of(const void *operations)
{
    return ((const struct emu_operations *)operations)->warp;
}

/* Mostly the lane of a warp that does most: the others often do nothing but meet it at barriers. */
static size_t lane_of(struct emu_stops *s, const struct emu_operations *all, size_t first, size_t end)
{
    size_t best = first + splitmix64_below(&s->random, (uint32_t)(end - first));

    if (splitmix64_below(&s->random, OF))
        for (size_t i = first; i < end; i++)
            best = all[i].counted > all[best].counted ? i : best;
    return best;
}

static void draw(struct emu_stops *s, const struct emu_swaps *found)
{
    const struct emu_operations *all = found->operations;
    const uint64_t warps = all[found->operation_count - 1].warp + 1;
    const size_t first = ck_sorted_from(all, found->operation_count, sizeof *all, warp_of,
                                        splitmix64_below(&s->random, (uint32_t)warps));
    size_t end = first, lane;
    bool any;

    do
        end++;
    while (end < found->operation_count && all[end].warp == all[first].warp);
    lane = lane_of(s, all, first, end);
    any = splitmix64_below(&s->random, OF) < ANY || !all[lane].counted;
    s->all[s->count++] =
        (struct emu_stop){ .cluster = all[lane].cluster,
                           .index = all[lane].index,
                           .all = any,
                           .at = splitmix64_below(&s->random, BEYOND + (any ? all[lane].all : all[lane].counted)) };
}

void emu_stops_draw(struct emu_stops *s, const struct emu_grid *g)
{
    const struct emu_options *o = &g->machine->options;
    unsigned count;

    *s = (struct emu_stops){ .random = splitmix64(o->seed + g->number) };
    count = 1 + splitmix64_below(&s->random, DRAWN);
    s->steps = splitmix64_below(&s->random, 2);
    s->follow = splitmix64_below(&s->random, OF);
    s->patience = splitmix64_below(&s->random, 2) ? PATIENCE : 1;
    while (s->count < count && o->found->operation_count)
        draw(s, o->found);
}

void emu_stops_round(struct emu_stops *s)
{
    struct emu_stop *first = NULL;

    s->still = s->moved ? 0 : s->still + 1;
    s->steps &= ++s->all_rounds < STEP_ROUNDS;
    for (unsigned i = 0; i < s->stopped; i++) {
        struct emu_stop *one = &s->all[i];
        one->goes = false;
        first = first || !one->could ? first : one;
        one->could = false;
    }
    s->rounds += first != NULL;
    s->wake = first && s->still && s->still < s->patience;
    if (first && (first->steps || s->still >= s->patience || s->rounds % LONG == 0)) {
        first->goes = true;
        s->patience = 1;
    }
    s->moved = false;
}

static struct emu_stop *stop_of(struct emu_stops *s, const struct emu_thread *t, unsigned from, unsigned to)
{
    const uint64_t cluster = t->cta->cluster->run->number;
    const uint32_t index = t->cta->rank * t->cta->thread_count + t->index;

    for (unsigned i = from; i < to; i++)
        if (s->all[i].cluster == cluster && s->all[i].index == index)
            return &s->all[i];
    return NULL;
}

bool emu_stops_turn(struct emu_stops *s, const struct emu_thread *t)
{
    struct emu_stop *one = s->rounds < ROUNDS ? stop_of(s, t, 0, s->stopped) : NULL;

    if (!one)
        return true;
    one->could |= t->state == EMU_READY && !t->polled;
    return one->goes;
}

static void stand(struct emu_stop *one, const struct emu_thread *t, const struct emu_op *op)
{
    one->stands = t->steps + 1;
    one->could = true;
    one->object = emu_sync_object(t, op);
    one->changes = emu_sync_changes(op);
}

/* Puts one of them behind those before `end`. */
static void put_last(struct emu_stops *s, unsigned i, unsigned end)
{
    const struct emu_stop one = s->all[i];

    for (; i + 1 < end; i++)
        s->all[i] = s->all[i + 1];
    s->all[end - 1] = one;
}

/* It is one like any other from now on. */
static void end_stop(struct emu_stops *s, struct emu_stop *one)
{
    put_last(s, (unsigned)(one - s->all), s->count);
    s->count--;
    s->stopped--;
}

/* Whether a thread that has yet to stop does so here. */
static bool is_there(const struct emu_stop *one, const struct emu_op *op, const struct emu_way *way)
{
    if (one->soon)
        return emu_sync_changes(op);
    return one->all ? way->all == one->at && way->last != op : way->counted == one->at && emu_way_matters(way, op);
}

bool emu_stops_begins(struct emu_stops *s, const struct emu_thread *t, const struct emu_op *op,
                      const struct emu_way *way)
{
    struct emu_stop *one, stop;

    if (s->rounds >= ROUNDS)
        return true;
    one = stop_of(s, t, 0, s->stopped);
    if (one && one->stands == t->steps + 1) {
        one->object = 0;
        if (++one->steps == STEPS)
            end_stop(s, one);
        return true;
    }
    if (one && !emu_way_matters(way, op))
        return true;
    if (one) {
        const bool last = one->soon && emu_sync_changes(op);
        stand(one, t, op);
        one->soon &= !last;
        one->steps = last ? 0 : one->steps;
        if (last)
            put_last(s, (unsigned)(one - s->all), s->stopped);
        return false;
    }
    for (unsigned i = s->stopped; i < s->count; i++) {
        if (stop_of(s, t, i, i + 1) && is_there(&s->all[i], op, way)) {
            stop = s->all[i];
            stop.soon = false;
            s->all[i] = s->all[s->stopped];
            stand(&stop, t, op);
            s->all[s->stopped++] = stop;
            return false;
        }
    }
    return true;
}

/* Whether a thread stands at an operation on the same object, and the order of the two shows. */
static bool meets(const struct emu_stops *s, const struct emu_thread *t, const struct emu_op *op)
{
    for (unsigned i = 0; i < s->stopped; i++)
        if (s->all[i].object && (s->all[i].changes || emu_sync_changes(op)) &&
            s->all[i].object == emu_sync_object(t, op))
            return true;
    return false;
}

void emu_stops_meets(struct emu_stops *s, const struct emu_thread *t, const struct emu_op *op)
{
    struct emu_stop *one;

    if (!s->stopped || !s->follow || s->rounds >= ROUNDS || !meets(s, t, op))
        return;
    one = stop_of(s, t, 0, s->count);
    if (one && one - s->all < s->stopped)
        one->soon = true;
    else if (!one && s->count < EMU_STOPS)
        s->all[s->count++] = (struct emu_stop){ .cluster = t->cta->cluster->run->number,
                                                .index = t->cta->rank * t->cta->thread_count + t->index,
                                                .soon = true };
}

bool emu_stops_hold(const struct emu_stops *s, const struct emu_cluster *c)
{
    for (unsigned i = 0; i < s->stopped && s->rounds < ROUNDS; i++)
        if (s->all[i].cluster == c->run->number && s->all[i].could)
            return true;
    return false;
}
// SPDX-License-Identifier: Apache-2.0
