/* Weak loads and stores of one value: judged at once where the thread has been there before, or where nobody has and it
 * goes on with a pattern; by touch.c otherwise. */
#include "harness/emu/judge/plain.h"

#include <stddef.h>
#include <string.h>

#include "harness/emu/judge/lives.h"
#include "harness/emu/judge/pages.h"
#include "harness/emu/judge/reads.h"
#include "harness/emu/judge/singles.h"
#include "harness/emu/judge/spans.h"
#include "harness/emu/judge/tiles.h"
#include "harness/emu/judge/touch.h"

/* Nothing is to be judged where the thread has accessed the bytes before, with no release since: what came between was
 * compared with that access. Strong accesses let one another be. */
static inline bool stands_for(const struct order_span *s, const struct order_record *x, unsigned first, unsigned last)
{
    if (!span_covers(x, s, first, last))
        return false;
    if (x->kind & RECORD_WRITE)
        return s->kind == x->kind && s->at == x->at && !(x->kind & RECORD_STRONG);
    return s->kind == x->kind || !((s->kind & RECORD_STRONG) | (x->kind & RECORD_NC));
}

/* The thread's last access of just these bytes, where it is the only one of them, and like this one. */
static inline struct order_span *alone(struct order_list *l, const struct order_record *x, unsigned first,
                                       unsigned last)
{
    struct order_span *all = span_all(l), *s = NULL;

    for (struct order_span *i = all + l->n; i-- > all;)
        if (i->last >= first && i->first <= last) {
            if (s || i->who != x->who || i->first != first || i->last != last || i->kind != x->kind || i->unit ||
                i->more)
                return NULL;
            s = i;
        }
    return s;
}

/* An access takes the place of a thread's own of the same bytes; or it goes on with the list's last pattern, as the
 * accesses of the lanes before did, and nothing is left there. */
static inline void take_place(struct order_list *l, struct order_span *s, const struct order_record *x)
{
    const struct order_span *end = span_all(l) + l->n - 1;

    if (s != end && end->last + 1u == s->first && end->at == x->at && end->epoch == x->epoch) {
        const unsigned first = s->first, last = s->last;
        span_replace_own(l, first, last);
        span_add(x, l, first, last);
        return;
    }
    s->epoch = x->epoch;
    s->at = x->at;
    if (s == end && l->n > 1 && s[-1].at == x->at && s[-1].epoch == x->epoch)
        span_join(l);
}

/* A thread's own access of bytes of one cell, where there is nothing to judge: true if it is kept. */
static inline __attribute__((always_inline)) bool near(struct order_line *line, const struct order_record *x,
                                                       unsigned first, unsigned last)
{
    struct order_list *l = &line->list;
    struct order_span *all;
    struct order_span *same = NULL; /* the only one, of the same bytes */
    bool overlaps = false, own = true;
    uint16_t far; /* spans that are not asked */

    if (line->cells) {
        if (first / CELL != last / CELL)
            return false;
        l = &line->cells[first / CELL];
    }
    all = span_all(l);
    far = l->n > SPANS_NEAR ? (uint16_t)(l->n - SPANS_NEAR) : 0;
    if (l->n == 1 && all->last < first) { /* the next one of a pattern, alone in its line */
        if (!all->unit || !span_extends(all, x, first, last))
            span_add(x, l, first, last);
        return true;
    }
    for (uint16_t i = l->n; i-- > far;) {
        const struct order_span *s = &all[i];
        if (s->first > last || s->last < first)
            continue;
        if (stands_for(s, x, first, last) && (!(x->kind & RECORD_WRITE) || l->n == 1))
            return true;
        same = !overlaps && s->first == first && s->last == last && s->kind == x->kind && !s->more ? &all[i] : NULL;
        overlaps = true;
        own = own && !((s->kind ^ x->kind) & RECORD_NC) &&
              span_is_own(x, s, span_later(s->first, first), span_earlier(s->last, last)) &&
              !((s->kind | x->kind) & RECORD_STRONG) && (x->kind | ~s->kind) & RECORD_WRITE;
    }
    if (!own || far)
        return false;
    if (same) {
        same->who = x->who;
        same->unit = 0;
        take_place(l, same, x);
        return true;
    }
    if (l->n >= SPANS_OF_LINE)
        return false;
    if (overlaps)
        span_replace_own(l, first, last);
    else if (l->n && all[l->n - 1].unit && span_extends(&all[l->n - 1], x, first, last)) {
        if (l->n > 1 && all[l->n - 2].last == last)
            span_join(l);
        return true;
    }
    span_add(x, l, first, last);
    return true;
}

