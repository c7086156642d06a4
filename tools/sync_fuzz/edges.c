/* Edges: the ways in which one group of threads tells another that it is done. */
#include "tools/sync_fuzz/gen.h"

static enum scope draw_scope(struct gen *g, enum level level)
{
    const enum scope needed = level == IN_GRID ? SCOPE_GPU : level == IN_CLUSTER ? SCOPE_CLUSTER : SCOPE_CTA;

    return chance(g, 50) ? needed : needed + below(g, SCOPES - needed);
}

static unsigned new_barrier(struct gen *g)
{
    if (g->barriers == BARRIERS) {
        g->p->full = true;
        return 1;
    }
    return g->barriers++;
}

static struct op *barrier(struct gen *g, enum op_kind kind, struct who who, unsigned number, unsigned threads)
{
    struct op *o = add(g, kind, who);

    o->barrier = number;
    o->threads = threads;
    o->in_register = threads && chance(g, 30);
    o->aligned = chance(g, 60) && (whole_warps(who) || !threads);
    return o;
}

/* All threads of the CTA, or whole warps of it, meet. */
static bool can_meet(const struct gen *g, struct who w)
{
    return whole_warps(w) || in_one_warp(w) || who_width(w) == g->p->shape.threads;
}

static void meet(struct gen *g, struct who w, unsigned number)
{
    if (who_width(w) == 1)
        return;
    if (in_one_warp(w))
        add(g, OP_WARP_SYNC, w);
    else if (who_width(w) == g->p->shape.threads)
        barrier(g, OP_BAR_SYNC, w, chance(g, 50) ? 0 : number, 0);
    else
        barrier(g, OP_BAR_SYNC, w, number, who_width(w));
}

/* The rank of the first CTA of a group. */
static unsigned home_of(const struct gen *g, struct who w)
{
    return (unsigned)__builtin_ctz(w.ctas) % g->p->shape.cluster;
}

static bool fits(const struct gen *g, enum edge_kind kind, enum level level, struct who from, struct who to, bool ring)
{
    const bool same = from.lo == to.lo && from.hi == to.hi;

    switch (kind) {
    case EDGE_BARRIER:
        if (level != IN_CTA || g->barriers >= BARRIERS)
            return false;
        return same ? can_meet(g, from) && who_width(from) > 1
                    : whole_warps(from) && whole_warps(to) && (from.hi <= to.lo || to.hi <= from.lo);
    case EDGE_WARP: return level == IN_WARP;
    case EDGE_COUNT: return who_count(from) <= 128;
    case EDGE_LEADER: return can_meet(g, from) && g->barriers + 2 < BARRIERS;
    case EDGE_SEMAPHORE:
        return level <= IN_CTA ? who_width(from) == 1 && who_width(to) == 1
                               : who_count(from) == 1 && who_count(to) == 1;
    case EDGE_MBARRIER: return level <= IN_CTA || (level == IN_CLUSTER && to.ctas == ctas_of_rank(g, home_of(g, to)));
    case EDGE_CLUSTER: return level == IN_CLUSTER && !ring;
    default: return false;
    }
}

static struct place flag_place(struct gen *g, struct edge *e)
{
    struct place at;

    if (e->level == IN_GRID)
        return global_place(g, e->word, false, false);
    if (chance(g, 35))
        return global_place(g, e->word, e->level <= IN_CTA, e->level == IN_CLUSTER);
    at = shared_place(g, e->word, e->level == IN_CLUSTER ? e->home : -1);
    begin_with(g, at, 0, e->word);
    return at;
}

/* How many threads signal an edge at one place: of one CTA where each CTA has its own place, else of all that share it.
 */
static unsigned sharers(const struct gen *g, const struct edge *e, struct who from)
{
    if (e->level <= IN_CTA)
        return who_width(from);
    if (e->level == IN_CLUSTER)
        return who_count(from) / g->p->shape.clusters;
    return who_count(from);
}

struct edge edge_open(struct gen *g, enum level level, struct who from, struct who to, bool ring)
{
    struct edge e = { .level = level, .from = from, .to = to, .home = -1, .word = chance(g, 25) ? 8 : 4, .ring = ring };
    struct who leader = from;
    unsigned tries = 0;

