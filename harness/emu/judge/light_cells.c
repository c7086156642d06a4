/* Accesses as the light judge compares and keeps them. */
#include <string.h>

#include "harness/emu/judge/light_records.h"
#include "harness/emu/judge/light_state.h"
#include "harness/emu/judge/prior.h"
#include "harness/emu/machine/lanes.h"
#include "harness/emu/machine/pattern.h"

/* More than the cells of a line, as a power of two. */
enum { ONE_THREAD = 31 };

/* False: there is a doubt. */
static inline bool step_on(struct light *l, uint32_t *w, uint32_t *r, const struct light_step *x)
{
    if (!x->writes) {
        if ((*w && x->flags & LIGHT_NC) || light_races(l, *w, x))
            return false;
        *r = light_merged(l, *r, x);
        return true;
    }
    if (*r & LIGHT_NC || light_races(l, *r, x))
        return false;
    if (light_races(l, *w, x) && !(x->same && light_warp_of(*w & LIGHT_WHO) == light_warp_of(x->who)))
        return false;
    *w = light_merged(l, *w, x);
    return true;
}

/* Whether a cell may have records of other clusters: in global memory, where clusters take turns. */
static inline bool is_foreign(const struct light *l, const struct light_line *line, unsigned c,
                              const struct light_step *x)
{
    const struct light_owned *o = (const void *)line;

    return l->all && !x->shared && (o->w[c] != l->me || o->r[c] != l->me);
}

/* Bytes of one cell. */
static void touch_cell(struct light *l, struct light_line *line, unsigned first, unsigned last,
                       const struct light_step *x)
{
    const unsigned c = first / LIGHT_CELL;
    struct light_bytes *b;
    bool fine = true;

    if (is_foreign(l, line, c, x) && !light_meets(l, line, c, x))
        return;
    if (line->w[c] != LIGHT_SPLIT && last - first == LIGHT_CELL - 1) {
        if (!step_on(l, &line->w[c], &line->r[c], x))
            light_doubt(l);
        return;
    }
    b = line->w[c] == LIGHT_SPLIT ? &(x->shared ? l : l->global)->bytes[line->r[c]]
                                  : light_split(l, x->shared, line, c);
    for (unsigned i = first % LIGHT_CELL; b && i <= last % LIGHT_CELL; i++)
        fine &= step_on(l, &b->w[i], &b->r[i], x);
    if (!fine)
        light_doubt(l);
}

/* Whether a cell that is read has a record of reads of what nobody is to write: no other read changes that, since any
 * write is a doubt. */
static inline bool never_written(const struct light_line *line, unsigned c)
{
    return line->w[c] == 0 && line->r[c] & LIGHT_NC;
}

/* The same of a whole cell by a weak access of a thread, as most are. False: it is another case, and nothing is done.
 */
static inline bool reads_quickly(const struct light *l, struct light_line *line, unsigned c, uint32_t who)
{
    const uint32_t w = line->w[c], r = line->r[c], now = light_stamp(l) | LIGHT_WEAK;

    if (w >= l->barrier && (w & LIGHT_WHO) != who)
        return false;
    if (r == (now | who) || r == (now | LIGHT_MANY) || r == (now | (LIGHT_WARPS + who / EMU_WARP)))
        return true;
    if (r >= l->barrier || r & LIGHT_NC)
        return false;
    line->r[c] = now | who;
    return true;
}

static inline bool writes_quickly(const struct light *l, struct light_line *line, unsigned c, uint32_t who)
{
    const uint32_t w = line->w[c], r = line->r[c];

    if ((w >= l->barrier && (w & LIGHT_WHO) != who) || (r >= l->barrier && (r & LIGHT_WHO) != who) || r & LIGHT_NC)
        return false;
    line->w[c] = light_stamp(l) | LIGHT_WEAK | who;
    return true;
}

/* Whole cells of a line, `first` to `last`, each `1 << shift` of them by another one of neighbouring threads. */
static inline void touch_cells(struct light *l, struct light_line *line, unsigned first, unsigned last, unsigned shift,
                               struct light_step x)
{
    const uint32_t who = x.who;

