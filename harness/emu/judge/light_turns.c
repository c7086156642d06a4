/* The light judge where clusters take turns, and meet in global memory.
 *
 * The records of global memory are of all clusters then. Each is in the time of its cluster, so that a line says whose
 * they are. What clusters know of one another comes by flags: a thread with a fence behind it makes a strong write, or
 * releases; another one's strong read finds what is there, and a fence, or an acquire, makes it known. A barrier of all
 * threads of its CTA passes it on. Scopes other than the grid's count for nothing between clusters. Barriers may stand
 * between a fence.sc and the write, and between the read and a fence.sc; of the first kind are those of which all
 * threads of the CTA had one behind all that they had done.
 *
 * What several clusters have accessed has a stamp in place of a time: after how many barriers of its CTA the latest of
 * them did so. CTAs mostly come to as many barriers. A cluster knows all that has a stamp below its `floor`: of each
 * cluster it knows what was before as many barriers. */
#include "harness/emu/judge/light_records.h"
#include "harness/emu/judge/light_shared.h"
#include "harness/emu/judge/light_state.h"

/* No more clusters, and no more flags: what there is beyond orders nothing. */
enum { MOST = 1024, FLAGS = 1 << 13 };

/* What is known of a cluster: all before this time, and what this thread did up to that time. */
struct known {
    uint32_t before, own;
    uint32_t thread;
    uint32_t stamp; /* how many barriers there had been then, with the one at `before` */
};

/* Of all clusters. Never changed where there are several references. */
struct light_past {
    uint32_t refs;
    struct known of[];
};

struct light_of_thread {
    struct light_past *acquired, *pending; /* pending: for a fence to come; */
    struct light_past *shown;              /* for a fence.sc to come */
    struct light_past *released;           /* at its last fence, */
    bool fenced, sc;                       /* if it had one; which was a fence.sc */
    struct known own;                      /* of itself, then */
    uint64_t flag;                         /* the last one that it has looked at, and its stamp then */
    uint32_t stamp;
};

/* Four bytes of global memory that are accessed by strong operations. */
struct flag {
    uint64_t key; /* address / LIGHT_CELL; 0: none */
    uint32_t stamp;
    struct light_past *past, *shown; /* what has been released to it; and what it shows a fence.sc; NULL: nothing */
    bool chain; /* all writes since weak ones are atomics that tell what they found; the last one: */
    uint16_t cluster;
    uint32_t thread, time;
};

/* A cluster's barriers: how many, and when the last ones were. */
enum { BARRIERS = 4 };
struct barriers {
    uint32_t count, at[BARRIERS];
};

struct light_all {
    struct light global; /* of which pages and split cells are in use */
    struct emu_grid *grid;
    uint32_t clusters, count;
    struct flag flags[FLAGS];
    struct barriers barriers[];
};

/* ---- what is known ----------------------------------------------------------------------------------------------- */

static void drop(struct light_past **p)
{
    *p = light_unshare(*p); // NOLINT(clang-analyzer-unix.Malloc): its count says that it is there
}

/* One that may be changed, of what is there; NULL: memory is short, and nothing is known. */
static struct light_past *change(const struct light *l, struct light_past **p)
{
    const size_t n = l->all->clusters;

    if (n > MOST)
        drop(p);
    else
        *p = light_own(*p, sizeof **p + n * sizeof *(*p)->of); // NOLINT(clang-analyzer-unix.Malloc): the same
    return *p;
}

static void learn(struct known *to, const struct known *from)
{
    if (to->before < from->before) {
        to->before = from->before;
        to->stamp = from->stamp;
    }
    if (to->own < from->own) {
        to->own = from->own;
        to->thread = from->thread;
    }
}

static void join(const struct light *l, struct light_past **to, struct light_past *from)
{
    struct light_past *p;

    if (!from || from == *to)
        return;
    if (!*to) {
        *to = light_share(from);
        return;
    }
    p = change(l, to);
    for (uint32_t i = 0; p && i < l->all->clusters; i++)
        learn(&p->of[i], &from->of[i]);
}

static bool is_known_by(const struct light_past *p, uint16_t of, uint32_t record)
{
    const uint32_t time = record >> LIGHT_TIME_SHIFT, who = record & LIGHT_WHO;
    const struct known *k = p ? &p->of[of - 1] : NULL;

    return k && (time < k->before || (who < LIGHT_WARPS && who == k->thread && time <= k->own));
}

