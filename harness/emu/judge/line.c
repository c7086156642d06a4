/* A line of the shadow: who accessed which of its bytes.
 *
 * Programs access memory in patterns: a warp's threads one after the other's bytes, a CTA's threads all the same word,
 * rows of threads the same bytes, a copy everything. A span stands for such a pattern, so that a line has few of them,
 * and a copy is compared with a warp at once. Where patterns meet that do not fit one another, the line is taken apart
 * into cells of four bytes. */
#include "harness/emu/judge/line.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/before.h"
#include "harness/emu/judge/cells.h"
#include "harness/emu/judge/pages.h"
#include "harness/emu/judge/prior.h"
#include "harness/emu/judge/replaced.h"
#include "harness/emu/judge/singles.h"
#include "harness/emu/judge/spans.h"
#include "harness/emu/judge/verdict.h"

enum { MANY = 64 }; /* strong accesses of a cell that are kept */

/* What takes as long as so many instructions: schedule/idle.c. A row of copies is looked up copy by copy. */
enum { OF_ROW = 4, OF_COPIES = 8, OF_FAULT = 16 };

/* So many instructions would take as long: spans that are looked at take one each. */
static void took(const struct order_access *x, uint64_t instructions)
{
    x->o->cluster->run->joined += instructions;
}

/* ---- judging ---------------------------------------------------------------------------------------------------- */

/* Whether all of them are strong with the access: the first and the last are, and CTAs have numbers in a row. */
static bool all_strong(const struct order_access *x, const struct order_record *r, int step, uint32_t count)
{
    struct order_record last = *r;

    last.who += (uint32_t)step * (count - 1);
    return x->now.kind & r->kind & RECORD_STRONG && order_both_strong(x, r) && order_both_strong(x, &last);
}

/* The last of a span's accesses of these bytes that happens before the access: 1 and its place among them, or 0. */
static uint32_t last_known(const struct order_access *x, const struct order_record *r, int step, uint32_t count)
{
    struct order_record one = *r;

    for (uint32_t i = count; i > 0; i--) {
        one.who = r->who + (uint32_t)(step * (int)(i - 1));
        if (order_ordered(x, &one, 0, 1))
            return i;
    }
    return 0;
}

/* What happens before the access has read from these writes of a span: `first` to `end` - 1. */
struct observed {
    uint32_t first, end;
    struct order_record by; /* the read */
};

/* Whether the accesses of a span give back what they read. */
static bool tells(const struct order_access *x, const struct order_span *s)
{
    return !x->o->module->instructions[s->at].drops;
}

/* Strong writes of a span that have been observed by something that happens before the access: PTX ISA, Causality
 * Order, puts a write before all that comes after the read that observed it. A strong read observes the last write, and
 * through a row of atomic operations also those before it. A list has its strong accesses in the order of the run. An
 * atomic that gives nothing back observes too, but nobody can tell what: in another run it may come first. */
static struct observed observed(const struct order_access *x, const struct order_list *l, const struct order_span *s,
                                unsigned first, unsigned last)
{
    const struct order_span *end = (l->more ? l->more : l->own) + l->n;
    uint32_t all, count, known;
    struct observed seen = { 0 };
    int step;

    if ((s->kind & (RECORD_STRONG | RECORD_WRITE)) != (RECORD_STRONG | RECORD_WRITE) || s->who & RECORD_FLIGHT)
        return seen;
    seen.by = span_record(s, first, last, &step, &all);
    if (s->kind & RECORD_ATOMIC && !s->unit && tells(x, s)) { /* by a later one of the span itself */
        known = last_known(x, &seen.by, step, all);
        seen.end = known ? known - 1 : 0;
        seen.by.who += seen.end;
    }
    for (const struct order_span *i = s + 1; i < end; i++) {
        if (i->last < first || i->first > last)
            continue;
        if (i->kind & RECORD_WRITE && !(i->kind & RECORD_ATOMIC))
            break; /* from now on this one is observed */
        if (!(i->kind & RECORD_STRONG) || i->unit || i->first > first || i->last < last || i->who & RECORD_FLIGHT ||
            !tells(x, i))
            continue;
        struct order_record r = span_record(i, first, last, &step, &count);
        known = last_known(x, &r, step, count);
        if (!known)
            continue;
        r.who += known - 1;
        seen = (struct observed){ .first = s->kind & RECORD_ATOMIC || s->unit ? 0 : all - 1, .end = all, .by = r };
    }
    return seen;
}

