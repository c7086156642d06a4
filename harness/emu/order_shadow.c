/* The shadow of shared and global memory: for each byte who wrote it last, who has read it since, and whether anyone
 * has written it at all. Cells of four bytes, with records that name the bytes they mean; made page by page when
 * touched. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/order.h"

enum { MANY = 64 }; /* records of strong accesses that a cell keeps */

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
        for (uint32_t k = 0; o->pages[i] && k < PAGE_CELLS; k++)
            free(o->pages[i]->cells[k].more);
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

struct access {
    struct order *o;
    struct emu_thread *t;
    uint32_t flight, thread, who, epoch, at;
    bool async; /* in the async proxy */
    uint8_t kind;
    uint64_t key, n; /* all of it, for the message */
    bool reported;
};

/* In which respect the thread must know of the access before. The async proxy needs a proxy fence behind generic
 * writes; behind generic reads too where the option asks for it. */
static enum order_view view_for(const struct access *x, const struct order_record *r)
{
    if (!x->async || (!(r->kind & RECORD_WRITE) && !x->o->cluster->grid->machine->options.check_reads))
        return VIEW_GENERIC;
    if (r->who & RECORD_FLIGHT && x->o->flights[r->who & ~RECORD_FLIGHT].kind != COPY_CP_ASYNC)
        return VIEW_GENERIC;
    return order_is_shared(x->key) ? VIEW_ASYNC_SHARED : VIEW_ASYNC_GLOBAL;
}

static bool is_ordered(const struct access *x, const struct order_record *r)
{
    if (r->who == x->who)
        return true;
    if (r->who & RECORD_FLIGHT)
        return order_flight_known(x->o, &x->o->flights[r->who & ~RECORD_FLIGHT], x->thread, view_for(x, r),
                                  r->kind & RECORD_WRITE);
    if (r->who == x->thread && !x->async)
        return true;
    return order_known(x->o, x->thread, view_for(x, r), order_component(x->o, r->who, OWN_NOW)) >= r->epoch;
}

/* Strong accesses of threads whose scopes take each other in do not race. PTX ISA, Morally strong operations. */
static bool both_strong(const struct access *x, const struct order_record *r)
{
    const uint32_t other = r->who & RECORD_FLIGHT ? x->o->flights[r->who & ~RECORD_FLIGHT].thread : r->who;

    if (!(x->kind & r->kind & RECORD_STRONG))
        return false;
    return x->thread / x->o->per_cta == other / x->o->per_cta || (x->kind & r->kind & RECORD_WIDE);
}

/* Threads that store the same bytes by one instruction: whoever is last, memory holds them. Compilers store results so
 * that all lanes hold. CUDA Programming Guide, SIMT Architecture: one of the writes is done, which one is undefined. */
static bool same_store(const struct access *x, const struct order_record *r)
{
    return x->kind & RECORD_SAME && x->flight == PTX_NO && r->kind & RECORD_WRITE && !(r->who & RECORD_FLIGHT) &&
           r->at == x->at;
}

/* ---- a cell ----------------------------------------------------------------------------------------------------- */

static struct order_record *records(struct order_cell *c)
{
    return c->more ? c->more : c->first;
}

static void add(struct access *x, struct order_cell *c, uint8_t mask)
{
    if (c->n == (c->more ? c->room : INLINE)) {
        const uint16_t room = (uint16_t)((c->n > INLINE ? c->n : INLINE) * 2);
        struct order_record *more = c->n < 16384 ? realloc(c->more, room * sizeof *more) : NULL;
        if (!more)
            return; /* it will not be compared with: a finding less */
        if (!c->more)
            memcpy(more, c->first, sizeof c->first);
        c->more = more;
        c->room = room;
    }
    records(c)[c->n++] =
        (struct order_record){ .who = x->who, .epoch = x->epoch, .at = x->at, .mask = mask, .kind = x->kind };
}

static void conflict(struct access *x, const struct order_record *r, uint32_t before)
{
    if (x->reported)
        return;
    x->reported = true;
    order_report(
        x->o,
        &(struct order_conflict){
            .t = x->t, .flight = x->flight, .kind = x->kind, .r = r, .before = before, .key = x->key, .bytes = x->n });
}

