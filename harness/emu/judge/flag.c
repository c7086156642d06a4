/* Locations of memory through which threads synchronise, and what a read of one acquires.
 *
 * PTX ISA, Memory synchronization: a release pattern synchronizes with an acquire pattern if a write of the one comes
 * before a read of the other in observation order: the read reads from this write, or from the last of a row of atomic
 * operations that begins with it, and each neighbours of the row are morally strong. So an atomic operation adds its
 * releases to those that it finds, and any other strong write puts its own in their place.
 *
 * Release and Acquire Patterns: a release on a location is the head of all later strong writes there by its thread. So
 * each thread remembers its releases, for the time after another thread's write. A read, in turn, acquires together
 * with a later acquire operation on the location: so a thread remembers where it has looked.
 *
 * An atomic that leaves the value as it was releases too, but no read shows that it has come before: idle.c.
 *
 * Memory is followed in pieces of four bytes. A wider access is one of each of its pieces. A narrower write puts
 * nothing in place of what the rest of its piece may have released. */
#include "harness/emu/judge/flag.h"

#include <stdlib.h>
#include <string.h>

#include "harness/emu/judge/acquire.h"
#include "harness/emu/judge/clock.h"
#include "harness/emu/judge/fence_sc.h"
#include "harness/emu/judge/fences.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/idle.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/objects.h"
#include "harness/emu/judge/pasts.h"

enum { PIECE = 4 };
enum { LOOSE_FLAGS = 1024 }; /* as many relaxed locations are followed for the sake of messages */

static bool is_release(const struct order_strong *x)
{
    return x->sem == SEM_RELEASE || x->sem == SEM_ACQ_REL;
}

/* Whether the thread's access is morally strong with the last write. */
static bool follows(const struct order *o, const struct order_flag *f, uint32_t thread, enum order_scope scope)
{
    const uint32_t cta = o->cta0 + thread / o->per_cta, other = f->writer / o->per_cta;
    const uint32_t ctas = o->cluster->cta_count;
    const enum order_scope need = cta == other ? SCOPE_CTA : cta / ctas == other / ctas ? SCOPE_CLUSTER : SCOPE_GRID;

    return !f->written || (need <= scope && need <= f->scope);
}

/* ---- reads ------------------------------------------------------------------------------------------------------- */

static struct order_look *look_at(struct order_looked *all, uint64_t key)
{
    for (uint32_t i = 0; i < LOOKS; i++)
        if (all->looks[i].key == key)
            return &all->looks[i];
    return NULL;
}

/* A relaxed read; an acquire operation may follow when the location holds other releases. */
static void note_look(struct order_looked *all, const struct order_flag *f)
{
    if (look_at(all, f->key))
        return;
    all->look = (all->look + 1) % LOOKS;
    all->looks_lost |= all->looks[all->look].key != 0;
    all->looks[all->look] = (struct order_look){ f->key, f->drops };
}

/* An acquire operation: relaxed reads of the location before it acquire too. What they saw is not kept apart by
 * location and counts as a whole, but only where something of it is gone from here. */
static void acquire_looks(struct order *o, uint32_t thread, const struct order_flag *f, enum order_scope scope)
{
    struct order_looked *looked = o->thread[thread].looked;
    struct order_look *look = f->drops ? look_at(looked, f->key) : NULL;

    if (f->drops && (look ? look->drops != f->drops : looked->looks_lost))
        order_acquire_seen(o, thread, scope);
}

/* What the location shows is acquired, at once or by a fence to come. */
static void take_in(struct order *o, uint32_t thread, const struct order_strong *x, struct order_flag *f)
{
    const bool relaxed = x->sem == SEM_RELAXED || x->sem == SEM_RELEASE;

    if (x->unread)
        o->thread[thread].looked->unread = f->key;
    if (x->no_pattern || !follows(o, f, thread, x->scope)) {
        if (!x->unread)
            order_acquire_loose(o, &f->object, thread, &rule_fence_mp);
    } else if (relaxed && x->unread) {
        order_acquire_aside(o, &f->object, thread, x->scope);
    } else {
        order_acquire_from(o, &f->object, thread, relaxed, x->scope, relaxed ? &rule_fence_mp : NULL);
    }
    if (!x->no_pattern && o->views > VIEW_FENCED)
        order_fence_shown(o, &f->object, thread, x->scope);
}

