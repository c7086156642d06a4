/* A line of the shadow: who accessed which of its bytes.
 *
 * Programs access memory in patterns: a warp's threads one after the other's bytes, a CTA's threads all the same word,
 * a copy everything. A span stands for such a pattern, so that a line has few of them, and a copy is compared with a
 * warp at once. Where patterns meet that do not fit one another, the line is taken apart into cells of four bytes. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/lives.h"
#include "harness/emu/judge/order.h"

/* Spans of a line before it is taken apart; strong accesses of a cell that are kept; middle parts cut out at once. */
enum { WHOLE = 6, MANY = 64, MOST = 16384, CUTS = 8 };

static inline struct order_span *spans(struct order_list *l)
{
    return l->more ? l->more : l->own;
}

static inline unsigned later(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static inline unsigned earlier(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Who of a span accessed this byte; of several, the first. */
static inline uint32_t owner(const struct order_span *s, unsigned byte)
{
    return s->unit ? s->who + (uint32_t)(s->step * (int)((byte - s->origin) / s->unit)) : s->who;
}

/* The access of a span to bytes from `first` on, and how many further ones there are up to `last`. */
static struct order_record record_of(const struct order_span *s, unsigned first, unsigned last, int *step,
                                     uint32_t *count)
{
    *step = s->unit ? s->step : 1;
    *count = s->unit ? (last - s->origin) / s->unit - (first - s->origin) / s->unit + 1u : s->more + 1u;
    return (struct order_record){ .who = owner(s, first), .epoch = s->epoch, .at = s->at, .kind = s->kind };
}

static __attribute__((noinline)) struct order_span *more(struct order_list *l)
{
    if (l->n == (l->more ? l->room : 2)) {
        const uint16_t room = (uint16_t)(l->n ? l->n * 2 : 4);
        struct order_span *bigger = l->n < MOST ? realloc(l->more, room * sizeof *bigger) : NULL;
        if (!bigger)
            return NULL; /* it will not be compared with: a finding less */
        if (!l->more)
            memcpy(bigger, l->own, sizeof l->own);
        l->more = bigger;
        l->room = room;
    }
    return &spans(l)[l->n++];
}

/* ---- adding ----------------------------------------------------------------------------------------------------- */

/* Whether the access `x` goes on with the span's pattern; the span takes it in then. */
static inline bool extends(struct order_span *s, const struct order_record *x, unsigned first, unsigned last)
{
    const unsigned size = last - first + 1;

    if (s->at != x->at || s->epoch != x->epoch || s->kind != x->kind)
        return false;
    if (s->first == first && s->last == last && !s->unit) {
        if (s->who + s->more + 1 != x->who || s->more == UINT16_MAX)
            return false;
        s->more++;
        return true;
    }
    if (s->last + 1u != first || s->more)
        return false;
    if (!s->unit && s->who != x->who) { /* a pattern begins */
        const int64_t step = (int64_t)x->who - s->who;
        if (s->last - s->first + 1u != size || step != (int16_t)step)
            return false;
        s->unit = (uint8_t)size;
        s->origin = s->first;
        s->step = (int16_t)step;
    } else if (s->unit && (size != s->unit || (first - s->origin) % s->unit || owner(s, first) != x->who)) {
        return false;
    }
    s->last = (uint8_t)last;
    return true;
}

/* The last span and the one before it may have become one pattern, now that the last has grown. */
static void join(struct order_list *l)
{
    struct order_span *b = &spans(l)[l->n - 1], *a = b - 1;
    const struct order_record x = { .who = b->who, .epoch = b->epoch, .at = b->at, .kind = b->kind };

    if (l->n > 1 && !b->unit && !b->more && extends(a, &x, b->first, b->last))
        l->n--;
}

static void add(const struct order_record *x, struct order_list *l, unsigned first, unsigned last)
{
    struct order_span *all = spans(l), *s;

    for (uint16_t i = l->n; i-- > 0;)
        if (extends(&all[i], x, first, last)) {
            if (i + 1 == l->n)
                join(l);
            return;
        }
    s = more(l);
    if (s)
        *s = (struct order_span){ .who = x->who,
                                  .epoch = x->epoch,
                                  .at = x->at,
                                  .kind = x->kind,
                                  .first = (uint8_t)first,
                                  .last = (uint8_t)last };
}

/* ---- cutting ---------------------------------------------------------------------------------------------------- */

struct cuts {
    struct order_span rest[CUTS]; /* behind what was cut out of the middle */
    unsigned n;
};

/* Takes bytes out of a span; false where nothing is left of it. */
static bool cut(struct order_span *s, unsigned first, unsigned last, struct cuts *cuts)
{
    if (first <= s->first && last >= s->last)
        return false;
    if (first <= s->first) {
        s->first = (uint8_t)(last + 1);
    } else if (last >= s->last) {
        s->last = (uint8_t)(first - 1);
    } else if (cuts->n < CUTS) {
        cuts->rest[cuts->n] = *s;
        cuts->rest[cuts->n++].first = (uint8_t)(last + 1);
        s->last = (uint8_t)(first - 1);
    }
    return true;
}

/* A list is gone through once: spans of which something is left move up, and then come those behind cuts. */
static inline void keep(struct order_span *all, uint16_t *kept, uint16_t i)
{
    if (*kept != i)
        all[*kept] = all[i];
    ++*kept;
}

static void settle(struct order_list *l, uint16_t kept, const struct cuts *cuts)
{
    l->n = kept;
    for (unsigned i = 0; i < cuts->n; i++) {
        struct order_span *s = more(l);
        if (s)
            *s = cuts->rest[i];
    }
}

/* ---- judging ---------------------------------------------------------------------------------------------------- */

/* Whether all of them are strong with the access: the first and the last are, and CTAs have numbers in a row. */
static bool all_strong(const struct order_access *x, const struct order_record *r, int step, uint32_t count)
{
    struct order_record last = *r;

    last.who += (uint32_t)step * (count - 1);
    return x->now.kind & r->kind & RECORD_STRONG && order_both_strong(x, r) && order_both_strong(x, &last);
}

/* Holds the access against the part of a span that it overlaps; reports what is not ordered. True if all is ordered;
 * strong accesses are not asked unless the list is `crowded`. */
static bool judge(struct order_access *x, const struct order_span *s, unsigned first, unsigned last, uint32_t before,
                  bool crowded, bool *strong)
{
    int step;
    uint32_t count, done;
    struct order_record r = record_of(s, first, last, &step, &count);

    *strong = all_strong(x, &r, step, count);
    if (*strong && !crowded)
        return false;
    if (r.who == x->known.who && r.epoch == x->known.epoch && r.kind == x->known.kind && count <= x->known_count &&
        step == x->known_step)
        return true; /* as in the line before */
    done = order_ordered(x, &r, step, count);
    if (done == count) {
        x->known = r;
        x->known_count = count;
        x->known_step = step;
        return true;
    }
    *strong = true;
    for (; done < count; done++) {
        struct order_record one = r;
        one.who += (uint32_t)(step * (int)done);
        if (order_both_strong(x, &one) || order_ordered(x, &one, 0, 1))
            continue;
        *strong = false;
        if (!order_same_store(x, &one)) {
            order_conflict_at(x, &one, before);
            break;
        }
    }
    return false;
}

/* Whether all of these bytes of the span are the accessor's. */
static inline bool is_own(const struct order_record *x, const struct order_span *s, unsigned first, unsigned last)
{
    if (!s->unit)
        return s->who == x->who && !s->more;
    return owner(s, first) == x->who && owner(s, last) == x->who;
}

/* Holds a write against all spans that it overlaps, and takes its bytes out of those that have nothing more to say: who
 * comes after this write comes after those accesses too. */
static void overwrite(struct order_access *x, struct order_list *l, unsigned first, unsigned last, uint32_t before)
{
    struct order_span *all = spans(l);
    struct cuts cuts = { .n = 0 };
    uint16_t kept = 0;

    for (uint16_t i = 0; i < l->n; i++) {
        struct order_span *s = &all[i];
        if (s->first <= last && s->last >= first) {
            const unsigned from = later(s->first, first), to = earlier(s->last, last);
            bool strong = false;
            const bool ordered = is_own(&x->now, s, from, to) || judge(x, s, from, to, before, l->n > WHOLE, &strong);
            if ((ordered || !strong || l->n > MANY) && !cut(s, first, last, &cuts))
                continue;
        }
        keep(all, &kept, i);
    }
    settle(l, kept, &cuts);
}

/* Takes the bytes out of spans that are the accessor's own. */
static __attribute__((noinline)) void replace_own(struct order_list *l, unsigned first, unsigned last)
{
    struct order_span *all = spans(l);
    struct cuts cuts = { .n = 0 };
    uint16_t kept = 0;

    for (uint16_t i = 0; i < l->n; i++) {
        struct order_span *s = &all[i];
        if (s->first <= last && s->last >= first && !cut(s, first, last, &cuts))
            continue;
        keep(all, &kept, i);
    }
    settle(l, kept, &cuts);
}

static void write_list(struct order_access *x, struct order_list *l, unsigned first, unsigned last)
{
    const struct order_span *all = spans(l);
    uint32_t before = 0;
    bool overlaps = false;

    for (uint16_t i = 0; i < l->n; i++) {
        const struct order_span *s = &all[i];
        if (s->first > last || s->last < first)
            continue;
        overlaps = true;
        if (s->who & RECORD_FLIGHT && s->kind & RECORD_WRITE)
            before = 1 + (owner(s, earlier(s->last, last)) & ~RECORD_FLIGHT);
    }
    if (overlaps)
        overwrite(x, l, first, last, before);
    if (x->flight != PTX_NO)
        x->now.epoch = x->now.kind & RECORD_STRONG ? 0 : before;
    add(&x->now, l, first, last);
}

/* This read stands for an earlier one of the same thread: takes that out of the span. False where nothing is left. */
static bool cut_own(const struct order_access *x, struct order_span *s, unsigned first, unsigned last,
                    struct cuts *cuts)
{
    const unsigned from = later(s->first, first), to = earlier(s->last, last);

    if (s->more) {
        if (s->first < first || s->last > last)
            return true;
        if (s->who == x->now.who)
            s->who++;
        else if (s->who + s->more != x->now.who)
            return true;
        s->more--;
        return true;
    }
    return owner(s, from) != x->now.who || owner(s, to) != x->now.who || cut(s, from, to, cuts);
}

/* An access of the same thread, with no release since, to all of these bytes. */
static inline bool covers(const struct order_record *x, const struct order_span *s, unsigned first, unsigned last)
{
    if (s->epoch != x->epoch || s->first > first || s->last < last)
        return false;
    if (!s->unit)
        return x->who - s->who <= s->more;
    return owner(s, first) == x->who && (last - s->origin) / s->unit == (first - s->origin) / s->unit;
}

/* Earlier reads that this one stands for are taken out: the same thread's; of a long list, all that are ordered. */
static void replace_reads(struct order_access *x, struct order_list *l, unsigned first, unsigned last)
{
    struct order_span *all = spans(l);
    struct cuts cuts = { .n = 0 };
    const bool full = l->n > WHOLE;
    uint16_t kept = 0;

    for (uint16_t i = 0; i < l->n; i++) {
        struct order_span *s = &all[i];
        if (s->first <= last && s->last >= first && !(s->kind & RECORD_WRITE)) {
            const unsigned from = later(s->first, first), to = earlier(s->last, last);
            int step;
            uint32_t count;
            const struct order_record r = record_of(s, from, to, &step, &count);
            if (!cut_own(x, s, first, last, &cuts) ||
                (full && !(s->who & RECORD_FLIGHT) && order_ordered(x, &r, step, count) == count &&
                 !cut(s, first, last, &cuts)))
                continue;
        }
        keep(all, &kept, i);
    }
    settle(l, kept, &cuts);
}

static void read_list(struct order_access *x, struct order_list *l, unsigned first, unsigned last)
{
    const struct order_span *all = spans(l);
    bool there = false, reads = false;

    for (uint16_t i = 0; i < l->n; i++) {
        const struct order_span *s = &all[i];
        if (s->first > last || s->last < first)
            continue;
        if (covers(&x->now, s, first, last)) {
            there = true;
        } else if (s->kind & RECORD_WRITE) {
            const unsigned from = later(s->first, first), to = earlier(s->last, last);
            bool strong;
            if (!is_own(&x->now, s, from, to))
                judge(x, s, from, to, s->who & RECORD_FLIGHT ? s->epoch : 0, false, &strong);
        } else {
            reads = true;
        }
    }
    if (there)
        return;
    if (reads)
        replace_reads(x, l, first, last);
    add(&x->now, l, first, last);
}

/* ---- a line ----------------------------------------------------------------------------------------------------- */

static void access_list(struct order_access *x, struct order_list *l, unsigned first, unsigned last)
{
    if (x->now.kind & RECORD_WRITE)
        write_list(x, l, first, last);
    else
        read_list(x, l, first, last);
}

static void take_apart(struct order_line *line)
{
    struct order_list *cells = calloc(LINE_CELLS, sizeof *cells);
    const struct order_span *all = spans(&line->list);

    if (!cells)
        return; /* it stays slow */
    for (uint16_t i = 0; i < line->list.n; i++)
        for (unsigned c = all[i].first / CELL; c <= all[i].last / CELL; c++) {
            struct order_span *s = more(&cells[c]), part = all[i];
            const unsigned low = c * CELL, high = low + CELL - 1;
            if (part.first < low)
                part.first = (uint8_t)low;
            if (part.last > high)
                part.last = (uint8_t)high;
            if (part.unit && owner(&part, part.first) == owner(&part, part.last)) {
                part.who = owner(&part, part.first);
                part.unit = 0;
            }
            if (s)
                *s = part;
        }
    free(line->list.more);
    line->list = (struct order_list){ 0 };
    line->cells = cells;
}

/* All of the line has been written by one: its cells have nothing more to say. */
static void put_together(struct order_access *x, struct order_line *line)
{
    for (unsigned c = 0; c < LINE_CELLS; c++)
        if (line->cells[c].n != 1 || line->cells[c].own[0].who != x->now.who ||
            line->cells[c].own[0].epoch != line->cells[0].own[0].epoch)
            return;
    line->list.n = 1;
    line->list.own[0] = spans(&line->cells[0])[0];
    line->list.own[0].first = 0;
    line->list.own[0].last = LINE - 1;
    for (unsigned c = 0; c < LINE_CELLS; c++)
        free(line->cells[c].more);
    free(line->cells);
    line->cells = NULL;
}

/* Of word w of `written`, the bits of these bytes. */
static uint64_t bits_of(unsigned w, unsigned first, unsigned last)
{
    const unsigned from = w * 64 > first ? 0 : first % 64, to = last / 64 > w ? 63 : last % 64;

    return (~0ull >> (63 - to)) & (~0ull << from);
}

bool order_line_written(const struct order_line *line, unsigned first, unsigned last)
{
    bool all = true;

    for (unsigned w = first / 64; w <= last / 64; w++)
        all &= !(bits_of(w, first, last) & ~line->written[w]);
    return all;
}

void order_line_write(struct order_line *line, unsigned first, unsigned last)
{
    for (unsigned w = first / 64; w <= last / 64; w++)
        line->written[w] |= last - first == LINE - 1 ? ~0ull : bits_of(w, first, last);
}

/* The whole of a line that has been accessed as a whole: what copies do. One write of all bytes stands there, and reads
 * that this one goes on with, if there are any. */
static inline bool access_whole(struct order_access *x, struct order_list *l)
{
    struct order_span *s = spans(l), *reads = NULL;
    const bool writes = x->now.kind & RECORD_WRITE, wrote = l->n && s[0].kind & RECORD_WRITE;
    uint32_t before = 0;
    bool strong;

    if (l->n > 1u + (wrote && !writes) || (writes && !wrote))
        return false;
    if (wrote &&
        (s[0].first || s[0].last != LINE - 1 || s[0].unit || s[0].more || x->now.kind & s[0].kind & RECORD_STRONG))
        return false;
    if (!writes && l->n == 1u + wrote)
        reads = &s[wrote];
    if (reads && (reads->kind & RECORD_WRITE || !extends(reads, &x->now, 0, LINE - 1)))
        return false;
    if (wrote && s[0].who & RECORD_FLIGHT)
        before = writes ? 1 + (s[0].who & ~RECORD_FLIGHT) : s[0].epoch;
    if (wrote && !(x->known_count && s[0].who == x->known.who && s[0].epoch == x->known.epoch &&
                   s[0].kind == x->known.kind)) /* not as in the line before */
        judge(x, &s[0], 0, LINE - 1, before, false, &strong);
    if (!writes && !reads)
        add(&x->now, l, 0, LINE - 1);
    if (!writes)
        return true;
    if (x->flight != PTX_NO)
        x->now.epoch = before;
    s[0].who = x->now.who;
    s[0].epoch = x->now.epoch;
    s[0].at = x->now.at;
    s[0].kind = x->now.kind;
    return true;
}

typedef uint64_t __attribute__((may_alias, aligned(4))) word; /* spans are aligned as their numbers */
typedef int64_t __attribute__((may_alias, vector_size(16), aligned(8))) pair;

static inline bool same_span(const struct order_span *a, const struct order_span *b)
{
    const word *x = (const word *)a, *y = (const word *)b;

    return !((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]));
}

/* Lists that hold the same spans, at most two: those of lines one behind the other mostly do where copies go. */
static inline bool alike(const struct order_list *a, const struct order_list *b)
{
    return a->n == b->n && !a->more && same_span(&a->own[0], &b->own[0]) &&
           (a->n == 1 || same_span(&a->own[1], &b->own[1]));
}

/* Of so many lines, how many from the first on hold what x->before does: they hold x->after now. Most are the same down
 * to bytes that mean nothing. */
static unsigned replace_alike(const struct order_access *x, struct order_line *line, unsigned count)
{
    _Static_assert(sizeof(struct order_span) == 24 && _Alignof(struct order_list) == 8, "a span is three words");
    _Static_assert(sizeof(struct order_list) == 4 * sizeof(pair), "a list is four pairs of words");
    const pair *before = (const pair *)&x->before, *after = (const pair *)&x->after;
    const pair b0 = before[0], b1 = before[1], b2 = before[2], b3 = before[3];
    const pair a0 = after[0], a1 = after[1], a2 = after[2], a3 = after[3];
    const int64_t all = x->now.kind & RECORD_WRITE ? -1 : 0;

    for (unsigned i = 0; i < count; i++, line++) {
        pair *list = (pair *)&line->list;
        const pair differs = (list[0] ^ b0) | (list[1] ^ b1) | (list[2] ^ b2) | (list[3] ^ b3);
        if (line->cells || ((differs[0] | differs[1]) && !alike(&line->list, &x->before)))
            return i;
        list[0] = a0;
        list[1] = a1;
        list[2] = a2;
        list[3] = a3;
        *(pair *)line->written |= (pair){ all, all };
    }
    return count;
}

void order_lines_access(struct order_access *x, struct order_line *line, unsigned count)
{
    while (count) {
        const unsigned done = x->before.n ? replace_alike(x, line, count) : 0;
        count -= done;
        line += done;
        if (!count)
            return;
        const bool apart = line->cells || line->list.more;
        const struct order_list before = line->list;
        order_line_access(x, line, 0, LINE - 1);
        x->before.n = 0;
        if (!apart && !line->cells && !line->list.more && before.n <= 2) {
            x->before = before;
            x->after = line->list;
        }
        count--;
        line++;
    }
}

void order_line_access(struct order_access *x, struct order_line *line, unsigned first, unsigned last)
{
    const bool whole = first == 0 && last == LINE - 1;

    if (x->now.kind & RECORD_WRITE)
        order_line_write(line, first, last);
    if (!line->cells) {
        if (whole && access_whole(x, &line->list))
            return;
        access_list(x, &line->list, first, last);
        if (line->list.n > WHOLE)
            take_apart(line);
        return;
    }
    for (unsigned at = first; at <= last;) {
        const unsigned end = at / CELL * CELL + CELL - 1, to = end < last ? end : last;
        access_list(x, &line->cells[at / CELL], at, to);
        at = to + 1;
    }
    if (x->now.kind & RECORD_WRITE && whole)
        put_together(x, line);
}

/* Nothing is to be judged where the thread has accessed the bytes before, with no release since: what came between was
 * compared with that access. Strong accesses let one another be. */
static inline bool stands_for(const struct order_span *s, const struct order_record *x, unsigned first, unsigned last)
{
    if (!covers(x, s, first, last))
        return false;
    if (x->kind & RECORD_WRITE)
        return s->kind == x->kind && s->at == x->at && !(x->kind & RECORD_STRONG);
    return s->kind == x->kind || !(s->kind & RECORD_STRONG);
}

/* The thread's last access of just these bytes, where it is the only one of them, and like this one. */
static inline struct order_span *alone(struct order_list *l, const struct order_record *x, unsigned first,
                                       unsigned last)
{
    struct order_span *all = spans(l), *s = NULL;

    for (struct order_span *i = all + l->n; i-- > all;)
        if (i->last >= first && i->first <= last) {
            if (s || i->who != x->who || i->first != first || i->last != last || i->kind != x->kind || i->unit ||
                i->more)
                return NULL;
            s = i;
        }
    return s;
}

/* An access takes the place of a thread's own of the same bytes. */
static inline void take_place(struct order_list *l, struct order_span *s, const struct order_record *x)
{
    s->epoch = x->epoch;
    s->at = x->at;
    if (s == spans(l) + l->n - 1 && l->n > 1 && s[-1].at == x->at && s[-1].epoch == x->epoch)
        join(l);
}

/* A thread's own access of bytes of one cell, where there is nothing to judge: true if it is kept. */
static inline bool near(struct order_line *line, const struct order_record *x, unsigned first, unsigned last)
{
    struct order_list *l = &line->list;
    struct order_span *all;
    struct order_span *same = NULL; /* the only one, of the same bytes */
    bool overlaps = false, own = true;

    if (line->cells) {
        if (first / CELL != last / CELL)
            return false;
        l = &line->cells[first / CELL];
    }
    all = spans(l);
    if (l->n == 1 && all->last < first) { /* the next one of a pattern, alone in its line */
        if (!all->unit || !extends(all, x, first, last))
            add(x, l, first, last);
        return true;
    }
    for (uint16_t i = l->n; i-- > 0;) {
        const struct order_span *s = &all[i];
        if (s->first > last || s->last < first)
            continue;
        if (stands_for(s, x, first, last) && (!(x->kind & RECORD_WRITE) || l->n == 1))
            return true;
        same = !overlaps && s->first == first && s->last == last && s->kind == x->kind && !s->more ? &all[i] : NULL;
        overlaps = true;
        own = own && is_own(x, s, later(s->first, first), earlier(s->last, last)) &&
              !((s->kind | x->kind) & RECORD_STRONG) && (x->kind | ~s->kind) & RECORD_WRITE;
    }
    if (!own)
        return false;
    if (same) {
        same->who = x->who;
        same->unit = 0;
        take_place(l, same, x);
        return true;
    }
    if (l->n >= WHOLE)
        return false;
    if (overlaps)
        replace_own(l, first, last);
    else if (l->n && all[l->n - 1].unit && extends(&all[l->n - 1], x, first, last))
        return true;
    add(x, l, first, last);
    return true;
}

/* Of a word of `written`, the bits of 1, 2, 4 or 8 bytes that are aligned: they lie in one word. */
static inline uint64_t bits_at(unsigned first, unsigned n)
{
    static const uint8_t bytes[] = { [1] = 1, [2] = 3, [4] = 15, [8] = 255 };

    return (uint64_t)bytes[n] << first % 64;
}

static const uint8_t store_kinds[] = { [EMU_WRITE] = RECORD_WRITE, [EMU_WRITE_SAME] = RECORD_WRITE | RECORD_SAME };

/* Mostly there is nothing to judge: the thread has been there before, or nobody has and it goes on with a pattern. */
static void judge_plain(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                        enum emu_access access)
{
    struct order *o = t->cta->cluster->order;
    const uint64_t key = cta ? order_shared_key(cta, address) : address;
    const unsigned first = (unsigned)(key % LINE);
    const uint64_t bits = bits_at(first, n);
    const struct order_thread *me = t->order;
    struct order_line *line;
    uint64_t *written;

    if (!o || o->failed)
        return;
    if (o->tiles && cta)
        order_tiles_access(o, t, cta, address, n, access != EMU_READ);
    line = order_line_of(o, key);
    if (!line)
        return;
    const struct order_record now = { .who = me->number,
                                      .epoch = me->view[VIEW_GENERIC].own[OWN_NOW],
                                      .at = at,
                                      .kind = access == EMU_READ ? 0 : store_kinds[access] };
    written = &line->written[first / 64];
    if (access != EMU_READ)
        *written |= bits;
    if (((*written & bits) == bits || !o->init) && near(line, &now, first, first + n - 1))
        return;
    order_touch_as(o, t, PTX_NO, &now, key, n);
}

/* Apart from its callers, which save no registers for its sake. */
static __attribute__((noinline)) void judge_near_mbarrier(struct emu_thread *t, uint32_t at, struct emu_cta *cta,
                                                          uint64_t address, unsigned n, enum emu_access access)
{
    life_touch(t, cta, address, n, access);
    judge_plain(t, at, cta, address, n, access);
}

void order_load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n)
{
    if (cta && life_near(cta, address, n))
        judge_near_mbarrier(t, at, cta, address, n, EMU_READ);
    else
        judge_plain(t, at, cta, address, n, EMU_READ);
}

