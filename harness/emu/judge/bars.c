/* mbarriers: what an arrival releases, what a phase collects, what a wait acquires. */
#include "harness/emu/judge/bars.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/emu/judge/acquire.h"
#include "harness/emu/judge/expects.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/objects.h"
#include "harness/emu/judge/peer.h"
#include "harness/emu/judge/unmade.h"
#include "harness/emu/machine/findings.h"

/* Where the object of this key is in bar_slot, or would be: a number in bars plus 1, or 0. */
static uint32_t *bar_slot(const struct order *o, uint64_t key)
{
    const uint32_t last = o->bar_room * 2 - 1; /* at most half of the slots are taken */
    uint64_t h = (key ^ key >> 29) * 0x9E3779B97F4A7C15u >> 32;

    while (o->bar_slot[h & last] && o->bars[o->bar_slot[h & last] - 1].key != key)
        h++;
    return &o->bar_slot[h & last];
}

static bool more_bars(struct order *o)
{
    const uint32_t room = o->bar_room ? o->bar_room * 2 : 8;
    struct order_bar *bars = realloc(o->bars, room * sizeof *bars);

    if (bars)
        o->bars = bars;
    free(o->bar_slot);
    o->bar_slot = calloc(room * 2, sizeof *o->bar_slot);
    o->bar_room = room;
    if (!bars || !o->bar_slot) {
        o->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < o->bar_count; i++)
        *bar_slot(o, o->bars[i].key) = i + 1;
    return true;
}

struct order_bar *order_bar_of_key(struct order *o, uint64_t key)
{
    uint32_t *slot = o->bar_room ? bar_slot(o, key) : NULL;

    if (slot && *slot) {
        o->bar_last = *slot - 1;
        return &o->bars[o->bar_last];
    }
    if (!slot || o->bar_count == o->bar_room) {
        if (!more_bars(o))
            return NULL;
        slot = bar_slot(o, key);
    }
    if (!o->bars)
        return NULL;
    *slot = o->bar_count + 1;
    o->bars[o->bar_count] =
        (struct order_bar){ .key = key, .component = o->bar_count < FOLLOWED_BARS ? o->components++ : PTX_NO };
    return &o->bars[o->bar_count++];
}

void order_mbarrier_init(struct emu_thread *t, const struct emu_mbarrier *m)
{
    struct order *o = order_of(t);
    struct order_bar *b = o ? order_bar_of(o, m->cta, m->offset) : NULL;

    if (!b)
        return;
    b->before = b->phases;
    for (uint32_t i = 0; b->seen && i < o->threads; i++)
        b->seen[i] = b->phases;
    for (uint32_t i = 0; i < o->threads; i++) /* copies were tied to the object that was here before */
        if (o->thread[i].tied && o->thread[i].tied_key == b->key)
            o->thread[i].tied = 0;
    b->init_known = true;
    b->init_phases = b->phases;
    b->expect_count = 0;
    b->copied = 0;
    b->remote[0] = b->remote[1] = (struct order_remote){ 0 };
    b->init_thread = order_number(o, t);
    b->init_epoch = o->thread[b->init_thread].view[VIEW_GENERIC].own[OWN_NOW];
    b->init_at = order_instruction_now(o, t);
}

void order_check_init(struct order *o, struct emu_thread *t, const struct order_bar *b, uint64_t offset)
{
    const uint32_t thread = order_number(o, t), c = order_component(b->init_thread, OWN_NOW);

    if (b->init_known && b->init_thread != thread && order_known(o, thread, VIEW_GENERIC, c) < b->init_epoch &&
        order_known(o, thread, VIEW_INIT, c) < b->init_epoch)
        order_report_init(o, t, b, offset);
}

/* The object that a thread changes: its init has to be visible, and its CTA to be there. NULL: it is not followed. */
static struct order_bar *bar_changed(struct order *o, struct emu_thread *t, const struct emu_mbarrier *m)
{
    struct order_bar *b = o ? order_bar_of(o, m->cta, m->offset) : NULL;

