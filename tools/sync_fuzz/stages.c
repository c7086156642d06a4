/* Stages that pass ordinary data from one group of threads to another. */
#include "tools/sync_fuzz/gen.h"

/* ---- who and what ------------------------------------------------------------------------------------------------ */

static struct who some_of(struct gen *g, uint32_t ctas)
{
    const unsigned threads = g->p->shape.threads, warps = threads / 32;
    const struct who all = threads_of(ctas, 0, threads);

    switch (below(g, 4)) {
    case 0: return one_of(g, all);
    case 1:
        if (warps) {
            const unsigned lo = below(g, warps), hi = lo + 1 + below(g, warps - lo);
            return threads_of(ctas, lo * 32, hi * 32);
        }
        return all;
    case 2:
        if (threads > 2) {
            const unsigned lo = below(g, threads), hi = lo + 1 + below(g, threads - lo);
            return threads_of(ctas, lo, hi);
        }
        return all;
    default: return all;
    }
}

static struct pair pair_in_warp(struct gen *g, uint32_t ctas)
{
    const unsigned threads = g->p->shape.threads;
    const unsigned lo = 32 * below(g, (threads + 31) / 32), hi = lo + 32 < threads ? lo + 32 : threads;
    const unsigned cut = hi - lo > 1 ? lo + 1 + below(g, hi - lo - 1) : hi;
    const struct who warp = threads_of(ctas, lo, hi), low = threads_of(ctas, lo, cut), high = threads_of(ctas, cut, hi);

    switch (cut == hi ? 0 : below(g, 4)) {
    case 0: return (struct pair){ IN_WARP, warp, warp };
    case 1: return (struct pair){ IN_WARP, low, high };
    case 2: return (struct pair){ IN_WARP, high, low };
    default: return (struct pair){ IN_WARP, one_of(g, warp), warp };
    }
}

static struct pair pair_in_cta(struct gen *g, uint32_t ctas)
{
    const unsigned threads = g->p->shape.threads, warps = (threads + 31) / 32;
    const struct who all = threads_of(ctas, 0, threads);

    if (warps > 1 && chance(g, 60)) { /* some warps for others */
        const unsigned cut = 32 * (1 + below(g, warps - 1));
        const struct who low = threads_of(ctas, 0, cut), high = threads_of(ctas, cut, threads);
        const bool swap = chance(g, 50);
        struct pair pair = { IN_CTA, swap ? high : low, swap ? low : high };
        if (chance(g, 30))
            pair.from = one_of(g, pair.from);
        if (chance(g, 30))
            pair.to = one_of(g, pair.to);
        return pair;
    }
    if (chance(g, 50))
        return (struct pair){ IN_CTA, all, all };
    return chance(g, 50) ? (struct pair){ IN_CTA, one_of(g, all), all }
                         : (struct pair){ IN_CTA, some_of(g, ctas), all };
}

struct pair draw_pair_at(struct gen *g, enum level level)
{
    const unsigned ctas = program_ctas(g->p), cluster = g->p->shape.cluster;
    const uint32_t every = (1u << ctas) - 1;
    struct pair pair;

    switch (level) {
    case IN_WARP: return pair_in_warp(g, chance(g, 70) ? every : 1u << below(g, ctas));
    case IN_CTA: return pair_in_cta(g, chance(g, 70) ? every : 1u << below(g, ctas));
    case IN_CLUSTER: {
        const unsigned from = below(g, cluster), to = (from + 1 + below(g, cluster - 1)) % cluster;
        pair.from = some_of(g, ctas_of_rank(g, from));
        pair.to = some_of(g, ctas_of_rank(g, to));
        break;
    }
    default: {
        const unsigned from = below(g, ctas), to = (from + 1 + below(g, ctas - 1)) % ctas;
        const unsigned which = below(g, 4);
        pair.from = some_of(g, which == 0 ? every : which == 1 ? every & ~(1u << to) : 1u << from);
        pair.to = some_of(g, which == 0 ? every : which == 2 ? every & ~(1u << from) : 1u << to);
        break;
    }
    }
    pair.level = level;
    return pair;
}

struct pair draw_pair(struct gen *g)
{
    const bool cluster = g->p->shape.cluster > 1, grid = program_ctas(g->p) > 1;

