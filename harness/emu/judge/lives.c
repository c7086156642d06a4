/* The lives of mbarrier objects: made, used, overwritten, ended; and which rule a use breaks that does not fit.
 *
 * What a plain access of a live object's bytes means is clear only from what comes next: a write is a wrong write where
 * the object is used again, and a reuse without inval where it is not; a read is an attempt at a copy where the bytes
 * are used as an object elsewhere. So is a use before init: another thread's init behind it shows that only their order
 * is missing. Such findings are kept until the next event tells them apart, or the cluster ends. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/lives.h"

#include "expected/oracle.h"

enum { CELL_BYTES = 8, FOLLOWED = 1024 };

/* Of a CTA: cta->async. */
struct lives {
    uint32_t count, room, made; /* made: how many inits there were */
    struct emu_life **all;
    uint64_t first, last; /* offsets between which they lie */
    uint32_t *slot;       /* of each eight bytes of shared memory: a number in `all` plus 1, or 0 */
};

struct emu_life *emu_life_find(const struct emu_cta *cta, uint64_t offset)
{
    const struct lives *all = cta->async;
    uint32_t n;

    if (!all || !all->count || offset / CELL_BYTES >= cta->shared_bytes / CELL_BYTES)
        return NULL;
    n = all->slot[offset / CELL_BYTES];
    return n ? all->all[n - 1] : NULL;
}

static struct lives *lives_of(struct emu_cta *cta)
{
    struct lives *all = cta->async;

    if (all)
        return all;
    all = calloc(1, sizeof *all);
    if (all && !(all->slot = calloc(cta->shared_bytes / CELL_BYTES + 1, sizeof *all->slot))) {
        free(all);
        return NULL;
    }
    if (all)
        all->first = UINT64_MAX;
    return cta->async = all;
}

struct emu_life *emu_life_at(struct emu_cta *cta, uint64_t offset)
{
    struct lives *all = lives_of(cta);
    struct emu_life *l = emu_life_find(cta, offset);

    if (l || !all)
        return l;
    if (all->count == all->room) {
        const uint32_t room = all->room ? all->room * 2 : 8;
        struct emu_life **more = realloc(all->all, room * sizeof *more);
        if (!more)
            return NULL;
        all->all = more;
        all->room = room;
    }
    l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->cta = cta;
    l->offset = offset;
    l->followed = all->count < FOLLOWED;
    all->all[all->count++] = l;
    all->slot[offset / CELL_BYTES] = all->count;
    if (offset < all->first)
        all->first = offset;
    if (offset > all->last)
        all->last = offset;
    return l;
}

void emu_lives_free(struct emu_cta *cta)
{
    struct lives *all = cta->async;

    cta->async = NULL;
    for (uint32_t i = 0; all && i < all->count; i++) {
        free(all->all[i]->shares);
        free(all->all[i]->threads);
        free(all->all[i]);
    }
    if (all) {
        free(all->all);
        free(all->slot);
    }
    free(all);
}

struct life_thread *emu_life_thread(struct emu_life *l, const struct emu_thread *t)
{
    const struct emu_cluster *c = t->cta->cluster;
    const uint32_t number = t->cta->rank * c->ctas[0].thread_count + t->index;

    if (number >= l->thread_count) {
        const uint32_t room = (number + 1) * 2 > 32 ? (number + 1) * 2 : 32;
        struct life_thread *more;
        if (!l->followed || !(more = realloc(l->threads, room * sizeof *more)))
            return NULL;
        memset(more + l->thread_count, 0, (room - l->thread_count) * sizeof *more);
        l->threads = more;
        l->thread_count = room;
    }
    return &l->threads[number];
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static uint64_t sum(const struct emu_life *l, enum life_kind kind)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < l->share_count; i++)
        n += l->shares[i].kind == kind ? l->shares[i].amount : 0;
    return n;
}

void emu_life_counts(const struct emu_life *l, char *out, size_t size)
{
    const uint64_t announced = sum(l, LIFE_EXPECTED), came = sum(l, LIFE_DELIVERED);
    size_t n;

    if (l->state != LIFE_ALIVE) {
        snprintf(out, size, "%s", l->state == LIFE_ENDED ? "it has been invalidated" : "it has not been made");
        return;
    }
    n = (size_t)snprintf(out, size, "phase %llu, %llu of %llu arrivals pending", (unsigned long long)l->phase,
                         (unsigned long long)(l->bits >> 20 & 0xfffff), (unsigned long long)(l->bits & 0xfffff));
    if ((announced || came) && n < size)
        snprintf(out + n, size - n, ", %llu bytes expected and %llu delivered", (unsigned long long)announced,
                 (unsigned long long)came);
}

