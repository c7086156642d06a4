/* What threads of a CTA know of one another for the light judge, beside what all of them know since the last barrier:
 * by barriers of some of them, and by mbarriers.
 *
 * A thread's clock says of each thread up to when all of its accesses are known. It says nothing of the thread itself,
 * and nothing of its warp, of which the judge knows when it met. Time goes on where a thread accesses memory that has
 * released something at the same time; so what threads release one after the other has one time.
 *
 * What several threads have accessed, a record says of the latest of them. It is known to who knows that much of each
 * thread of their warps that has accessed anything since the last barrier. */
#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/judge/light_clock.h"
#include "harness/emu/judge/light_records.h"

/* An mbarrier. */
struct light_bar {
    struct light_bar *after;
    struct emu_mbarrier *of;
    uint32_t init;                          /* as a record has it */
    bool observed;                          /* a wait has come true since the last phase, or there was none */
    uint32_t phases;                        /* that are over */
    struct light_clock *pending, *complete; /* what arrivals of this phase, and of phases that are over, release */
    struct light_clock *merged;             /* the last one that came into `pending` */
    struct light_clock *from, *to;          /* what a wait has made of a clock: the last time */
    struct light_arrivals copies;
    uint32_t seen[]; /* by thread: how many phases it has seen the end of */
};

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

static uint32_t entries(const struct light *l)
{
    return light_threads(l) + EMU_BARRIERS + LIGHT_BARS_MOST;
}

/* The entry of an mbarrier at which copies arrive, by its number. */
static uint32_t entry_of(const struct light *l, uint32_t number)
{
    return light_threads(l) + EMU_BARRIERS + number;
}

static void set(struct light_clock **to, struct light_clock *c)
{
    light_share(c);
    light_clock_drop(to);
    *to = c;
}

struct light_clock *light_clock_change(struct light *l, struct light_clock **c)
{
    *c = light_own(*c, sizeof **c + entries(l) * sizeof *(*c)->of);
    if (*c)
        (*c)->found = 0;
    else
        light_doubt(l);
    return *c;
}

static bool is_within(const struct light *l, const struct light_clock *a, const struct light_clock *b)
{
    uint32_t more = 0;

    for (uint32_t i = 0, n = entries(l); i < n; i++)
        more |= a->of[i] > b->of[i];
    return !more;
}

void light_clock_join(struct light *l, struct light_clock **to, struct light_clock *from)
{
    struct light_clock *c;

    if (!from || *to == from)
        return;
    if (!*to || is_within(l, *to, from)) {
        set(to, from);
        return;
    }
    c = light_clock_change(l, to);
    for (uint32_t i = 0, n = entries(l); c && i < n; i++)
        c->of[i] = c->of[i] > from->of[i] ? c->of[i] : from->of[i];
}

/* Who knows what: the threads' clocks, none yet. */
static bool has_clocks(struct light *l)
{
    if (!l->clocks)
        l->clocks = calloc(light_threads(l), sizeof *l->clocks);
    if (!l->clocks)
        light_doubt(l);
    return l->clocks != NULL;
}

/* All that a thread has done, and all that its warp had when it last met. */
static void raise_own(struct light *l, struct light_clock *c, const struct emu_thread *t)
{
    const uint32_t met = l->met[t->warp] >> LIGHT_TIME_SHIFT, first = t->warp * EMU_WARP;

    if (l->used[t->warp] >> t->lane & 1) /* behind what it has released at this time */
        light_tick(l);
    c->of[t->index] = l->now;
    l->released[t->warp] |= 1u << t->lane;
    for (uint32_t i = first; l->met[t->warp] > l->barrier && i < light_threads(l) && i < first + EMU_WARP; i++)
        c->of[i] = c->of[i] < met ? met - 1 : c->of[i];
}

void light_clock_release(struct light *l, struct light_clock **to, const struct emu_thread *t)
{
    struct light_clock *c;

    light_clock_join(l, to, l->clocks[t->index]);
    c = light_clock_change(l, to);
    if (c)
        raise_own(l, c, t);
}

void light_tick(struct light *l)
{
    if (l->now + 2 >= LIGHT_TIME_MOST) {
        light_doubt(l);
        return;
    }
    l->now++;
    memset(l->released, 0, sizeof l->released);
    memset(l->used, 0, sizeof l->used);
}

