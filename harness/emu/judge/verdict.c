/* Which rule two unordered accesses break, and the finding that says so. */
#include "harness/emu/judge/verdict.h"

#include <stdio.h>
#include <string.h>

#include "harness/emu/judge/before.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/group.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"

/* Two accesses that break a rule. */
struct order_conflict {
    struct emu_thread *t; /* who accesses now */
    uint32_t flight;      /* by which copy, PTX_NO: itself */
    uint8_t kind;
    const struct order_record *r;                                              /* the access before */
    enum order_fault { FAULT_ORDER, FAULT_SAME_VALUE, FAULT_READ_ONLY } fault; /* what is wrong with the two */
    uint32_t before; /* 1 and the number of a copy that had written there earlier, or 0 */
    uint64_t key, bytes;
};

struct verdict {
    const struct ck_rule *rule;
    const char *remedy;
    const struct ck_rule *also, *more;   /* others that this fault breaks, or NULL */
    const struct ptx_instruction *cause; /* the instruction at fault, if it is neither of the two accesses; or NULL */
};

static const struct ptx_instruction *instruction(const struct order *o, uint32_t at)
{
    return at == PTX_NO ? NULL : &o->module->instructions[at];
}

static const struct order_flight *flight_of(const struct order *o, uint32_t who)
{
    return who & RECORD_FLIGHT ? order_flight_at(o, who & ~RECORD_FLIGHT) : NULL;
}

/* A thread of this cluster by its number in the grid; NULL: it is another cluster's. */
static const struct order_thread *thread_of(const struct order *o, uint32_t who)
{
    return who - o->base < o->threads ? &o->thread[who - o->base] : NULL;
}

/* ---- a thread meets a copy that is not known to be done --------------------------------------------------------- */

/* Whether this thread knows the copy done that had written there earlier: then it is late for that one's bytes, and the
 * copy in flight came too soon. */
static bool knew_before(const struct order *o, const struct order_conflict *c, uint32_t thread)
{
    const struct order_flight *f = c->before ? order_flight_at(o, c->before - 1) : NULL;

    return f && order_flight_known(o, f, thread, VIEW_GENERIC, true);
}

/* Another thread than the issuer waited for groups of this kind, and the issuer has not. */
static bool other_waited(const struct order *o, const struct order_flight *f, bool bulk)
{
    return o->waited[bulk] > f->tick && o->waiter[bulk] != f->thread &&
           o->thread[f->thread].groups[bulk].waited <= f->tick;
}

/* The thread knows the copy complete but for a relaxed operation on the way: the rule about that one, or NULL. */
static const struct ck_rule *known_loosely(const struct order *o, const struct order_flight *f, uint32_t thread,
                                           bool wrote)
{
    return order_flight_known(o, f, thread, VIEW_LOOSE, wrote) ? o->thread[thread].loose : NULL;
}

/* The thread's last mbarrier wait was on an mbarrier that the copy signals. */
static bool waited_for_copy(const struct order *o, const struct order_thread *me, const struct order_flight *f)
{
    if (!me->bar_waited)
        return false;
    for (uint32_t rank = 0; rank < o->cluster->cta_count; rank++)
        if (f->signals >> rank & 1 && order_shared_key(&o->cluster->ctas[rank], f->bar_offset) == me->bar_key)
            return true;
    return false;
}

/* It came true for a phase that the thread had seen complete before: it waited for the other parity than that of the
 * copy's phase. */
static bool waited_for_old_phase(const struct order *o, const struct order_thread *me, const struct order_flight *f)
{
    return me->bar_stale && waited_for_copy(o, me, f);
}

/* It came true for a new phase that completed without a byte: the copy's bytes were announced too late for it. */
static bool announced_late(const struct order *o, const struct order_thread *me, const struct order_flight *f)
{
    return !me->bar_stale && !me->bar_bytes && waited_for_copy(o, me, f);
}

static const char *const old_phase_remedy =
    "wait for the parity of the phase that the copy completes: the wait came true for a phase that was over before";
