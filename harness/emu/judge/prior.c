/* A grid that may begin while the one before it is at work, held against what that one does at the same time.
 *
 * Here the first grid has run to its end. For each byte its shadow has the last write and the reads since; these are
 * copied into the pages of the second grid's shadow, as accesses of a thread that is in a cluster behind all of that
 * grid's, at epoch 1. griddepcontrol.wait makes that thread known; barriers pass it on as they pass on all else. */
#include "harness/emu/judge/prior.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/pasts.h"
#include "harness/emu/judge/singles.h"
#include "harness/emu/judge/spans.h"
#include "harness/emu/machine/findings.h"

struct prior_page {
    uint64_t key;
    struct prior_line {
        size_t n, room;
        struct order_span *of;
    } lines[PAGE_LINES];
};

struct order_prior {
    struct emu_grid grid;     /* as it was: its extents, its kernel */
    bool released;            /* one of its threads let dependent grids begin */
    bool failed;              /* there was no memory */
    struct order_table pages; /* of struct prior_page */
};

struct order_prior *order_prior_new(const struct emu_grid *g)
{
    struct order_prior *p = calloc(1, sizeof *p);

    if (p)
        p->grid = *g;
    return p;
}

static void free_pages(struct order_prior *p)
{
    for (uint32_t i = 0; i < p->pages.room; i++) {
        struct prior_page *page = p->pages.slots[i];
        for (unsigned k = 0; page && k < PAGE_LINES; k++)
            free(page->lines[k].of);
        free(page);
    }
    free(p->pages.slots);
    p->pages = (struct order_table){ 0 };
}

void order_prior_free(struct order_prior *p)
{
    if (p)
        free_pages(p);
    free(p);
}

void order_prior_again(struct order_prior *p)
{
    if (!p->pages.count)
        return;
    free_pages(p);
    p->released = p->failed = false;
}

bool order_prior_counts(const struct order_prior *p)
{
    return p->released && !p->failed;
}

/* ---- what is kept ------------------------------------------------------------------------------------------------ */

static struct prior_page *page_of(struct order_prior *p, uint64_t key)
{
    void **at = order_table_place(&p->pages, key);
    struct prior_page *page = at ? *at : NULL;

    if (page || !at)
        return page;
    page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    page->key = key;
    p->pages.count++;
    *at = page;
    return page;
}

/* Whether an access of these bytes, and as strong, is there already. */
static bool is_there(const struct prior_line *line, const struct order_span *s)
{
    for (size_t i = 0; i < line->n; i++)
        if (line->of[i].kind == s->kind && line->of[i].first <= s->first && line->of[i].last >= s->last)
            return true;
    return false;
}

/* A span of the grid's, or of one of its copies, whose thread is then the one that issued it. */
static bool take_span(struct prior_line *line, const struct order_span *from, const struct order_grid *g)
{
    const struct order o = { .grid = (struct order_grid *)(uintptr_t)g };
    struct order_span s = *from, *more;

    if (s.who == g->before_who || s.kind & RECORD_MAP)
        return true;
    s.kind &= RECORD_WRITE | RECORD_STRONG | RECORD_GRID;
    if (s.who & RECORD_FLIGHT) {
        const struct order_flight *f = order_flight_at(&o, s.who & ~RECORD_FLIGHT);
        s.who = f ? f->cluster * order_cluster_threads(g->grid) + f->thread : 0;
        s.unit = 0;
        s.more = 0;
    }
    if (is_there(line, &s))
        return true;
    more = ck_room(line->of, line->n, &line->room, 2, sizeof *more);
    if (!more)
        return false;
    line->of = more;
    line->of[line->n++] = s;
    return true;
}

static bool take_line(struct prior_line *to, struct order_line *line, const struct order_grid *g)
{
    order_line_lists(line);
    const unsigned count = line->cells ? LINE_CELLS : 1;
    bool fine = true;

    for (unsigned k = 0; k < count && fine; k++) {
        struct order_list *l = line->cells ? &line->cells[k] : &line->list;
        for (uint16_t i = 0; i < l->n && fine; i++)
            fine = take_span(to, &span_all(l)[i], g);
    }
    return fine;
}

