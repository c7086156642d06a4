/* What came of all programs: which wrong forms were named, by which rules; the shortest that are not as they should
 * be. */
#ifndef COPYCHECK_SYNC_FUZZ_TABLES_H
#define COPYCHECK_SYNC_FUZZ_TABLES_H

#include "tools/sync_fuzz/fleet.h"

struct tables;
struct tables *tables_new(const struct fleet *f); /* NULL: out of memory */
void tables_add(struct tables *t, const struct verdict *v);
/* Prints all; frees. Returns the exit status. */
int tables_print(struct tables *t, unsigned long long none, unsigned long seconds);

#endif
// SPDX-License-Identifier: Apache-2.0
