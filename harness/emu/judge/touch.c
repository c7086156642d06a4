/* The shadow of shared and global memory: for each byte who wrote it last, who has read it since, and whether anyone
 * has written it at all. Lines of memory, order_line.c; made page by page when touched. Shared memory's is the
 * cluster's, global memory's the grid's. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/order.h"

/* ---- pages ------------------------------------------------------------------------------------------------------ */

static struct order_page **slot_of(struct order_page **pages, uint32_t room, uint64_t key)
{
    uint64_t h = (key ^ key >> 17) * 0x9E3779B97F4A7C15u >> 32;

    while (pages[h & (room - 1)] && pages[h & (room - 1)]->key != key)
        h++;
    return &pages[h & (room - 1)];
}

static bool grow(struct order_pages *p)
{
    const uint32_t room = p->room ? p->room * 2 : 64;
    struct order_page **more = calloc(room, sizeof(struct order_page *));

    if (!more)
        return false;
    for (uint32_t i = 0; i < p->room; i++)
        if (p->slots[i])
            *slot_of(more, room, p->slots[i]->key) = p->slots[i];
    free(p->slots);
    p->slots = more;
    p->room = room;
    return true;
}

void order_pages_free(struct order_pages *p)
{
    for (uint32_t i = 0; i < p->room; i++) {
        for (uint32_t k = 0; p->slots[i] && k < PAGE_LINES; k++)
            order_line_free(&p->slots[i]->lines[k]);
        free(p->slots[i]);
    }
    free(p->slots);
    *p = (struct order_pages){ 0 };
}

/* No more room for the shadow of global memory: it begins anew, and nothing before is compared with any more. */
static void forget_pages(struct order_grid *g)
{
    order_pages_free(&g->pages);
    g->forgot = true;
    for (struct order *o = g->resident; o; o = o->next)
        memset(o->near, 0, sizeof o->near);
}

static void written(struct order_page *p, uint64_t from, uint64_t to)
{
    for (uint64_t at = from; at < to;) {
        const uint64_t end = at / LINE * LINE + LINE < to ? at / LINE * LINE + LINE : to;
        order_line_write(&p->lines[at / LINE], (unsigned)(at % LINE), (unsigned)((end - 1) % LINE));
        at = end;
    }
}

/* What memory holds from before the grid: all that the host wrote. */
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
    }
}

struct order_page *order_page_of(struct order *o, uint64_t key)
{
    const uint64_t number = key >> PAGE_BITS;
    const bool shared = order_is_shared(key);
    struct order_pages *pages = shared ? &o->pages : &o->grid->pages;
    struct order_page **p;

    if (!shared && pages->count >= o->grid->page_limit)
        forget_pages(o->grid);
    if (pages->count * 2 >= pages->room && !grow(pages)) {
        o->failed = true;
        return NULL;
    }
    p = slot_of(pages->slots, pages->room, number);
    if (!*p) {
        *p = calloc(1, sizeof **p);
        if (!*p) {
            o->failed = true;
            return NULL;
        }
        (*p)->key = number;
        if (!shared && o->cluster->grid->machine->options.check_init)
            written_before(o->grid, *p);
        pages->count++;
    }
    return o->near[order_near_of(key)] = *p;
}

/* ---- what is ordered -------------------------------------------------------------------------------------------- */

static bool phase_known(const struct order *o, const struct order_flight *f, uint32_t thread, enum order_view view,
                        uint32_t bar, uint32_t phase)
{
    if (bar == PTX_NO)
        return true;
    if (f->cluster == o->number)
        return order_known(o, thread, view, bar) > phase;
    return order_past_value(&o->thread[thread].view[view].past, o->number, f->cluster, bar) > phase;
}

/* Whether the thread knows that the copy is done: with its writes, or only with reading its source. */
bool order_flight_known(const struct order *o, const struct order_flight *f, uint32_t thread, enum order_view view,
                        bool wrote)
{
    const enum order_own own = f->kind == COPY_CP_ASYNC ? OWN_CP : wrote ? OWN_BULK : OWN_READ;

    if (f->kind != COPY_BULK_BAR)
        return order_known_of(o, thread, view, f->cluster * o->threads + f->thread, own) >= f->sequence;
    if (!f->ended)
        return false;
    if (phase_known(o, f, thread, view, f->bar, f->phase))
        return true;
    for (uint32_t i = 0; i < f->bar_count; i++)
        if (phase_known(o, f, thread, view, f->bars[i * 2], f->bars[i * 2 + 1]))
            return true;
    return false;
}

/* In which respect the thread must know of the access before. The async proxy needs a proxy fence behind generic
 * writes; behind generic reads too where the option asks for it. */
static enum order_view view_for(const struct order_access *x, const struct order_record *r,
                                const struct order_flight *f)
{
    if (!x->async || x->now.kind & RECORD_MAP ||
        (!(r->kind & RECORD_WRITE) && !x->o->cluster->grid->machine->options.check_reads))
        return VIEW_GENERIC;
    if (f && f->kind != COPY_CP_ASYNC)
        return VIEW_GENERIC;
    return order_is_shared(x->key) ? VIEW_ASYNC_SHARED : VIEW_ASYNC_GLOBAL;
}

static bool flight_ordered(const struct order_access *x, const struct order_record *r)
{
    const struct order_flight *f = r->who == x->now.who ? NULL : order_flight_at(x->o, r->who & ~RECORD_FLIGHT);
    enum order_view view;

    if (!f)
        return true;
    view = view_for(x, r, f);
    if (r->kind & RECORD_MAP) {
        const uint32_t issuer = f->cluster * x->o->threads + f->thread;
        return order_known_of(x->o, x->thread, view, issuer, OWN_READ) >= f->map ||
               (f->kind == COPY_BULK_BAR && order_flight_known(x->o, f, x->thread, view, true));
    }
    return order_flight_known(x->o, f, x->thread, view, r->kind & RECORD_WRITE) ||
           (view == VIEW_GENERIC && order_is_shared(x->key) &&
            order_flight_known(x->o, f, x->thread, VIEW_SHARED, r->kind & RECORD_WRITE));
}

