/* Steps of cp.async and its groups. Each thread of a CTA commits with all others, so that the CTA's groups have one
 * count. */
#include "tools/async_fuzz/state.h"

static const char *const prefetches[] = { "", "", "", ".L2::64B", ".L2::128B", ".L2::256B" };

/* One copy of `size` bytes from [%d2+from] to [%r3+to]. Without a cache policy: assemblers before 13.4 encode that
 * wrongly (docs/findings.md). */
static void one_copy(struct gen *g, unsigned size, unsigned to, unsigned from)
{
    const char *const level = size == 16 && chance(g, 50) ? "cg" : "ca", *const prefetch = PICK(g, prefetches);

    text_add(g->out, "    cp.async.%s.shared%s.global%s [%%r3+%u], [%%d2+%u], %u", level, chance(g, 50) ? "::cta" : "",
             prefetch, to, from, size);
    switch (below(g, 8)) {
    case 0: text_add(g->out, ", %u", below(g, size + 1)); break;
    case 1: text_add(g->out, ", %%r9"); break; /* another for each thread */
    case 2: text_add(g->out, ", %%p%u", 1 + below(g, 2)); break;
    case 3: text_add(g->out, ", !%%p%u", 1 + below(g, 2)); break;
    default: break;
    }
    text_add(g->out, ";\n");
}

/* A slice of 16 bytes in one copy or several; not all of it, now and then. */
static void slice_copies(struct gen *g, unsigned to, unsigned from)
{
    static const unsigned sizes[] = { 16, 16, 16, 8, 4 };
    const unsigned size = PICK(g, sizes);

    text_add(g->out,
             "    and.b32 %%r9, %%t, %u;\n    setp.gt.u32 %%p1, %%t, %u;\n    and.b32 %%r10, %%t, %u;\n"
             "    setp.eq.u32 %%p2, %%r10, 0;\n",
             size == 16 ? 15 : size - 1, below(g, 64), 1u << below(g, 4));
    for (unsigned i = 0; i < 16; i += size)
        if (size == 16 || chance(g, 85))
            one_copy(g, size, to + i, from + i);
}

/* Copies of one CTA, by all threads or one; the record of the destination, or NULL where there is no room for it. */
static struct record *copies(struct gen *g, unsigned cta, int thread, enum link link, unsigned of, unsigned group)
{
    struct access to = { .mode = WRITE, .proxy = GENERIC }, from = { .mode = READ, .proxy = GENERIC };
    const unsigned rotate = below(g, 64), shift = chance(g, 50) ? 0 : below(g, 64);
    unsigned to_region, from_region;
    struct record *source, *r;

    if (!has_room(g) || !find_smem(g, cta, cta, 1, &to, &to_region) || !find_global(g, cta, 1, &from, &from_region))
        return NULL;
    text_add(g->out,
             "    add.u32 %%r3, %%t, %u;\n    and.b32 %%r3, %%r3, 63;\n    shl.b32 %%r3, %%r3, 4;\n"
             "    add.u32 %%r4, %%r3, %u;\n    and.b32 %%r4, %%r4, 1008;\n    cvt.u64.u32 %%d2, %%r4;\n"
             "    add.u64 %%d2, %%d2, %%gl;\n    add.u32 %%r3, %%r3, %%sm;\n",
             rotate, shift * 16);
    slice_copies(g, to_region * REGION, from_region * REGION);
    source = note_later(g, from, link, of, group);
    r = note_later(g, to, link, of, group);
    if (source)
        source->source = true;
    if (r) {
        r->sliced = thread == ALL;
        r->rotate = rotate;
    }
    return r;
}

bool step_cp_async(struct gen *g)
{
    const bool every = chance(g, 60);
    const unsigned only = below(g, g->p->ctas), times = 1 + below(g, 3);
    const int thread = chance(g, 75) ? ALL : (int)below(g, g->p->threads);
    bool wrote = false;

    for (unsigned c = 0; c < g->p->ctas; c++) {
        unsigned label;
        if (!every && c != only)
            continue;
        label = guard(g, (int)c, thread);
        for (unsigned i = 0; i < times; i++)
            if (copies(g, c, thread, BY_CP_ASYNC, c, g->cp_async[c].committed))
                g->cp_async[c].open = wrote = true;
        end_guard(g, label);
        if (chance(g, 75)) {
            label = guard(g, (int)c, ALL);
            text_add(g->out, "    cp.async.commit_group;\n");
            end_guard(g, label);
            g->cp_async[c].committed++;
            g->cp_async[c].open = false;
        }
    }
    return wrote;
}

bool cp_async_into(struct gen *g, unsigned cta, int thread, unsigned round)
{
    struct record *r = copies(g, cta, thread, BY_ROUND, round, 0);

    if (!r)
        return false;
    for (size_t i = g->count - 2; i < g->count; i++) {
        g->records[i].waits = g->records[i].signals = 1u << cta;
        g->records[i].sliced = false;
    }
    g->cp_async[cta].open = true;
    return true;
}

/* What landed, each thread its own. */
static void see_slices(struct gen *g, unsigned cta)
{
    const size_t count = g->count;

    for (size_t i = 0; i < count && has_room(g); i++) {
        struct record *r = &g->records[i];
        if (!r->sliced || r->seen || r->link != ENDED || r->of != cta)
            continue;
        r->seen = true; /* later it may not be what the region holds */
        if (chance(g, 50))
            continue;
        for (unsigned region = 0; region < SMEM_REGIONS; region++)
            if (r->a.regions == smem_regions(cta, region, 1))
                observe_slice(g, region, r->rotate);
        note(g, cta, (struct access){ .regions = r->a.regions, .mode = READ, .proxy = GENERIC });
    }
}

bool step_cp_async_wait(struct gen *g)
{
    const unsigned c = below(g, g->p->ctas), groups = g->cp_async[c].committed - g->cp_async[c].waited;
    unsigned keep, label;

    if (!groups && !g->cp_async[c].open)
        return false;
    label = guard(g, (int)c, ALL);
    if (g->cp_async[c].open && chance(g, 40)) {
        text_add(g->out, "    cp.async.wait_all;\n");
        g->cp_async[c].waited = ++g->cp_async[c].committed;
        g->cp_async[c].open = false;
    } else {
        keep = chance(g, 50) ? 0 : below(g, groups + 1);
        text_add(g->out, "    cp.async.wait_group %u;\n", keep);
        if (g->cp_async[c].committed - keep > g->cp_async[c].waited)
            g->cp_async[c].waited = g->cp_async[c].committed - keep;
    }
    end_groups(g, c, BY_CP_ASYNC, c, g->cp_async[c].waited, false);
    see_slices(g, c);
    end_guard(g, label);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
