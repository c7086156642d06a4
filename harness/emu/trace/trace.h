/* A watcher that writes what happens in a launch as JSON Lines: a line for each event, in the order of the events.
 * docs/check.md says what the lines hold. emu.c does not know it: a user passes it in emu_options.watch. */
#ifndef COPYCHECK_EMU_TRACE_TRACE_H
#define COPYCHECK_EMU_TRACE_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/emu/machine/watch.h"

struct emu_trace; /* one traced launch */

/* The watcher. Its options.watch_state is what emu_trace_new made, and options.jobs is 1: the events of all clusters
 * are one sequence. */
extern const struct emu_watch emu_trace_watch;

/* Writes to `to`; NULL where memory is short. */
struct emu_trace *emu_trace_new(FILE *to);
/* Frees it; false where something could not be written, with errno. `to` stays open. */
bool emu_trace_end(struct emu_trace *trace);

#endif
// SPDX-License-Identifier: Apache-2.0
