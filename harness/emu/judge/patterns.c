/* What lanes of a warp access together.
 *
 * The shadow has to become what it becomes by access after access of the turns, and nothing may be left to report. So
 * it is looked first whether all is ordered; then each line takes the whole pattern at once where its spans are as they
 * mostly are, and access by access where not. */
#include "harness/emu/judge/patterns.h"

#include <stdatomic.h>

#include "harness/emu/judge/before.h"
#include "harness/emu/judge/firsts.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/lives.h"
#include "harness/emu/judge/mixed.h"
#include "harness/emu/judge/pages.h"
#include "harness/emu/judge/parts.h"
#include "harness/emu/judge/replaced.h"
#include "harness/emu/judge/singles.h"
#include "harness/emu/judge/spans.h"

/* Spans of a line, and of a cell, that takes a pattern at once. */
enum { FEW = 4, FEW_OF_CELL = SPANS_NEAR };

/* ---- a line takes a part at once --------------------------------------------------------------------------------- */

/* What a line's spans are to a part. */
struct relation {
    bool covered;            /* one of them stands for all of its reads */
    uint32_t judged[2];      /* accesses compared by the part's reads, by its writes */
    bool drops[FEW_OF_CELL]; /* it takes the place of this one */
};

/* A span that stands for reads of the lanes: made since their last release, of the same bytes. */
static bool covers(const struct lanes *w, const struct part *p, const struct order_span *s, uint8_t kind)
{
    const uint32_t who = lanes_who(w, p->lane);

    if (s->epoch != lanes_epoch(w, p->lane) || s->first > p->first || s->last < p->last ||
        (s->kind != kind && kind & RECORD_NC))
        return false;
    if (!s->unit)
        return (!s->more || s->stride == 1) && who - s->who <= s->more && who - s->who + p->count - 1 <= s->more;
    if (p->count == 1)
        return span_owner(s, p->first) == who && span_owner(s, p->last) == who;
    return s->unit == p->unit && s->step == 1 && (p->first - s->origin) % s->unit == 0 &&
           span_owner(s, p->first) == who;
}

/* How many lanes are compared with the span: all but those whose own access it is. */
static uint32_t compared(const struct lanes *w, const struct part *p, const struct order_span *s)
{
    uint32_t n = 0;

    const struct part_meeting m = part_meets(w, p, s);

    if (s->who & RECORD_FLIGHT)
        return p->count;
    if (m.lanes)
        return m.own ? 0 : m.lanes;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct order_record now = { .who = lanes_who(w, p->lane + i) };
        unsigned first, last;
        part_bytes_of(p, i, &first, &last);
        first = span_later(s->first, first);
        last = span_earlier(s->last, last);
        n += first <= last && !span_is_own(&now, s, first, last);
    }
    return n;
}

/* Whether an access by this instruction might go on with the pattern of a span, or of what is left of it. */
static bool goes_on(const struct part *p, const struct order_span *s, uint32_t at)
{
    return s->at == at && s->first < p->first && s->last + 1u >= p->first;
}

/* Whether a list can take the part at once, and how: else it is to be judged access by access. most: spans that it may
 * have. */
static bool relate(const struct lanes *w, const struct part *p, const struct order_list *l, uint16_t most,
                   struct relation *r)
{
    const struct order_span *all = l->more ? l->more : l->own;
    const struct emu_pattern *of = p->of;
    const uint8_t kind = of->reads ? lanes_read_kind(w, of) : 0;

    *r = (struct relation){ .covered = false };
    if (of->reads && kind == 0)
        for (uint16_t i = 0; i < l->n && !r->covered; i++)
            r->covered = covers(w, p, &all[i], kind);
    if (r->covered && !of->writes)
        return true;
    if (kind || l->n > most)
        return l->n == 0;
    for (uint16_t i = 0; i < l->n; i++) {
        const struct order_span *s = &all[i];
        const bool wrote = s->kind & RECORD_WRITE;
        struct part_meeting m;
        if ((of->reads && goes_on(p, s, of->read_at)) ||
            (of->writes && (goes_on(p, s, of->write_at[0]) || goes_on(p, s, of->write_at[1]))))
            return false;
        if (s->first > p->last || s->last < p->first)
            continue;
        if (s->kind & (RECORD_STRONG | RECORD_NC) || (wrote && s->more))
            return false;
        if (wrote && !of->writes) {
            r->judged[0] += compared(w, p, s);
            continue;
        }
        if (of->writes && s->more && s->first >= p->first && s->last <= p->last) { /* reads of the part's bytes alone */
            r->drops[i] = true;
            r->judged[1] += s->more + 1u;
            continue;
        }
        m = part_meets(w, p, s);
        if (!m.lanes)
            return false;
        r->drops[i] = of->writes || m.own;
        if (!r->drops[i] && (order_is_passed(w->o, s, l->n) ||
                             (!s->unit && s->at == of->read_at))) /* a thread alone, whose read might get copies */
            return false;
        if (m.own)
            continue;
        r->judged[0] += of->reads && !r->covered && wrote ? m.lanes : 0;
        r->judged[1] += of->writes ? m.lanes : 0;
    }
    return true;
}