static void place_object(const struct emu_life *l, struct emu_place *p)
{
    p->address = l->offset;
    p->bytes = CELL_BYTES;
}

static void tell(struct emu_grid *g, const struct ck_rule *rule, const struct emu_life *l, const struct emu_place *here,
                 const struct emu_place *there, const char *remedy, const char *what)
{
    struct emu_finding f = { .rule = rule, .here = *here };
    char counts[160];

    if (there)
        f.there = *there;
    emu_life_counts(l, counts, sizeof counts);
    snprintf(f.message, sizeof f.message, "the mbarrier at offset %llu of CTA rank %u (%s): %s",
             (unsigned long long)l->offset, l->cta->rank, counts, what);
    snprintf(f.remedy, sizeof f.remedy, "%s", remedy);
    emu_find(g, &f);
}

void emu_life_find_fault(struct emu_thread *t, const struct ck_rule *rule, const struct emu_life *l,
                         const struct emu_place *there, const char *remedy, const char *format, ...)
{
    struct emu_place here;
    char what[240];
    va_list args;

    emu_place_of(t, l->offset, CELL_BYTES, &here);
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    tell(t->cta->cluster->grid, rule, l, &here, there, remedy, what);
}

static void lose(struct emu_life *l, const struct ck_rule *rule)
{
    l->state = LIFE_LOST;
    l->lost_by = rule;
}

static const char invalidate[] = "mbarrier.inval before the bytes serve another purpose";

/* ---- a life ----------------------------------------------------------------------------------------------------- */

/* What was kept of an ordinary access: the object is not used again as one. */
static void tell_touch(struct emu_grid *g, struct emu_life *l)
{
    if (l->state == LIFE_ALIVE && l->touched == LIFE_WRITTEN)
        tell(g, &rule_mbarrier_inval_required, l, &l->touch, &l->made, invalidate,
             "its bytes were written and serve another purpose while it is alive");
    if (l->state == LIFE_ALIVE && l->touched == LIFE_READ)
        tell(g, &rule_mbarrier_object_opaque_read, l, &l->touch, &l->made,
             "read its state by test_wait or pending_count",
             "its bytes were read by something else than an mbarrier operation");
    l->touched = LIFE_UNTOUCHED;
}

static void tell_use(struct emu_grid *g, struct emu_life *l)
{
    if (l->user)
        tell(g, &rule_mbarrier_init_required, l, &l->use, NULL, "mbarrier.init first",
             "it was used, and nobody ever made it");
    l->user = NULL;
}

/* A live object whose bytes somebody read, and which stand here now. */
static struct emu_life *original_of(const struct emu_life *copy)
{
    const struct emu_cluster *c = copy->cta->cluster;
    uint64_t bits;

    memcpy(&bits, copy->cta->shared + copy->offset, sizeof bits);
    for (uint32_t i = 0; i < c->cta_count; i++) {
        const struct lives *all = c->ctas[i].async;
        for (uint32_t k = 0; all && k < all->count; k++)
            if (all->all[k]->touched == LIFE_READ && all->all[k]->bits == bits)
                return all->all[k];
    }
    return NULL;
}

bool emu_life_use(struct emu_thread *t, struct emu_life *l)
{
    struct life_thread *x = emu_life_thread(l, t);
    struct emu_life *original;

    if (x && !t->landing)
        x->epoch = emu_order_now(t);
    switch (l->state) {
    case LIFE_ALIVE:
        if (l->touched == LIFE_WRITTEN) {
            emu_life_find_fault(
                t, &rule_mbarrier_object_opaque_write, l, &l->touch, "change it by mbarrier operations alone",
                "its bytes were written by something else than an mbarrier operation, and now it is used");
            memcpy(l->cta->shared + l->offset, &l->bits, sizeof l->bits);
            l->touched = LIFE_UNTOUCHED;
        }
        return true;
    case LIFE_ENDED:
        emu_life_find_fault(t, &rule_mbarrier_inval_then_use, l, &l->ended, "init it again, or invalidate it later",
                            "it is used after its inval");
        lose(l, &rule_mbarrier_inval_then_use);
        return false;
    case LIFE_LOST: return false;
    case LIFE_NONE: break;
    }
    original = original_of(l);
    if (original) {
        emu_life_find_fault(t, &rule_mbarrier_object_no_copy, l, &original->touch, "init an object of its own",
                            "what is here is a copy of the bytes of the mbarrier at offset %llu",
                            (unsigned long long)original->offset);
        original->touched = LIFE_UNTOUCHED;
        lose(l, &rule_mbarrier_object_no_copy);
    } else if (!l->user) {
        l->user = t;
        emu_place_of(t, l->offset, CELL_BYTES, &l->use);
    }
    return false;
}