void order_prior_take(struct order_prior *p, const struct order_grid *g)
{
    struct emu *e = g->grid->machine;

    pthread_mutex_lock(&e->lock);
    p->failed |= g->forgot;
    for (uint32_t i = 0; i < g->pages.table.room && !p->failed; i++) {
        struct order_page *from = g->pages.table.slots[i];
        struct prior_page *to = from ? page_of(p, from->key) : NULL;
        p->failed |= from && !to;
        if (from)
            order_page_open(from);
        for (unsigned k = 0; to && k < PAGE_LINES && !p->failed; k++)
            p->failed = !take_line(&to->lines[k], &from->lines[k], g);
    }
    pthread_mutex_unlock(&e->lock);
}

/* ---- the second grid --------------------------------------------------------------------------------------------- */

/* Accesses that differ only in who made them become one for each row of bytes. */
int64_t order_prior_seed(const struct order *o, struct order_page *page)
{
    static const uint8_t kinds[] = { 0, RECORD_WRITE, RECORD_STRONG | RECORD_WIDE | RECORD_GRID,
                                     RECORD_WRITE | RECORD_STRONG | RECORD_WIDE | RECORD_GRID };
    const struct prior_page *from = order_table_there(&o->grid->before->pages, page->key);
    int64_t bytes = 0;

    for (unsigned k = 0; from && k < PAGE_LINES; k++) {
        struct order_list *l = &page->lines[k].list;
        for (unsigned kind = 0; kind < sizeof kinds && from->lines[k].n; kind++) {
            const struct order_record r = { .who = o->grid->before_who, .epoch = 1, .kind = kinds[kind] };
            bool has[LINE + 1] = { false };
            for (size_t i = 0; i < from->lines[k].n; i++) {
                const struct order_span *s = &from->lines[k].of[i];
                const bool strong = (s->kind & RECORD_STRONG) && (s->kind & RECORD_GRID);
                if (kind == (s->kind & RECORD_WRITE ? 1u : 0u) + (strong ? 2u : 0u))
                    memset(&has[s->first], true, s->last - s->first + 1u);
            }
            for (unsigned at = 0, end; at < LINE; at = end) {
                for (end = at + 1; end < LINE && has[end] == has[at]; end++)
                    continue;
                if (has[at])
                    span_add(&r, l, at, end - 1);
            }
        }
        bytes += l->more ? l->room * (int64_t)sizeof *l->more : 0;
    }
    return bytes;
}

bool order_prior_meets(const struct order_prior *p, uint64_t at, uint64_t n, bool writes)
{
    for (const uint64_t end = at + n; at < end; at = at / LINE * LINE + LINE) {
        const struct prior_page *page = order_table_there(&p->pages, at >> PAGE_BITS);
        const struct prior_line *line = page ? &page->lines[at % (1 << PAGE_BITS) / LINE] : NULL;
        const unsigned first = (unsigned)(at % LINE);
        const unsigned last = end - at < LINE - first ? first + (unsigned)(end - at) - 1 : LINE - 1;
        for (size_t i = 0; line && i < line->n; i++)
            if (line->of[i].first <= last && line->of[i].last >= first && (writes || line->of[i].kind & RECORD_WRITE))
                return true;
    }
    return false;
}

static void knows(struct order *o, struct order_pasts *p)
{
    static const enum order_view views[] = { VIEW_LOOSE, VIEW_GENERIC, VIEW_ASYNC_SHARED, VIEW_ASYNC_GLOBAL, VIEW_MAP };
    const uint32_t cluster = o->grid->before_who / o->threads;

    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        order_past_raise_of(o, &p->of[views[i]], o->number, cluster, order_component(0, OWN_NOW), 1);
}

/* Threads that knew the same before know the same behind it, and share that. */
static void wait_for_prior(struct order *o, struct order_thread *t)
{
    struct order_fenced *last = &o->waited_prior;

    if (last->from != t->pasts) {
        struct order_pasts *to = order_pasts_copy(o, t->pasts);
        if (!to)
            return;
        knows(o, to);
        order_pasts_drop(last->from);
        order_pasts_drop(last->to);
        *last = (struct order_fenced){ .from = order_pasts_keep(t->pasts), .to = to };
    }
    order_pasts_set(&t->pasts, last->to);
}

