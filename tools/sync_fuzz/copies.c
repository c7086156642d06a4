/* Stages in which asynchronous copies bring the data. */
#include "tools/sync_fuzz/gen.h"

/* A random piece of the input. */
static struct place input(struct gen *g, unsigned bytes)
{
    return (struct place){ .space = GLOBAL, .rank = -1, .offset = 16 * below(g, (INPUT_BYTES - bytes) / 16 + 1) };
}

static struct pair near_pair(struct gen *g)
{
    return draw_pair_at(g, g->p->shape.threads > 1 && chance(g, 25) ? IN_WARP : IN_CTA);
}

static void copy_items(struct gen *g, struct data d, struct who who)
{
    struct op *o = add(g, OP_CP_ASYNC, who);

    o->at = d.at;
    o->from = input(g, d.items * 16);
    o->items = d.items;
    o->width = 16;
    o->order = below(g, ORDERS);
    o->turn = 1 + below(g, 5);
    o->looped = chance(g, 30);
    add(g, OP_COMMIT, who);
}

static struct data tile(struct gen *g, unsigned items)
{
    return (struct data){ shared_place(g, items * 16, -1), items, 16 };
}

/* The thread's copies arrive at an mbarrier, in its place or before it. */
static void arrive_behind(struct gen *g, struct who who, struct place bar, bool noinc)
{
    struct op *o = add(g, OP_CP_ARRIVE, who);

    o->bar = bar;
    o->noinc = noinc;
    if (noinc)
        return;
    o = add(g, OP_MBAR_ARRIVE, who);
    o->at = bar;
    o->delta = 1;
    o->sem = RELEASE;
}

const char *stage_cp_async(struct gen *g)
{
    const struct pair pair = near_pair(g);
    const unsigned chunks = 1 + below(g, 3), width = who_width(pair.from);
    const unsigned items = width > 64 ? 64 : chance(g, 70) ? width : 1 + below(g, 2 * width);
    const bool by_mbarrier = chance(g, 30), noinc = by_mbarrier && chance(g, 60);
    struct data d[3] = { 0 };
    struct place bars[3];

    for (unsigned i = 0; i < chunks; i++) {
        d[i] = tile(g, items);
        copy_items(g, d[i], pair.from);
        if (by_mbarrier) {
            bars[i] = shared_place(g, 8, -1);
            begin_mbarrier(g, bars[i], width);
            arrive_behind(g, pair.from, bars[i], noinc);
        }
    }
    for (unsigned i = 0; i < chunks; i++) {
        struct op *o = add(g, by_mbarrier ? OP_MBAR_WAIT : OP_WAIT_GROUP, by_mbarrier ? pair.to : pair.from);
        if (by_mbarrier) {
            o->at = bars[i];
            o->sem = ACQUIRE;
            o->scope = SCOPE_CTA;
        } else {
            o->value = chunks - 1 - i;
            edge_once(g, pair.level, pair.from, pair.to);
        }
        load_data(g, d[i], pair.to, 0);
    }
    if (chance(g, 40)) { /* the first buffer again */
        edge_once(g, pair.level, pair.to, pair.from);
        copy_items(g, d[0], pair.from);
        add(g, OP_WAIT_GROUP, pair.from);
        edge_once(g, pair.level, pair.from, pair.to);
        load_data(g, d[0], pair.to, 0);
    }
    return by_mbarrier ? "cp.async, mbarrier" : "cp.async, groups";
}

