/* Which rule two unordered accesses break, and the finding that says so. */
#include "harness/emu/judge/verdict.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/emu/judge/before.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/group.h"
#include "harness/emu/judge/guess.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/lives.h"
#include "harness/emu/judge/meets.h"
#include "harness/emu/judge/mend.h"
#include "harness/emu/judge/prior.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"

static const struct order_flight *flight_of(const struct order *o, uint32_t who)
{
    return who & RECORD_FLIGHT ? order_flight_at(o, who & ~RECORD_FLIGHT) : NULL;
}

/* ---- a copy meets something ------------------------------------------------------------------------------------- */

/* A wgmma reads what a copy writes, or a copy writes what a wgmma reads. */
static struct verdict wgmma_meets_copy(const struct order *o, const struct order_conflict *c,
                                       const struct order_flight *x, const struct order_flight *f)
{
    const uint32_t thread = order_number(o, c->t);
    const struct order_thread *me = &o->thread[thread];
    const struct ck_rule *loose = order_known_loosely(o, f, thread, c->r->kind & RECORD_WRITE);
    const bool known = order_flight_known(o, f, thread, VIEW_GENERIC, c->r->kind & RECORD_WRITE);

    if (!known && loose)
        return (struct verdict){ loose, order_relaxed_remedy,
                                 f->kind == COPY_WGMMA ? &rule_wgmma_smem_overwritten : &rule_wgmma_smem_written };
    if (f->kind == COPY_WGMMA)
        return (struct verdict){ &rule_wgmma_smem_overwritten,
                                 "wgmma.wait_group before the arrival or barrier that lets the next copy begin" };
    if (f->kind == COPY_CP_ASYNC)
        return known ? (struct verdict){ &rule_wgmma_proxy, "fence.proxy.async between the wait and wgmma",
                                         &rule_cpasync_proxy_to_async }
                     : (struct verdict){ &rule_wgmma_smem_written,
                                         "wait for the copies, then fence.proxy.async and a barrier, before wgmma" };
    if (x->kind == COPY_WGMMA && order_waited_for_old_phase(o, me, f))
        return (struct verdict){ &rule_mbarrier_phase_parity_alternates, order_old_phase_remedy,
                                 &rule_wgmma_smem_written, .cause = order_instruction_at(o, me->bar_at) };
    return (struct verdict){ &rule_wgmma_smem_written, "wait on the copy's mbarrier before wgmma",
                             &rule_bulk_dst_no_early_read };
}

/* The thread has put cp.async into groups, or waited for groups: one that ties them to an mbarrier needs none. */
static bool has_groups(const struct order_thread *t)
{
    return t->groups[0].open || t->groups[0].waits || !t->tied;
}

static struct verdict copy_meets_copy(const struct order *o, const struct order_conflict *c,
                                      const struct order_flight *x, const struct order_flight *f)
{
    const uint32_t thread = order_number(o, c->t);
    const bool wrote = c->r->kind & RECORD_WRITE, known = order_flight_known(o, f, thread, VIEW_GENERIC, wrote);
    const struct ck_rule *loose = known ? NULL : order_known_loosely(o, f, thread, wrote);
    const bool mine = x->cluster == f->cluster && x->thread == f->thread;

    if (x->kind == COPY_WGMMA || f->kind == COPY_WGMMA)
        return wgmma_meets_copy(o, c, x, f);
    if (x->kind != COPY_CP_ASYNC && f->kind == COPY_CP_ASYNC && known)
        return (struct verdict){ &rule_cpasync_proxy_to_async, "fence.proxy.async between the wait and the operation" };
    if (loose)
        return (struct verdict){ loose, order_relaxed_remedy,
                                 x->kind == COPY_CP_ASYNC ? &rule_cpasync_order_pair_unordered
                                                          : &rule_bulk_order_none_between };
    if (x->kind == COPY_CP_ASYNC && f->kind == COPY_CP_ASYNC)
        return mine && x->group == f->group && has_groups(&o->thread[x->thread])
                   ? (struct verdict){ &rule_group_order_within_none, "commit and wait between the two copies",
                                       &rule_cpasync_order_pair_unordered }
                   : (struct verdict){ &rule_cpasync_order_pair_unordered,
                                       "wait for the first copy before the second" };
    const struct ck_rule *none = x->tensor && f->tensor ? &rule_tensor_order_none : &rule_bulk_order_none_between;
    const struct verdict missed = order_missed_group(o, c, f, none);

    if (x->again && x->kind == COPY_BULK_BAR && f->kind == COPY_BULK_BAR)
        return order_issued_again(o, x, none);
    if (missed.rule)
        return missed;
    if (f->kind == COPY_CP_ASYNC)
        return order_bulk_meets_cp_async(o, c, f);
    if (x->tensor && f->tensor)
        return (struct verdict){ none, order_mend_copies(x, f) };
    if (x->kind == COPY_BULK_GROUP && f->kind == COPY_BULK_GROUP && mine && x->group == f->group)
        return (struct verdict){ &rule_bulkgrp_unordered_inside, "commit and wait between the two operations" };
    if (f->cluster != o->number && wrote && order_source_alone_known(o, thread, f))
        return (struct verdict){ &rule_bulkgrp_read_not_visible, "wait without .read before the destination is used",
                                 none };
    if (!wrote)
        return (struct verdict){ none, order_mend_source(f, mine), &rule_bulk_src_stable };
    return (struct verdict){ none, order_mend_copies(x, f) };
}

