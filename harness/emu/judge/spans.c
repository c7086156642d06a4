/* Spans: adding accesses, and taking bytes out. */
#include "harness/emu/judge/spans.h"

#include <stdlib.h>
#include <string.h>

/* Spans of a list; of one with more than FORGETS, all weak reads but so many are forgotten. */
enum { MOST = 16384, FORGETS = 4096, REMEMBERED = 1024 };

/* A list of some launch has not kept all that it was to keep. */
static _Atomic bool lost;

bool span_lost(void)
{
    return lost;
}

void span_lose(void)
{
    lost = true;
}

static unsigned units(const struct order_span *s, unsigned first, unsigned last)
{
    return s->unit ? (last - s->origin) / s->unit - (first - s->origin) / s->unit + 1u : 1;
}

uint32_t span_rows(const struct order_span *s, unsigned first, unsigned last)
{
    return units(s, first, last) > 1 ? s->more + 1u : 1;
}

struct order_record span_record(const struct order_span *s, unsigned first, unsigned last, int *step, uint32_t *count)
{
    *count = units(s, first, last);
    *step = s->unit ? s->step : 1;
    if (*count == 1 && s->more) {
        *step = s->stride;
        *count = s->more + 1u;
    }
    return (struct order_record){ .who = span_owner(s, first), .epoch = s->epoch, .at = s->at, .kind = s->kind };
}

/* Room for twice as many spans. Lists that grow at all mostly grow to FEW: memory for so many is there from the first
 * time on. */
static bool grow(struct order_list *l)
{
    enum { FEW = 8 };
    const unsigned has = l->more ? l->room : 2, room = has * 2;
    const bool there = l->more && room <= FEW;
    struct order_span *bigger = l->more;

    if (!there)
        bigger = has < MOST ? realloc(l->more, (room < FEW ? FEW : room) * sizeof *bigger) : NULL;
    if (!bigger)
        return false;
    if (!l->more)
        memcpy(bigger, l->own, sizeof l->own);
    l->more = bigger;
    l->room = (uint16_t)room;
    return true;
}

struct order_span *span_more(struct order_list *l)
{
    if (l->n == (l->more ? l->room : 2) && !grow(l)) {
        lost = true;
        return NULL; /* it will not be compared with: a finding less */
    }
    l->tail = l->tail_n = 0;
    return &span_all(l)[l->n++];
}

unsigned span_tail(struct order_list *l)
{
    const struct order_span *all = span_all(l);

    if (l->tail_n != l->n) {
        l->tail = 0;
        l->tail_n = l->n;
        while (l->tail < l->n && span_looks(all[l->n - 1 - l->tail].kind))
            l->tail++;
    }
    return l->tail;
}

/* Whether two spans are weak reads of the same bytes by rows of threads that are alike. */
static bool alike(const struct order_span *a, const struct order_span *b)
{
    return span_reads(a->kind) && a->kind == b->kind && a->unit && a->unit == b->unit && a->step == b->step &&
           a->first == b->first && a->last == b->last && (a->origin - b->origin) % a->unit == 0;
}

/* The last span stands for earlier ones that are the same threads' reads of the same bytes. */
static void replace_earlier(struct order_list *l)
{
    struct order_span *all = span_all(l);
    const struct order_span last = all[l->n - 1];
    uint16_t kept = 0;

    for (uint16_t i = 0; i < l->n; i++)
        if (i + 1 == l->n || !alike(&all[i], &last) || all[i].more != last.more || all[i].stride != last.stride ||
            span_owner(&all[i], last.first) != span_owner(&last, last.first))
            span_keep(all, &kept, i);
    l->n = kept;
}

/* The last span has become part of another, of the same kind. */
static void drop_last(struct order_list *l)
{
    if (l->tail && l->tail_n == l->n) {
        l->tail--;
        l->tail_n--;
    }
    l->n--;
}

void span_join(struct order_list *l)
{
    struct order_span *b = &span_all(l)[l->n - 1], *a = b - 1;
    const struct order_record x = { .who = b->who, .epoch = b->epoch, .at = b->at, .kind = b->kind };

    if (l->n < 2)
        return;
    if (!b->unit && !b->more && span_extends(a, &x, b->first, b->last)) {
        drop_last(l);
    } else if (!b->more && alike(a, b) && a->epoch == b->epoch && a->at == b->at &&
               span_copies_on(a, span_owner(b, b->first) - span_owner(a, a->first))) {
        drop_last(l);
        if (l->n > 1)
            replace_earlier(l);
    }
}

bool span_goes_on(const struct order_record *x, struct order_list *l, unsigned first, unsigned last)
{
    struct order_span *all = span_all(l);

    for (uint16_t i = l->n; i-- > 0 && l->n - i <= SPANS_NEAR;) {
        if (span_extends(&all[i], x, first, last)) {
            if (i + 1 == l->n)
                span_join(l);
            return true;
        }
        if (x->kind & RECORD_STRONG && all[i].first <= last && all[i].last >= first)
            break; /* strong accesses keep their order */
    }
    return false;
}

void span_add(const struct order_record *x, struct order_list *l, unsigned first, unsigned last)
{
    const bool tail = l->tail_n && l->tail_n == l->n && span_looks(x->kind);
    struct order_span *s;

    if (span_goes_on(x, l, first, last))
        return;
    s = span_more(l);
    if (!s)
        return;
    *s = (struct order_span){
        .who = x->who, .epoch = x->epoch, .at = x->at, .kind = x->kind, .first = (uint8_t)first, .last = (uint8_t)last
    };
    if (tail) {
        l->tail++;
        l->tail_n = l->n;
    }
}

