/* The lives of mbarrier objects: made, used, overwritten, ended; and which rule a use breaks that does not fit.
 *
 * What a plain access of a live object's bytes means is clear only from what comes next: a write is a wrong write where
 * the object is used again, and a reuse without inval where it is not; a read is an attempt at a copy where the bytes
 * are used as an object elsewhere. So is a use before init: a later init by another thread shows that only their order
 * is missing. Such findings are kept until the next event tells them apart, or the cluster ends. */
#include "harness/emu/judge/lives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/emu/copies/tile.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"

enum { FOLLOWED = 1024 }; /* objects of a CTA whose threads are followed */

/* What the judge knows of an object, made if it is not there. NULL where memory runs out. */
static struct life *life_at(struct emu_mbarrier *m)
{
    struct life *l = m->judged;

    if (l)
        return l;
    m->judged = l = calloc(1, sizeof *l);
    if (l)
        l->followed = m->number < FOLLOWED;
    return l;
}

/* The same for a thread's operation, which ends the grid where memory runs out. */
static struct life *life_of(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct life *l = life_at(m);

    if (!l)
        emu_starve(t, "an mbarrier");
    return l;
}

static uint32_t number_of(const struct emu_thread *t)
{
    return t->cta->rank * t->cta->cluster->ctas[0].thread_count + t->index;
}

/* A thread's own part, made if it is not there. NULL: the object is not followed, or memory runs out. */
static struct life_thread *part_of(struct life *l, const struct emu_thread *t)
{
    const uint32_t number = number_of(t);

    if (number >= l->thread_count) {
        const uint32_t room = (number + 1) * 2 > 32 ? (number + 1) * 2 : 32;
        struct life_thread *more = l->followed ? realloc(l->threads, room * sizeof *more) : NULL;
        if (!more)
            return NULL;
        memset(more + l->thread_count, 0, (room - l->thread_count) * sizeof *more);
        l->threads = more;
        l->thread_count = room;
    }
    return &l->threads[number];
}

const struct life_thread *life_seen_by(const struct emu_mbarrier *m, const struct emu_thread *t)
{
    const struct life *l = life_known(m);
    const uint32_t number = number_of(t);

    return l && number < l->thread_count ? &l->threads[number] : NULL;
}

static void lose(struct emu_mbarrier *m, struct life *l, const struct ck_rule *rule)
{
    m->state = EMU_MBARRIER_LOST;
    l->lost_by = rule;
}

static const char invalidate[] = "mbarrier.inval before the bytes serve another purpose";
static const char reuse[] =
    "a barrier, mbarrier.inval and a barrier before the bytes serve another purpose; until then "
    "change them by mbarrier operations alone";

/* ---- a life ----------------------------------------------------------------------------------------------------- */

/* What was kept of an ordinary access: the object is not used again as one. */
static void report_touch(struct emu_grid *g, struct emu_mbarrier *m, struct life *l)
{
    if (m->state == EMU_MBARRIER_ALIVE && l->touched == LIFE_WRITTEN)
        emu_mbarrier_report(g, &rule_mbarrier_inval_required, m, &l->touch, &l->made, invalidate,
                            "its bytes were written and serve another purpose while it is alive");
    if (m->state == EMU_MBARRIER_ALIVE && l->touched == LIFE_READ)
        emu_mbarrier_report(g, &rule_mbarrier_object_opaque_read, m, &l->touch, &l->made,
                            "mbarrier.inval before the bytes serve another purpose; its state is read by test_wait or "
                            "pending_count",
                            "its bytes were read by something other than an mbarrier operation");
    l->touched = LIFE_UNTOUCHED;
}

static void report_use(struct emu_grid *g, struct emu_mbarrier *m, struct life *l)
{
    if (l->user)
        emu_mbarrier_report(g, &rule_mbarrier_init_required, m, &l->use, NULL, "mbarrier.init first",
                            "it was used, and nobody ever made it");
    l->user = NULL;
}

