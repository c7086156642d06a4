/* Rows that an assembler judges together: entries of one module, so that one call of it answers for many.
 *
 * What is wrong with an entry is said of its lines. A module that is accepted says that each of its rows is; of a
 * refused one, the rows whose lines are complained of are refused, and the others are asked again without these. An
 * answer is used where it is the one that the row expects, or where it expects none. Whatever else comes of it (another
 * answer, a complaint that names no line, a crash, no end), the row is asked alone, as if nobody had asked before. */
#ifndef COPYCHECK_BATCHES_H
#define COPYCHECK_BATCHES_H

#include <stdatomic.h>

#include "harness/run/pool.h"
#include "harness/run/queues.h"

/* Some of an engine's jobs, rows of one target and PTX version. */
struct batch {
    unsigned engine;
    size_t *jobs;
    struct ck_fragment *rows;
    size_t count;
    bool open; /* these rows do not say what must come of them */
};

struct known {
    atomic_bool is;
    struct ck_outcome outcome;
};

struct batches {
    struct batch *all; /* those of an engine follow each other */
    size_t count, room;
    size_t *tasks;       /* their numbers in a pool, behind those of the jobs */
    struct known *known; /* of each job, in memory that workers share */
    size_t jobs;
};

/* Puts those rows of the run's engines together that may be; none where the run asks each alone. False: out of memory.
 */
bool ck_batches_make(struct batches *b, const struct queues *q, const struct ck_run *run);
void ck_batches_free(struct batches *b);

/* In a worker: asks the engine, which is open, for the rows of a batch, each time for `ms` milliseconds at most. */
void ck_batch_ask(const struct batches *b, const struct queues *q, size_t number, struct ck_engine *e,
                  struct ck_seat *seat, unsigned ms);

/* What came of a job in its batch, or NULL: it is to be asked alone. */
const struct ck_outcome *ck_batch_known(const struct batches *b, size_t job);

#endif
// SPDX-License-Identifier: Apache-2.0
