/* Barriers of a CTA and of a cluster. */
#include "harness/emu/instructions/barrier.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/emu/instructions/decoders.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

/* ---- barriers of a CTA ---------------------------------------------------------------------------------------- */

static struct emu_barrier *barrier_of(struct emu_thread *t, uint64_t number)
{
    if (!t->cta->barriers)
        t->cta->barriers = calloc(EMU_BARRIERS, sizeof *t->cta->barriers);
    if (!t->cta->barriers)
        emu_starve(t, "a barrier");
    if (number >= EMU_BARRIERS)
        emu_bad_access(t, &rule_bar_id_range, number, 0, "barrier %llu: a CTA has barriers 0 to 15",
                       (unsigned long long)number);
    return &t->cta->barriers[number];
}

static bool is_aligned(const struct emu_cta *cta, const struct ptx_instruction *i)
{
    return i->op == OP_bar || ptx_has(cta->cluster->grid->module, i, PTX_aligned);
}

/* All lanes of a warp that have not exited must arrive at an aligned barrier, and by the same instruction. */
static void check_lanes(struct emu_cta *cta, uint32_t warp, uint32_t lanes, bool mixed,
                        const struct ptx_instruction *at)
{
    const struct emu_thread *away = NULL, *came = NULL;

    if (!mixed && (!lanes || lanes == UINT32_MAX)) /* nobody came, or all by one instruction */
        return;
    for (uint32_t i = 0; lanes && i < EMU_WARP; i++) {
        const struct emu_thread *t = &cta->threads[warp * EMU_WARP + i];
        if (lanes >> i & 1)
            came = t;
        else if (t->state != EMU_EXITED)
            away = t;
    }
    if (lanes && is_aligned(cta, at) && (mixed || away)) {
        struct emu_finding f = { .rule = &rule_bar_aligned };
        emu_place_at(came ? came : away, at, 0, 0, &f.here);
        snprintf(f.message, sizeof f.message,
                 mixed ? "lanes of warp %u arrive at a barrier by different instructions (line %u is one)"
                       : "an aligned barrier of warp %u (line %u) completes without all of its lanes",
                 warp, at->line);
        emu_file(cta->cluster->grid, &f);
    }
}

static void check_warp(struct emu_cta *cta, struct emu_arrivals *a, uint32_t warp)
{
    check_lanes(cta, warp, a->lanes, a->mixed, a->at);
    check_lanes(cta, warp, a->again, false, a->again_at);
    *a = (struct emu_arrivals){ 0 };
}

static __attribute__((noinline)) void complete(struct emu_thread *t, uint64_t number, struct emu_barrier *b)
{
    struct emu_cta *cta = t->cta;
    const struct emu_watch *watch = emu_watch_all(t);

    if (watch)
        watch->barrier_complete(t, number);
    for (uint32_t i = 0; i * EMU_WARP < cta->thread_count; i++)
        check_warp(cta, &b->warps[i], i);
    for (uint32_t i = 0; i < cta->thread_count; i++) {
        struct emu_thread *o = &cta->threads[i];
        if (o->at_barrier != number + 1)
            continue;
        o->at_barrier = 0;
        if (o->state == EMU_BLOCKED && o->wait == EMU_WAIT_BARRIER && o->wait_a == number)
            o->state = EMU_READY; /* a thread that only arrived goes on by itself, or has exited */
    }
    b->last_value = b->value;
    b->last_all = b->value == b->votes;
    b->value = b->votes = 0;
    b->arrived = 0;
    b->generation++;
    cta->cluster->run->completed = true;
    emu_wake(cta->cluster);
}

/* Completes the barrier if enough threads have arrived: the given count, or all threads of the CTA that have not
 * exited. PTX ISA, barrier. */
static void complete_if(struct emu_thread *t, uint64_t number, struct emu_barrier *b)
{
    if (b->arrived >= (b->expected ? b->expected : t->cta->live))
        complete(t, number, b);
}

/* A count is for whole warps: when each lane of the thread's warp has come or exited, those that did not come count as
 * well. For the last of them to do so. */
