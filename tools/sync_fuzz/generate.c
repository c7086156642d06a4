/* A right program of a seed: its shape, what it begins with, its stages, what it ends with. */
#include "tools/sync_fuzz/gen.h"

#include <string.h>

#include "expected/random.h"

uint64_t draw(struct gen *g)
{
    return splitmix64_next(&g->random);
}

unsigned below(struct gen *g, unsigned n)
{
    return (unsigned)(draw(g) % n);
}

bool chance(struct gen *g, unsigned percent)
{
    return below(g, 100) < percent;
}

/* ---- groups of threads ------------------------------------------------------------------------------------------- */

struct who threads_of(uint32_t ctas, unsigned lo, unsigned hi)
{
    return (struct who){ ctas, lo, hi };
}

struct who everyone(const struct gen *g)
{
    return threads_of((1u << program_ctas(g->p)) - 1, 0, g->p->shape.threads);
}

struct who one_of(struct gen *g, struct who w)
{
    const unsigned which = chance(g, 50) ? w.lo : chance(g, 60) ? w.hi - 1 : w.lo + below(g, who_width(w));

    return threads_of(w.ctas, which, which + 1);
}

uint32_t ctas_of_rank(const struct gen *g, unsigned rank)
{
    uint32_t ctas = 0;

    for (unsigned k = 0; k < g->p->shape.clusters; k++)
        ctas |= 1u << (k * g->p->shape.cluster + rank);
    return ctas;
}

bool whole_warps(struct who w)
{
    return w.lo % 32 == 0 && w.hi % 32 == 0;
}

bool in_one_warp(struct who w)
{
    return w.lo / 32 == (w.hi - 1) / 32;
}

bool apart(struct who a, struct who b)
{
    return (a.hi + 31) / 32 <= b.lo / 32 || (b.hi + 31) / 32 <= a.lo / 32;
}

/* ---- operations and memory --------------------------------------------------------------------------------------- */

struct op *add(struct gen *g, enum op_kind kind, struct who who)
{
    static struct op nowhere;
    struct op *o = &nowhere;

    if (g->p->count < MAX_OPS)
        o = &g->p->ops[g->p->count++];
    else
        g->p->full = true;
    *o = (struct op){ .kind = kind, .who = who, .stage = g->stage, .at.rank = -1, .from.rank = -1, .bar.rank = -1 };
    return o;
}

static unsigned take(struct gen *g, unsigned *used, unsigned bytes, unsigned limit)
{
    const unsigned at = (*used + 15) / 16 * 16;

    if (at + bytes > limit) {
        g->p->full = true;
        return 0;
    }
    *used = at + bytes;
    return at;
}

struct place shared_place(struct gen *g, unsigned bytes, int rank)
{
    g->remote |= rank >= 0;
    return (struct place){ .space = SHARED, .rank = rank, .offset = take(g, &g->shared, bytes, SHARED_BYTES) };
}

struct place global_place(struct gen *g, unsigned bytes, bool by_cta, bool by_cluster)
{
    const unsigned times = by_cta ? program_ctas(g->p) : by_cluster ? g->p->shape.clusters : 1;
    const unsigned each = (bytes + 15) / 16 * 16;

    return (struct place){ .space = GLOBAL,
                           .rank = -1,
                           .offset = take(g, &g->global, each * times, GLOBAL_BYTES),
                           .by_cta = by_cta ? each : 0,
                           .by_cluster = by_cluster && !by_cta ? each : 0 };
}

static struct op *start(struct gen *g, enum op_kind kind, struct place at)
{
    static struct op nowhere;
    struct op *o = g->starts < sizeof g->start / sizeof *g->start ? &g->start[g->starts++] : &nowhere;

    if (o == &nowhere)
        g->p->full = true;
    at.rank = -1; /* each CTA its own */
    *o = (struct op){ .kind = kind, .at = at, .from.rank = -1, .bar.rank = -1 };
    return o;
}

void begin_with(struct gen *g, struct place at, uint32_t value, unsigned bytes)
{
    if (at.space == GLOBAL)
        return;
    struct op *o = start(g, OP_STORE, at);
    o->items = bytes / 4;
    o->all = true;
    o->width = 4;
    o->value = value;
}