/* A live object whose bytes some thread read, and which are at this place now. */
static struct emu_mbarrier *original_of(const struct emu_mbarrier *copy)
{
    const struct emu_cluster *c = copy->cta->cluster;
    uint64_t bits;

    memcpy(&bits, copy->cta->shared + copy->offset, sizeof bits);
    for (uint32_t i = 0; i < c->cta_count; i++) {
        const struct emu_mbarriers *all = c->ctas[i].mbarriers;
        for (uint32_t k = 0; all && k < all->count; k++) {
            const struct life *l = life_known(all->all[k]);
            if (l && l->touched == LIFE_READ && all->all[k]->bits == bits)
                return all->all[k];
        }
    }
    return NULL;
}

/* Used where no object has been made: what is there is a copy of another object, or it is used too early. */
static void used_unmade(struct emu_thread *t, struct emu_mbarrier *m, struct life *l)
{
    const struct emu_mbarrier *original = original_of(m);

    if (original) {
        emu_mbarrier_complain(
            t, &rule_mbarrier_object_no_copy, m, &life_known(original)->touch, "init an object of its own",
            "what is here is a copy of the bytes of the mbarrier at offset %llu", (unsigned long long)original->offset);
        life_known(original)->touched = LIFE_UNTOUCHED;
        lose(m, l, &rule_mbarrier_object_no_copy);
    } else if (!l->user) {
        l->user = t;
        emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &l->use);
    }
}

void life_use(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct life *l = life_of(t, m);
    struct life_thread *x = part_of(l, t);

    if (x && !t->landing)
        x->epoch = order_epoch(t);
    switch (m->state) {
    case EMU_MBARRIER_ALIVE:
        if (l->touched != LIFE_WRITTEN)
            break;
        emu_mbarrier_complain(
            t, &rule_mbarrier_object_opaque_write, m, &l->touch, reuse,
            "its bytes were written by something other than an mbarrier operation, and now it is used");
        memcpy(m->cta->shared + m->offset, &m->bits, sizeof m->bits);
        l->touched = LIFE_UNTOUCHED;
        break;
    case EMU_MBARRIER_ENDED:
        emu_mbarrier_complain(t, &rule_mbarrier_inval_then_use, m, &l->ended, "init it again, or invalidate it later",
                              "it is used after its inval");
        lose(m, l, &rule_mbarrier_inval_then_use);
        break;
    case EMU_MBARRIER_LOST: break;
    case EMU_MBARRIER_NONE: used_unmade(t, m, l); break;
    }
}

/* It was used before: by this thread, or by one that should have waited for this init. */
static void used_too_early(struct emu_thread *t, struct emu_mbarrier *m, struct life *l)
{
    const bool own = l->user == t, remote = l->user->cta != t->cta;
    struct emu_place here;

    emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &here);
    emu_mbarrier_report(t->cta->cluster->grid,
                        own      ? &rule_mbarrier_init_required
                        : remote ? &rule_mbarrier_cluster_remote_init_sync
                                 : &rule_mbarrier_init_needs_sync,
                        m, &l->use, &here,
                        own      ? "mbarrier.init first"
                        : remote ? "fence.mbarrier_init and a cluster barrier after the init"
                                 : "a barrier after the init",
                        own ? "it was used before its init"
                            : "it was used before its init by another thread: nothing orders the two");
    l->user = NULL;
}

/* What a thread means that makes an object where one is alive. */
static const char *init_remedy(const struct emu_thread *t, const struct emu_place *made)
{
    struct emu_place now;

    emu_place_of(t, 0, 0, &now);
    if (!memcmp(now.tid, made->tid, sizeof now.tid) && !memcmp(now.ctaid, made->ctaid, sizeof now.ctaid))
        return "leave this init out, since the next phase begins by itself; or mbarrier.inval before it";
    return now.at == made->at ? "let one thread init it, and all meet at a barrier before they use it"
                              : "init it once, or mbarrier.inval before the second init";
}

