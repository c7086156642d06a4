/* Copies: each is an agent of its own, and lands in memory when it is issued. What others know of its end is a number
 * in their clocks. */
#include "tools/sync_fuzz/model_state.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "tools/sync_fuzz/emit.h"

static unsigned new_copy(struct model *m, struct actor *t, bool bulk)
{
    if (t->copy_count == t->copy_room) {
        t->copy_room = t->copy_room ? t->copy_room * 2 : 8;
        t->copies = realloc(t->copies, t->copy_room * sizeof *t->copies);
        if (!t->copies)
            ck_no_memory();
    }
    t->copies[t->copy_count++] =
        (struct copy){ .agent = m->copies, .group = bulk ? t->bulk_groups : t->groups, .bulk = bulk };
    m->copies += bulk ? 2 : 1;
    return t->copies[t->copy_count - 1].agent;
}

/* The copy's two accesses, which come after what the thread that issues it knows. */
static void carry_out(struct model *m, const struct actor *t, const struct op *o, size_t to, size_t from, size_t bytes,
                      unsigned agent, bool bulk)
{
    struct touch reads = { .agent = bulk ? agent + 1 : agent, .epoch = 1, .op = t->pc, .cta = t->cta, .async = bulk };
    struct touch writes = { .agent = agent, .epoch = 1, .op = t->pc, .cta = t->cta, .write = true, .async = bulk };

    (void)o;
    model_touch(m, t->now, from, bytes, &reads);
    model_touch(m, t->now, to, bytes, &writes);
    memmove(m->memory + to, m->memory + from, bytes);
}

static void delivered(struct model *m, struct word *w, unsigned agent, unsigned bytes)
{
    if (!w->copies_now)
        w->copies_now = model_clock(m);
    w->copies_now[agent] = 1;
    w->bytes -= bytes;
    model_complete(m, w);
}

static void items(struct model *m, struct actor *t, const struct op *o)
{
    for (unsigned j = model_number(t, o); j < o->items; j += op_step(o)) {
        const unsigned item = model_item(o, j);
        const size_t to = model_cell(m, t, o->at) + (size_t)item * o->width;
        if (o->kind == OP_CP_ASYNC) {
            carry_out(m, t, o, to, model_cell(m, t, o->from) + (size_t)item * 16, 16, new_copy(m, t, false), false);
            continue;
        }
        const struct touch x = { .agent = m->copies++, .epoch = 1, .op = t->pc, .cta = t->cta, .write = true };
        model_put(m, to, model_value(t, o, item));
        model_touch(m, t->now, to, 4, &x);
        delivered(m, model_find(m, model_cell(m, t, o->bar)), x.agent, 4);
    }
}

/* All but the last `value` groups of a thread are over. */
static void wait_groups(struct model *m, struct actor *t, const struct op *o, bool bulk)
{
    const unsigned groups = bulk ? t->bulk_groups : t->groups;

    for (unsigned i = 0; i < t->copy_count; i++) {
        const struct copy *c = &t->copies[i];
        if (c->bulk != bulk || c->group + o->value >= groups)
            continue;
        if (bulk)
            t->now[c->agent + 1] = 1;
        if (!o->read)
            t->now[c->agent] = 1;
    }
    (void)m;
}

bool model_copy(struct model *m, struct actor *t, const struct op *o)
{
    switch (o->kind) {
    case OP_CP_ASYNC:
    case OP_ST_ASYNC: items(m, t, o); break;
    case OP_COMMIT: t->groups++; break;
    case OP_BULK_COMMIT: t->bulk_groups++; break;
    case OP_WAIT_GROUP: wait_groups(m, t, o, false); break;
    case OP_BULK_WAIT: wait_groups(m, t, o, true); break;
    case OP_BULK_STORE:
        carry_out(m, t, o, model_cell(m, t, o->at), model_cell(m, t, o->from), o->bytes, new_copy(m, t, true), true);
        break;
    case OP_BULK_LOAD: {
        const unsigned agent = m->copies;
        m->copies += 2;
        carry_out(m, t, o, model_cell(m, t, o->at), model_cell(m, t, o->from), o->bytes, agent, true);
        delivered(m, model_find(m, model_cell(m, t, o->bar)), agent, o->bytes);
        break;
    }
    case OP_CP_ARRIVE: {
        struct word *w = model_find(m, model_cell(m, t, o->bar));
        const struct op arrival = { .sem = WEAK };
        if (!w->copies_now)
            w->copies_now = model_clock(m);
        for (unsigned i = 0; i < t->copy_count; i++)
            if (!t->copies[i].bulk)
                w->copies_now[t->copies[i].agent] = 1;
        if (o->noinc) /* else it has raised the count by as much */
            model_arrive(m, t, w, 1, &arrival);
        break;
    }
    default: break;
    }
    return true;
}
// SPDX-License-Identifier: Apache-2.0
