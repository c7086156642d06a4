/* Whose turn it is, and for how long: the part of a schedule that options.turns chooses. Each choice is a legal
 * execution, and a pure function of the options and the program. cluster.c and grid.c ask. */
#ifndef COPYCHECK_EMU_SCHEDULE_TURNS_H
#define COPYCHECK_EMU_SCHEDULE_TURNS_H

#include "harness/emu/machine/state.h"

/* Instructions of a turn where threads take turns in the order of their indices; and with options.evenly, where a judge
 * watches: programs with races have the results of a device, where all warps go on at once, the likelier the more
 * evenly warps go on here. The light judge watches those that have none. */
enum { EMU_TURN = 256, EMU_SHORT_TURN = 32 };

/* Instructions without any change of memory after which a cluster goes round: it has one round at a time, so that
 * others can give it what it waits for, and in the end turns of another length. */
enum { EMU_GOES_ROUND = 1 << 20 };

/* Makes c->turns; NULL: threads take turns of EMU_TURN instructions in the order of their indices, or warps backwards.
 * False where memory is short. */
bool emu_turns_make(struct emu_cluster *c);
void emu_turns_free(struct emu_cluster *c);

/* Begins a round of turns of the cluster, which has c->turns. */
void emu_turns_round(struct emu_cluster *c);
/* The next thread of the round; it may be one that cannot go on. NULL: the round is over. `moved`: the turn of the
 * thread before executed something. *length: how many instructions its turn has at most. */
struct emu_thread *emu_turns_next(struct emu_cluster *c, bool moved, int *length);

/* The thread is about to begin an operation that has op->sync, in a cluster that has c->turns. False: it is not to, and
 * its turn is over. */
bool emu_turns_begins(struct emu_thread *t, const struct emu_op *op);
/* The same without op->sync. */
void emu_turns_passes(struct emu_thread *t, const struct emu_op *op);
/* It has executed one that has op->sync. */
void emu_turns_ended(struct emu_thread *t);
/* Whether a thread was held back in this round, and goes on in a later one, whatever else happens. */
bool emu_turns_hold(const struct emu_cluster *c);
/* Where that is so, and nobody moves: whether nobody is to look again at what has not changed. */
bool emu_turns_still(const struct emu_cluster *c);
/* Where that is so, and nobody else could go on, a copy has landed. */
void emu_turns_delivered(struct emu_cluster *c);
/* Whether those that ask an mbarrier ask a few times in vain before a copy lands: a try_wait may return false at any
 * time. */
bool emu_turns_impatient(const struct emu_cluster *c);
/* No thread of the cluster, or, `all`, of the grid can go on. True: one was held back, and goes on now. */
bool emu_turns_release(struct emu_cluster *c, bool all);

/* How the resident clusters of a grid take turns. */
struct emu_cluster_turns {
    uint64_t random;
    size_t count, first;
    bool backwards;
};

/* Begins a round of `count` resident clusters. All zeros before the first round. */
void emu_turns_of_clusters(const struct emu_grid *g, struct emu_cluster_turns *o, size_t count);
/* Which of them is number k of this round, from 0, and how many rounds of its own it has in a row. */
size_t emu_turns_cluster(const struct emu_grid *g, struct emu_cluster_turns *o, size_t k, unsigned *rounds);

/* Where threads take turns in order: whether the warp whose lanes have had turns has turns again, before the next one;
 * `step`: they go on step by step, for so many instructions of each. */
bool emu_turns_again(struct emu_run *run, bool step, int length);

#endif
// SPDX-License-Identifier: Apache-2.0
