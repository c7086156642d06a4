/* mbarriers: what they order. machine/watch.h has the events. */
#ifndef COPYCHECK_EMU_JUDGE_BARS_H
#define COPYCHECK_EMU_JUDGE_BARS_H

#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/judge/state.h"
#include "harness/emu/machine/watch.h"

void order_mbarrier_init(struct emu_thread *t, const struct emu_mbarrier *m);
void order_mbarrier_arrive(struct emu_thread *t, const struct emu_mbarrier *m, struct emu_strength how);
void order_mbarrier_expect(struct emu_thread *t, const struct emu_mbarrier *m);
void order_mbarrier_count(struct emu_thread *t, const struct emu_mbarrier *m, enum emu_mbarrier_count what,
                          uint64_t amount);
void order_mbarrier_phase(struct emu_thread *t, const struct emu_mbarrier *m);
void order_mbarrier_wait(struct emu_thread *t, const struct emu_mbarrier *m, bool done, struct emu_strength how);

/* What the checker knows of the object at this place, made if it is not there; NULL: out of memory. Mostly it is the
 * one that was asked for last. */
struct order_bar *order_bar_of_key(struct order *o, uint64_t key);
static inline struct order_bar *order_bar_of(struct order *o, const struct emu_cta *cta, uint64_t offset)
{
    const uint64_t key = order_shared_key(cta, offset);

    return o->bar_last < o->bar_count && o->bars[o->bar_last].key == key ? &o->bars[o->bar_last]
                                                                         : order_bar_of_key(o, key);
}
/* The object is used: its init must be known to the thread. */
void order_check_init(struct order *o, struct emu_thread *t, const struct order_bar *b, uint64_t offset);

#endif
// SPDX-License-Identifier: Apache-2.0