/* Mostly a store takes the place of one before, or goes on with the pattern that is alone in its line. */
void order_store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                 enum emu_access access)
{
    const struct order *o = t->cta->cluster->order;
    const uint64_t key = cta ? order_shared_key(cta, address) : address;
    const unsigned first = (unsigned)(key % LINE), last = first + n - 1;
    const struct order_thread *me = t->order;
    struct order_page *page;

    if (cta && life_near(cta, address, n)) {
        judge_near_mbarrier(t, at, cta, address, n, access);
        return;
    }
    if (!o)
        return;
    page = o->near[order_near_of(key)];
    if (!o->failed && !o->tiles && page && page->key == key >> PAGE_BITS) {
        struct order_line *line = &page->lines[key % (1 << PAGE_BITS) / LINE];
        struct order_list *l = !line->cells ? &line->list : n <= CELL ? &line->cells[first / CELL] : NULL;
        const struct order_record now = {
            .who = me->number, .epoch = me->view[VIEW_GENERIC].own[OWN_NOW], .at = at, .kind = store_kinds[access]
        };
        struct order_span *s = l && l->n ? spans(l) : NULL;
        if (s && l->n == 1 && s->last < first) {
            if (s->unit && extends(s, &now, first, last)) {
                line->written[first / 64] |= bits_at(first, n);
                return;
            }
        } else if (s && (s = alone(l, &now, first, last))) {
            take_place(l, s, &now);
            return;
        }
    }
    judge_plain(t, at, cta, address, n, access);
}

static void tell_list(struct order_list *l, unsigned first, unsigned last, order_tell *tell, void *context)
{
    const struct order_span *all = spans(l);

    for (uint16_t i = 0; i < l->n; i++) {
        const unsigned from = later(all[i].first, first), to = earlier(all[i].last, last);
        uint32_t count;
        int step;
        if (!(all[i].kind & RECORD_WRITE) || from > to)
            continue;
        const struct order_record r = record_of(&all[i], from, to, &step, &count);
        tell(context, &r, step, count, from, to);
    }
}

void order_line_writes(struct order_line *line, unsigned first, unsigned last, order_tell *tell, void *context)
{
    if (!line->cells)
        tell_list(&line->list, first, last, tell, context);
    for (unsigned c = first / CELL; line->cells && c <= last / CELL; c++)
        tell_list(&line->cells[c], first, last, tell, context);
}

void order_line_free(struct order_line *line)
{
    free(line->list.more);
    for (unsigned c = 0; line->cells && c < LINE_CELLS; c++)
        free(line->cells[c].more);
    free(line->cells);
}