/* Some of the accesses of a span, from that of number `from` on, are not ordered with a store of the same value. Lanes
 * of the accessor's own warp are one store. */
static void same_value(struct order_access *x, struct order_record r, int step, uint32_t from, uint32_t count)
{
    struct order_record one = r;

    one.who += (uint32_t)(step * (int)from);
    if (order_same_warp(x, &one)) { /* the last of them, then, if any, is of another */
        one.who = r.who + (uint32_t)(step * (int)(count - 1));
        if (order_same_warp(x, &one) || order_ordered(x, &one, 0, 1))
            return;
    }
    took(x, OF_FAULT);
    order_same_value_at(x, &one);
}

enum { STORE_CELLS = 8 }; /* as many cells a thread's store has at most */

/* A store of the value that is there already, which is all that excuses it: it has to be ordered after the stores of
 * other values too whose bytes that one took. Lanes of its own warp are left out, as in same_value. */
static void judge_replaced(struct order_access *x, unsigned first, unsigned last)
{
    const unsigned end = last / CELL;

    if (x->replaced_first == first && x->replaced_last == last && last)
        return; /* for another span */
    x->replaced_first = (uint8_t)first;
    x->replaced_last = (uint8_t)last;
    for (unsigned c = first / CELL < STORE_CELLS ? 0 : first / CELL - STORE_CELLS + 1; c <= end; c++) {
        const struct order_span *s = order_replaced_at(x, c);
        uint32_t count;
        int step;
        if (!s || s->first > last || s->last < first)
            continue;
        struct order_record r = span_record(s, span_later(s->first, first), span_earlier(s->last, last), &step, &count);
        for (; count; count--, r.who += (uint32_t)step)
            if (!order_ordered(x, &r, 0, 1) && !order_same_warp(x, &r)) {
                order_conflict_at(x, &r, 0);
                return;
            }
    }
}

/* Compares the access with a row of a span of the list, as judge does. */
static bool judge_row(struct order_access *x, const struct order_list *l, const struct order_span *s, uint32_t row,
                      unsigned first, unsigned last, uint32_t before, bool crowded, bool *strong)
{
    int step;
    uint32_t count, done;
    struct order_record r = span_record(s, first, last, &step, &count);
    struct observed seen = { 0 };
    bool all;

    r.who += span_shift(s, row);
    *strong = all = all_strong(x, &r, step, count);
    if (all && !crowded)
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
    if (all)
        return false; /* none of them races, in whatever order */
    *strong = true;
    for (; done < count; done++) {
        struct order_record one = r;
        one.who += (uint32_t)(step * (int)done);
        if (order_both_strong(x, &one) || order_ordered(x, &one, 0, 1))
            continue;
        if (order_same_store(x, &one)) { /* so did all of them; the next writer may differ from each */
            judge_replaced(x, first, last);
            same_value(x, r, step, done, count);
            return false;
        }
        if (*strong) /* the first one */
            seen = observed(x, l, s, first, last);
        *strong = false;
        if (done >= seen.first && done < seen.end && order_morally_strong(x->o, &one, &seen.by))
            continue;
        took(x, OF_FAULT);
        order_conflict_at(x, &one, before);
        break;
    }
    return false;
}

/* Compares the access with the part of a span of the list that it overlaps, and reports what is not ordered. True if
 * all is ordered; strong accesses are not asked unless the list is `crowded`. strong: what is not ordered may stay so:
 * strong accesses, and stores of the same value. */
