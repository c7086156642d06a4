/* Whether what lanes of a warp access together leaves anything to report. */
#include "harness/emu/judge/before.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/pages.h"
#include "harness/emu/judge/parts.h"

static bool all_ordered(struct lanes *w, uint32_t lane, const struct order_span *s, unsigned first, unsigned last)
{
    const uint32_t rows = span_rows(s, first, last);
    int step;
    uint32_t count;
    struct order_record r = span_record(s, first, last, &step, &count);

    w->x.thread = order_number(w->o, &w->t[lane]);
    w->x.now.who = lanes_who(w, lane);
    for (uint32_t row = 0; row < rows; row++, r.who += span_shift(s, 1))
        if (order_ordered(&w->x, &r, step, count) < count)
            return false;
    return true;
}

/* Whether a span is one access by a thread, of which all lanes know: what most cells have. */
static bool is_known(const struct lanes *w, const struct part *p, const struct order_span *s)
{
    const uint32_t lane = s->who == lanes_who(w, p->lane) ? p->lane + p->count - 1 : p->lane;

    return w->one_past && !s->unit && !s->more && !(s->who & RECORD_FLIGHT) && s->who != lanes_who(w, lane) &&
           order_known_of(w->o, order_number(w->o, &w->t[lane]), VIEW_GENERIC, s->who, OWN_NOW) >= s->epoch;
}

/* Whether a span's accesses of the part's bytes happen before, or are each lane's own. */
static bool comes_before(struct lanes *w, const struct part *p, const struct order_span *s)
{
    if (is_known(w, p, s) || part_meets(w, p, s).own)
        return true;
    if (w->one_past) {
        /* Lanes differ only in what they know of themselves: the first and the last one are two. */
        const unsigned first = span_later(s->first, p->first), last = span_earlier(s->last, p->last);
        return all_ordered(w, p->lane, s, first, last) &&
               (p->count == 1 || all_ordered(w, p->lane + p->count - 1, s, first, last));
    }
    for (uint32_t i = 0; i < p->count; i++) {
        struct order_record now = { .who = lanes_who(w, p->lane + i) };
        unsigned first, last;
        part_bytes_of(p, i, &first, &last);
        first = span_later(s->first, first);
        last = span_earlier(s->last, last);
        if (first <= last && !span_is_own(&now, s, first, last) && !all_ordered(w, p->lane + i, s, first, last))
            return false;
    }
    return true;
}

static bool list_is_quiet(struct lanes *w, const struct part *p, struct order_list *l, uint8_t kind)
{
    const struct order_span *all = span_all(l);

    for (uint16_t i = 0; i < l->n; i++) {
        const struct order_span *s = &all[i];
        if (s->first > p->last || s->last < p->first)
            continue;
        if (s->kind & RECORD_STRONG || ((s->kind | kind) & RECORD_NC && (s->kind | p->of->writes) & RECORD_WRITE))
            return false;
        if ((p->of->writes || s->kind & RECORD_WRITE) && !comes_before(w, p, s))
            return false;
    }
    return true;
}

bool order_part_is_quiet(struct lanes *w, const struct part *p)
{
    struct order_line *line = order_line_of(w->o, p->key);
    const uint8_t kind = p->of->reads ? lanes_read_kind(w, p->of) : 0;
    bool quiet = line != NULL;

    if (!line || (p->of->reads && w->init && !order_line_written(line, p->first, p->last)))
        return false;
    w->x.key = p->key;
    order_line_open(w->o, p->key, line);
    if (!line->cells)
        return list_is_quiet(w, p, &line->list, kind);
    for (unsigned c = p->first / CELL; c <= p->last / CELL && quiet; c++)
        quiet = list_is_quiet(w, p, &line->cells[c], kind);
    return quiet;
}
// SPDX-License-Identifier: Apache-2.0