    do
        e.kind = below(g, EDGE_KINDS);
    while (!fits(g, e.kind, level, from, to, ring) && tries++ < 100);
    g->p->full |= tries > 100;
    if (level == IN_CLUSTER) /* the first CTA of the readers */
        e.home = (int)home_of(g, to);
    if (e.kind == EDGE_SEMAPHORE)
        e.word = 4;
    switch (e.kind) {
    case EDGE_BARRIER: e.barrier = new_barrier(g); break;
    case EDGE_LEADER:
        e.collect = new_barrier(g);
        leader = threads_of(from.ctas, from.lo, from.lo + 1);
        e.fence_first = chance(g, 30);
        /* fallthrough */
    case EDGE_COUNT:
    case EDGE_SEMAPHORE:
        if (can_meet(g, to) && who_width(to) > 1 && chance(g, 60) && g->barriers < BARRIERS - 1)
            e.distribute = new_barrier(g);
        e.at = flag_place(g, &e);
        e.arrivals = sharers(g, &e, leader);
        break;
    case EDGE_MBARRIER:
        e.at = shared_place(g, 8, level == IN_CLUSTER ? e.home : -1);
        e.collect = can_meet(g, from) && g->barriers < BARRIERS - 1 && chance(g, 40) ? new_barrier(g) : 0;
        leader = e.collect ? threads_of(from.ctas, from.lo, from.lo + 1) : from;
        e.arrivals = sharers(g, &e, leader);
        begin_mbarrier(g, e.at, e.arrivals);
        break;
    default: break;
    }
    return e;
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static void fence(struct gen *g, struct who who, enum scope scope, bool sc)
{
    struct op *o = add(g, OP_FENCE, who);

    o->scope = scope;
    o->fence = sc ? FENCE_SC + below(g, 2) : below(g, 3);
    if (o->fence == FENCE_MEMBAR && scope == SCOPE_CLUSTER)
        o->scope = SCOPE_GPU; /* membar has no .cluster */
}

static void signal_flag(struct gen *g, struct edge *e)
{
    const enum scope scope = draw_scope(g, e->level);
    const bool many = e->arrivals > 1 || e->kind == EDGE_SEMAPHORE;
    struct who who = e->from;
    bool fenced = e->fence_first || chance(g, 45);
    struct op *o;

    if (e->kind == EDGE_LEADER) {
        if (e->fence_first)
            fence(g, who, SCOPE_GPU, true);
        meet(g, who, e->collect);
        who = threads_of(who.ctas, who.lo, who.lo + 1);
    }
    if (fenced && !e->fence_first)
        fence(g, who, scope, chance(g, 30));
    o = add(g, OP_SET, who);
    o->at = e->at;
    o->bytes = e->word;
    o->value = (e->fired + 1) * e->arrivals;
    o->delta = 1;
    o->factor = e->fired * e->arrivals; /* what it was, for cas */
    o->scope = scope;
    do
        o->style = below(g, STYLES);
    while (many && o->style != BY_ADD && o->style != BY_RED);
    o->sem = fenced ? RELAXED : o->style == BY_LOAD_STORE || o->style == BY_RED || chance(g, 50) ? RELEASE : ACQ_REL;
    if (fenced && o->style == BY_LOAD_STORE && chance(g, 40))
        o->sem = VOLATILE;
}

static void wait_flag(struct gen *g, struct edge *e)
{
    const enum scope scope = draw_scope(g, e->level);
    const bool fenced = e->fence_first || (chance(g, 45) && e->kind != EDGE_SEMAPHORE);
    const struct who who = e->distribute ? one_of(g, e->to) : e->to;
    struct op *o = add(g, e->kind == EDGE_SEMAPHORE ? OP_DOWN : OP_WAIT, who);

    o->at = e->at;
    o->bytes = e->word;
    o->value = e->fired * e->arrivals;
    o->scope = scope;
    o->style = e->kind == EDGE_SEMAPHORE ? BY_CAS : chance(g, 65) ? BY_LOAD_STORE : chance(g, 50) ? BY_ADD : BY_CAS;
    o->sem = fenced ? RELAXED : o->style == BY_LOAD_STORE || chance(g, 50) ? ACQUIRE : ACQ_REL;
    if (fenced && o->style == BY_LOAD_STORE && chance(g, 40))
        o->sem = VOLATILE;
    o->backoff = chance(g, 30) ? 20u << below(g, 4) : 0;
    if (fenced && !(e->fence_first && e->distribute))
        fence(g, who, e->fence_first ? SCOPE_GPU : scope, e->fence_first || chance(g, 30));
    if (e->distribute)
        meet(g, e->to, e->distribute);
    if (e->fence_first && e->distribute)
        fence(g, e->to, SCOPE_GPU, true);
}

static void signal_mbarrier(struct gen *g, struct edge *e)
{
    struct who who = e->from;
    struct op *o;

    if (e->collect) {
        meet(g, who, e->collect);
        who = threads_of(who.ctas, who.lo, who.lo + 1);
    }
    o = add(g, OP_MBAR_ARRIVE, who);
    o->at = e->at;
    o->delta = 1;
    o->sem = RELEASE;
    o->scope = e->level == IN_CLUSTER ? SCOPE_CLUSTER : below(g, 2);
}

static void wait_mbarrier(struct gen *g, struct edge *e)
{
    struct op *o = add(g, OP_MBAR_WAIT, e->to);

    o->at = e->at;
    o->at.rank = -1; /* a wait is for the CTA's own */
    o->value = e->fired - 1;
    o->sem = ACQUIRE;
    o->scope = e->level == IN_CLUSTER ? SCOPE_CLUSTER : below(g, 2);
    o->style = chance(g, 50) ? BY_LOAD_STORE : BY_CAS; /* test_wait or try_wait */
    o->backoff = chance(g, 20) ? 32 : 0;
}

void edge_signal(struct gen *g, struct edge *e)
{
    const size_t first = g->p->count;

    switch (e->kind) {
    case EDGE_BARRIER:
        if (e->from.lo == e->to.lo)
            meet(g, e->from, e->barrier);
        else
            barrier(g, e->ring || chance(g, 60) ? OP_BAR_ARRIVE : OP_BAR_SYNC, e->from, e->barrier,
                    who_width(e->from) + who_width(e->to));
        break;
    case EDGE_WARP: break;
    case EDGE_COUNT:
    case EDGE_LEADER:
    case EDGE_SEMAPHORE: signal_flag(g, e); break;
    case EDGE_MBARRIER: signal_mbarrier(g, e); break;
    default: {
        struct op *o;
        const bool relaxed = chance(g, 30);
        if (relaxed)
            fence(g, everyone(g), SCOPE_CLUSTER, chance(g, 30));
        o = add(g, OP_CLUSTER_ARRIVE, everyone(g));
        o->sem = relaxed ? RELAXED : RELEASE;
        break;
    }
    }
    e->fired++;
    for (size_t i = first; i < g->p->count; i++)
        g->p->ops[i].slot = e->slot;
}

void edge_wait(struct gen *g, struct edge *e)
{
    const size_t first = g->p->count;

    switch (e->kind) {
    case EDGE_BARRIER:
        if (e->from.lo != e->to.lo)
            barrier(g, OP_BAR_SYNC, e->to, e->barrier, who_width(e->from) + who_width(e->to));
        break;
    case EDGE_WARP: {
        const unsigned lo = e->from.lo < e->to.lo ? e->from.lo : e->to.lo;
        const unsigned hi = e->from.hi > e->to.hi ? e->from.hi : e->to.hi;
        add(g, OP_WARP_SYNC, threads_of(e->from.ctas, lo, hi));
        break;
    }
    case EDGE_COUNT:
    case EDGE_LEADER:
    case EDGE_SEMAPHORE: wait_flag(g, e); break;
    case EDGE_MBARRIER: wait_mbarrier(g, e); break;
    default: add(g, OP_CLUSTER_WAIT, everyone(g))->sem = ACQUIRE; break;
    }
    for (size_t i = first; i < g->p->count; i++)
        g->p->ops[i].slot = e->slot;
}

void edge_once(struct gen *g, enum level level, struct who from, struct who to)
{
    struct edge e = edge_open(g, level, from, to, false);

    edge_signal(g, &e);
    edge_wait(g, &e);
}
// SPDX-License-Identifier: Apache-2.0
