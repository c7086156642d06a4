/* copycheck diff of more than two files. */
#ifndef COPYCHECK_DIFF_MANY_H
#define COPYCHECK_DIFF_MANY_H

#include <stdbool.h>
#include <stddef.h>

/* Prints a table of the points at which one of the files says something else than the first, a column for each file; at
 * most `limit` rows, 0: all. Returns the exit status of copycheck diff: the gravest one of the files. */
int cmd_diff_many(char **paths, size_t count, bool part, bool quiet, size_t limit);

#endif
// SPDX-License-Identifier: Apache-2.0
