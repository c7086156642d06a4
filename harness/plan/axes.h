/* What a case's functions are given: a point with its axes, and a way to end. The plan makes one to ask a case's
 * `valid`; harness/run makes one to run the point, with a bench. */
#ifndef COPYCHECK_AXES_H
#define COPYCHECK_AXES_H

#include <setjmp.h>
#include <stddef.h>

#include "harness/plan/plan.h"
#include "harness/records/record.h"

struct ck_bench; /* buffers and engine of a run: harness/run/bench.h */

struct ck {
    const struct ck_point *point;
    struct ck_bench *bench; /* NULL while the plan asks `valid` */
    char *detail;           /* what ck_note adds to */
    size_t detail_size;     /* bytes, with the NUL */
    jmp_buf end;            /* where ck_end leads */
    enum ck_verdict verdict;
};

/* Ends the point with this verdict. */
void ck_end(struct ck *t, enum ck_verdict verdict) __attribute__((noreturn));
/* The case itself is wrong: ends the point as broken, and says why. */
void ck_broken(struct ck *t, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* The value of an axis of the case without the variant's changes, or NULL. */
const char *ck_point_plain(const struct ck_point *point, const char *axis);

#endif
// SPDX-License-Identifier: Apache-2.0
