/* Clocks of a cluster, lists of the clocks of other clusters, and pasts, which have both. All are shared as long as
 * nobody changes them. */
#include "harness/emu/judge/clock.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/lanes.h"

enum { BLOCK = EMU_JOINED / sizeof(uint32_t) };

/* As many components of a clock may be kept as pairs, in place of a copy of one that has so many. */
enum { PAIRS = 8, LONG_CLOCK = 8 * BLOCK, SHORT_CLOCK = 2 * BLOCK };

/* To come to a long clock takes as long as to compare so many blocks: a grid that has such has many of them, and most
 * are in no cache of the host. */
enum { TO_COME = 10 };

/* Work is counted, since it grows with the number of threads: schedule/idle.c. */
static void count(struct order *o, uint64_t n)
{
    o->cluster->run->joined += n;
}

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

static void clock_drop(struct order_clock **c)
{
    if (*c && !--(*c)->refs) {
        clock_drop(&(*c)->base);
        free(*c);
    }
    *c = NULL;
}

static struct order_clock *clock_keep(struct order_clock *c)
{
    if (c)
        c->refs++;
    return c;
}

static void clock_set(struct order_clock **at, struct order_clock *c)
{
    clock_keep(c);
    clock_drop(at);
    *at = c;
}

/* One with no components yet, but room for so many words. NULL: there is no memory. */
static struct order_clock *clock_new(struct order *o, struct order_clock *base, uint32_t words)
{
    struct order_clock *c = malloc(sizeof *c + words * sizeof *c->v);

    if (!c) {
        o->failed = true;
        return NULL;
    }
    *c = (struct order_clock){ .base = clock_keep(base), .refs = 1 };
    return c;
}

/* The one with all components. */
static struct order_clock *whole_of(struct order_clock *c)
{
    return c->base ? c->base : c;
}

static void set_pairs(struct order_clock *whole, const struct order_clock *c)
{
    for (uint32_t i = 0; c->base && i < c->n; i++)
        whole->v[c->v[2 * i]] = c->v[2 * i + 1];
}

/* Of how many components all that it has are. */
static uint32_t length_of(const struct order_clock *c)
{
    uint32_t n = c->base ? c->base->n : c->n;

    for (uint32_t i = 0; c->base && i < c->n; i++)
        n = c->v[2 * i] >= n ? c->v[2 * i] + 1 : n;
    return n;
}

/* A clock of its own that can be changed, with room for `least` components. */
static struct order_clock *clock_own(struct order *o, struct order_clock **at, uint32_t least)
{
    struct order_clock *c = *at;
    const uint32_t has = c ? length_of(c) : 0, most = has > least ? has : least;
    const uint32_t n = (most + BLOCK - 1) / BLOCK * BLOCK, kept = c ? whole_of(c)->n : 0;

    if (c && c->refs == 1 && !c->base && c->n >= least)
        return c;
    count(o, n / BLOCK);
    c = clock_new(o, NULL, n);
    if (!c)
        return NULL;
    c->n = n;
    if (kept)
        memcpy(c->v, whole_of(*at)->v, kept * sizeof *c->v);
    memset(c->v + kept, 0, (n - kept) * sizeof *c->v);
    if (*at)
        set_pairs(c, *at);
    clock_drop(at);
    *at = c;
    return c;
}

/* A clock of its own that has the base of *at and its pairs, with room for one more; NULL: there is no memory. */
static struct order_clock *clock_own_pairs(struct order *o, struct order_clock **at)
{
    struct order_clock *c = *at;

    if (c->refs == 1 && c->base)
        return c;
    count(o, 1);
    c = clock_new(o, whole_of(c), 2 * PAIRS);
    if (!c)
        return NULL;
    if ((*at)->base) {
        c->n = (*at)->n;
        memcpy(c->v, (*at)->v, 2 * c->n * sizeof *c->v);
    }
    clock_drop(at);
    *at = c;
    return c;
}