/* Writes that come after those of other threads: replaced.h. */
static void note_replaced(struct lanes *w, const struct part *p, const struct order_span *all, uint16_t n)
{
    for (uint32_t k = 0; k < p->count; k++)
        for (uint16_t i = 0; i < n; i++) {
            unsigned first, last;
            part_bytes_of(p, k, &first, &last);
            w->x.key = p->key + k * p->unit;
            if (all[i].kind & RECORD_WRITE && all[i].first <= last && all[i].last >= first &&
                !part_meets(w, p, &all[i]).own)
                order_replaced_note(&w->x, &all[i], first, last);
        }
}

/* Of the last access of each lane. */
static uint8_t kind_of(const struct lanes *w, const struct emu_pattern *of)
{
    if (!of->writes)
        return lanes_read_kind(w, of);
    return of->same[1] ? RECORD_WRITE | RECORD_SAME : RECORD_WRITE;
}

/* Puts the part into the list, in place of its bytes of those spans that it stands for. */
static void put(struct lanes *w, const struct part *p, struct order_list *l, const struct relation *r)
{
    const struct emu_pattern *of = p->of;
    const bool writes = of->writes;
    struct order_span *all = span_all(l), *s;
    struct span_cuts cuts = { .n = 0 };
    uint16_t kept = 0;

    for (uint16_t i = 0; i < l->n; i++)
        if (!r->drops[i] || span_cut(&all[i], p->first, p->last, &cuts))
            span_keep(all, &kept, i);
    span_settle(l, kept, &cuts);
    s = span_more(l);
    if (!s)
        return;
    *s = (struct order_span){
        .who = lanes_who(w, p->lane),
        .epoch = lanes_epoch(w, p->lane),
        .at = writes ? of->write_at[1] : of->read_at,
        .kind = kind_of(w, of),
        .first = (uint8_t)p->first,
        .last = (uint8_t)p->last,
    };
    if (p->count == 1)
        return;
    if (p->unit) {
        s->unit = (uint8_t)p->unit;
        s->origin = s->first;
        s->step = 1;
        if (l->n > 1)
            span_join(l);
    } else {
        s->more = (uint16_t)(p->count - 1);
        s->stride = 1;
    }
}

/* Several neighbours are the first in a line, as put() would enter them. */
static inline __attribute__((always_inline)) void put_first(const struct lanes *w, const struct emu_pattern *of,
                                                            uint32_t lane, struct order_line *line, unsigned first,
                                                            unsigned last)
{
    if (of->writes)
        order_line_write(line, first, last);
    line->list.tail_n = 0;
    line->list.n = 1;
    *span_all(&line->list) = (struct order_span){
        .who = w->who + lane,
        .epoch = w->epoch,
        .at = of->writes ? of->write_at[1] : of->read_at,
        .kind = kind_of(w, of),
        .first = (uint8_t)first,
        .last = (uint8_t)last,
        .unit = of->size,
        .origin = (uint8_t)first,
        .step = 1,
    };
}

/* Whether the stores of all lanes were alike in that they left the bytes as they were, or did not. */
static bool same_alike(const struct emu_pattern *of)
{
    return !of->writes || ((!of->same[0] || of->same[0] == of->lanes) && (!of->same[1] || of->same[1] == of->lanes));
}

/* It can. */
static void join(struct lanes *w, const struct part *p, struct order_line *line, struct order_list *l,
                 const struct relation *r)
{
    const struct emu_pattern *of = p->of;

    if (r->covered && !of->writes)
        return;
    w->o->cluster->run->joined += 4 * (uint64_t)(r->judged[0] + r->judged[1]);
    if (of->writes) {
        order_line_write(line, p->first, p->last);
        if (!of->same[0] && r->judged[1])
            note_replaced(w, p, span_all(l), l->n);
    }
    put(w, p, l, r);
}

/* The bytes of a part that lie in a cell. All lanes access them, or one does. */
static struct part piece_of(const struct part *p, unsigned cell)
{
    struct part piece = *p;

