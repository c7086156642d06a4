/* Findings about what is not there yet for a thread. */
#include "harness/emu/judge/unmade.h"

#include <stdio.h>

#include "harness/emu/judge/known.h"
#include "harness/emu/judge/mend.h"
#include "harness/emu/judge/unused.h"
#include "harness/emu/judge/verdict.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/name.h"

void order_report_unwritten(struct order *o, struct emu_thread *t, uint64_t key, uint64_t bytes)
{
    struct emu_finding f = { .rule = &rule_order_unwritten, .remedy = "write the bytes first" };
    char what[160], whole[40] = "";
    const bool shared = order_is_shared(key);

    if (order_is_systems(o, key) || order_takes_along(o, t, key, bytes))
        return;
    if (emu_filed(o->cluster->grid, f.rule, order_instruction_at(o, order_instruction_now(o, t)), NULL))
        return;
    order_place_of(o, order_number(o, t), order_instruction_now(o, t), key, bytes, &f.here);
    order_bytes_words(o, key, bytes, what, sizeof what);
    order_allocation_words(o, key, whole, sizeof whole);
    snprintf(f.message, sizeof f.message, "%s%s: read by thread %u,%u,%u of CTA %u,%u,%u (line %u), and nobody has %s",
             what, whole, f.here.tid[0], f.here.tid[1], f.here.tid[2], f.here.ctaid[0], f.here.ctaid[1],
             f.here.ctaid[2], f.here.at ? f.here.at->line : 0,
             shared ? "written all of them" : "written them, in this launch or before it");
    emu_file(o->cluster->grid, &f);
}

/* Which rule the missing order breaks. A relaxed barrier of the cluster would be enough behind fence.mbarrier_init. */
static void choose_rule(const struct order *o, const struct emu_thread *t, const struct order_bar *b,
                        struct emu_finding *f)
{
    const struct ck_rule *copy = t->pc[-1].source->op == OP_cp_async_bulk ? &rule_bulk_mbar_generic_proxy : NULL;
    const struct ck_rule *use = b->init_thread / o->per_cta == t->cta->rank ? &rule_mbarrier_init_needs_sync
                                                                            : &rule_mbarrier_cluster_remote_init_sync;
    const uint32_t thread = order_number(o, t), init = order_component(b->init_thread, OWN_NOW);

    if (o->thread[thread].loose == &rule_cluster_barrier_relaxed &&
        order_known(o, thread, VIEW_LOOSE, init) >= b->init_epoch) {
        f->rule = &rule_fence_mbarrier_init_publishes;
        f->also[0] = use;
        f->also[1] = copy;
        snprintf(f->remedy, sizeof f->remedy,
                 "fence.mbarrier_init by the thread of the init, after it and before the relaxed arrive");
        return;
    }
    f->rule = use;
    f->also[0] = copy;
    snprintf(f->remedy, sizeof f->remedy, "%s",
             use == &rule_mbarrier_init_needs_sync ? "a barrier after the init"
             : o->thread[b->init_thread].init_fenced
                 ? "a cluster barrier after the init: fence.mbarrier_init is there, and a fence does not wait for the "
                   "other CTA"
                 : "fence.mbarrier_init and a cluster barrier after the init");
}

/* What stands between the init and its use by another CTA, and does not order the two. */
static void near_table(const struct order *o, const struct order_bar *b, struct emu_finding *f)
{
    const struct ptx_instruction *fence = o->thread[b->init_thread].memory_fence;
    const struct ptx_instruction *barrier = f->here.at ? order_barrier_before(o->module, f->here.at) : NULL;

    if (fence)
        order_fence_words(o, &f->there, fence, "which makes no thread wait", f->table, sizeof f->table);
    if (barrier)
        order_fence_words(o, &f->here, barrier,
                          "where it waits for threads of its own CTA alone: for the other CTA "
                          "neither that nor time is an order",
                          f->table, sizeof f->table);
}

void order_report_init(struct order *o, struct emu_thread *t, const struct order_bar *b, uint64_t offset)
{
    struct emu_finding f = { 0 };
    char name[60];

    emu_shared_name(o->cluster->grid, offset, name, sizeof name);
    choose_rule(o, t, b, &f);
    order_place_of(o, order_number(o, t), order_instruction_now(o, t), b->key, 8, &f.here);
    order_place_of(o, b->init_thread, b->init_at, b->key, 8, &f.there);
    snprintf(
        f.message, sizeof f.message,
        "the mbarrier at offset %llu%s is used by thread %u,%u,%u of CTA %u,%u,%u (line %u), and nothing orders that "
        "after its init by thread %u,%u,%u of CTA %u,%u,%u (line %u)",
        (unsigned long long)offset, name, f.here.tid[0], f.here.tid[1], f.here.tid[2], f.here.ctaid[0], f.here.ctaid[1],
        f.here.ctaid[2], f.here.at ? f.here.at->line : 0, f.there.tid[0], f.there.tid[1], f.there.tid[2],
        f.there.ctaid[0], f.there.ctaid[1], f.there.ctaid[2], f.there.at ? f.there.at->line : 0);
    if (f.rule == &rule_mbarrier_cluster_remote_init_sync)
        near_table(o, b, &f);
    emu_file(o->cluster->grid, &f);
}
// SPDX-License-Identifier: Apache-2.0
