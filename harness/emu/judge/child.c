/* Grids that threads launch, held against what their parent does at the same time.
 *
 * What the thread that launches a grid knows happens before all of that grid, and nothing else does: what the parent
 * does after the launch, or what it does elsewhere without an order, may come at any time. The emulator begins a child
 * when its parent has ended, and the parent's shadow of global memory is kept until then. For each byte a shadow has
 * the last write and the reads since; what was before these is ordered before them. So two shadows, looked at when the
 * child has ended, show whether the two grids race. Only a tail launch comes after all of its parent. */
#include "harness/emu/judge/child.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/fences.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/pages.h"
#include "harness/emu/judge/singles.h"
#include "harness/emu/judge/spans.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"

/* A launch by a thread. */
struct order_launch {
    struct order_launch *next;
    struct order_past known; /* by the thread; its home is no cluster */
    uint32_t at;             /* the instruction */
};

void order_child_launched(struct emu_thread *t, struct emu_child *child)
{
    struct order *o = order_of(t);
    struct order_launch *l = o && !child->tail ? calloc(1, sizeof *l) : NULL;
    struct order_thread *me;

    child->order = l;
    if (!l)
        return;
    me = &o->thread[order_number(o, t)];
    l->at = order_instruction_now(o, t);
    order_past_merge(o, &l->known, ORDER_NO_HOME, &me->pasts->of[VIEW_GENERIC], o->number);
    order_past_raise_own(o, &l->known, ORDER_NO_HOME, order_number(o, t), me->view[VIEW_GENERIC].own);
    order_step(me);
    l->next = o->grid->launches;
    o->grid->launches = l;
}

void order_launches_free(struct order_grid *g)
{
    for (struct order_launch *l = g->launches, *next; l; l = next) {
        next = l->next;
        order_past_drop(&l->known);
        free(l);
    }
    g->launches = NULL;
}

/* ---- two shadows ------------------------------------------------------------------------------------------------- */

/* A grid that has ended, one above it, and the launch in that one which led to it. */
struct generations {
    struct emu_grid *child, *parent;
    const struct order_launch *launch;
    struct order clusters;  /* how many threads those of the parent have: its checkers are gone */
    uint32_t parent_before; /* the thread of the parent that stands for the launch before; PTX_NO: none */
};

/* An access as a span has it: by which thread of its grid, by its number there. */
struct one {
    const struct order_span *of;
    uint32_t who;
};

/* Of an access of the parent. */
static bool comes_before_launch(const struct generations *g, const struct one *x)
{
    const uint32_t threads = g->clusters.threads;

    return order_past_value(&g->clusters, &g->launch->known, ORDER_NO_HOME, x->who / threads,
                            order_component(x->who % threads, OWN_NOW)) >= x->of->epoch;
}

static const char *word_of(uint8_t kind)
{
    return kind & RECORD_ATOMIC ? "changed" : kind & RECORD_WRITE ? "written" : "read";
}

/* child, parent: their accesses of these bytes of global memory. */
static void report(const struct generations *g, const struct one *child, const struct one *parent, uint64_t address,
                   uint64_t bytes)
{
    const struct ptx_instruction *all = g->child->module->instructions;
    struct emu_finding f = { .rule = &rule_order_data_race,
                             .remedy = "make the parent's access before the launch, by its thread or behind a barrier; "
                                       "or launch into cudaStreamTailLaunch",
                             .cause = &all[g->launch->at] };
    const struct emu_place *here = &f.here, *there = &f.there;
    struct emu_spot spot;

    order_grid_place(g->child, child->who, child->of->at, address, bytes, &f.here);
    order_grid_place(g->parent, parent->who, parent->of->at, address, bytes, &f.there);
    emu_spot_of(g->child->machine, address, &spot);
    snprintf(f.message, sizeof f.message,
             "bytes %llu to %llu of %s: %s by thread %u,%u,%u of CTA %u,%u,%u (line %u), %s by thread %u,%u,%u of CTA "
             "%u,%u,%u (line %u) of %.40s, which %.40s launches at line %u, and nothing orders the two",
             (unsigned long long)spot.offset, (unsigned long long)(spot.offset + bytes - 1), spot.name,
             word_of(parent->of->kind), there->tid[0], there->tid[1], there->tid[2], there->ctaid[0], there->ctaid[1],
             there->ctaid[2], there->at->line, word_of(child->of->kind), here->tid[0], here->tid[1], here->tid[2],
             here->ctaid[0], here->ctaid[1], here->ctaid[2], here->at->line, g->child->entry->name,
             g->parent->entry->name, f.cause->line);
    emu_file_of(g->child, &f, child->who / order_cluster_threads(g->child));
}

