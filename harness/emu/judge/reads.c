/* Weak reads of what another thread has written before, and others may have read since: most reads of shared memory
 * behind a barrier. A list takes such a read as line.c would, without its preparations. */
#include "harness/emu/judge/reads.h"

#include "harness/emu/judge/known.h"
#include "harness/emu/judge/spans.h"

/* A read, and its bytes of one list. */
struct reading {
    const struct order *o;
    const struct order_record *now;
    bool shared; /* of shared memory */
    unsigned first, last;
};

/* Whether a write of all these bytes, or of more, happens before the read, or is the thread's own. */
static bool follows(const struct reading *x, const struct order_span *s, unsigned from, unsigned to)
{
    const struct order *o = x->o;
    const uint32_t who = span_owner(s, from), thread = x->now->who - o->base;

    if (s->who & RECORD_FLIGHT || s->more || s->kind & RECORD_NC || (s->unit && span_owner(s, to) != who))
        return false;
    return who == x->now->who || order_known_of(o, thread, VIEW_GENERIC, who, OWN_NOW) >= s->epoch ||
           (x->shared && order_known_of(o, thread, VIEW_SHARED, who, OWN_NOW) >= s->epoch);
}

/* Whether the read takes one of this thread's out of a span of reads: cut_own in line.c. */
static bool replaces(const struct reading *x, const struct order_span *s, unsigned from, unsigned to)
{
    const uint32_t who = x->now->who;

    if (!s->more)
        return span_owner(s, from) == who || span_owner(s, to) == who;
    return !s->unit && s->first >= x->first && s->last <= x->last &&
           (s->who == who || s->who + span_shift(s, s->more) == who);
}

/* Whether a list has nothing but what comes before the read, or has nothing to do with it. */
static bool goes_with(const struct reading *x, struct order_list *l)
{
    const struct order_span *all = span_all(l);

    if (l->n >= SPANS_OF_LINE)
        return false;
    for (uint16_t i = 0; i < l->n; i++) {
        const struct order_span *s = &all[i];
        const unsigned from = span_later(s->first, x->first), to = span_earlier(s->last, x->last);
        if (from > to)
            continue;
        if (s->kind & RECORD_WRITE ? !follows(x, s, from, to) : replaces(x, s, from, to))
            return false;
    }
    return true;
}

bool order_read_on(const struct order *o, const struct order_record *now, struct order_line *line, uint64_t key,
                   unsigned first, unsigned last)
{
    const struct reading x = { .o = o, .now = now, .shared = order_is_shared(key), .first = first, .last = last };
    struct order_list *l = line->cells ? &line->cells[first / CELL] : &line->list;

    if (now->kind || (line->cells && first / CELL != last / CELL) || !goes_with(&x, l))
        return false;
    if (span_goes_on(now, l, first, last))
        return true;
    if (l->n == (l->more ? l->room : 2)) /* what the shadow grows by is counted elsewhere */
        return false;
    span_add(now, l, first, last);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
