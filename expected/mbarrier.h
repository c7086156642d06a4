/* What the documents promise of an mbarrier object: its counts, its phases, and which operations are legal when.
 *
 * PTX ISA 9.0 and 9.1, "Contents of the mbarrier object", "Phase Completion of the mbarrier object" and the sections of
 * the operations. Each operation returns NULL, or the rule that it breaks; the object is then as it was before, since
 * no document says what becomes of it. */
#ifndef COPYCHECK_ORACLE_MBARRIER_H
#define COPYCHECK_ORACLE_MBARRIER_H

#include <stdbool.h>
#include <stdint.h>

#include "expected/rule.h"

enum { MBARRIER_MAX = (1 << 20) - 1 }; /* of every count; the tx-count also goes down to -MBARRIER_MAX */

struct mbarrier {
    bool live;        /* made and not invalidated */
    uint64_t phase;   /* number of the current phase, from 0 */
    int64_t expected; /* arrivals that each later phase needs */
    int64_t pending;  /* arrivals that the current phase still needs */
    int64_t tx;       /* bytes expected and not yet arrived */
};

/* What an arrival returns. */
struct mbarrier_state {
    const struct mbarrier *of; /* the object it came from; NULL: no state at all */
    uint64_t phase;            /* current before the arrival */
    int64_t pending;           /* before the arrival; only .noComplete arrivals tell it */
    bool counted;              /* it came from one */
};

const struct ck_rule *mbarrier_init(struct mbarrier *b, uint64_t count);
const struct ck_rule *mbarrier_inval(struct mbarrier *b);

/* `count` arrivals at once, after announcing `bytes`. With `drop` they leave for good, with `stay` (.noComplete) the
 * phase must not complete. `state` may be NULL. */
struct mbarrier_arrival {
    uint64_t count, bytes;
    bool drop, stay;
};
const struct ck_rule *mbarrier_arrive(struct mbarrier *b, struct mbarrier_arrival a, struct mbarrier_state *state);

const struct ck_rule *mbarrier_expect(struct mbarrier *b, uint64_t bytes);
const struct ck_rule *mbarrier_complete(struct mbarrier *b, uint64_t bytes);

/* Waits, asked once: *done says whether the phase has completed. */
const struct ck_rule *mbarrier_test(const struct mbarrier *b, const struct mbarrier_state *state, bool *done);
const struct ck_rule *mbarrier_test_parity(const struct mbarrier *b, uint64_t parity, bool *done);

const struct ck_rule *mbarrier_pending(const struct mbarrier_state *state, uint64_t *count);

#endif
// SPDX-License-Identifier: Apache-2.0