/* A place at which one of two threads looks, or which it changes, by a strong access: a flag, not data behind one. */
static bool meet_at_flag(const struct order_conflict *c)
{
    return (c->kind | c->r->kind) & RECORD_STRONG;
}

static struct verdict data_race(const struct order *o, const struct order_conflict *c);

/* A cp.async and an access of another thread that ran before it here, and might as well have run after it. */
static struct verdict cp_async_comes_between(const struct order *o, const struct order_conflict *c, bool writes,
                                             bool wrote)
{
    if (writes && !wrote && order_thread_of(o, c->r->who) && order_knew_before(o, c, c->r->who - o->base))
        return (struct verdict){ &rule_cpasync_order_war_dst, "a barrier between the reads and the next copy" };
    if (c->r->kind & RECORD_STRONG)
        return (struct verdict){ &rule_cpasync_weak,
                                 "order the access by a wait and a synchronisation, not by its strength" };
    if (writes && wrote)
        return (struct verdict){ &rule_cpasync_order_write_dst_early, "order the write and the copy" };
    if (wrote)
        return (struct verdict){ &rule_cpasync_order_write_src_early,
                                 "order the write before the copy or after its wait" };
    return (struct verdict){ &rule_cpasync_visibility_others,
                             "the copier waits, then the two threads synchronise, then the other reads" };
}

/* The write came after the thread's last wait at an mbarrier, as far as one can tell. */
static bool wrote_after_wait(const struct order_thread *x, const struct order_record *r)
{
    return x->bar_epoch == r->epoch && x->bar_at < r->at;
}

