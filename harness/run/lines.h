/* In which lines of the pool a run's jobs wait, and for what. */
#ifndef COPYCHECK_LINES_H
#define COPYCHECK_LINES_H

#include "harness/run/batches.h"

/* Makes the lines of a pool without any. False: there are too many. */
bool ck_lines_make(struct queues *q, const struct batches *b, const struct ck_run *run, struct ck_pool *pool);

#endif
// SPDX-License-Identifier: Apache-2.0