/* ---- what is known ----------------------------------------------------------------------------------------------- */

static bool has_touched(const struct light *l, uint32_t thread)
{
    return l->touched[thread / EMU_WARP] >> thread % EMU_WARP & 1;
}

/* The least that it knows of threads of these warps that have accessed anything, and of the others of them. */
static void find_least(const struct light *l, struct light_clock *c, uint32_t set)
{
    const uint32_t warps = light_set_warps(l, set);

    c->found = l->now;
    c->set = set;
    c->least = c->next = UINT32_MAX;
    c->least_of = PTX_NO;
    for (uint32_t i = 0, n = light_threads(l); i < n; i++) {
        if (!(warps >> i / EMU_WARP & 1) || !has_touched(l, i))
            continue;
        if (c->of[i] < c->least) {
            c->next = c->least;
            c->least = c->of[i];
            c->least_of = i;
        } else if (c->of[i] < c->next) {
            c->next = c->of[i];
        }
    }
}

static bool knows_warp(const struct light *l, const struct light_clock *c, uint32_t thread, uint32_t warp,
                       uint32_t time)
{
    for (uint32_t i = warp * EMU_WARP; i < light_threads(l) && i < (warp + 1) * EMU_WARP; i++)
        if (i != thread && has_touched(l, i) && c->of[i] < time)
            return false;
    return true;
}

static bool knows(const struct light *l, uint32_t thread, uint32_t by, uint32_t time)
{
    struct light_clock *c = l->clocks[thread];

    if (by < LIGHT_WARPS)
        return by == thread || (c && c->of[by] >= time);
    if (!c)
        return false;
    if (by < LIGHT_BARS)
        return knows_warp(l, c, thread, by - LIGHT_WARPS, time);
    if (by < LIGHT_SETS)
        return c->of[entry_of(l, by - LIGHT_BARS)] >= time;
    if (time >= c->found || c->set != by)
        find_least(l, c, by);
    return time <= (c->least_of == thread ? c->next : c->least);
}

bool light_knows(const struct light *l, uint32_t record, uint32_t who)
{
    const uint32_t by = record & LIGHT_WHO, time = record >> LIGHT_TIME_SHIFT;

    if (record >= LIGHT_FLYING || who == LIGHT_MANY)
        return false;
    if (who < LIGHT_WARPS)
        return knows(l, who, by, time);
    for (uint32_t i = (who - LIGHT_WARPS) * EMU_WARP; i < light_threads(l) && i < (who - LIGHT_WARPS + 1) * EMU_WARP;
         i++)
        if (!knows(l, i, by, time))
            return false;
    return true;
}

