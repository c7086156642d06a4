/* What window.c, window_plan.c and window_end.c know of a window. */
#ifndef COPYCHECK_EMU_SCHEDULE_WINDOW_STATE_H
#define COPYCHECK_EMU_SCHEDULE_WINDOW_STATE_H

#include "harness/emu/machine/reach.h"
#include "harness/emu/schedule/tried.h"

/* All lanes of a warp. */
#define WINDOW_ALL UINT32_MAX

/* What a thread does next follows from the first three. */
struct plan {
    uint64_t steps, quiet_since, rested;
    uint64_t limit; /* 0: not known */
    bool watched;
};

struct window {
    struct emu_thread *lanes;
    uint64_t length;           /* of turns */
    uint32_t first;            /* lanes before this one have had their turns */
    uint32_t all;              /* lanes that began */
    uint32_t running, watched; /* of them, those that go on; that are watched: around.h */
    bool alike;                /* those that go on are at one place, and may go on as far */
    bool failed;               /* it is to be put back */
    bool probed;               /* a lane that is not in the window has a turn of which somebody asks */
    bool in_step;              /* lanes go on step by step: what they do here comes in that order */
    bool finder;               /* somebody asks about operations by which threads synchronise: finder.h */
    bool any_order;            /* nobody asks for the order of accesses: texels are fetched here */
    bool none_left;            /* of `came`: no lane of the warp has a turn yet to come */
    uint32_t asking;           /* lanes that have a turn and wait at a barrier that is not complete; not in `all` */
    uint32_t passing, fresh;   /* of `all`: those that wait at one that is complete; that wait at none */
    uint32_t came;             /* lanes whose turns have ended here, at a barrier */
    uint32_t acts;             /* lanes that have had an effect since it was last looked whether they had any; */
    uint32_t effects;          /* all that have had one, which stays */
    struct emu_block *block;   /* of the lanes' function; */
    uint64_t *r;               /* its slots, */
    const struct emu_op *code, *end_of_code; /* and its ops */
    struct emu_reach back;     /* of the jumps back of a group: to the first op, from the last; NULL: none */
    struct emu_tried *tried;   /* NULL: memory is not accessed here */
    const struct emu_op *from; /* where that began; NULL: not yet */
    const struct emu_op *cut;  /* what did not go with what came before it; NULL: nothing */
    struct plan plan;          /* the last */
    uint32_t set;              /* that `on` is of */
    /* What lies above is 0 when a window begins. */
    uint64_t began[EMU_WARP]; /* of each lane, its steps when its turn began, */
    uint64_t limit[EMU_WARP]; /* and up to which it is watched now, or is not */
    uint64_t on[EMU_WARP];
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

/* What changes of a lane beside its registers, place and steps can be put back. */
void window_keep(struct window *w);
/* It is looked whether the lane has had an effect. */
void window_look_at_acts(struct window *w, struct emu_thread *t);
/* The lane has come to a limit, or begins: up to where it goes on, and whether it is watched. Mostly it is as with the
 * lane before. */
void window_plan(struct window *w, uint32_t lane);
/* The same of all lanes that began; and, once for all of them, of a group that is alike and has come to a limit.
 * `begin`: its turns begin. */
void window_plan_all(struct window *w);
void window_plan_alike(struct window *w, uint32_t group, bool begin);
/* Some lanes are watched from now on, if there is memory for that. */
void window_watch(struct window *w, uint32_t group);

/* Those of a set of lanes that wait at a barrier which is complete, and may go on together. */
uint32_t window_passing(const struct window *w, const struct emu_op *op, uint32_t on);
/* Lanes of the window, `on`, are at a barrier. Where the whole warp is, they come to it (w->came), all but the last if
 * that one completes it, and none runs on. False: they are to come one by one. */
bool window_comes(struct window *w, const struct emu_op *op, uint32_t on);
/* All lanes of the warp are at what they carry out together: they do, and their turns end (w->came). False: they are to
 * come one by one. */
bool window_meets(struct window *w, const struct emu_op *op);
/* The turns of all lanes have ended so. They begin again, as cluster.c lets them, if all are alike: whether they did.
 */
bool window_turn_again(struct window *w);
/* Turns have begun again. Each that is nothing but a calm meeting ends here too, up to where lanes are to be watched or
 * not: until then the plan of the first stands for all. */
void window_meet_calmly(struct window *w);
/* Lanes of the window are at the end of the kernel. Where they are all of their warp that have not exited, and nobody
 * waits at a barrier, they exit (w->came), and none runs on. False: they are to do so one by one. */
bool window_leaves(struct window *w, const struct emu_op *op, uint32_t set);
/* What lanes have accessed stays so, or all is put back. */
void window_end_trial(struct window *w);
/* Those that wait at a barrier which is not complete ask again in vain, each in its turn: true; or each is to have a
 * turn of its own. */
bool window_ask_again(struct window *w);
/* The turns of those that came have ended. None of them is one that is probed. */
void window_end_turns(struct window *w);

#endif
// SPDX-License-Identifier: Apache-2.0
