/* Clocks of the light judge, for those files that keep some: light_clock.c, light_marks.c. */
#ifndef COPYCHECK_EMU_JUDGE_LIGHT_CLOCK_H
#define COPYCHECK_EMU_JUDGE_LIGHT_CLOCK_H

#include "harness/emu/judge/light_shared.h"
#include "harness/emu/judge/light_state.h"

/* Never changed where there are several references. */
struct light_clock {
    uint32_t refs;
    uint32_t found;                      /* when `least` was found: it holds for earlier times; 0: it was not */
    uint32_t least, next, least_of, set; /* of which warps: as a record has them */
    /* By thread: its accesses up to this time, 0: none; by barrier: how many of its uses are over; by mbarrier at which
     * copies arrive: what came so up to this time. */
    uint32_t of[];
};

static inline uint32_t light_threads(const struct light *l)
{
    return l->cluster->ctas[0].thread_count;
}

static inline void light_clock_drop(struct light_clock **c)
{
    *c = light_unshare(*c);
}

/* One that may be changed, of what is there. NULL: memory is short, and it doubts. */
struct light_clock *light_clock_change(struct light *l, struct light_clock **c);
/* What the other one knows is known too; NULL knows nothing. */
void light_clock_join(struct light *l, struct light_clock **to, struct light_clock *from);
/* All that a thread knows and has done is known too. The threads have clocks. */
void light_clock_release(struct light *l, struct light_clock **to, const struct emu_thread *t);

#endif
// SPDX-License-Identifier: Apache-2.0
