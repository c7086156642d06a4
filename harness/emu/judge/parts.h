/* Lanes of a warp that are judged together, and the parts of their accesses: what patterns.c and quiet.c share. */
#ifndef COPYCHECK_EMU_JUDGE_PARTS_H
#define COPYCHECK_EMU_JUDGE_PARTS_H

#include "harness/emu/judge/spans.h"
#include "harness/emu/judge/state.h"
#include "harness/emu/machine/pattern.h"

/* Lanes of a warp that are judged together. */
struct lanes {
    struct emu_thread *t;
    struct order *o;
    bool init;                /* o->init */
    const uint8_t *loads;     /* o->grid->loads */
    bool one_past, one_epoch; /* all lanes know the same of others; have come equally far: */
    uint32_t epoch;
    uint32_t who;          /* lane 0 */
    struct order_access x; /* for the functions that want one */
};

/* Those accesses of a pattern that lie in one line. */
struct part {
    const struct emu_pattern *of;
    uint32_t lane, count; /* lanes */
    uint64_t key;         /* of the first lane's bytes */
    unsigned first, last; /* bytes of the line */
    unsigned unit;        /* bytes of a lane; 0: all of them access the same */
};

static inline uint32_t lanes_who(const struct lanes *w, uint32_t lane)
{
    return ((const struct order_thread *)w->t[lane].order)->number;
}

static inline uint32_t lanes_epoch(const struct lanes *w, uint32_t lane)
{
    return ((const struct order_thread *)w->t[lane].order)->view[VIEW_GENERIC].own[OWN_NOW];
}

static inline uint8_t lanes_read_kind(const struct lanes *w, const struct emu_pattern *p)
{
    return w->loads ? w->loads[p->read_at] : 0;
}

/* The bytes of a lane in the line. */
static inline void part_bytes_of(const struct part *p, uint32_t i, unsigned *first, unsigned *last)
{
    *first = p->first + i * p->unit;
    *last = p->unit ? *first + p->unit - 1 : p->last;
}

/* The lanes whose bytes a span overlaps. */
struct part_meeting {
    uint32_t lanes; /* how many; 0: not known, it cuts through the bytes of one */
    bool own;       /* each of them made the access that is of its bytes; else none did */
};

static inline struct part_meeting part_meets(const struct lanes *w, const struct part *p, const struct order_span *s)
{
    const unsigned first = span_later(s->first, p->first), last = span_earlier(s->last, p->last);
    const unsigned before = first - p->first, n = last + 1 - first;
    struct part_meeting m = { 0 };

    if (s->more || s->who & RECORD_FLIGHT || !p->unit || before % p->unit || n % p->unit)
        return m;
    if (n > p->unit ? s->unit != p->unit || s->step != 1 || (first - s->origin) % s->unit
                    : s->unit && span_owner(s, first) != span_owner(s, last))
        return m;
    m.lanes = n / p->unit;
    m.own = span_owner(s, first) == lanes_who(w, p->lane + before / p->unit);
    return m;
}

/* Whether the part's accesses leave nothing to report. */
bool order_part_is_quiet(struct lanes *w, const struct part *p);

#endif
// SPDX-License-Identifier: Apache-2.0