    if (!b)
        return NULL;
    order_check_init(o, t, b, m->offset);
    if (m->cta != t->cta)
        order_peer_access(o, order_number(o, t), order_instruction_now(o, t), m->cta->rank, true);
    return b;
}

/* ---- scopes that are not written ----------------------------------------------------------------------------------
 */

/* By the text an operation with no scope written has .cta. Pipelines that work across the CTAs of a cluster are written
 * so everywhere all the same: unless the user asks for the text, what is meant is taken for it, with a remark. */
static enum order_scope scope_of(const struct order *o, struct emu_strength how)
{
    const bool meant = how.bare && o->cluster->cta_count > 1 && !o->cluster->grid->machine->options.check_scopes;

    return how.wide || meant ? SCOPE_CLUSTER : SCOPE_CTA;
}

static void note_remote(struct order_bar *b, uint32_t thread, uint32_t at, struct emu_strength how)
{
    if (!b->remote[0].bare)
        b->remote[0] = (struct order_remote){ .known = true, .bare = how.bare, .thread = thread, .at = at };
}

/* A thread waited for a phase in which another CTA arrived, and the wait or the arrival has no scope written. */
static void remark_scope(struct order *o, const struct emu_thread *t, const struct order_bar *b, bool bare)
{
    const struct order_remote *r = &b->remote[1];
    struct emu_finding f = { .rule = &rule_mbarrier_wait_scope_too_small,
                             .remark = true,
                             .remedy = ".release.cluster in the arrival and .acquire.cluster in the wait" };

    order_place_of(o, order_number(o, t), order_instruction_now(o, t), b->key, 8, &f.here);
    order_place_of(o, r->thread, r->at, b->key, 8, &f.there);
    if (emu_filed(o->cluster->grid, f.rule, f.here.at, f.there.at))
        return;
    snprintf(
        f.message, sizeof f.message,
        "thread %u,%u,%u of CTA %u,%u,%u (line %u) waits for an arrival of thread %u,%u,%u of CTA %u,%u,%u (line %u), "
        "and %s: it is .cta by the text, and orders nothing between the two",
        f.here.tid[0], f.here.tid[1], f.here.tid[2], f.here.ctaid[0], f.here.ctaid[1], f.here.ctaid[2],
        f.here.at ? f.here.at->line : 0, f.there.tid[0], f.there.tid[1], f.there.tid[2], f.there.ctaid[0],
        f.there.ctaid[1], f.there.ctaid[2], f.there.at ? f.there.at->line : 0,
        bare && r->bare ? "neither names a scope"
        : bare          ? "the wait names no scope"
                        : "the arrival names no scope");
    emu_file(o->cluster->grid, &f);
}

void order_mbarrier_arrive(struct emu_thread *t, const struct emu_mbarrier *m, struct emu_strength how)
{
    struct order *o = order_of(t);
    struct order_bar *b = bar_changed(o, t, m);

    if (!b)
        return;
    order_expect_arrived(o, b, order_number(o, t));
    if (m->cta != t->cta)
        note_remote(b, order_number(o, t), order_instruction_now(o, t), how);
    order_release_to(o, &b->collecting, order_number(o, t), how.relaxed, scope_of(o, how),
                     !how.relaxed                                 ? NULL
                     : t->pc[-1].source->op == OP_mbarrier_arrive ? &rule_mbarrier_arrive_relaxed_no_order
                                                                  : &rule_mbarrier_arrive_drop_release);
    o->thread[order_number(o, t)].arrived = true;
    o->thread[order_number(o, t)].arrived_key = b->key;
}

void order_mbarrier_expect(struct emu_thread *t, const struct emu_mbarrier *m)
{
    struct order *o = order_of(t);
    struct order_bar *b = bar_changed(o, t, m);

    if (!b)
        return;
    order_expect(o, t, m, b);
    order_release_loose(o, &b->collecting, order_number(o, t), &rule_mbarrier_expect_tx_no_order);
}

