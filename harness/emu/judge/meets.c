/* Which rule a thread breaks that meets a copy that is not known to be done. */
#include "harness/emu/judge/meets.h"

#include "harness/emu/judge/before.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/group.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/machine/thread.h"

const struct ptx_instruction *order_instruction_at(const struct order *o, uint32_t at)
{
    return at == PTX_NO ? NULL : &o->module->instructions[at];
}

/* A thread of this cluster by its number in the grid; NULL: it is another cluster's. */
const struct order_thread *order_thread_of(const struct order *o, uint32_t who)
{
    return who - o->base < o->threads ? &o->thread[who - o->base] : NULL;
}

/* Whether this thread knows the copy done that had written there earlier: then it is late for that one's bytes, and the
 * copy in flight came too soon. */
bool order_knew_before(const struct order *o, const struct order_conflict *c, uint32_t thread)
{
    const struct order_flight *f = c->before ? order_flight_at(o, c->before - 1) : NULL;

    return f && order_flight_known(o, f, thread, VIEW_GENERIC, true);
}

/* Whether the copy took what the thread had read, and the thread went on to something else before it read again: it has
 * left out a wait, and is not late. One that reads again behind its own arrival alone is. */
static bool left_out_wait(const struct order *o, const struct order_thread *me, const struct order_flight *f)
{
    const struct order_flight *taken = me->taken ? order_flight_at(o, me->taken - 1) : NULL;
    const bool alone = me->arrived || me->met == me->view[VIEW_GENERIC].own[OWN_NOW];

    if (!taken || taken->kind != f->kind ||
        (f->kind == COPY_BULK_BAR ? taken->bar_offset != f->bar_offset || taken->issued_in != f->issued_in
                                  : taken->at != f->at || taken->sequence != f->sequence))
        return false;
    return !alone || (me->bar_waited && me->bar_epoch > me->taken_epoch);
}

/* Another thread than the issuer waited for groups of this kind, and the issuer has not. */
static bool other_waited(const struct order *o, const struct order_flight *f, bool bulk)
{
    return o->waited[bulk] > f->tick && o->waiter[bulk] != f->thread &&
           o->thread[f->thread].groups[bulk].waited <= f->tick;
}