/* Whether accesses of another cluster happen before one by `who`. */
static bool is_known(const struct light *l, uint16_t of, uint32_t record, uint32_t who)
{
    if (!record)
        return true;
    if (of == LIGHT_OF_MANY)
        return record >> LIGHT_TIME_SHIFT < l->floor;
    return is_known_by(l->past, of, record) ||
           (l->threads && who < LIGHT_WARPS && is_known_by(l->threads[who].acquired, of, record));
}

/* ---- flags ------------------------------------------------------------------------------------------------------- */

static struct flag *flag_at(struct light_all *all, uint64_t key)
{
    uint32_t k = (uint32_t)(key * 0x9E3779B97F4A7C15u >> 40) % FLAGS;

    while (all->flags[k].key && all->flags[k].key != key)
        k = (k + 1) % FLAGS;
    return &all->flags[k];
}

static struct light_of_thread *thread_of(struct light *l, const struct emu_thread *t)
{
    if (!l->threads)
        l->threads = calloc(t->cta->thread_count, sizeof *l->threads);
    return l->threads ? &l->threads[t->index] : NULL;
}

/* What the thread knows now is what a release makes known; its time goes on, so that what comes is not part of it. */
static void release(struct light *l, const struct emu_thread *t, struct light_of_thread *o)
{
    drop(&o->released);
    o->released = light_share(l->past);
    join(l, &o->released, o->acquired);
    o->own = (struct known){
        .before = l->barrier >> LIGHT_TIME_SHIFT, .own = l->now, .thread = t->index, .stamp = l->stamp
    };
    o->fenced = true;
    o->sc = false;
    if (l->now + 2 >= LIGHT_TIME_MOST)
        light_doubt(l);
    else
        l->now++;
}

void light_fence(struct light *l, const struct emu_thread *t, const struct ptx_instruction *i)
{
    const struct ptx_module *m = l->module;
    struct light_of_thread *o;

    if (!ptx_has(m, i, PTX_gl) && !ptx_has(m, i, PTX_sys) && !ptx_has(m, i, PTX_gpu))
        return;
    if (i->op == OP_fence && !ptx_has(m, i, PTX_acq_rel) && !ptx_has(m, i, PTX_sc))
        return;
    o = thread_of(l, t);
    if (!o)
        return;
    join(l, &o->acquired, o->pending);
    drop(&o->pending);
    if (i->op == OP_membar || ptx_has(m, i, PTX_sc)) {
        join(l, &o->acquired, o->shown);
        join(l, &o->acquired, l->shown);
        drop(&o->shown);
        l->unfenced[t->warp] &= ~(1u << t->lane);
        release(l, t, o);
        o->sc = true;
        return;
    }
    release(l, t, o);
}

static void forget(struct flag *f)
{
    drop(&f->past);
    drop(&f->shown);
    f->chain = false;
    f->stamp++;
}

static void look(struct light *l, struct light_of_thread *o, struct flag *f, bool acquires)
{
    if (o->flag == f->key && o->stamp == f->stamp && !acquires)
        return;
    join(l, acquires ? &o->acquired : &o->pending, f->past);
    join(l, &o->shown, f->shown);
    o->flag = acquires ? 0 : f->key;
    o->stamp = f->stamp;
}

static void add(const struct light *l, struct light_past **to, struct light_past *from, const struct known *own)
{
    struct light_past *p;

    join(l, to, from);
    p = change(l, to);
    if (p)
        learn(&p->of[l->me - 1], own);
}

/* What the thread's write releases to a flag: by fences. */
static void give(struct light *l, const struct light_of_thread *o, struct flag *f)
{
    if (o->fenced)
        add(l, &f->past, o->released, &o->own);
    if (o->fenced && o->sc)
        add(l, &f->shown, o->released, &o->own);
    if (l->fenced_before)
        add(l, &f->shown, l->fenced, &(struct known){ .before = l->fenced_before, .stamp = l->fenced_stamp });
}

/* A write that releases itself is no fence: what the thread writes later releases nothing by it. */
static void give_now(struct light *l, const struct emu_thread *t, const struct light_of_thread *o, struct flag *f)
{
    struct light_of_thread now = { .acquired = o->acquired };

    release(l, t, &now);
    give(l, &now, f);
    drop(&now.released);
}

