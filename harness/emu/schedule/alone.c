/* Each change alone.
 *
 * A thread that comes to an instruction that changes a place at which others look (options.found says which do) is held
 * back until nobody moves any more. Then one of those that are held back goes on until it has made its change, and all
 * others until nobody moves again. First come those whose change is the first in the program, so that others get as far
 * as they can; one that comes to it again, in a loop, is behind all that do not, so that it does not keep them from
 * what it waits for. A thread that looks twice at the same place in one turn waits for another value: it rests until
 * something has changed.
 *
 * Who waits for too little is shown only where one that is not waited for has something to say: it has read or written
 * data since its change before. So of those that come to one instruction and have, the last is held back until nobody
 * else can go on, those neither that come to later instructions.
 *
 * Who takes a ring for larger than it is goes too far ahead only if the one that it should wait for does not get on. So
 * in one of these schedules (options.ahead) the thread that has made the most changes goes on first, and none is late.
 *
 * What a thread has done before a fence.sc is known to all whose fence.sc comes later. So a fence that belongs to a
 * change comes with it: the thread is held back at the fence. */
#include "harness/emu/schedule/alone.h"

#include <stdlib.h>

#include "harness/base/sorted.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/sync.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/schedule/idle.h"

/* Rounds without a change, at most, while somebody is held back and others move. Rounds in which one could come and did
 * not, as where a lock is taken, after which nobody is held back until one comes. */
enum { CLOSED_ROUNDS = 8, VAIN_ROUNDS = 64 };

/* Turns that are given so, of all clusters together, and of each at least: what is not done then goes on in order. So
 * it does where the run would soon count as one that does not get on: many threads look anew at each change. */
enum { TURNS = 1 << 23, TURNS_OF_CLUSTER = 1 << 18 };

/* How many more loops others go round before a thread that is held back to the last: they may wait for it, and change
 * something each time. As many are gone ahead of others. */
enum { LATE_LAPS = 16 };

/* Places that one loop of a thread looks at. */
enum { LOOKS = 4 };

/* Instructions between a fence and the change that it belongs to, at most. */
enum { FENCE_REACH = 16 };

/* What a thread has read or written since its change before: nothing; data; data since it synchronised in any way. */
enum news { NOTHING, OLD, FRESH };

/* The thread of a CTA that comes last to a change. */
struct late {
    uint64_t number; /* 0: there is none */
    uint64_t laps;
    uint64_t since; /* changes of the gate when it came there */
    uint64_t told;  /* when it last read or wrote data; or its number */
    enum news news;
};

struct emu_alone {
    struct emu_gate own, *global; /* of shared memory; of global memory, NULL: nobody looks at it */
    struct emu_gate *now;         /* of the operation that is being executed; NULL: none */
    uint64_t acts;                /* of the run, before it */
    uint64_t seen;                /* changes of both when the round began */
    uint64_t turns, most;         /* given so far, at most */
    uint64_t rounds;              /* begun */
    uint64_t data;                /* times that threads have read or written data */
    bool again, ahead;            /* it is the second schedule of this kind; that of threads that go ahead */
    bool rested;                  /* in this round a thread had no turn because it would only look again */
    struct {
        uint64_t laps;                    /* how often it came back to an earlier change */
        const struct ptx_instruction *at; /* its last one */
        enum news news;
        uint64_t told;   /* when it last read or wrote data, by a->data */
        uint64_t paused; /* the last round in which it does not go on behind its change */
    } * ways;            /* of each thread */
    struct late *late;   /* of each of options.found's changers, for each CTA */
    uint64_t *rests;     /* of each thread: changes of both when it came to rest, plus 1; 0: it does not */
    struct {
        const struct emu_op *op;
        uint64_t object;
    } looks[LOOKS]; /* in this turn, the last of them */
    unsigned look_count;
};

void emu_gate_round(struct emu_gate *g)
{
    const bool vain = (g->chosen || g->free) && !g->changed;

    g->closed = g->changed ? 0 : g->closed + 1;
    g->vain = g->changed ? 0 : g->vain + vain;
    g->free = g->vain >= VAIN_ROUNDS;
    g->chosen = 0;
    if (!g->changed && (!g->moved || (vain && !g->first.late) || g->closed >= CLOSED_ROUNDS))
        g->chosen = g->first.number;
    g->held_before = g->held;
    g->first.number = 0;
    g->changed = g->moved = g->held = false;
}