    piece.first = span_later(p->first, cell * CELL);
    piece.last = span_earlier(p->last, cell * CELL + CELL - 1);
    piece.key += piece.first - p->first;
    piece.unit = p->unit ? piece.last + 1 - piece.first : 0;
    return piece;
}

/* A line that is taken apart takes bytes that all lanes access, or one does. False: as above. */
static bool enter_cells(struct lanes *w, const struct part *p, struct order_line *line)
{
    const unsigned from = p->first / CELL, to = p->last / CELL;
    struct relation r[EMU_PATTERN_BYTES / CELL];

    for (unsigned c = from; c <= to; c++) {
        const struct part piece = piece_of(p, c);
        if (!relate(w, &piece, &line->cells[c], FEW_OF_CELL, &r[c - from]))
            return false;
    }
    for (unsigned c = from; c <= to; c++) {
        const struct part piece = piece_of(p, c);
        join(w, &piece, line, &line->cells[c], &r[c - from]);
    }
    return true;
}

static void one_by_one(const struct lanes *w, const struct part *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        order_pattern_lane(w->t, p->of, p->lane + i);
}

static void enter(struct lanes *w, const struct part *p, struct order_line *line)
{
    const struct emu_pattern *of = p->of;
    struct order_list *l = &line->list;
    const bool alike = w->one_epoch && same_alike(of);
    struct relation r;

    order_line_open(w->o, p->key, line);
    if (alike && line->cells) {
        struct part one = *p;
        if (p->unit)
            one.count = 1;
        for (uint32_t i = 0; i < p->count; i += one.count) {
            one.lane = p->lane + i;
            part_bytes_of(p, i, &one.first, &one.last);
            one.key = p->key + one.first - p->first;
            if (!enter_cells(w, &one, line))
                one_by_one(w, &one);
        }
    } else if (alike && !l->n && p->unit && p->count > 1) {
        put_first(w, of, p->lane, line, p->first, p->last);
    } else if (alike && relate(w, p, l, FEW, &r)) {
        join(w, p, line, l, &r);
    } else {
        one_by_one(w, p);
    }
}

/* ---- lines that nobody has touched ------------------------------------------------------------------------------ */

/* A pattern of neighbours, all of it in one line. */
static inline bool is_row(const struct emu_pattern *of)
{
    const uint32_t next = of->lanes + (of->lanes & -of->lanes); /* 0, or one bit behind a row of them */

    return of->stride == of->size && !((of->low ^ (of->end - 1)) >> LINE_BITS) &&
           (of->lanes == UINT32_MAX || (!(next & of->lanes) && of->lanes & (of->lanes - 1)));
}

/* Neighbours, all lanes, in several lines, all of each. */
static inline bool is_rows(const struct emu_pattern *of)
{
    return of->stride == of->size && of->lanes == UINT32_MAX && !((of->low | of->end) % LINE);
}

/* A line that bytes of such a pattern may be the first in, with nothing to report; NULL: it is another, or not known.
 */
static inline struct order_line *new_line(const struct lanes *w, const struct emu_pattern *of, uint64_t at,
                                          unsigned first, unsigned last)
{
    struct order_line *line = order_line_of(w->o, of->cta ? order_shared_key(of->cta, at) : at);

    if (!line || line->cells || line->list.n)
        return NULL;
    if (of->reads && w->init && (line->written[0] & line->written[1]) != ~0ull &&
        !order_line_written(line, first, last))
        return NULL;
    return line;
}

/* Whether all the lines of a pattern are such; the first of them, or NULL. */
static inline struct order_line *new_lines(const struct lanes *w, const struct emu_pattern *of)
{
    struct order_line *line = NULL;

    if (!w->one_epoch)
        return NULL;
    if (is_row(of))
        return new_line(w, of, of->low, of->low % LINE, (of->end - 1) % LINE);
    if (!is_rows(of))
        return NULL;
    for (uint64_t at = of->end; at > of->low;) {
        at -= LINE;
        line = new_line(w, of, at, 0, LINE - 1);
        if (!line)
            return NULL;
    }
    return line;
}

/* Enters the pattern there, in several lines, none of which another pattern shares: they are all as new_lines found
 * them. */
static __attribute__((noinline)) void enter_rows(const struct lanes *w, const struct emu_pattern *of)
{
    for (uint64_t at = of->low; at < of->end; at += LINE) {
        struct order_line *line = order_line_of(w->o, of->cta ? order_shared_key(of->cta, at) : at);
        if (line)
            put_first(w, of, (uint32_t)(at - of->low) / of->size, line, 0, LINE - 1);
    }
}

