/* The shadow of shared and global memory: for each byte who wrote it last, who has read it since, and whether anyone
 * has written it at all. It consists of lines (spans.h), made page by page when touched. */
#include "harness/emu/judge/pages.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/cells.h"
#include "harness/emu/judge/prior.h"
#include "harness/emu/judge/spans.h"
#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/values.h"
#include "harness/emu/machine/written.h"

struct order_page *order_page_there(const struct order_pages *p, uint64_t number)
{
    return order_table_there(&p->table, number);
}

void order_pages_free(struct order_pages *p)
{
    for (uint32_t i = 0; i < p->table.room; i++) {
        struct order_page *page = p->table.slots[i];
        const bool alike = page && page->open == PAGE_ALIKE; /* no line has memory of its own */
        for (uint32_t k = 0; page && !alike && k < PAGE_LINES; k++)
            if (page->lines[k].list.more || (page->lines[k].cells && !order_line_has_singles(&page->lines[k])))
                order_line_free(&page->lines[k]);
        free(page);
    }
    order_cells_free(p);
    free(p->table.slots);
    *p = (struct order_pages){ 0 };
}

void order_grid_free_pages(struct order_grid *g)
{
    order_pages_free(&g->pages);
    atomic_fetch_sub(&g->grid->machine->shadow, g->bytes);
    g->bytes = 0;
}

struct order_page order_page_none = { .key = UINT64_MAX, .open = PAGE_ALIKE };

void order_pages_none_near(struct order *o)
{
    for (unsigned i = 0; i < NEAR_PAGES; i++)
        o->near[i] = &order_page_none;
}

static void forget_near(struct order_grid *g)
{
    for (struct order *o = g->resident; o; o = o->next)
        order_pages_none_near(o);
}

/* No more room for the shadow of global memory: it begins again, and earlier accesses are no longer compared with. When
 * that happens depends on all clusters: what runs ahead of its turns is given up. */
static void forget_pages(struct order *o)
{
    struct order_grid *g = o->grid;

    order_grid_free_pages(g);
    g->forgot = true;
    g->full = false;
    forget_near(g);
    emu_claim_give_up(o->cluster->run);
}

void order_pages_take(struct order *o, uint64_t key, int64_t bytes)
{
    struct order_grid *g = o->grid;
    struct emu *e = g->grid->machine;
    uint64_t taken;

    if (order_is_shared(key))
        return;
    g->bytes += (uint64_t)bytes;
    taken = atomic_fetch_add(&e->shadow, (uint64_t)bytes) + (uint64_t)bytes;
    if (!o->cluster->run->claimer)
        taken = g->bytes; /* in turns it depends on nothing else */
    if (g->full || taken <= g->most)
        return;
    g->full = true;
    forget_near(g); /* so that the next access looks for its page; this one still holds a line */
}

static void written(struct order_page *p, uint64_t from, uint64_t to)
{
    if (from == 0 && to == 1 << PAGE_BITS) {
        for (struct order_line *l = p->lines; l < p->lines + PAGE_LINES; l++)
            l->written[0] = l->written[1] = ~0ull;
        return;
    }
    for (uint64_t at = from; at < to;) {
        const uint64_t end = at / LINE * LINE + LINE < to ? at / LINE * LINE + LINE : to;
        order_line_write(&p->lines[at / LINE], (unsigned)(at % LINE), (unsigned)((end - 1) % LINE));
        at = end;
    }
}

/* The words of an allocation's bits that lie in a page: both are aligned to them. */
static void written_of(const struct emu_region *r, struct order_page *p, uint64_t from, uint64_t to)
{
    const uint64_t base = p->key << PAGE_BITS;

    for (uint64_t at = from; at < to; at += EMU_VALUE_WORD)
        p->lines[(at - base) / LINE].written[(at - base) % LINE / EMU_VALUE_WORD] |= emu_values_word(r, at - r->at);
}