struct emu_alone *emu_alone_new(struct emu_cluster *c)
{
    const struct emu_grid *g = c->grid;
    const uint64_t clusters = (uint64_t)g->dim[0] * g->dim[1] * g->dim[2] / c->cta_count;
    struct emu_alone *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->rests = calloc((size_t)c->cta_count * c->ctas[0].thread_count, sizeof *a->rests);
    a->ways = calloc((size_t)c->cta_count * c->ctas[0].thread_count, sizeof *a->ways);
    a->late = calloc(c->cta_count * g->machine->options.found->changer_count, sizeof *a->late);
    if (!a->rests || !a->ways || !a->late) {
        emu_alone_free(a);
        return NULL;
    }
    a->global = g->gate;
    a->again = g->machine->options.again;
    a->ahead = g->machine->options.ahead;
    a->most = TURNS / clusters > TURNS_OF_CLUSTER ? TURNS / clusters : TURNS_OF_CLUSTER;
    return a;
}

void emu_alone_free(struct emu_alone *a)
{
    if (a) {
        free(a->rests);
        free(a->ways);
        free(a->late);
    }
    free(a);
}

static uint64_t changes(const struct emu_alone *a)
{
    return a->own.changes + (a->global ? a->global->changes : 0);
}

static bool held_before(const struct emu_alone *a)
{
    return a->own.held_before || (a->global && a->global->held_before);
}

static uint32_t index_of(const struct emu_thread *t)
{
    return t->cta->rank * t->cta->thread_count + t->index;
}

/* In the grid, from 1. */
static uint64_t number_of(const struct emu_thread *t)
{
    return (t->cta->cluster->run->number << 32) + index_of(t) + 1;
}

/* Who sleeps, or rests in a loop, looks again at what has changed. */
static void wake(struct emu_cluster *c)
{
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++) {
            struct emu_thread *t = &c->ctas[i].threads[k];
            t->polled &= t->wait != EMU_WAIT_MEMORY;
            if (t->state == EMU_BLOCKED && t->wait == EMU_WAIT_SLEEP)
                t->state = EMU_READY;
        }
}

void emu_alone_round(struct emu_alone *a, struct emu_cluster *c)
{
    emu_gate_round(&a->own);
    a->rounds++;
    a->rested = false;
    if (a->turns <= a->most && emu_idle_for_long(c))
        a->turns = a->most + 1;
    if (a->seen != changes(a))
        wake(c);
    a->seen = changes(a);
}

void emu_alone_moved(struct emu_alone *a)
{
    a->own.moved = true;
    if (a->global)
        a->global->moved = true;
}

/* A thread stands where it could go on: nobody else is let on instead, and that none moves is no deadlock. */
static void pause(struct emu_alone *a)
{
    emu_alone_moved(a);
    a->own.held = true;
}

bool emu_alone_turn(struct emu_alone *a, const struct emu_thread *t)
{
    const uint64_t rests = a->rests[index_of(t)];

    a->turns++;
    a->look_count = 0;
    if (a->ways[index_of(t)].paused == a->rounds) {
        pause(a);
        return false;
    }
    if (!rests || rests != changes(a) + 1 || !held_before(a))
        return true;
    a->rested = true;
    return false;
}

static uint64_t place_of(const void *changer)
{
    return (uintptr_t)((const struct emu_changer *)changer)->at;
}

/* What is known of an instruction that changes a place at which others look; NULL: it does not. */
static const struct emu_changer *changer(const struct emu_thread *t, const struct ptx_instruction *at)
{
    const struct emu_swaps *found = emu_machine_of(t)->options.found;
    const struct emu_changer *x = found->changers;
    const size_t i = ck_sorted_from(x, found->changer_count, sizeof *x, place_of, (uintptr_t)at);

    return i < found->changer_count && x[i].at == at ? &x[i] : NULL;
}