void life_init(struct emu_thread *t, struct emu_mbarrier *m, const struct ck_rule *broken)
{
    struct life *l = life_of(t, m);
    struct life_thread *x;

    if (m->state == EMU_MBARRIER_ALIVE && l->touched == LIFE_WRITTEN)
        report_touch(t->cta->cluster->grid, m, l);
    else if (m->state == EMU_MBARRIER_ALIVE)
        emu_mbarrier_complain(t, &rule_mbarrier_init_live_object, m, &l->made, init_remedy(t, &l->made),
                              "init on an object that is alive");
    if (l->user)
        used_too_early(t, m, l);
    l->lost_by = broken;
    l->lost_bytes = l->unmade;
    l->unmade = 0;
    l->announced = l->brought = 0;
    l->early.at = NULL;
    l->observed = true;
    l->touched = LIFE_UNTOUCHED;
    l->share_count = 0;
    for (uint32_t i = 0; i < l->thread_count; i++)
        l->threads[i] = (struct life_thread){ 0 };
    emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &l->made);
    x = part_of(l, t);
    if (x)
        x->epoch = order_epoch(t);
}

void life_inval(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct life *l = life_of(t, m);

    report_touch(t->cta->cluster->grid, m, l);
    m->state = EMU_MBARRIER_ENDED;
    if (l->flying)
        emu_mbarrier_complain(t, &rule_mbarrier_inval_quiescent, m, NULL, "wait for the copies before inval",
                              "inval with %u copies in flight that signal it", l->flying);
    for (uint32_t i = 0; i < l->thread_count; i++) {
        const struct emu_thread *o = l->threads[i].epoch ? emu_thread_at(t->cta->cluster, i) : t;
        if (o == t || order_knows(t, o, l->threads[i].epoch))
            continue;
        emu_mbarrier_complain(t, &rule_mbarrier_inval_quiescent, m, NULL, "a barrier before the inval",
                              "inval, and nothing orders that after its use by thread %u,%u,%u of CTA %u,%u,%u",
                              o->tid[0], o->tid[1], o->tid[2], o->cta->ctaid[0], o->cta->ctaid[1], o->cta->ctaid[2]);
        lose(m, l, &rule_mbarrier_inval_quiescent);
        break;
    }
    emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &l->ended);
}

/* ---- phases ----------------------------------------------------------------------------------------------------- */

/* An arrival in a phase that nobody waited to begin, after a wait for a phase that was over. */
static void complain_of_wait(struct emu_thread *t, const struct emu_mbarrier *m, const struct ptx_instruction *wait)
{
    struct emu_place there;

    emu_place_of(t, 0, 0, &there);
    there.at = wait;
    emu_mbarrier_complain(
        t, &rule_mbarrier_phase_parity_alternates, m, &there,
        "wait for the other parity: a wait for the same phase again comes true at once",
        "an arrival in phase %llu, and no wait for phase %llu has returned true; the thread's last wait, "
        "at line %u, came true for a phase that it had already waited for",
        (unsigned long long)m->phase, (unsigned long long)m->phase - 1, wait->line);
}

/* Whether as many threads as the phase has arrivals have arrived in it, and none of them twice. */
static bool all_arrived_once(const struct emu_mbarrier *m, const struct life *l)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < l->thread_count; i++)
        n += l->threads[i].arrived == m->phase + 1;
    return n && n == emu_mbarrier_arrivals(m);
}

/* Init said too few arrivals. Copies whose bytes a phase does not wait for, and reads of them, follow from that. */
static void complain_of_count(struct emu_thread *t, const struct emu_mbarrier *m, const char *what)
{
    struct emu_place here;

    emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &here);
    emu_mbarrier_report_cause(t->cta->cluster->grid, &rule_mbarrier_phase_over_arrive, m, &here, NULL,
                              "init with as many arrivals as threads arrive, or let fewer arrive", what);
}

