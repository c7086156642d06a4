/* Steps of bulk groups: stores and reductions of one thread to global memory, its commits and waits. */
#include "tools/async_fuzz/state.h"

#include <string.h>

static const char *hint(struct gen *g, bool *hinted)
{
    *hinted = chance(g, 10);
    return *hinted ? ".L2::cache_hint" : "";
}

static void note_pair(struct gen *g, unsigned queue, unsigned group, struct access from, struct access to)
{
    struct record *r = note_later(g, from, BY_QUEUE, queue, group);

    if (r)
        r->source = true;
    note_later(g, to, BY_QUEUE, queue, group);
}

static const struct reduction {
    const char *op, *type;
    bool commutes; /* exactly, so that two may be under way */
} reductions[] = {
    { "and", "b32", true },  { "or", "b32", true },         { "xor", "b32", true },         { "and", "b64", true },
    { "or", "b64", true },   { "xor", "b64", true },        { "add", "u32", true },         { "add", "s32", true },
    { "add", "u64", true },  { "inc", "u32", false },       { "dec", "u32", false },        { "min", "u32", true },
    { "max", "u32", true },  { "min", "s32", true },        { "max", "s32", true },         { "min", "u64", true },
    { "max", "u64", true },  { "min", "s64", true },        { "max", "s64", true },         { "add", "f32", false },
    { "add", "f64", false }, { "add.noftz", "f16", false }, { "add.noftz", "bf16", false }, { "min", "f16", false },
    { "max", "f16", false }, { "min", "bf16", false },      { "max", "bf16", false },
};

static bool bulk_to_global(struct gen *g, unsigned cta, unsigned queue)
{
    const struct queue *q = &g->queues[cta][queue];
    const struct reduction *r = chance(g, 40) ? &PICK(g, reductions) : NULL;
    const unsigned n = chance(g, 80) ? 1 : 2, offset = 16 * below(g, 16);
    const unsigned size = 16 * (chance(g, 50) ? n * 64 - offset / 16 : below(g, n * 64 - offset / 16 + 1));
    struct access from = { .mode = READ, .proxy = ASYNC }, to = { .mode = WRITE, .proxy = ASYNC };
    unsigned from_region, to_region;
    const char *hints;
    bool hinted;

    if (r && r->commutes) {
        to.mode = COMBINE;
        to.key = 1 + (unsigned)(r - reductions);
    }
    if (!find_smem(g, cta, cta, n, &from, &from_region) || !find_global(g, cta, n, &to, &to_region))
        return false;
    hints = hint(g, &hinted);
    text_add(g->out, "    mov.u32 %%r3, %u;\n", size);
    if (r)
        text_add(g->out, "    cp.reduce.async.bulk.global.shared::cta.bulk_group%s.%s.%s", hints, r->op, r->type);
    else
        text_add(g->out, "    cp.async.bulk.global.shared::cta.bulk_group%s", hints);
    text_add(g->out, " [%%gl+%u], [%%sm+%u], %%r3%s;\n", to_region * REGION + offset, from_region * REGION + offset,
             hinted ? ", %policy" : "");
    note_pair(g, cta * QUEUES + queue, q->committed, from, to);
    return true;
}

static bool tensor_to_global(struct gen *g, unsigned cta, unsigned queue)
{
    const struct queue *q = &g->queues[cta][queue];
    struct access from = { .mode = READ, .proxy = ASYNC }, to = { .mode = WRITE, .proxy = ASYNC };
    const char *operation = NULL, *hints;
    const struct tensor_map *m;
    unsigned from_region;
    struct tile t;
    bool hinted;

    if (!draw_tile(g, true, &t))
        return false;
    m = &g->p->maps[t.map];
    if (chance(g, 40))
        operation = draw_tensor_operation(g, m);
    to.regions = map_regions(m);
    if (!may(g, cta, to) || !find_smem(g, cta, cta, t.regions, &from, &from_region))
        return false;
    hints = hint(g, &hinted);
    add_coordinates(g, &t);
    text_add(g->out, "    cp.%sasync.bulk.tensor.%dd.global.shared::cta%s%s%s.bulk_group%s [%%d2, {%%r10",
             operation ? "reduce." : "", (int)m->rank, operation ? "." : "", operation ? operation : "",
             chance(g, 50) ? ".tile" : "", hints);
    for (int i = 1; i < m->rank; i++)
        text_add(g->out, ", %%r%d", 10 + i);
    text_add(g->out, "}], [%%sm+%u]%s;\n", from_region * REGION + map_start(m) * below(g, 2),
             hinted ? ", %policy" : "");
    note_pair(g, cta * QUEUES + queue, q->committed, from, to);
    return true;
}

static bool prefetch(struct gen *g, unsigned cta)
{
    struct access from = { .mode = READ, .proxy = ASYNC };
    unsigned region;

    if (!find_global(g, cta, 1, &from, &region))
        return false;
    text_add(g->out, "    cp.async.bulk.prefetch.L2.global [%%gl+%u], %u;\n", region * REGION, 16 * below(g, 65));
    return true;
}

bool step_bulk_store(struct gen *g)
{
    const unsigned c = below(g, g->p->ctas), which = below(g, QUEUES), times = 1 + below(g, 3);
    struct queue *q = &g->queues[c][which];
    const unsigned label = guard(g, (int)c, (int)q->thread);
    bool wrote = false;

    for (unsigned i = 0; i < times && has_room(g); i++) {
        bool stored;
        if (chance(g, 8)) {
            prefetch(g, c);
            continue;
        }
        stored = chance(g, 65) && tensor_to_global(g, c, which);
        if (!stored)
            stored = bulk_to_global(g, c, which);
        wrote |= stored;
        q->open |= stored;
        if (stored && chance(g, 40)) {
            text_add(g->out, "    cp.async.bulk.commit_group;\n");
            q->committed++;
            q->open = false;
        }
    }
    if (chance(g, 80)) {
        text_add(g->out, "    cp.async.bulk.commit_group;\n");
        q->committed++;
        q->open = false;
    }
    end_guard(g, label);
    return wrote;
}

bool step_bulk_wait(struct gen *g)
{
    const unsigned c = below(g, g->p->ctas), which = below(g, QUEUES);
    struct queue *q = &g->queues[c][which];
    const unsigned keep = chance(g, 50) ? 0 : below(g, q->committed + 1);
    const bool reads = chance(g, 35);
    unsigned label;

    if (!q->committed || (q->committed == q->waited && !q->open))
        return false;
    label = guard(g, (int)c, (int)q->thread);
    text_add(g->out, "    cp.async.bulk.wait_group%s %u;\n", reads ? ".read" : "", keep);
    if (!reads && q->committed - keep > q->waited)
        q->waited = q->committed - keep;
    end_groups(g, c, BY_QUEUE, c * QUEUES + which, q->committed - keep, reads);
    end_guard(g, label);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