/* Of two that are late the one with more to tell of, or that came first, is held back longer, unless the other goes
 * round. */
static bool is_before(const struct emu_claimant *a, const struct emu_claimant *b, bool again)
{
    const uint64_t x = a->laps + (a->late ? LATE_LAPS : 0), y = b->laps + (b->late ? LATE_LAPS : 0);

    if (a->late && b->late && x < y + LATE_LAPS && y < x + LATE_LAPS) {
        if (a->news != b->news)
            return a->news < b->news;
        if (a->since != b->since)
            return (a->since > b->since) != again;
    }
    if (x != y)
        return x < y;
    return a->at != b->at ? a->at < b->at : a->number < b->number;
}

/* Of two, the one that went round more loops is ahead, but by some at most. */
static bool is_ahead(const struct emu_claimant *a, const struct emu_claimant *b)
{
    const uint64_t x = a->laps / LATE_LAPS, y = b->laps / LATE_LAPS;

    if (x != y || a->laps == b->laps)
        return is_before(a, b, false);
    return a->laps > b->laps;
}

/* Whether an instruction without op->sync reads or writes data that threads may share. */
static bool is_of_data(const struct emu_op *op)
{
    switch (op->source->op) {
    case OP_ld:
    case OP_st:
    case OP_multimem_ld_reduce:
    case OP_multimem_st: return op->space != PTX_param && op->space != PTX_local && op->space != PTX_const;
    case OP_ldmatrix:
    case OP_stmatrix:
    case OP_wmma_load:
    case OP_wmma_store:
    case OP_st_async:
    case OP_cp_async:
    case OP_cp_async_bulk:
    case OP_multimem_cp_async_bulk:
    case OP_cp_async_bulk_tensor: return true;
    default: return false;
    }
}

/* The change that a fence belongs to; NULL: none. */
static const struct emu_op *change_behind(const struct emu_thread *t, const struct emu_op *fence)
{
    const struct emu_code *code = t->frame->code;
    const uint32_t left = code->function->n_instructions - (uint32_t)(fence - code->ops);

    for (uint32_t i = 1; i < left && i <= FENCE_REACH; i++) {
        const struct emu_changer *x = fence[i].sync ? changer(t, fence[i].source) : NULL;
        if (x && !x->looks)
            return &fence[i];
        if (fence[i].sync ? fence[i].sync != EMU_SYNC_FENCE : is_of_data(&fence[i]))
            return NULL;
    }
    return NULL;
}

/* Whether the thread has looked at the same place by the same instruction before in this turn. */
static bool looks_again(struct emu_alone *a, const struct emu_op *op, uint64_t object)
{
    for (unsigned i = 0; i < a->look_count && i < LOOKS; i++)
        if (a->looks[i].op == op && a->looks[i].object == object)
            return true;
    a->looks[a->look_count % LOOKS].op = op;
    a->looks[a->look_count % LOOKS].object = object;
    a->look_count++;
    return false;
}

/* The gate of a place: the cluster's, the grid's; NULL: there is none. Where a register that gives the address is not
 * known yet, the instruction says which space it means. */
static struct emu_gate *gate_of(struct emu_alone *a, const struct emu_thread *t, const struct emu_op *op, bool known)
{
    if (known)
        return emu_sync_is_global(emu_sync_object(t, op)) ? a->global : &a->own;
    return emu_window_of(op->space) == EMU_SHARED_WINDOW || !a->global ? &a->own : a->global;
}

/* Whether the thread is to come last of its CTA to this change: of those in the same loop one that has data to tell of,
 * that with the highest number. In the second schedule that which had any last: an atomic of another one behind it
 * would tell of it too. */
static void choose_late(const struct emu_alone *a, struct late *late, struct emu_claimant *one, uint32_t index,
                        uint64_t changes)
{
    const enum news news = a->ways[index].news;
    const uint64_t told = a->again ? a->ways[index].told : one->number;
    bool better = one->laps < late->laps;

    if (one->laps == late->laps)
        better = news != late->news ? news > late->news : told > late->told;
    if (!late->number || (better && late->number != one->number))
        *late = (struct late){ .number = one->number, .laps = one->laps, .since = changes, .told = told, .news = news };
    one->late = late->number == one->number;
    one->since = late->since;
    one->news = late->news;
}

