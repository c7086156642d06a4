/* What would mend this program. It looks at what the two threads have done, and at the program's text between the two
 * accesses: a barrier that stands at the wrong place, or that only a warp waits at. */
#include "harness/emu/judge/mend.h"

#include <stdio.h>

#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/lives.h"
#include "harness/emu/machine/thread.h"

/* ---- a buffer that is filled again ------------------------------------------------------------------------------- */

/* A barrier that threads of the CTA wait at. */
static bool is_barrier(const struct ptx_module *m, const struct ptx_instruction *i)
{
    return (i->op == OP_bar || i->op == OP_barrier) && !ptx_has(m, i, PTX_warp);
}

/* Where a branch goes; NULL: it is none, or its target is computed. */
static const struct ptx_instruction *target_of(const struct ptx_module *m, const struct ptx_instruction *i)
{
    const struct ptx_operand *to = i->op == OP_bra ? &m->operands[i->operands] : NULL;

    return to && to->kind == PO_label ? &m->instructions[to->reg] : NULL;
}

/* The CTA's barrier that a thread comes to next behind this instruction, in the same round of its loop; NULL: there is
 * none. A compiler may put a part of a loop elsewhere, and jump back to the rest of it. */
static const struct ptx_instruction *barrier_behind(const struct ptx_module *m, const struct ptx_instruction *i)
{
    enum { STEPS = 500 };
    const struct ptx_function *f = ptx_function_of(m, i);
    const struct ptx_instruction *first = &m->instructions[f->instructions], *last = first + f->n_instructions;
    unsigned steps = 0;

    for (i++; i < last && i >= first && steps++ < STEPS;) {
        const struct ptx_instruction *to = target_of(m, i);
        if (is_barrier(m, i))
            return i;
        if (to && i->guard != PTX_NO && to <= i)
            return NULL;
        i = to && i->guard == PTX_NO ? to : i + 1;
    }
    return NULL;
}

/* The last bar.warp.sync between two instructions; NULL: none. */
static const struct ptx_instruction *warp_barrier(const struct ptx_module *m, const struct ptx_instruction *from,
                                                  const struct ptx_instruction *to)
{
    const struct ptx_instruction *found = NULL;

    for (const struct ptx_instruction *i = from; i < to; i++)
        if (i->op == OP_bar && ptx_has(m, i, PTX_warp))
            found = i;
    return found;
}

/* The copy's issuer has heard of the reader since the reader last waited at an mbarrier: issuers take turns. */
static bool was_told(const struct order *o, uint32_t issuer, uint32_t reader)
{
    const struct order_thread *r = &o->thread[reader];

    return r->bar_waited && order_known_of(o, issuer, VIEW_GENERIC, o->base + reader, OWN_NOW) >= r->bar_epoch;
}

void order_mend_reuse(const struct order *o, const struct order_conflict *c, const struct order_flight *copy,
                      const struct ck_rule *rule, char *out, size_t size)
{
    static const char barrier[] = "a barrier between the reads and the next copy";
    const uint32_t now = order_number(o, c->t);
    const bool reads = c->flight == PTX_NO; /* the reader comes now, behind the copy */
    const uint32_t reader = reads ? now : c->r->who - o->base;
    const struct order_flight *earlier = c->before ? order_flight_at(o, c->before - 1) : NULL;
    const struct ptx_instruction *at, *read, *found;

    if ((rule != &rule_bulk_dst_reuse_war && rule != &rule_cpasync_order_war_dst) || !copy || reader >= o->threads ||
        copy->cluster != o->number)
        return;
    at = order_instruction_at(o, copy->at);
    read = order_instruction_at(o, reads ? order_instruction_now(o, c->t) : c->r->at);
    if (earlier && earlier->cluster == copy->cluster && earlier->at == copy->at && earlier->thread != copy->thread &&
        earlier->sequence == copy->sequence && !was_told(o, copy->thread, reader))
        snprintf(out, size,
                 "let one thread issue the copy: two have issued it at line %u, and the second one comes "
                 "while the bytes of the first are read",
                 at ? at->line : 0);
    else if (copy->after && copy->after == o->thread[reader].arrived_key)
        snprintf(out, size,
                 "arrive at the mbarrier behind the reads: the phase that the copy's issuer waited for had "
                 "counted this thread's arrival before them");
    else if (at && read && read < at && reader / EMU_WARP != copy->thread / EMU_WARP &&
             (found = warp_barrier(o->module, read, at)) != NULL)
        snprintf(out, size, "%s: bar.warp.sync (line %u) waits for the threads of one warp only", barrier, found->line);
    else if (at && (found = barrier_behind(o->module, at)) != NULL)
        snprintf(out, size, "%s: the one at line %u comes behind the copy", barrier, found->line);
}

