/* What lanes of a warp access together: their pattern, whether it goes with the others of the window, and the access.
 *
 * What turns one behind the other would do is the same as what lanes do together as long as no lane accesses what
 * another one writes, in whatever order: tried_pairs.c. */
#include "harness/emu/schedule/tried.h"

#include <string.h>

#include "harness/emu/machine/watch.h"
#include "harness/emu/schedule/tried_bytes.h"
#include "harness/emu/schedule/tried_pairs.h"
#include "harness/emu/schedule/tried_patterns.h"

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

/* Whether a pattern shares no line with others. */
static bool lies_apart(const struct emu_tried *tried, const struct emu_pattern *p)
{
    const struct emu_stretch *end = tried->stretch + tried->stretches;

    for (const struct emu_stretch *s = tried->stretch; s < end; s++)
        if (s->low < p->end && p->low < s->end && s->cta == p->cta)
            return false;
    return true;
}

/* A stretch takes in a pattern: one that nearly ends where it begins, a new one, or that which grows least. */
static __attribute__((noinline)) void stretch_some(struct emu_tried *tried, const struct emu_pattern *p, uint64_t low,
                                                   uint64_t end)
{
    enum { NEAR = 1 << 12 };
    struct emu_stretch *best = NULL;
    uint64_t least = UINT64_MAX;

    for (struct emu_stretch *s = tried->stretch; s < tried->stretch + tried->stretches; s++) {
        const uint64_t before = low < s->low ? s->low - low : 0, behind = end > s->end ? end - s->end : 0;
        if (s->cta != p->cta || before + behind >= least)
            continue;
        best = s;
        least = before + behind;
    }
    if (!best || (least > NEAR && tried->stretches < EMU_STRETCHES - 1)) { /* the last is for the other memory */
        tried->grown = tried->stretches++;
        tried->stretch[tried->grown] = (struct emu_stretch){ p->cta, low, end };
    } else {
        tried->grown = (uint32_t)(best - tried->stretch);
        best->low = low < best->low ? low : best->low;
        best->end = end > best->end ? end : best->end;
    }
}

/* The same; mostly the last one ends where the pattern begins. */
static inline void stretch_over(struct emu_tried *tried, const struct emu_pattern *p)
{
    const uint64_t line = EMU_LINE - 1, low = p->low & ~line, end = (p->end + line) & ~line;
    struct emu_stretch *last = tried->stretches ? &tried->stretch[tried->grown] : NULL;

    if (last && last->end == low && last->cta == p->cta)
        last->end = end;
    else
        stretch_some(tried, p, low, end);
}