/* The same, unless the thread's last read there saw the same: what a thread knows only grows. */
static void take_in_once(struct order *o, uint32_t thread, const struct order_strong *x, struct order_flag *f)
{
    struct order_thread *t = &o->thread[thread];
    struct order_poll *poll = &t->looked->polls[f->key / PIECE % POLLS];
    const uint8_t how =
        (uint8_t)((unsigned)x->sem << 3 | (unsigned)x->scope << 1 | x->no_pattern | (unsigned)x->unread << 6);
    const struct ck_rule *loose = t->loose;

    if (poll->stamp == f->stamp && poll->how == how) {
        t->loose = poll->loose ? poll->loose : loose;
        return;
    }
    t->loose = NULL;
    take_in(o, thread, x, f);
    *poll = (struct order_poll){ f->stamp, how, t->loose };
    t->loose = t->loose ? t->loose : loose;
}

static void read_piece(struct order *o, uint32_t thread, const struct order_strong *x, struct order_flag *f)
{
    order_idle_heed(o, f, thread, false);
    take_in_once(o, thread, x, f);
    if (x->no_pattern || !follows(o, f, thread, x->scope))
        return;
    if (x->sem == SEM_RELAXED || x->sem == SEM_RELEASE) {
        note_look(o->thread[thread].looked, f);
    } else {
        acquire_looks(o, thread, f, x->scope);
        f->acquired = x->scope == SCOPE_GRID || order_is_shared(f->key);
        f->acquirer = o->base + thread;
    }
}

void order_flag_read(struct order *o, uint32_t thread, const struct order_strong *x)
{
    for (uint64_t at = x->key & ~(uint64_t)(PIECE - 1); at < x->key + x->n; at += PIECE) {
        struct order_flag *f = order_flag(o, x->flags, at, false);
        if (f && order_looked_of(o, thread))
            read_piece(o, thread, x, f);
    }
}

/* A read whose result is dropped shows the program nothing; a fence behind it says that it was to. */
void order_flag_fenced(struct order *o, uint32_t thread)
{
    struct order_looked *looked = o->thread[thread].looked;
    const uint64_t key = looked ? looked->unread : 0;
    struct order_flag *f = key ? order_flag(o, order_is_shared(key) ? &o->flags : &o->grid->flags, key, false) : NULL;

    if (f)
        order_acquire_loose(o, &f->object, thread, &rule_fence_mp);
    if (key)
        looked->unread = 0;
}

/* ---- releases that are remembered -------------------------------------------------------------------------------- */

static struct order_heads *heads_of(struct order *o, uint32_t thread, uint64_t key)
{
    return &o->thread[thread].heads[order_is_shared(key)];
}

/* The location no longer relies on this one being remembered. */
static void forget_head(struct order *o, uint32_t thread, struct order_flags *flags, const struct order_head *h)
{
    struct order_flag *f = order_flag(o, flags, h->key, false); /* it is never forgotten itself */

    f->keeps = true;
    f->stamp = ++o->grid->stamp;
    if (h->drops != f->drops)
        order_release_again(o, &f->object, thread, h->scope, h);
}

static struct order_head *new_head(struct order *o, uint32_t thread, struct order_flags *flags, uint64_t key)
{
    struct order_heads *heads = heads_of(o, thread, key);

    if (heads->n == HEADS) {
        struct order_head *h = &heads->of[heads->oldest];
        heads->oldest = (heads->oldest + 1) % HEADS;
        forget_head(o, thread, flags, h);
        return h;
    }
    if (heads->n == heads->room) {
        const uint32_t room = heads->room ? heads->room * 2 : 1;
        struct order_head *more = realloc(heads->of, room * sizeof *more);
        if (!more) {
            o->failed = true;
            return NULL;
        }
        heads->of = more;
        heads->room = room;
    }
    heads->of[heads->n] = (struct order_head){ 0 };
    return &heads->of[heads->n++];
}

