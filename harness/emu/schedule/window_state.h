/* What window.c and window_end.c know of a window. */
#ifndef COPYCHECK_EMU_SCHEDULE_WINDOW_STATE_H
#define COPYCHECK_EMU_SCHEDULE_WINDOW_STATE_H

#include "harness/emu/machine/reach.h"
#include "harness/emu/schedule/tried.h"

/* What a thread does next follows from the first three. */
struct plan {
    uint64_t steps, quiet_since, rested;
    uint64_t limit; /* 0: not known */
    bool watched;
};

struct window {
    struct emu_thread *lanes;
    uint32_t first; /* lanes before this one have had their turns */
    uint64_t *r;    /* the slots of their function */
    const struct emu_op *code, *end_of_code;
    uint64_t end[EMU_WARP];    /* of each lane, its steps at the end of its turn; */
    uint64_t limit[EMU_WARP];  /* and up to which it is watched now, or is not */
    uint32_t running, watched; /* lanes that go on; that are watched: around.h */
    struct plan plan;          /* the last */
    struct emu_reach back;     /* of the jumps back of a group: to the first op, from the last one; NULL: none */
    uint32_t set;              /* that `on` is of */
    uint64_t on[EMU_WARP];
    uint32_t all;              /* lanes that began */
    struct emu_block *block;   /* of `r` */
    struct emu_tried *tried;   /* NULL: memory is not accessed here */
    const struct emu_op *from; /* where that began; NULL: not yet */
    bool failed;               /* it is to be put back */
    bool probed;               /* a lane that is not in the window has a turn of which somebody asks */
    uint32_t came;             /* lanes whose turns have ended here, at a barrier */
    uint32_t acts;             /* lanes that have had an effect since it was last looked whether they had any */
};

/* Takes the first lane out of a set; false: it is empty. */
static inline bool window_next(uint32_t *set, uint32_t *lane)
{
    if (!*set)
        return false;
    *lane = (uint32_t)__builtin_ctz(*set);
    *set &= *set - 1;
    return true;
}

/* Those of a set of lanes that wait at a barrier which is complete, and may go on together. */
uint32_t window_passing(const struct window *w, const struct emu_op *op, uint32_t on);
/* Lanes of the window, `on`, are at a barrier. Where the whole warp is, all except the last to come do so (w->came),
 * and none runs on. False: they are to come one by one. */
bool window_comes(struct window *w, const struct emu_op *op, uint32_t on);
/* What lanes have accessed stays so, or all is put back. */
void window_end_trial(struct window *w);
/* The turns of these lanes of a warp have ended in a window, at a barrier. None of them is one that is probed. */
void window_end_turns(struct emu_thread *lanes, uint32_t set, struct emu_run *run);

#endif
