/* The schedule in which each change of a place that threads look at comes alone: before and behind it all others run as
 * far as they can without another one. So whoever waits for a value sees each value that comes, also between what two
 * lanes of one instruction do. turns.c and grid.c ask. */
#ifndef COPYCHECK_EMU_SCHEDULE_ALONE_H
#define COPYCHECK_EMU_SCHEDULE_ALONE_H

#include "harness/emu/machine/state.h"

/* A thread that is held back: those that went round fewer loops come first, then those that come to an earlier
 * instruction. */
struct emu_claimant {
    uint64_t laps;
    const struct ptx_instruction *at;
    uint64_t number; /* of the thread; 0: there is none */
    bool late;       /* it is to come last of those that make the change, behind what all others can do */
    unsigned news;   /* enum news, of one that is late */
    uint64_t since;  /* changes of the gate when it came there, where it is late */
};

/* Lets one thread change something at a time. Each cluster has one for its shared memory, a grid one for global memory.
 * All zeros at first. */
struct emu_gate {
    uint64_t changes;          /* so far */
    unsigned closed;           /* rounds since the last one */
    unsigned vain;             /* rounds in a row in which one could have come, and none came */
    uint64_t chosen;           /* the thread that may make one in this round; 0: none */
    bool free;                 /* any thread may */
    bool changed, moved, held; /* in this round: one came; a thread moved; a thread was held back */
    bool held_before;          /* in the round before */
    struct emu_claimant first; /* of those that were held back in this round */
};

/* Begins a round of all that the gate is for. */
void emu_gate_round(struct emu_gate *g);

struct emu_alone;

/* Of a cluster; NULL where memory is short. */
struct emu_alone *emu_alone_new(struct emu_cluster *c);
void emu_alone_free(struct emu_alone *a);

/* A round of the cluster begins. */
void emu_alone_round(struct emu_alone *a, struct emu_cluster *c);
/* A thread has executed something in its turn. */
void emu_alone_moved(struct emu_alone *a);
/* The thread is to have a turn. False: it would only look again at what has not changed. */
bool emu_alone_turn(struct emu_alone *a, const struct emu_thread *t);
/* The thread is about to begin an operation that has op->sync; false: its turn is over. It has executed it. */
bool emu_alone_begins(struct emu_alone *a, struct emu_thread *t, const struct emu_op *op);
void emu_alone_ended(struct emu_alone *a, struct emu_thread *t);
/* The thread is about to execute an instruction without op->sync. */
void emu_alone_passes(struct emu_alone *a, const struct emu_thread *t, const struct emu_op *op);
/* Whether a thread was held back in this round, or had no turn: it may go on in the next one. */
bool emu_alone_holds(const struct emu_alone *a);

#endif
// SPDX-License-Identifier: Apache-2.0