/* Two accesses of one byte that need an order. Copies are left out: they are forgotten when their cluster ends. */
static bool conflict(const struct order_span *a, const struct order_span *b)
{
    if ((a->who | b->who) & RECORD_FLIGHT || !((a->kind | b->kind) & RECORD_WRITE))
        return false;
    return !(a->kind & b->kind & RECORD_STRONG && a->kind & b->kind & RECORD_GRID);
}

/* Behind the last byte that its access of this byte has, of bytes up to `last`. */
static unsigned end_of(const struct order_span *s, unsigned byte, unsigned last)
{
    const unsigned end = s->unit ? byte + s->unit - (byte - s->origin) % s->unit : last + 1u;

    return span_earlier(end, last + 1u);
}

/* key: of the line that both are of. */
static void compare(const struct generations *g, const struct order_span *mine, const struct order_span *theirs,
                    uint64_t key)
{
    const unsigned from = span_later(mine->first, theirs->first), last = span_earlier(mine->last, theirs->last);

    if (from > last || !conflict(mine, theirs))
        return;
    for (unsigned at = from, end; at <= last; at = end) {
        const struct one child = { mine, span_owner(mine, at) };
        end = span_earlier(end_of(mine, at, last), end_of(theirs, at, last));
        for (uint32_t row = 0; row <= theirs->more; row++) {
            const struct one parent = { theirs, span_owner(theirs, at) + span_shift(theirs, row) };
            if (parent.who != g->parent_before && !comes_before_launch(g, &parent)) {
                report(g, &child, &parent, key + at, end - at);
                return;
            }
        }
    }
}

static struct order_list *list_of(struct order_line *line, unsigned k)
{
    return line->cells ? &line->cells[k] : &line->list;
}

static void compare_lines(const struct generations *g, struct order_line *mine, struct order_line *theirs, uint64_t key)
{
    order_line_lists(mine);
    order_line_lists(theirs);
    const unsigned count = mine->cells ? LINE_CELLS : 1, others = theirs->cells ? LINE_CELLS : 1;

    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < others; k++) {
            struct order_list *a = list_of(mine, i), *b = list_of(theirs, k);
            if (count > 1 && others > 1 && i != k)
                continue; /* other bytes */
            for (uint16_t x = 0; x < a->n; x++)
                for (uint16_t y = 0; y < b->n; y++)
                    compare(g, &span_all(a)[x], &span_all(b)[y], key);
        }
}

static int by_key(const void *a, const void *b)
{
    const struct order_page *const *x = a, *const *y = b;

    return ((*x)->key > (*y)->key) - ((*x)->key < (*y)->key);
}

/* In the order of addresses, so that what is found does not depend on which other pages there are: a cluster that runs
 * ahead has fewer. Pages whose lines are alike have been touched by copies alone, which are left out. */
static void compare_shadows(const struct generations *g, const struct order_pages *mine,
                            const struct order_pages *theirs)
{
    struct order_page **all = calloc(mine->table.count + 1, sizeof *all), *b;
    uint32_t n = 0;

    if (!all) {
        g->child->machine->findings.lost = true;
        return;
    }
    for (uint32_t i = 0; i < mine->table.room; i++) {
        b = mine->table.slots[i];
        if (b && b->open != PAGE_ALIKE)
            all[n++] = b;
    }
    qsort(all, n, sizeof(struct order_page *), by_key);
    for (uint32_t i = 0; i < n; i++) {
        b = order_page_there(theirs, all[i]->key);
        for (unsigned k = 0; b && b->open != PAGE_ALIKE && k < PAGE_LINES; k++) {
            const uint64_t key = (b->key << PAGE_BITS) + k * LINE;
            if (!emu_child_is_buffer(g->child->machine, key))
                compare_lines(g, &all[i]->lines[k], &b->lines[k], key);
        }
    }
    free(all);
}

void order_child_end(struct emu_grid *child)
{
    for (const struct emu_grid *at = child; at->parent; at = at->parent) {
        const struct order_grid *mine = child->order, *theirs = at->parent->order;
        const struct generations g = { .child = child,
                                       .parent = at->parent,
                                       .launch = at->launched_as->order,
                                       .clusters = { .threads = order_cluster_threads(at->parent) },
                                       .parent_before = theirs ? theirs->before_who : PTX_NO };
        if (g.launch && mine && theirs)
            compare_shadows(&g, &mine->pages, &theirs->pages);
    }
}
// SPDX-License-Identifier: Apache-2.0
