/* Wrong forms of a right program: one step left out, weakened, moved or miscounted. */
#ifndef COPYCHECK_SYNC_FUZZ_MUTATE_H
#define COPYCHECK_SYNC_FUZZ_MUTATE_H

#include "tools/sync_fuzz/model.h"

enum mutation_kind {
    MUTATE_DROP,      /* the step is left out */
    MUTATE_DROP_SOME, /* by one thread, warp or CTA of those who have to do it */
    MUTATE_RELAX,     /* .release or .acquire becomes .relaxed */
    MUTATE_PLAIN,     /* a strong load or store becomes an ordinary one */
    MUTATE_NARROW,    /* the next narrower scope */
    MUTATE_BARRIER_ID,
    MUTATE_BARRIER_COUNT,
    MUTATE_WAIT_LESS, /* wait_group N + 1 */
    MUTATE_WAIT_READ, /* .read */
    MUTATE_PARITY,
    MUTATE_COUNT_MORE, /* of an mbarrier */
    MUTATE_COUNT_LESS,
    MUTATE_BYTES_MORE, /* of expect_tx */
    MUTATE_BYTES_LESS,
    MUTATE_TWICE,      /* two arrivals for one */
    MUTATE_NOINC,      /* .noinc for none, or none for it */
    MUTATE_FLAG_FIRST, /* the flag is set before the data is written */
    MUTATE_EARLY,      /* the reader waits for one less */
    MUTATE_PERMITS,    /* two permits */
    MUTATE_TICKET,     /* the last but one takes itself for the last */
    MUTATE_SLOT,       /* two slots of a ring in one place */
    MUTATIONS
};
extern const char *const mutation_names[MUTATIONS];

/* A mutation of a program: what is done to which operation. */
struct mutation {
    enum mutation_kind kind;
    unsigned op;
};

/* Lists those that can be done to a program; returns how many, at most `room`. */
size_t mutation_list(const struct program *p, struct mutation *all, size_t room);
void mutation_apply(struct program *p, struct mutation x);

#endif
// SPDX-License-Identifier: Apache-2.0
