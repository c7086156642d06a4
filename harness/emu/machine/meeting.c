/* How the threads of a warp meet at an instruction that is carried out for all of them together. */
#include "harness/emu/machine/meeting.h"

#include <stdlib.h>

#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"

struct emu_offer *emu_warp_offer(struct emu_thread *t)
{
    if (!t->offer)
        t->offer = calloc(1, sizeof *t->offer);
    t->cta->extras = true;
    if (!t->offer)
        emu_starve(t, "a warp operation");
    return t->offer;
}

/* A member that others need not wait for: it has exited, or there is none. */
static bool is_gone(const struct emu_cta *cta, const struct emu_thread *o)
{
    return o->index >= cta->thread_count || o->state == EMU_EXITED;
}

bool emu_warp_same(const struct emu_op *a, const struct emu_op *b)
{
    return a == b || (a->meets && a->meets == b->meets);
}

static bool waits(const struct emu_thread *o)
{
    return o->wait == EMU_WAIT_WARP && o->state == EMU_BLOCKED && o->offer;
}

static bool waits_at(const struct emu_thread *o, const struct emu_op *op)
{
    return waits(o) && o->offer->op == op;
}

/* The lane has come to what op does: at op with whatever mask, since another one is to be told; elsewhere with this. */
static bool has_come(const struct emu_thread *o, const struct emu_op *op, uint32_t mask)
{
    return waits(o) && (o->offer->op == op || (o->offer->mask == mask && emu_warp_same(o->offer->op, op)));
}

/* Lanes that wait at the operation for members of a meeting that lacks them: these may come again, with the lanes'
 * mask, or never do. */
static void note_past(struct emu_thread *warp, const struct emu_op *op, uint32_t mask)
{
    for (uint32_t i = 0; i < EMU_WARP && mask != UINT32_MAX; i++)
        if (!(mask >> i & 1) && i + warp->index < warp->cta->thread_count && waits_at(&warp[i], op))
            warp[i].offer->past |= mask & warp[i].offer->mask;
}

/* The first lane of the set; it is not empty. */
static uint32_t first_of(uint32_t set)
{
    return (uint32_t)__builtin_ctz(set);
}

/* A member has another mask; or one that has exited had another one when it came, and did not come again. */
static void compare_masks(struct emu_thread *t, const struct emu_meeting *m, uint32_t mask)
{
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        const struct emu_offer *offer = m->lane[i] ? m->lane[i]->offer : NULL;
        if (!offer)
            continue;
        if (offer->mask != mask) {
            emu_complain(t, &rule_warp_same_mask, NULL, 0, 0, "lane %u names the members 0x%08x, lane %u 0x%08x",
                         t->lane, mask, i, offer->mask);
            return;
        }
        if (offer->past & ~m->mask) {
            emu_complain(t, &rule_warp_same_mask, NULL, 0, 0,
                         "lane %u names the members 0x%08x, and lane %u, one of them, came with another mask alone", i,
                         mask, first_of(offer->past & ~m->mask));
            return;
        }
    }
}

bool emu_warp_meet(struct emu_thread *t, const struct emu_op *op, uint32_t mask, uint64_t value, uint64_t extra,
                   struct emu_meeting *m)
{
    struct emu_thread *warp = &t->cta->threads[t->index - t->lane];
    struct emu_offer *mine = emu_warp_offer(t);

    if (!(mask >> t->lane & 1))
        emu_bad_access(t, &rule_warp_member, mask, 0, "the member mask 0x%08x lacks the lane that executes it, %u",
                       mask, t->lane);
    *mine = (struct emu_offer){ .op = op,
                                .mask = mask,
                                .past = mine->op == op && mine->mask == mask ? mine->past : 0,
                                .value = value,
                                .extra = extra };
    for (uint32_t k = 1; k < EMU_WARP; k++) { /* the next lane is mostly the next to come */
        const uint32_t i = (t->lane + k) % EMU_WARP;
        if (mask >> i & 1 && !has_come(&warp[i], op, mask) && !is_gone(t->cta, &warp[i])) {
            emu_block(t, EMU_WAIT_WARP, mask, 0);
            return false;
        }
    }
    *m = (struct emu_meeting){ .mask = mask };
    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (mask >> i & 1) {
            m->lane[i] = is_gone(t->cta, &warp[i]) ? NULL : &warp[i];
            m->mask &= is_gone(t->cta, &warp[i]) ? ~(1u << i) : UINT32_MAX;
        }
    compare_masks(t, m, mask);
    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (m->lane[i])
            m->lane[i]->offer->past = 0;
    note_past(warp, op, mask);
    return true;
}

/* The thread that runs has gone beyond the instruction already. */
void emu_warp_release(struct emu_thread *t, const struct emu_meeting *m)
{
    for (uint32_t i = 0; i < EMU_WARP; i++) {
        struct emu_thread *o = m->lane[i];
        if (!o || o == t)
            continue;
        o->pc++;
        o->state = EMU_READY;
        o->wait = EMU_WAIT_NONE;
        o->hashed = false;
    }
    if (t->pc[-1].together != EMU_MEETING || m->mask != UINT32_MAX || t->cta->cluster->turns || emu_run_of(t)->meets)
        return;
    t->state = EMU_BLOCKED;
    t->wait = EMU_WAIT_TURN;
}
// SPDX-License-Identifier: Apache-2.0