void life_arrive(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct life *l = life_of(t, m);
    struct life_thread *x = part_of(l, t);
    const bool went_on = !x || x->arrived == m->phase || x->seen;
    const struct ptx_instruction *stale = l->observed ? NULL : order_stale_wait(t);
    const uint32_t line = t->pc[-1].source ? t->pc[-1].source->line : 0;
    char what[200];

    if (stale)
        complain_of_wait(t, m, stale);
    else if (!l->observed && went_on)
        emu_mbarrier_complain(t, &rule_mbarrier_phase_observe_before_next, m, NULL,
                              "wait for a phase before anyone arrives in the next",
                              "an arrival in phase %llu, and no wait for phase %llu has returned true",
                              (unsigned long long)m->phase, (unsigned long long)m->phase - 1);
    else if (!l->observed) {
        snprintf(what, sizeof what,
                 "one arrival more than phase %llu had: it counts for phase %llu, which nobody waited to begin",
                 (unsigned long long)m->phase - 1, (unsigned long long)m->phase);
        complain_of_count(t, m, what);
    }
    l->observed = true;
    if (!x)
        return;
    if (!emu_mbarrier_pending(m) && x->arrived != m->phase + 1 && all_arrived_once(m, l)) {
        snprintf(what, sizeof what,
                 "more threads arrive in phase %llu than init said: %llu have arrived once each, and this is one more",
                 (unsigned long long)m->phase, (unsigned long long)emu_mbarrier_arrivals(m));
        complain_of_count(t, m, what);
    }
    x->twice |= x->arrived == m->phase + 1 && x->line != line;
    x->line = line;
    x->arrived = (uint32_t)m->phase + 1;
}

void life_count(struct emu_thread *t, struct emu_mbarrier *m, enum emu_mbarrier_count what, uint64_t amount)
{
    struct life_share share = { .kind = what, .times = 1, .amount = amount };
    struct life *l = life_of(t, m);

    emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &share.first);
    if (what == EMU_EXPECTED)
        l->announced += amount;
    if (what == EMU_DELIVERED) {
        l->brought += amount;
        share.filled = l->filled;
        l->filled = 0;
    }
    for (uint32_t i = 0; i < l->share_count; i++)
        if (l->shares[i].kind == what && l->shares[i].first.at == share.first.at) {
            l->shares[i].times++;
            l->shares[i].amount += amount;
            l->shares[i].filled += share.filled;
            return;
        }
    if (l->share_count == l->share_room) {
        const uint32_t room = l->share_room ? l->share_room * 2 : 4;
        struct life_share *more = realloc(l->shares, room * sizeof *more);
        if (!more)
            return;
        l->shares = more;
        l->share_room = room;
    }
    l->shares[l->share_count++] = share;
}

/* A copy that signals the object and is still in flight. */
static const struct emu_flight *in_flight_to(const struct emu_mbarrier *m)
{
    const struct emu_flights *list = m->cta->cluster->flights;

    for (const struct emu_flight *f = list ? list->first : NULL; f; f = f->next)
        if (f->kind != EMU_ARRIVE && f->bar == m->offset && f->size && !f->landing && emu_flight_signals(f, m->cta))
            return f;
    return NULL;
}

static bool is_noinc(const struct emu_flight *f)
{
    return f->kind == EMU_ARRIVE && ptx_has(f->thread->cta->cluster->grid->module, f->at, PTX_noinc);
}

/* A cp.async.mbarrier.arrive.noinc that is counted in this phase and has yet to arrive. */
static bool is_late_arrival(const struct emu_mbarrier *m, const struct emu_flight *f)
{
    return f->bar_cta == m->cta && f->bar == m->offset && !f->landing && is_noinc(f);
}