/* Whether the thread, which is about to make a change or comes to its fence, goes on; else it is held back. */
static bool may_change(struct emu_alone *a, struct emu_gate *g, const struct emu_thread *t, const struct emu_changer *x,
                       const struct ptx_instruction *at)
{
    const struct emu_swaps *found = emu_machine_of(t)->options.found;
    const uint32_t i = index_of(t);
    struct late *late = &a->late[(size_t)(x - found->changers) * t->cta->cluster->cta_count + t->cta->rank];
    struct emu_claimant one = { .laps = a->ways[i].laps + (at <= a->ways[i].at), .at = at, .number = number_of(t) };

    if (!g->changed && (g->free || g->chosen == one.number)) {
        a->ways[i].laps = one.laps;
        a->ways[i].at = at;
        late->number = late->number == one.number ? 0 : late->number;
        return true;
    }
    g->held = true;
    if (x->several && !a->ahead)
        choose_late(a, late, &one, i, g->changes);
    if (!g->first.number || (a->ahead ? is_ahead(&one, &g->first) : is_before(&one, &g->first, a->again)))
        g->first = one;
    return false;
}

static void has_told(struct emu_alone *a, const struct emu_thread *t)
{
    a->ways[index_of(t)].news = FRESH;
    a->ways[index_of(t)].told = ++a->data;
}

void emu_alone_passes(struct emu_alone *a, const struct emu_thread *t, const struct emu_op *op)
{
    enum news *news = &a->ways[index_of(t)].news;

    if (!op->source)
        return; /* the return behind the last instruction */
    if (is_of_data(op))
        has_told(a, t);
    else if ((op->source->op == OP_bar || op->source->op == OP_barrier) && *news == FRESH) /* of a warp */
        *news = OLD;
}

/* The thread is about to synchronise: by an atomic at which nobody looks it changes data. */
static void note_news(struct emu_alone *a, const struct emu_thread *t, const struct emu_op *op,
                      const struct emu_changer *x)
{
    enum news *news = &a->ways[index_of(t)].news;

    if (!x && (op->sync == EMU_SYNC_CHANGE || op->sync == EMU_SYNC_COUNT))
        has_told(a, t);
    else if ((!x || x->looks) && *news == FRESH && op->sync != EMU_SYNC_FENCE)
        *news = OLD;
}

bool emu_alone_begins(struct emu_alone *a, struct emu_thread *t, const struct emu_op *op)
{
    const bool fence = op->sync == EMU_SYNC_FENCE;
    const struct emu_op *change = fence ? change_behind(t, op) : op;
    const struct emu_changer *x = change ? changer(t, change->source) : NULL;
    struct emu_gate *g;

    a->now = NULL;
    if (a->ways[index_of(t)].paused > a->rounds) {
        pause(a);
        return false;
    }
    note_news(a, t, op, x);
    if (a->turns > a->most || (!x && op->sync != EMU_SYNC_LOOK))
        return true;
    g = gate_of(a, t, change, !fence);
    if (!g)
        return true;
    if (!x || x->looks) {
        if (held_before(a) && looks_again(a, op, emu_sync_object(t, op))) {
            a->rests[index_of(t)] = changes(a) + 1;
            return false;
        }
    } else {
        if (!may_change(a, g, t, x, op->source))
            return false;
    }
    a->now = fence ? NULL : g;
    a->acts = emu_acts(t->cta->cluster->run, t);
    return true;
}

void emu_alone_ended(struct emu_alone *a, struct emu_thread *t)
{
    if (!a->now || emu_acts(t->cta->cluster->run, t) == a->acts)
        return;
    a->now->changed = true;
    a->now->changes++;
    a->ways[index_of(t)].news = NOTHING;
    a->ways[index_of(t)].paused = a->rounds + 1;
    a->look_count = 0;
}

bool emu_alone_holds(const struct emu_alone *a)
{
    return a->rested || a->own.held || (a->global && a->global->held);
}
// SPDX-License-Identifier: Apache-2.0
