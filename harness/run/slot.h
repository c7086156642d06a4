/* The result of a point on an engine. */
#ifndef COPYCHECK_SLOT_H
#define COPYCHECK_SLOT_H

#include <stdbool.h>
#include <stdint.h>

/* What a worker leaves about a point, in memory that it shares with its parent. */
struct ck_slot {
    int worker;      /* its process id */
    unsigned device; /* of the run's devices: see struct ck_record */
    int verdict;     /* enum ck_verdict */
    int outcome;     /* enum ck_outcome_kind */
    long code;
    bool lost;    /* the engine is of no more use in this worker */
    bool starved; /* this machine had no memory for it, so nothing is known of the point */
    uint64_t digest;
    uint64_t machine; /* of the machine code: see struct ck_record */
    double ms;
    unsigned runs, same;     /* how often it ran, and had this verdict */
    double ratio, low, high; /* of a point that measures: see struct ck_record */
    unsigned rounds;
    char seen[320];
    char detail[2000];
};

#endif
// SPDX-License-Identifier: Apache-2.0