static struct verdict copy_meets_thread(const struct order *o, const struct order_conflict *c,
                                        const struct order_flight *x)
{
    const uint32_t thread = order_number(o, c->t), who = c->r->who;
    const bool wrote = c->r->kind & RECORD_WRITE, writes = c->kind & RECORD_WRITE, shared = order_is_shared(c->key);
    const enum order_view other = shared ? VIEW_ASYNC_GLOBAL : VIEW_ASYNC_SHARED;

    if (who != o->base + thread && order_known_of(o, thread, VIEW_GENERIC, who, OWN_NOW) < c->r->epoch &&
        !(shared && order_known_of(o, thread, VIEW_SHARED, who, OWN_NOW) >= c->r->epoch)) {
        if (order_known_of(o, thread, VIEW_LOOSE, who, OWN_NOW) >= c->r->epoch)
            return data_race(o, c);
        if (x->kind == COPY_CP_ASYNC)
            return cp_async_comes_between(o, c, writes, wrote);
        if (x->kind == COPY_WGMMA)
            return (struct verdict){ &rule_wgmma_smem_written,
                                     "fence.proxy.async, then a barrier, between the write and wgmma" };
        if (order_thread_of(o, who) && order_waited_for_old_phase(o, order_thread_of(o, who), x) &&
            (!wrote || (writes && wrote_after_wait(order_thread_of(o, who), c->r))))
            return (struct verdict){ &rule_mbarrier_phase_parity_alternates, order_old_phase_remedy,
                                     wrote ? &rule_bulk_weak : &rule_bulk_dst_no_early_read,
                                     .cause = order_instruction_at(o, order_thread_of(o, who)->bar_at) };
        if (wrote)
            return writes ? (struct verdict){ &rule_bulk_weak, "order the write and the copy" }
                          : (struct verdict){ &rule_bulk_src_stable,
                                              "order the write before the copy or after its completion" };
        if (order_thread_of(o, who) && order_announced_late(o, order_thread_of(o, who), x))
            return (struct verdict){ &rule_mbarrier_tx_wrong_phase, order_announce_remedy,
                                     &rule_bulk_dst_no_early_read };
        if (x->again && order_thread_of(o, who) && order_knew_before(o, c, who - o->base))
            return order_issued_again(o, x, &rule_bulk_dst_reuse_war);
        return order_thread_of(o, who) && order_knew_before(o, c, who - o->base)
                   ? (struct verdict){ &rule_bulk_dst_reuse_war, "a barrier between the reads and the next copy" }
                   : (struct verdict){ &rule_bulk_dst_no_early_read,
                                       x->kind == COPY_BULK_GROUP
                                           ? "the issuer waits with wait_group, then the two threads synchronise"
                                           : "wait on the copy's mbarrier before the destination is read" };
    }
    if (order_known_of(o, thread, other, who, OWN_NOW) >= c->r->epoch)
        return (struct verdict){ &rule_bulk_proxy_fence_space,
                                 shared ? "fence.proxy.async.shared::cta, or without a space"
                                        : "fence.proxy.async.global, or without a space",
                                 !wrote || writes ? NULL
                                 : !shared        ? &rule_bulk_proxy_g2s_needs_fence
                                 : x->tensor      ? &rule_tensor_store_fence
                                                  : &rule_bulk_proxy_s2g_needs_fence };
    if (x->kind == COPY_WGMMA)
        return (struct verdict){ &rule_wgmma_proxy, "fence.proxy.async after the writes; wgmma.fence is none" };
    if (!wrote)
        return (struct verdict){ &rule_fence_proxy_async_a2g_war, "fence.proxy.async after the reads" };
    if (writes)
        return (struct verdict){ &rule_fence_proxy_async_g2a, "fence.proxy.async after the writes" };
    if (!shared)
        return (struct verdict){ &rule_bulk_proxy_g2s_needs_fence, "fence.proxy.async after the writes" };
    return x->tensor
               ? (struct verdict){ &rule_tensor_store_fence, "fence.proxy.async.shared::cta after the writes" }
               : (struct verdict){ &rule_bulk_proxy_s2g_needs_fence, "fence.proxy.async.shared::cta after the writes",
                                   &rule_bulk_order_after_issuer };
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

/* Two threads edit a tensor map, or one edits what another copies out; no rule where neither is so. */
static struct verdict edits_race(const struct order *o, const struct order_conflict *c)
{
    const struct ptx_instruction *now = c->t->pc ? c->t->pc[-1].source : NULL,
                                 *before = order_instruction_at(o, c->r->at);
    const bool edits_now = now && now->op == OP_tensormap_replace;
    const bool edits_before = before && before->op == OP_tensormap_replace;

    if (edits_now && edits_before)
        return (struct verdict){ &rule_tmap_rep_weak_1024, "__syncwarp() or a barrier between the edits of two threads",
                                 &rule_order_data_race };
    if ((edits_before && now && now->op == OP_tensormap_cp_fenceproxy) ||
        (edits_now && before && before->op == OP_tensormap_cp_fenceproxy))
        return (struct verdict){ &rule_tmap_rep_local_order, "a barrier between the edits and the copy",
                                 &rule_order_data_race };
    return (struct verdict){ 0 };
}

/* The access at this instruction is between one of the thread's last two arrives at the cluster's barrier and the wait
 * for it. */
static bool between_cluster(const struct order_thread *t, uint32_t at)
{
    for (uint32_t i = t->cluster_arrivals; i + 2 > t->cluster_arrivals && i; i--)
        if (at > t->cluster_from[i & 1] && at < t->cluster_to[i & 1])
            return true;
    return false;
}

/* The thread ran ahead in this epoch: it arrived at an mbarrier and waited there for the wrong parity. */
static struct verdict ran_ahead(const struct order *o, const struct order_thread *x, uint32_t epoch)
{
    if (!x || !x->ahead[1] || epoch < x->ahead[0] || epoch > x->ahead[1])
        return (struct verdict){ 0 };
    return (struct verdict){ &rule_mbarrier_phase_parity_alternates,
                             "wait for the parity of the phase that the thread arrived in: the wait came true for a "
                             "phase that was over before",
                             &rule_order_data_race, .cause = order_instruction_at(o, x->bar_at) };
}

/* In this epoch the thread went on after a second wait for one phase of an mbarrier, at which the other thread arrives.
 */
static bool waited_again(const struct order *o, const struct order_thread *x, uint32_t epoch, uint32_t other)
{
    const uint32_t rank = (uint32_t)(x->bar_key >> 32) & 0xff;
    const struct emu_mbarrier *m = NULL;
    const struct life_thread *part;

    if (!x->bar_again || x->bar_epoch != epoch)
        return false;
    m = emu_mbarrier_find(&o->cluster->ctas[rank], (uint32_t)x->bar_key);
    part = m ? life_seen_by(m, emu_thread_at(o->cluster, other)) : NULL;
    return part && part->arrived;
}

static struct verdict waited_in_vain(const struct order *o, const struct order_conflict *c)
{
    const uint32_t thread = order_number(o, c->t), who = c->r->who;
    const struct order_thread *me = &o->thread[thread], *they = order_thread_of(o, who), *x = NULL;

    if (they && waited_again(o, me, me->view[VIEW_GENERIC].own[OWN_NOW], who - o->base))
        x = me;
    else if (they && waited_again(o, they, c->r->epoch, thread))
        x = they;
    if (!x)
        return (struct verdict){ 0 };
    const struct ptx_instruction *wait = order_instruction_at(o, x->bar_at);

    if (wait && !ptx_has(o->module, wait, PTX_parity))
        return (struct verdict){ &rule_order_data_race,
                                 "wait for the state of a later phase: a wait for the same state again comes true at "
                                 "once",
                                 .cause = wait };
    return (struct verdict){ &rule_mbarrier_phase_parity_alternates,
                             "wait for the other parity: a wait for the same phase again comes true at once",
                             &rule_order_data_race, .cause = wait };
}

/* In this epoch the thread has waited at an mbarrier for threads: it had arrived there itself, and no copy did. */
static bool waited_for_threads(const struct order_thread *x, uint32_t epoch)
{
    return x->bar_waited && x->bar_epoch == epoch && x->arrived_key == x->bar_key && !x->bar_bytes;
}

static struct verdict data_race(const struct order *o, const struct order_conflict *c)
{
    const uint32_t thread = order_number(o, c->t), who = c->r->who;
    const struct order_thread *me = &o->thread[thread], *they = order_thread_of(o, who);
    const uint32_t epoch = me->view[VIEW_GENERIC].own[OWN_NOW];
    const bool loosely = order_known_of(o, thread, VIEW_LOOSE, who, OWN_NOW) >= c->r->epoch;

    /* It went on after a wait that was false, and did not ask again. */
    if (me->vain || (they && they->vain && emu_thread_at(o->cluster, who - o->base)->state == EMU_EXITED))
        return (struct verdict){ &rule_mbarrier_try_wait_may_be_false, "ask in a loop until the wait returns true" };
    if (c->kind & c->r->kind & RECORD_STRONG) /* not data passed on by a flag, but a flag itself */
        return (struct verdict){ &rule_order_data_race,
                                 "a scope that includes the other thread, on both sides: .cluster, .gpu or .sys" };
    if (meet_at_flag(c))
        return (struct verdict){ &rule_order_data_race, "strong accesses on both sides, or a barrier between the two" };
    if (loosely && me->loose == &rule_fence_mp && they && they->groups[0].waited)
        return (struct verdict){ &rule_group_wait_only_cpasync, "st.release and ld.acquire of the flag" };
    if (order_known_of(o, thread, VIEW_SHARED, who, OWN_NOW) >= c->r->epoch)
        return (struct verdict){ &rule_fence_sync_restrict_limited, "a fence without .sync_restrict" };
    if (loosely && (me->loose || !they)) /* from cluster to cluster only flags lead */
        return (
            struct verdict){ they ? me->loose : &rule_fence_mp,
                             "release on one side and acquire on the other, with a scope that includes both threads" };
    const struct verdict early = ran_ahead(o, me, epoch);
    const struct verdict early_other = ran_ahead(o, they, c->r->epoch);

    if (early.rule || early_other.rule)
        return early.rule ? early : early_other;
    const struct verdict again = waited_in_vain(o, c);

    if (again.rule)
        return again;
    /* The access came right after the other thread's last release that is known here: an arrive, say. */
    if (they && they->arrived && they->view[VIEW_GENERIC].own[OWN_NOW] == c->r->epoch &&
        order_known_of(o, thread, VIEW_GENERIC, who, OWN_NOW) == c->r->epoch - 1) {
        if (they->bulk_epoch == c->r->epoch)
            return (struct verdict){ &rule_bulk_complete_not_transitive, "make the access before the arrive" };
        return (struct verdict){ &rule_mbarrier_arrive_after_unordered, "make the access before the arrive" };
    }
    if (they && me->arrived && !waited_for_threads(me, epoch) &&
        order_known(o, who - o->base, VIEW_GENERIC, order_component(thread, OWN_NOW)) == epoch - 1)
        return (struct verdict){ &rule_mbarrier_arrive_after_unordered, "make the access before the arrive" };
    if (they && (between_cluster(they, c->r->at) || between_cluster(me, order_instruction_now(o, c->t))))
        return (struct verdict){ &rule_cluster_barrier_between,
                                 "make the access before the arrive, or behind the wait" };
    const char *remedy = order_mend_race(o, c, they);
    const bool mine = waited_for_threads(me, epoch);
    if (they && (mine || waited_for_threads(they, c->r->epoch)))
        remedy = order_mend_phase(o, mine ? me : they);
    return (struct verdict){ &rule_order_data_race, remedy,
                             they && order_tied_to(they, me) ? &rule_cpmb_order_only_copies : NULL };
}

/* Two threads meet at one place. */
static struct verdict threads_race(const struct order *o, const struct order_conflict *c)
{
    const struct verdict edits = edits_race(o, c);

    return edits.rule ? edits : data_race(o, c);
}

/* ---- tensor maps ------------------------------------------------------------------------------------------------- */

static struct verdict map_is_in_use(const struct order_flight *f)
{
    return f->kind == COPY_BULK_GROUP
               ? (struct verdict){ &rule_bulkgrp_read_tensormap,
                                   "commit, and wait_group.read before the map is changed", &rule_tensor_map_stable }
               : (struct verdict){ &rule_tensor_map_stable, "wait on the copy's mbarrier before the map is changed",
                                   &rule_bulkgrp_load_optional };
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static const char *word_of(uint8_t kind, const struct order_flight *copy)
{
    if (copy && copy->kind == COPY_WGMMA)
        return "read by a wgmma of";
    if (copy)
        return kind & RECORD_WRITE ? "written by a copy of" : "read by a copy of";
    return kind & RECORD_ATOMIC ? "changed by" : kind & RECORD_WRITE ? "written by" : "read by";
}

void order_fence_words(const struct order *o, const struct emu_place *who, const struct ptx_instruction *fence,
                       const char *why, char *out, size_t size)
{
    char text[100] = "";
    const char *what = text;

    ptx_print(o->module, ptx_function_of(o->module, fence), fence, text, sizeof text);
    if (*what == '@') /* its predicate was true */
        what += strcspn(what, " ") + 1;
    ck_append(out, size, "thread %u,%u,%u of CTA %u,%u,%u executes %.*s (line %u), %s\n", who->tid[0], who->tid[1],
              who->tid[2], who->ctaid[0], who->ctaid[1], who->ctaid[2], (int)strcspn(what, ";"), what, fence->line,
              why);
}

/* A copy reads what a thread wrote, with no proxy fence between: the fences that are there, and why they do not help.
 */
static void fence_table(const struct order *o, const struct order_conflict *c, struct emu_finding *f)
{
    const struct order_thread *issuer = &o->thread[order_number(o, c->t)], *writer = order_thread_of(o, c->r->who);

    if (writer && writer->proxy_fence)
        order_fence_words(o, &f->there, writer->proxy_fence,
                          f->rule == &rule_bulk_proxy_fence_space
                              ? "which is for another memory"
                              : "but not between the write and what leads from it to the copy",
                          f->table, sizeof f->table);
    if (issuer != writer && issuer->proxy_fence)
        order_fence_words(o, &f->here, issuer->proxy_fence, "when it does not know of the write yet", f->table,
                          sizeof f->table);
    if (!*f->table && writer && writer->memory_fence)
        order_fence_words(o, &f->there, writer->memory_fence, "which does not reach the async proxy", f->table,
                          sizeof f->table);
}

static void file(struct order *o, struct emu_finding *f, const struct verdict *v)
{
    f->rule = v->rule;
    f->also[0] = v->also;
    f->also[1] = v->more;
    f->cause = v->cause;
    if (!*f->remedy)
        snprintf(f->remedy, sizeof f->remedy, "%s", v->remedy);
    emu_file(o->cluster->grid, f);
}

/* The rule says that threads are in order, but the other proxy is not told of it. */
static bool lacks_fence(const struct ck_rule *rule)
{
    return rule == &rule_bulk_proxy_fence_space || rule == &rule_bulk_proxy_g2s_needs_fence ||
           rule == &rule_bulk_proxy_s2g_needs_fence || rule == &rule_tensor_store_fence ||
           rule == &rule_fence_proxy_async_a2g_war || rule == &rule_fence_proxy_async_g2a || rule == &rule_wgmma_proxy;
}

/* A load that races with atomics alone and whose value an atom.cas checks is what the guide's own loop does: a remark.
 */
static void remark_guess(const struct order *o, const struct order_conflict *c, struct emu_finding *f)
{
    const bool later = c->r->kind & RECORD_ATOMIC && !(c->kind & RECORD_WRITE),
               earlier = c->kind & RECORD_ATOMIC && !(c->r->kind & RECORD_WRITE);
    const struct ptx_instruction *cas =
        later || earlier ? order_guess_of(o->module, later ? f->here.at : f->there.at) : NULL;
    const size_t said = strlen(f->message);

    if (!cas || f->rule != &rule_order_data_race)
        return;
    f->remark = true;
    f->flag = false;
    snprintf(f->message + said, sizeof f->message - said, "; what is read is a guess that atom.cas checks (line %u)",
             cas->line);
}

static void report(struct order *o, const struct order_conflict *c)
{
    const struct order_flight *before = flight_of(o, c->r->who);
    const struct order_flight *now = c->flight == PTX_NO ? NULL : order_flight_at(o, c->flight);
    const uint32_t thread = order_number(o, c->t),
                   other = before ? before->cluster * o->threads + before->thread : c->r->who;
    const bool foreign = other - o->base >= o->threads;
    static const char *const faults[] = { [FAULT_ORDER] = ", and nothing orders the two",
                                          [FAULT_SAME_VALUE] = ": the same value, and nothing orders the two",
                                          [FAULT_READ_ONLY] = ": the read is one of what nobody writes",
                                          [FAULT_CACHED] = ": in one launch, and texels are read through a cache" };
    struct emu_finding f = { .remark = c->fault == FAULT_SAME_VALUE && !o->cluster->grid->machine->options.check_same };
    struct verdict v;
    char what[160];

    if (order_is_systems(o, c->key))
        return;
    if (c->fault == FAULT_SAME_VALUE)
        v = (struct verdict){ &rule_order_same_value, "let one of the threads store, or order the stores" };
    else if (c->fault == FAULT_READ_ONLY)
        v = (struct verdict){ &rule_access_nc_written, "an ordinary load: no __ldg, const __restrict__ or .nc" };
    else if (c->fault == FAULT_CACHED)
        v = (struct verdict){ &rule_access_texture_written,
                              "read what was written in the next launch, or by plain loads" };
    else if (c->kind & RECORD_MAP)
        v = (struct verdict){ &rule_tensor_map_stable, "order the write of the map before the copy or after it" };
    else if (c->r->kind & RECORD_MAP && before)
        v = map_is_in_use(before);
    else if (now && before)
        v = copy_meets_copy(o, c, now, before);
    else if (now)
        v = copy_meets_thread(o, c, now);
    else if (before)
        v = order_meets_copy(o, c, before);
    else
        v = threads_race(o, c);
    order_place_of(o, thread,
                   now && now->kind == COPY_WGMMA ? now->at /* the product, and not what ends its group */
                   : c->t->pc                     ? (uint32_t)(c->t->pc[-1].source - o->module->instructions)
                                                  : PTX_NO,
                   c->key, c->bytes, &f.here);
    order_place(o, other, c->r->at, c->key, c->bytes, &f.there);
    if (emu_filed(o->cluster->grid, v.rule, f.here.at, f.there.at))
        return;
    f.signals = now && now->signals ? now->bar_offset + 1 : before && before->signals ? before->bar_offset + 1 : 0;
    order_bytes_words(o, c->key, c->bytes, what, sizeof what);
    snprintf(f.message, sizeof f.message,
             "%s: %s thread %u,%u,%u of CTA %u,%u,%u (line %u), %s thread %u,%u,%u of CTA %u,%u,%u (line %u)%s", what,
             word_of(c->r->kind, before), f.there.tid[0], f.there.tid[1], f.there.tid[2], f.there.ctaid[0],
             f.there.ctaid[1], f.there.ctaid[2], f.there.at ? f.there.at->line : 0, word_of(c->kind, now),
             f.here.tid[0], f.here.tid[1], f.here.tid[2], f.here.ctaid[0], f.here.ctaid[1], f.here.ctaid[2],
             f.here.at ? f.here.at->line : 0,
             lacks_fence(v.rule) ? ", with no proxy fence for this memory between the two" : faults[c->fault]);
    if (v.rule == &rule_group_wait_n || v.rule == &rule_bulkgrp_wait_n)
        order_group_remedy(o, before, order_group_wait_seen(o, before, thread), f.remedy, sizeof f.remedy);
    if (before && before->kind == COPY_WGMMA && v.rule == &rule_wgmma_smem_overwritten)
        v.cause = order_product_left(o, before, f.remedy, sizeof f.remedy);
    f.rule = v.rule;
    f.twins = now && before && order_are_twins(now, before);
    f.flag = v.rule == &rule_order_data_race && !now && !before && meet_at_flag(c);
    if (!now && !before)
        remark_guess(o, c, &f);
    if (v.rule == &rule_bulk_proxy_s2g_needs_fence || v.rule == &rule_tensor_store_fence ||
        v.rule == &rule_wgmma_proxy || v.rule == &rule_bulk_proxy_fence_space)
        fence_table(o, c, &f);
    order_mend_reuse(o, c, now ? now : before, v.rule, f.remedy, sizeof f.remedy);
    if (before && !foreign && (before->kind == COPY_CP_ASYNC || before->kind == COPY_BULK_GROUP))
        order_group_table(o, before, thread, f.table, sizeof f.table);
    file(o, &f, &v);
}

/* The access x and the one before it, and what is wrong with the two. */
static struct order_conflict conflict_of(const struct order_access *x, const struct order_record *r,
                                         enum order_fault fault)
{
    return (struct order_conflict){
        .t = x->t, .flight = x->flight, .kind = x->now.kind, .r = r, .fault = fault, .key = x->key, .bytes = x->n
    };
}

/* Lanes of a warp that copy the same bytes to the same place by one cp.async, as tiles of cooperative groups do where
 * elements run out: whichever copy lands last, it leaves the same. */
static bool lanes_copy_the_same(const struct order_access *x, const struct order_record *r)
{
    const struct order_flight *f = flight_of(x->o, r->who),
                              *now = x->flight == PTX_NO || !f ? NULL : order_flight_at(x->o, x->flight);

    return now && now->whole && f->whole && now->at == f->at && now->apart == f->apart && x->now.kind & RECORD_WRITE &&
           r->kind & RECORD_WRITE && now->cluster == f->cluster && now->thread != f->thread &&
           now->thread / x->o->per_cta == f->thread / x->o->per_cta &&
           now->thread % x->o->per_cta / EMU_WARP == f->thread % x->o->per_cta / EMU_WARP;
}

void order_conflict_at(struct order_access *x, const struct order_record *r, uint32_t before)
{
    struct order_conflict c = conflict_of(x, r, FAULT_ORDER);

    if (x->reported || lanes_copy_the_same(x, r))
        return;
    x->reported = true;
    if (order_is_prior(x->o, r->who)) {
        order_prior_report(x);
        return;
    }
    c.before = before;
    report(x->o, &c);
}

void order_same_value_at(struct order_access *x, const struct order_record *r)
{
    const struct order_conflict c = conflict_of(x, r, FAULT_SAME_VALUE);
    const struct ptx_instruction *at = order_instruction_at(x->o, x->now.at);

    if (!emu_filed(x->o->cluster->grid, &rule_order_same_value, at, at))
        report(x->o, &c);
}

void order_not_read_only_at(struct order_access *x, const struct order_record *r)
{
    const struct order_conflict c = conflict_of(x, r, x->cached ? FAULT_CACHED : FAULT_READ_ONLY);

    report(x->o, &c);
}
// SPDX-License-Identifier: Apache-2.0
