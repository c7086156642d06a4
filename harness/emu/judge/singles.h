/* Lines whose first accesses go on with no pattern: of each cell the only access there, until anything else comes. Then
 * the line gets what it would have without this: a list of the few that there are, in their order, or lists of cells.
 * Whoever looks at the lists of a line opens it before. */
#ifndef COPYCHECK_EMU_JUDGE_SINGLES_H
#define COPYCHECK_EMU_JUDGE_SINGLES_H

#include <stddef.h>
#include <string.h>

#include "harness/emu/judge/spans.h"

/* Gives the line its list, or lists; how many bytes more that takes. pages.h has what counts them. */
int64_t order_singles_open(struct order_line *line);
static inline void order_line_lists(struct order_line *line)
{
    if (order_line_has_singles(line))
        order_singles_open(line);
}

/* Those cells that have been accessed. */
static inline uint32_t order_singles_has(const struct order_singles *s)
{
    return s->n <= SPANS_OF_LINE ? s->has : ~s->open;
}

/* An access of so many bytes as it is kept. */
static inline __attribute__((always_inline)) void order_single_put(struct order_single *s, struct order_record x,
                                                                   unsigned first, unsigned n)
{
    const uint32_t bytes = x.kind + first * 0x10100u + (n - 1) * 0x10000u; /* kind, first, last: one word */

    _Static_assert(offsetof(struct order_single, kind) + sizeof bytes == sizeof *s, "it is the last one");
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "its first byte is the lowest");
    s->who = x.who;
    s->epoch = x.epoch;
    s->at = x.at;
    memcpy(&s->kind, &bytes, sizeof bytes);
}

/* One more access: of a cell that is open, while there are few. In a list, one that ends where another begins may make
 * a pattern with it: so a cell behind one that has been accessed is not open until the line would have lists of cells.
 */
static inline void order_singles_put(struct order *o, struct order_singles *s, const struct order_record *x,
                                     unsigned first, unsigned n)
{
    const unsigned c = first / CELL;

    s->has |= 1u << c;
    if (s->n < SPANS_OF_LINE) {
        s->order[s->n] = (uint8_t)c;
        s->open = ~(s->has | s->has << 1);
    } else { /* what it takes to take a line apart: line.c */
        o->cluster->run->joined += ORDER_OF_LINE + (x->kind & RECORD_WRITE ? 0u : SPANS_OF_LINE);
        s->open = ~s->has;
    }
    s->n++;
    order_single_put(&s->of[c], *x, first, n);
}

/* An access is the second in a line of these pages: it and that of its list become singles, if both are of one cell
 * each, and the second goes on with no pattern. How many bytes more the line takes; 0: they do not. The bytes are
 * written, at least by a store that comes. */
int64_t order_singles_begin(struct order_pages *p, struct order_line *line, uint64_t key, const struct order_record *x,
                            unsigned n);

#endif
// SPDX-License-Identifier: Apache-2.0