/* Whether another component of *at, which is not the only one's, is better kept as a pair. */
static bool as_pair(const struct order_clock *c)
{
    if (!c || (c->refs == 1 && !c->base))
        return false;
    return c->base ? c->n < PAIRS : c->n >= LONG_CLOCK;
}

/* Raises the number at a place to one that is greater. end: where the part of the clock ends that has the place. */
static void clock_raise(struct order *o, struct order_clock **at, uint32_t place, uint32_t value, uint32_t end)
{
    struct order_clock *c = *at;

    if (c && c->base)
        for (uint32_t i = 0; i < c->n; i++)
            if (c->v[2 * i] == place) {
                c = clock_own_pairs(o, at);
                if (c)
                    c->v[2 * i + 1] = value;
                return;
            }
    if (!as_pair(c)) {
        c = clock_own(o, at, end);
        if (c)
            c->v[place] = value;
        return;
    }
    c = clock_own_pairs(o, at);
    if (!c)
        return;
    c->v[2 * c->n] = place;
    c->v[2 * c->n + 1] = value;
    c->n++;
}

/* Clocks have whole blocks, and a block is so many vectors. */
typedef uint32_t __attribute__((may_alias, vector_size(16), aligned(4))) four;
enum { FOURS = BLOCK / 4 };

static bool block_reaches(const uint32_t *a, const uint32_t *b)
{
    const four *x = (const four *)a, *y = (const four *)b;
    four less = { 0 };

    for (int i = 0; i < FOURS; i++)
        less |= (four)(x[i] < y[i]);
    return !(less[0] | less[1] | less[2] | less[3]);
}

/* The same of whole blocks, so many components, some hundred at a time. */
typedef uint32_t __attribute__((may_alias, vector_size(32), aligned(4))) eight;
static inline __attribute__((always_inline)) bool each_reaches(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    enum { MANY = 8 * BLOCK };

    for (uint32_t i = 0; i < n;) {
        const uint32_t end = n - i < MANY ? n : i + MANY;
        eight less = { 0 };
        uint64_t any[4];
        for (; i < end; i += 8)
            less |= (eight)(*(const eight *)&a[i] < *(const eight *)&b[i]);
        memcpy(any, &less, sizeof any);
        if (any[0] | any[1] | any[2] | any[3])
            return false;
    }
    return true;
}

EMU_IF_AVX2(EMU_AVX2 static bool each_reaches_avx2(const uint32_t *a, const uint32_t *b, uint32_t n) {
    return each_reaches(a, b, n);
})

static bool blocks_reach(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    EMU_IF_AVX2(if (emu_has_avx2()) return each_reaches_avx2(a, b, n);)
    return each_reaches(a, b, n);
}

static void block_join(uint32_t *restrict a, const uint32_t *restrict b)
{
    four *x = (four *)a;
    const four *y = (const four *)b;

    for (int i = 0; i < FOURS; i++) {
        const four more = (four)(x[i] > y[i]);
        x[i] = (x[i] & more) | (y[i] & ~more);
    }
}

/* block_reaches of a block of a clock with pairs, from this place on. */
static bool pairs_reach(const struct order_clock *a, const uint32_t *b, uint32_t place)
{
    for (uint32_t i = 0; i < BLOCK; i++)
        if (order_clock_at(a, place + i) < b[i])
            return false;
    return true;
}

static bool reaches(struct order *o, const struct order_clock *a, const struct order_clock *b)
{
    static const uint32_t zeros[BLOCK];
    const struct order_clock *const all = a->base ? a->base : a, *const of = b->base ? b->base : b;
    const uint32_t both = all->n < of->n ? all->n : of->n;
    uint32_t done = 0;

    for (uint32_t i = 0; b->base && i < b->n; i++)
        if (order_clock_at(a, b->v[2 * i]) < b->v[2 * i + 1])
            return false;
    if (all == of)
        return true;
    count(o, of->n / BLOCK + (of->n >= LONG_CLOCK ? TO_COME : 0));
    if (both && all->v[0] >= of->v[0] && blocks_reach(all->v, of->v, both))
        done = both;
    else if (both && !a->base)
        return false;
    for (uint32_t i = done; i < of->n; i += BLOCK)
        if (!block_reaches(i < all->n ? &all->v[i] : zeros, &of->v[i]) && (!a->base || !pairs_reach(a, &of->v[i], i)))
            return false;
    return true;
}