static bool judge(struct order_access *x, const struct order_list *l, const struct order_span *s, unsigned first,
                  unsigned last, uint32_t before, bool crowded, bool *strong)
{
    const uint32_t rows = span_rows(s, first, last);
    uint32_t row = 0;

    while (row < rows && judge_row(x, l, s, row, first, last, before, crowded, strong))
        row++;
    took(x, (s->who & RECORD_FLIGHT ? OF_COPIES : OF_ROW) * (row + 1));
    return row == rows;
}

/* One of the access and an earlier one is a write, and the other reads what nobody is to write, ordered or not. */
static void not_read_only(struct order_access *x, const struct order_span *s, unsigned first, unsigned last)
{
    int step;
    uint32_t count;
    const struct order_record r = span_record(s, first, last, &step, &count);

    order_not_read_only_at(x, &r);
}

/* Whether the access is a store of other bytes than those of the span, a weak store by another thread. */
static bool changes(const struct order_access *x, const struct order_span *s, unsigned first, unsigned last)
{
    return x->flight == PTX_NO && !(x->now.kind & (RECORD_SAME | RECORD_STRONG)) && !(s->who & RECORD_FLIGHT) &&
           (s->kind & (RECORD_WRITE | RECORD_STRONG)) == RECORD_WRITE && !span_is_own(&x->now, s, first, last);
}

/* Whether an access and those of a span are strong, and of a scope that has all threads of the grid. */
static inline bool strong_everywhere(const struct order_access *x, const struct order_span *s)
{
    return !(~(x->now.kind & s->kind) & (RECORD_STRONG | RECORD_GRID)) && !((x->now.who | s->who) & RECORD_FLIGHT);
}

/* A weak access of the thread itself stays beside its strong write: another thread's strong access does not race with
 * the write, and may with what came before it. */
static bool stays_weak(const struct order_access *x, const struct order_span *s, unsigned first, unsigned last)
{
    return x->now.kind & ~s->kind & RECORD_STRONG && x->flight == PTX_NO && span_is_own(&x->now, s, first, last);
}

/* Compares a write with all spans that it overlaps, and takes its bytes out of those that have nothing more to say:
 * what comes after this write comes after those accesses too. Strong accesses do not race, and many threads make them:
 * which of them come before is asked only where the list is full of them. */
static void overwrite(struct order_access *x, struct order_list *l, unsigned first, unsigned last, uint32_t before)
{
    struct order_span *all = span_all(l);
    struct span_cuts cuts = { .n = 0 };
    const bool full = l->n > SPANS_OF_LINE && span_is_full(l), crowded = full || l->n > MANY;
    uint16_t kept = 0;

    took(x, l->n);
    for (uint16_t i = 0; i < l->n; i++) {
        struct order_span *s = &all[i];
        if (s->first <= last && s->last >= first && (crowded || !strong_everywhere(x, s))) {
            const unsigned from = span_later(s->first, first), to = span_earlier(s->last, last);
            bool strong = false;
            if (s->kind & RECORD_NC)
                not_read_only(x, s, from, to);
            const bool ordered =
                span_is_own(&x->now, s, from, to) || judge(x, l, s, from, to, before, crowded, &strong);
            if (ordered && changes(x, s, from, to))
                order_replaced_note(x, s, from, to);
            if ((l->n > MANY || ((ordered || !strong) && !stays_weak(x, s, from, to))) &&
                !span_cut(s, first, last, &cuts))
                continue;
        }
        span_keep(all, &kept, i);
    }
    span_settle(l, kept, &cuts);
    if (full)
        span_widen(l);
}