/* The same, mostly in one; false: it is to be judged otherwise, since other lanes of its line have come first, or not
 * all left the bytes as they were. */
static inline bool enter_new(const struct lanes *w, const struct emu_pattern *of, struct order_line *line)
{
    if (line->list.n || !same_alike(of))
        return false;
    if (of->end - of->low > LINE)
        enter_rows(w, of);
    else
        put_first(w, of, (uint32_t)__builtin_ctz(of->lanes), line, of->low % LINE, (of->end - 1) % LINE);
    return true;
}

/* ---- the parts of a pattern -------------------------------------------------------------------------------------- */

/* Goes through them: looks whether they are quiet, or else enters them. */
static bool each_part(struct lanes *w, const struct emu_pattern *of, bool looks)
{
    const uint32_t above = of->lanes >> __builtin_ctz(of->lanes);
    const bool row = !(above & (above + 1)); /* its lanes are neighbours */

    for (uint32_t left = of->lanes; left;) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left), n = (uint32_t)__builtin_popcount(left);
        const uint64_t at = of->address + (uint64_t)(of->stride * (int64_t)lane);
        struct part p = { .of = of,
                          .lane = lane,
                          .count = 1,
                          .key = of->cta ? order_shared_key(of->cta, at) : at,
                          .first = (unsigned)(at % LINE),
                          .unit = of->size };
        if (row && !of->stride) {
            p.count = n;
            p.unit = n > 1 ? 0 : of->size;
        } else if (row && of->stride == of->size) {
            const uint32_t here = (LINE - p.first) / of->size;
            p.count = n < here ? n : here;
        }
        p.last = p.first + (p.unit ? p.count * p.unit : of->size) - 1;
        if (looks && !order_part_is_quiet(w, &p))
            return false;
        if (!looks) {
            struct order_line *line = order_line_of(w->o, p.key);
            if (line)
                enter(w, &p, line);
        }
        left &= p.count == EMU_WARP ? 0 : ~(((1u << p.count) - 1) << lane);
    }
    return true;
}

/* Whether the shadow may outgrow what it may take: in which order that happens counts. */
static bool is_large(const struct order *o, uint32_t patterns)
{
    const struct order_grid *g = o->grid;
    const uint64_t taken = o->cluster->run->claimer ? atomic_load(&g->grid->machine->shadow) : g->bytes;

    return g->full || taken + (uint64_t)patterns * EMU_WARP * 2 * sizeof(struct order_page) > g->most;
}

/* Enters patterns some of which share lines. */
static void enter_mixed(struct lanes *w, const struct emu_pattern *of, uint32_t n)
{
    uint32_t done[EMU_PATTERNS];

    order_mixed(w->o, w->t, of, n, done);
    for (uint32_t i = 0; i < n; i++) {
        struct emu_pattern rest = of[i];
        rest.lanes &= ~done[i];
        rest.same[0] &= rest.lanes;
        rest.same[1] &= rest.lanes;
        if (rest.lanes)
            each_part(w, &rest, false);
    }
}

bool order_patterns(struct emu_thread *lanes, const struct emu_pattern *of, uint32_t n)
{
    struct lanes w = { .t = lanes, .o = lanes->cta->cluster->order, .one_past = true, .one_epoch = true };
    struct order_line *line[EMU_PATTERNS]; /* of each, where nobody has touched it */
    uint32_t set = 0;
    bool shares = false;

    if (order_patterns_near(of, n))
        return false;
    if (w.o->failed)
        return true;
    if (w.o->tiles || is_large(w.o, n))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        set |= of[i].lanes;
        shares |= of[i].shares;
    }
    const struct order_thread *first = lanes[__builtin_ctz(set)].order;
    for (; set; set &= set - 1) {
        const struct order_thread *x = lanes[__builtin_ctz(set)].order;
        w.one_past &= x->pasts == first->pasts;
        w.one_epoch &= x->view[VIEW_GENERIC].own[OWN_NOW] == first->view[VIEW_GENERIC].own[OWN_NOW];
    }
    w.epoch = first->view[VIEW_GENERIC].own[OWN_NOW];
    w.who = lanes_who(&w, 0);
    w.init = w.o->init;
    w.loads = w.o->grid->loads;
    w.x.o = w.o;
    w.x.flight = PTX_NO;
    for (uint32_t i = 0; i < n; i++) {
        line[i] = new_lines(&w, &of[i]);
        if (!line[i] && !each_part(&w, &of[i], true))
            return false;
    }
    if (shares) {
        enter_mixed(&w, of, n);
        return true;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!line[i] || !enter_new(&w, &of[i], line[i]))
            each_part(&w, &of[i], false);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
