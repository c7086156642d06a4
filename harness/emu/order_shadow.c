/* The shadow of shared and global memory: for each byte who wrote it last, who has read it since, and whether anyone
 * has written it at all. Lines of memory, order_line.c; made page by page when touched. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/order.h"

uint64_t order_shared_key(const struct emu_cta *cta, uint64_t offset)
{
    return 1ull << 62 | (uint64_t)cta->rank << 32 | offset;
}

/* ---- pages ------------------------------------------------------------------------------------------------------ */

static struct order_page **slot_of(struct order_page **pages, uint32_t room, uint64_t key)
{
    uint64_t h = (key ^ key >> 17) * 0x9E3779B97F4A7C15u >> 32;

    while (pages[h & (room - 1)] && pages[h & (room - 1)]->key != key)
        h++;
    return &pages[h & (room - 1)];
}

static bool grow(struct order *o)
{
    const uint32_t room = o->page_room ? o->page_room * 2 : 64;
    struct order_page **more = calloc(room, sizeof(struct order_page *));

    if (!more)
        return false;
    for (uint32_t i = 0; i < o->page_room; i++)
        if (o->pages[i])
            *slot_of(more, room, o->pages[i]->key) = o->pages[i];
    free(o->pages);
    o->pages = more;
    o->page_room = room;
    return true;
}

static struct order_page *page_of(struct order *o, uint64_t key)
{
    const uint64_t number = key >> PAGE_BITS;
    struct order_page **p;

    if (o->last && o->last->key == number)
        return o->last;
    if (o->page_count * 2 >= o->page_room && !grow(o)) {
        o->failed = true;
        return NULL;
    }
    p = slot_of(o->pages, o->page_room, number);
    if (!*p) {
        *p = calloc(1, sizeof **p);
        if (!*p) {
            o->failed = true;
            return NULL;
        }
        (*p)->key = number;
        o->page_count++;
    }
    return o->last = *p;
}

void order_pages_free(struct order *o)
{
    for (uint32_t i = 0; i < o->page_room; i++) {
        for (uint32_t k = 0; o->pages[i] && k < PAGE_LINES; k++)
            order_line_free(&o->pages[i]->lines[k]);
        free(o->pages[i]);
    }
    free(o->pages);
}

/* ---- what is ordered -------------------------------------------------------------------------------------------- */

/* Whether the thread knows that the copy is done: with its writes, or only with reading its source. */
bool order_flight_known(const struct order *o, const struct order_flight *f, uint32_t thread, enum order_view view,
                        bool wrote)
{
    switch (f->kind) {
    case COPY_CP_ASYNC: return order_known(o, thread, view, order_component(o, f->thread, OWN_CP)) >= f->sequence;
    case COPY_BULK_GROUP:
        return order_known(o, thread, view, order_component(o, f->thread, wrote ? OWN_BULK : OWN_READ)) >= f->sequence;
    case COPY_BULK_BAR: break;
    }
    if (!f->ended)
        return false;
    if (f->bar == PTX_NO || order_known(o, thread, view, f->bar) > f->phase)
        return true;
    for (uint32_t i = 0; i < f->bar_count; i++)
        if (f->bars[i * 2] == PTX_NO || order_known(o, thread, view, f->bars[i * 2]) > f->bars[i * 2 + 1])
            return true;
    return false;
}

/* In which respect the thread must know of the access before. The async proxy needs a proxy fence behind generic
 * writes; behind generic reads too where the option asks for it. */
static enum order_view view_for(const struct order_access *x, const struct order_record *r)
{
    if (!x->async || (!(r->kind & RECORD_WRITE) && !x->o->cluster->grid->machine->options.check_reads))
        return VIEW_GENERIC;
    if (r->who & RECORD_FLIGHT && x->o->flights[r->who & ~RECORD_FLIGHT].kind != COPY_CP_ASYNC)
        return VIEW_GENERIC;
    return order_is_shared(x->key) ? VIEW_ASYNC_SHARED : VIEW_ASYNC_GLOBAL;
}