bool light_knows_alike(const struct light *l, uint32_t warp)
{
    const uint32_t first = warp * EMU_WARP;

    for (uint32_t i = first + 1; l->clocks && i < light_threads(l) && i < first + EMU_WARP; i++)
        if (l->clocks[i] != l->clocks[first])
            return false;
    return true;
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

/* The judge asks of some threads of a CTA that come to a barrier again, and are more than a warp, that they know that
 * its last use is over. */
static bool is_used_too_early(const struct light *l, const struct emu_thread *t, uint64_t number)
{
    const struct emu_barrier *b = &t->cta->barriers[number];
    const struct light_clock *c = l->clocks ? l->clocks[t->index] : NULL;

    if (!(l->partly >> number & 1) || b->expected <= EMU_WARP || b->expected >= t->cta->thread_count)
        return false;
    return l->uses[number] < b->generation && (!c || c->of[light_threads(l) + number] < b->generation);
}

void light_bar_arrive(struct light *l, const struct emu_thread *t, uint64_t number)
{
    if (is_used_too_early(l, t, number)) {
        light_doubt(l);
        return;
    }
    if (ptx_has(l->module, t->pc[-1].source, PTX_arrive) && has_clocks(l))
        light_clock_release(l, &l->arrived[number], t);
}

void light_bar_complete(struct light *l, const struct emu_cta *cta, uint64_t number)
{
    struct light_clock *all = NULL, *c;

    if (!has_clocks(l))
        return;
    l->partly |= 1u << number;
    light_clock_join(l, &all, l->arrived[number]);
    light_clock_drop(&l->arrived[number]);
    for (uint32_t i = 0; i < cta->thread_count && !l->doubts; i++)
        if (light_waits_at(&cta->threads[i], number))
            light_clock_join(l, &all, l->clocks[i]);
    c = light_clock_change(l, &all);
    if (c)
        c->of[light_threads(l) + number] = (uint32_t)cta->barriers[number].generation + 1;
    for (uint32_t i = 0; c && i < cta->thread_count; i++)
        if (light_waits_at(&cta->threads[i], number))
            raise_own(l, c, &cta->threads[i]);
    for (uint32_t i = 0; c && i < cta->thread_count; i++)
        if (light_waits_at(&cta->threads[i], number))
            set(&l->clocks[i], c);
    light_clock_drop(&all);
}

void light_clocks_meet(struct light *l, struct emu_thread *const *threads, uint32_t count)
{
    struct light_clock *all = NULL;
    bool differ = false;

    for (uint32_t i = 1; l->clocks && i < count; i++)
        differ |= l->clocks[threads[i]->index] != l->clocks[threads[0]->index];
    for (uint32_t i = 0; differ && i < count; i++)
        light_clock_join(l, &all, l->clocks[threads[i]->index]);
    for (uint32_t i = 0; differ && i < count; i++)
        set(&l->clocks[threads[i]->index], all);
    light_clock_drop(&all);
}

static void forget(struct light_bar *b)
{
    light_clock_drop(&b->pending);
    light_clock_drop(&b->complete);
    light_clock_drop(&b->merged);
    light_clock_drop(&b->from);
    light_clock_drop(&b->to);
}

/* What was released before is known to all. */
void light_clocks_pass(struct light *l, const struct emu_cta *cta, uint64_t number)
{
    for (uint32_t i = 0; l->clocks && i < light_threads(l); i++) {
        const struct light_clock *c = l->clocks[i];
        for (uint32_t k = 0; c && k < EMU_BARRIERS; k++)
            l->uses[k] = c->of[light_threads(l) + k] > l->uses[k] ? c->of[light_threads(l) + k] : l->uses[k];
        light_clock_drop(&l->clocks[i]);
    }
    for (uint32_t i = 0; l->clocks && i < EMU_BARRIERS; i++)
        light_clock_drop(&l->arrived[i]);
    l->uses[number] = (uint32_t)cta->barriers[number].generation + 1;
    for (struct light_bar *b = l->bars; b; b = b->after) {
        b->init = 0;
        forget(b);
        if (l->ends)
            memset(b->seen + light_threads(l), 0, light_threads(l) * sizeof *b->seen);
    }
}

/* ---- mbarriers --------------------------------------------------------------------------------------------------- */

static struct light_bar *bar_of(const struct emu_mbarrier *m)
{
    return m->judged;
}

void light_mbarrier_init(struct light *l, const struct emu_thread *t, struct emu_mbarrier *m, bool broken)
{
    struct light_bar *b;

    if (broken || m->cta != t->cta || m->judged || m->state != EMU_MBARRIER_NONE || !has_clocks(l)) {
        light_doubt(l);
        return;
    }
    b = calloc(1, sizeof *b + 2 * light_threads(l) * sizeof *b->seen);
    if (!b) {
        light_doubt(l);
        return;
    }
    b->of = m;
    b->init = light_stamp(l) | t->index;
    b->observed = true;
    b->after = l->bars;
    l->bars = b;
    m->judged = b;
}

/* An arrival behind copies comes when they have landed; the thread that issued it used the object then. A use behind
 * what the thread has released at this time has the next one. */
void light_mbarrier_use(struct light *l, const struct emu_thread *t, const struct emu_mbarrier *m)
{
    const bool landing = t->landing && t->landing->op == OP_cp_async_mbarrier_arrive;
    const uint32_t again = l->released[t->warp] >> t->lane & 1;
    struct light_bar *b = bar_of(m);

    if (!b || m->state != EMU_MBARRIER_ALIVE || m->cta != t->cta || (t->landing && !landing) ||
        (!landing && !light_is_before(l, b->init, t->index))) {
        light_doubt(l);
        return;
    }
    if (landing)
        return;
    l->used[t->warp] |= again << t->lane;
    b->seen[light_threads(l) + t->index] = l->now + again;
}

/* It comes behind all uses. */
void light_mbarrier_inval(struct light *l, const struct emu_thread *t, const struct emu_mbarrier *m)
{
    const struct light_bar *b = bar_of(m);

    for (uint32_t i = 0; b && i < light_threads(l); i++)
        if (b->seen[light_threads(l) + i] &&
            !light_is_before(l, b->seen[light_threads(l) + i] << LIGHT_TIME_SHIFT | i, t->index))
            light_doubt(l);
    if (!b)
        light_doubt(l);
}

struct light_arrivals *light_arrivals_of(struct light *l, const struct emu_thread *t, uint64_t offset)
{
    const struct emu_mbarrier *m = emu_mbarrier_find(t->cta, offset);
    struct light_bar *b = m ? bar_of(m) : NULL;

    if (!b) {
        light_doubt(l);
        return NULL;
    }
    light_mbarrier_use(l, t, m);
    if (!b->copies.number)
        b->copies.number = ++l->bars_of_copies;
    if (b->copies.number > LIGHT_BARS_MOST)
        light_doubt(l);
    return l->doubts ? NULL : &b->copies;
}

bool light_arrivals_over(const struct light *l)
{
    for (const struct light_bar *b = l->bars; b; b = b->after)
        if (b->copies.count)
            return false;
    return true;
}

struct light_arrivals *light_arrivals_at(const struct emu_mbarrier *m)
{
    struct light_bar *b = bar_of(m);

    return b ? &b->copies : NULL;
}

void light_arrivals_told(struct light *l, const struct emu_mbarrier *m)
{
    struct light_bar *b = bar_of(m);
    struct light_clock *c = light_clock_change(l, &b->complete);

    if (c)
        c->of[entry_of(l, b->copies.number - 1)] = l->now;
}

/* Nobody may arrive before somebody has seen the last phase end. */
void light_mbarrier_arrive(struct light *l, const struct emu_thread *t, const struct emu_mbarrier *m,
                           struct emu_strength how)
{
    const struct ptx_instruction *i = t->pc[-1].source;
    struct light_bar *b = bar_of(m);

    if (!b || how.relaxed || !b->observed || !emu_mbarrier_pending(m) || i->op != OP_mbarrier_arrive ||
        ptx_has(l->module, i, PTX_noComplete)) {
        light_doubt(l);
        return;
    }
    if (b->pending && b->pending->refs == 1 && b->merged == l->clocks[t->index]) {
        b->pending->found = 0;
        raise_own(l, b->pending, t);
        return;
    }
    light_clock_release(l, &b->pending, t);
    set(&b->merged, l->clocks[t->index]);
}

void light_mbarrier_phase(struct light *l, const struct emu_mbarrier *m)
{
    struct light_bar *b = bar_of(m);

    if (!b)
        return;
    light_clock_join(l, &b->complete, b->pending);
    light_clock_drop(&b->pending);
    light_clock_drop(&b->merged);
    light_clock_drop(&b->from);
    light_clock_drop(&b->to);
    b->observed = false;
    b->phases++;
    if (b->copies.expected) /* others have taken the place of an arrival */
        light_doubt(l);
    b->copies.over = b->copies.count;
}

/* A wait for a phase that its thread has seen the end of before is one for nothing. */
void light_mbarrier_wait(struct light *l, const struct emu_thread *t, const struct emu_mbarrier *m,
                         struct emu_strength how)
{
    struct light_bar *b = bar_of(m);
    struct light_clock **own = l->clocks ? &l->clocks[t->index] : NULL;

    if (!b || !own || how.relaxed || (b->phases && b->seen[t->index] == b->phases)) {
        light_doubt(l);
        return;
    }
    b->observed = true;
    b->seen[t->index] = b->phases;
    if (b->to && b->from == *own) {
        set(own, b->to);
        return;
    }
    set(&b->from, *own);
    light_clock_join(l, own, b->complete);
    set(&b->to, *own);
}

void light_clocks_free(struct light *l)
{
    for (uint32_t i = 0; l->clocks && i < light_threads(l); i++)
        light_clock_drop(&l->clocks[i]);
    for (uint32_t i = 0; i < EMU_BARRIERS; i++)
        light_clock_drop(&l->arrived[i]);
    free(l->clocks);
    free(l->sets);
    while (l->bars) {
        struct light_bar *b = l->bars;
        l->bars = b->after;
        forget(b);
        b->of->judged = NULL;
        free(b->copies.of);
        free(b);
    }
}
// SPDX-License-Identifier: Apache-2.0
