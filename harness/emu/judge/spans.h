/* Spans: accesses that are alike, as a line of the shadow keeps them. Spans of a line are few where accesses follow a
 * pattern. Only what keeps the shadow, or compares two of them, includes this. */
#ifndef COPYCHECK_EMU_JUDGE_SPANS_H
#define COPYCHECK_EMU_JUDGE_SPANS_H

#include "harness/emu/judge/state.h"

/* Middle parts cut out at once; of a long list, the last spans that an access is likely to go on with. */
enum { SPAN_CUTS = 8, SPANS_NEAR = 16 };

enum { RECORD_STRENGTH = RECORD_STRONG | RECORD_WIDE | RECORD_GRID };

static inline struct order_span *span_all(struct order_list *l)
{
    return l->more ? l->more : l->own;
}

static inline unsigned span_later(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static inline unsigned span_earlier(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The thread or copy of a span that accessed this byte; of several, the first. */
static inline uint32_t span_owner(const struct order_span *s, unsigned byte)
{
    return s->unit ? s->who + (uint32_t)(s->step * (int)((byte - s->origin) / s->unit)) : s->who;
}

/* What the numbers of a row of a span are more than those of its first. */
static inline uint32_t span_shift(const struct order_span *s, uint32_t row)
{
    return (uint32_t)((int64_t)row * s->stride);
}

/* Weak reads, which only writes are compared with: their spans have copies of all kinds. */
static inline bool span_reads(uint8_t kind)
{
    return !(kind & ~RECORD_NC);
}

/* Reads of threads, weak or strong. Only writes are compared with them. */
static inline bool span_looks(uint8_t kind)
{
    return !(kind & ~(RECORD_NC | RECORD_STRENGTH));
}

/* Whether the access of one more thread, so far from the first, is the span's next copy; the span takes it in then. */
static inline bool span_copies_on(struct order_span *s, uint32_t distance)
{
    const int32_t stride = (int32_t)distance / (s->more + 1);

    if (s->more ? (uint32_t)(s->stride * (s->more + 1)) != distance
                : stride == 0 || stride != (int16_t)stride || (stride != 1 && !span_reads(s->kind)))
        return false;
    if (s->more == UINT16_MAX)
        return false;
    s->stride = (int16_t)stride;
    s->more++;
    return true;
}

/* Whether the access `x` goes on with the span's pattern; the span takes it in then. */
static inline __attribute__((always_inline)) bool span_extends(struct order_span *s, const struct order_record *x,
                                                               unsigned first, unsigned last)
{
    const unsigned size = last - first + 1;

    if (s->last + 1u != first && (s->first != first || s->last != last)) /* most of those are not */
        return false;
    if (s->at != x->at || s->epoch != x->epoch || s->kind != x->kind)
        return false;
    if (s->first == first && s->last == last && !s->unit)
        return span_copies_on(s, x->who - s->who);
    if (s->last + 1u != first || s->more)
        return false;
    if (!s->unit && s->who != x->who) { /* a pattern begins */
        const int64_t step = (int64_t)x->who - s->who;
        if (s->last - s->first + 1u != size || step != (int16_t)step)
            return false;
        s->unit = (uint8_t)size;
        s->origin = s->first;
        s->step = (int16_t)step;
    } else if (s->unit && (size != s->unit || (first - s->origin) % s->unit || span_owner(s, first) != x->who)) {
        return false;
    }
    s->last = (uint8_t)last;
    return true;
}

/* Whether all of these bytes of the span are the accessor's. */
static inline bool span_is_own(const struct order_record *x, const struct order_span *s, unsigned first, unsigned last)
{
    if (s->more)
        return false;
    return s->unit ? span_owner(s, first) == x->who && span_owner(s, last) == x->who : s->who == x->who;
}

/* An access of the same thread, with no release since, to all of these bytes. */
static inline bool span_covers(const struct order_record *x, const struct order_span *s, unsigned first, unsigned last)
{
    if (s->epoch != x->epoch || s->first > first || s->last < last)
        return false;
    if (!s->unit && s->stride == 1) /* most of those */
        return x->who - s->who <= s->more;
    const uint32_t distance = x->who - span_owner(s, first);
    const bool whole = !s->unit || (last - s->origin) / s->unit == (first - s->origin) / s->unit;
    if (!distance || !s->more || !whole)
        return !distance && whole;
    const int32_t copy = (int32_t)distance / s->stride;
    return copy >= 0 && copy <= s->more && (uint32_t)(copy * s->stride) == distance;
}

/* The accesses of a span to bytes from `first` to `last`: so many rows, whose numbers lie s->stride apart; of the first
 * row, the first access, how many there are, and how far apart. Only weak reads have several rows. */
uint32_t span_rows(const struct order_span *s, unsigned first, unsigned last);
struct order_record span_record(const struct order_span *s, unsigned first, unsigned last, int *step, uint32_t *count);
/* Whether a list, of this launch or an earlier one of the process, has not kept an access that it was to keep. */
bool span_lost(void);
void span_lose(void); /* it has not */
/* Room for one more span; NULL: it will not be compared with, a finding less. */
struct order_span *span_more(struct order_list *l);
/* The last span and the one before it may have become one pattern, now that the last has grown; or the last may now
 * stand for an earlier one of the same threads. */
void span_join(struct order_list *l);
/* How many spans at the end of a long list are reads, at least. */
unsigned span_tail(struct order_list *l);
/* Whether the access goes on with one of the last patterns of a list, which takes it in then. */
bool span_goes_on(const struct order_record *x, struct order_list *l, unsigned first, unsigned last);
/* Adds an access to a list: at its end, or to an earlier pattern; a strong one comes after all of the same bytes. */
void span_add(const struct order_record *x, struct order_list *l, unsigned first, unsigned last);
/* Whether a long list has no room for one more. */
bool span_is_full(const struct order_list *l);
/* Makes room in such a list for more reads: those go that a later one stands for; of thousands, the older weak ones are
 * forgotten, a finding less. */
void span_crowd(struct order_list *l);
/* A long list that was full and has been gone through takes more, so that this is not done again soon. */
void span_widen(struct order_list *l);
/* Takes these bytes out of all spans; they are the accessor's own. */
void span_replace_own(struct order_list *l, unsigned first, unsigned last);

struct span_cuts {
    struct order_span rest[SPAN_CUTS]; /* after what was cut out of the middle */
    unsigned n;
};

/* Takes bytes out of a span; false where nothing is left of it. */
bool span_cut(struct order_span *s, unsigned first, unsigned last, struct span_cuts *cuts);
/* A list is gone through once: spans of which something is left move up (span_keep), and then come those after cuts.
 */
static inline void span_keep(struct order_span *all, uint16_t *kept, uint16_t i)
{
    if (*kept != i)
        all[*kept] = all[i];
    ++*kept;
}
void span_settle(struct order_list *l, uint16_t kept, const struct span_cuts *cuts);

/* Of word w of `written`, the bits of these bytes. */
static inline uint64_t span_bits(unsigned w, unsigned first, unsigned last)
{
    const unsigned from = w * 64 > first ? 0 : first % 64, to = last / 64 > w ? 63 : last % 64;

    return (~0ull >> (63 - to)) & (~0ull << from);
}

/* Whether anyone has written any of these bytes of a line, all of them; they get a value. */
static inline bool order_line_any_written(const struct order_line *line, unsigned first, unsigned last)
{
    for (unsigned w = first / 64; w <= last / 64; w++)
        if (span_bits(w, first, last) & line->written[w])
            return true;
    return false;
}
static inline bool order_line_written(const struct order_line *line, unsigned first, unsigned last)
{
    uint64_t missing = 0;

    if (last - first == LINE - 1)
        return (line->written[0] & line->written[1]) == ~0ull;
    for (unsigned w = first / 64; w <= last / 64; w++)
        missing |= span_bits(w, first, last) & ~line->written[w];
    return !missing;
}
static inline void order_line_write(struct order_line *line, unsigned first, unsigned last)
{
    if (last - first == LINE - 1) {
        line->written[0] = line->written[1] = ~0ull;
        return;
    }
    for (unsigned w = first / 64; w <= last / 64; w++)
        line->written[w] |= span_bits(w, first, last);
}
/* Whether a line has neither a list nor cells yet, but singles: singles.h. */
static inline bool order_line_has_singles(const struct order_line *line)
{
    return line->list.room == LIST_OF_SINGLES;
}
/* To judge an access of a line takes as long as so many instructions, at least: schedule/idle.c. */
enum { ORDER_OF_LINE = 4 };
/* Frees what the lists of a line have memory for; not its cells, nor its singles: cells.c. */
void order_line_free(struct order_line *line);

/* Makes a line that nobody has touched. */
void order_line_none(struct order_line *line);

/* Gives each line of a page whose lines are alike its own list; or all but the first, which has one, this list. */
void order_page_open(struct order_page *p);
void order_page_open_as(struct order_page *p, const struct order_list *all);

#endif
// SPDX-License-Identifier: Apache-2.0