/* The thread knows the copy complete but for a relaxed operation on the way: the rule about that one, or NULL. */
const struct ck_rule *order_known_loosely(const struct order *o, const struct order_flight *f, uint32_t thread,
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

/* The mbarrier on which the thread waited last; NULL: it is not followed. */
static const struct order_bar *last_bar(const struct order *o, const struct order_thread *me)
{
    for (uint32_t i = 0; i < o->bar_count; i++)
        if (o->bars[i].key == me->bar_key && o->bars[i].component != PTX_NO)
            return &o->bars[i];
    return NULL;
}

/* It came true for a phase that the thread had seen complete before, and of the object that is there now: it waited for
 * the other parity than that of the copy's phase. */
bool order_waited_for_old_phase(const struct order *o, const struct order_thread *me, const struct order_flight *f)
{
    const struct order_bar *b = me->bar_stale && waited_for_copy(o, me, f) ? last_bar(o, me) : NULL;

    return b && b->before == me->bar_before;
}

/* The thread comes after the copy's issue, and has not waited on its mbarrier since: it is early for this copy's bytes,
 * not late for those that were there before. */
static bool knows_of_issue_alone(const struct order *o, const struct order_thread *me, const struct order_flight *f)
{
    return (me->bar_waited <= f->tick || !waited_for_copy(o, me, f)) &&
           order_known(o, (uint32_t)(me - o->thread), VIEW_GENERIC, order_component(f->thread, OWN_NOW)) >= f->epoch;
}

/* The thread waited for the phase in which the copy was issued: it completed without the copy. */
static bool left_by_phase(const struct order *o, const struct order_thread *me, const struct order_flight *f)
{
    const struct order_bar *b = f->issued_in != PTX_NO && waited_for_copy(o, me, f) ? last_bar(o, me) : NULL;

    return b && b->seen && (b->seen[me - o->thread] & ~SEEN_USED) > f->issued_in;
}

/* It came true for a new phase that completed without a byte: the copy's bytes were announced too late for it. */
bool order_announced_late(const struct order *o, const struct order_thread *me, const struct order_flight *f)
{
    return !me->bar_stale && !me->bar_bytes && waited_for_copy(o, me, f);
}

const char order_old_phase_remedy[] =
    "wait for the parity of the phase that the copy completes: the wait came true for a phase that was over before";
const char order_announce_remedy[] = "expect_tx for the bytes before the last arrival of the phase";
const char order_relaxed_remedy[] =
    "release and acquire in place of relaxed, or a fence before the one and behind the other";

struct verdict order_issued_again(const struct order *o, const struct order_flight *f, const struct ck_rule *also)
{
    return (struct verdict){ &rule_mbarrier_phase_parity_alternates,
                             "wait for the other parity before the copy: a wait for the same phase again comes true at "
                             "once",
                             also, .cause = order_instruction_at(o, f->again_at) };
}

/* The thread has executed cp.async.mbarrier.arrive on the mbarrier that this one waited on last. */
bool order_tied_to(const struct order_thread *issuer, const struct order_thread *me)
{
    return issuer->tied && me->bar_waited && issuer->tied_key == me->bar_key;
}

/* Why a wait on an mbarrier to which the copies of a thread are tied does not cover this one; NULL: it is another
 * mbarrier. */
static const struct ck_rule *tied_wrongly(const struct order_thread *issuer, const struct order_thread *me,
                                          const struct order_flight *f)
{
    if (!order_tied_to(issuer, me) || (issuer->tied > f->tick && issuer->tied_noinc))
        return NULL;
    return issuer->tied > f->tick ? &rule_cpmb_inc_before_arrive : &rule_cpmb_not_later;
}

static const char *tie_remedy(const struct ck_rule *tied)
{
    if (tied == &rule_cpmb_not_later)
        return "cp.async.mbarrier.arrive behind the copies: it says nothing of copies that are issued later";
    if (tied)
        return "cp.async.mbarrier.arrive.noinc, or cp.async.mbarrier.arrive before the thread's own arrival: without "
               ".noinc it counts for none, and no phase waits for it";
    return "tie the copy to the mbarrier with cp.async.mbarrier.arrive, or wait for its group";
}

/* The copy is tied to an mbarrier, and nobody waited on it. */
static const struct ck_rule *tied_only(const struct order_thread *issuer, const struct order_flight *f)
{
    return issuer->tied > f->tick ? &rule_cpmb_async : NULL;
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

    return order_instruction_at(o, g->wait[(g->waits - 1) % WAITS].at);
}

static const char commit_remedy[] =
    "commit what was issued before the wait: the wait leaves this group in flight as it counts one group too few";

static const struct ck_rule *too_early_cp_async(const struct meeting *x)
{
    return !x->wrote   ? &rule_cpasync_order_write_src_early
           : x->writes ? &rule_cpasync_order_write_dst_early
           : x->mine   ? &rule_cpasync_order_read_early
                       : &rule_cpasync_visibility_others;
}

/* A thread reads what another one's cp.async writes: which of wait and synchronisation is missing, or that they came in
 * the wrong order. */
static struct verdict read_by_another(const struct meeting *x, const struct order_flight *f)
{
    const struct ck_rule *rule = &rule_cpasync_visibility_others, *tied = tied_only(x->issuer, f);

    if (tied)
        return (struct verdict){ rule, "the copier waits, then the two threads synchronise, then the other reads",
                                 tied };
    if (x->synced && (x->waited || x->me->groups[0].waited > f->tick))
        return (struct verdict){ rule,
                                 "the wait before the synchronisation: the reader learns only what the copier knew "
                                 "when they synchronised" };
    if (x->waited)
        return (struct verdict){ rule,
                                 "a synchronisation of the two, __syncthreads() for instance, between the wait and "
                                 "the read: a wait is for the thread's own copies" };
    if (x->synced)
        return (struct verdict){ &rule_cpasync_visibility_nothing_else,
                                 "cp.async.wait_group or wait_all in each thread that copies, before the barrier: a "
                                 "barrier or fence does not wait for copies",
                                 rule };
    return (struct verdict){ rule, "the copier waits, then the two threads synchronise, then the other reads" };
}

static struct verdict meets_cp_async(const struct order *o, const struct order_conflict *c,
                                     const struct order_flight *f)
{
    const struct meeting m = meeting_of(o, c, f), *x = &m;

    const struct ck_rule *tied = tied_wrongly(x->issuer, x->me, f);

    if (!x->mine && x->waited && order_known_loosely(o, f, order_number(o, c->t), x->wrote))
        return (struct verdict){ x->me->loose, order_relaxed_remedy, too_early_cp_async(x) };
    if (not_committed(x, f))
        return (struct verdict){ x->wait->open ? &rule_group_commit_not_later : &rule_group_wait_uncommitted,
                                 "commit the copy before the wait", .cause = order_instruction_at(o, x->wait->at) };
    if ((x->mine || x->synced) && x->issuer->groups[0].waited <= f->tick && x->issuer->groups[1].waited > f->tick)
        return (struct verdict){ &rule_group_bulk_separate, "wait with cp.async.wait_group or wait_all" };
    if (left_in_flight(x, f) && order_wait_lacks_commit(x->wait, f->group))
        return (struct verdict){ &rule_group_wait_uncommitted, commit_remedy, &rule_group_wait_n, too_early_cp_async(x),
                                 order_instruction_at(o, x->wait->at) };
    if (left_in_flight(x, f))
        return (struct verdict){ &rule_group_wait_n, "wait for the copy before the access", too_early_cp_async(x),
                                 order_wait_in_tail(o, f, x->wait) ? &rule_group_empty_counts : NULL,
                                 order_instruction_at(o, x->wait->at) };
    if (!x->mine && !x->writes && x->issuer->tied > f->tick && left_out_wait(o, x->me, f))
        return (struct verdict){ &rule_cpmb_async, "wait on the mbarrier to which the copy is tied before the read",
                                 &rule_cpasync_visibility_others };
    if (!x->mine && !x->writes && !(x->synced && x->fresh) && order_knew_before(o, c, order_number(o, c->t)))
        return (struct verdict){ &rule_cpasync_order_war_dst, "a barrier between the reads and the next copy" };
    if (waited_in_vain(x, f))
        return (struct verdict){ &rule_group_per_thread, "let the thread that issued the copy wait for it",
                                 .cause = own_wait(o, x, false) };
    if (!x->mine && c->kind & RECORD_STRONG)
        return (struct verdict){ &rule_cpasync_weak,
                                 "order the access by a wait and a synchronisation, not by its strength" };
    if (x->me->bar_waited > f->tick && !x->waited)
        return (struct verdict){ &rule_mbarrier_wait_async_not_covered, tie_remedy(tied),
                                 tied ? tied : too_early_cp_async(x) };
    if (!x->wrote || x->writes)
        return (struct verdict){ too_early_cp_async(x), "move the write after the wait for the copy" };
    if (!x->mine)
        return read_by_another(x, f);
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

/* Whether the thread comes to a wait for bulk groups before the next barrier, as its program stands. It may be at the
 * barrier still that has let the other thread go on. */
static bool waits_soon(const struct order *o, const struct emu_thread *t)
{
    const struct ptx_instruction *i = t->pc && t->state != EMU_EXITED ? t->pc->source : NULL;
    const struct ptx_function *f = i ? ptx_function_of(o->module, i) : NULL;
    const struct ptx_instruction *last = f ? &o->module->instructions[f->instructions + f->n_instructions] : NULL;

    if (i && (i->op == OP_bar || i->op == OP_barrier))
        i++;
    for (; i && i < last && i->op != OP_bar && i->op != OP_barrier; i++)
        if (i->op == OP_cp_async_bulk_wait_group)
            return true;
    return false;
}

/* A thread writes to what a store still reads. Another thread than the issuer's needs the issuer's wait and a
 * synchronisation behind it: which of the two is missing, or that they came in the wrong order. */
static struct verdict source_written(const struct order *o, const struct order_conflict *c, const struct meeting *x,
                                     const struct order_flight *f)
{
    const uint32_t thread = order_number(o, c->t);
    const bool met = order_known(o, thread, VIEW_GENERIC, order_component(f->thread, OWN_NOW)) > 0;
    const char *remedy = "a barrier between the write and the copy, if the copy is to read what is written; else the "
                         "issuer waits with wait_group.read, then a barrier, then the write";

    if (x->mine)
        remedy = "wait with wait_group.read before the source is written";
    else if (x->synced && (x->waited || waits_soon(o, emu_thread_at(o->cluster, f->thread))))
        remedy = "wait_group.read before the barrier: the writer learns only what the issuer knew when they met";
    else if (x->synced)
        remedy = "wait_group.read in the thread that issued the store, then a barrier: a barrier does not wait for "
                 "copies";
    else if (x->waited && met)
        remedy = "a barrier between the issuer's wait and the write: the other threads do not know of the wait";
    return (struct verdict){ &rule_bulk_src_stable, remedy, behind_issue(o, thread, f) };
}

static struct verdict meets_bulk_group(const struct order *o, const struct order_conflict *c,
                                       const struct order_flight *f)
{
    const struct meeting m = meeting_of(o, c, f), *x = &m;
    const uint32_t *own = x->issuer->view[VIEW_GENERIC].own;
    const struct ck_rule *early = !x->wrote   ? &rule_bulk_src_stable
                                  : x->writes ? &rule_bulk_weak
                                              : &rule_bulk_dst_no_early_read;

    if (!x->mine && x->waited && order_known_loosely(o, f, order_number(o, c->t), x->wrote))
        return (struct verdict){ x->me->loose, order_relaxed_remedy,
                                 x->wrote ? &rule_bulkgrp_wait_visible_issuer_only : early };
    if (not_committed(x, f))
        return (struct verdict){ &rule_bulkgrp_uncommitted, "commit the operation before the wait",
                                 .cause = order_instruction_at(o, x->wait->at) };
    if ((x->mine || x->synced) && x->issuer->groups[1].waited <= f->tick && x->issuer->groups[0].waited > f->tick)
        return (struct verdict){ &rule_bulkgrp_separate_nonbulk, "wait with cp.async.bulk.wait_group" };
    if (left_in_flight(x, f) && order_wait_lacks_commit(x->wait, f->group))
        return (struct verdict){ &rule_bulkgrp_uncommitted, commit_remedy, &rule_bulkgrp_wait_n, early,
                                 order_instruction_at(o, x->wait->at) };
    if (left_in_flight(x, f))
        return (struct verdict){ &rule_bulkgrp_wait_n, "wait for the operation before the access", early,
                                 order_wait_in_tail(o, f, x->wait) ? &rule_bulkgrp_commit_empty : NULL,
                                 order_instruction_at(o, x->wait->at) };
    if (waited_in_vain(x, f))
        return (struct verdict){ &rule_bulkgrp_per_thread,
                                 "let the thread that issued the operation wait for it, and then a barrier",
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
        return source_written(o, c, x, f);
    return (struct verdict){ early, x->writes ? "wait with wait_group before the destination is written"
                                              : "wait with wait_group before the destination is read" };
}

static struct verdict meets_bulk_bar(const struct order *o, const struct order_conflict *c,
                                     const struct order_flight *f)
{
    const uint32_t thread = order_number(o, c->t);
    const struct order_thread *me = &o->thread[thread];
    const bool mine = thread == f->thread;

    if (order_known_loosely(o, f, thread, c->r->kind & RECORD_WRITE))
        return (struct verdict){ me->loose, order_relaxed_remedy,
                                 me->loose == &rule_mbarrier_wait_relaxed_no_order ? &rule_bulk_complete_release_cluster
                                                                                   : NULL };
    if (!(c->r->kind & RECORD_WRITE))
        return (struct verdict){ &rule_bulk_src_stable, "wait on the copy's mbarrier before the source is written",
                                 behind_issue(o, thread, f) };
    if (order_waited_for_old_phase(o, me, f))
        return (struct verdict){ &rule_mbarrier_phase_parity_alternates, order_old_phase_remedy,
                                 c->kind & RECORD_WRITE ? &rule_bulk_weak : &rule_bulk_dst_no_early_read,
                                 .cause = order_instruction_at(o, me->bar_at) };
    if (c->kind & RECORD_WRITE)
        return (struct verdict){ &rule_bulk_weak, "wait on the copy's mbarrier before the destination is written" };
    if (order_announced_late(o, me, f))
        return (struct verdict){ &rule_mbarrier_tx_wrong_phase, order_announce_remedy, &rule_bulk_dst_no_early_read };
    if (!mine && !knows_of_issue_alone(o, me, f) && !left_out_wait(o, me, f) &&
        (order_knew_before(o, c, thread) ||
         (waited_for_copy(o, me, f) && (c->before || !left_by_phase(o, me, f))))) { /* it is late for the copy before */
        if (f->again)
            return order_issued_again(o, f, &rule_bulk_dst_reuse_war);
        return (struct verdict){ &rule_bulk_dst_reuse_war, "a barrier between the reads and the next copy" };
    }
    if (me->bar_waited > f->tick)
        return (struct verdict){ &rule_mbarrier_wait_async_not_covered,
                                 me->bar_stale || !waited_for_copy(o, me, f)
                                     ? "wait on the mbarrier that the copy signals"
                                 : mine && order_knew_before(o, c, thread)
                                     ? "issue the copy behind the reads of what was there before"
                                     : "expect as many bytes as the copies bring: the phase completed without these",
                                 order_tied_to(&o->thread[f->thread], me) ? &rule_cpmb_only_nonbulk
                                                                          : &rule_bulk_dst_no_early_read };
    if (me->vain)
        return (struct verdict){ &rule_mbarrier_try_wait_may_be_false, "ask in a loop until the wait returns true",
                                 &rule_bulk_dst_no_early_read };
    return (struct verdict){ &rule_bulk_dst_no_early_read,
                             "wait on the copy's mbarrier before the destination is read" };
}

struct verdict order_missed_group(const struct order *o, const struct order_conflict *c, const struct order_flight *f,
                                  const struct ck_rule *also)
{
    const bool bulk = f->kind == COPY_BULK_GROUP, here = f->cluster * o->threads + f->thread - o->base < o->threads;
    const struct meeting m = here && f->kind != COPY_BULK_BAR ? meeting_of(o, c, f) : (struct meeting){ 0 };
    const uint32_t *own = here ? o->thread[f->thread].view[VIEW_GENERIC].own : NULL;

    if (!m.me)
        return (struct verdict){ 0 };
    if (not_committed(&m, f))
        return (struct verdict){ bulk           ? &rule_bulkgrp_uncommitted
                                 : m.wait->open ? &rule_group_commit_not_later
                                                : &rule_group_wait_uncommitted,
                                 "commit the first copy before the wait", also,
                                 .cause = order_instruction_at(o, m.wait->at) };
    if (left_in_flight(&m, f) && order_wait_lacks_commit(m.wait, f->group))
        return (struct verdict){ bulk ? &rule_bulkgrp_uncommitted : &rule_group_wait_uncommitted, commit_remedy,
                                 bulk ? &rule_bulkgrp_wait_n : &rule_group_wait_n, also,
                                 order_instruction_at(o, m.wait->at) };
    if (left_in_flight(&m, f) && !(bulk && m.wait->read && m.wrote && m.writes)) /* .read frees sources alone */
        return (struct verdict){ bulk ? &rule_bulkgrp_wait_n : &rule_group_wait_n,
                                 "wait for the first copy before the second", also,
                                 .cause = order_instruction_at(o, m.wait->at) };
    if (bulk && m.wrote && !m.writes && own[OWN_READ] >= f->sequence && own[OWN_BULK] < f->sequence)
        return (struct verdict){ &rule_bulkgrp_read_not_visible, "wait without .read before the destination is used",
                                 also };
    return (struct verdict){ 0 };
}

struct verdict order_bulk_meets_cp_async(const struct order *o, const struct order_conflict *c,
                                         const struct order_flight *f)
{
    const bool wrote = c->r->kind & RECORD_WRITE, writes = c->kind & RECORD_WRITE;

    if (!wrote)
        return (struct verdict){ &rule_cpasync_order_write_src_early,
                                 "wait with cp.async.wait_group or wait_all before the source is written",
                                 &rule_bulk_order_none_between };
    if (writes)
        return (struct verdict){ &rule_cpasync_order_pair_unordered, "wait for the first copy before the second",
                                 &rule_bulk_order_none_between };
    if (order_number(o, c->t) == f->thread)
        return (struct verdict){ &rule_cpasync_order_read_early,
                                 "cp.async.wait_group or wait_all before the operation that reads the bytes",
                                 &rule_bulk_order_none_between };
    const struct meeting m = meeting_of(o, c, f);
    const struct ck_rule *tied = tied_wrongly(m.issuer, m.me, f);

    if (!m.synced && order_knew_before(o, c, order_number(o, c->t)))
        return (struct verdict){ &rule_cpasync_order_war_dst,
                                 "the issuer of the bulk operation waits with wait_group.read, then a barrier, then "
                                 "the next copy to what it reads",
                                 &rule_bulk_src_stable };
    if (m.me->bar_waited > f->tick && !m.waited)
        return (struct verdict){ &rule_mbarrier_wait_async_not_covered, tie_remedy(tied),
                                 tied ? tied : &rule_cpasync_visibility_others };
    return read_by_another(&m, f);
}

bool order_source_alone_known(const struct order *o, uint32_t thread, const struct order_flight *f)
{
    return f->kind == COPY_BULK_GROUP &&
           order_known_of(o, thread, VIEW_GENERIC, f->cluster * o->threads + f->thread, OWN_READ) >= f->sequence;
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
    if (f->kind == COPY_BULK_GROUP && order_known_of(o, thread, VIEW_LOOSE, issuer, OWN_BULK) >= f->sequence)
        return (struct verdict){
            &rule_fence_mp, "release on one side and acquire on the other, with a scope that includes both threads",
            writes ? &rule_bulk_weak : &rule_bulkgrp_wait_visible_issuer_only
        };
    if (writes || f->kind != COPY_BULK_GROUP)
        return (struct verdict){ &rule_bulk_weak, "wait for the copy before the destination is written" };
    if (order_source_alone_known(o, thread, f))
        return (struct verdict){ &rule_bulkgrp_read_not_visible, "wait without .read before the destination is used" };
    return (struct verdict){ &rule_bulkgrp_wait_visible_issuer_only,
                             "the issuer waits, then releases a flag at gpu scope that the reader acquires" };
}

static struct verdict meets_wgmma(const struct order *o, const struct order_conflict *c, const struct order_flight *f)
{
    const uint32_t thread = order_number(o, c->t);

    if (order_known_loosely(o, f, thread, false))
        return (struct verdict){ o->thread[thread].loose, order_relaxed_remedy, &rule_wgmma_smem_overwritten };
    return (struct verdict){ &rule_wgmma_smem_overwritten,
                             thread / EMU_WARP == f->thread / EMU_WARP
                                 ? "wgmma.wait_group before shared memory is written"
                                 : "the warpgroup waits with wgmma.wait_group, then a barrier, then the write" };
}

struct verdict order_meets_copy(const struct order *o, const struct order_conflict *c, const struct order_flight *f)
{
    if (f->kind == COPY_WGMMA)
        return meets_wgmma(o, c, f);
    if (f->cluster * o->threads + f->thread - o->base >= o->threads)
        return meets_foreign_copy(o, c, f);
    if (f->kind == COPY_CP_ASYNC)
        return meets_cp_async(o, c, f);
    return f->kind == COPY_BULK_GROUP ? meets_bulk_group(o, c, f) : meets_bulk_bar(o, c, f);
}
// SPDX-License-Identifier: Apache-2.0