/* It was used before: by this thread, or by one that should have waited for this init. */
static void used_too_early(struct emu_thread *t, struct emu_life *l)
{
    const bool own = l->user == t, remote = l->user->cta != t->cta;
    struct emu_place here;

    emu_place_of(t, l->offset, CELL_BYTES, &here);
    tell(t->cta->cluster->grid,
         own      ? &rule_mbarrier_init_required
         : remote ? &rule_mbarrier_cluster_remote_init_sync
                  : &rule_mbarrier_init_needs_sync,
         l, &l->use, &here,
         own      ? "mbarrier.init first"
         : remote ? "fence.mbarrier_init and a cluster barrier behind the init"
                  : "a barrier behind the init",
         own ? "it was used before its init" : "it was used before its init by another thread: nothing orders the two");
    l->user = NULL;
}

void emu_life_init(struct emu_thread *t, struct emu_life *l, const struct ck_rule *broken)
{
    struct lives *all = l->cta->async;
    const uint32_t threads = l->thread_count;
    struct life_thread *x;

    if (l->state == LIFE_ALIVE && l->touched == LIFE_WRITTEN)
        tell_touch(t->cta->cluster->grid, l);
    else if (l->state == LIFE_ALIVE)
        emu_life_find_fault(t, &rule_mbarrier_init_live_object, l, &l->made, "mbarrier.inval first",
                            "init on an object that is alive");
    if (l->user)
        used_too_early(t, l);
    l->state = broken ? LIFE_LOST : LIFE_ALIVE;
    l->lost_by = broken;
    l->serial = (uint16_t)++all->made; /* states of the object before are not of this one */
    l->phase = 0;
    l->observed = true;
    l->touched = LIFE_UNTOUCHED;
    l->share_count = 0;
    if (threads)
        memset(l->threads, 0, threads * sizeof *l->threads);
    emu_place_of(t, l->offset, CELL_BYTES, &l->made);
    if ((x = emu_life_thread(l, t)))
        x->epoch = emu_order_now(t);
}

void emu_life_inval(struct emu_thread *t, struct emu_life *l)
{
    const uint32_t per_cta = t->cta->cluster->ctas[0].thread_count;

    tell_touch(t->cta->cluster->grid, l);
    l->state = LIFE_ENDED;
    if (l->flying)
        emu_life_find_fault(t, &rule_mbarrier_inval_quiescent, l, NULL, "wait for the copies before inval",
                            "inval with %u copies in flight that signal it", l->flying);
    for (uint32_t i = 0; i < l->thread_count; i++) {
        const struct emu_thread *o = l->threads[i].epoch ? &t->cta->cluster->ctas[i / per_cta].threads[i % per_cta] : t;
        if (o == t || emu_order_knows(t, o, l->threads[i].epoch))
            continue;
        emu_life_find_fault(t, &rule_mbarrier_inval_quiescent, l, NULL, "a barrier before the inval",
                            "inval, and nothing orders that after its use by thread %u,%u,%u of CTA %u,%u,%u",
                            o->tid[0], o->tid[1], o->tid[2], o->cta->ctaid[0], o->cta->ctaid[1], o->cta->ctaid[2]);
        lose(l, &rule_mbarrier_inval_quiescent);
        break;
    }
    emu_place_of(t, l->offset, CELL_BYTES, &l->ended);
}

/* ---- phases ----------------------------------------------------------------------------------------------------- */

void emu_life_arrive(struct emu_thread *t, struct emu_life *l)
{
    struct life_thread *x = emu_life_thread(l, t);
    const bool went_on = !x || x->arrived == l->phase || x->seen;

    if (!l->observed && went_on)
        emu_life_find_fault(t, &rule_mbarrier_phase_observe_before_next, l, NULL,
                            "wait for a phase before anyone arrives in the next",
                            "an arrival in phase %llu, and no wait for phase %llu has returned true",
                            (unsigned long long)l->phase, (unsigned long long)l->phase - 1);
    else if (!l->observed)
        emu_life_find_fault(t, &rule_mbarrier_phase_over_arrive, l, NULL,
                            "init with as many arrivals as threads arrive, or let fewer arrive",
                            "one arrival more than phase %llu had: it counts for phase %llu, which nobody waited to "
                            "begin",
                            (unsigned long long)l->phase - 1, (unsigned long long)l->phase);
    l->observed = true;
    if (x)
        x->arrived = (uint32_t)l->phase + 1;
}