static void count_exited(const struct emu_thread *t, struct emu_barrier *b, uint32_t came)
{
    const struct emu_thread *first = t - t->lane;
    uint32_t exited = 0;

    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (first[i].state == EMU_EXITED)
            exited |= 1u << i;
    if ((came | exited) == UINT32_MAX)
        b->arrived += EMU_WARP - emu_lanes_count(came);
}

enum { BAR_SYNC, BAR_ARRIVE, BAR_POPC, BAR_AND, BAR_OR };

static bool reduces(const struct emu_op *op)
{
    return op->barrier.kind >= BAR_POPC;
}

/* The thread runs the instruction again after it has arrived: the barrier is complete, or not yet. */
static __attribute__((noinline)) void wait_on(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);
    const uint64_t number = t->r[op->a];
    const struct emu_barrier *b = &t->cta->barriers[number];

    if (b->generation < t->barrier_generation) {
        emu_block(t, EMU_WAIT_BARRIER, number, 0);
        return;
    }
    t->barrier_generation = 0;
    if (watch)
        watch->barrier_wait(t, number);
    switch (op->barrier.kind) {
    case BAR_POPC: t->r[op->d] = b->last_value; break;
    case BAR_AND: t->r[op->d] = b->last_all; break;
    case BAR_OR: t->r[op->d] = b->last_value != 0; break;
    default: break;
    }
}

/* An instruction by which lanes of a warp come; of several, an aligned one is kept, which asks for all lanes. */
static void come_by(const struct emu_cta *cta, struct emu_arrivals *warp, const struct ptx_instruction *at)
{
    const bool other = warp->lanes && warp->at != at;

    warp->mixed |= other;
    if (!other || !is_aligned(cta, warp->at))
        warp->at = at;
}

/* Counts the thread, and its predicate in a reduction. */
static void come_to(struct emu_thread *t, const struct emu_op *op, uint64_t number, struct emu_barrier *b, bool again)
{
    struct emu_arrivals *warp = &b->warps[t->warp];
    uint32_t *came = again ? &warp->again : &warp->lanes;

    if (reduces(op)) {
        b->value += (t->r[op->c] != 0) != op->barrier.negated;
        b->votes++;
    }
    b->reduces = reduces(op);
    b->arrived++;
    if (again)
        warp->again_at = op->source;
    else
        come_by(t->cta, warp, op->source);
    *came |= 1u << t->lane;
    if (b->expected)
        count_exited(t, b, *came);
    t->at_barrier = number + 1;
}

/* A thread comes with another count than those before it. */
static __attribute__((noinline)) void other_count(struct emu_thread *t, uint64_t number, struct emu_barrier *b,
                                                  uint32_t count)
{
    const uint32_t all = emu_warps_of(t->cta->thread_count) * EMU_WARP;
    const uint32_t before = b->expected ? b->expected : all, now = count ? count : all;

    if (now != before)
        emu_complain(t, &rule_bar_count_same, NULL, number, 0, "barrier %llu with a count of %u, where others gave %u",
                     (unsigned long long)number, now, before);
    if (now > before) /* of several, the largest */
        b->expected = count;
}

/* Whether a thread that has come to this use already may come again: the lanes of its warp arrive without a wait, and
 * then they wait, also one before another has arrived. Each of the two instructions counts, so a warp that signals and
 * waits counts twice. Of barrier, whose lanes may come one by one, all have to have arrived. */
static bool comes_again(const struct emu_thread *t, const struct emu_op *op, const struct emu_arrivals *warp)
{
    return op->barrier.kind == BAR_SYNC && !warp->mixed && !(warp->again >> t->lane & 1) &&
           (!warp->again || warp->again_at == op->source) &&
           (warp->lanes == UINT32_MAX || (is_aligned(t->cta, warp->at) && is_aligned(t->cta, op->source))) &&
           ptx_has(t->cta->cluster->grid->module, warp->at, PTX_arrive);
}