    if (grid && chance(g, 35))
        return draw_pair_at(g, IN_GRID);
    if (cluster && chance(g, 50))
        return draw_pair_at(g, IN_CLUSTER);
    return draw_pair_at(g, g->p->shape.threads > 1 && chance(g, 25) ? IN_WARP : IN_CTA);
}

struct data draw_data(struct gen *g, struct pair pair)
{
    static const unsigned widths[] = { 4, 4, 4, 1, 2, 8, 16 };
    const unsigned group = pair.level == IN_GRID ? who_count(pair.from) : who_width(pair.from);
    struct data d = { .width = widths[below(g, sizeof widths / sizeof *widths)] };
    unsigned bytes;

    d.items = chance(g, 65) ? group : chance(g, 50) ? 1 + below(g, 12) : group + 1 + below(g, group);
    if (d.items > 128)
        d.items = 128;
    bytes = d.items * d.width;
    if (pair.level == IN_GRID)
        d.at = global_place(g, bytes, false, false);
    else if (chance(g, 30))
        d.at = global_place(g, bytes, pair.level <= IN_CTA, pair.level == IN_CLUSTER);
    else if (pair.level <= IN_CTA)
        d.at = shared_place(g, bytes, -1);
    else
        d.at = shared_place(
            g, bytes,
            (int)((unsigned)__builtin_ctz(chance(g, 50) ? pair.from.ctas : pair.to.ctas) % g->p->shape.cluster));
    return d;
}

static struct op *access_data(struct gen *g, enum op_kind kind, struct data d, struct who who, unsigned slot)
{
    struct op *o = add(g, kind, who);

    o->at = d.at;
    o->items = d.items;
    o->width = d.width;
    o->wide = chance(g, 50);
    o->order = below(g, ORDERS);
    o->turn = 1 + below(g, 7);
    o->looped = chance(g, 40);
    o->generic = chance(g, 20);
    o->slot = slot;
    return o;
}

void store_data(struct gen *g, struct data d, struct who who, unsigned slot)
{
    struct op *o = access_data(g, OP_STORE, d, who, slot);

    o->across = d.at.space == GLOBAL && !d.at.by_cta && !d.at.by_cluster;
    o->value = (uint32_t)draw(g);
    o->factor = (uint32_t)draw(g) | 1;
    o->carry = chance(g, 50);
}

void load_data(struct gen *g, struct data d, struct who who, unsigned slot)
{
    access_data(g, OP_LOAD, d, who, slot)->all = d.items <= 8 && chance(g, 50);
}