/* Components that `to` has less of, or not at all: of two clocks neither of which knows all of the other. */
static void clock_join(struct order *o, struct order_clock **to, const struct order_clock *from)
{
    const struct order_clock *of = from->base ? from->base : from;

    if (whole_of(*to) != of) {
        struct order_clock *c = clock_own(o, to, length_of(from));
        for (uint32_t i = 0; c && i < of->n; i += BLOCK)
            block_join(&c->v[i], &of->v[i]);
    }
    for (uint32_t i = 0; from->base && !o->failed && i < from->n; i++)
        if (order_clock_at(*to, from->v[2 * i]) < from->v[2 * i + 1])
            clock_raise(o, to, from->v[2 * i], from->v[2 * i + 1], length_of(from));
}

/* Two short clocks with as many components: whether each reaches the other, in one go. Counted as by reaches(), which
 * is asked for the second only where the first does not reach. */
struct both_reach {
    bool a, b;
};
static struct both_reach compare_blocks(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    four less = { 0 }, more = { 0 };

    for (uint32_t i = 0; i < n; i += 4) {
        const four x = *(const four *)&a[i], y = *(const four *)&b[i];
        less |= (four)(x < y);
        more |= (four)(x > y);
    }
    return (struct both_reach){ !(less[0] | less[1] | less[2] | less[3]), !(more[0] | more[1] | more[2] | more[3]) };
}

#ifdef __x86_64__
typedef long long __attribute__((vector_size(32))) longs;

/* Where the greater number of two is not a's, b's is greater. */
EMU_AVX2 static struct both_reach compare_blocks_avx2(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    longs less = { 0 }, more = { 0 };

    for (uint32_t i = 0; i < n; i += 8) {
        const eight x = *(const eight *)&a[i], y = *(const eight *)&b[i];
        const longs most = (longs)_mm256_max_epu32((__m256i)x, (__m256i)y);
        less |= most ^ (longs)x;
        more |= most ^ (longs)y;
    }
    return (struct both_reach){ __builtin_ia32_ptestz256(less, less), __builtin_ia32_ptestz256(more, more) };
}
#endif

static inline struct both_reach compare_short(struct order *o, const struct order_clock *a, const struct order_clock *b)
{
    struct both_reach r;

    EMU_IF_AVX2(if (emu_has_avx2()) r = compare_blocks_avx2(a->v, b->v, a->n); else)
    r = compare_blocks(a->v, b->v, a->n);
    count(o, (r.a ? 1 : 2) * (a->n / BLOCK));
    return r;
}

static void clock_merge(struct order *o, struct order_clock **to, struct order_clock *from)
{
    if (!from || *to == from)
        return;
    if (!*to) {
        *to = clock_keep(from);
        return;
    }
    if (!(*to)->base && !from->base && (*to)->n == from->n && from->n <= SHORT_CLOCK) {
        const struct both_reach r = compare_short(o, *to, from);
        if (r.b && !r.a)
            clock_set(to, from);
        else if (!r.a)
            clock_join(o, to, from);
        return;
    }
    if (reaches(o, *to, from))
        return;
    else if (reaches(o, from, *to))
        clock_set(to, from);
    else
        clock_join(o, to, from);
}

/* ---- other clusters------------------------------------------------------------------------------------------------
 */