/* A release operation on the location, of what the thread knows now. */
static void note_head(struct order *o, uint32_t thread, const struct order_strong *x, const struct order_flag *f)
{
    const struct order_heads *heads = heads_of(o, thread, f->key);
    const struct order_thread *t = &o->thread[thread];
    const uint64_t key = f->key;
    const uint32_t drops = f->drops;
    struct order_head *h = NULL;

    for (uint32_t i = 0; i < heads->n && !h; i++)
        if (heads->of[i].key == key && heads->of[i].scope == x->scope)
            h = &heads->of[i];
    if (!h)
        h = new_head(o, thread, x->flags, key);
    if (!h)
        return;
    h->key = key;
    h->scope = x->scope;
    h->drops = drops;
    order_pasts_keep(t->pasts);
    order_pasts_drop(h->pasts);
    h->pasts = t->pasts;
    memcpy(h->self, t->view, (size_t)o->views * sizeof *h->self);
}

/* A strong write carries on what its thread has released to the location, if that is gone from there. */
static void carry_on(struct order *o, uint32_t thread, const struct order_strong *x, struct order_flag *f)
{
    struct order_heads *heads = heads_of(o, thread, f->key);

    for (uint32_t i = 0; i < heads->n; i++) {
        struct order_head *h = &heads->of[i];
        if (h->key != f->key || h->drops == f->drops)
            continue;
        h->drops = f->drops;
        order_release_again(o, &f->object, thread, h->scope < x->scope ? h->scope : x->scope, h);
    }
}

/* ---- writes ------------------------------------------------------------------------------------------------------ */

static void write_piece(struct order *o, uint32_t thread, const struct order_strong *x, struct order_flag *f)
{
    const bool whole = f->key >= x->key && f->key + PIECE <= x->key + x->n, release = is_release(x);
    const uint32_t me = o->base + thread;
    const bool first = f->writer == PTX_NO, own = f->sole && f->writer == me;
    const bool carries = x->atomic && follows(o, f, thread, x->scope);
    /* What it releases includes all that is there. */
    const bool includes = release && f->acquired && f->acquirer == me;

    if (whole && !first && !own && !carries && !includes && !f->keeps) {
        order_object_drop(o, &f->object);
        order_idle_drop(f);
        f->drops++;
        f->sole = true;
    } else {
        f->sole = first || own;
    }
    f->acquired &= f->acquirer == me;
    f->written = whole;
    f->writer = me;
    f->scope = x->scope;
    if (x->idle)
        return;
    order_idle_heed(o, f, thread, true);
    if (f->drops)
        carry_on(o, thread, x, f);
}

void order_flag_write(struct order *o, uint32_t thread, const struct order_strong *x)
{
    const bool relaxed = !is_release(x);

    for (uint64_t at = x->key & ~(uint64_t)(PIECE - 1); at < x->key + x->n; at += PIECE) {
        const bool make =
            !relaxed || o->thread[thread].fenced || x->flags->count < LOOSE_FLAGS || order_is_fenced(o, thread);
        struct order_flag *f = order_flag(o, x->flags, at, make);
        if (!f)
            continue;
        f->stamp = ++o->grid->stamp;
        if (o->views > VIEW_FENCED && !x->idle)
            order_fence_show(o, &f->object, thread, x->scope, x->atomic);
        write_piece(o, thread, x, f);
        if (!relaxed)
            note_head(o, thread, x, f);
        if (!x->idle || !order_idle_note(o, f, thread, relaxed, x->scope))
            order_release_to(o, &f->object, thread, relaxed, x->scope, relaxed ? &rule_fence_mp : NULL);
    }
}
// SPDX-License-Identifier: Apache-2.0
