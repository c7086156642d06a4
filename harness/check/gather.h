/* What the launches of a kernel have found, each finding once. */
#ifndef COPYCHECK_CHECK_GATHER_H
#define COPYCHECK_CHECK_GATHER_H

#include "harness/check/check.h"

/* The machine of a launch that has ended, and what the arguments' buffers are called: NULL, and all memory has the name
 * that emu_alloc was given. */
struct check_seen {
    struct emu *machine;
    const struct check_args *args;
    const uint64_t *at; /* the address of each argument's buffer */
};

/* Adds what a launch has found to *r. A finding that is there already is counted: `schedule` numbers the launches. What
 * a run that stopped has to say, where nothing was filed about it, is a finding without a rule. False after a line that
 * says there is no memory. */
bool check_gather(struct check_result *r, const struct check_seen *s, const struct emu_report *report,
                  unsigned schedule);

#endif
// SPDX-License-Identifier: Apache-2.0
