/* A deadlock: every waiter with what it waits for, the mbarriers with all that made up their counts, and the rule that
 * tells why. No thread goes on any more and nothing is in flight, so what is found here is not a matter of luck. */
#include "harness/emu/judge/deadlock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/behind.h"
#include "harness/emu/judge/circle.h"
#include "harness/emu/judge/lives.h"
#include "harness/emu/judge/loop.h"
#include "harness/emu/judge/registers.h"
#include "harness/emu/judge/waiters.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/meeting.h"
#include "harness/emu/machine/name.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"
#include "harness/emu/wgmma/wgmma.h"

/* Why they wait. A reason that names its culprit is better than one that only says what is missing; the least of all is
 * one that waits for a thread that waits itself. Of a thread that looks at memory in a loop: whether others wait for
 * what it does then. */
struct reason {
    enum { NO_REASON, CONSEQUENCE, LOOPS, MISSING, KEEPS_OTHERS, CULPRIT } weight;
    const struct ck_rule *rule;
    const struct emu_thread *who;
    const char *remedy;
    const struct ck_rule *also;
    char why[300], mend[300]; /* mend: a remedy in words of its own */
};

static void give(struct reason *r, int weight, const struct ck_rule *rule, const struct emu_thread *who,
                 const char *remedy, const char *format, ...) __attribute__((format(printf, 6, 7)));
static void give(struct reason *r, int weight, const struct ck_rule *rule, const struct emu_thread *who,
                 const char *remedy, const char *format, ...)
{
    va_list args;

    if (weight <= (int)r->weight)
        return;
    r->weight = weight;
    r->rule = rule;
    r->who = who;
    r->remedy = remedy;
    r->also = NULL;
    va_start(args, format);
    vsnprintf(r->why, sizeof r->why, format, args);
    va_end(args);
}

/* ---- mbarriers --------------------------------------------------------------------------------------------------- */

/* Whether threads wait for arrivals at another mbarrier: an arrive that comes later may be meant for that one. */
static bool others_lack_arrivals(const struct emu_mbarrier *m)
{
    const struct emu_cluster *c = m->cta->cluster;

    for (uint32_t i = 0; i < emu_threads_of(c); i++) {
        const struct emu_thread *t = emu_thread_at(c, i);
        const struct emu_mbarrier *o =
            waiter_waits(t) && t->wait == EMU_WAIT_MBARRIER ? emu_mbarrier_find(t->cta, t->wait_a) : NULL;
        if (o && o != m && emu_mbarrier_pending(o))
            return true;
    }
    return false;
}

/* How many threads wait for the current phase and have not arrived in it, though their program does so later. In a
 * later phase those count that arrived in an earlier one; in the first, all, where they are just what is missing and
 * nobody waits for arrivals elsewhere. */
static uint64_t waiting_before_arriving(const struct emu_mbarrier *m, const struct emu_thread **first)
{
    const struct emu_cluster *c = m->cta->cluster;
    const uint64_t pending = emu_mbarrier_pending(m);
    behind_is *is = life_known(m) && life_known(m)->announced ? behind_is_arrive : behind_is_plain_arrive;
    uint64_t n = 0;

    for (uint32_t i = 0; i < emu_threads_of(c); i++) {
        const struct emu_thread *t = emu_thread_at(c, i);
        const struct life_thread *x;
        if (t->cta != m->cta || !waiter_waits(t) || t->wait != EMU_WAIT_MBARRIER || t->wait_a != m->offset)
            continue;
        x = life_seen_by(m, t);
        if (!x || x->arrived == m->phase + 1 || (m->phase && !x->arrived) || !behind_comes(t, is))
            continue;
        *first = n++ ? *first : t;
    }
    if (m->phase ? n >= pending : n == pending && pending < emu_mbarrier_arrivals(m) && !others_lack_arrivals(m))
        return n;
    return 0;
}