void order_prior_event(struct emu_thread *t, bool wait)
{
    struct order *o = order_of(t);

    if (o && wait && o->grid->before)
        wait_for_prior(o, &o->thread[order_number(o, t)]);
    if (o && !wait && o->grid->trace) {
        struct emu *e = o->grid->grid->machine;
        pthread_mutex_lock(&e->lock);
        o->grid->trace->released = true;
        pthread_mutex_unlock(&e->lock);
    }
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

/* An access of the grid before to bytes from x->key on that x may not meet, and the first of these bytes. */
static const struct order_span *met(const struct order_access *x, uint64_t *byte)
{
    const struct order_prior *p = x->o->grid->before;
    const bool writes = x->now.kind & RECORD_WRITE;

    for (uint64_t at = x->key, end = x->key + x->n; at < end; at = at / LINE * LINE + LINE) {
        const struct prior_page *page = order_table_there(&p->pages, at >> PAGE_BITS);
        const struct prior_line *line = page ? &page->lines[at % (1 << PAGE_BITS) / LINE] : NULL;
        const unsigned first = (unsigned)(at % LINE);
        const unsigned last = end - at < LINE - first ? first + (unsigned)(end - at) - 1 : LINE - 1;
        for (size_t i = 0; line && i < line->n; i++) {
            const struct order_span *s = &line->of[i];
            if (s->first > last || s->last < first || !(writes || s->kind & RECORD_WRITE) ||
                !(~(s->kind & x->now.kind) & (RECORD_STRONG | RECORD_GRID)))
                continue;
            *byte = at - first + span_later(s->first, first);
            return s;
        }
    }
    return NULL;
}

void order_prior_report(const struct order_access *x)
{
    struct order *o = x->o;
    const struct emu_grid *first = &o->grid->before->grid;
    const bool writes = x->now.kind & RECORD_WRITE;
    uint64_t byte = x->key, bytes;
    const struct order_span *s = met(x, &byte);
    struct emu_finding f = { .rule = &rule_order_data_race };
    struct emu_place there;
    char what[100];

    if (!s)
        return;
    if (!writes)
        f.rule = &rule_pdl_wait_required;
    bytes =
        s->unit ? s->unit - ((unsigned)(byte % LINE) - s->origin) % s->unit : s->last - (unsigned)(byte % LINE) + 1u;
    bytes = bytes < x->n ? bytes : x->n;
    order_grid_place(first, span_owner(s, (unsigned)(byte % LINE)), s->at, byte, bytes, &there);
    order_place_of(o, x->thread, x->now.at, x->key, x->n, &f.here);
    if (first->module == o->module) /* another module's instructions cannot be shown beside this one's */
        f.there = there;
    if (emu_filed(o->cluster->grid, f.rule, f.here.at, f.there.at))
        return;
    order_bytes_words(o, x->key, x->n, what, sizeof what);
    snprintf(f.remedy, sizeof f.remedy,
             "griddepcontrol.wait (cudaGridDependencySynchronize) before the %s, by its thread or behind a barrier",
             writes ? "write" : "read");
    snprintf(f.message, sizeof f.message,
             "%s: %s by thread %u,%u,%u of CTA %u,%u,%u (line %u) of %.40s, the grid before; %s "
             "thread %u,%u,%u of CTA %u,%u,%u (line %u), with no wait for that grid",
             what, s->kind & RECORD_WRITE ? "written" : "read", there.tid[0], there.tid[1], there.tid[2],
             there.ctaid[0], there.ctaid[1], there.ctaid[2], there.at ? there.at->line : 0, first->entry->name,
             x->flight == PTX_NO ? writes ? "written by" : "read by"
             : writes            ? "written by a copy of"
                                 : "read by a copy of",
             f.here.tid[0], f.here.tid[1], f.here.tid[2], f.here.ctaid[0], f.here.ctaid[1], f.here.ctaid[2],
             f.here.at ? f.here.at->line : 0);
    emu_file(o->cluster->grid, &f);
}
// SPDX-License-Identifier: Apache-2.0