void begin_mbarrier(struct gen *g, struct place at, unsigned count)
{
    start(g, OP_MBAR_INIT, at)->value = count;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void draw_shape(struct gen *g)
{
    static const unsigned widths[] = { 32, 32, 64, 64, 64, 96, 128, 1, 2, 8, 33, 48, 100 };
    struct shape *s = &g->p->shape;

    s->cluster = chance(g, 45) ? 1 : chance(g, 70) ? 2 : 4;
    s->clusters = 1 + below(g, s->cluster == 4 ? 2 : 3);
    do
        s->threads = widths[below(g, sizeof widths / sizeof *widths)];
    while (s->threads * s->cluster * s->clusters > MAX_THREADS);
    s->block[0] = s->threads;
    s->block[1] = s->block[2] = 1;
    for (unsigned axis = 1; axis < 3; axis++) /* some of the blocks are flat or deep */
        if (s->block[0] % 2 == 0 && chance(g, 25)) {
            s->block[0] /= 2;
            s->block[axis] = 2;
        }
    s->dynamic = chance(g, 40);
    s->padding = chance(g, 40) ? 16 * (1 + below(g, 12)) : 0;
}

/* What the start's threads do, and how all others learn of it. */
static void draw_start(struct gen *g, struct op *rest, size_t count)
{
    const struct who all = everyone(g), first = one_of(g, all);
    bool mbarriers = false;
    struct op *o;

    g->stage = 0;
    for (size_t i = 0; i < g->starts; i++) {
        o = add(g, g->start[i].kind, first);
        *o = g->start[i];
        o->who = first;
        o->fixed = o->kind != OP_MBAR_INIT;
        mbarriers |= o->kind == OP_MBAR_INIT;
    }
    if (mbarriers) /* for other CTAs and for the async proxy */
        add(g, OP_INIT_FENCE, first)->fixed = true;
    if (g->remote) {
        o = add(g, OP_CLUSTER_ARRIVE, all);
        o->sem = RELEASE;
        o->fixed = true;
        o = add(g, OP_CLUSTER_WAIT, all);
        o->sem = ACQUIRE;
        o->fixed = true;
    } else if (g->starts) {
        add(g, OP_BAR_SYNC, all)->aligned = true;
    }
    for (size_t i = 0; i < count; i++)
        *add(g, OP_NONE, all) = rest[i];
}

/* Each thread leaves its number; CTAs whose shared memory others touch stay until the others are done: a relaxed arrive
 * would not wait for that. */
static void draw_end(struct gen *g)
{
    struct op *o;

    g->stage = 0;
    if (g->remote) {
        o = add(g, OP_CLUSTER_ARRIVE, everyone(g));
        o->sem = RELEASE;
        o->fixed = true;
        o = add(g, OP_CLUSTER_WAIT, everyone(g));
        o->sem = ACQUIRE;
        o->fixed = true;
    }
    o = add(g, OP_STORE, everyone(g));
    o->at = global_place(g, 4 * MAX_THREADS, false, false);
    o->items = program_ctas(g->p) * g->p->shape.threads;
    o->width = 4;
    o->across = o->carry = o->fixed = true;
}

void program_generate(struct program *p, uint64_t seed, uint32_t only)
{
    static stage_fn *const stages[] = { stage_pass,     stage_pass,      stage_chain,      stage_ring,
                                        stage_stream_k, stage_last,      stage_lock,       stage_atomic,
                                        stage_cp_async, stage_bulk_load, stage_bulk_store, stage_st_async };
    static struct op rest[MAX_OPS];
    struct gen g = { .p = p, .random = splitmix64(seed), .global = INPUT_BYTES, .barriers = 1 };
    unsigned wanted;
    size_t count;

    memset(p, 0, sizeof *p);
    p->seed = seed;
    draw_shape(&g);
    wanted = 1 + below(&g, 3);
    for (unsigned tries = 0; p->stages < wanted && tries < 20; tries++) {
        const struct gen before = g;
        const size_t ops = p->count;
        uint64_t random;
        g.random = splitmix64(seed + (tries + 1) * SPLITMIX64_STEP);
        g.stage = p->stages + 1;
        const char *name = stages[below(&g, sizeof stages / sizeof *stages)](&g);
        random = g.random;
        if (name && !p->full) {
            p->names[p->stages++] = name;
            if (!only || only >> (p->stages - 1) & 1)
                continue;
        }
        p->count = ops; /* as if it had never been drawn */
        p->full = false;
        g = before;
        g.random = random;
    }
    count = p->count;
    memcpy(rest, p->ops, count * sizeof *rest);
    p->count = 0;
    draw_start(&g, rest, count);
    draw_end(&g);
    p->shared_used = g.shared;
    p->global_used = g.global;
}

void program_input(const struct program *p, unsigned char *global)
{
    uint64_t random = p->seed;

    memset(global, 0, GLOBAL_BYTES);
    for (size_t i = 0; i < INPUT_BYTES; i += 8) {
        const uint64_t word = splitmix64_next(&random);
        memcpy(global + i, &word, 8);
    }
}
// SPDX-License-Identifier: Apache-2.0
