/* Accesses, and which CTAs know of their end. */
#include "tools/async_fuzz/state.h"

uint64_t draw(struct gen *g)
{
    return splitmix64(g->random++);
}

unsigned below(struct gen *g, unsigned n)
{
    return n ? (unsigned)((draw(g) >> 11) % n) : 0;
}

bool chance(struct gen *g, unsigned percent)
{
    return below(g, 100) < percent;
}

static bool conflict(const struct access *a, const struct access *b)
{
    if (!(a->regions & b->regions) || (a->mode == READ && b->mode == READ))
        return false;
    return !(a->mode == COMBINE && b->mode == COMBINE && a->key == b->key && a->proxy == b->proxy);
}

bool has_room(const struct gen *g)
{
    return g->count < RECORDS - 32;
}

bool may(const struct gen *g, unsigned cta, struct access a)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct record *r = &g->records[i];
        if (!conflict(&r->a, &a))
            continue;
        if (r->link != ENDED || !(r->clean >> cta & 1))
            return false;
        if (a.proxy != GENERIC && r->a.proxy != ASYNC && r->a.mode != READ && !(r->fenced >> cta & 1))
            return false;
    }
    return true;
}

struct record *note_later(struct gen *g, struct access a, enum link link, unsigned of, unsigned group)
{
    struct record *r;

    if (g->count == RECORDS) {
        g->p->full = false;
        return NULL;
    }
    r = &g->records[g->count++];
    *r = (struct record){ .a = a, .link = link, .of = of, .group = group };
    return r;
}

void note(struct gen *g, unsigned cta, struct access a)
{
    struct record *r = note_later(g, a, ENDED, 0, 0);

    if (r)
        r->known = 1u << cta;
}

/* ---- a place for an access -------------------------------------------------------------------------------------- */

bool find_smem_in_all(struct gen *g, unsigned cta, unsigned owners, unsigned n, struct access a, unsigned *first)
{
    const unsigned start = below(g, SMEM_REGIONS);

    if (n > SMEM_REGIONS)
        return false;
    for (unsigned i = 0; i < SMEM_REGIONS; i++) {
        const unsigned at = (start + i) % SMEM_REGIONS;
        bool good = at + n <= SMEM_REGIONS;
        for (unsigned d = 0; good && d < g->p->ctas; d++) {
            a.regions = smem_regions(d, at, n);
            good = !(owners >> d & 1) || may(g, cta, a);
        }
        if (good) {
            *first = at;
            return true;
        }
    }
    return false;
}

bool find_smem(struct gen *g, unsigned cta, unsigned owner, unsigned n, struct access *a, unsigned *first)
{
    if (!find_smem_in_all(g, cta, 1u << owner, n, *a, first))
        return false;
    a->regions = smem_regions(owner, *first, n);
    return true;
}

bool find_global(struct gen *g, unsigned cta, unsigned n, struct access *a, unsigned *first)
{
    const unsigned start = below(g, GLOBAL_REGIONS);

    for (unsigned i = 0; i < GLOBAL_REGIONS; i++) {
        const unsigned at = (start + i) % GLOBAL_REGIONS;
        if (at + n > GLOBAL_REGIONS)
            continue;
        a->regions = global_regions(at, n);
        if (may(g, cta, *a)) {
            *first = at;
            return true;
        }
    }
    return false;
}

/* ---- what makes the end of accesses known ------------------------------------------------------------------------ */

static bool in_space(const struct record *r, unsigned spaces)
{
    const uint64_t global = global_regions(0, GLOBAL_REGIONS);

    return (spaces & 1 || !(r->a.regions & ~global)) && (spaces & 2 || !(r->a.regions & global));
}

/* Drops records that no access can conflict with any more. */
void prune(struct gen *g)
{
    const unsigned all = all_ctas(g);
    size_t kept = 0;

    for (size_t i = 0; i < g->count; i++) {
        const struct record *r = &g->records[i];
        const bool known = r->a.proxy == ASYNC || r->a.mode == READ || r->fenced == all;
        if (r->link != ENDED || r->clean != all || !known)
            g->records[kept++] = *r;
    }
    g->count = kept;
}

void sync_ctas(struct gen *g, unsigned ctas, unsigned fenced_spaces)
{
    for (size_t i = 0; i < g->count; i++) {
        struct record *r = &g->records[i];
        if (r->link != ENDED)
            continue;
        r->clean |= r->known & ctas;
        if (in_space(r, fenced_spaces))
            r->fenced |= r->clean & ctas;
    }
    for (unsigned c = 0; c < g->p->ctas; c++)
        for (unsigned b = 0; b < BARS && ctas >> c & 1; b++) {
            g->bars[c][b].clean |= g->bars[c][b].known & 1u << c;
            g->bars[c][b].all_waited = false;
        }
    for (unsigned c = 0; c < g->p->ctas; c++)
        if (ctas >> c & 1 && g->solo_clean[c])
            g->solo[c] = 0;
    prune(g);
}

void arm_cluster(struct gen *g)
{
    for (size_t i = 0; i < g->count; i++)
        g->records[i].armed = g->records[i].link == ENDED;
    for (unsigned c = 0; c < g->p->ctas; c++)
        for (unsigned b = 0; b < BARS; b++)
            g->bars[c][b].armed = !g->bars[c][b].open;
}

void sync_cluster(struct gen *g, unsigned fenced_spaces)
{
    const unsigned all = all_ctas(g);

    for (size_t i = 0; i < g->count; i++) {
        struct record *r = &g->records[i];
        if (!r->armed || r->link != ENDED)
            continue;
        r->known = r->clean = all;
        if (in_space(r, fenced_spaces | r->armed_spaces))
            r->fenced = all;
    }
    for (unsigned c = 0; c < g->p->ctas; c++)
        for (unsigned b = 0; b < BARS; b++) {
            struct bar *bar = &g->bars[c][b];
            bar->all_waited = false;
            if (bar->armed && !bar->open)
                bar->clean = bar->known = all;
            bar->armed = false;
        }
    for (unsigned c = 0; c < g->p->ctas; c++)
        if (g->solo_clean[c])
            g->solo[c] = 0;
    prune(g);
}

void end_round(struct gen *g, unsigned cta, unsigned bar, bool all)
{
    struct bar *b = &g->bars[cta][bar];

    for (size_t i = 0; i < g->count; i++) {
        struct record *r = &g->records[i];
        if (r->link != BY_ROUND || r->of != b->round)
            continue;
        r->waits &= ~(1u << cta);
        if (r->waits)
            continue;
        r->link = ENDED;
        if (r->signals != 1u << cta)
            continue; /* more than one CTA waited: only a cluster's barrier joins what they know */
        r->known |= 1u << cta;
        if (all)
            r->clean |= 1u << cta;
    }
    b->open = false;
    b->parity ^= 1;
    b->count = b->next;
    b->known = 1u << cta;
    b->clean = 0;
    b->all_waited = all;
    b->armed = false;
}

void end_groups(struct gen *g, unsigned cta, enum link link, unsigned of, unsigned below_group, bool sources_only)
{
    for (size_t i = 0; i < g->count; i++) {
        struct record *r = &g->records[i];
        if (r->link != link || r->of != of || r->group >= below_group || (sources_only && !r->source))
            continue;
        r->link = ENDED;
        r->known |= 1u << cta;
    }
}
// SPDX-License-Identifier: Apache-2.0
