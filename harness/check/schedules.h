/* Which schedules there are, and what those that were run have covered. launches.c and the command include it. */
#ifndef COPYCHECK_CHECK_SCHEDULES_H
#define COPYCHECK_CHECK_SCHEDULES_H

#include "harness/check/check.h"

/* Completes the options of a machine for the schedule of this number, from 0; `swaps` are those of schedule 0. */
void check_schedule(const struct check_args *args, const struct emu_swaps *swaps, unsigned number,
                    struct emu_options *out);
/* Whether schedule 0 has to be run before it, so that its swaps are known. */
bool check_schedule_needs_swaps(unsigned number);
/* Whether the schedule of this number, from 1, is run as well. `swaps`: those of schedule 0; `first`: its
 * instructions. */
bool check_one_more(const struct check_args *args, const struct emu_swaps *swaps, const struct check_result *r,
                    unsigned number, uint64_t first);

/* Counts a schedule that was run, and says which ones were: "threads in order, backwards, 2 of 7 swaps of two
 * operations, 3 in random order". */
void check_covers(struct check_result *r, const struct emu_options *schedule);
void check_covered(const struct check_result *r, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
