/* A thread's groups of copies as a table: what was committed, what its waits have covered, what is left in flight. */
#include "harness/emu/judge/group.h"

#include <stdio.h>

#include "harness/base/append.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"

enum { SHOWN = 8, LINES = 4 };

static unsigned line_of(const struct order *o, uint32_t at)
{
    return at == PTX_NO ? 0 : o->module->instructions[at].line;
}

/* The PTX lines that the copies of a group were issued from. */
static void add_lines(char *out, size_t size, const struct order *o, const struct order_flight *of, uint32_t group)
{
    unsigned lines[LINES], n = 0, more = 0;

    for (uint32_t i = 0; i < o->flight_count; i++) {
        const struct order_flight *f = order_flight_mine(o, i);
        unsigned k = 0;
        if (f->thread != of->thread || f->kind != of->kind || f->group != group)
            continue;
        while (k < n && lines[k] != line_of(o, f->at))
            k++;
        if (k == n && n < LINES)
            lines[n++] = line_of(o, f->at);
        else
            more |= k == n;
    }
    for (unsigned k = 0; k < n; k++)
        ck_append(out, size, "%s%u", k ? ", " : n > 1 ? ", lines " : ", line ", lines[k]);
    ck_append(out, size, "%s", more ? ", ..." : "");
}

void order_group_table(const struct order *o, const struct order_flight *f, char *out, size_t size)
{
    const bool bulk = f->kind == COPY_BULK_GROUP;
    const struct order_groups *g = &o->thread[f->thread].groups[bulk];
    const uint32_t *own = o->thread[f->thread].view[VIEW_GENERIC].own;
    const uint32_t first = g->open > SHOWN ? g->open - SHOWN : 0;
    struct emu_place who;

    *out = 0;
    order_place_of(o, f->thread, f->at, 0, 0, &who);
    ck_append(out, size, "%s groups of thread %u,%u,%u of CTA %u,%u,%u, oldest first\n", bulk ? "bulk" : "cp.async",
              who.tid[0], who.tid[1], who.tid[2], who.ctaid[0], who.ctaid[1], who.ctaid[2]);
    if (f->group < first)
        ck_append(out, size, "this copy is in group %u, of %u\n", f->group, g->open);
    for (uint32_t i = first; i <= g->open; i++) {
        const uint32_t from = i ? g->behind[i - 1] : 0, to = i < g->open ? g->behind[i] : g->issued;
        if (i == g->open && to == from)
            break;
        if (i < g->open)
            ck_append(out, size, "group %-3u %s", i,
                      to <= own[bulk ? OWN_BULK : OWN_CP] ? "complete     "
                      : bulk && to <= own[OWN_READ]       ? "source read  "
                                                          : "in flight    ");
        else
            ck_append(out, size, "no group  not committed");
        ck_append(out, size, " %u cop%s", to - from, to - from == 1 ? "y" : "ies");
        if (to - from)
            add_lines(out, size, o, f, i);
        ck_append(out, size, "%s\n", i == f->group ? "   <- this copy" : "");
    }
    if (g->waited)
        ck_append(out, size, "last wait: line %u, with %u group%s committed; it leaves %u in flight\n",
                  line_of(o, g->wait_at), g->wait_open, g->wait_open == 1 ? "" : "s", g->wait_left);
    else
        ck_append(out, size, "no wait yet\n");
}

bool order_group_left(const struct order *o, const struct order_flight *f)
{
    const struct order_groups *g = &o->thread[f->thread].groups[f->kind == COPY_BULK_GROUP];

    return f->kind != COPY_BULK_BAR && g->waited > f->tick && f->group < g->wait_open &&
           g->wait_open - f->group <= g->wait_left;
}

void order_group_remedy(const struct order *o, const struct order_flight *f, char *out, size_t size)
{
    const struct order_groups *g = &o->thread[f->thread].groups[f->kind == COPY_BULK_GROUP];

    snprintf(out, size, "wait_group %u or less at line %u: the copy is in group %u, and %u were committed by then",
             g->wait_open - f->group - 1, line_of(o, g->wait_at), f->group, g->wait_open);
}
