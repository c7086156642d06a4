/* What most records say, so that the many lines of a recorded matrix need not: verdict "pass", the rule whose id begins
 * the point's name, the family of the record before, where that has the same rule, phase "launch", "done"
 * expected of a documented rule ("seen" of what was observed), and the outcome that goes with that: "accept" or
 * "refused" of a text, else "done". */
#ifndef COPYCHECK_RECORD_USUAL_H
#define COPYCHECK_RECORD_USUAL_H

#include "harness/records/record.h"

/* The record with NULL, or no verdict, for each of these members that is as usual; `before` is the record before it in
 * the file, NULL of the first one. */
struct ck_record ck_record_unusual(const struct ck_record *r, const struct ck_record *before);
/* Fills in those that are NULL, of a skip rule and family alone, behind the last record of `file`. A family that it
 * cannot know stays NULL; what has to be kept is kept with `file`. False: out of
 * memory. */
bool ck_record_fill_in(struct ck_record *r, struct ck_record_file *file);
/* Frees what ck_record_fill_in kept. */
void ck_record_file_free_rules(struct ck_record_file *file);

#endif
// SPDX-License-Identifier: Apache-2.0