/* The phase completes without an arrival of the form .noinc that was issued before: others have taken its place. */
static void complain_of_late_arrival(struct emu_thread *t, struct emu_mbarrier *m)
{
    const struct emu_flights *list = m->cta->cluster->flights;
    const struct emu_flight *f = list ? list->first : NULL;
    struct emu_place here, there;
    char what[240];

    while (f && !is_late_arrival(m, f))
        f = f->next;
    if (!f)
        return;
    emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &here);
    emu_place_of(f->thread, m->offset, EMU_MBARRIER_BYTES, &there);
    there.at = f->at;
    snprintf(what, sizeof what,
             "phase %llu completes by its %llu arrivals while an arrival of cp.async.mbarrier.arrive.noinc (line %u), "
             "which is one of them too, waits for its copies",
             (unsigned long long)m->phase, (unsigned long long)emu_mbarrier_arrivals(m), f->at->line);
    emu_mbarrier_report_cause(m->cta->cluster->grid, &rule_mbarrier_phase_over_arrive, m, &here, &there,
                              "init with the arrivals of threads and those of .noinc together, or leave out the "
                              "threads' own arrivals",
                              what);
}

void life_phase(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct life *l = life_of(t, m);
    const struct emu_flight *f = l->flying ? in_flight_to(m) : NULL;
    struct emu_place there;

    if (l->arriving)
        complain_of_late_arrival(t, m);
    if (f) {
        emu_place_of(f->thread, f->to, f->size, &there);
        there.at = f->at;
        emu_mbarrier_complain(t, &rule_mbarrier_tx_wrong_phase, m, &there,
                              "expect_tx for the bytes before the last arrival of the phase",
                              "phase %llu completes while a copy of %llu bytes that signals it is in flight: nobody "
                              "announced them in this phase",
                              (unsigned long long)m->phase, (unsigned long long)f->size);
        if (!l->early.at) {
            emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &l->completed);
            l->early = there;
        }
    }
    l->observed = false;
    l->share_count = 0;
}

void life_seen(struct emu_thread *t, struct emu_mbarrier *m)
{
    struct life *l = life_of(t, m);
    struct life_thread *x = part_of(l, t);

    l->observed = true;
    if (x)
        x->seen = (uint32_t)m->phase;
}

/* ---- bytes and copies ------------------------------------------------------------------------------------------- */

/* Nothing of this changes the object: what it was stays in m->bits. */
static void touch(struct emu_thread *t, struct emu_mbarrier *m, bool writes)
{
    struct life *l = life_known(m);

    if (!l || m->state != EMU_MBARRIER_ALIVE)
        return;
    if (!writes && l->touched == LIFE_WRITTEN) { /* read as what was written there */
        report_touch(t->cta->cluster->grid, m, l);
        m->state = EMU_MBARRIER_NONE;
        return;
    }
    if (l->touched == LIFE_WRITTEN || (!writes && l->touched))
        return;
    l->touched = writes ? LIFE_WRITTEN : LIFE_READ;
    emu_place_of(t, m->offset, EMU_MBARRIER_BYTES, &l->touch);
}

void life_touch(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, uint64_t n, enum emu_access access)
{
    const struct emu_mbarriers *all = cta->mbarriers;
    const uint64_t first = offset / EMU_MBARRIER_BYTES, last = (offset + n - 1) / EMU_MBARRIER_BYTES;

    if (!n || !life_near(cta, offset, n))
        return;
    for (uint64_t i = first; i <= last && i * EMU_MBARRIER_BYTES <= all->last; i++)
        if (all->slot[i])
            touch(t, all->all[all->slot[i] - 1], access != EMU_READ);
}

/* A copy is issued that writes `size` bytes of this CTA's shared memory (NULL: of none). */
static void copy_issued_to(struct emu_flight *f, struct emu_cta *cta, uint64_t size)
{
    struct emu_mbarrier *m = f->bar_cta ? emu_mbarrier_at(f->multicast ? cta : f->bar_cta, f->bar) : NULL;
    struct life *l = m ? life_at(m) : NULL;

    if (cta && f->kind != EMU_TENSOR_STORE)
        life_touch(f->thread, cta, f->to, size, EMU_WRITE);
    if (l && f->size)
        l->flying++;
    if (l && is_noinc(f))
        l->arriving++;
}