/* Mostly there is nothing to judge: the thread has been there before, or nobody has and it goes on with a pattern. */
static inline __attribute__((always_inline)) void judge_plain(struct emu_thread *t, uint32_t at, uint64_t key,
                                                              unsigned n, enum emu_access access)
{
    struct order *o = t->cta->cluster->order;
    const unsigned first = (unsigned)(key % LINE);
    const uint64_t bits = bits_at(first, n);
    const struct order_thread *me = t->order;
    struct order_line *line;
    uint64_t *written;

    if (o->failed)
        return;
    if (o->tiles && order_is_shared(key))
        order_tiles_access(o, t, t->cta, key & UINT32_MAX, n, access != EMU_READ);
    line = order_line_of(o, key);
    if (!line)
        return;
    order_line_open(o, key, line);
    const struct order_record now = { .who = me->number,
                                      .epoch = me->view[VIEW_GENERIC].own[OWN_NOW],
                                      .at = at,
                                      .kind = access != EMU_READ ? store_kinds[access] : load_kind(o, at) };
    written = &line->written[first / 64];
    if (access != EMU_READ)
        *written |= bits;
    if (((*written & bits) == bits || !o->init) &&
        (near(line, &now, first, first + n - 1) ||
         (access == EMU_READ && order_read_on(o, &now, line, key, first, first + n - 1))))
        return;
    order_touch_as(o, t, PTX_NO, &now, key, n);
}

/* These two stand apart from order_store, which saves no registers for their sake. */
static __attribute__((noinline)) void judge_store(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                                  enum emu_access access)
{
    judge_plain(t, at, key, n, access);
}

static __attribute__((noinline)) void store_near_mbarrier(struct emu_thread *t, uint32_t at, struct emu_cta *cta,
                                                          uint64_t address, unsigned n, enum emu_access access)
{
    life_touch(t, cta, address, n, access);
    judge_store(t, at, order_shared_key(cta, address), n, access);
}

/* The list that has the bytes of an access; NULL: there are several, or none. Lines of shared memory have no singles.
 */
static inline struct order_list *list_of(struct order_line *line, uint64_t key, unsigned n, bool shared)
{
    if (!line->cells)
        return &line->list;
    return n <= CELL && (shared || !order_line_has_singles(line)) ? &line->cells[key % LINE / CELL] : NULL;
}

/* The list of a line that list_of gives for a byte. */
static inline struct order_list *list_in(struct order_line *line, uint64_t key)
{
    return line->cells ? &line->cells[key % LINE / CELL] : &line->list;
}

/* A thread's own accesses of just these bytes, of one kind. Those of one thread have no origin, mostly: all four are
 * compared at once. And mostly nothing behind them. */
static inline bool is_just(const struct order_span *s, const struct order_thread *me, unsigned first, unsigned last,
                           uint8_t kind)
{
    uint32_t has;
    uint64_t behind;

    _Static_assert(offsetof(struct order_span, origin) == offsetof(struct order_span, kind) + 3, "they are one word");
    _Static_assert(offsetof(struct order_span, unit) + sizeof behind == sizeof *s, "it is the end of a span");
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "its first byte is the lowest");
    memcpy(&has, &s->kind, sizeof has);
    memcpy(&behind, &s->unit, sizeof behind);
    return has == first * 0x100 + last * 0x10000 + kind && s->who == me->number && (!behind || !(s->unit | s->more));
}

/* The span of one access, word by word. */
typedef uint64_t __attribute__((may_alias, aligned(4))) word;
static inline __attribute__((always_inline)) void put(struct order_span *s, struct order_record x, unsigned first,
                                                      unsigned last)
{
    word *w = (word *)s;

    _Static_assert(sizeof *s == 3 * sizeof *w && offsetof(struct order_span, kind) == 12, "a span is three words");
    w[0] = x.who | (uint64_t)x.epoch << 32;
    w[1] = x.at | (uint64_t)(x.kind | first << 8 | last << 16) << 32;
    w[2] = 0;
}

/* Nobody has accessed these bytes, nor others of their list l: this access is the first there. False: it is judged
 * otherwise. */
static inline __attribute__((always_inline)) bool put_first(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                                            uint8_t kind, struct order_line *line, struct order_list *l)
{
    const unsigned first = (unsigned)(key % LINE);
    const uint64_t bits = bits_at(first, n);
    uint64_t *written = &line->written[first / 64];

    if (kind & RECORD_WRITE)
        *written |= bits;
    else if (bits & ~*written && ((const struct order *)t->cta->cluster->order)->init)
        return false;
    l->n = 1;
    l->tail = l->tail_n = 0;
    put(span_all(l), record_of(t, at, kind), first, first + n - 1);
    return true;
}

