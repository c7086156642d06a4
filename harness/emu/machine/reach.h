/* Which registers a thread may have changed since a moment: those that the instructions name which it may have executed
 * since. So that registers of a loop can be compared again and again where a function has many. */
#ifndef COPYCHECK_EMU_MACHINE_REACH_H
#define COPYCHECK_EMU_MACHINE_REACH_H

#include "harness/emu/machine/state.h"

/* That moment is now. */
static inline void emu_reach_begin(const struct emu_thread *t, struct emu_reach *since)
{
    since->low = since->high = t->pc > t->code ? t->pc - 1 : t->pc; /* that op may not be over */
}

/* The thread has jumped back: to an op of its function, from one. */
static inline void emu_reach_back(struct emu_thread *t, const struct emu_op *to, const struct emu_op *from)
{
    struct emu_reach *const all[] = { &t->since_poll, &t->since_kept };

    for (int i = 0; i < 2; i++) {
        all[i]->low = to < all[i]->low ? to : all[i]->low;
        all[i]->high = from > all[i]->high ? from : all[i]->high;
    }
}

/* It has entered or left a function: all its registers are others. */
static inline void emu_reach_elsewhere(struct emu_thread *t)
{
    t->since_poll.low = t->since_kept.low = NULL;
}

/* Whether the registers of the thread's function are not those that were kept at that moment. last: of a slot that
 * differed, or EMU_NO; asked first. Then: they are kept now, and the moment is now. */
bool emu_registers_changed(const struct emu_thread *t, const struct emu_reach *since, const uint64_t *kept,
                           uint32_t *last);
void emu_registers_keep(const struct emu_thread *t, struct emu_reach *since, uint64_t *kept);

/* The same of lanes of a warp that are in one function: where all registers are kept, they are kept of all the lanes
 * together, when emu_registers_kept is called, and until then no lane changes any. Slots of a warp lie together, so
 * that this goes through memory once and not for each lane. All zeros: none yet. */
struct emu_keeping {
    uint32_t count, slots;
    const uint64_t *r[EMU_WARP];
    uint64_t *kept[EMU_WARP];
};
void emu_registers_keep_later(const struct emu_thread *t, struct emu_reach *since, uint64_t *kept,
                              struct emu_keeping *later);
void emu_registers_kept(const struct emu_keeping *later);

#endif
// SPDX-License-Identifier: Apache-2.0