static void write_list(struct order_access *x, struct order_list *l, unsigned first, unsigned last)
{
    const struct order_span *all = span_all(l);
    uint32_t before = 0;
    bool overlaps = false;

    for (uint16_t i = 0; i < l->n; i++) {
        const struct order_span *s = &all[i];
        if (s->first > last || s->last < first)
            continue;
        overlaps = true;
        if (s->who & RECORD_FLIGHT && s->kind & RECORD_WRITE)
            before = 1 + (span_owner(s, span_earlier(s->last, last)) & ~RECORD_FLIGHT);
    }
    if (overlaps)
        overwrite(x, l, first, last, before);
    if (x->flight != PTX_NO)
        x->now.epoch = x->now.kind & RECORD_STRONG ? 0 : before;
    span_add(&x->now, l, first, last);
}

/* This read stands for an earlier one of the same thread: takes that out of the span. False where nothing is left. */
static bool cut_own(const struct order_access *x, struct order_span *s, unsigned first, unsigned last,
                    struct span_cuts *cuts)
{
    const unsigned from = span_later(s->first, first), to = span_earlier(s->last, last);

    if (s->more) {
        if (s->unit || s->first < first || s->last > last)
            return true;
        if (s->who == x->now.who)
            s->who += span_shift(s, 1);
        else if (s->who + span_shift(s, s->more) != x->now.who)
            return true;
        s->more--;
        return true;
    }
    return span_owner(s, from) != x->now.who || span_owner(s, to) != x->now.who || span_cut(s, from, to, cuts);
}

static bool all_ordered(const struct order_access *x, const struct order_span *s, unsigned first, unsigned last)
{
    const uint32_t rows = span_rows(s, first, last);
    int step;
    uint32_t count;
    struct order_record r = span_record(s, first, last, &step, &count);

    for (uint32_t row = 0; row < rows; row++, r.who += span_shift(s, 1))
        if (order_ordered(x, &r, step, count) < count)
            return false;
    return true;
}

/* Earlier reads that this one stands for are taken out: the same thread's; of a long list, all that are ordered. A
 * strong read stands for no weak one, which races with more, and a weak one for no strong one, which has observed what
 * it read. */
static void replace_reads(struct order_access *x, struct order_list *l, unsigned first, unsigned last)
{
    struct order_span *all = span_all(l);
    struct span_cuts cuts = { .n = 0 };
    const bool full = l->n > SPANS_OF_LINE;
    uint16_t kept = 0;

    took(x, l->n);
    for (uint16_t i = 0; i < l->n; i++) {
        struct order_span *s = &all[i];
        if (s->first <= last && s->last >= first && !((s->kind ^ x->now.kind) & RECORD_STRENGTH) &&
            !(s->kind & (RECORD_WRITE | (~x->now.kind & RECORD_NC)))) {
            const unsigned from = span_later(s->first, first), to = span_earlier(s->last, last);
            if (!cut_own(x, s, first, last, &cuts) ||
                (full && !(s->who & RECORD_FLIGHT) && all_ordered(x, s, from, to) && !span_cut(s, first, last, &cuts)))
                continue;
        }
        span_keep(all, &kept, i);
    }
    span_settle(l, kept, &cuts);
}

/* Whether a span has the thread's own access of all these bytes, which says all that this read would. A strong one
 * races with fewer than a weak one. */
static bool stands_for(const struct order_access *x, const struct order_span *s, unsigned first, unsigned last)
{
    return span_covers(&x->now, s, first, last) && !(x->now.kind & ~s->kind & RECORD_NC) &&
           !(s->kind & ~x->now.kind & RECORD_STRENGTH);
}

/* A read of bytes that many have read: their number costs nothing, since the read is compared with none of them. Reads
 * that it stands for are looked for among the last ones, and in the whole list whenever that is full. */
static void read_crowd(struct order_access *x, struct order_list *l, uint16_t tail, unsigned first, unsigned last)
{
    const struct order_span *all = span_all(l);
    const uint16_t near = tail < SPANS_NEAR ? tail : SPANS_NEAR;

    for (uint16_t i = 1; i <= near; i++)
        if (stands_for(x, &all[l->n - i], first, last))
            return;
    if (span_goes_on(&x->now, l, first, last))
        return;
    took(x, near);
    if (span_is_full(l)) {
        took(x, l->n);
        replace_reads(x, l, first, last);
        span_crowd(l);
    }
    span_add(&x->now, l, first, last);
}