static const char *const announce_remedy = "expect_tx for the bytes before the last arrival of the phase";
static const char *const relaxed_remedy =
    "release and acquire in place of relaxed, or a fence before the one and behind the other";

/* The thread has executed cp.async.mbarrier.arrive on the mbarrier that this one waited on last. */
static bool tied_to(const struct order_thread *issuer, const struct order_thread *me)
{
    return issuer->tied && me->bar_waited && issuer->tied_key == me->bar_key;
}

/* Why a wait on an mbarrier to which the copies of a thread are tied does not cover this one; NULL: it is another
 * mbarrier. */
static const struct ck_rule *tied_wrongly(const struct order_thread *issuer, const struct order_thread *me,
                                          const struct order_flight *f)
{
    if (!tied_to(issuer, me))
        return NULL;
    return issuer->tied > f->tick ? &rule_cpmb_inc_before_arrive : &rule_cpmb_not_later;
}

/* The copy is tied to an mbarrier, and nobody waited on it. */
static const struct ck_rule *tied_only(const struct order_thread *issuer, const struct order_flight *f)
{
    return issuer->tied > f->tick ? &rule_cpmb_async : NULL;
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

/* What a thread that meets a copy of a group knows of it. */
struct meeting {
    const struct order_thread *me, *issuer;
    bool mine, writes, wrote;      /* it is its own copy; it writes; the copy writes these bytes */
    bool waited;                   /* by now the issuer has waited for the copy */
    bool synced;                   /* the thread comes after the copy's issue */
    bool fresh;                    /* the thread's own wait would cover such a copy, and it has told nobody since */
    const struct order_wait *wait; /* the issuer's last wait after the issue that it comes after, or NULL */
};

static struct meeting meeting_of(const struct order *o, const struct order_conflict *c, const struct order_flight *f)
{
    const uint32_t thread = order_number(o, c->t);
    const bool bulk = f->kind == COPY_BULK_GROUP, wrote = c->r->kind & RECORD_WRITE;
    const struct order_thread *me = &o->thread[thread], *issuer = &o->thread[f->thread];
    const struct order_groups *g = &me->groups[bulk];
    const struct order_wait *last = g->waits ? &g->wait[(g->waits - 1) % WAITS] : NULL;
    const enum order_own own = !bulk ? OWN_CP : wrote ? OWN_BULK : OWN_READ;

    return (struct meeting){
        .me = me,
        .issuer = issuer,
        .mine = thread == f->thread,
        .writes = c->kind & RECORD_WRITE,
        .wrote = wrote,
        .waited = issuer->view[VIEW_GENERIC].own[own] >= f->sequence,
        .synced = order_known(o, thread, VIEW_GENERIC, order_component(f->thread, OWN_NOW)) >= f->epoch,
        .fresh = thread != f->thread && last && last->tick > f->tick && g->issued &&
                 last->epoch == me->view[VIEW_GENERIC].own[OWN_NOW] && !order_wait_leaves(last, f->group) &&
                 !order_wait_too_early(last, f->group),
        .wait = order_group_wait_seen(o, f, thread),
    };
}

/* This thread waited for groups of the copy's kind, and had none of its own or met one that its issuer never waited
 * for. */
static bool waited_in_vain(const struct meeting *x, const struct order_flight *f)
{
    const struct order_groups *g = &x->me->groups[f->kind == COPY_BULK_GROUP];

    return !x->mine && g->waited &&
           (!g->issued || (x->synced && !x->wait && !x->fresh && g->waited > f->tick && !x->waited));
}

/* The copy's own thread waited, and the wait left the copy's group in flight. */
static bool left_in_flight(const struct meeting *x, const struct order_flight *f)
{
    return x->wait && !x->fresh && order_wait_leaves(x->wait, f->group);
}

/* The copy's own thread waited before it had committed the copy. */
static bool not_committed(const struct meeting *x, const struct order_flight *f)
{
    return x->wait && !x->fresh && order_wait_too_early(x->wait, f->group);
}

/* The last wait of the thread that meets the copy. */
static const struct ptx_instruction *own_wait(const struct order *o, const struct meeting *x, bool bulk)
{
    const struct order_groups *g = &x->me->groups[bulk];

    return instruction(o, g->wait[(g->waits - 1) % WAITS].at);
}

static const struct ck_rule *too_early_cp_async(const struct meeting *x)
{
    return !x->wrote   ? &rule_cpasync_order_write_src_early
           : x->writes ? &rule_cpasync_order_write_dst_early
           : x->mine   ? &rule_cpasync_order_read_early
                       : &rule_cpasync_visibility_others;
}

static struct verdict meets_cp_async(const struct order *o, const struct order_conflict *c,
                                     const struct order_flight *f)
{
    const struct meeting m = meeting_of(o, c, f), *x = &m;

    if (!x->mine && x->waited && known_loosely(o, f, order_number(o, c->t), x->wrote))
        return (struct verdict){ x->me->loose, relaxed_remedy, too_early_cp_async(x) };
    if (not_committed(x, f))
        return (struct verdict){ x->wait->open ? &rule_group_commit_not_later : &rule_group_wait_uncommitted,
                                 "commit the copy before the wait", .cause = instruction(o, x->wait->at) };
    if ((x->mine || x->synced) && x->issuer->groups[0].waited <= f->tick && x->issuer->groups[1].waited > f->tick)
        return (struct verdict){ &rule_group_bulk_separate, "wait with cp.async.wait_group or wait_all" };
    if (left_in_flight(x, f))
        return (struct verdict){ &rule_group_wait_n, "wait for the copy before the access", too_early_cp_async(x),
                                 order_wait_in_tail(o, f, x->wait) ? &rule_group_empty_counts : NULL,
                                 instruction(o, x->wait->at) };
    if (!x->mine && !x->writes && !(x->synced && x->fresh) && knew_before(o, c, order_number(o, c->t)))
        return (struct verdict){ &rule_cpasync_order_war_dst, "a barrier between the reads and the next copy" };
    if (waited_in_vain(x, f))
        return (struct verdict){ &rule_group_per_thread, "let the thread that issued the copy wait for it",
                                 .cause = own_wait(o, x, false) };
    if (!x->mine && c->kind & RECORD_STRONG)
        return (struct verdict){ &rule_cpasync_weak,
                                 "order the access by a wait and a synchronisation, not by its strength" };
    if (x->me->bar_waited > f->tick && !x->waited)
        return (struct verdict){ &rule_mbarrier_wait_async_not_covered,
                                 "tie the copy to the mbarrier with cp.async.mbarrier.arrive, or wait for its group",
                                 tied_wrongly(x->issuer, x->me, f) };
    if (!x->wrote || x->writes)
        return (struct verdict){ too_early_cp_async(x), "move the write after the wait for the copy" };
    if (!x->mine)
        return (struct verdict){ &rule_cpasync_visibility_others,
                                 "the copier waits, then the two threads synchronise, then the other reads",
                                 tied_only(x->issuer, f) };
    if (x->me->view[VIEW_GENERIC].own[OWN_NOW] > f->epoch || x->me->slept > f->tick)
        return (
            struct verdict){ &rule_cpasync_visibility_nothing_else,
                             "wait with cp.async.wait_group, wait_all or an mbarrier: a barrier or fence is not a wait",
                             tied_only(x->issuer, f) };
    return (struct verdict){ &rule_cpasync_order_read_early, "wait for the copy before the read",
                             tied_only(x->issuer, f) };
}

/* A write that comes after the issue of the copy that was to carry it. */
static const struct ck_rule *behind_issue(const struct order *o, uint32_t thread, const struct order_flight *f)
{
    return order_known(o, thread, VIEW_GENERIC, order_component(f->thread, OWN_NOW)) >= f->epoch
               ? &rule_bulk_order_after_issuer
               : NULL;
}

static struct verdict meets_bulk_group(const struct order *o, const struct order_conflict *c,
                                       const struct order_flight *f)
{
    const struct meeting m = meeting_of(o, c, f), *x = &m;
    const uint32_t *own = x->issuer->view[VIEW_GENERIC].own;
    const struct ck_rule *early = !x->wrote   ? &rule_bulk_src_stable
                                  : x->writes ? &rule_bulk_weak
                                              : &rule_bulk_dst_no_early_read;

    if (!x->mine && x->waited && known_loosely(o, f, order_number(o, c->t), x->wrote))
        return (struct verdict){ x->me->loose, relaxed_remedy,
                                 x->wrote ? &rule_bulkgrp_wait_visible_issuer_only : early };
    if (not_committed(x, f))
        return (struct verdict){ &rule_bulkgrp_uncommitted, "commit the operation before the wait",
                                 .cause = instruction(o, x->wait->at) };
    if ((x->mine || x->synced) && x->issuer->groups[1].waited <= f->tick && x->issuer->groups[0].waited > f->tick)
        return (struct verdict){ &rule_bulkgrp_separate_nonbulk, "wait with cp.async.bulk.wait_group" };
    if (left_in_flight(x, f))
        return (struct verdict){ &rule_bulkgrp_wait_n, "wait for the operation before the access", early,
                                 order_wait_in_tail(o, f, x->wait) ? &rule_bulkgrp_commit_empty : NULL,
                                 instruction(o, x->wait->at) };
    if (waited_in_vain(x, f))
        return (struct verdict){ &rule_bulkgrp_per_thread, "let the thread that issued the operation wait for it",
                                 .cause = own_wait(o, x, true) };
    if (!x->wrote && other_waited(o, f, true))
        return (struct verdict){ &rule_bulk_wait_store_issuer_only,
                                 "let the thread that issued the store wait for it" };
    if (x->wrote && own[OWN_READ] >= f->sequence && own[OWN_BULK] < f->sequence)
        return (struct verdict){ &rule_bulkgrp_read_not_visible, "wait without .read before the destination is used" };
    if (!x->mine && x->wrote && x->waited)
        return (struct verdict){ &rule_bulkgrp_wait_visible_issuer_only,
                                 "synchronise with the issuing thread after its wait_group" };
    if (!x->wrote)
        return (struct verdict){ early, "wait with wait_group.read before the source is written",
                                 behind_issue(o, order_number(o, c->t), f) };
    return (struct verdict){ early, x->writes ? "wait with wait_group before the destination is written"
                                              : "wait with wait_group before the destination is read" };
}

static struct verdict meets_bulk_bar(const struct order *o, const struct order_conflict *c,
                                     const struct order_flight *f)
{
    const uint32_t thread = order_number(o, c->t);
    const struct order_thread *me = &o->thread[thread];
    const bool mine = thread == f->thread;

    if (known_loosely(o, f, thread, c->r->kind & RECORD_WRITE))
        return (struct verdict){ me->loose, relaxed_remedy,
                                 me->loose == &rule_mbarrier_wait_relaxed_no_order ? &rule_bulk_complete_release_cluster
                                                                                   : NULL };
    if (!(c->r->kind & RECORD_WRITE))
        return (struct verdict){ &rule_bulk_src_stable, "wait on the copy's mbarrier before the source is written",
                                 behind_issue(o, thread, f) };
    if (c->kind & RECORD_WRITE)
        return (struct verdict){ &rule_bulk_weak, "wait on the copy's mbarrier before the destination is written" };
    if (waited_for_old_phase(o, me, f))
        return (struct verdict){ &rule_mbarrier_phase_parity_alternates, old_phase_remedy, &rule_bulk_dst_no_early_read,
                                 .cause = instruction(o, me->bar_at) };
    if (announced_late(o, me, f))
        return (struct verdict){ &rule_mbarrier_tx_wrong_phase, announce_remedy, &rule_bulk_dst_no_early_read };
    if (!mine && (knew_before(o, c, thread) || waited_for_copy(o, me, f))) /* it is late for the copy before */
        return (struct verdict){ &rule_bulk_dst_reuse_war, "a barrier between the reads and the next copy" };
    if (me->bar_waited > f->tick)
        return (struct verdict){ &rule_mbarrier_wait_async_not_covered, "wait on the mbarrier that the copy signals",
                                 tied_to(&o->thread[f->thread], me) ? &rule_cpmb_only_nonbulk : NULL };
    return (struct verdict){ &rule_bulk_dst_no_early_read,
                             "wait on the copy's mbarrier before the destination is read" };
}

/* A copy of another cluster: its thread passes on by a flag that it is done. */
static struct verdict meets_foreign_copy(const struct order *o, const struct order_conflict *c,
                                         const struct order_flight *f)
{
    const uint32_t thread = order_number(o, c->t), issuer = f->cluster * o->threads + f->thread;
    const bool writes = c->kind & RECORD_WRITE;

    if (!(c->r->kind & RECORD_WRITE))
        return f->kind == COPY_CP_ASYNC
                   ? (struct
                      verdict){ &rule_cpasync_order_write_src_early,
                                "wait for the copy, and tell the writer by a release and an acquire at gpu scope" }
                   : (struct verdict){
                         &rule_bulk_src_stable,
                         "wait for the copy, and tell the writer by a release and an acquire at gpu scope"
                     };
    if (writes || f->kind != COPY_BULK_GROUP)
        return (struct verdict){ &rule_bulk_weak, "wait for the copy before the destination is written" };
    if (order_known_of(o, thread, VIEW_GENERIC, issuer, OWN_READ) >= f->sequence)
        return (struct verdict){ &rule_bulkgrp_read_not_visible, "wait without .read before the destination is used" };
    return (struct verdict){ &rule_bulkgrp_wait_visible_issuer_only,
                             "the issuer waits, then releases a flag at gpu scope that the reader acquires" };
}

/* ---- a copy meets something ------------------------------------------------------------------------------------- */

static struct verdict copy_meets_copy(const struct order *o, const struct order_conflict *c,
                                      const struct order_flight *x, const struct order_flight *f)
{
    const uint32_t thread = order_number(o, c->t);
    const bool wrote = c->r->kind & RECORD_WRITE, known = order_flight_known(o, f, thread, VIEW_GENERIC, wrote);
    const struct ck_rule *loose = known ? NULL : known_loosely(o, f, thread, wrote);
    const bool mine = x->cluster == f->cluster && x->thread == f->thread;

    if (x->kind != COPY_CP_ASYNC && f->kind == COPY_CP_ASYNC && known)
        return (struct verdict){ &rule_cpasync_proxy_to_async, "fence.proxy.async between the wait and the operation" };
    if (loose)
        return (struct verdict){ loose, relaxed_remedy,
                                 x->kind == COPY_CP_ASYNC ? &rule_cpasync_order_pair_unordered
                                                          : &rule_bulk_order_none_between };
    if (x->kind == COPY_CP_ASYNC && f->kind == COPY_CP_ASYNC)
        return mine && x->group == f->group
                   ? (struct verdict){ &rule_group_order_within_none, "commit and wait between the two copies",
                                       &rule_cpasync_order_pair_unordered }
                   : (struct verdict){ &rule_cpasync_order_pair_unordered,
                                       "wait for the first copy before the second" };
    if (x->tensor && f->tensor)
        return (struct verdict){ &rule_tensor_order_none, "wait for the first operation before the second" };
    if (x->kind == COPY_BULK_GROUP && f->kind == COPY_BULK_GROUP && mine && x->group == f->group)
        return (struct verdict){ &rule_bulkgrp_unordered_inside, "commit and wait between the two operations" };
    return (struct verdict){ &rule_bulk_order_none_between, "wait for the first operation before the second" };
}

static struct verdict data_race(const struct order *o, const struct order_conflict *c);

/* A cp.async and an access of another thread that ran before it here, and might as well have run after it. */
static struct verdict cp_async_comes_between(const struct order *o, const struct order_conflict *c, bool writes,
                                             bool wrote)
{
    if (writes && !wrote && thread_of(o, c->r->who) && knew_before(o, c, c->r->who - o->base))
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
        if (wrote)
            return writes ? (struct verdict){ &rule_bulk_weak, "order the write and the copy" }
                          : (struct verdict){ &rule_bulk_src_stable,
                                              "order the write before the copy or after its completion" };
        if (thread_of(o, who) && waited_for_old_phase(o, thread_of(o, who), x))
            return (struct verdict){ &rule_mbarrier_phase_parity_alternates, old_phase_remedy,
                                     &rule_bulk_dst_no_early_read, .cause = instruction(o, thread_of(o, who)->bar_at) };
        if (thread_of(o, who) && announced_late(o, thread_of(o, who), x))
            return (struct verdict){ &rule_mbarrier_tx_wrong_phase, announce_remedy, &rule_bulk_dst_no_early_read };
        return thread_of(o, who) && knew_before(o, c, who - o->base)
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
    const struct ptx_instruction *now = c->t->pc ? c->t->pc[-1].source : NULL, *before = instruction(o, c->r->at);
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

static struct verdict data_race(const struct order *o, const struct order_conflict *c)
{
    const uint32_t thread = order_number(o, c->t), who = c->r->who;
    const struct order_thread *me = &o->thread[thread], *they = thread_of(o, who);
    const bool loosely = order_known_of(o, thread, VIEW_LOOSE, who, OWN_NOW) >= c->r->epoch;

    /* It went on after a wait that was false, and did not ask again. */
    if (me->vain || (they && they->vain && emu_thread_at(o->cluster, who - o->base)->state == EMU_EXITED))
        return (struct verdict){ &rule_mbarrier_try_wait_may_be_false, "ask in a loop until the wait returns true" };
    if ((c->kind | c->r->kind) & RECORD_STRONG) /* not data passed on by a flag, but a flag itself */
        return (struct verdict){ &rule_order_data_race, "strong accesses on both sides, or a barrier between the two" };
    if (loosely && me->loose == &rule_fence_mp && they && they->groups[0].waited)
        return (struct verdict){ &rule_group_wait_only_cpasync, "st.release and ld.acquire of the flag" };
    if (order_known_of(o, thread, VIEW_SHARED, who, OWN_NOW) >= c->r->epoch)
        return (struct verdict){ &rule_fence_sync_restrict_limited, "a fence without .sync_restrict" };
    if (loosely && (me->loose || !they)) /* from cluster to cluster only flags lead */
        return (
            struct verdict){ they ? me->loose : &rule_fence_mp,
                             "release on one side and acquire on the other, with a scope that includes both threads" };
    /* The access came right after the other thread's last release that is known here: an arrive, say. */
    if (they && they->arrived && they->view[VIEW_GENERIC].own[OWN_NOW] == c->r->epoch &&
        order_known_of(o, thread, VIEW_GENERIC, who, OWN_NOW) == c->r->epoch - 1) {
        if (they->bulk_epoch == c->r->epoch)
            return (struct verdict){ &rule_bulk_complete_not_transitive, "make the access before the arrive" };
        return (struct verdict){ &rule_mbarrier_arrive_after_unordered, "make the access before the arrive" };
    }
    if (they && me->arrived &&
        order_known(o, who - o->base, VIEW_GENERIC, order_component(thread, OWN_NOW)) ==
            me->view[VIEW_GENERIC].own[OWN_NOW] - 1)
        return (struct verdict){ &rule_mbarrier_arrive_after_unordered, "make the access before the arrive" };
    if (they && (between_cluster(they, c->r->at) || between_cluster(me, order_instruction_now(o, c->t))))
        return (struct verdict){ &rule_cluster_barrier_between,
                                 "make the access before the arrive, or behind the wait" };
    return (struct verdict){ &rule_order_data_race, "a barrier, or a release and an acquire, between the two accesses",
                             they && tied_to(they, me) ? &rule_cpmb_order_only_copies : NULL };
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

static const char *word_of(uint8_t kind, bool copy)
{
    if (copy)
        return kind & RECORD_WRITE ? "written by a copy of" : "read by a copy of";
    return kind & RECORD_ATOMIC ? "changed by" : kind & RECORD_WRITE ? "written by" : "read by";
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

static void report(struct order *o, const struct order_conflict *c)
{
    const struct order_flight *before = flight_of(o, c->r->who);
    const struct order_flight *now = c->flight == PTX_NO ? NULL : order_flight_at(o, c->flight);
    const uint32_t thread = order_number(o, c->t),
                   other = before ? before->cluster * o->threads + before->thread : c->r->who;
    const bool foreign = other - o->base >= o->threads;
    static const char *const faults[] = { [FAULT_ORDER] = ", and nothing orders the two",
                                          [FAULT_SAME_VALUE] = ": the same value, and nothing orders the two",
                                          [FAULT_READ_ONLY] = ": the read is one of what nobody writes" };
    struct emu_finding f = { .remark = c->fault == FAULT_SAME_VALUE && !o->cluster->grid->machine->options.check_same };
    struct verdict v;
    char what[120];

    if (c->fault == FAULT_SAME_VALUE)
        v = (struct verdict){ &rule_order_same_value, "let one of the threads store, or order the stores" };
    else if (c->fault == FAULT_READ_ONLY)
        v = (struct verdict){ &rule_access_nc_written, "an ordinary load: no __ldg, const __restrict__ or .nc" };
    else if (c->kind & RECORD_MAP)
        v = (struct verdict){ &rule_tensor_map_stable, "order the write of the map before the copy or after it" };
    else if (c->r->kind & RECORD_MAP && before)
        v = map_is_in_use(before);
    else if (now && before)
        v = copy_meets_copy(o, c, now, before);
    else if (now)
        v = copy_meets_thread(o, c, now);
    else if (!before)
        v = edits_race(o, c).rule ? edits_race(o, c) : data_race(o, c);
    else if (foreign)
        v = meets_foreign_copy(o, c, before);
    else if (before->kind == COPY_CP_ASYNC)
        v = meets_cp_async(o, c, before);
    else if (before->kind == COPY_BULK_GROUP)
        v = meets_bulk_group(o, c, before);
    else
        v = meets_bulk_bar(o, c, before);
    order_place_of(o, thread, c->t->pc ? (uint32_t)(c->t->pc[-1].source - o->module->instructions) : PTX_NO, c->key,
                   c->bytes, &f.here);
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
             f.here.at ? f.here.at->line : 0, faults[c->fault]);
    if (v.rule == &rule_group_wait_n || v.rule == &rule_bulkgrp_wait_n)
        order_group_remedy(o, before, order_group_wait_seen(o, before, thread), f.remedy, sizeof f.remedy);
    if (before && !foreign && before->kind != COPY_BULK_BAR)
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

void order_conflict_at(struct order_access *x, const struct order_record *r, uint32_t before)
{
    struct order_conflict c = conflict_of(x, r, FAULT_ORDER);

    if (x->reported)
        return;
    x->reported = true;
    c.before = before;
    report(x->o, &c);
}

void order_same_value_at(struct order_access *x, const struct order_record *r)
{
    const struct order_conflict c = conflict_of(x, r, FAULT_SAME_VALUE);
    const struct ptx_instruction *at = instruction(x->o, x->now.at);

    if (!emu_filed(x->o->cluster->grid, &rule_order_same_value, at, at))
        report(x->o, &c);
}

void order_not_read_only_at(struct order_access *x, const struct order_record *r)
{
    const struct order_conflict c = conflict_of(x, r, FAULT_READ_ONLY);

    report(x->o, &c);
}