static void write_cell(struct access *x, struct order_cell *c, uint8_t mask)
{
    struct order_record *all = records(c);
    uint16_t kept = 0;
    uint32_t before = 0;

    for (uint16_t i = 0; i < c->n; i++)
        if (all[i].who & RECORD_FLIGHT && all[i].kind & RECORD_WRITE && all[i].mask & mask)
            before = 1 + (all[i].who & ~RECORD_FLIGHT);
    for (uint16_t i = 0; i < c->n; i++) {
        struct order_record r = all[i];
        if (r.mask & mask) {
            const bool ordered = is_ordered(x, &r), strong = both_strong(x, &r);
            if (!ordered && !strong && !same_store(x, &r))
                conflict(x, &r, before);
            if (ordered || !strong || c->n > MANY)
                r.mask &= (uint8_t)~mask; /* who comes after this write comes after that access too */
        }
        if (r.mask)
            all[kept++] = r;
    }
    c->n = kept;
    c->written |= mask;
    if (x->flight != PTX_NO)
        x->epoch = before;
    add(x, c, mask);
}

static void read_cell(struct access *x, struct order_cell *c, uint8_t mask)
{
    struct order_record *all = records(c);
    const bool full = c->n == (c->more ? c->room : INLINE);
    uint16_t kept = 0;
    bool there = false;

    for (uint16_t i = 0; i < c->n; i++) {
        const struct order_record r = all[i];
        if (r.kind & RECORD_WRITE) {
            if (r.mask & mask && !is_ordered(x, &r) && !both_strong(x, &r))
                conflict(x, &r, r.who & RECORD_FLIGHT ? r.epoch : 0);
            there |= r.who == x->who && r.epoch == x->epoch && (r.mask & mask) == mask;
        } else if (!(r.mask & ~mask) && (r.who == x->who || (full && !(r.who & RECORD_FLIGHT) && is_ordered(x, &r)))) {
            continue; /* this read stands for it */
        }
        all[kept++] = r;
    }
    c->n = kept;
    if (!there)
        add(x, c, mask);
}

/* The common case, decided without a look around: one cell, in which only this thread's last access stands. */
static bool touch_own(struct order *o, const struct emu_thread *t, uint32_t thread, uint64_t key, uint64_t n,
                      uint8_t kind)
{
    const uint64_t first = key % CELL;
    const uint8_t mask = (uint8_t)(((1u << n) - 1) << first);
    struct order_record *r;
    struct order_cell *c;

    if (first + n > CELL || !o->last || o->last->key != key >> PAGE_BITS || !t->pc[-1].source)
        return false;
    c = &o->last->cells[key % (1 << PAGE_BITS) / CELL];
    r = records(c);
    if (c->n != 1 || r->who != thread)
        return false;
    if (!(kind & RECORD_WRITE))
        return r->kind & RECORD_WRITE && (r->mask & mask) == mask &&
               r->epoch == o->thread[thread].view[VIEW_GENERIC].own[OWN_NOW];
    if (r->mask & ~mask)
        return false;
    *r = (struct order_record){ .who = thread,
                                .epoch = o->thread[thread].view[VIEW_GENERIC].own[OWN_NOW],
                                .at = (uint32_t)(t->pc[-1].source - o->module->instructions),
                                .mask = mask,
                                .kind = kind };
    c->written |= mask;
    return true;
}

static void touch(struct order *o, struct emu_thread *t, uint32_t flight, uint64_t key, uint64_t n, uint8_t kind)
{
    const uint32_t thread = order_number(o, t);
    const bool init = o->cluster->grid->machine->options.check_init && order_is_shared(key) && flight == PTX_NO;
    struct access x = {
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
        const uint64_t base = at & ~(uint64_t)(CELL - 1), stop = base + CELL < end ? base + CELL : end;
        const uint8_t mask = (uint8_t)(((1u << (stop - at)) - 1) << (at - base));
        struct order_page *p = page_of(o, base);
        struct order_cell *c;
        if (!p)
            return;
        c = &p->cells[base % (1 << PAGE_BITS) / CELL];
        if (init && !(kind & RECORD_WRITE) && mask & ~c->written)
            unwritten = true;
        if (kind & RECORD_WRITE)
            write_cell(&x, c, mask);
        else
            read_cell(&x, c, mask);
        at = stop;
    }
    if (unwritten)
        order_report_unwritten(o, t, key, n);
}

void order_touch(struct order *o, struct emu_thread *t, uint32_t flight, uint64_t key, uint64_t n, uint8_t kind)
{
    if (flight != PTX_NO || n > CELL || !touch_own(o, t, order_number(o, t), key, n, kind))
        touch(o, t, flight, key, n, kind);
}