/* One that arrived in the phase before and has exited, without arrive_drop; NULL: none. */
static const struct emu_thread *gone(const struct emu_mbarrier *m)
{
    const struct emu_cluster *c = m->cta->cluster;
    const struct life *life = life_known(m);

    for (uint32_t i = 0; life && m->phase && i < life->thread_count && i < emu_threads_of(c); i++)
        if (life->threads[i].arrived == m->phase && emu_thread_at(c, i)->state == EMU_EXITED)
            return emu_thread_at(c, i);
    return NULL;
}

/* Whether the thread may still come to a barrier: it waits for something else. */
static bool may_come(const struct emu_thread *t)
{
    return waiter_waits(t) && t->wait != EMU_WAIT_BARRIER && t->wait != EMU_WAIT_CLUSTER && t->wait != EMU_WAIT_WARP;
}

/* Whether a thread of these CTAs may still come to their barrier. */
static bool some_may_come(const struct emu_cta *ctas, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < ctas[i].thread_count; k++)
            if (may_come(&ctas[i].threads[k]))
                return true;
    return false;
}

/* Whether a thread of the CTA that waits elsewhere has a barrier in its program before it comes to its end. */
static bool some_has_barrier(const struct emu_cta *cta)
{
    for (uint32_t k = 0; k < cta->thread_count; k++)
        if (may_come(&cta->threads[k]) && behind_comes_again(&cta->threads[k], behind_is_barrier))
            return true;
    return false;
}

/* Whether threads that have arrivals to make wait at a barrier to which nobody else comes: that arrivals are missing
 * elsewhere follows. */
static bool barrier_keeps_arrivals(const struct emu_cta *cta)
{
    for (uint32_t k = 0; k < cta->thread_count; k++) {
        const struct emu_thread *t = &cta->threads[k];
        if (waiter_waits(t) && t->wait == EMU_WAIT_BARRIER && behind_comes(t, behind_is_arrive))
            return !some_has_barrier(cta);
    }
    return false;
}

/* Bytes that copies have brought to it, in this phase and before its init. */
static uint64_t delivered(const struct emu_mbarrier *m)
{
    const struct life *life = life_known(m);
    uint64_t sum = 0;

    for (uint32_t i = 0; life && i < life->share_count; i++)
        sum += life->shares[i].kind == EMU_DELIVERED ? life->shares[i].amount : 0;
    return sum;
}

/* Whether another CTA's producer has yet to come to this phase of its mbarrier at the same place, and waits elsewhere
 * with a copy behind its wait: the bytes that are missing may be those of its copy. */
static bool producer_waits(const struct emu_mbarrier *m)
{
    struct emu_cluster *c = m->cta->cluster;

    for (uint32_t rank = 0; rank < c->cta_count; rank++) {
        const struct emu_mbarrier *o = rank == m->cta->rank ? NULL : emu_mbarrier_find(&c->ctas[rank], m->offset);
        for (uint32_t k = 0; o && o->phase == m->phase && emu_mbarrier_pending(o) && k < o->cta->thread_count; k++) {
            const struct emu_thread *t = &o->cta->threads[k];
            if (waiter_waits(t) && t->wait == EMU_WAIT_MBARRIER && t->wait_a != o->offset &&
                behind_comes_again(t, behind_is_bulk_copy))
                return true;
        }
    }
    return false;
}

/* Whether a thread waits at a barrier before it issues a copy. */
static bool barrier_keeps_copy(const struct emu_cluster *c)
{
    for (uint32_t i = 0; i < emu_threads_of(c); i++) {
        const struct emu_thread *t = emu_thread_at(c, i);
        if (waiter_waits(t) && (t->wait == EMU_WAIT_CLUSTER || t->wait == EMU_WAIT_BARRIER) &&
            behind_comes(t, behind_is_bulk_load))
            return true;
    }
    return false;
}