/* Whether a pattern, number `own` or a new one, can be with all the others. */
static bool fits(const struct emu_tried *tried, const struct emu_pattern *p, uint32_t own, bool watched)
{
    const uint64_t line = EMU_LINE - 1, low = p->low & ~line, end = (p->end + line) & ~line;

    if (own == tried->n && lies_apart(tried, p))
        return true;
    for (uint32_t i = 0; i < tried->n; i++) {
        const struct emu_pattern *q = &tried->of[i];
        if (q->low < end && q->end > low && i != own && !emu_patterns_go_together(q, p, watched))
            return false;
    }
    return true;
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
        if (q->lanes & (q->lanes - 1) || p->address != address || emu_patterns_alike(p, q) || q->size != p->size ||
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

/* A pattern is one of some of its lanes alone. */
static void keep_lanes(struct emu_pattern *p, uint32_t lanes)
{
    const uint64_t first = p->address + (uint64_t)(p->stride * __builtin_ctz(lanes)),
                   last = p->address + (uint64_t)(p->stride * (31 - __builtin_clz(lanes)));

    p->lanes = lanes;
    p->low = p->stride < 0 ? last : first;
    p->end = (p->stride < 0 ? first : last) + p->size;
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
    if (tried->of[i].writes)
        memcpy(tried->old[n], tried->old[i], sizeof tried->old[n]);
    keep_lanes(&tried->of[n], others);
    keep_lanes(&tried->of[i], tried->of[i].lanes & set);
    tried->mixed = true;
    tried->n++;
    return true;
}

/* Whether a pattern is one of all lanes, none of which has whole lines of its own: such are sorted as they are. */
static bool in_place(const struct emu_pattern *p)
{
    return p->lanes == ALL && (!p->stride || p->stride % EMU_LINE);
}

/* Enters lanes that access by a pattern for the first time, or write so for the first time (number i): whether that
 * goes with the others. */
static bool enter(struct emu_tried *tried, const struct emu_pattern *p, uint32_t i, unsigned char *host, bool watched)
{
    if (i == EMU_PATTERNS || !fits(tried, p, i, watched))
        return false;
    tried->of[i] = *p;
    tried->host[i] = host;
    if (i < tried->n)
        return true;
    tried->last = i;
    tried->of[i].born = (uint16_t)tried->n++;
    tried->of[i].shares = !lies_apart(tried, p);
    tried->mixed |= !in_place(p) || tried->of[i].shares;
    stretch_over(tried, p);
    return true;
}

/* Lanes of a pattern, number i, are about to write for the first time. */
static bool writes_first(struct emu_tried *tried, struct emu_pattern p, uint32_t i, unsigned char *host, uint32_t at,
                         bool watched)
{
    p.writes = true;
    p.write_at[0] = at;
    tried->stores[p.cta != NULL] = true;
    if (!enter(tried, &p, i, host, watched))
        return false;
    emu_pattern_keep(&p, host, tried->old[i]);
    return true;
}

/* All the patterns of a set of lanes that access as `p` says, and what is entered anew: false: that does not go. */
static bool enter_all(struct emu_tried *tried, struct emu_thread *lanes, const struct emu_op *op, struct emu_pattern p,
                      unsigned char **host)
{
    const bool stores = op->together == EMU_STORE,
               watched = emu_watched(lanes, p.cta) && !emu_watch_of(lanes)->any_order;
    const uint32_t set = p.lanes;
    bool known = true;
    uint32_t n;

    if (tried->alone && !join_alone(tried, &p, watched))
        return false;
    tried->alone |= !(set & (set - 1));
    n = lies_apart(tried, &p) ? 0 : tried->n;
    for (uint32_t i = 0; i < n; i++)
        if (emu_patterns_alike(&tried->of[i], &p) && tried->of[i].lanes & set) {
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
        *host = emu_pattern_host(lanes, &all, stores);
        if (!*host)
            return false;
    }
    for (uint32_t i = 0; i < n && !known; i++)
        if (emu_patterns_alike(&tried->of[i], &p) && tried->of[i].lanes & set && !tried->of[i].writes &&
            !writes_first(tried, tried->of[i], i, *host, op->memory.place, watched))
            return false;
    if (!p.lanes)
        return true;
    if (p.lanes != set)
        keep_lanes(&p, p.lanes);
    if (stores)
        return writes_first(tried, p, tried->n, *host, op->memory.place, watched);
    p.constant = op->memory.constant;
    p.reads = true;
    p.read_at = op->memory.place;
    return enter(tried, &p, tried->n, *host, watched);
}

/* Lanes of a pattern have stored by an instruction; `same` left the bytes as they were. */
static void note_pattern(struct emu_pattern *q, uint32_t at, uint32_t same)
{
    if (!q->written)
        q->same[0] = same & q->lanes;
    q->written = true;
    q->write_at[1] = at;
    q->same[1] = same & q->lanes;
}

/* The same of all the patterns that the lanes of one have. */
static void note_patterns(struct emu_tried *tried, const struct emu_pattern *p, uint32_t at, uint32_t same)
{
    for (uint32_t i = 0; i < tried->n; i++)
        if (tried->of[i].lanes & p->lanes && emu_patterns_alike(&tried->of[i], p))
            note_pattern(&tried->of[i], at, same);
}

/* The pattern behind the last one of all is new, and goes with all others. Its bytes; NULL: nobody has them. */
static inline unsigned char *enter_behind(struct emu_tried *tried, struct emu_thread *lanes, const struct emu_op *op)
{
    const bool stores = op->together == EMU_STORE;
    const uint32_t n = tried->n;
    struct emu_pattern *p = &tried->of[n];
    unsigned char *host = emu_pattern_host(lanes, p, stores);

    if (!host)
        return NULL;
    p->born = (uint16_t)n;
    if (stores) {
        p->writes = true;
        p->write_at[0] = op->memory.place;
        tried->stores[p->cta != NULL] = true;
        emu_pattern_keep(p, host, tried->old[n]);
    } else {
        p->reads = true;
        p->read_at = op->memory.place;
        p->constant = op->memory.constant;
    }
    tried->host[n] = host;
    tried->last = n;
    tried->n = n + 1;
    return host;
}

/* The same where it shares no line with others. */
static unsigned char *enter_new(struct emu_tried *tried, struct emu_thread *lanes, const struct emu_op *op)
{
    struct emu_pattern *p = &tried->of[tried->n];
    unsigned char *host = enter_behind(tried, lanes, op);

    if (!host)
        return NULL;
    tried->mixed |= !in_place(p);
    stretch_over(tried, p);
    if (p->lanes != ALL || p->stride != p->size || p->end % EMU_LINE || tried->stretches > 1 || tried->alone ||
        tried->n == EMU_PATTERNS) {
        tried->row = 0;
        return host;
    }
    tried->next = p->end;
    tried->row = p->size;
    tried->row_cta = p->cta;
    return host;
}

/* Whether the access is by a row of all lanes that goes on with the last new one, so that it shares no line with any.
 */
static inline bool is_next_row(const struct emu_tried *tried, const struct emu_thread *lanes, const struct emu_op *op,
                               const uint64_t *a, uint32_t set)
{
    const bool shared = is_shared(op);
    const uint64_t mask = shared ? UINT32_MAX : UINT64_MAX;

    return set == ALL && tried->row == (unsigned)op->size * op->vector &&
           ((a[0] + (uint64_t)op->offset) & mask) == tried->next && tried->row_cta == (shared ? lanes->cta : NULL) &&
           follow(a, mask, NULL, a[0], tried->row);
}

/* Enters it: its bytes; NULL: nobody has them. */
static inline unsigned char *enter_next_row(struct emu_tried *tried, struct emu_thread *lanes, const struct emu_op *op)
{
    const uint64_t from = tried->next, end = from + (uint64_t)tried->row * EMU_WARP;
    unsigned char *host;

    tried->of[tried->n] = (struct emu_pattern){ .cta = is_shared(op) ? lanes->cta : NULL,
                                                .address = from,
                                                .stride = tried->row,
                                                .low = from,
                                                .end = end,
                                                .lanes = ALL,
                                                .size = (uint8_t)tried->row };
    host = enter_behind(tried, lanes, op);
    if (!host)
        return NULL;
    tried->stretch[0].end = (end + EMU_LINE - 1) & ~(uint64_t)(EMU_LINE - 1);
    tried->next = end;
    if (end % EMU_LINE || tried->n == EMU_PATTERNS)
        tried->row = 0;
    return host;
}

/* The last access was by the same lanes in the same way, and nothing is new: their bytes; else NULL. */
static unsigned char *known_again(const struct emu_tried *tried, const struct emu_op *op, const struct emu_pattern *p)
{
    const struct emu_pattern *q = &tried->of[tried->last];

    if (!tried->n || q->lanes != p->lanes || !emu_patterns_alike(q, p) || q->constant != op->memory.constant ||
        (op->together == EMU_STORE && !q->writes))
        return NULL;
    return tried->host[tried->last];
}

/* An access that goes on with others, whose pattern may become theirs: its bytes; NULL: it does not go. */
static __attribute__((noinline)) unsigned char *go_on(struct emu_tried *tried, struct emu_thread *lanes,
                                                      const struct emu_op *op, struct emu_pattern *p)
{
    unsigned char *host = NULL;

    tried->row = 0;
    if (!(p->lanes & (p->lanes - 1)))
        join_others(tried, p);
    return enter_all(tried, lanes, op, *p, &host) ? host : NULL;
}

/* Lanes of a pattern store. */
static void store(struct emu_tried *tried, struct emu_thread *lanes, const struct emu_op *op, struct emu_pattern *p,
                  unsigned char *host, const uint64_t *r)
{
    struct emu_pattern *last = &tried->of[tried->last];
    const uint32_t set = p->lanes, same = emu_pattern_store(p, host, op, r);

    if (last->lanes == set)
        note_pattern(last, op->memory.place, same);
    else
        note_patterns(tried, p, op->memory.place, same);
    tried->changed = op->vector > 1 || emu_watched(lanes, p->cta) ? set & ~same : set; /* else nobody has looked */
    *(p->cta ? &tried->acted : &tried->wrote) |= tried->changed;
}

/* Lanes of a pattern load or store; false where its bytes are not to be had. */
static inline bool move(struct emu_tried *tried, struct emu_thread *lanes, const struct emu_op *op,
                        struct emu_pattern *p, unsigned char *host, uint64_t *r)
{
    if (!host)
        return false;
    if (op->together == EMU_STORE)
        store(tried, lanes, op, p, host, r);
    else
        emu_pattern_load(p, host, op, r);
    return true;
}

/* Nothing has been stored in a memory, and nobody asks in which order it is read: loads of it go with all that there
 * is.
 */
static inline bool reads_freely(const struct emu_tried *tried, const struct emu_op *op)
{
    return tried->any_order && op->together == EMU_LOAD && !tried->stores[is_shared(op)];
}

/* Lanes load so by the pattern behind the last one of all. Their bytes; NULL: nobody has them, or there are too many
 * patterns. */
static unsigned char *read_freely(struct emu_tried *tried, struct emu_thread *lanes, const struct emu_op *op,
                                  const struct emu_pattern *p)
{
    _Static_assert(EMU_RECENT == 1 << (64 - 57), "seven bits say where");
    const uint64_t place = p->address + ((uint64_t)p->stride << 20) + ((uint64_t)p->lanes << 32);
    uint16_t *recent = &tried->recent[place * 0x9E3779B97F4A7C15u >> 57];
    const struct emu_pattern *q = &tried->of[*recent ? *recent - 1 : 0];
    unsigned char *host;

    if (*recent && *recent <= tried->n && q->lanes == p->lanes && emu_patterns_alike(q, p) && q->reads &&
        q->constant == op->memory.constant) {
        tried->last = *recent - 1u;
        return tried->host[tried->last];
    }
    if (tried->n == EMU_PATTERNS)
        return NULL;
    host = enter_behind(tried, lanes, op);
    if (!host)
        return NULL;
    *recent = (uint16_t)tried->n;
    tried->mixed = true;
    tried->alone |= !(p->lanes & (p->lanes - 1));
    tried->row = 0;
    stretch_over(tried, p);
    return host;
}

/* Whether lanes store where others may have loaded with no pattern. */
static inline bool meets_scattered(const struct emu_tried *tried, const struct emu_op *op, const struct emu_pattern *p)
{
    const struct emu_scattered *s = &tried->scattered[is_shared(op)];

    return op->together == EMU_STORE && p->low < s->end && s->low < p->end;
}

/* Lanes load from addresses that follow no pattern, or one more than there is room for, each as in a turn of its own.
 * False: not together. */
static __attribute__((noinline)) bool load_scattered(struct emu_tried *tried, struct emu_thread *lanes,
                                                     const uint64_t *a, const struct emu_op *op, uint32_t set)
{
    const bool shared = is_shared(op);
    const unsigned size = (unsigned)op->size * op->vector;
    struct emu_scattered *s = &tried->scattered[shared];
    uint64_t at[EMU_WARP], low = UINT64_MAX, end = 0, bits = 0;

    if (!reads_freely(tried, op))
        return false;
    for (uint32_t left = set; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const uint64_t address = a[lane] + (uint64_t)op->offset;
        at[lane] = shared ? (uint32_t)address : address;
        bits |= at[lane];
        low = at[lane] < low ? at[lane] : low;
        end = at[lane] + size > end ? at[lane] + size : end;
    }
    if (bits & (size - 1) || low >= end ||
        !(shared ? end <= lanes->cta->shared_bytes : emu_scattered_near(lanes, at, set, size, low, end)))
        return false;
    s->low = low < s->low ? low : s->low;
    s->end = end > s->end ? end : s->end;
    for (uint32_t left = set; left; left &= left - 1) {
        struct emu_thread *t = &lanes[__builtin_ctz(left)];
        const struct emu_op *pc = t->pc;
        t->pc = op + 1;
        op->run(t, op);
        t->pc = pc;
    }
    tried->scatter |= set;
    tried->row = 0;
    return true;
}

/* Lanes access by the pattern behind the last one of all, or by another that is the same. False: it does not go. */
static inline bool access_by(struct emu_tried *tried, struct emu_thread *lanes, uint64_t *r, const struct emu_op *op)
{
    struct emu_pattern *p = &tried->of[tried->n], copy; /* in its place, should it be new */
    const bool simple = p->lanes & (p->lanes - 1) && !tried->alone;
    unsigned char *host;

    if (reads_freely(tried, op) && tried->n == EMU_PATTERNS)
        return load_scattered(tried, lanes, r + op->a, op, p->lanes);
    if (reads_freely(tried, op))
        return move(tried, lanes, op, p, read_freely(tried, lanes, op, p), r);
    if (meets_scattered(tried, op, p))
        return false;

    if (simple && lies_apart(tried, p)) {
        host = tried->n < EMU_PATTERNS ? enter_new(tried, lanes, op) : NULL;
    } else {
        host = simple ? known_again(tried, op, p) : NULL;
        if (!host) {
            copy = *p;
            p = &copy;
            host = go_on(tried, lanes, op, p);
        }
    }
    return move(tried, lanes, op, p, host, r);
}

/* ---- several patterns ------------------------------------------------------------------------------------------- */

/* Lanes follow several patterns, as those do of a CTA whose rows are shorter than a warp: one behind the other. */
static __attribute__((noinline)) bool access_in_runs(struct emu_tried *tried, struct emu_thread *lanes, uint64_t *r,
                                                     const struct emu_op *op, uint32_t set)
{
    enum { RUNS = 8 };
    const bool stores = op->together == EMU_STORE;
    const uint64_t mask = is_shared(op) ? UINT32_MAX : UINT64_MAX, *a = r + (stores ? op->d : op->a);
    uint32_t run[RUNS], n = 0, changed = 0;
    int64_t stride[RUNS];

    for (uint32_t left = set; left; n++) {
        if (n == RUNS)
            return load_scattered(tried, lanes, a, op, set);
        run[n] = run_of(a, mask, left, &stride[n]);
        left &= ~run[n];
    }
    for (uint32_t i = 0; i < n; i++) {
        const bool one = !(run[i] & (run[i] - 1));
        if ((stores && !one && !stride[i]) ||
            !pattern_by(lanes, op, a, run[i], one ? op->size * op->vector : stride[i], &tried->of[tried->n]) ||
            !access_by(tried, lanes, r, op))
            return false;
        changed |= tried->changed;
    }
    tried->changed = changed;
    return true;
}

/* The registers that a load is about to write are kept. */
static inline void keep_loaded(struct emu_tried *tried, const struct emu_thread *lanes, const uint64_t *r,
                               const struct emu_op *op)
{
    const uint32_t *to = op->memory.elements;

    if (!to) {
        emu_tried_writes(tried, lanes, r, op);
        return;
    }
    for (unsigned i = 0; i < op->vector; i++)
        if (to[i] != EMU_NO)
            emu_tried_keep_slot(tried, r, to[i]);
}

/* Lanes fetch texels. Nobody writes them in the same window. */
static bool fetch(struct emu_tried *tried, struct emu_thread *lanes, const uint64_t *r, const struct emu_op *op,
                  uint32_t set)
{
    struct emu_scattered *s = &tried->scattered[false];
    struct emu_fetched *of = &tried->fetched;

    if (!tried->any_order || tried->stores[false] || emu_machine_of(lanes)->prior)
        return false;
    emu_tried_writes(tried, lanes, r, op);
    if (!op->fetches(lanes, set, op, of))
        return false;
    s->low = of->low < s->low ? of->low : s->low;
    s->end = of->end > s->end ? of->end : s->end;
    tried->scatter |= set;
    tried->row = 0;
    return true;
}

bool emu_tried_access(struct emu_tried *tried, struct emu_thread *lanes, uint64_t *r, const struct emu_op *op,
                      uint32_t set, const uint64_t *on)
{
    const bool stores = op->together == EMU_STORE;
    const uint64_t *a = r + (stores ? op->d : op->a);
    struct emu_pattern *p = &tried->of[tried->n];
    unsigned char *host;

    tried->changed = 0;
    if (op->together == EMU_FETCH)
        return fetch(tried, lanes, r, op, set);
    if (!stores)
        keep_loaded(tried, lanes, r, op);
    if (is_next_row(tried, lanes, op, a, set) && (!stores || !tried->scatter)) {
        host = enter_next_row(tried, lanes, op);
        return move(tried, lanes, op, p, host, r);
    }
    if (!lanes->cta)
        return false;
    if (!pattern_of(lanes, op, a, set, on, p))
        return access_in_runs(tried, lanes, r, op, set);
    return (!stores || p->stride) && access_by(tried, lanes, r, op);
}

const struct emu_pattern *emu_tried_sorted(struct emu_tried *tried)
{
    return tried->mixed ? emu_patterns_sorted(tried->of, tried->n, tried->sorted) : tried->of;
}
// SPDX-License-Identifier: Apache-2.0