void order_mbarrier_count(struct emu_thread *t, const struct emu_mbarrier *m, enum emu_mbarrier_count what,
                          uint64_t amount)
{
    struct order *o = order_of(t);
    struct order_bar *b = o && what != EMU_ARRIVED ? order_bar_of(o, m->cta, m->offset) : NULL;

    if (b && what == EMU_EXPECTED)
        order_expect_bytes(b, amount);
    else if (b && !t->landing && t->pc[-1].source->op == OP_mbarrier_complete_tx)
        order_expect_completed(o, t, b, amount);
}

void order_mbarrier_phase(struct emu_thread *t, const struct emu_mbarrier *m)
{
    struct order *o = order_of(t);
    struct order_bar *b = o ? order_bar_of(o, m->cta, m->offset) : NULL;

    if (!b)
        return;
    order_expect_phase(o, t, m, b);
    b->phases++;
    b->bytes = m->expected || m->delivered;
    if (b->component != PTX_NO) { /* each thread that waits knows of the completion, at any scope */
        b->complete.counter = b->component;
        b->complete.count = b->phases;
    }
    b->remote[1] = b->remote[0];
    b->remote[0] = (struct order_remote){ 0 };
    order_object_move(o, &b->collecting, &b->complete);
}

/* From here to its next release the thread does what it should have waited for. */
static void note_ahead(struct order_thread *x)
{
    const uint32_t epoch = x->view[VIEW_GENERIC].own[OWN_NOW];

    if (epoch != x->ahead[1] + 1)
        x->ahead[0] = epoch;
    x->ahead[1] = epoch;
}

/* A wait came true. Where its thread had seen that phase complete before, it waited for nothing. */
static void note_wait(struct order *o, struct order_bar *b, const struct emu_thread *t)
{
    const uint32_t thread = order_number(o, t);
    struct order_thread *x = &o->thread[thread];

    x->bar_waited = ++o->tick;
    x->bar_key = b->key;
    x->bar_before = b->before;
    x->bar_at = order_instruction_now(o, t);
    x->bar_epoch = x->view[VIEW_GENERIC].own[OWN_NOW];
    x->bar_stale = x->bar_again = x->bar_used = false;
    x->bar_bytes = b->bytes;
    if (b->component == PTX_NO) /* not followed */
        return;
    if (!b->seen)
        b->seen = calloc(o->threads, sizeof *b->seen);
    if (!b->seen) {
        o->failed = true;
        return;
    }
    x->bar_stale = (b->seen[thread] & ~SEEN_USED) == b->phases;
    x->bar_used = x->bar_stale && b->seen[thread] & SEEN_USED;
    x->bar_again = x->bar_stale && b->phases > b->before;
    if (x->bar_stale && x->arrived && x->arrived_key == b->key) /* not the phase that it has arrived in */
        note_ahead(x);
    b->seen[thread] = b->phases | (x->bar_used ? SEEN_USED : 0);
}

void order_mbarrier_wait(struct emu_thread *t, const struct emu_mbarrier *m, bool done, struct emu_strength how)
{
    struct order *o = order_of(t);
    struct order_bar *b = o ? order_bar_of(o, m->cta, m->offset) : NULL;

    if (!b)
        return;
    order_check_init(o, t, b, m->offset);
    o->thread[order_number(o, t)].vain = !done;
    if (!done)
        return;
    note_wait(o, b, t);
    order_acquire_from(o, &b->complete, order_number(o, t), how.relaxed, scope_of(o, how),
                       how.relaxed ? &rule_mbarrier_wait_relaxed_no_order : NULL);
    if (b->remote[1].known && (how.bare || b->remote[1].bare) && !o->cluster->grid->machine->options.check_scopes)
        remark_scope(o, t, b, how.bare);
}
// SPDX-License-Identifier: Apache-2.0
