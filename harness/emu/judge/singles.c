/* Lines whose first accesses go on with no pattern. */
#include "harness/emu/judge/singles.h"

#include "harness/emu/judge/cells.h"

/* ---- they become lists ------------------------------------------------------------------------------------------- */

/* A single is the first part of its span, behind which there is nothing. */
static struct order_span span_of(const struct order_single *s)
{
    struct order_span span = { 0 };

    _Static_assert(offsetof(struct order_span, last) == offsetof(struct order_single, last) &&
                       offsetof(struct order_span, kind) == offsetof(struct order_single, kind) &&
                       offsetof(struct order_span, unit) == sizeof *s,
                   "it is that part");
    memcpy(&span, s, sizeof *s);
    return span;
}

static void open_as_list(struct order_line *line, const struct order_singles *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct order_span *to = span_more(&line->list);
        if (to)
            *to = span_of(&s->of[s->order[i]]);
    }
}

static void open_as_cells(struct order_line *line, const struct order_singles *s, struct order_list *cells)
{
    for (uint32_t left = ~s->open; left; left &= left - 1) {
        const int c = __builtin_ctz(left);
        cells[c].own[0] = span_of(&s->of[c]);
        cells[c].n = 1;
    }
    line->cells = cells;
}

int64_t order_singles_open(struct order_line *line)
{
    struct order_singles *s = line->singles;
    struct order_list *cells = s->n <= SPANS_OF_LINE ? NULL : order_cells_new(s->pages);

    line->list = (struct order_list){ 0 };
    line->cells = NULL;
    if (cells)
        open_as_cells(line, s, cells);
    else if (s->n <= SPANS_OF_LINE)
        open_as_list(line, s);
    else
        span_lose(); /* there is no memory */
    order_singles_drop(s);
    return (cells ? LINE_CELLS * (int64_t)sizeof *cells : 0) - (int64_t)sizeof *s;
}

/* ---- one more access --------------------------------------------------------------------------------------------- */

/* Whether a span is one that stands for a single access, of a cell, as singles have it. */
static bool is_single(const struct order_span *s)
{
    uint64_t behind;

    _Static_assert(offsetof(struct order_span, unit) + sizeof behind == sizeof *s, "it is the end of a span");
    memcpy(&behind, &s->unit, sizeof behind);
    return s->first / CELL == s->last / CELL && !s->origin && !behind;
}

/* The cells of a line all of whose bytes are written. */
static uint32_t written_cells(const struct order_line *line)
{
    uint32_t cells = 0;

    if ((line->written[0] & line->written[1]) == ~0ull)
        return UINT32_MAX;
    for (unsigned c = 0; c < LINE_CELLS && line->written[0] | line->written[1]; c++)
        cells |= (uint32_t)order_line_written(line, c * CELL, c * CELL + CELL - 1) << c;
    return cells;
}

int64_t order_singles_begin(struct order_pages *p, struct order_line *line, uint64_t key, const struct order_record *x,
                            unsigned n)
{
    const struct order_span *one = line->list.own;
    const unsigned first = (unsigned)(key % LINE), c = first / CELL, before = one->first / CELL;
    struct order_singles *s;

    if (n > CELL || c == before || c == before + 1u || line->list.more || !is_single(one))
        return 0;
    s = order_singles_new(p);
    if (!s)
        return 0;
    s->written = written_cells(line);
    s->has = 1u << before | 1u << c;
    s->open = ~(s->has | s->has << 1);
    s->n = 2;
    s->order[0] = (uint8_t)before;
    s->order[1] = (uint8_t)c;
    memcpy(&s->of[before], one, sizeof s->of[before]);
    order_single_put(&s->of[c], *x, first, n);
    line->list = (struct order_list){ .room = LIST_OF_SINGLES };
    line->singles = s;
    return (int64_t)sizeof *s;
}
// SPDX-License-Identifier: Apache-2.0
