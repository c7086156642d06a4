/* What a launch knows of the thread that it runs in: whom its kernel may wait for, and whether its call has returned.
 * later.c sets it. */
#ifndef COPYCHECK_INSIDE_OUTSIDE_H
#define COPYCHECK_INSIDE_OUTSIDE_H

#include "harness/inside/device/device.h"

/* Of this thread's operation: the emulator's option of this name; NULL: its kernels wait for nobody. */
void outside_set(bool (*outside)(bool got_on, void *state), void *state);
/* Puts that into the options of a launch. */
void outside_options(struct emu_options *options);
/* The call that has put this thread's operation into a stream returns; the operation has ended. */
void outside_goes(void);
void outside_ends(void);
/* Lets others go on for a while; false where this thread's operation has waited too long for them. */
bool outside_wait(void);
/* Whether that call has returned; of how many threads' operations it has. */
bool outside_is_away(void);
unsigned outside_all_away(void);

#endif
// SPDX-License-Identifier: Apache-2.0
