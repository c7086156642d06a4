/* What lanes of a warp access together: their pattern, whether it goes with the others of the window, and the access.
 *
 * What turns one behind the other would do is the same as what lanes do together as long as no lane accesses what
 * another one writes, in whatever order. That is known of patterns whose bytes lie apart, and of lanes that keep to
 * stretches of their own. Where a watcher keeps accesses by lines, patterns have lines apart, or each lane has its own,
 * so that for each line the order is the same too. */
#include "harness/emu/schedule/tried.h"

#include <string.h>

#include "harness/emu/machine/claims.h"
#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

/* Bytes that lanes are apart at most. */
enum { FAR = 1 << 20 };

#define ALL UINT32_MAX

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

/* Whether the lanes' accesses, or those that are on, follow a pattern. */
static inline __attribute__((always_inline)) bool places(const uint64_t *a, uint64_t offset, uint64_t mask,
                                                         const uint64_t *on, uint64_t address, uint64_t stride)
{
    uint64_t differs = 0;

    if (on) {
        EMU_EACH_LANE
        {
            differs |= (((a[lane] + offset) & mask) ^ (address + lane * stride)) & -on[lane];
        }
    } else {
        EMU_EACH_LANE
        {
            differs |= ((a[lane] + offset) & mask) ^ (address + lane * stride);
        }
    }
    return !differs;
}

EMU_IF_AVX2(EMU_AVX2 static bool places_avx2(const uint64_t *a, uint64_t offset, uint64_t mask, const uint64_t *on,
                                             uint64_t address,
                                             uint64_t stride) { return places(a, offset, mask, on, address, stride); })

static bool follow(const uint64_t *a, uint64_t offset, uint64_t mask, const uint64_t *on, uint64_t address,
                   uint64_t stride)
{
    EMU_IF_AVX2(if (emu_has_avx2()) return places_avx2(a, offset, mask, on, address, stride);)
    return places(a, offset, mask, on, address, stride);
}

/* The pattern of lanes of a set that access memory at slot `a`; false: there is none, or it is misaligned. */
static bool pattern_of(struct emu_thread *lanes, const struct emu_op *op, const uint64_t *a, uint32_t set,
                       const uint64_t *on, struct emu_pattern *p)
{
    const bool shared = op->space == PTX_shared || op->space == PTX_shared_cta;
    const uint64_t mask = shared ? UINT32_MAX : UINT64_MAX, offset = (uint64_t)op->offset;
    const int first = __builtin_ctz(set), last = 31 - __builtin_clz(set), n = last - first;
    const uint64_t from = (a[first] + offset) & mask, to = (a[last] + offset) & mask;
    const int64_t apart = (int64_t)(to - from), stride = n ? apart / n : op->size;

    if (stride > FAR || stride < -FAR || ((from | (uint64_t)stride) & (op->size - 1u)))
        return false;
    *p = (struct emu_pattern){ .cta = shared ? lanes->cta : NULL,
                               .address = from - (uint64_t)(stride * first),
                               .stride = stride,
                               .low = stride < 0 ? to : from,
                               .end = (stride < 0 ? from : to) + op->size,
                               .lanes = set,
                               .size = op->size };
    return p->low < p->end && follow(a, offset, mask, on, p->address, (uint64_t)stride);
}

/* Whether two patterns are one, of lanes that may be others. */
static bool is_like(const struct emu_pattern *a, const struct emu_pattern *b)
{
    return a->address == b->address && a->stride == b->stride && a->size == b->size && a->cta == b->cta;
}

/* Whether lanes of both access what lies in a stretch of their own. `line`: whole lines. */
static bool in_stretches(const struct emu_pattern *a, const struct emu_pattern *b, bool line)
{
    const uint64_t stride = (uint64_t)(a->stride < 0 ? -a->stride : a->stride);
    const uint64_t low = a->address < b->address ? a->address : b->address;
    const uint64_t end = a->address + a->size > b->address + b->size ? a->address + a->size : b->address + b->size;

    if (a->stride != b->stride || end - low > stride)
        return false;
    return !line || (stride % EMU_LINE == 0 && low / EMU_LINE == (end - 1) / EMU_LINE);
}