/* A thread comes with this count; 0: all threads of the CTA take part. Returns whether it comes again. */
static bool check_use(struct emu_thread *t, const struct emu_op *op, uint64_t number, struct emu_barrier *b,
                      uint32_t count)
{
    const struct emu_arrivals *warp = &b->warps[t->warp];
    const bool came = warp->lanes >> t->lane & 1, again = came && comes_again(t, op, warp);

    if (count % EMU_WARP)
        emu_bad_access(t, &rule_bar_count_multiple, count, 0, "a barrier count of %u is not a multiple of 32", count);
    if (came && !again)
        emu_complain(t, &rule_bar_next_use, NULL, number, 0,
                     "barrier %llu, where the thread has arrived already in this use", (unsigned long long)number);
    if (!b->arrived)
        b->expected = count;
    else if (count != b->expected)
        other_count(t, number, b, count);
    return again;
}

static __attribute__((noinline)) void arrive(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);
    const uint64_t number = t->r[op->a];
    struct emu_barrier *b = barrier_of(t, number);
    const bool again = check_use(t, op, number, b, op->b == EMU_NO ? 0 : (uint32_t)t->r[op->b]);

    if (b->arrived && b->reduces != reduces(op))
        emu_complain(t, &rule_bar_red_mix, NULL, number, 0,
                     "barrier %llu, where other threads wait by another form of it", (unsigned long long)number);
    come_to(t, op, number, b, again);
    if (watch)
        watch->barrier_arrive(t, number, false);
    if (op->barrier.kind != BAR_ARRIVE) {
        t->barrier_generation = b->generation + 1;
        emu_block(t, EMU_WAIT_BARRIER, number, 0);
    }
    complete_if(t, number, b);
}

static void bar(struct emu_thread *t, const struct emu_op *op)
{
    if (t->barrier_generation)
        wait_on(t, op);
    else
        arrive(t, op);
}

/* Lanes of a warp go on behind a barrier that is complete. */
static void lanes_pass(struct emu_thread *lanes, uint32_t set, uint64_t number)
{
    const struct emu_watch *watch = emu_watch_all(lanes);

    for (uint32_t lane = 0; set == UINT32_MAX && lane < EMU_WARP; lane++)
        lanes[lane].barrier_generation = 0;
    for (uint32_t left = set == UINT32_MAX ? 0 : set; left; left &= left - 1)
        lanes[__builtin_ctz(left)].barrier_generation = 0;
    if (watch)
        watch->barrier_wait_lanes(lanes, set, number);
}

/* A thread blocks at a barrier until this generation of it is complete. */
static inline void block_at(struct emu_thread *t, uint64_t number, uint64_t generation)
{
    t->at_barrier = number + 1;
    t->barrier_generation = generation;
    t->state = EMU_BLOCKED;
    t->wait = EMU_WAIT_BARRIER;
    t->wait_a = number;
    t->wait_b = 0;
}

/* They come to one, and block there: none of them has come to it in this use, and others are yet to come. */
static void lanes_come(struct emu_thread *lanes, uint32_t set, const struct emu_op *op, uint64_t number)
{
    const struct emu_watch *watch = emu_watch_all(lanes);
    struct emu_barrier *b = barrier_of(&lanes[__builtin_ctz(set)], number);
    struct emu_arrivals *warp = &b->warps[lanes->warp];
    const uint64_t generation = b->generation + 1;

    b->expected = 0;
    b->reduces = false;
    b->arrived += emu_lanes_count(set);
    come_by(lanes->cta, warp, op->source);
    warp->lanes |= set;
    if (watch)
        watch->barrier_arrive_lanes(lanes, set, number);
    for (uint32_t lane = 0; set == UINT32_MAX && lane < EMU_WARP; lane++)
        block_at(&lanes[lane], number, generation);
    for (uint32_t left = set == UINT32_MAX ? 0 : set; left; left >>= 1, lanes++)
        if (left & 1)
            block_at(lanes, number, generation);
}

