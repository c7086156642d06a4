/* Writes that are no longer in the shadow, because another one came after them.
 *
 * Mostly nothing need be known of them: what is ordered after the later write is ordered after them too, and what is
 * not breaks a rule with the later one. A store that is only excused, since the later one stores the same value
 * (order.same-value), is compared with them as well. They are kept in a table of fixed size, the last one of a place.
 */
#include "harness/emu/judge/replaced.h"

#include <stdlib.h>

enum { REPLACED = 1024 };

struct order_replaced {
    uint64_t line; /* number of the line and 1; 0: nothing is here */
    struct order_span span;
};

static struct order_replaced **table_of(const struct order_access *x)
{
    return order_is_shared(x->key) ? &x->o->replaced : &x->o->grid->replaced;
}

static size_t place(uint64_t line, unsigned cell)
{
    return (line * LINE_CELLS + cell) % REPLACED;
}

void order_replaced_note(const struct order_access *x, const struct order_span *s, unsigned first, unsigned last)
{
    struct order_replaced **table = table_of(x), *p;

    if (!*table)
        *table = calloc(REPLACED, sizeof **table);
    if (!*table)
        return; /* a finding less */
    p = &(*table)[place(x->key / LINE, first / CELL)];
    p->line = x->key / LINE + 1;
    p->span = *s;
    p->span.first = (uint8_t)first;
    p->span.last = (uint8_t)last;
}

const struct order_span *order_replaced_at(const struct order_access *x, unsigned cell)
{
    const struct order_replaced *table = *table_of(x);
    const struct order_replaced *p = table ? &table[place(x->key / LINE, cell)] : NULL;

    return p && p->line == x->key / LINE + 1 && p->span.first / CELL == cell ? &p->span : NULL;
}
// SPDX-License-Identifier: Apache-2.0