/* Whether two patterns can be in a window. */
static bool go_together(const struct emu_pattern *a, const struct emu_pattern *b, bool watched)
{
    const uint64_t line = watched ? EMU_LINE - 1 : 0;

    if (a->cta != b->cta || ((a->end + line) & ~line) <= (b->low & ~line) ||
        ((b->end + line) & ~line) <= (a->low & ~line))
        return true;
    if ((!watched && !a->writes && !b->writes) || (is_like(a, b) && (a->stride || !(a->writes | b->writes))))
        return true;
    return in_stretches(a, b, watched) && (!watched || (!(a->reads && a->writes) && !(b->reads && b->writes)));
}

/* Whether a pattern, number `own` or a new one, can be with all the others. */
static bool fits(const struct emu_tried *tried, const struct emu_pattern *p, uint32_t own, bool watched)
{
    const bool shared = p->cta != NULL;
    const uint64_t line = EMU_LINE - 1;

    if (own == tried->n &&
        (p->low >= ((tried->end[shared] + line) & ~line) || ((p->end + line) & ~line) <= tried->low[shared]))
        return true;
    for (uint32_t i = 0; i < tried->n; i++)
        if (i != own && !go_together(&tried->of[i], p, watched))
            return false;
    return true;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* An allocation that has these bytes, found as for one thread; NULL: there is none, or one of malloc. */
static const struct emu_near *near_of(struct emu_thread *t, uint64_t low, uint64_t end)
{
    struct emu_run *run = emu_run_of(t);
    const struct emu_region *r;

    for (unsigned i = 0; i < 2; i++)
        if (low - run->near[i].at < run->near[i].size && end - run->near[i].at <= run->near[i].size + EMU_NEAR_END)
            return &run->near[i];
    r = emu_region_of(emu_machine_of(t), low);
    if (!r || r->heap || r->size <= EMU_NEAR_END || end > r->at + r->size || r->at == run->near[0].at ||
        r->at == run->near[1].at)
        return NULL;
    run->near[1] = run->near[0];
    run->near[0] = (struct emu_near){ r->at, r->size - EMU_NEAR_END, r->claims };
    return &run->near[0];
}

/* Claims bytes; does not return where another cluster has them. */
static void claim(struct emu_thread *t, const struct emu_near *near, uint64_t low, uint64_t end, bool writes)
{
    const struct emu_run *run = emu_run_of(t);
    bool fine = true;

    for (uint64_t k = (low - near->at) / 4; k <= (end - 1 - near->at) / 4 && fine; k++) {
        const uint32_t mark = near->claims[k];
        fine = mark == run->claim_written || (!writes && (mark == run->claim_read || mark == EMU_CLAIM_MANY));
    }
    if (!fine)
        emu_claim_bytes(t, emu_region_of(emu_machine_of(t), low), low, end - low, writes);
}

/* The host's memory behind a pattern, of lane 0; NULL: it is not all there, or one thread at a time must ask. */
static unsigned char *host_of(struct emu_thread *lanes, const struct emu_pattern *p, bool writes)
{
    const struct emu_near *near;

    if (p->cta)
        return p->end <= p->cta->shared_bytes ? p->cta->shared + p->address : NULL;
    if (emu_machine_of(lanes)->prior)
        return NULL;
    near = near_of(lanes, p->low, p->end);
    if (!near)
        return NULL;
    if (near->claims && p->end - p->low <= (uint64_t)p->size * EMU_WARP)
        claim(lanes, near, p->low, p->end, writes);
    else
        for (uint32_t left = near->claims ? p->lanes : 0; left; left &= left - 1) {
            const uint64_t at = p->address + (uint64_t)(p->stride * __builtin_ctz(left));
            claim(lanes, near, at, at + p->size, writes);
        }
    return (unsigned char *)(uintptr_t)p->address;
}

typedef uint8_t __attribute__((may_alias)) u8;
typedef uint16_t __attribute__((may_alias)) u16;
typedef uint32_t __attribute__((may_alias)) u32;
typedef uint64_t __attribute__((may_alias)) u64;

/* Loads and stores of all lanes, one's bytes behind another's. A store returns which lanes leave them as they were;
 * `old`: where these go, or NULL. */
#define WHOLE(T)                                                                                                       \
    {                                                                                                                  \
        const T *p = (const T *)(const void *)from;                                                                    \
        EMU_EACH_LANE                                                                                                  \
        {                                                                                                              \
            d[lane] = p[lane];                                                                                         \
        }                                                                                                              \
        break;                                                                                                         \
    }
static inline __attribute__((always_inline)) void load_whole(uint64_t *d, const unsigned char *from, unsigned size)
{
    switch (size) {
    case 1: WHOLE(u8)
    case 2: WHOLE(u16)
    case 4: WHOLE(u32)
    default: WHOLE(u64)
    }
}
#undef WHOLE

#define WHOLE(T)                                                                                                       \
    {                                                                                                                  \
        T *p = (T *)(void *)to;                                                                                        \
        EMU_EACH_LANE                                                                                                  \
        {                                                                                                              \
            same |= (uint64_t)(p[lane] == (T)a[lane]) << lane;                                                         \
        }                                                                                                              \
        EMU_EACH_LANE                                                                                                  \
        {                                                                                                              \
            p[lane] = (T)a[lane];                                                                                      \
        }                                                                                                              \
        break;                                                                                                         \
    }
static inline __attribute__((always_inline)) uint32_t store_whole(unsigned char *to, const uint64_t *a, unsigned size)
{
    uint64_t same = 0;

    switch (size) {
    case 1: WHOLE(u8)
    case 2: WHOLE(u16)
    case 4: WHOLE(u32)
    default: WHOLE(u64)
    }
    return (uint32_t)same;
}
#undef WHOLE

EMU_IF_AVX2(
    EMU_AVX2 static void load_whole_avx2(uint64_t *d, const unsigned char *from, unsigned size) {
        load_whole(d, from, size);
    } EMU_AVX2 static uint32_t store_whole_avx2(unsigned char *to, const uint64_t *a, unsigned size) {
        return store_whole(to, a, size);
    })

static bool is_whole(const struct emu_pattern *p)
{
    return p->lanes == ALL && p->stride == p->size;
}

static void load(const struct emu_pattern *p, const unsigned char *host, uint64_t *d)
{
    if (is_whole(p)) {
        EMU_IF_AVX2(if (emu_has_avx2()) {
            load_whole_avx2(d, host, p->size);
            return;
        })
        load_whole(d, host, p->size);
        return;
    }
    for (uint32_t left = p->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        uint64_t value = 0;
        memcpy(&value, host + p->stride * lane, p->size);
        d[lane] = value;
    }
}

static void keep_old(const struct emu_pattern *p, const unsigned char *host, uint64_t *old)
{
    if (is_whole(p)) {
        load(p, host, old);
        return;
    }
    for (uint32_t left = p->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        memcpy(&old[lane], host + p->stride * lane, p->size);
    }
}

/* Which lanes leave their bytes as they were. */
static uint32_t store(const struct emu_pattern *p, unsigned char *host, const uint64_t *a)
{
    uint32_t same = 0;

    if (is_whole(p)) {
        EMU_IF_AVX2(if (emu_has_avx2()) return store_whole_avx2(host, a, p->size);)
        return store_whole(host, a, p->size);
    }
    for (uint32_t left = p->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        same |= (uint32_t)(memcmp(host + p->stride * lane, &a[lane], p->size) == 0) << lane;
        memcpy(host + p->stride * lane, &a[lane], p->size);
    }
    return same;
}

/* ---- one access -------------------------------------------------------------------------------------------------- */

/* One lane alone has any pattern: it takes that of others which it goes on with. */
static void join_others(const struct emu_tried *tried, struct emu_pattern *p)
{
    for (uint32_t i = 0; i < tried->n; i++) {
        const struct emu_pattern *q = &tried->of[i];
        const uint64_t address = p->low - (uint64_t)(q->stride * __builtin_ctz(p->lanes));
        if (q->address == address && q->size == p->size && q->cta == p->cta) {
            p->address = address;
            p->stride = q->stride;
            return;
        }
    }
}

/* The same the other way round: patterns of one lane that go on with this one. False: one does not go with the others
 * then. */
static bool join_alone(struct emu_tried *tried, const struct emu_pattern *p, bool watched)
{
    for (uint32_t i = 0; i < tried->n; i++) {
        struct emu_pattern *q = &tried->of[i];
        const uint64_t address = q->low - (uint64_t)(p->stride * __builtin_ctz(q->lanes));
        if (q->lanes & (q->lanes - 1) || p->address != address || is_like(p, q) || q->size != p->size ||
            q->cta != p->cta)
            continue;
        tried->host[i] += (int64_t)(address - q->address);
        q->address = address;
        q->stride = p->stride;
        if (!fits(tried, q, i, watched))
            return false;
    }
    return true;
}

/* Lanes of a pattern that have not all done the same are two from now on. */
static bool part(struct emu_tried *tried, uint32_t i, uint32_t set)
{
    const uint32_t others = tried->of[i].lanes & ~set, n = tried->n;

    if (!others)
        return true;
    if (n == EMU_PATTERNS)
        return false;
    tried->of[n] = tried->of[i];
    tried->host[n] = tried->host[i];
    memcpy(tried->old[n], tried->old[i], sizeof tried->old[n]);
    tried->of[n].lanes = others;
    tried->of[i].lanes &= set;
    tried->n++;
    return true;
}

/* Enters lanes that access by a pattern for the first time, or write so for the first time (number i): whether that
 * goes with the others. */
static bool enter(struct emu_tried *tried, const struct emu_pattern *p, uint32_t i, unsigned char *host, bool watched)
{
    const bool shared = p->cta != NULL;

    if (i == EMU_PATTERNS || !fits(tried, p, i, watched))
        return false;
    tried->of[i] = *p;
    tried->host[i] = host;
    if (i < tried->n)
        return true;
    tried->last = i;
    tried->of[i].born = (uint16_t)tried->n++;
    tried->low[shared] = p->low < tried->low[shared] ? p->low : tried->low[shared];
    tried->end[shared] = p->end > tried->end[shared] ? p->end : tried->end[shared];
    return true;
}

/* Lanes of a pattern, number i, are about to write for the first time. */
static bool writes_first(struct emu_tried *tried, struct emu_pattern p, uint32_t i, unsigned char *host, uint32_t at,
                         bool watched)
{
    p.writes = true;
    p.write_at[0] = at;
    if (!enter(tried, &p, i, host, watched))
        return false;
    keep_old(&p, host, tried->old[i]);
    return true;
}

/* All the patterns of a set of lanes that access as `p` says, and what is entered anew: false: that does not go. */
static bool enter_all(struct emu_tried *tried, struct emu_thread *lanes, const struct emu_op *op, struct emu_pattern p,
                      unsigned char **host)
{
    const bool shared = p.cta != NULL, stores = op->together == EMU_STORE, watched = emu_watched(lanes, p.cta);
    const uint32_t set = p.lanes;
    bool known = true;
    uint32_t n;

    if (tried->alone && !join_alone(tried, &p, watched))
        return false;
    tried->alone |= !(set & (set - 1));
    n = tried->n;
    for (uint32_t i = 0; i < n && p.low < tried->end[shared] && p.end > tried->low[shared]; i++)
        if (is_like(&tried->of[i], &p) && tried->of[i].lanes & set) {
            if (tried->of[i].constant != op->memory.constant || !part(tried, i, set))
                return false;
            tried->last = i;
            known &= !stores || tried->of[i].writes;
            p.lanes &= ~tried->of[i].lanes;
            *host = tried->host[i];
        }
    if (p.lanes || !known) {
        struct emu_pattern all = p;
        all.lanes = set;
        *host = host_of(lanes, &all, stores);
        if (!*host)
            return false;
    }
    for (uint32_t i = 0; i < n && !known; i++)
        if (is_like(&tried->of[i], &p) && tried->of[i].lanes & set && !tried->of[i].writes &&
            !writes_first(tried, tried->of[i], i, *host, op->memory.place, watched))
            return false;
    if (!p.lanes)
        return true;
    if (stores)
        return writes_first(tried, p, tried->n, *host, op->memory.place, watched);
    p.constant = op->memory.constant;
    p.reads = true;
    p.read_at = op->memory.place;
    return enter(tried, &p, tried->n, *host, watched);
}

/* Lanes have stored; `same` left the bytes as they were. */
static void note_store(struct emu_tried *tried, const struct emu_pattern *p, uint32_t at, uint32_t same, bool watched)
{
    const bool one = tried->of[tried->last].lanes == p->lanes;

    for (uint32_t i = one ? tried->last : 0; i < (one ? tried->last + 1 : tried->n); i++) {
        struct emu_pattern *q = &tried->of[i];
        if (!(q->lanes & p->lanes) || !is_like(q, p))
            continue;
        if (!q->written)
            q->same[0] = same & q->lanes;
        q->written = true;
        q->write_at[1] = at;
        q->same[1] = same & q->lanes;
    }
    tried->changed = watched ? p->lanes & ~same : p->lanes;
    *(p->cta ? &tried->acted : &tried->wrote) |= tried->changed;
}

bool emu_tried_access(struct emu_tried *tried, struct emu_thread *lanes, uint64_t *r, const struct emu_op *op,
                      uint32_t set, const uint64_t *on)
{
    const bool stores = op->together == EMU_STORE;
    struct emu_pattern p;
    unsigned char *host = NULL;

    tried->changed = 0;
    if (!lanes->cta || !pattern_of(lanes, op, r + (stores ? op->d : op->a), set, on, &p) || (stores && !p.stride))
        return false;
    if (!(set & (set - 1)))
        join_others(tried, &p);
    if (!enter_all(tried, lanes, op, p, &host))
        return false;
    if (stores)
        note_store(tried, &p, op->memory.place, store(&p, host, r + op->a), emu_watched(lanes, p.cta));
    else
        load(&p, host, r + op->d);
    return true;
}

static uint64_t rank_of(const struct emu_pattern *p)
{
    const bool apart = p->stride && p->stride % EMU_LINE == 0;

    return apart ? p->born : 1u << 16 | (uint32_t)__builtin_ctz(p->lanes);
}

/* Whether lanes of one lie between those of the other. */
static bool interleave(const struct emu_pattern *a, const struct emu_pattern *b)
{
    return __builtin_ctz(a->lanes) < 32 - __builtin_clz(b->lanes) &&
           __builtin_ctz(b->lanes) < 32 - __builtin_clz(a->lanes);
}

const struct emu_pattern *emu_tried_sorted(struct emu_tried *tried)
{
    const struct emu_pattern *of = tried->of;
    struct emu_pattern *sorted = tried->sorted;
    uint32_t i = 0, k;

    for (k = 0; k < tried->n; k++)
        if (of[k].lanes != ALL)
            for (i = 0; i < k; i++)
                if (is_like(&of[i], &of[k]) && interleave(&of[i], &of[k]))
                    return NULL;
    for (i = 1; i < tried->n && rank_of(&of[i - 1]) <= rank_of(&of[i]); i++)
        continue;
    if (i >= tried->n)
        return of;
    for (i = 0; i < tried->n; i++) {
        for (k = i; k && rank_of(&sorted[k - 1]) > rank_of(&of[i]); k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = of[i];
    }
    return sorted;
}