    for (unsigned c = first; c <= last; c++) {
        x.who = who + ((c - first) >> shift);
        if (is_foreign(l, line, c, &x) && !light_meets(l, line, c, &x))
            continue;
        if (!x.writes && never_written(line, c))
            continue;
        if (x.flags != LIGHT_WEAK || x.who >= LIGHT_WARPS ||
            !(x.writes ? writes_quickly(l, line, c, x.who) : reads_quickly(l, line, c, x.who)))
            touch_cell(l, line, c * LIGHT_CELL, c * LIGHT_CELL + LIGHT_CELL - 1, &x);
    }
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Of the word of bits that has the byte `at` of a page, those from it on, n of them or up to the end of the word. */
static inline uint64_t bits_from(unsigned at, uint64_t n)
{
    const unsigned from = at % 64;

    return (n >= 64 ? ~0ull : (1ull << n) - 1) << from;
}

/* Whether bytes of a page have a value: all, or, of a vector in global memory, any of them. */
static bool has_value(const struct light_page *p, bool shared, unsigned at, uint64_t n)
{
    bool any = false, all = true;

    for (uint64_t left = n; left;) {
        const uint64_t here = 64 - at % 64 < left ? 64 - at % 64 : left, bits = bits_from(at, here);
        any |= (p->written[at / 64] & bits) != 0;
        all &= !(bits & ~p->written[at / 64]);
        at += (unsigned)here;
        left -= here;
    }
    return all || (any && !shared && n > LIGHT_CELL);
}

/* Whether all of them have. */
static bool has_all(const struct light_page *p, unsigned at, uint64_t n)
{
    return has_value(p, true, at, n);
}

static inline void give_value(struct light_page *p, unsigned at, uint64_t n)
{
    p->wrote = true;
    if (p->all)
        return;
    for (uint64_t left = n; left;) {
        const uint64_t here = 64 - at % 64 < left ? 64 - at % 64 : left;
        p->written[at / 64] |= bits_from(at, here);
        at += (unsigned)here;
        left -= here;
    }
}

/* Bytes of one line; those of an access that lies in several are asked for a value apart, which is stricter. */
static inline void values(struct light *l, struct light_page *p, const struct light_access *how, uint64_t at,
                          uint64_t n)
{
    const unsigned from = (unsigned)(at % LIGHT_PAGE);

    if ((!how->writes || how->reads_old) && !p->all && !has_value(p, how->shared, from, n))
        light_doubt(l);
    if (how->writes)
        give_value(p, from, n);
}

void light_early(struct light *l, uint32_t warp, uint32_t lanes, uint64_t at, uint64_t n, bool writes)
{
    if (l->before && lanes & ~l->waited[warp] && order_prior_meets(l->before, at, n, writes))
        light_doubt(l);
}

/* ---- one access -------------------------------------------------------------------------------------------------- */

void light_touch(struct light *l, struct light_access how, uint64_t at, uint64_t n, uint32_t who, bool same)
{
    struct light_step x = { .who = who,
                            .flags = (how.strong ? 0u : LIGHT_WEAK) | (how.nc ? LIGHT_NC : 0u),
                            .writes = how.writes,
                            .same = same,
                            .shared = how.shared };

    for (uint64_t end = at + n; at < end && !l->doubts;) {
        const unsigned first = (unsigned)(at % LIGHT_LINE);
        const unsigned last = end - at < LIGHT_LINE - first ? first + (unsigned)(end - at) - 1 : LIGHT_LINE - 1;
        struct light_page *page;
        struct light_line *line = light_line_of(l, how.shared, at, &page);
        if (!line)
            return;
        x.line = at - first;
        values(l, page, &how, at, last - first + 1);
        if (!(first % LIGHT_CELL) && last % LIGHT_CELL == LIGHT_CELL - 1) {
            touch_cells(l, line, first / LIGHT_CELL, last / LIGHT_CELL, ONE_THREAD, x);
            at += last - first + 1;
            continue;
        }
        for (unsigned b = first; b <= last;) {
            const unsigned to = b | (LIGHT_CELL - 1), stop = to < last ? to : last;
            touch_cell(l, line, b, stop, &x);
            b = stop + 1;
        }
        at += last - first + 1;
    }
}

bool light_fetched(struct light *l, uint64_t line, uint32_t who, bool all)
{
    struct light_page *page;
    const struct light_line *of = light_line_of(l, false, line, &page);
    bool known = of != NULL;

    if (of && all && (page->all || has_all(page, (unsigned)(line % LIGHT_PAGE), LIGHT_LINE)))
        light_touch(l, (struct light_access){ .nc = true }, line, LIGHT_LINE, who, false);
    for (unsigned c = 0; known && c < LIGHT_CELLS; c++)
        known &= never_written(of, c);
    return known && !l->doubts;
}

void light_written(struct light *l, uint64_t at, uint64_t n, uint32_t record)
{
    for (const uint64_t end = at + n; at < end && !l->doubts; at += LIGHT_CELL) {
        const unsigned c = (unsigned)(at % LIGHT_LINE) / LIGHT_CELL;
        struct light_page *page;
        struct light_line *line = light_line_of(l, true, at, &page);
        if (!line)
            return;
        if (line->w[c] == LIGHT_SPLIT) /* what its bytes have been read for comes before the copy */
            line->r[c] = 0;
        line->w[c] = record;
    }
}

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

typedef uint32_t __attribute__((may_alias, vector_size(32), aligned(4))) eight;

/* A line all of whose cells are accessed whole, `shift` cells (as a power of two) by each of neighbouring threads from
 * `who` on, mostly has records of these threads alone, or from before the last barrier. Whether it has, and none of
 * what nobody is to write; then they are what they become. */
static inline __attribute__((always_inline)) bool row(const struct light *l, struct light_line *line, uint32_t who,
                                                      unsigned shift, uint32_t flags, bool writes)
{
    static const eight places = { 0, 1, 2, 3, 4, 5, 6, 7 };
    uint32_t *to = writes ? line->w : line->r;
    eight bad = { 0 };

    for (unsigned i = 0; i < LIGHT_CELLS; i += 8) {
        const eight by = ((places + i) >> shift) + who;
        const eight w = *(const eight *)&line->w[i], r = *(const eight *)&line->r[i];
        bad |= (eight)(w >= l->barrier) & (eight)((w & LIGHT_WHO) != by);
        bad |= (eight)(r >= l->barrier) & (eight)((r & LIGHT_WHO) != by);
        bad |= r & LIGHT_NC;
    }
    if (bad[0] | bad[1] | bad[2] | bad[3] | bad[4] | bad[5] | bad[6] | bad[7])
        return false;
    for (unsigned i = 0; i < LIGHT_CELLS; i += 8)
        *(eight *)&to[i] = (((places + i) >> shift) + who) | (light_stamp(l) | flags);
    return true;
}

EMU_IF_AVX2(EMU_AVX2 static bool row_avx2(const struct light *l, struct light_line *line, uint32_t who, unsigned shift,
                                          uint32_t flags,
                                          bool writes) { return row(l, line, who, shift, flags, writes); })

static bool is_row(const struct light *l, struct light_line *line, uint32_t who, unsigned shift, uint32_t flags,
                   bool writes)
{
    EMU_IF_AVX2(if (emu_has_avx2()) return row_avx2(l, line, who, shift, flags, writes);)
    return row(l, line, who, shift, flags, writes);
}

/* Whether all cells of a line have records of this cluster alone. */
static bool is_own(const struct light *l, const struct light_line *line)
{
    const struct light_owned *o = (const void *)line;
    bool own = true;

    for (unsigned c = 0; c < LIGHT_CELLS; c++)
        own &= o->w[c] == l->me && o->r[c] == l->me;
    return own;
}

/* The accesses of a pattern, or those of its reads or writes. */
struct walk {
    const struct emu_pattern *of;
    struct light_access how;
    uint32_t first, flags;
};

/* Lanes next to each other whose bytes lie one behind the other's, line by line. */
static void walk_row(struct light *l, const struct walk *x)
{
    const struct emu_pattern *of = x->of;
    const unsigned size = of->size, shift = (unsigned)__builtin_ctz(size / LIGHT_CELL);
    const uint32_t lane = (uint32_t)__builtin_ctz(of->lanes);
    const uint64_t low = of->address + lane * size,
                   all = low + emu_lanes_count(of->lanes) * size; /* of some lanes of it */
    uint32_t who = x->first + lane;

    for (uint64_t at = low; at < all && !l->doubts;) {
        const uint64_t stop = (at / LIGHT_LINE + 1) * LIGHT_LINE, end = stop < all ? stop : all;
        struct light_page *page;
        struct light_line *line = light_line_of(l, x->how.shared, at, &page);
        if (!line)
            return;
        if (end - at == LIGHT_LINE && (x->how.writes || page->all) && !(x->flags & LIGHT_NC) &&
            (!l->all || x->how.shared || is_own(l, line)) && is_row(l, line, who, shift, x->flags, x->how.writes)) {
            if (x->how.writes)
                give_value(page, (unsigned)(at % LIGHT_PAGE), LIGHT_LINE);
            who += LIGHT_LINE / size;
            at = end;
            continue;
        }
        const unsigned from = (unsigned)(at % LIGHT_LINE), n = (unsigned)(end - at);
        const struct light_step s = {
            .who = who, .flags = x->flags, .writes = x->how.writes, .shared = x->how.shared, .line = at - from
        };
        if (x->how.writes || page->all || has_all(page, (unsigned)(at % LIGHT_PAGE), n))
            values(l, page, &x->how, at, n);
        else
            for (unsigned b = 0; b < n; b += size)
                values(l, page, &x->how, at + b, size);
        touch_cells(l, line, from / LIGHT_CELL, (from + n) / LIGHT_CELL - 1, shift, s);
        who += n / size;
        at = end;
    }
}

static void walk(struct light *l, const struct walk *x)
{
    const struct emu_pattern *of = x->of;
    const uint32_t lanes = of->lanes, above = lanes >> __builtin_ctz(lanes);

    if (of->stride == of->size && of->size >= LIGHT_CELL && !(above & (above + 1))) {
        walk_row(l, x);
        return;
    }
    if (!of->stride && lanes & (lanes - 1) && (x->how.writes || light_knows_alike(l, x->first / EMU_WARP))) {
        light_touch(l, x->how, of->low, of->size, LIGHT_WARPS + x->first / EMU_WARP, false);
        return;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        light_touch(l, x->how, of->address + (uint64_t)(of->stride * lane), of->size, x->first + (uint32_t)lane, false);
    }
}

void light_pattern(struct light *l, const struct emu_pattern *of, uint32_t first, bool nc)
{
    struct walk x = { .of = of, .how = { .shared = of->cta != NULL }, .first = first };

    if (of->reads) {
        x.how.nc = nc;
        x.flags = LIGHT_WEAK | (nc ? LIGHT_NC : 0);
        walk(l, &x);
    }
    if (of->writes && !l->doubts) {
        x.how.nc = false;
        x.how.writes = true;
        x.flags = LIGHT_WEAK;
        walk(l, &x);
    }
}
// SPDX-License-Identifier: Apache-2.0
