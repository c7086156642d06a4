/* Up to where the lanes of a window go on, and which of them are watched there: around.h. */
#include "harness/emu/machine/lanes.h"
#include "harness/emu/schedule/around.h"
#include "harness/emu/schedule/window_state.h"

void window_keep(struct window *w)
{
    if (w->from && !emu_tried_keep(w->tried, w->lanes, w->all))
        w->failed = true;
}

void window_look_at_acts(struct window *w, struct emu_thread *t)
{
    if (!(w->acts >> t->lane & 1))
        return;
    window_keep(w);
    emu_around_acted(t);
    w->acts &= ~(1u << t->lane);
}

void window_plan(struct window *w, uint32_t lane)
{
    struct emu_thread *t = &w->lanes[lane];
    struct plan *p = &w->plan;
    const uint64_t rested = t->around ? t->around->rested : 0, end = w->began[lane] + w->length;

    if (t->steps >= end) {
        w->running &= ~(1u << lane);
        return;
    }
    window_look_at_acts(w, t);
    if (p->steps != t->steps || p->quiet_since != t->quiet_since || p->rested != rested || !p->limit) {
        const uint64_t until = emu_around_until(t);
        *p = (struct plan){ t->steps, t->quiet_since, rested, .watched = until > t->steps };
        p->limit = p->watched ? until : emu_around_from(t);
    }
    w->limit[lane] = p->limit < end ? p->limit : end;
    w->watched = (w->watched & ~(1u << lane)) | (uint32_t)p->watched << lane;
    if (p->watched && !emu_around_ready(t))
        w->running &= ~(1u << lane);
}

void window_watch(struct window *w, uint32_t group)
{
    struct emu_thread *t = w->lanes;

    for (uint32_t bit = 1; group; t++, bit <<= 1) {
        if (group & bit && !t->around && !emu_around_ready(t))
            w->running &= ~bit;
        group &= ~bit;
    }
}

void window_plan_alike(struct window *w, uint32_t group, bool begin)
{
    const uint32_t first = (uint32_t)__builtin_ctz(group), acts = w->acts & group;
    const struct emu_thread *t = &w->lanes[first];
    uint64_t rest;

    if (acts && acts != group)
        w->alike = false;
    if (!w->alike || group != w->running) {
        w->alike = false;
        for (uint32_t lane, left = group; window_next(&left, &lane);)
            if (w->lanes[lane].steps == w->limit[lane])
                window_plan(w, lane);
        return;
    }
    if (acts)
        window_keep(w);
    for (uint32_t lane, left = acts; window_next(&left, &lane);)
        emu_around_acted(&w->lanes[lane]);
    w->acts &= ~group;
    window_plan(w, first);
    if (!(w->running >> first & 1)) {
        w->running = 0;
        return;
    }
    rest = w->limit[first] - t->steps;
    if (begin && group == WINDOW_ALL)
        EMU_EACH_LANE
        {
            w->limit[lane] = w->began[lane] + rest;
        }
    for (uint32_t lane, left = begin && group == WINDOW_ALL ? 0 : group; window_next(&left, &lane);)
        w->limit[lane] = w->lanes[lane].steps + rest;
    w->watched = w->watched >> first & 1 ? w->watched | group : w->watched & ~group;
    window_watch(w, group & w->watched);
}

void window_plan_all(struct window *w)
{
    uint64_t steps = UINT64_MAX, quiet_since = 0, rested = 0, limit = 0;
    bool watched = false;

    for (uint32_t lane, left = w->all; window_next(&left, &lane);) {
        struct emu_thread *t = &w->lanes[lane];
        const struct emu_around *a = t->around;
        const uint64_t rests = a ? a->rested : 0;
        w->began[lane] = t->steps;
        if (t->steps == steps && t->quiet_since == quiet_since && rests == rested && (a || !watched)) {
            w->limit[lane] = limit;
            w->watched |= (uint32_t)watched << lane;
            continue;
        }
        window_plan(w, lane);
        steps = w->running >> lane & 1 ? t->steps : UINT64_MAX;
        quiet_since = t->quiet_since;
        rested = rests;
        limit = w->limit[lane];
        watched = w->watched >> lane & 1;
    }
}
// SPDX-License-Identifier: Apache-2.0
