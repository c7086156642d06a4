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

static bool waits_at(const struct emu_thread *o, const struct emu_op *op)
{
    return o->wait == EMU_WAIT_WARP && o->state == EMU_BLOCKED && o->offer && o->offer->op == op;
}

bool emu_warp_meet(struct emu_thread *t, const struct emu_op *op, uint32_t mask, uint64_t value, uint64_t extra,
                   struct emu_meeting *m)
{
    struct emu_thread *warp = &t->cta->threads[t->index - t->lane];
    struct emu_offer *mine = emu_warp_offer(t);

    if (!(mask >> t->lane & 1))
        emu_bad_access(t, &rule_warp_member, mask, 0, "the member mask 0x%08x lacks the lane that executes it, %u",
                       mask, t->lane);
    *mine = (struct emu_offer){ .op = op, .mask = mask, .value = value, .extra = extra };
    for (uint32_t k = 1; k < EMU_WARP; k++) { /* the next lane is mostly the next to come */
        const uint32_t i = (t->lane + k) % EMU_WARP;
        if (mask >> i & 1 && !waits_at(&warp[i], op) && !is_gone(t->cta, &warp[i])) {
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
    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (m->lane[i] && m->lane[i]->offer->mask != mask) {
            emu_complain(t, &rule_warp_same_mask, NULL, 0, 0, "lane %u names the members 0x%08x, lane %u 0x%08x",
                         t->lane, mask, i, m->lane[i]->offer->mask);
            break;
        }
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