const char *stage_bulk_load(struct gen *g)
{
    const struct pair pair = near_pair(g);
    const struct who producer = one_of(g, pair.from);
    const unsigned rounds = 1 + below(g, 3), items = 1 + below(g, 32);
    const struct data d = tile(g, items);
    const struct place bar = shared_place(g, 8, -1);
    struct edge again = { 0 };
    struct op *o;

    begin_mbarrier(g, bar, 1);
    if (rounds > 1)
        again = edge_open(g, pair.level, pair.to, producer, false);
    for (unsigned i = 0; i < rounds; i++) {
        if (i) {
            edge_signal(g, &again);
            edge_wait(g, &again);
        }
        o = add(g, OP_MBAR_EXPECT, producer);
        o->at = bar;
        o->bytes = items * 16;
        o->delta = 1;
        o->sem = RELEASE;
        o = add(g, OP_BULK_LOAD, producer);
        o->at = d.at;
        o->from = input(g, items * 16);
        o->bar = bar;
        o->bytes = items * 16;
        o = add(g, OP_MBAR_WAIT, pair.to);
        o->at = bar;
        o->value = i;
        o->sem = ACQUIRE;
        o->style = chance(g, 50) ? BY_LOAD_STORE : BY_CAS;
        load_data(g, d, pair.to, 0);
    }
    return rounds > 1 ? "bulk load, used again" : "bulk load";
}

const char *stage_bulk_store(struct gen *g)
{
    const struct pair pair = near_pair(g);
    const struct who issuer = one_of(g, pair.to);
    const unsigned rounds = 1 + below(g, 2), items = 1 + below(g, 32);
    const struct data d = { shared_place(g, items * 16, -1), items, 16 };
    const bool writers_fence = chance(g, 60), whole = chance(g, 50);
    struct op *o;

    for (unsigned i = 0; i < rounds; i++) {
        const struct place to = global_place(g, items * 16, true, false);
        store_data(g, d, pair.from, 0);
        if (writers_fence)
            add(g, OP_PROXY_FENCE, pair.from);
        edge_once(g, pair.level, pair.from, issuer);
        if (!writers_fence)
            add(g, OP_PROXY_FENCE, issuer);
        o = add(g, OP_BULK_STORE, issuer);
        o->at = to;
        o->from = d.at;
        o->bytes = items * 16;
        add(g, OP_BULK_COMMIT, issuer);
        add(g, OP_BULK_WAIT, issuer)->read = !whole;
        if (i + 1 < rounds)
            edge_once(g, pair.level, issuer, pair.from);
        if (whole) {
            edge_once(g, pair.level, issuer, pair.to);
            load_data(g, (struct data){ to, items, 16 }, pair.to, 0);
        }
    }
    return whole ? "bulk store, read back" : "bulk store";
}

const char *stage_st_async(struct gen *g)
{
    struct pair pair;
    struct data d;
    struct place bar;
    unsigned rank;
    struct op *o;

    if (g->p->shape.cluster < 2)
        return NULL;
    pair = draw_pair_at(g, IN_CLUSTER);
    rank = (unsigned)__builtin_ctz(pair.to.ctas) % g->p->shape.cluster;
    d.items = who_width(pair.from) > 64 ? 64 : who_width(pair.from);
    d.width = 4;
    d.at = shared_place(g, d.items * 4, (int)rank);
    bar = shared_place(g, 8, (int)rank);
    begin_mbarrier(g, bar, 1);
    o = add(g, OP_MBAR_EXPECT, one_of(g, pair.to));
    o->at = bar;
    o->at.rank = -1;
    o->bytes = d.items * 4;
    o->delta = 1;
    o->sem = RELEASE;
    o = add(g, OP_ST_ASYNC, pair.from);
    o->at = d.at;
    o->bar = bar;
    o->items = d.items;
    o->width = 4;
    o->value = (uint32_t)draw(g);
    o->factor = (uint32_t)draw(g) | 1;
    o->carry = chance(g, 50);
    o = add(g, OP_MBAR_WAIT, pair.to);
    o->at = bar;
    o->at.rank = -1;
    o->sem = ACQUIRE;
    o->scope = SCOPE_CLUSTER;
    d.at.rank = -1;
    load_data(g, d, pair.to, 0);
    return "st.async";
}
// SPDX-License-Identifier: Apache-2.0