static void clusters_drop(struct order_clusters **w)
{
    if (*w && !--(*w)->refs) {
        for (uint32_t i = 0; i < (*w)->n; i++)
            clock_drop(&(*w)->of[i].clock);
        free(*w);
    }
    *w = NULL;
}

static struct order_clusters *clusters_keep(struct order_clusters *w)
{
    if (w)
        w->refs++;
    return w;
}

/* Where the cluster's entry is, or belongs. */
static uint32_t clusters_at(const struct order_clusters *w, uint32_t cluster)
{
    uint32_t low = 0, high = w ? w->n : 0;

    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (w->of[middle].cluster < cluster)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct order_clock *clusters_find(const struct order_clusters *w, uint32_t cluster)
{
    const uint32_t i = clusters_at(w, cluster);

    return w && i < w->n && w->of[i].cluster == cluster ? w->of[i].clock : NULL;
}

/* A list of its own that can be changed, with room for so many more entries. */
static struct order_clusters *clusters_own(struct order *o, struct order_clusters **at, uint32_t more)
{
    struct order_clusters *w = *at;
    const uint32_t n = w ? w->n : 0;

    if (w && w->refs == 1 && w->room - n >= more)
        return w;
    count(o, n);
    w = malloc(sizeof *w + ((size_t)n + n / 2 + more + 2) * sizeof *w->of);
    if (!w) {
        o->failed = true;
        return NULL;
    }
    *w = (struct order_clusters){ .refs = 1, .n = n, .room = n + n / 2 + more + 2 };
    for (uint32_t i = 0; i < n; i++)
        w->of[i] = (struct order_cluster_clock){ (*at)->of[i].cluster, clock_keep((*at)->of[i].clock) };
    clusters_drop(at);
    *at = w;
    return w;
}

/* The clock of a cluster in a list that can be changed, made if it is not there. */
static struct order_clock **clusters_slot(struct order *o, struct order_clusters **at, uint32_t cluster)
{
    const uint32_t i = clusters_at(*at, cluster);
    struct order_clusters *w;

    if (*at && i < (*at)->n && (*at)->of[i].cluster == cluster) {
        w = clusters_own(o, at, 0);
        return w ? &w->of[i].clock : NULL;
    }
    w = clusters_own(o, at, 1);
    if (!w)
        return NULL;
    memmove(&w->of[i + 1], &w->of[i], (w->n - i) * sizeof *w->of);
    w->of[i] = (struct order_cluster_clock){ .cluster = cluster };
    w->n++;
    return &w->of[i].clock;
}

static void clusters_merge_clock(struct order *o, struct order_clusters **to, uint32_t cluster, struct order_clock *c)
{
    const struct order_clock *old = clusters_find(*to, cluster);
    struct order_clock **slot;

    if (!c || old == c || (old && reaches(o, old, c)))
        return;
    slot = clusters_slot(o, to, cluster);
    if (slot)
        clock_merge(o, slot, c);
}

/* Whether `a` knows what `b` does of all clusters but one. */
static bool clusters_reaches(struct order *o, const struct order_clusters *a, const struct order_clusters *b,
                             uint32_t but)
{
    count(o, b->n);
    for (uint32_t i = 0, k = 0; i < b->n; i++) {
        const struct order_cluster_clock *f = &b->of[i];
        if (f->cluster == but)
            continue;
        while (a && k < a->n && a->of[k].cluster < f->cluster)
            k++;
        if (!a || k == a->n || a->of[k].cluster != f->cluster ||
            (a->of[k].clock != f->clock && !reaches(o, a->of[k].clock, f->clock)))
            return false;
    }
    return true;
}

/* What is said of the home cluster is left out. */
static void clusters_merge(struct order *o, struct order_clusters **to, uint32_t home, struct order_clusters *from)
{
    if (*to == from || clusters_reaches(o, *to, from, home))
        return;
    if (!*to || clusters_reaches(o, from, *to, home)) {
        clusters_keep(from);
        clusters_drop(to);
        *to = from;
        return;
    }
    for (uint32_t i = 0; i < from->n; i++)
        if (from->of[i].cluster != home)
            clusters_merge_clock(o, to, from->of[i].cluster, from->of[i].clock);
}

/* ---- pasts ------------------------------------------------------------------------------------------------------- */

void order_past_clear(struct order_past *p)
{
    if (p->own_cluster)
        clock_drop(&p->own_cluster);
    if (p->other_clusters)
        clusters_drop(&p->other_clusters);
}

void order_past_change(struct order_past *at, const struct order_past *p)
{
    const struct order_past kept = { clock_keep(p->own_cluster), clusters_keep(p->other_clusters) };

    order_past_drop(at);
    *at = kept;
}

void order_past_join(struct order *o, struct order_past *to, uint32_t home, const struct order_past *from,
                     uint32_t from_home)
{
    if (from_home == home)
        clock_merge(o, &to->own_cluster, from->own_cluster);
    else if (from->own_cluster)
        clusters_merge_clock(o, &to->other_clusters, from_home, from->own_cluster);
    if (!from->other_clusters)
        return;
    if (home != ORDER_NO_HOME) {
        const uint32_t i = clusters_at(from->other_clusters, home);
        if (i < from->other_clusters->n && from->other_clusters->of[i].cluster == home)
            clock_merge(o, &to->own_cluster, from->other_clusters->of[i].clock);
    }
    clusters_merge(o, &to->other_clusters, home, from->other_clusters);
}

/* Where the part of a clock ends that has the place. */
static uint32_t part_end(const struct order *o, uint32_t place)
{
    const uint32_t all = o->threads * OWN_COUNT + ORDER_FEW;

    if (place < o->threads)
        return o->threads;
    if (place < o->threads + ORDER_FEW)
        return o->threads + ORDER_FEW;
    return all > o->components ? all : o->components;
}

void order_past_raise_of(struct order *o, struct order_past *to, uint32_t home, uint32_t cluster, uint32_t component,
                         uint32_t value)
{
    const bool own = home == cluster;
    struct order_clock *const mine = own ? to->own_cluster : NULL, **slot;
    const struct order_clock *old = own ? mine : clusters_find(to->other_clusters, cluster);
    const uint32_t place = order_clock_place(o, component);

    if (mine && mine->refs == 1 && !mine->base && part_end(o, place) <= mine->n) { /* nobody else's, and long enough */
        if (mine->v[place] < value)
            mine->v[place] = value;
        return;
    }
    if (!value || order_clock_at(old, place) >= value)
        return;
    slot = own ? &to->own_cluster : clusters_slot(o, &to->other_clusters, cluster);
    if (slot)
        clock_raise(o, slot, place, value, part_end(o, place));
}

void order_past_raise(struct order *o, struct order_past *to, uint32_t home, uint32_t component, uint32_t value)
{
    order_past_raise_of(o, to, home, o->number, component, value);
}

void order_past_raise_own(struct order *o, struct order_past *to, uint32_t home, uint32_t thread, const uint32_t own[])
{
    if (home == o->number && order_clock_raise_own(o, to->own_cluster, thread, own))
        return;
    for (uint32_t i = 0; i < OWN_COUNT; i++)
        if (own[i])
            order_past_raise(o, to, home, thread * OWN_COUNT + i, own[i]);
}

void order_past_raise_home(struct order *o, struct order_past *to, uint32_t home, uint32_t thread, const uint32_t own[])
{
    for (uint32_t i = 0; i < OWN_COUNT; i++)
        order_past_raise_of(o, to, home, home, thread * OWN_COUNT + i, own[i]);
}

uint32_t order_past_value(const struct order *o, const struct order_past *p, uint32_t home, uint32_t cluster,
                          uint32_t component)
{
    return order_clock_value(o, cluster == home ? p->own_cluster : clusters_find(p->other_clusters, cluster),
                             component);
}
// SPDX-License-Identifier: Apache-2.0