static void read_list(struct order_access *x, struct order_list *l, unsigned first, unsigned last)
{
    const struct order_span *all = span_all(l);
    const bool crowd = l->n > SPANS_NEAR && span_looks(x->now.kind);
    const uint16_t tail = crowd ? (uint16_t)span_tail(l) : 0;
    bool there = false, reads = false;

    took(x, l->n - tail);
    for (uint16_t i = 0; i < l->n - tail; i++) {
        const struct order_span *s = &all[i];
        if (s->first > last || s->last < first)
            continue;
        const bool nobody = x->now.kind & RECORD_NC || x->cached; /* is to write it in this grid */
        if (nobody && s->kind & RECORD_WRITE && !order_is_prior(x->o, s->who))
            not_read_only(x, s, span_later(s->first, first), span_earlier(s->last, last));
        if (x->cached && s->kind & RECORD_WRITE && !order_is_prior(x->o, s->who))
            continue; /* that says it all, ordered or not */
        if (stands_for(x, s, first, last)) {
            there = true;
        } else if (s->kind & RECORD_WRITE) {
            reads |= there && x->now.kind & RECORD_STRONG; /* it observes more now */
            there &= !(x->now.kind & RECORD_STRONG);
            const unsigned from = span_later(s->first, first), to = span_earlier(s->last, last);
            bool strong;
            if (!span_is_own(&x->now, s, from, to))
                judge(x, l, s, from, to, s->who & RECORD_FLIGHT ? s->epoch : 0, false, &strong);
        } else {
            reads = true;
        }
    }
    if (there)
        return;
    if (tail) {
        read_crowd(x, l, tail, first, last);
        return;
    }
    if (reads)
        replace_reads(x, l, first, last);
    span_add(&x->now, l, first, last);
}

/* ---- a line ----------------------------------------------------------------------------------------------------- */

static void access_list(struct order_access *x, struct order_list *l, unsigned first, unsigned last)
{
    if (x->now.kind & RECORD_WRITE)
        write_list(x, l, first, last);
    else
        read_list(x, l, first, last);
}

/* Whether the lists of the cells would be much shorter than that of the line. */
static bool worth_apart(const struct order_list *l)
{
    const struct order_span *all = l->more ? l->more : l->own;
    unsigned bytes = 0;

    for (uint16_t i = 0; i < l->n; i++)
        bytes += all[i].last - all[i].first + 1u;
    return l->n > SPANS_OF_LINE && bytes < l->n * (LINE / 4u);
}

/* A span that reaches over several cells, or has several accessors: what of it is in each. */
static void take_to_cells(struct order_list *cells, const struct order_span *s)
{
    for (unsigned c = s->first / CELL; c <= s->last / CELL; c++) {
        struct order_span *to = span_more(&cells[c]), part = *s;
        const unsigned low = c * CELL, high = low + CELL - 1;
        if (part.first < low)
            part.first = (uint8_t)low;
        if (part.last > high)
            part.last = (uint8_t)high;
        if (part.unit && span_owner(&part, part.first) == span_owner(&part, part.last)) {
            part.who = span_owner(&part, part.first);
            part.unit = 0;
        }
        if (to)
            *to = part;
    }
}

static void take_apart(struct order_access *x, struct order_line *line)
{
    struct order_list *cells = order_cells_new(order_is_shared(x->key) ? &x->o->pages : &x->o->grid->pages);
    const struct order_span *all = span_all(&line->list), *const end = all + line->list.n;

    if (!cells)
        return; /* it stays slow */
    for (const struct order_span *s = all; s < end; s++) {
        struct order_list *cell = &cells[s->first / CELL];
        if (!s->unit && !cell->n && s->first / CELL == s->last / CELL) { /* most of them */
            cell->own[0] = *s;
            cell->n = 1;
        } else {
            take_to_cells(cells, s);
        }
    }
    free(line->list.more);
    line->list = (struct order_list){ 0 };
    line->cells = cells;
    order_pages_take(x->o, x->key, LINE_CELLS * (int64_t)sizeof *cells);
}

