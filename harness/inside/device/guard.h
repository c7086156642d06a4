/* Device memory is none of the host's: outside of calls of the API, the program's own accesses to it end as they would
 * with a GPU, by SIGSEGV, after a line that says what was accessed.
 *
 * With protection keys of the processor that costs next to nothing. Without, the pages are protected by mprotect where
 * `copycheck exec --host-access` asks for it. */
#ifndef COPYCHECK_INSIDE_GUARD_H
#define COPYCHECK_INSIDE_GUARD_H

#include "harness/inside/device/device.h"

/* --host-access: before the first allocation. */
void guard_always(bool always);
/* --host-races: races.h. Before the first allocation. */
void guard_races(bool wanted);
/* Once, in a call of the API, before the machine makes threads: these inherit the right to the memory. */
void guard_begin(void);
/* Keeps the host out of memory from when the call ends on; before it is freed: no longer. */
void guard_watch(const struct memory *m);
void guard_forget(const struct memory *m);
/* Around a call of the API, for its thread and those that it makes. */
void guard_open(void);
void guard_close(void);

#endif
// SPDX-License-Identifier: Apache-2.0