static void bar_lanes(struct emu_thread *lanes, uint32_t set, const struct emu_op *op)
{
    const struct emu_thread *first = &lanes[__builtin_ctz(set)];

    if (first->barrier_generation)
        lanes_pass(lanes, set, first->r[op->a]);
    else
        lanes_come(lanes, set, op, first->r[op->a]);
}

void emu_barriers_exit(struct emu_thread *t)
{
    struct emu_barrier *all = t->cta->barriers;

    for (uint64_t i = 0; all && i < EMU_BARRIERS; i++) {
        const struct emu_arrivals *warp = &all[i].warps[t->warp];
        /* At an aligned barrier its lanes were to come together: the others wait for it, and that is told. */
        if (all[i].expected && warp->lanes && !(warp->lanes >> t->lane & 1) && !is_aligned(t->cta, warp->at))
            count_exited(t, &all[i], warp->lanes);
        if (all[i].arrived)
            complete_if(t, i, &all[i]);
    }
}

/* ---- barrier of a cluster ------------------------------------------------------------------------------------- */

struct emu_cluster_barrier {
    uint32_t arrived;
    uint64_t generation;
    struct { /* of each warp of the cluster: how a lane has last passed a wait, and which generation's */
        const struct ptx_instruction *at;
        uint64_t generation;
        uint32_t lane;
    } waited[];
};

/* If an instruction is aligned, all lanes of a warp must execute the same one. */
static void complain_of_lanes(const struct emu_thread *a, const struct ptx_instruction *a_at,
                              const struct emu_thread *b, const struct ptx_instruction *b_at, const char *what)
{
    struct emu_finding f = { .rule = &rule_cluster_barrier_aligned };

    if (a_at == b_at || (!is_aligned(a->cta, a_at) && !is_aligned(b->cta, b_at)))
        return;
    emu_place_at(b, b_at, 0, 0, &f.here);
    emu_place_at(a, a_at, 0, 0, &f.there);
    snprintf(f.message, sizeof f.message, "lanes %u and %u of a warp %s at the cluster's barrier on lines %u and %u",
             a->lane, b->lane, what, a_at->line, b_at->line);
    emu_file(b->cta->cluster->grid, &f);
}

static void check_lane(const struct emu_thread *t)
{
    const struct emu_thread *first = &t->cta->threads[t->index - t->lane];

    while (first < t && first->state == EMU_EXITED)
        first++;
    if (t->state != EMU_EXITED)
        complain_of_lanes(first, first->cluster_at, t, t->cluster_at, "arrive");
}

static struct emu_cluster_barrier *cluster_barrier(struct emu_thread *t)
{
    struct emu_cluster *c = t->cta->cluster;

    if (!c->barrier)
        c->barrier = calloc(1, sizeof *c->barrier + (size_t)c->cta_count * emu_warps_of(t->cta->thread_count) *
                                                        sizeof c->barrier->waited[0]);
    if (!c->barrier)
        emu_starve(t, "a barrier");
    return c->barrier;
}

/* Completes the cluster's barrier if all threads that have not exited have arrived; t: the last to arrive or exit. */
static void complete_cluster(struct emu_thread *t)
{
    struct emu_cluster *c = t->cta->cluster;
    struct emu_cluster_barrier *b = c->barrier;
    uint32_t live = 0;

    for (uint32_t i = 0; i < c->cta_count; i++)
        live += c->ctas[i].live;
    if (!b || !b->arrived || b->arrived < live)
        return;
    if (c->watched)
        c->watch->barrier_complete(t, EMU_CLUSTER_BARRIER);
    for (uint32_t i = 0; i < c->cta_count; i++)
        for (uint32_t k = 0; k < c->ctas[i].thread_count; k++)
            check_lane(&c->ctas[i].threads[k]);
    b->arrived = 0;
    b->generation++;
    emu_wake(c);
}