uint32_t order_ordered(const struct order_access *x, const struct order_record *r, int step, uint32_t count)
{
    const struct order *o = x->o;
    const enum order_view view = view_for(x, r, NULL);
    const bool also_shared = view == VIEW_GENERIC && order_is_shared(x->key);
    struct order_record one = *r;

    if (r->who & RECORD_FLIGHT) {
        for (uint32_t i = 0; i < count; i++, one.who += (uint32_t)step) {
            if (!flight_ordered(x, &one))
                return i;
            if (x->laid && r->kind & RECORD_WRITE)
                order_swizzle_meet(x, one.who & ~RECORD_FLIGHT);
        }
        return count;
    }
    for (uint32_t i = 0; i < count; i++, one.who += (uint32_t)step)
        if ((x->async || one.who != o->base + x->thread) &&
            order_known_of(o, x->thread, view, one.who, OWN_NOW) < r->epoch &&
            !(also_shared && order_known_of(o, x->thread, VIEW_SHARED, one.who, OWN_NOW) >= r->epoch))
            return i;
    return count;
}

/* Strong accesses of threads whose scopes take each other in do not race. PTX ISA, Morally strong operations. */
bool order_both_strong(const struct order_access *x, const struct order_record *r)
{
    const struct order_flight *f = r->who & RECORD_FLIGHT ? order_flight_at(x->o, r->who & ~RECORD_FLIGHT) : NULL;
    const uint32_t per_cta = x->o->per_cta, me = x->o->base + x->thread,
                   other = f ? f->cluster * x->o->threads + f->thread : r->who;

    if (!(x->now.kind & r->kind & RECORD_STRONG))
        return false;
    if (me / per_cta == other / per_cta)
        return true;
    return x->now.kind & r->kind & (me / x->o->threads == other / x->o->threads ? RECORD_WIDE : RECORD_GRID);
}

/* Threads that store the same bytes by one instruction: whoever is last, memory holds them. Compilers store results so
 * that all lanes hold. CUDA Programming Guide, SIMT Architecture: one of the writes is done, which one is undefined. */
bool order_same_store(const struct order_access *x, const struct order_record *r)
{
    return x->now.kind & RECORD_SAME && x->flight == PTX_NO && r->kind & RECORD_WRITE && !(r->who & RECORD_FLIGHT) &&
           r->at == x->now.at;
}

void order_conflict_at(struct order_access *x, const struct order_record *r, uint32_t before)
{
    if (x->reported)
        return;
    x->reported = true;
    order_report(x->o, &(struct order_conflict){ .t = x->t,
                                                 .flight = x->flight,
                                                 .kind = x->now.kind,
                                                 .r = r,
                                                 .before = before,
                                                 .key = x->key,
                                                 .bytes = x->n });
}

void order_touch_as(struct order *o, struct emu_thread *t, uint32_t flight, const struct order_record *now,
                    uint64_t key, uint64_t n)
{
    const bool init = o->cluster->grid->machine->options.check_init && flight == PTX_NO && !(now->kind & RECORD_WRITE);
    const struct order_flight *f = flight == PTX_NO ? NULL : order_flight_at(o, flight);
    struct order_access x = {
        .o = o,
        .t = t,
        .flight = flight,
        .thread = order_number(o, t),
        .now = *now,
        .async = f && !f->generic,
        .key = key,
        .n = n,
    };
    bool unwritten = false;
    uint32_t laid = 0;

    if (f && f->tensor && !(now->kind & RECORD_WRITE) && order_is_shared(key))
        x.laid = &laid;
    for (uint64_t at = key, end = key + n; at < end;) {
        const unsigned first = (unsigned)(at % LINE);
        const unsigned last = end - at < LINE - first ? first + (unsigned)(end - at) - 1 : LINE - 1;
        struct order_line *line = order_line_of(o, at);
        if (!line)
            return;
        if (first == 0 && end - at >= LINE && !init) { /* whole lines, to the end of the page */
            const uint64_t most = PAGE_LINES - at % (1 << PAGE_BITS) / LINE, lines = (end - at) / LINE;
            order_lines_access(&x, line, (unsigned)(lines < most ? lines : most));
            at += (lines < most ? lines : most) * LINE;
            continue;
        }
        unwritten |= init && !order_line_written(line, first, last);
        order_line_access(&x, line, first, last);
        at += last - first + 1;
    }
    if (laid)
        order_swizzle_report(o, t, f, order_flight_at(o, laid - 1));
    if (unwritten)
        order_report_unwritten(o, t, key, n);
}

void order_touch(struct order *o, struct emu_thread *t, uint32_t flight, uint64_t key, uint64_t n, uint8_t kind)
{
    const struct ptx_instruction *source = t->pc ? t->pc[-1].source : NULL;
    const uint32_t thread = order_number(o, t);

    order_touch_as(o, t, flight,
                   &(struct order_record){
                       .who = flight == PTX_NO ? o->base + thread : RECORD_FLIGHT | flight,
                       .epoch = flight == PTX_NO ? o->thread[thread].view[VIEW_GENERIC].own[OWN_NOW] : 0,
                       .at = source ? (uint32_t)(source - o->module->instructions) : PTX_NO,
                       .kind = kind,
                   },
                   key, n);
}