/* What memory holds from before the grid: what the host and earlier launches wrote. */
static void written_before(const struct order_grid *g, struct order_page *p)
{
    const struct emu *e = g->grid->machine;
    const uint64_t from = p->key << PAGE_BITS, to = from + (1 << PAGE_BITS);

    if (g->forgot) {
        written(p, 0, 1 << PAGE_BITS);
        return;
    }
    for (size_t i = 0; i < e->region_count && e->regions[i].at < to; i++) {
        const struct emu_region *r = &e->regions[i];
        const uint64_t end = r->at + r->size;
        if (r->written && end > from)
            written(p, r->at > from ? r->at - from : 0, (end < to ? end : to) - from);
        else if (r->values && end > from)
            written_of(r, p, r->at > from ? r->at : from, end < to ? end : to);
    }
}

static struct order_page *page_new(void)
{
    struct order_page *p = malloc(sizeof *p);

    if (!p)
        return NULL;
    p->open = PAGE_ALIKE;
    p->written = false;
    order_line_none(&p->lines[0]);
    for (unsigned i = 1; i < PAGE_LINES; i++)
        p->lines[i].written[0] = p->lines[i].written[1] = 0;
    return p;
}

const struct order_line *order_line_written_of(struct order *o, uint64_t key)
{
    static const struct order_line all = { .written = { ~0ull, ~0ull } };
    const struct order_page *p = order_page_at(o, key);

    if (!p || (p->open == PAGE_ALIKE && p->written))
        return p ? &all : NULL;
    return order_line_in((struct order_page *)(uintptr_t)p, key);
}

void order_values_of(struct order *o, uint64_t key, uint64_t n, bool *any, bool *all)
{
    *any = false;
    *all = true;
    for (uint64_t at = key, end = key + n; at < end;) {
        const unsigned first = (unsigned)(at % LINE);
        const unsigned last = end - at < LINE - first ? first + (unsigned)(end - at) - 1 : LINE - 1;
        const struct order_line *line = order_line_written_of(o, at);
        *any |= !line || order_line_any_written(line, first, last);
        *all &= !line || order_line_written(line, first, last);
        at += last - first + 1;
    }
}

struct order_page *order_page_of(struct order *o, uint64_t key)
{
    struct order_page *p = order_page_find(o, key);

    if (p)
        order_page_open(p);
    return p;
}

struct order_page *order_page_find(struct order *o, uint64_t key)
{
    const uint64_t number = key >> PAGE_BITS;
    const bool shared = order_is_shared(key);
    struct order_pages *pages = shared ? &o->pages : &o->grid->pages;
    struct order_page *p;
    void **at;

    if (!shared && o->grid->full)
        forget_pages(o);
    at = order_table_place(&pages->table, number);
    if (!at) {
        o->failed = true;
        return NULL;
    }
    p = *at;
    if (!p) {
        p = *at = page_new();
        if (!p) {
            o->failed = true;
            return NULL;
        }
        p->key = number;
        if (!shared && o->cluster->grid->machine->options.check_init)
            written_before(o->grid, p);
        pages->table.count++;
        order_pages_take(o, key, sizeof *p);
        if (!shared && o->grid->before) {
            order_page_open(p);
            order_pages_take(o, key, order_prior_seed(o, p));
        }
    }
    if (!shared || !o->tiles) /* each access of a tile is looked at: plain.c */
        o->near[order_near_of(key)] = p;
    return p;
}

void order_grid_tell_written(const struct order_grid *g, bool ahead)
{
    struct emu *e = g->grid->machine;
    uint64_t words[EMU_WRITTEN_WORDS];

    _Static_assert(sizeof words == PAGE_LINES * sizeof order_page_none.lines->written, "a word of bits, 64 bytes");
    if (!e->options.check_init) {
        emu_written_lose(e);
        return;
    }
    for (uint32_t i = 0; i < g->pages.table.room; i++) {
        const struct order_page *p = g->pages.table.slots[i];
        if (!p || emu_written_known(e, p->key << PAGE_BITS))
            continue;
        if (p->open == PAGE_ALIKE && p->written)
            memset(words, 0xff, sizeof words);
        for (unsigned k = 0; k < PAGE_LINES && !(p->open == PAGE_ALIKE && p->written); k++)
            memcpy(&words[k * LINE / EMU_VALUE_WORD], p->lines[k].written, sizeof p->lines[k].written);
        (ahead ? emu_written_keep : emu_written_take)(e, p->key << PAGE_BITS, words);
    }
}
// SPDX-License-Identifier: Apache-2.0