static struct pair back(struct pair p)
{
    return (struct pair){ p.level, p.to, p.from };
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

const char *stage_pass(struct gen *g)
{
    const struct pair pair = draw_pair(g);
    const unsigned rounds = 1 + below(g, 3);
    const struct data d = draw_data(g, pair);
    struct edge there = edge_open(g, pair.level, pair.from, pair.to, false), again = { 0 };

    if (rounds > 1)
        again = edge_open(g, back(pair).level, pair.to, pair.from, false);
    for (unsigned i = 0; i < rounds; i++) {
        if (i) {
            edge_signal(g, &again);
            edge_wait(g, &again);
        }
        store_data(g, d, pair.from, 0);
        edge_signal(g, &there);
        edge_wait(g, &there);
        load_data(g, d, pair.to, 0);
    }
    return rounds > 1 ? "pass, used again" : "pass";
}

/* One group to a second, the second to a third, which reads what the first one wrote too. */
const char *stage_chain(struct gen *g)
{
    const struct pair first = draw_pair(g);
    struct pair second = draw_pair_at(g, first.level);
    const struct data one = draw_data(g, first);
    struct data two;

    if (first.level == IN_GRID || first.level == IN_CLUSTER) {
        second.to.ctas = first.from.ctas; /* back where it began, to other threads */
        second.from.ctas = first.to.ctas;
    } else {
        second.from.ctas = second.to.ctas = first.from.ctas;
    }
    if (first.level == IN_WARP) {
        second.from = first.to;
        second.to = first.from;
    }
    two = draw_data(g, second);
    store_data(g, one, first.from, 0);
    edge_once(g, first.level, first.from, first.to);
    if (first.level != IN_WARP) /* within the CTA, from those who know to those who go on */
        edge_once(g, IN_CTA, first.to, second.from);
    store_data(g, two, second.from, 0);
    edge_once(g, second.level, second.from, second.to);
    load_data(g, one, second.to, 0);
    load_data(g, two, second.to, 0);
    return "chain of three";
}

const char *stage_ring(struct gen *g)
{
    const struct pair pair = draw_pair(g);
    const unsigned slots = 2 + below(g, 2), rounds = slots + 1 + below(g, 3);
    struct data d[SLOTS];
    struct edge full[SLOTS], empty[SLOTS];

    for (unsigned s = 0; s < slots; s++) {
        d[s] = draw_data(g, pair);
        if (s) { /* all slots alike */
            const struct place at = d[0].at;
            const unsigned bytes = d[0].items * d[0].width;
            d[s] = d[0];
            d[s].at = at.space == SHARED ? shared_place(g, bytes, at.rank)
                                         : global_place(g, bytes, at.by_cta != 0, at.by_cluster != 0);
        }
        full[s] = edge_open(g, pair.level, pair.from, pair.to, true);
        empty[s] = edge_open(g, pair.level, pair.to, pair.from, true);
        full[s].slot = empty[s].slot = s + 1;
    }
    for (unsigned i = 0; slots && i < rounds; i++) {
        const unsigned s = i % slots;
        if (i >= slots)
            edge_wait(g, &empty[s]);
        store_data(g, d[s], pair.from, s + 1);
        edge_signal(g, &full[s]);
        edge_wait(g, &full[s]);
        load_data(g, d[s], pair.to, s + 1);
        if (i + slots < rounds)
            edge_signal(g, &empty[s]);
    }
    return "ring";
}

/* Each CTA leaves its part of a tile, and one of them adds up all. */
const char *stage_stream_k(struct gen *g)
{
    const unsigned ctas = program_ctas(g->p), owner = ctas ? below(g, ctas) : 0;
    struct edge edges[MAX_CTAS];
    struct data parts[MAX_CTAS];
    const struct who readers = some_of(g, 1u << owner);

    if (ctas < 2)
        return NULL;
    for (unsigned c = 0; c < ctas; c++) {
        if (c == owner)
            continue;
        const struct pair pair = { IN_GRID, some_of(g, 1u << c), readers };
        parts[c] = draw_data(g, pair);
        edges[c] = edge_open(g, IN_GRID, pair.from, readers, false);
        store_data(g, parts[c], pair.from, 0);
        edge_signal(g, &edges[c]);
    }
    for (unsigned i = 0; i < ctas; i++) {
        const unsigned c = (owner + i) % ctas;
        if (c == owner)
            continue;
        edge_wait(g, &edges[c]);
        load_data(g, parts[c], readers, 0);
    }
    return "stream-K";
}

/* Each CTA leaves its sums; the one that draws the last ticket adds them up. */
const char *stage_last(struct gen *g)
{
    const struct who all = everyone(g), leader = threads_of(all.ctas, 0, 1);
    const unsigned ctas = program_ctas(g->p), each = 4 * (1 + below(g, 4));
    const struct data part = { global_place(g, 4 * each, true, false), each, 4 };
    const struct place ticket = global_place(g, 4, false, false), word = shared_place(g, 4, -1);
    const bool fenced = chance(g, 50);
    struct op *o;

    store_data(g, part, all, 0);
    g->p->ops[g->p->count - 1].across = false;
    edge_once(g, IN_CTA, all, leader);
    for (unsigned i = 0; i < 2; i++) {
        if (fenced) {
            o = add(g, OP_FENCE, leader);
            o->scope = SCOPE_GPU;
            o->fence = below(g, 3);
        }
        if (i)
            continue;
        o = add(g, OP_TAKE, leader);
        o->at = ticket;
        o->bytes = 4;
        o->sem = fenced ? RELAXED : ACQ_REL;
        o->scope = SCOPE_GPU;
    }
    o = add(g, OP_PUT, leader);
    o->at = word;
    o->width = 4;
    edge_once(g, IN_CTA, leader, all);
    o = add(g, OP_GET, all);
    o->at = word;
    o->width = 4;
    o = add(g, OP_SUM, one_of(g, all));
    o->from = part.at;
    o->from.by_cta = 0;
    o->at = global_place(g, 4, false, false);
    o->items = each * ctas;
    o->width = 4;
    o->value = ctas - 1;
    o->last = true;
    return "last block";
}
// SPDX-License-Identifier: Apache-2.0
