/* A coverage report of rules: each rule is a line of the catalogue's files, with how often it was proved. */
#ifndef COPYCHECK_RULE_LINES_H
#define COPYCHECK_RULE_LINES_H

#include "harness/records/tally.h"

/* Writes an lcov tracefile: each rule is a line, and a function, of its .def file in `folder`, hit once for each point
 * and engine that proved it in one of `count` record files: that passed, or for a rule that is observed, was seen.
 * False with one line of error. */
bool ck_rule_lines(FILE *to, const char *folder, const struct ck_entries *runs, size_t count, char *error, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