/* Another CTA's mbarrier at the same place to which bytes have come, in this phase or one before; NULL: none. */
static const struct emu_mbarrier *served(const struct emu_mbarrier *m)
{
    struct emu_cluster *c = m->cta->cluster;

    for (uint32_t rank = 0; rank < c->cta_count; rank++) {
        const struct emu_mbarrier *o = rank == m->cta->rank ? NULL : emu_mbarrier_find(&c->ctas[rank], m->offset);
        if (o && (o->phase > m->phase || delivered(o)))
            return o;
    }
    return NULL;
}

/* All arrivals are in and bytes are missing, or too many. A multicast copy counts at each of its CTAs. */
static void of_bytes(struct reason *r, const struct emu_thread *t, const struct emu_mbarrier *m, int64_t tx)
{
    const struct life *life = life_known(m);
    const uint64_t here = delivered(m);
    const struct emu_mbarrier *other = here ? NULL : served(m);
    const bool cluster = m->cta->cluster->cta_count > 1;

    if ((int)r->weight >= CULPRIT)
        return;
    if (tx > 0 && producer_waits(m)) {
        give(r, CONSEQUENCE, &rule_mbarrier_tx_balance, t, "let the copy come that the other CTA has yet to issue",
             "bytes of a copy are missing that another CTA has yet to issue");
        return;
    }
    if (tx > 0 && !here && !other && !(life && life->lost_bytes) && barrier_keeps_copy(m->cta->cluster))
        return; /* who waits at the barrier says more */
    give(r, CULPRIT, &rule_mbarrier_tx_balance, t, r->mend, "all arrivals are in and the bytes do not balance: %lld %s",
         (long long)(tx > 0 ? tx : -tx),
         tx > 0 ? "are still expected, and no copy is in flight" : "more were delivered than expected");
    if (tx > 0 && life && life->lost_bytes) {
        snprintf(r->mend, sizeof r->mend,
                 "order the init before the copy: %llu bytes came before the init, which counts from zero",
                 (unsigned long long)life->lost_bytes);
    } else if (tx > 0 && other) {
        snprintf(
            r->mend, sizeof r->mend,
            "let a copy bring bytes to this CTA too: they have come to CTA rank %u only; in the mask of a multicast "
            "each receiver has a bit, the issuer's own CTA as well",
            other->cta->rank);
        r->also = &rule_bulk_mc_unselected_untouched;
    } else if (tx > 0 && here) {
        snprintf(r->mend, sizeof r->mend, "expect as many bytes as the copies bring, here %llu%s",
                 (unsigned long long)here, cluster ? ": a multicast counts its size once at each receiver" : "");
        r->also = cluster ? &rule_bulk_mc_same_mbar_offset : NULL;
    } else {
        snprintf(r->mend, sizeof r->mend,
                 tx > 0 ? "expect as many bytes as the copies bring: none has brought any here"
                        : "expect all the bytes that the copies bring, here %llu",
                 (unsigned long long)here);
    }
}

/* Arrivals came of cp.async.mbarrier.arrive without .noinc, which has raised the count by them first. */
static void of_copies_arrivals(struct reason *r, const struct emu_mbarrier *m)
{
    const struct life *life = life_known(m);

    for (uint32_t i = 0; life && r->rule == &rule_mbarrier_phase_all_arrive && i < life->share_count; i++) {
        const struct ptx_instruction *at = life->shares[i].first.at;
        if (life->shares[i].kind != EMU_ARRIVED || !at || at->op != OP_cp_async_mbarrier_arrive ||
            ptx_has(m->cta->cluster->grid->module, at, PTX_noinc))
            continue;
        r->also = &rule_cpmb_inc_alone;
        r->remedy = "cp.async.mbarrier.arrive.noinc, or let the threads arrive as well: without .noinc an arrival of "
                    "copies is none of those that init said";
    }
}

