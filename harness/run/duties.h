/* What a worker of a run does with its jobs. */
#ifndef COPYCHECK_DUTIES_H
#define COPYCHECK_DUTIES_H

#include "harness/run/state.h"

enum { DUTY_OPEN_MS = 60000 }; /* for an engine to open */

/* What the pool calls in workers: pool.h, struct ck_pool_ops. */
bool duty_work(void *state, struct ck_seat *seat, size_t number);
void duty_ready(void *state, struct ck_seat *seat, size_t number);
void duty_leave(void *state);
/* Whether the job is among the first launches on a device. */
bool duty_is_first(const struct run_state *s, size_t number);

#endif
// SPDX-License-Identifier: Apache-2.0