void light_flag(struct light *l, const struct emu_thread *t, const struct light_known *k, uint64_t at, uint64_t n,
                enum emu_access access)
{
    struct light_all *all = l->all;
    struct light_of_thread *o = thread_of(l, t);
    struct flag *f = flag_at(all, at / LIGHT_CELL);
    const bool atomic = access == EMU_ATOMIC || access == EMU_ATOMIC_IDLE, writes = access != EMU_READ;
    bool fresh = false;

    for (uint64_t key = at / LIGHT_CELL + 1; writes && key <= (at + n - 1) / LIGHT_CELL; key++)
        if (flag_at(all, key)->key)
            forget(flag_at(all, key));
    if (!f->key && (!writes || all->count > FLAGS / 2 || !o))
        return;
    if (!f->key) {
        fresh = true;
        f->key = at / LIGHT_CELL;
        all->count++;
    }
    if (!o || !k->wide || n < LIGHT_CELL || at % LIGHT_CELL) {
        if (writes)
            forget(f);
        return;
    }
    if (k->looks)
        look(l, o, f, k->acquires);
    if (!writes)
        return;
    f->stamp++;
    if (!atomic) {
        drop(&f->past);
        drop(&f->shown);
    }
    f->chain = (f->chain || fresh) && atomic && k->tells;
    f->cluster = l->me;
    f->thread = t->index;
    f->time = l->now;
    if (access == EMU_ATOMIC_IDLE)
        return;
    if (k->releases)
        give_now(l, t, o, f);
    give(l, o, f);
}

/* What came before the barrier that is complete now is behind fences of all threads. */
static void fence_all(struct light *l)
{
    uint32_t any = 0;

    for (uint32_t i = 0; i < EMU_WARP; i++)
        any |= l->unfenced[i];
    if (any)
        return;
    drop(&l->fenced);
    l->fenced = light_share(l->past);
    l->fenced_before = l->now + 1;
    l->fenced_stamp = l->stamp;
}

void light_passes(struct light *l)
{
    const uint32_t n = l->cluster->ctas[0].thread_count;
    struct barriers *b = &l->all->barriers[l->me - 1];
    const struct light_past *p;
    uint32_t floor;

    b->at[b->count % BARRIERS] = l->now + 1;
    l->stamp = floor = ++b->count;
    fence_all(l);
    for (uint32_t i = 0; l->threads && i < n; i++) {
        struct light_of_thread *o = &l->threads[i];
        if (i + 1 == n || o[1].acquired != o->acquired) /* many threads have the same */
            join(l, &l->past, o->acquired);
        drop(&o->acquired);
        join(l, &l->shown, o->shown);
        drop(&o->shown);
    }
    p = l->past;
    for (uint32_t i = 0; p && i < l->all->clusters; i++)
        if (i != l->me - 1u && p->of[i].stamp < floor) // NOLINT(clang-analyzer-unix.Malloc): the same
            floor = p->of[i].stamp;
    l->floor = p ? floor : 0;
}

