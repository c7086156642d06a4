/* Lines that several patterns touch.
 *
 * The patterns are sorted so that each cell of a line has its accesses in the order of turns. But as long as a line is
 * not taken apart it has one list, in which the accesses of all its cells lie as they were made; which of them a later
 * one is said to meet depends on that. So those accesses are made lane by lane, each lane's in the order of the
 * program, up to the one that takes the line apart. */
#include "harness/emu/judge/mixed.h"

#include <string.h>

#include "harness/emu/judge/lives.h"
#include "harness/emu/judge/pages.h"
#include "harness/emu/judge/firsts.h"
#include "harness/emu/judge/plain.h"
#include "harness/emu/judge/spans.h"

enum { PLACES = 512, LINES = PLACES / 2 };

/* Lines that are not taken apart, and whether patterns share them. */
struct lines {
    struct place {
        uint64_t line; /* 1 and its number; 0: the place is free */
        uint16_t first;
        bool shared;
    } of[PLACES];
    uint32_t n;
    bool many; /* more than there is room for: all count as shared */
};

bool order_patterns_near(const struct emu_pattern *of, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (of[i].cta && life_near(of[i].cta, of[i].low, of[i].end - of[i].low))
            return true;
    return false;
}

bool order_is_passed(const struct order *o, const struct order_span *s, uint16_t n)
{
    const uint32_t thread = s->who - o->base;

    return n > SPANS_OF_LINE && (s->unit || s->more || thread >= o->threads ||
                                 o->thread[thread].view[VIEW_GENERIC].own[OWN_NOW] != s->epoch);
}

void order_pattern_lane(struct emu_thread *lanes, const struct emu_pattern *of, uint32_t lane)
{
    const uint64_t at = of->address + (uint64_t)(of->stride * (int64_t)lane);
    const enum emu_access first = of->same[0] >> lane & 1 ? EMU_WRITE_SAME : EMU_WRITE;
    const enum emu_access last = of->same[1] >> lane & 1 ? EMU_WRITE_SAME : EMU_WRITE;

    if (of->reads)
        order_load(&lanes[lane], of->read_at, of->cta, at, of->size);
    if (!of->writes)
        return;
    order_store(&lanes[lane], of->write_at[0], of->cta, at, of->size, first);
    if (of->write_at[1] != of->write_at[0] || first != last)
        order_store(&lanes[lane], of->write_at[1], of->cta, at, of->size, last);
}

static uint64_t key_of(const struct emu_pattern *of, uint32_t lane)
{
    const uint64_t at = of->address + (uint64_t)(of->stride * (int64_t)lane);

    return of->cta ? order_shared_key(of->cta, at) : at;
}

static struct place *place_of(struct lines *l, uint64_t key)
{
    const uint64_t line = key / LINE + 1;
    uint32_t k = (uint32_t)(line * 0x9E3779B97F4A7C15u >> 32) % PLACES;

    while (l->of[k].line && l->of[k].line != line)
        k = (k + 1) % PLACES;
    return &l->of[k];
}

/* How a pattern's lines are found: from one of them to the next, or from lane to lane. */
struct walk {
    const struct emu_pattern *of;
    uint64_t key, end; /* of the bytes between, where lanes are no further apart than lines */
    uint32_t left;     /* lanes, else */
};

static struct walk walk_of(const struct emu_pattern *of)
{
    const bool near = of->stride <= LINE && of->stride >= -LINE;
    const uint64_t base = of->cta ? order_shared_key(of->cta, 0) : 0;

    return (struct walk){ of, (base + of->low) & ~(uint64_t)(LINE - 1), near ? base + of->end : 0,
                          near ? 0 : of->lanes };
}

static bool next_line(struct walk *w, uint64_t *key)
{
    if (w->left) {
        *key = key_of(w->of, (uint32_t)__builtin_ctz(w->left));
        w->left &= w->left - 1;
        return true;
    }
    *key = w->key;
    w->key += LINE;
    return *key < w->end;
}

/* The pattern's lines that are not taken apart. */
static void note_lines(struct order *o, struct lines *l, const struct emu_pattern *of, uint32_t i)
{
    struct walk w = walk_of(&of[i]);

    for (uint64_t key; !l->many && next_line(&w, &key);) {
        struct order_line *line = order_line_of(o, key);
        struct place *p;
        if (line)
            order_line_open(o, key, line);
        if (!line || line->cells)
            continue;
        p = place_of(l, key);
        if (!p->line) {
            *p = (struct place){ key / LINE + 1, (uint16_t)i, false };
            l->many = ++l->n > LINES;
        } else if (!emu_patterns_alike(&of[p->first], &of[i]) &&
                   !emu_patterns_in_stretches(&of[p->first], &of[i], true)) {
            p->shared = true;
        }
    }
}

static bool is_shared(struct lines *l, uint64_t key)
{
    return l->many || place_of(l, key)->shared;
}

/* Whether any of the pattern's lines is. */
static bool has_shared(struct lines *l, const struct emu_pattern *of)
{
    struct walk w = walk_of(of);

    for (uint64_t key; next_line(&w, &key);)
        if (is_shared(l, key))
            return true;
    return false;
}

void order_mixed(struct order *o, struct emu_thread *lanes, const struct emu_pattern *of, uint32_t n, uint32_t *done)
{
    uint16_t at[EMU_PATTERNS], in_order[EMU_PATTERNS], next[EMU_PATTERNS]; /* numbers count from 1 */
    struct lines l;
    uint32_t some = 0;

    memset(&l, 0, sizeof l);
    memset(done, 0, n * sizeof *done);
    memset(at, 0, sizeof at);
    for (uint32_t i = 0; i < n; i++)
        note_lines(o, &l, of, i);
    for (uint32_t i = 0; i < n && l.n; i++)
        if (has_shared(&l, &of[i])) { /* of those that were one, no lane is in two */
            next[i] = at[of[i].born];
            at[of[i].born] = (uint16_t)(i + 1);
        }
    for (uint32_t k = 0; k < EMU_PATTERNS; k++)
        for (uint32_t i = at[k]; i; i = next[i - 1]) // cppcheck-suppress uninitvar ; where `at` leads it is set
            in_order[some++] = (uint16_t)(i - 1);
    for (uint32_t lane = 0; some && lane < EMU_WARP; lane++)
        for (uint32_t k = 0; k < some; k++) {
            const struct emu_pattern *p = &of[in_order[k]]; // cppcheck-suppress uninitvar ; some are set
            struct order_line *line;
            if (!(p->lanes >> lane & 1) || !is_shared(&l, key_of(p, lane)))
                continue;
            line = order_line_of(o, key_of(p, lane));
            if (line)
                order_line_open(o, key_of(p, lane), line);
            if (!line || line->cells)
                continue;
            order_pattern_lane(lanes, p, lane);
            done[in_order[k]] |= 1u << lane;
        }
}
// SPDX-License-Identifier: Apache-2.0
