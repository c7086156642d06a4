/* What threads of a CTA tell one another by fences and atomics of shared memory. The light judge asks that only where
 * the program ends mbarriers: libcu++'s pipelines do so in the last thread that leaves, which a count in shared memory
 * tells. A lane leaves for its warp, and what lanes that have converged did, a fence makes known to it. */
#include "harness/emu/judge/light_clock.h"

/* Places of shared memory; what there is beyond orders nothing. */
enum { MARKS = 8 };

struct light_marks {
    struct mark {
        uint64_t at, size;      /* size 0: none */
        struct light_clock *of; /* what has been released there */
    } of[MARKS];
    uint32_t converged[EMU_WARP]; /* by warp: when its threads last did, all of them; 0: never */
    struct light_clock *fenced[]; /* by thread: what it made known by its last fence */
};

/* NULL: nobody asks, or memory is short. */
static struct light_marks *marks_of(struct light *l)
{
    if (!l->marks && l->ends && l->clocks)
        l->marks = calloc(1, sizeof *l->marks + light_threads(l) * sizeof *l->marks->fenced);
    return l->marks;
}

void light_marks_converge(struct light *l, uint32_t warp)
{
    struct light_marks *m = marks_of(l);

    if (!m)
        return;
    m->converged[warp] = l->now;
    l->released[warp] = UINT32_MAX;
}

/* What its warp has done before it converged, the thread knows from its fence on. */
static void learn_of_warp(struct light *l, const struct light_marks *m, const struct emu_thread *t)
{
    const uint32_t when = m->converged[t->warp], first = t->warp * EMU_WARP;
    struct light_clock *c = when ? light_clock_change(l, &l->clocks[t->index]) : NULL;

    for (uint32_t i = first; c && i < light_threads(l) && i < first + EMU_WARP; i++)
        c->of[i] = c->of[i] < when ? when : c->of[i];
}

void light_marks_fence(struct light *l, const struct emu_thread *t, const struct ptx_instruction *i)
{
    const bool both = i->op == OP_membar || ptx_has(l->module, i, PTX_sc) || ptx_has(l->module, i, PTX_acq_rel);
    struct light_marks *m = both ? marks_of(l) : NULL;

    if (!m)
        return;
    learn_of_warp(l, m, t);
    light_clock_drop(&m->fenced[t->index]);
    light_clock_release(l, &m->fenced[t->index], t);
}

void light_marks_write(struct light *l, uint64_t at, uint64_t n)
{
    for (int i = 0; i < MARKS; i++) {
        struct mark *k = &l->marks->of[i];
        if (k->at >= at + n || at >= k->at + k->size)
            continue;
        light_clock_drop(&k->of);
        k->size = 0;
    }
}

/* The place of just these bytes; NULL: there is none, and no room for one. Others that lie there are forgotten. */
static struct mark *mark_at(struct light *l, uint64_t at, uint64_t n)
{
    struct mark *all = l->marks->of, *free = NULL;

    for (int i = 0; i < MARKS; i++)
        if (all[i].size == n && all[i].at == at)
            return &all[i];
    light_marks_write(l, at, n);
    for (int i = 0; i < MARKS; i++)
        free = all[i].size ? free : &all[i];
    if (free)
        *free = (struct mark){ .at = at, .size = n };
    return free;
}

void light_marks_access(struct light *l, const struct emu_thread *t, const struct light_known *k, uint64_t at,
                        uint64_t n, enum emu_access access)
{
    const bool atomic = access == EMU_ATOMIC || access == EMU_ATOMIC_IDLE;
    struct light_marks *m = marks_of(l);
    struct mark *of = m && atomic ? mark_at(l, at, n) : NULL;

    if (m && !atomic && access != EMU_READ)
        light_marks_write(l, at, n);
    if (!of)
        return;
    if (k->acquires)
        light_clock_join(l, &l->clocks[t->index], of->of);
    if (access == EMU_ATOMIC_IDLE)
        return;
    light_clock_join(l, &of->of, m->fenced[t->index]);
    if (k->releases)
        light_clock_release(l, &of->of, t);
}

void light_marks_forget(struct light *l)
{
    struct light_marks *m = l->marks;

    for (uint32_t i = 0; m && i < light_threads(l); i++)
        light_clock_drop(&m->fenced[i]);
    for (int i = 0; m && i < MARKS; i++)
        light_clock_drop(&m->of[i].of);
    if (m)
        memset(m->converged, 0, sizeof m->converged);
}

void light_marks_free(struct light *l)
{
    light_marks_forget(l);
    free(l->marks);
}
// SPDX-License-Identifier: Apache-2.0