void emu_life_share(struct emu_thread *t, struct emu_life *l, enum life_kind kind, uint64_t amount)
{
    struct life_share share = { .kind = kind, .times = 1, .amount = amount };

    if (!amount)
        return;
    emu_place_of(t, l->offset, CELL_BYTES, &share.first);
    for (uint32_t i = 0; i < l->share_count; i++)
        if (l->shares[i].kind == kind && l->shares[i].first.at == share.first.at) {
            l->shares[i].times++;
            l->shares[i].amount += amount;
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

/* A copy that signals the object and is in flight still. */
static const struct emu_flight *in_flight_to(const struct emu_life *l)
{
    const struct emu_flights *list = l->cta->cluster->async;

    for (const struct emu_flight *f = list ? list->first : NULL; f; f = f->next)
        if (f->kind != EMU_ARRIVE && f->bar == l->offset && f->size && !f->landing &&
            (f->multicast ? f->multicast >> l->cta->rank & 1 : f->bar_cta == l->cta))
            return f;
    return NULL;
}

void emu_life_phase(struct emu_thread *t, struct emu_life *l)
{
    const struct emu_flight *f = l->flying ? in_flight_to(l) : NULL;
    struct emu_place there;

    if (f) {
        emu_place_of(f->thread, f->to, f->size, &there);
        there.at = f->at;
        emu_life_find_fault(t, &rule_mbarrier_tx_wrong_phase, l, &there,
                            "expect_tx for the bytes before the last arrival of the phase",
                            "phase %llu completes while a copy of %llu bytes that signals it is in flight: nobody "
                            "announced them in this phase",
                            (unsigned long long)l->phase, (unsigned long long)f->size);
    }
    l->phase++;
    l->observed = false;
    l->share_count = 0;
}

void emu_life_seen(struct emu_thread *t, struct emu_life *l)
{
    struct life_thread *x = emu_life_thread(l, t);

    l->observed = true;
    if (x)
        x->seen = (uint32_t)l->phase;
}

/* ---- bytes and copies ------------------------------------------------------------------------------------------- */

/* Nothing of that changes the object: what it was stays in l->bits. */
static void touch(struct emu_thread *t, struct emu_life *l, bool writes)
{
    if (l->state != LIFE_ALIVE)
        return;
    if (!writes && l->touched == LIFE_WRITTEN) { /* read as what was written there */
        tell_touch(t->cta->cluster->grid, l);
        l->state = LIFE_NONE;
        return;
    }
    if (l->touched == LIFE_WRITTEN || (!writes && l->touched))
        return;
    l->touched = writes ? LIFE_WRITTEN : LIFE_READ;
    emu_place_of(t, l->offset, CELL_BYTES, &l->touch);
    place_object(l, &l->touch);
}

void emu_life_touch(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, uint64_t n, enum emu_access access)
{
    const struct lives *all = cta->async;

    if (!all || !n || offset > all->last + CELL_BYTES - 1 || offset + n <= all->first)
        return;
    for (uint64_t i = offset / CELL_BYTES; i <= (offset + n - 1) / CELL_BYTES && i * CELL_BYTES <= all->last; i++)
        if (all->slot[i])
            touch(t, all->all[all->slot[i] - 1], access != EMU_READ);
}

static void fly_to(struct emu_flight *f, struct emu_cta *cta, uint64_t size)
{
    struct emu_life *l =
        f->bar_cta && f->kind != EMU_ARRIVE ? emu_life_at(f->multicast ? cta : f->bar_cta, f->bar) : NULL;

    if (cta && f->kind != EMU_TENSOR_STORE)
        emu_life_touch(f->thread, cta, f->to, size, EMU_WRITE);
    if (l && f->size)
        l->flying++;
}

void emu_life_fly(struct emu_flight *f)
{
    const bool tensor = f->kind == EMU_TENSOR_LOAD || f->kind == EMU_TENSOR_STORE;
    const uint64_t size = tensor ? tensor_tile_span(&f->map) : f->size;
    struct emu_cluster *c = f->thread->cta->cluster;

    if (f->kind == EMU_ARRIVE)
        return;
    if (f->from_cta && f->kind != EMU_TENSOR_LOAD)
        emu_life_touch(f->thread, f->from_cta, f->from, tensor ? size : f->copied, EMU_READ);
    if (!f->multicast)
        fly_to(f, f->to_cta, size);
    for (uint32_t rank = 0; f->multicast && rank < c->cta_count; rank++)
        if (f->multicast >> rank & 1)
            fly_to(f, &c->ctas[rank], size);
}

void emu_life_land(struct emu_flight *f, struct emu_cta *cta)
{
    struct emu_life *l = emu_life_find(cta, f->bar);

    if (l && l->flying && f->size)
        l->flying--;
}

void emu_lives_end(struct emu_cluster *c)
{
    for (uint32_t i = 0; i < c->cta_count; i++) {
        const struct lives *all = c->ctas[i].async;
        for (uint32_t k = 0; all && k < all->count; k++) {
            tell_use(c->grid, all->all[k]);
            tell_touch(c->grid, all->all[k]);
        }
    }
}