void light_past_free(struct light *l)
{
    for (uint32_t i = 0; l->threads && i < l->cluster->ctas[0].thread_count; i++) {
        drop(&l->threads[i].acquired);
        drop(&l->threads[i].pending);
        drop(&l->threads[i].shown);
        drop(&l->threads[i].released);
    }
    free(l->threads);
    drop(&l->past);
    drop(&l->fenced);
    drop(&l->shown);
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* Whether all that others have done there are atomics one after the other, of which one by the thread is the last, or
 * one of its CTA before a barrier. */
static bool has_seen_all(const struct light *l, unsigned c, const struct light_step *x)
{
    const struct flag *f = flag_at(l->all, x->line / LIGHT_CELL + c);

    return f->key && f->chain && f->cluster == l->me &&
           (f->thread == x->who || f->time < l->barrier >> LIGHT_TIME_SHIFT);
}

/* The stamp of a record. */
static uint32_t stamp_of(const struct light *l, uint16_t of, uint32_t record)
{
    const uint32_t time = record >> LIGHT_TIME_SHIFT;
    const struct barriers *b = of && of != LIGHT_OF_MANY ? &l->all->barriers[of - 1] : NULL;
    uint32_t behind = 0;

    if (!record || !b)
        return time;
    while (behind < BARRIERS && behind < b->count && time < b->at[(b->count - 1 - behind) % BARRIERS])
        behind++;
    return b->count - behind;
}

/* The record of accesses of `of` becomes one of several clusters, with a new one of this cluster. */
static uint32_t of_many(const struct light *l, uint16_t of, uint32_t record, uint32_t flags)
{
    const uint32_t before = stamp_of(l, of, record), stamp = before > l->stamp ? before : l->stamp;

    return (record & (LIGHT_WEAK | LIGHT_NC)) | flags | LIGHT_MANY | stamp << LIGHT_TIME_SHIFT;
}

/* Whether a new access may race with those of a record. */
static bool may_race(const struct light *l, uint16_t of, uint32_t record, const struct light_step *x)
{
    if (!record)
        return false;
    return of == l->me ? light_races(l, record, x) : (record | x->flags) & LIGHT_WEAK_OUT;
}

static bool reads(struct light *l, struct light_owned *o, unsigned c, const struct light_step *x, bool known)
{
    uint32_t *r = &o->line.r[c];

    if ((o->line.w[c] && x->flags & LIGHT_NC) || (!known && may_race(l, o->w[c], o->line.w[c], x)))
        return false;
    if (o->r[c] == l->me) {
        *r = light_merged(l, *r, x);
    } else {
        *r = of_many(l, o->r[c], *r, x->flags);
        o->r[c] = LIGHT_OF_MANY;
    }
    return true;
}

static bool writes(struct light *l, struct light_owned *o, unsigned c, const struct light_step *x)
{
    uint32_t *w = &o->line.w[c];

    if (o->line.r[c] & LIGHT_NC || may_race(l, o->r[c], o->line.r[c], x) || may_race(l, o->w[c], *w, x))
        return false;
    if (o->w[c] == l->me) {
        *w = light_merged(l, *w, x);
    } else {
        *w = of_many(l, o->w[c], *w, x->flags);
        o->w[c] = LIGHT_OF_MANY;
    }
    return true;
}

bool light_meets(struct light *l, struct light_line *line, unsigned c, const struct light_step *x)
{
    struct light_owned *o = (void *)line;
    const bool w_known = o->w[c] == l->me || is_known(l, o->w[c], line->w[c], x->who) || has_seen_all(l, c, x);
    const bool r_known = o->r[c] == l->me || is_known(l, o->r[c], line->r[c], x->who);

    if (line->w[c] == LIGHT_SPLIT) {
        light_doubt(l);
        return false;
    }
    if (r_known && o->r[c] != l->me) {
        line->r[c] = line->r[c] & LIGHT_NC ? LIGHT_NC | LIGHT_WEAK | LIGHT_MANY | 1u << LIGHT_TIME_SHIFT : 0;
        o->r[c] = l->me;
    }
    if (w_known && o->w[c] != l->me && (x->writes || !line->w[c])) {
        line->w[c] = 0;
        o->w[c] = l->me;
    }
    if (o->w[c] == l->me && o->r[c] == l->me)
        return true;
    if (x->writes ? !writes(l, o, c, x) : !reads(l, o, c, x, w_known && o->w[c] != l->me))
        light_doubt(l);
    return false;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

struct light_all *light_all_new(struct emu_grid *g)
{
    const uint32_t clusters = (uint32_t)((uint64_t)g->dim[0] * g->dim[1] * g->dim[2]);
    struct light_all *all = calloc(1, sizeof *all + clusters * sizeof *all->barriers);

    if (!all)
        return NULL;
    all->grid = g;
    all->clusters = clusters;
    all->global.grid = g;
    all->global.global = &all->global;
    all->global.owned = true;
    all->global.init = g->machine->options.check_init;
    if (!light_begin(&all->global)) {
        free(all);
        return NULL;
    }
    return all;
}

struct light *light_all_global(struct light_all *all)
{
    return &all->global;
}

void light_all_keep(struct light_all *all)
{
    light_keep(&all->global);
}

void light_all_free(struct light_all *all)
{
    for (uint32_t i = 0; i < FLAGS; i++) {
        drop(&all->flags[i].past);
        drop(&all->flags[i].shown);
    }
    light_end(&all->global, false);
    free(all);
}
// SPDX-License-Identifier: Apache-2.0
