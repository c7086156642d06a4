/* cp.async as the light judge sees it. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/copies/flight.h"
#include "harness/emu/judge/light_state.h"
#include "harness/emu/machine/spare.h"

static size_t copies_bytes(const struct light *l)
{
    return l->cluster->ctas[0].thread_count * sizeof *l->copies;
}

/* One of cp.async, which brings bytes to the shared memory of its own CTA. */
static bool is_known(const struct emu_thread *t, const struct emu_flight *f)
{
    return f->kind == EMU_COPY && f->group == EMU_CP_ASYNC_GROUP && !f->from_cta && f->to_cta == t->cta &&
           !f->multicast && !f->bar_cta && !(f->to % LIGHT_CELL) && !(f->size % LIGHT_CELL);
}

static bool keep_copy(struct light *l, uint32_t thread, const struct emu_flight *f)
{
    struct light_copies *c;
    struct light_copy *of;

    if (!l->copies)
        l->copies = emu_spare_zeros(l->grid->spare, copies_bytes(l));
    if (!l->copies)
        return false;
    c = &l->copies[thread];
    if (c->first == c->end)
        c->first = c->end = 0;
    of = ck_room(c->of, c->end, &c->room, 16, sizeof *of);
    if (!of)
        return false;
    c->of = of;
    c->issued++;
    of[c->end++] = (struct light_copy){ .group = f->group_number, .to = (uint32_t)f->to, .size = (uint32_t)f->size };
    return true;
}

void light_copy(struct light *l, const struct emu_thread *t, const struct emu_flight *f)
{
    if (!is_known(t, f)) {
        light_doubt(l);
        return;
    }
    light_note(l, t);
    light_early(l, t->warp, 1u << t->lane, f->from, f->copied, false);
    light_touch(l, (struct light_access){ .nc = true }, f->from, f->copied, t->index, false);
    light_touch(l, (struct light_access){ .shared = true, .writes = true }, f->to, f->size, t->index, false);
    light_written(l, f->to, f->size, LIGHT_FLYING);
    if (!keep_copy(l, t->index, f))
        light_doubt(l);
}

void light_copies_wait(struct light *l, struct emu_thread *t, uint64_t pending)
{
    struct light_copies *c = l->copies ? &l->copies[t->index] : NULL;
    const uint64_t open = emu_groups_open(t, EMU_CP_ASYNC_GROUP), done = pending < open ? open - pending : 0;

    for (; c && c->first < c->end && c->of[c->first].group < done; c->first++) {
        const struct light_copy *one = &c->of[c->first];
        light_note(l, t);
        light_written(l, one->to, one->size, l->now << LIGHT_TIME_SHIFT | LIGHT_WEAK | t->index);
    }
}

void light_copies_arrive(const struct light *l, const struct emu_thread *t, struct emu_flight *f,
                         struct light_arrivals *a)
{
    f->order = l->copies ? l->copies[t->index].issued : 0;
    a->expected += ptx_has(l->module, f->at, PTX_noinc);
}

/* Its thread's copies that were issued before it have landed. */
void light_copies_arrived(struct light *l, const struct emu_thread *t, const struct emu_flight *f,
                          struct light_arrivals *a)
{
    struct light_copies *c = l->copies ? &l->copies[t->index] : NULL;

    a->expected -= ptx_has(l->module, f->at, PTX_noinc);
    for (; c && c->end - c->first > c->issued - f->order; c->first++) {
        struct light_copy *of = ck_room(a->of, a->count, &a->room, 16, sizeof *of);
        if (!of) {
            light_doubt(l);
            return;
        }
        a->of = of;
        of[a->count++] = c->of[c->first];
    }
}

void light_arrivals_seen(struct light *l, struct light_arrivals *a, uint32_t record)
{
    for (size_t i = 0; i < a->over; i++)
        light_written(l, a->of[i].to, a->of[i].size, record);
    a->count -= a->over;
    memmove(a->of, a->of + a->over, a->count * sizeof *a->of);
    a->over = 0;
}

bool light_copies_over(const struct light *l)
{
    for (uint32_t i = 0; l->copies && i < l->cluster->ctas[0].thread_count; i++)
        if (l->copies[i].first < l->copies[i].end)
            return false;
    return true;
}

void light_copies_free(struct light *l)
{
    for (uint32_t i = 0; l->copies && i < l->cluster->ctas[0].thread_count; i++)
        free(l->copies[i].of);
    if (l->copies)
        emu_spare_give(l->grid->spare, l->copies, copies_bytes(l));
}
// SPDX-License-Identifier: Apache-2.0