static void cluster_arrive(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);
    struct emu_cluster_barrier *b = cluster_barrier(t);

    if (t->cluster_waits)
        emu_bad_access(t, &rule_cluster_barrier_arrive_once, 0, 0,
                       "a second barrier.cluster.arrive without a wait in between");
    t->cluster_waits = true;
    t->cluster_arrived = b->generation + 1;
    t->cluster_at = op->source;
    b->arrived++;
    if (watch)
        watch->barrier_arrive(t, EMU_CLUSTER_BARRIER, op->barrier.relaxed);
    complete_cluster(t);
}

/* The thread passes a wait: the lane of its warp that has passed one before it has done so by the same instruction. */
static void pass_wait(struct emu_thread *t, struct emu_cluster_barrier *b, const struct ptx_instruction *at)
{
    const uint32_t warp = t->cta->rank * emu_warps_of(t->cta->thread_count) + t->warp;

    if (b->waited[warp].at && b->waited[warp].generation == t->cluster_arrived)
        complain_of_lanes(&t->cta->threads[t->index - t->lane + b->waited[warp].lane], b->waited[warp].at, t, at,
                          "wait");
    b->waited[warp].at = at;
    b->waited[warp].generation = t->cluster_arrived;
    b->waited[warp].lane = t->lane;
    t->cluster_waits = false;
}

static void cluster_wait(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);

    if (!t->cluster_waits)
        emu_bad_access(t, &rule_cluster_barrier_arrive_once, 0, 0, "barrier.cluster.wait without an arrive%s",
                       t->cluster_arrived ? " since the wait before" : "");
    if (cluster_barrier(t)->generation < t->cluster_arrived) {
        emu_block(t, EMU_WAIT_CLUSTER, 0, 0);
        return;
    }
    pass_wait(t, t->cta->cluster->barrier, op->source);
    if (watch)
        watch->barrier_wait(t, EMU_CLUSTER_BARRIER);
}

/* A thread that has exited does not count any more: others do not wait for it, and its arrival is forgotten. */
void emu_cluster_exit(struct emu_thread *t)
{
    struct emu_cluster_barrier *b = t->cta->cluster->barrier;

    if (b && t->cluster_arrived > b->generation)
        b->arrived--;
    complete_cluster(t);
}

/* ---- decoding ------------------------------------------------------------------------------------------------- */

static emu_handler *decode_bar(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    unsigned first = 0;

    if (ptx_has(m, i, PTX_warp))
        return NULL; /* bar.warp.sync: warp.c */
    op->barrier.kind = BAR_SYNC;
    if (ptx_has(m, i, PTX_arrive))
        op->barrier.kind = BAR_ARRIVE;
    if (ptx_has(m, i, PTX_red)) {
        const struct ptx_operand *p = ptx_operand(m, i, i->n_operands - 1u);
        op->barrier.kind = ptx_has(m, i, PTX_popc) ? BAR_POPC : ptx_has(m, i, PTX_and) ? BAR_AND : BAR_OR;
        op->d = emu_slot(ptx_operand(m, i, 0), PTX_u32);
        op->c = emu_slot(p, PTX_pred);
        op->barrier.negated = (p->flags & PF_NOT) != 0;
        first = 1;
    } else {
        op->c = EMU_NO;
    }
    op->a = emu_slot(ptx_operand(m, i, first), PTX_u32);
    op->b = i->n_operands - first - (first ? 1u : 0u) > 1 ? emu_slot(ptx_operand(m, i, first + 1), PTX_u32) : EMU_NO;
    if (op->barrier.kind == BAR_SYNC && op->b == EMU_NO) {
        op->together = EMU_BARRIER;
        op->whole = bar_lanes;
    }
    return bar;
}

emu_handler *emu_decode_barrier(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    switch (i->op) {
    case OP_bar:
    case OP_barrier: return decode_bar(m, i, op);
    case OP_barrier_cluster:
    case OP_barrier_cluster_arrive:
    case OP_barrier_cluster_wait:
        op->barrier.relaxed = ptx_has(m, i, PTX_relaxed);
        return i->op == OP_barrier_cluster_wait || ptx_has(m, i, PTX_wait) ? cluster_wait : cluster_arrive;
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
