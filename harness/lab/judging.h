/* A submission while it is judged. judge.c runs the launches; bytes.c compares what they leave; said.c puts what is
 * wrong into words. */
#ifndef COPYCHECK_LAB_JUDGING_H
#define COPYCHECK_LAB_JUDGING_H

#include "harness/check/check.h"
#include "harness/lab/launch.h"
#include "harness/lab/means.h"
#include "harness/lab/verdict.h"

enum { LAB_DELIVERIES = EMU_RANDOM + 1 };

struct lab_judging {
    struct lab_count count; /* the first member: the watcher's state is this struct's address */
    struct lab_submission *s;
    const struct ptx_module *module;
    struct lab_verdict *v;
    struct lab_launch *launch;
    FILE *print;
    uint64_t instructions;
    unsigned runs[LAB_DELIVERIES],
        right[LAB_DELIVERIES]; /* of each delivery: launches that came to their end; with the right bytes */
    unsigned launches;         /* ended */
    bool counted;              /* the first of them came to its end: what it counted is whole */
    char first[300];           /* the first wrong bytes, in words */
    bool limit;                /* no more instructions */
};

/* Compares all buffers with what is expected, and notes the first wrong word; those of the first launch are kept for
 * the next step. */
bool lab_bytes_right(struct lab_judging *j, const struct check_launched *launched);

/* What the launches of a step have shown goes into the verdict: rules, then bytes, then means. */
void lab_say_rules(struct lab_judging *j, const struct check_result *r);
void lab_say_bytes(struct lab_judging *j);
void lab_say_means(struct lab_judging *j);
/* The lab's own objection to what the step before has left; false where there is none. */
bool lab_say_wrong(struct lab_judging *j);

#endif
// SPDX-License-Identifier: Apache-2.0