/* Others of a list of few spans have been accessed, and none of these bytes: they go on with a pattern, or are the
 * list's last span, as near() would have it. */
static __attribute__((noinline)) void put_behind(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                                 uint8_t kind, struct order_list *l)
{
    const unsigned first = (unsigned)(key % LINE), last = first + n - 1;
    const struct order_record now = record_of(t, at, kind);
    struct order_span *s = span_all(l) + l->n - 1;

    if (!s->unit || !span_extends(s, &now, first, last))
        span_add(&now, l, first, last);
    else if (l->n > 1 && s[-1].last == last)
        span_join(l);
}

/* The list has as many spans as near() adds to: touch.c adds one more, and the line may be taken apart. */
static __attribute__((noinline)) void put_last(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                               uint8_t kind)
{
    struct order *o = t->cta->cluster->order;
    const struct order_record now = record_of(t, at, kind);

    if (!o->failed)
        order_touch_as(o, t, PTX_NO, &now, key, n);
}

/* They go on with no pattern, and the list has no room for one more. */
static __attribute__((noinline)) void put_more(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                               uint8_t kind, struct order_list *l)
{
    const unsigned first = (unsigned)(key % LINE);
    struct order_span *s = span_more(l);

    if (s)
        put(s, record_of(t, at, kind), first, first + n - 1);
}

/* The same, if it is so; most go on with no pattern, since no span ends where they begin. False: it is judged
 * otherwise. */
static inline __attribute__((always_inline)) bool put_apart(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                                            uint8_t kind, struct order_line *line)
{
    const unsigned first = (unsigned)(key % LINE), last = first + n - 1;
    const uint64_t bits = bits_at(first, n);
    uint64_t *written = &line->written[first / 64];
    struct order_list *l = list_in(line, key);
    struct order_span *s = span_all(l);
    const struct order_span *end = s + l->n;
    bool goes_on = false;

    if (l->n > SPANS_OF_LINE || l->tail_n == l->n || (!(kind & RECORD_WRITE) && bits & ~*written))
        return false;
    for (; s < end; s++) {
        if (s->last >= first && s->first <= last)
            return false;
        goes_on |= s->last + 1u == first;
    }
    if (kind & RECORD_WRITE)
        *written |= bits;
    if (l->n == SPANS_OF_LINE) {
        put_last(t, at, key, n, kind);
        return true;
    }
    if (goes_on || l->n == (l->more ? l->room : 2)) {
        (goes_on ? put_behind : put_more)(t, at, key, n, kind, l);
        return true;
    }
    l->tail = l->tail_n = 0;
    l->n++;
    put(s, record_of(t, at, kind), first, last);
    return true;
}

static __attribute__((noinline)) void judge_load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t key,
                                                 unsigned n)
{
    if (cta && life_near(cta, (uint32_t)key, n))
        life_touch(t, cta, (uint32_t)key, n, EMU_READ);
    judge_plain(t, at, key, n, EMU_READ);
}

/* The CTA whose shared memory has the byte: the thread's own; NULL: it is global memory. */
static inline struct emu_cta *cta_of(const struct emu_thread *t, uint64_t key)
{
    return order_is_shared(key) ? t->cta : NULL;
}

static __attribute__((noinline)) void load_first(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                                 struct order_line *line, struct order_list *l)
{
    struct emu_cta *cta = cta_of(t, key);

    if ((cta && life_near(cta, (uint32_t)key, n)) ||
        !put_first(t, at, key, n, load_kind(t->cta->cluster->order, at), line, l))
        judge_load(t, at, cta, key, n);
}

void order_plain_load_first(struct emu_thread *t, uint32_t at, struct order_line *line, uint64_t key, unsigned n)
{
    if (!put_first(t, at, key, n, load_kind(t->cta->cluster->order, at), line, list_in(line, key)))
        judge_load(t, at, NULL, key, n);
}

static __attribute__((noinline)) void load_apart_global(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                                        struct order_line *line)
{
    if (!put_apart(t, at, key, n, load_kind(t->cta->cluster->order, at), line))
        judge_load(t, at, NULL, key, n);
}

/* Mostly a load reads what the thread has read before, with no release since: stands_for; or what nobody has accessed.
 * A CTA here is always the thread's own: the machine reports other accesses by order_memory. */
