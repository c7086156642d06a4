/* The shared memory of other CTAs: it is there when its CTA has begun and until it ends, so an access needs to know
 * the one, and its CTA the other. */
#include "harness/emu/judge/peer.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/emu/judge/known.h"
#include "harness/emu/machine/findings.h"

/* What a thread does to the shared memory of another CTA. Loads, stores and reductions may be under way still when it
 * comes to a relaxed barrier of the cluster: on an H200 the launch fails if the CTA then ends. What comes back with a
 * result, and operations of an mbarrier, are complete by then. docs/findings.md, "A relaxed barrier before a CTA ends".
 */
enum peer_kind { PEER_PLAIN, PEER_RESULT, PEER_MBARRIER, PEER_KINDS };

/* Of a thread and one CTA. */
struct order_peer {
    bool begun; /* it knows that this CTA runs */
    struct peer_last {
        uint32_t epoch, at; /* epoch 0: none */
    } last[PEER_KINDS];
};

static struct order_peer *peer_of(struct order *o, uint32_t thread, uint32_t rank)
{
    if (!o->peers)
        o->peers = calloc((size_t)o->cluster->cta_count * o->threads, sizeof *o->peers);
    if (!o->peers)
        o->failed = true;
    return o->peers ? &o->peers[(size_t)rank * o->threads + thread] : NULL;
}

/* Whether it knows anything of a thread of that CTA, by whatever means: the order of memory does not matter here. */
static bool has_begun(const struct order *o, uint32_t thread, uint32_t rank)
{
    for (uint32_t i = rank * o->per_cta; i < (rank + 1) * o->per_cta; i++)
        if (order_known(o, thread, VIEW_LOOSE, order_component(i, OWN_NOW)))
            return true;
    return false;
}

static void report(struct order *o, uint32_t thread, uint32_t at, uint32_t rank, const struct ck_rule *rule,
                   const char *what, const char *remedy)
{
    struct emu_finding f = { .rule = rule };

    order_place_of(o, thread, at, 1ull << 62, 0, &f.here);
    if (emu_filed(o->cluster->grid, rule, f.here.at, NULL))
        return;
    snprintf(f.message, sizeof f.message,
             "thread %u,%u,%u of CTA %u,%u,%u (line %u) accesses shared memory of CTA rank %u, %s", f.here.tid[0],
             f.here.tid[1], f.here.tid[2], f.here.ctaid[0], f.here.ctaid[1], f.here.ctaid[2],
             f.here.at ? f.here.at->line : 0, rank, what);
    snprintf(f.remedy, sizeof f.remedy, "%s", remedy);
    emu_file(o->cluster->grid, &f);
}

void order_peer_access(struct order *o, uint32_t thread, uint32_t at, uint32_t rank, bool mbarrier)
{
    struct order_peer *p = peer_of(o, thread, rank);
    const enum peer_kind kind = mbarrier                                    ? PEER_MBARRIER
                                : o->module->instructions[at].op == OP_atom ? PEER_RESULT
                                                                            : PEER_PLAIN;

    if (!p)
        return;
    if (!mbarrier && !p->begun) { /* an mbarrier's own rules tell more */
        p->begun = true;
        if (!has_begun(o, thread, rank))
            report(o, thread, at, rank, &rule_dsmem_entry, "and nothing tells it that this CTA has begun",
                   "barrier.cluster before the first access");
    }
    p->last[kind] = (struct peer_last){ o->thread[thread].view[VIEW_GENERIC].own[OWN_NOW], at };
}

/* Whether a thread of that CTA knows, at its end, of what the thread did in this epoch. */
static bool known_at_end(const struct order *o, enum order_view view, uint32_t thread, uint32_t epoch, uint32_t rank)
{
    for (uint32_t i = rank * o->per_cta; i < (rank + 1) * o->per_cta; i++)
        if (order_known(o, i, view, order_component(thread, OWN_NOW)) >= epoch)
            return true;
    return false;
}

/* For what may be under way still, it has to know by an order that memory follows. */
static bool over_at_end(const struct order *o, enum peer_kind kind, uint32_t thread, uint32_t epoch, uint32_t rank)
{
    if (kind != PEER_PLAIN)
        return known_at_end(o, VIEW_LOOSE, thread, epoch, rank);
    return known_at_end(o, VIEW_GENERIC, thread, epoch, rank) || known_at_end(o, VIEW_SHARED, thread, epoch, rank);
}

/* To how many barriers of the cluster a thread of that CTA came at most. */
static uint32_t arrivals_of(const struct order *o, uint32_t rank)
{
    uint32_t most = 0;

    for (uint32_t i = rank * o->per_cta; i < (rank + 1) * o->per_cta; i++)
        most = o->thread[i].cluster_arrivals > most ? o->thread[i].cluster_arrivals : most;
    return most;
}

static void report_end(struct order *o, uint32_t thread, enum peer_kind kind, struct peer_last last, uint32_t rank)
{
    static const char *const what = "which may end before that: none of its threads waits for it";
    const uint32_t owner = arrivals_of(o, rank), own = o->thread[thread].cluster_arrivals;

    if (owner > own) /* the CTA came to a barrier that waited for the end of this thread */
        return;
    if (kind == PEER_MBARRIER)
        report(o, thread, last.at, rank, &rule_mbarrier_cluster_owner_alive, what,
               "barrier.cluster after the last access");
    else if (owner < own)
        report(o, thread, last.at, rank, &rule_cluster_barrier_exited,
               "which may end before that: its threads leave out a barrier of the cluster that this thread comes to",
               "let the CTA come to each barrier of the cluster before it ends");
    else if (known_at_end(o, VIEW_LOOSE, thread, last.epoch, rank))
        report(o, thread, last.at, rank, &rule_dsmem_exit,
               "which may end before that: a relaxed arrive does not wait for the access",
               "barrier.cluster.arrive.release after the last access, or a fence before the relaxed one");
    else
        report(o, thread, last.at, rank, &rule_dsmem_exit, what, "barrier.cluster after the last access");
}

void order_check_peers(struct order *o)
{
    for (uint32_t rank = 0; o->peers && rank < o->cluster->cta_count; rank++)
        for (uint32_t i = 0; i < o->threads; i++) {
            const struct order_peer *p = &o->peers[(size_t)rank * o->threads + i];
            for (int kind = 0; kind < PEER_KINDS; kind++)
                if (p->last[kind].epoch && !over_at_end(o, kind, i, p->last[kind].epoch, rank))
                    report_end(o, i, kind, p->last[kind], rank);
        }
}
// SPDX-License-Identifier: Apache-2.0