void life_copy_issued(struct emu_flight *f)
{
    const bool tensor = f->kind == EMU_TENSOR_LOAD || f->kind == EMU_TENSOR_STORE;
    const uint64_t size = tensor ? f->tile.size.span : f->size;
    struct emu_cluster *c = f->thread->cta->cluster;

    if (f->from_cta && f->kind != EMU_TENSOR_LOAD)
        life_touch(f->thread, f->from_cta, f->from, tensor ? size : f->copied, EMU_READ);
    if (!f->multicast)
        copy_issued_to(f, f->to_cta, size);
    for (uint32_t rank = 0; f->multicast && rank < c->cta_count; rank++)
        if (f->multicast >> rank & 1)
            copy_issued_to(f, &c->ctas[rank], size);
}

void life_copy_signals(struct emu_flight *f, struct emu_cta *cta, uint64_t offset)
{
    const struct emu_mbarrier *m = emu_mbarrier_find(cta, offset);
    struct life *l = m ? life_known(m) : NULL;

    if (l && l->flying && f->size)
        l->flying--;
    if (l && l->arriving && is_noinc(f))
        l->arriving--;
    if (l && m->state == EMU_MBARRIER_NONE)
        l->unmade += f->size;
    if (l)
        l->filled = f->kind == EMU_TENSOR_LOAD ? emu_tile_outside(&f->tile) : 0;
}

/* A phase completed while a copy was in flight, and up to now copies bring more than was announced: that is the
 * mistake, and not that the bytes were announced too late. */
static void report_balance(struct emu_cluster *c, const struct emu_mbarrier *m, struct life *l)
{
    const struct emu_flights *list = c->flights;
    uint64_t bytes = l->brought;
    char what[240];

    if (!l->early.at || !l->announced || m->state != EMU_MBARRIER_ALIVE)
        return;
    for (const struct emu_flight *f = list ? list->first : NULL; f; f = f->next)
        if (f->kind != EMU_ARRIVE && f->bar == m->offset && emu_flight_signals(f, m->cta))
            bytes += f->size;
    if (bytes <= l->announced)
        return;
    snprintf(
        what, sizeof what,
        "phases complete while copies that signal it are in flight: %llu bytes were announced in all, and its copies "
        "bring %llu",
        (unsigned long long)l->announced, (unsigned long long)bytes);
    emu_mbarrier_report_cause(c->grid, &rule_mbarrier_tx_balance, m, &l->completed, &l->early,
                              "expect as many bytes as the copies bring, or let one thread issue the copy", what);
    l->early.at = NULL;
}

void lives_end(struct emu_cluster *c, bool done)
{
    for (uint32_t i = 0; i < c->cta_count; i++) {
        const struct emu_mbarriers *all = c->ctas[i].mbarriers;
        for (uint32_t k = 0; all && k < all->count; k++) {
            struct life *l = life_known(all->all[k]);
            if (!l)
                continue;
            if (done)
                report_use(c->grid, all->all[k], l);
            if (done)
                report_touch(c->grid, all->all[k], l);
            report_balance(c, all->all[k], l);
        }
    }
}

void lives_free(struct emu_cluster *c)
{
    for (uint32_t i = 0; i < c->cta_count; i++) {
        const struct emu_mbarriers *all = c->ctas[i].mbarriers;
        for (uint32_t k = 0; all && k < all->count; k++) {
            struct life *l = life_known(all->all[k]);
            if (!l)
                continue;
            all->all[k]->judged = NULL;
            free(l->shares);
            free(l->threads);
            free(l);
        }
    }
}
// SPDX-License-Identifier: Apache-2.0