static bool flight_ordered(const struct order_access *x, const struct order_record *r, enum order_view view)
{
    return r->who == x->who ||
           order_flight_known(x->o, &x->o->flights[r->who & ~RECORD_FLIGHT], x->thread, view, r->kind & RECORD_WRITE);
}

uint32_t order_ordered(const struct order_access *x, const struct order_record *r, int step, uint32_t count)
{
    const enum order_view view = view_for(x, r);
    struct order_record one = *r;

    if (r->who & RECORD_FLIGHT) {
        for (uint32_t i = 0; i < count; i++, one.who += (uint32_t)step)
            if (!flight_ordered(x, &one, one.who == r->who ? view : view_for(x, &one)))
                return i;
        return count;
    }
    for (uint32_t i = 0; i < count; i++, one.who += (uint32_t)step)
        if ((x->async || one.who != x->thread) &&
            order_known(x->o, x->thread, view, order_component(x->o, one.who, OWN_NOW)) < r->epoch)
            return i;
    return count;
}

/* Strong accesses of threads whose scopes take each other in do not race. PTX ISA, Morally strong operations. */
bool order_both_strong(const struct order_access *x, const struct order_record *r)
{
    const uint32_t other = r->who & RECORD_FLIGHT ? x->o->flights[r->who & ~RECORD_FLIGHT].thread : r->who;

    if (!(x->kind & r->kind & RECORD_STRONG))
        return false;
    return x->thread / x->o->per_cta == other / x->o->per_cta || (x->kind & r->kind & RECORD_WIDE);
}

/* Threads that store the same bytes by one instruction: whoever is last, memory holds them. Compilers store results so
 * that all lanes hold. CUDA Programming Guide, SIMT Architecture: one of the writes is done, which one is undefined. */
bool order_same_store(const struct order_access *x, const struct order_record *r)
{
    return x->kind & RECORD_SAME && x->flight == PTX_NO && r->kind & RECORD_WRITE && !(r->who & RECORD_FLIGHT) &&
           r->at == x->at;
}

void order_conflict_at(struct order_access *x, const struct order_record *r, uint32_t before)
{
    if (x->reported)
        return;
    x->reported = true;
    order_report(
        x->o,
        &(struct order_conflict){
            .t = x->t, .flight = x->flight, .kind = x->kind, .r = r, .before = before, .key = x->key, .bytes = x->n });
}

void order_touch(struct order *o, struct emu_thread *t, uint32_t flight, uint64_t key, uint64_t n, uint8_t kind)
{
    const uint32_t thread = order_number(o, t);
    const bool init = o->cluster->grid->machine->options.check_init && order_is_shared(key) && flight == PTX_NO &&
                      !(kind & RECORD_WRITE);
    struct order_access x = {
        .o = o,
        .t = t,
        .flight = flight,
        .thread = thread,
        .who = flight == PTX_NO ? thread : RECORD_FLIGHT | flight,
        .epoch = o->thread[thread].view[VIEW_GENERIC].own[OWN_NOW],
        .at = t->pc && t->pc[-1].source ? (uint32_t)(t->pc[-1].source - o->module->instructions) : PTX_NO,
        .async = flight != PTX_NO && o->flights[flight].kind != COPY_CP_ASYNC,
        .kind = kind,
        .key = key,
        .n = n,
    };
    bool unwritten = false;

    for (uint64_t at = key, end = key + n; at < end;) {
        const unsigned first = (unsigned)(at % LINE);
        const unsigned last = end - at < LINE - first ? first + (unsigned)(end - at) - 1 : LINE - 1;
        struct order_page *p = page_of(o, at);
        struct order_line *line;
        if (!p)
            return;
        line = &p->lines[at % (1 << PAGE_BITS) / LINE];
        unwritten |= init && !order_line_written(line, first, last);
        order_line_access(&x, line, first, last);
        at += last - first + 1;
    }
    if (unwritten)
        order_report_unwritten(o, t, key, n);
}