static inline __attribute__((always_inline)) void load(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                                       bool shared)
{
    const struct order *o = t->cta->cluster->order;
    struct order_line *line = near_line(o, key, shared);
    struct order_list *l;

    l = line ? list_of(line, key, n, shared) : NULL;
    if (l && !l->n) {
        if (shared)
            load_first(t, at, key, n, line, l);
        else
            order_plain_load_first(t, at, line, key, n);
        return;
    }
    if (l) {
        const struct order_span *s = (l->more ? l->more : l->own) + l->n - 1;
        const unsigned first = (unsigned)(key % LINE);
        const struct order_thread *me = t->order;
        if (is_just(s, me, first, first + n - 1, shared ? 0 : load_kind(o, at)) &&
            s->epoch == me->view[VIEW_GENERIC].own[OWN_NOW] && is_written(line, first, n) &&
            !(shared && life_near(t->cta, (uint32_t)key, n)))
            return;
    }
    if (l && !shared)
        load_apart_global(t, at, key, n, line);
    else
        judge_load(t, at, shared ? t->cta : NULL, key, n);
}

void order_plain_load_shared(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n)
{
    load(t, at, order_shared_key(cta, address), n, true);
}

void order_plain_load_global(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n)
{
    load(t, at, key, n, false);
}

/* A store takes the place of one before, or goes on with the pattern that is alone in its line; or it is any other. */
static __attribute__((noinline)) void store_on(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t key,
                                               unsigned n, enum emu_access access)
{
    const struct order *o = t->cta->cluster->order;
    const unsigned first = (unsigned)(key % LINE), last = first + n - 1;
    const struct order_thread *me = t->order;
    struct order_line *line = near_line(o, key, cta != NULL);
    struct order_list *l = line ? list_of(line, key, n, cta != NULL) : NULL;
    struct order_span *s = l && l->n && !o->failed ? span_all(l) : NULL;

    if (cta && life_near(cta, (uint32_t)key, n)) {
        store_near_mbarrier(t, at, cta, (uint32_t)key, n, access);
        return;
    }
    if (s) {
        const struct order_record now = {
            .who = me->number, .epoch = me->view[VIEW_GENERIC].own[OWN_NOW], .at = at, .kind = store_kinds[access]
        };
        if (l->n == 1 && s->last < first) {
            if (s->unit && span_extends(s, &now, first, last)) {
                line->written[first / 64] |= bits_at(first, n);
                return;
            }
        } else {
            s = alone(l, &now, first, last);
            if (s) {
                take_place(l, s, &now);
                return;
            }
        }
    }
    judge_store(t, at, key, n, access);
}

static __attribute__((noinline)) void store_first(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                                  struct order_line *line, struct order_list *l, enum emu_access access)
{
    struct emu_cta *cta = cta_of(t, key);

    if ((cta && life_near(cta, (uint32_t)key, n)) || !put_first(t, at, key, n, store_kinds[access], line, l))
        store_on(t, at, cta, key, n, access);
}

void order_plain_store_first(struct emu_thread *t, uint32_t at, struct order_line *line, uint64_t key, unsigned n,
                             enum emu_access access)
{
    put_first(t, at, key, n, store_kinds[access], line, list_in(line, key));
}

static __attribute__((noinline)) void store_apart_global(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                                         enum emu_access access, struct order_line *line)
{
    if (!put_apart(t, at, key, n, store_kinds[access], line))
        store_on(t, at, NULL, key, n, access);
}

/* Mostly a store takes the place of the thread's own of the same bytes, which nobody else has accessed since; or nobody
 * has accessed them. */
static inline __attribute__((always_inline)) void store(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n,
                                                        enum emu_access access, bool shared)
{
    const struct order *o = t->cta->cluster->order;
    struct order_line *line = near_line(o, key, shared);
    struct order_list *l;

    l = line ? list_of(line, key, n, shared) : NULL;
    if (l && !l->n) {
        if (shared)
            store_first(t, at, key, n, line, l, access);
        else
            order_plain_store_first(t, at, line, key, n, access);
        return;
    }
    if (l && l->n == 1 && !l->more && !(shared && life_near(t->cta, (uint32_t)key, n))) {
        const unsigned first = (unsigned)(key % LINE);
        const struct order_thread *me = t->order;
        struct order_span *s = l->own;
        if (is_just(s, me, first, first + n - 1, store_kinds[access])) {
            s->epoch = me->view[VIEW_GENERIC].own[OWN_NOW];
            s->at = at;
            return;
        }
    }
    if (l && !shared)
        store_apart_global(t, at, key, n, access, line);
    else
        store_on(t, at, shared ? t->cta : NULL, key, n, access);
}

void order_plain_store_shared(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                              enum emu_access access)
{
    store(t, at, order_shared_key(cta, address), n, access, true);
}

void order_plain_store_global(struct emu_thread *t, uint32_t at, uint64_t key, unsigned n, enum emu_access access)
{
    store(t, at, key, n, access, false);
}
// SPDX-License-Identifier: Apache-2.0