const struct ptx_instruction *order_barrier_before(const struct ptx_module *m, const struct ptx_instruction *i)
{
    const struct ptx_instruction *first = &m->instructions[ptx_function_of(m, i)->instructions];

    while (i > first)
        if (is_barrier(m, --i))
            return i;
    return NULL;
}

/* ---- copies and threads ------------------------------------------------------------------------------------------ */

bool order_are_twins(const struct order_flight *a, const struct order_flight *b)
{
    return a->cluster == b->cluster && a->thread != b->thread && a->at == b->at && a->sequence == b->sequence;
}

const char *order_mend_copies(const struct order_flight *a, const struct order_flight *b)
{
    return order_are_twins(a, b) ? "let one thread issue the copy, or give each thread's copy a place of its own"
           : a->cluster != b->cluster
               ? "the first one's issuer waits for it, then releases a flag at gpu scope that the second one's acquires"
               : "wait for the first operation before the second";
}

const char *order_mend_source(const struct order_flight *read, bool mine)
{
    if (read->kind != COPY_BULK_GROUP)
        return mine ? "wait on the first copy's mbarrier before the copy that writes its source"
                    : "wait on the first copy's mbarrier, and tell the second one's issuer, before its source is "
                      "written";
    return mine ? "wait_group.read before the copy that writes the store's source"
                : "wait_group.read in the thread that issued the store, before it lets the other one write the store's "
                  "source";
}

/* The mbarrier at this place of the cluster's shared memory; NULL: there is none, or no place. */
static const struct emu_mbarrier *object_at(const struct order *o, uint64_t key)
{
    const struct emu_mbarrier *m = NULL;

    for (uint32_t rank = 0; rank < o->cluster->cta_count && key && !m; rank++) {
        struct emu_cta *cta = &o->cluster->ctas[rank];
        const uint64_t first = order_shared_key(cta, 0);
        if (key >= first && key - first < UINT32_MAX)
            m = emu_mbarrier_find(cta, key - first);
    }
    return m;
}

/* Whether the thread has arrived at two places in one phase of the mbarrier at which it arrived last. */
static bool arrived_twice(const struct order *o, const struct order_thread *x)
{
    const struct emu_mbarrier *m = object_at(o, x->arrived_key);
    const struct life_thread *part = m ? life_seen_by(m, emu_thread_at(o->cluster, (uint32_t)(x - o->thread))) : NULL;

    return part && part->twice;
}

static const char once[] =
    "let each thread arrive once in a phase: one that arrives twice takes another one's arrival, "
    "and the phase completes without that one";

const char *order_mend_phase(const struct order *o, const struct order_thread *x)
{
    const struct emu_mbarrier *m = object_at(o, x->bar_key);
    const struct life *life = m ? life_known(m) : NULL;

    for (uint32_t i = 0; life && i < life->thread_count; i++)
        if (life->threads[i].twice)
            return once;
    return "count each thread's arrival after its access: the phase that one of them waited for was complete without "
           "the other's";
}

/* The thread has arrived at an mbarrier at which the other one arrives or will, and has not waited there. */
static bool never_waits(const struct order_thread *x, const struct order_thread *other)
{
    return x->arrived_key && !x->bar_waited && (!other->arrived_key || other->arrived_key == x->arrived_key);
}

const char *order_mend_race(const struct order *o, const struct order_conflict *c, const struct order_thread *they)
{
    const uint32_t thread = order_number(o, c->t);
    const struct order_thread *me = &o->thread[thread];

    if (!they)
        return "a release and an acquire at gpu scope between the two accesses: no barrier orders two clusters";
    if (arrived_twice(o, me) || arrived_twice(o, they))
        return once;
    if (never_waits(they, me) || never_waits(me, they))
        return "let both threads wait at the mbarrier: one of them has arrived there and goes on without a wait";
    if (thread / o->per_cta != (uint32_t)(they - o->thread) / o->per_cta)
        return "a barrier of the cluster, or a release and an acquire at cluster scope, between the two accesses: "
               "barriers of a CTA order its own threads";
    return "a barrier, or a release and an acquire, between the two accesses";
}
// SPDX-License-Identifier: Apache-2.0
