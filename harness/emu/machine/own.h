/* Large memory of each host thread, made when the thread first needs it and freed at its end. It is no thread-local
 * variable: those of a library that is put before a program lie in the stack of each of the program's threads. */
#ifndef COPYCHECK_EMU_MACHINE_OWN_H
#define COPYCHECK_EMU_MACHINE_OWN_H

#include <stddef.h>

enum emu_own { EMU_OWN_FACTORS, EMU_OWN_WARP, EMU_OWNS };

extern _Thread_local void *emu_owned[EMU_OWNS];

/* Zeros at first. Ends the process with a line where memory is short: no thread goes on without. */
void *emu_own_make(enum emu_own which, size_t bytes);

static inline void *emu_own(enum emu_own which, size_t bytes)
{
    return emu_owned[which] ? emu_owned[which] : emu_own_make(which, bytes);
}

#endif
// SPDX-License-Identifier: Apache-2.0
