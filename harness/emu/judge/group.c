/* A thread's groups of copies: what was committed, what its waits have covered, what is left in flight. */
#include "harness/emu/judge/group.h"

#include <stdio.h>

#include "harness/base/append.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/machine/thread.h"

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
        ck_append(out, size, "%s%u",
                  !k                  ? n > 1 ? ", lines " : ", line "
                  : k + 1 < n || more ? ", "
                                      : " and ",
                  lines[k]);
    ck_append(out, size, "%s", more ? " ..." : "");
}

static const struct order_groups *groups_of(const struct order *o, const struct order_flight *f)
{
    return &o->thread[f->thread].groups[f->kind == COPY_BULK_GROUP];
}

const struct order_wait *order_group_wait_seen(const struct order *o, const struct order_flight *f, uint32_t thread)
{
    const struct order_groups *g = groups_of(o, f);
    const uint32_t known = order_known(o, thread, VIEW_GENERIC, order_component(f->thread, OWN_NOW));

    for (uint32_t i = g->waits; i > 0 && g->waits - i < WAITS; i--) {
        const struct order_wait *w = &g->wait[(i - 1) % WAITS];
        if (w->tick <= f->tick)
            return NULL;
        if (thread == f->thread || w->epoch <= known)
            return w;
    }
    return NULL;
}

bool order_wait_too_early(const struct order_wait *w, uint32_t group)
{
    return group >= w->open;
}

bool order_wait_leaves(const struct order_wait *w, uint32_t group)
{
    return group < w->open && w->open - group <= w->left;
}

bool order_wait_lacks_commit(const struct order_wait *w, uint32_t group)
{
    return order_wait_leaves(w, group) && w->rest && w->open + 1 - group > w->asked;
}

bool order_wait_in_tail(const struct order *o, const struct order_flight *f, const struct order_wait *w)
{
    const struct order_groups *g = groups_of(o, f);

    for (uint32_t i = g->waits; i > 1 && g->waits - i < WAITS - 1; i--)
        if (&g->wait[(i - 1) % WAITS] == w)
            return g->wait[(i - 2) % WAITS].open == w->open;
    return false;
}

/* How many of the groups' copies, bulk operations or readings of their sources the thread knows to be over. */
static uint32_t over(const struct order *o, const struct order_flight *f, uint32_t thread, enum order_own own)
{
    return thread == PTX_NO ? o->thread[f->thread].view[VIEW_GENERIC].own[own]
                            : order_known(o, thread, VIEW_GENERIC, order_component(f->thread, own));
}

/* A group's line: its state, its copies and their lines. */
static void add_group(char *out, size_t size, const struct order *o, const struct order_flight *f, uint32_t group,
                      uint32_t thread)
{
    const struct order_groups *g = groups_of(o, f);
    const bool bulk = f->kind == COPY_BULK_GROUP;
    const uint32_t from = group ? g->behind[group - 1] : 0, to = group < g->open ? g->behind[group] : g->issued;

    if (group == g->open && to == from)
        return;
    if (group < g->open)
        ck_append(out, size, "group %-3u %s", group,
                  to <= over(o, f, thread, bulk ? OWN_BULK : OWN_CP) ? "complete     "
                  : bulk && to <= over(o, f, thread, OWN_READ)       ? "source read  "
                                                                     : "in flight    ");
    else
        ck_append(out, size, "no group  not committed");
    ck_append(out, size, " %u cop%s", to - from, to - from == 1 ? "y" : "ies");
    add_lines(out, size, o, f, group);
    ck_append(out, size, "%s\n", group == f->group ? "   <- this copy" : "");
}

void order_group_table(const struct order *o, const struct order_flight *f, uint32_t thread, char *out, size_t size)
{
    const struct order_groups *g = groups_of(o, f);
    const bool other = thread != PTX_NO && thread != f->thread;
    const struct order_wait *w = other ? order_group_wait_seen(o, f, thread) : NULL;
    const uint32_t first = g->open > SHOWN ? g->open - SHOWN : 0;
    struct emu_place who;

    *out = 0;
    order_place_of(o, f->thread, f->at, 0, 0, &who);
    ck_append(out, size, "%s groups of thread %u,%u,%u of CTA %u,%u,%u, oldest first",
              f->kind == COPY_BULK_GROUP ? "bulk" : "cp.async", who.tid[0], who.tid[1], who.tid[2], who.ctaid[0],
              who.ctaid[1], who.ctaid[2]);
    if (other) {
        order_place_of(o, thread, PTX_NO, 0, 0, &who);
        ck_append(out, size, ", as thread %u,%u,%u of CTA %u,%u,%u knows them", who.tid[0], who.tid[1], who.tid[2],
                  who.ctaid[0], who.ctaid[1], who.ctaid[2]);
    }
    ck_append(out, size, "\n");
    if (f->group < first)
        ck_append(out, size, "this copy is in group %u, of %u\n", f->group, g->open);
    for (uint32_t i = first; i <= g->open; i++)
        add_group(out, size, o, f, i, thread);
    if (!other && g->waits)
        w = &g->wait[(g->waits - 1) % WAITS];
    if (w)
        ck_append(out, size, "last wait%s: line %u, with %u group%s committed; it leaves %u in flight\n",
                  other ? " before the two synchronised" : "", line_of(o, w->at), w->open, w->open == 1 ? "" : "s",
                  w->left);
    else
        ck_append(out, size, other ? "no wait after the copy, before the two synchronised\n" : "no wait yet\n");
}

void order_group_remedy(const struct order *o, const struct order_flight *f, const struct order_wait *w, char *out,
                        size_t size)
{
    const uint32_t most = w->open - f->group - 1;

    snprintf(out, size, "wait_group %u%s at line %u: the copy is in group %u, and %u %s committed by then%s", most,
             most ? " or less" : "", line_of(o, w->at), f->group, w->open, w->open == 1 ? "was" : "were",
             order_wait_in_tail(o, f, w) ? "; or an (empty) commit before each wait" : "");
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

const struct ptx_instruction *order_products_left(const struct order *o, const struct order_products *w, uint32_t group,
                                                  char *remedy, size_t size)
{
    if (!w->waited_at || group >= w->waited_open)
        return NULL;
    snprintf(remedy, size, "wgmma.wait_group %u at line %u, or one behind it: the product's group is left in flight",
             w->waited_open - group - 1, line_of(o, w->waited_at - 1));
    return &o->module->instructions[w->waited_at - 1];
}

const struct ptx_instruction *order_product_left(const struct order *o, const struct order_flight *f, char *remedy,
                                                 size_t size)
{
    const uint32_t warps = emu_warps_of(o->per_cta);
    const struct order_products *w = &o->products[f->thread / o->per_cta * warps + f->thread % o->per_cta / EMU_WARP];

    if (f->phase >= w->open)
        snprintf(remedy, size,
                 "wgmma.commit_group, then wgmma.wait_group, before the write: the product is not committed");
    return order_products_left(o, w, f->phase, remedy, size);
}
// SPDX-License-Identifier: Apache-2.0