/* All of the line has been written by one: its cells have nothing more to say. */
static void put_together(struct order_access *x, struct order_line *line)
{
    const struct order_span one = *span_all(&line->cells[0]);

    for (unsigned c = 0; c < LINE_CELLS; c++) {
        const struct order_span *s = span_all(&line->cells[c]);
        if (line->cells[c].n != 1 || s->who != x->now.who || s->epoch != one.epoch)
            return;
    }
    line->list.n = 1;
    line->list.own[0] = one;
    line->list.own[0].first = 0;
    line->list.own[0].last = LINE - 1;
    order_cells_drop(order_is_shared(x->key) ? &x->o->pages : &x->o->grid->pages, line->cells);
    line->cells = NULL;
    order_pages_take(x->o, x->key, -(LINE_CELLS * (int64_t)sizeof *line->cells));
}

/* The whole of a line that has been accessed as a whole: what copies do. The line holds one write of all bytes, and
 * reads that this one goes on with, if there are any. */
static inline bool access_whole(struct order_access *x, struct order_list *l)
{
    struct order_span *s = span_all(l), *reads = NULL;
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
    if (reads && (reads->kind & RECORD_WRITE || !span_extends(reads, &x->now, 0, LINE - 1)))
        return false;
    if (wrote && s[0].who & RECORD_FLIGHT)
        before = writes ? 1 + (s[0].who & ~RECORD_FLIGHT) : s[0].epoch;
    if (wrote && !(x->known_count && s[0].who == x->known.who && s[0].epoch == x->known.epoch &&
                   s[0].kind == x->known.kind)) /* not as in the line before */
        judge(x, l, &s[0], 0, LINE - 1, before, false, &strong);
    if (!writes && !reads)
        span_add(&x->now, l, 0, LINE - 1);
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

/* What a list takes beside its line. */
static int64_t list_bytes(const struct order_list *l)
{
    return l->more ? l->room * (int64_t)sizeof *l->more : 0;
}

void order_line_access(struct order_access *x, struct order_line *line, unsigned first, unsigned last)
{
    const bool whole = first == 0 && last == LINE - 1;
    int64_t before, after;

    order_line_open(x->o, x->key, line);
    took(x, ORDER_OF_LINE);
    x->replaced_last = 0;
    before = list_bytes(&line->list);
    if (x->now.kind & RECORD_WRITE)
        order_line_write(line, first, last);
    if (!line->cells) {
        if (whole && access_whole(x, &line->list))
            return;
        access_list(x, &line->list, first, last);
        if (worth_apart(&line->list))
            take_apart(x, line);
        after = list_bytes(&line->list);
        if (after != before)
            order_pages_take(x->o, x->key, after - before);
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

static void tell_list(struct order_list *l, unsigned first, unsigned last, order_tell *tell, void *context)
{
    const struct order_span *all = span_all(l);

    for (uint16_t i = 0; i < l->n; i++) {
        const unsigned from = span_later(all[i].first, first), to = span_earlier(all[i].last, last);
        uint32_t count;
        int step;
        if (!(all[i].kind & RECORD_WRITE) || from > to)
            continue;
        const struct order_record r = span_record(&all[i], from, to, &step, &count);
        tell(context, &r, step, count, from, to);
    }
}

void order_line_writes(struct order_line *line, unsigned first, unsigned last, order_tell *tell, void *context)
{
    order_line_lists(line);
    tell_list(&line->list, first, last, tell, context); /* empty where there are cells */
    for (unsigned c = first / CELL; line->cells && c <= last / CELL; c++)
        tell_list(&line->cells[c], first, last, tell, context);
}
// SPDX-License-Identifier: Apache-2.0
