/* The rules as lines of the catalogue's files that were proved so and so often: a coverage report of rules. */
#ifndef COPYCHECK_RULE_LINES_H
#define COPYCHECK_RULE_LINES_H

#include "harness/records/tally.h"

/* Writes an lcov tracefile: each rule is a line, and a function, of its .def file in `folder`, hit once for each point
 * and engine that proved it in one of `count` record files: that passed, or for a rule that is observed, was seen.
 * False with one line of error. */
bool ck_rule_lines(FILE *to, const char *folder, const struct ck_entries *runs, size_t count, char *error, size_t size);

#endif
