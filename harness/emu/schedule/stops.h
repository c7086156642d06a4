/* The schedule in which a few threads stop, each at one of the operations by which it synchronises, until nobody else
 * can go on. turns.c and grid.c ask. */
#ifndef COPYCHECK_EMU_SCHEDULE_STOPS_H
#define COPYCHECK_EMU_SCHEDULE_STOPS_H

#include "harness/emu/machine/sync.h"

/* Threads that stop in a launch, at most. */
enum { EMU_STOPS = 8 };

/* A thread that is to stop, or stands. */
struct emu_stop {
    uint64_t cluster;
    uint32_t index;  /* of the thread, in its cluster */
    uint32_t at;     /* how many operations it executes before; */
    bool all;        /* of all, else of those that matter */
    bool goes;       /* it goes on in this round, up to its next operation */
    bool could;      /* it could have gone on in this round; */
    unsigned steps;  /* operations that it has executed since */
    bool soon;       /* it stops at the next operation that changes something */
    bool changes;    /* the operation at which it stands does */
    uint64_t object; /* of that; 0: it does not stand */
    uint64_t stands; /* its steps where it stands, plus 1; 0: it has yet to come to an operation */
};

/* Of a grid. */
struct emu_stops {
    uint64_t random;
    struct emu_stop all[EMU_STOPS]; /* in the order in which they stop, those that have not yet behind them */
    unsigned count, stopped;
    unsigned still;            /* rounds in a row in which nobody moved */
    unsigned rounds, patience; /* in which somebody stood; how often time passes before one goes on */
    unsigned all_rounds;       /* that have begun */
    bool steps;                /* who comes to an operation that matters goes on in the next round */
    bool follow;               /* who comes to an object at which one stands stops too, at its next change */
    bool moved;                /* in this round */
    bool wake;                 /* who sleeps wakes up in this round */
};

/* Draws who stops where. */
void emu_stops_draw(struct emu_stops *s, const struct emu_grid *g);
/* Begins a round of all clusters. */
void emu_stops_round(struct emu_stops *s);

/* Whether the thread has a turn in this round. */
bool emu_stops_turn(struct emu_stops *s, const struct emu_thread *t);
/* It is about to execute an operation that has op->sync. False: it is not to. */
bool emu_stops_begins(struct emu_stops *s, const struct emu_thread *t, const struct emu_op *op,
                      const struct emu_way *way);
/* It executes it. */
void emu_stops_meets(struct emu_stops *s, const struct emu_thread *t, const struct emu_op *op);
/* Whether a thread of the cluster was held back in this round. */
bool emu_stops_hold(const struct emu_stops *s, const struct emu_cluster *c);

#endif
// SPDX-License-Identifier: Apache-2.0