/* Whether two spans are the same accesses, but for when and where in the program they were made. */
static bool same_accesses(const struct order_span *a, const struct order_span *b)
{
    return a->who == b->who && a->kind == b->kind && a->first == b->first && a->last == b->last &&
           a->origin == b->origin && a->unit == b->unit && a->step == b->step && a->more == b->more &&
           a->stride == b->stride;
}

/* Takes out of the last spans those that a later one stands for: the same threads read the same bytes again. */
static void thin(struct order_list *l, unsigned tail)
{
    uint16_t place_of[2 * MOST]; /* 1 and the number of a span, or 0 */
    struct order_span *all = span_all(l);
    unsigned kept = l->n, places = SPANS_NEAR;

    while (places < 2 * tail)
        places *= 2;
    memset(place_of, 0, places * sizeof *place_of);
    for (unsigned i = l->n; i-- > l->n - tail;) {
        unsigned k = (all[i].who * 2654435761u >> 8 ^ all[i].first * 40503u) % places;
        while (place_of[k] && !same_accesses(&all[place_of[k] - 1], &all[i]))
            k = (k + 1) % places;
        if (place_of[k])
            continue;
        all[--kept] = all[i];
        place_of[k] = (uint16_t)(kept + 1);
    }
    memmove(&all[l->n - tail], &all[kept], (l->n - kept) * sizeof *all);
    l->n = (uint16_t)(2u * l->n - tail - kept);
}

/* Takes the older ones out of the last spans: weak reads, a finding less; or all. */
static void forget(struct order_list *l, unsigned tail, bool all)
{
    struct order_span *of = span_all(l);
    uint16_t kept = (uint16_t)(l->n - tail);

    for (uint16_t i = kept; i < l->n; i++)
        if (i + REMEMBERED >= l->n || (!all && !span_reads(of[i].kind)))
            span_keep(of, &kept, i);
    lost |= kept < l->n;
    l->n = kept;
}

bool span_is_full(const struct order_list *l)
{
    return l->more && l->n == l->room;
}

void span_crowd(struct order_list *l)
{
    l->tail = l->tail_n = 0;
    thin(l, span_tail(l));
    l->tail = l->tail_n = 0;
    if (l->room >= FORGETS && l->n > l->room / 2)
        forget(l, span_tail(l), l->room == MOST);
    l->tail = l->tail_n = 0;
    span_widen(l);
}

void span_widen(struct order_list *l)
{
    if (l->n > l->room / 2)
        grow(l);
}

bool span_cut(struct order_span *s, unsigned first, unsigned last, struct span_cuts *cuts)
{
    if (first <= s->first && last >= s->last)
        return false;
    if (first <= s->first) {
        s->first = (uint8_t)(last + 1);
    } else if (last >= s->last) {
        s->last = (uint8_t)(first - 1);
    } else if (cuts->n < SPAN_CUTS) {
        cuts->rest[cuts->n] = *s;
        cuts->rest[cuts->n++].first = (uint8_t)(last + 1);
        s->last = (uint8_t)(first - 1);
    } else {
        lost = true;
    }
    return true;
}

void span_settle(struct order_list *l, uint16_t kept, const struct span_cuts *cuts)
{
    l->n = kept;
    for (unsigned i = 0; i < cuts->n; i++) {
        struct order_span *s = span_more(l);
        if (s)
            *s = cuts->rest[i];
    }
}

void span_replace_own(struct order_list *l, unsigned first, unsigned last)
{
    struct order_span *all = span_all(l);
    struct span_cuts cuts = { .n = 0 };
    uint16_t kept = 0;

    for (uint16_t i = 0; i < l->n; i++) {
        struct order_span *s = &all[i];
        if (s->first <= last && s->last >= first && !span_cut(s, first, last, &cuts))
            continue;
        span_keep(all, &kept, i);
    }
    span_settle(l, kept, &cuts);
}

/* ---- a line ----------------------------------------------------------------------------------------------------- */

void order_line_none(struct order_line *line)
{
    *line = (struct order_line){ 0 };
}

void order_page_open(struct order_page *p)
{
    if (p->open == PAGE_ALIKE)
        order_page_open_as(p, &p->lines[0].list);
}

void order_page_open_as(struct order_page *p, const struct order_list *all)
{
    const struct order_list list = *all; /* which may be that of the first */

    for (unsigned k = 1; k < PAGE_LINES; k++) {
        p->lines[k].list = list;
        p->lines[k].cells = NULL;
    }
    for (unsigned k = 0; p->written && k < PAGE_LINES; k++)
        p->lines[k].written[0] = p->lines[k].written[1] = ~0ull;
    p->open = p->key;
}

/* Whether one of two lists has memory of its own. */
static inline bool has_more(const struct order_list *l)
{
    return (uintptr_t)l[0].more | (uintptr_t)l[1].more;
}

void order_line_free(struct order_line *line)
{
    if (line->list.more)
        free(line->list.more);
    if (!line->cells || order_line_has_singles(line))
        return;
    for (unsigned c = 0; c < LINE_CELLS; c += 8) { /* hardly any has memory of its own */
        const struct order_list *l = &line->cells[c];
        if (!has_more(l) && !has_more(l + 2) && !has_more(l + 4) && !has_more(l + 6))
            continue;
        for (unsigned i = 0; i < 8; i++)
            free(l[i].more);
    }
}
// SPDX-License-Identifier: Apache-2.0
