/* Which patterns of a window go together.
 *
 * Two of which one writes do where no lane accesses what another one writes. For a watcher, the lanes' accesses of each
 * cell come in the order of turns too, lane by lane: patterns are sorted so that they do. Those that only read may
 * share cells then: where all lanes read the words of a row one after the other, as in a stencil, a word's first reader
 * is the lane that finds it furthest behind its own. */
#include "harness/emu/schedule/tried_pairs.h"

#include <string.h>

#include "harness/emu/machine/state.h"

#define ALL UINT32_MAX

/* Whether each lane has lines of its own. */
static bool is_apart(const struct emu_pattern *p)
{
    return p->stride && p->stride % EMU_LINE == 0;
}

/* Lanes i of one pattern and i + k of another one with its stride access the same bytes, or bytes of one cell. */
enum meet { MEET_NOWHERE, MEET_LATER /* all k > 0 */, MEET_EARLIER /* all k < 0 */, MEET_MIXED };

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* near: bytes that are so far apart, or further, are not in one cell. */
static enum meet meet(const struct emu_pattern *a, const struct emu_pattern *b, int64_t near)
{
    const bool down = a->stride < 0;
    const int64_t stride = down ? -a->stride : a->stride;
    const int64_t apart = (int64_t)(down ? b->address - a->address : a->address - b->address);
    const int64_t over = (down ? a->size : b->size) + near, under = (down ? b->size : a->size) + near;
    int64_t first, last;

    if (!stride)
        return apart > -under && apart < over ? MEET_MIXED : MEET_NOWHERE;
    first = floor_of(apart - over, stride) + 1; /* apart - over < stride * k < apart + under */
    last = -floor_of(-(apart + under), stride) - 1;
    if (first > last || first >= EMU_WARP || last <= -EMU_WARP)
        return MEET_NOWHERE;
    return first > 0 ? MEET_LATER : last < 0 ? MEET_EARLIER : MEET_MIXED;
}

bool emu_patterns_go_together(const struct emu_pattern *a, const struct emu_pattern *b, bool watched)
{
    const bool writes = a->writes || b->writes, both = (a->reads && a->writes) || (b->reads && b->writes);
    const uint64_t cell = watched ? EMU_CELL - 1 : 0, line = watched ? EMU_LINE - 1 : 0;
    enum meet how;

    if (a->cta != b->cta || ((a->end + line) & ~line) <= (b->low & ~line) ||
        ((b->end + line) & ~line) <= (a->low & ~line) || (!watched && !writes) ||
        (emu_patterns_alike(a, b) && (a->stride || !writes)))
        return true;
    if (watched && both)
        return false;
    if (emu_patterns_in_stretches(a, b, watched) || ((a->end + cell) & ~cell) <= (b->low & ~cell) ||
        ((b->end + cell) & ~cell) <= (a->low & ~cell))
        return true;
    if (a->stride != b->stride)
        return false;
    how = meet(a, b, watched && (a->size % EMU_CELL || b->size % EMU_CELL) ? EMU_CELL - 1 : 0);
    return how == MEET_NOWHERE || (how != MEET_MIXED && !writes && !is_apart(a));
}

/* ---- in the order of turns ----------------------------------------------------------------------------------------
 */

/* Whether a watcher is told of one before another. Lanes that have lines of their own access them in the order of the
 * program; of others, those lanes come first that meet later ones. */
static bool is_before(const struct emu_pattern *a, const struct emu_pattern *b)
{
    const bool apart = is_apart(a);

    if (apart != is_apart(b))
        return apart;
    if (apart)
        return a->born < b->born;
    if (a->stride != b->stride)
        return a->stride < b->stride;
    if (a->address != b->address)
        return (a->address > b->address) == (a->stride > 0);
    return __builtin_ctz(a->lanes) < __builtin_ctz(b->lanes);
}

/* Whether lanes of one lie between those of the other. */
static bool interleave(const struct emu_pattern *a, const struct emu_pattern *b)
{
    return __builtin_ctz(a->lanes) < 32 - __builtin_clz(b->lanes) &&
           __builtin_ctz(b->lanes) < 32 - __builtin_clz(a->lanes);
}

/* Whether one comes behind another with nothing between, as turns would have it. */
static bool follows(const struct emu_pattern *a, const struct emu_pattern *before)
{
    return !emu_patterns_alike(a, before) || !interleave(a, before);
}

const struct emu_pattern *emu_patterns_sorted(const struct emu_pattern *of, uint32_t n, struct emu_pattern *sorted)
{
    uint16_t order[EMU_PATTERNS];
    uint32_t i, k;

    for (i = 1; i < n && !is_before(&of[i], &of[i - 1]) && follows(&of[i], &of[i - 1]); i++)
        continue;
    if (i >= n)
        return of;
    for (i = 0; i < n; i++) {
        uint32_t low = 0, high = i; /* it comes behind those before `low`, and before those from `high` on */
        while (low < high) {
            k = (low + high) / 2;
            if (is_before(&of[i], &of[order[k]]))
                high = k;
            else
                low = k + 1;
        }
        memmove(&order[low + 1], &order[low], (i - low) * sizeof *order);
        order[low] = (uint16_t)i;
    }
    for (i = 0; i < n; i++) {
        sorted[i] = of[order[i]];
        if (i && !follows(&sorted[i], &sorted[i - 1]))
            return NULL;
    }
    return sorted;
}
// SPDX-License-Identifier: Apache-2.0