static void of_mbarrier(struct reason *r, const struct emu_thread *t, struct emu_mbarrier *m)
{
    const int64_t tx = emu_mbarrier_tx(m);
    const uint64_t pending = emu_mbarrier_pending(m);
    const bool by_parity = ptx_has(t->cta->cluster->grid->module, waiter_at(t), PTX_parity);
    const struct life_thread *x = life_seen_by(m, t);
    const struct emu_thread *early = NULL, *left = gone(m);

    if (m->state != EMU_MBARRIER_ALIVE) {
        give(r, MISSING,
             m->state == EMU_MBARRIER_LOST    ? life_known(m)->lost_by
             : m->state == EMU_MBARRIER_ENDED ? &rule_mbarrier_inval_then_use
                                              : &rule_mbarrier_init_required,
             t, "init before the wait", "there is no mbarrier at offset %llu", (unsigned long long)m->offset);
        return;
    }
    if (!pending && tx)
        of_bytes(r, t, m, tx);
    else if (by_parity && x && m->phase >= x->seen + 2 && !((m->phase ^ x->seen) & 1))
        give(r, CULPRIT, &rule_mbarrier_phase_older_parity, t,
             "wait for each phase before the phase after the next begins",
             "thread %u,%u,%u waits for parity %llu, and the phase of that parity which it has not seen complete is "
             "phase %u; the mbarrier is two or more phases further, in phase %llu",
             t->tid[0], t->tid[1], t->tid[2], (unsigned long long)m->phase & 1, x->seen, (unsigned long long)m->phase);
    else if (pending && waiting_before_arriving(m, &early))
        give(r, CULPRIT, &rule_mbarrier_wait_own_arrive_order, early, "arrive, then wait",
             "thread %u,%u,%u waits for phase %llu before it arrives in it", early->tid[0], early->tid[1],
             early->tid[2], (unsigned long long)m->phase);
    else if (left)
        give(
            r, MISSING, &rule_mbarrier_phase_all_arrive, t, "let a thread that leaves arrive with mbarrier.arrive_drop",
            "%llu of %llu arrivals of phase %llu are missing; thread %u,%u,%u of CTA %u,%u,%u, which arrived in the phase "
            "before, has exited",
            (unsigned long long)pending, (unsigned long long)emu_mbarrier_arrivals(m), (unsigned long long)m->phase,
            left->tid[0], left->tid[1], left->tid[2], left->cta->ctaid[0], left->cta->ctaid[1], left->cta->ctaid[2]);
    else {
        give(r, barrier_keeps_arrivals(t->cta) ? CONSEQUENCE : MISSING, &rule_mbarrier_phase_all_arrive, t,
             "let as many arrivals come as init said, or init with fewer",
             "%llu of %llu arrivals of phase %llu are missing", (unsigned long long)pending,
             (unsigned long long)emu_mbarrier_arrivals(m), (unsigned long long)m->phase);
        of_copies_arrivals(r, m);
    }
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

/* Whether lane o waits where the thread does, or at another instruction for the same operation of the warp. */
static bool waits_with(const struct emu_thread *t, const struct emu_thread *o)
{
    if (!waiter_waits(o))
        return false;
    return waiter_at(o) == waiter_at(t) || (t->wait == EMU_WAIT_WARP && o->wait == EMU_WAIT_WARP &&
                                            o->wait_a == t->wait_a && emu_warp_same(o->offer->op, t->offer->op));
}

/* A lane of the thread's warp that is not at the instruction where the thread waits, nor has exited; NULL: none. */
static const struct emu_thread *elsewhere(const struct emu_thread *t, uint32_t mask)
{
    const struct emu_thread *warp = &t->cta->threads[t->index - t->lane];

    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (mask >> i & 1 && warp[i].state != EMU_EXITED && !waits_with(t, &warp[i]))
            return &warp[i];
    return NULL;
}

/* Whether the lane waits at an operation of its warp for one that has gone past it. */
static bool passed_by(const struct emu_thread *lane)
{
    const struct emu_thread *o = lane->wait == EMU_WAIT_WARP ? elsewhere(lane, (uint32_t)lane->wait_a) : NULL;

    return o && waiter_at(lane) < waiter_at(o);
}

static void of_barrier(struct reason *r, const struct emu_thread *t)
{
    const struct ptx_module *m = t->cta->cluster->grid->module;
    const bool aligned = waiter_at(t)->op == OP_bar || ptx_has(m, waiter_at(t), PTX_aligned);
    const struct emu_thread *o = elsewhere(t, UINT32_MAX);
    uint32_t arrived = 0, expected = 0;

    emu_barrier_counts(t->cta, t->wait_a, &arrived, &expected);
    if (aligned && o && !may_come(o) && !passed_by(o))
        give(r, CULPRIT, &rule_bar_aligned, o, "let all threads of the warp come to the same barrier",
             "an aligned barrier (line %u), and lane %u of the warp waits at line %u", waiter_at(t)->line, o->lane,
             waiter_line(o));
    else
        give(r, some_may_come(t->cta, 1) && !barrier_keeps_arrivals(t->cta) ? CONSEQUENCE : MISSING,
             &rule_deadlock_barrier, t, "let all threads that the barrier counts come to it",
             "%u of %u threads have come to barrier %llu", arrived, expected, (unsigned long long)t->wait_a);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Whether a lane of the thread's warp goes round the same loop and looks at memory: the lanes go by what it finds. */
static bool lane_looks(const struct emu_thread *t)
{
    const struct emu_thread *warp = &t->cta->threads[t->index - t->lane];

    for (uint32_t i = 0; i < EMU_WARP && t->index - t->lane + i < t->cta->thread_count; i++)
        if (waiter_waits(&warp[i]) && deadlock_look(&warp[i]) && t->around &&
            warp[i].around->first_line <= t->around->last_line && t->around->first_line <= warp[i].around->last_line)
            return true;
    return false;
}

/* The thread goes round a loop that looks at memory. */
static void of_memory(struct reason *r, const struct emu_thread *t)
{
    const struct emu_look *look = deadlock_look(t);
    char what[160];

    if (!look) {
        give(r, lane_looks(t) ? CONSEQUENCE : MISSING, NULL, t, "", "thread %u,%u,%u goes round a loop for ever",
             t->tid[0], t->tid[1], t->tid[2]);
        return;
    }
    deadlock_look_words(t, look, what, sizeof what);
    give(r, behind_comes(t, behind_is_arrive) ? KEEPS_OTHERS : LOOPS, &rule_deadlock_spin, t,
         "let a thread that can still run write what the loop waits for",
         "thread %u,%u,%u of CTA %u,%u,%u reads %s again and again, and no thread is left that could change it",
         t->tid[0], t->tid[1], t->tid[2], t->cta->ctaid[0], t->cta->ctaid[1], t->cta->ctaid[2], what);
}

/* At a wgmma.wait_group, for a warp of the warpgroup that has gone past it without the product. */
static void of_group(struct reason *r, const struct emu_thread *t)
{
    const struct emu_thread *o = &t->cta->threads[(t->warp / WGMMA_WARPS * WGMMA_WARPS + t->wait_a) * EMU_WARP];

    if (waiter_waits(o) && o->wait != EMU_WAIT_GROUP && waiter_at(o) > waiter_at(t))
        give(r, CULPRIT, &rule_wgmma_aligned, t, "let all four warps take the same way",
             "line %u waits for warp %u, which has gone past it to line %u", waiter_line(t), o->warp, waiter_line(o));
}

static void of_registers(struct reason *r, const struct emu_thread *t)
{
    char why[200];
    const struct ck_rule *rule = order_registers_short(t, waiter_at(t)->line, why, sizeof why);

    give(r, rule == &rule_setmaxnreg_pool ? KEEPS_OTHERS : CULPRIT, rule, t, NULL, "%s", why);
}

static void of_thread(struct reason *r, const struct emu_thread *t)
{
    const struct emu_thread *o;
    struct emu_mbarrier *m;

    switch (t->wait) {
    case EMU_WAIT_MBARRIER:
        m = emu_mbarrier_find(t->cta, t->wait_a);
        if (m)
            of_mbarrier(r, t, m);
        break;
    case EMU_WAIT_BARRIER: of_barrier(r, t); break;
    case EMU_WAIT_CLUSTER:
        give(r, some_may_come(t->cta->cluster->ctas, t->cta->cluster->cta_count) ? CONSEQUENCE : MISSING,
             &rule_deadlock_cluster, t, "let every thread of the cluster arrive, or exit",
             "not every thread of the cluster has come to barrier.cluster.arrive");
        break;
    case EMU_WAIT_WARP:
        o = elsewhere(t, t->offer->past & (uint32_t)t->wait_a);
        if (o)
            give(r, CULPRIT, &rule_warp_same_mask, t, NULL,
                 "the operation of line %u waits for lane %u, which came to it with another mask alone",
                 waiter_at(t)->line, o->lane);
        o = elsewhere(t, (uint32_t)t->wait_a);
        give(r, o && may_come(o) ? CONSEQUENCE : CULPRIT, &rule_deadlock_warp, t,
             "name in the mask only lanes that come to the instruction",
             "the operation of line %u waits for lane %u, which waits at line %u", waiter_at(t)->line, o ? o->lane : 0,
             o ? waiter_line(o) : 0);
        break;
    case EMU_WAIT_MEMORY: of_memory(r, t); break;
    case EMU_WAIT_REGISTERS: of_registers(r, t); break;
    case EMU_WAIT_GROUP: of_group(r, t); break;
    default: break;
    }
}

/* ---- a circle ---------------------------------------------------------------------------------------------------- */

/* The waiting threads by what they wait for. None where there is no memory; false: too many groups. */
static bool group_waiters(const struct emu_cluster *c, struct circle *x)
{
    const uint32_t threads = emu_threads_of(c);

    x->cluster = c;
    x->count = 0;
    x->of = threads ? calloc(threads, sizeof *x->of) : NULL;
    for (uint32_t i = 0; x->of && i < threads; i++) {
        const struct emu_thread *t = emu_thread_at(c, i);
        uint32_t g = 0;
        if (!waiter_waits(t))
            continue;
        while (g < x->count && !(x->groups[g].first->cta == t->cta && waiter_same(x->groups[g].first, t)))
            g++;
        if (g == CIRCLE_GROUPS)
            return false;
        if (g == x->count)
            x->groups[x->count++] = (struct circle_group){ .first = t,
                                                           .at = waiter_at(t),
                                                           .arrives = behind_comes(t, behind_is_arrive),
                                                           .meets = behind_comes(t, behind_is_barrier) };
        x->groups[g].count++;
        x->of[i] = (uint16_t)(g + 1);
    }
    return true;
}

static void name_group(const struct circle_group *g, char *out, size_t size)
{
    const struct emu_thread *t = g->first;
    char more[32] = "";

    if (g->count > 1)
        snprintf(more, sizeof more, " and %u more", g->count - 1);
    snprintf(out, size, "thread %u,%u,%u of CTA %u,%u,%u%s at line %u", t->tid[0], t->tid[1], t->tid[2],
             t->cta->ctaid[0], t->cta->ctaid[1], t->cta->ctaid[2], more, g->at->line);
}

/* Each thread waits for what the next one does only after its own wait: told as such, in the reason and the table. */
static void tell_circle(const struct emu_cluster *c, struct reason *r, struct waiter_table *table)
{
    struct circle x;
    uint32_t order[CIRCLE_GROUPS], length = group_waiters(c, &x) ? circle_find(&x, order) : 0;
    char who[90], next[90];

    for (uint32_t i = 0; i < length; i++) {
        name_group(&x.groups[order[i]], who, sizeof who);
        name_group(&x.groups[order[(i + 1) % length]], next, sizeof next);
        waiter_add(table, "circle: %s waits for what comes behind the wait of %s\n", who, next);
    }
    free(x.of);
    if (length < 2 || r->weight == CULPRIT)
        return;
    name_group(&x.groups[order[0]], who, sizeof who);
    name_group(&x.groups[order[1]], next, sizeof next);
    snprintf(r->why, sizeof r->why, "a circle of %u waits: %s waits for what %s does only after its own wait%s", length,
             who, next, length == 2 ? ", and the other way round" : ", and so on, back to the first");
    r->remedy =
        x.groups[order[0]].first->wait == EMU_WAIT_MBARRIER
            ? "let one of them do its part before it waits; on a fresh mbarrier a wait for parity 1 comes true at once"
            : "let one of them do its part before it waits";
}

/* The thread where it waits, and the bytes that it waits for. */
static void place_of_waiter(const struct emu_thread *t, struct emu_place *out)
{
    const struct emu_look *look = deadlock_look(t);
    const struct ptx_instruction *at = waiter_waits(t) ? waiter_at(t) : NULL;

    if (look && !look->cta)
        emu_place_at(t, at, look->address, look->size, out);
    else if (look)
        emu_place_at(t, at, look->address | (uint64_t)(look->cta->rank + 1) << EMU_RANK_SHIFT, look->size, out);
    else
        emu_place_at(t, at, t->wait == EMU_WAIT_MBARRIER ? t->wait_a : 0, t->wait == EMU_WAIT_MBARRIER ? 8 : 0, out);
}

/* The best reason of a cluster, if it is better than *r. Returns how many threads wait. */
static unsigned look_for(struct reason *r, const struct emu_cluster *c)
{
    unsigned waiters = 0;

    for (uint32_t i = 0; i < emu_threads_of(c); i++) {
        const struct emu_thread *t = emu_thread_at(c, i);
        if (!waiter_waits(t))
            continue;
        waiters++;
        of_thread(r, t);
        r->who = r->who ? r->who : t;
    }
    return waiters;
}

/* CTAs wait for memory while others have no room to begin: those could write it. */
static void of_room(struct reason *r, const struct emu_standstill *all)
{
    const struct emu_grid *g = all->clusters[0]->grid;
    const unsigned long long size = all->clusters[0]->cta_count,
                             ctas = (unsigned long long)g->dim[0] * g->dim[1] * g->dim[2];

    if (!all->not_begun || (r->rule != &rule_deadlock_spin && r->weight != CONSEQUENCE))
        return;
    r->rule = &rule_deadlock_resident;
    r->remedy = "launch no more CTAs than can be resident together, or let none wait for another";
    snprintf(r->why, sizeof r->why,
             "%llu of %llu CTAs cannot be resident together with the others: %llu are, and they wait for memory that a "
             "CTA which cannot begin before one of them ends would have to write",
             all->not_begun * size, ctas, (unsigned long long)all->count * size);
}

void deadlock_report(const struct emu_standstill *all, char *message, size_t size)
{
    const struct emu_cluster *c = all->clusters[0];
    struct emu_finding f = { .rule = NULL };
    struct waiter_table table = { .at = f.table, .size = sizeof f.table };
    struct reason r = { .weight = NO_REASON };
    unsigned waiters = 0;

    for (size_t i = 0; i < all->count; i++) {
        const int before = (int)r.weight;
        const unsigned n = look_for(&r, all->clusters[i]);
        if ((int)r.weight == before && i)
            continue;
        c = all->clusters[i];
        waiters = n;
    }
    tell_circle(c, &r, &table);
    of_room(&r, all);
    if (r.who) {
        f.rule = r.rule;
        f.also[0] = r.also;
        place_of_waiter(r.who, &f.here);
    }
    snprintf(f.message, sizeof f.message, "deadlock: %u thread%s wait%s for what never comes: %s%s", waiters,
             waiters == 1 ? "" : "s", waiters == 1 ? "s" : "", r.why,
             all->count > 1 ? "; further clusters wait too" : "");
    snprintf(f.remedy, sizeof f.remedy, "%s", r.remedy ? r.remedy : "");
    waiter_add_all(&table, c);
    waiter_add_objects(&table, c);
    emu_file(c->grid, &f);
    snprintf(message, size, "%s", f.message);
}
// SPDX-License-Identifier: Apache-2.0
