/* What most records say, so that the many lines of a recorded matrix need not: the rule whose id begins the point's
 * name, phase "launch", outcome "done", and "done" expected of a documented rule ("seen" of what was observed). */
#ifndef COPYCHECK_RECORD_USUAL_H
#define COPYCHECK_RECORD_USUAL_H

#include "harness/records/record.h"

/* The record with NULL for each of these members that is as usual. */
struct ck_record ck_record_unusual(const struct ck_record *r);
/* Fills in those that are NULL, of a skip the rule alone; what has to be kept is kept with `file`. False: out of
 * memory. */
bool ck_record_fill_in(struct ck_record *r, struct ck_record_file *file);
/* Frees what ck_record_fill_in kept. */
void ck_record_file_free_rules(struct ck_record_file *file);

#endif
// SPDX-License-Identifier: Apache-2.0
