/* A grid that begins while the one before it is at work (programmatic dependent launch): what that one wrote, and this
 * one must not read before griddepcontrol.wait. emu.c, address.c, instructions/control.c and copies/ include it.
 *
 * Here the first grid runs to its end. If it let dependent grids begin early, memory is then put back to what it was
 * before, and the second grid runs on that until one of its threads waits: the latest that a device may be. */
#ifndef COPYCHECK_EMU_MACHINE_PRIOR_H
#define COPYCHECK_EMU_MACHINE_PRIOR_H

#include "harness/emu/machine/state.h"

/* Before the first grid: keeps what memory holds. False: out of memory. */
bool emu_prior_begin(struct emu *e);
/* Between the two grids: hides what the first one wrote if it let dependent grids begin. False: out of memory. */
bool emu_prior_hide(struct emu *e);
/* After both: what is still hidden comes to light, except where the second grid has written. */
void emu_prior_end(struct emu *e);

/* griddepcontrol.launch_dependents and .wait. */
void emu_prior_release(struct emu_thread *t);
void emu_prior_wait(struct emu_thread *t);
/* A thread reads global memory: finds fault if the bytes are hidden. */
void emu_prior_read(struct emu_thread *t, uint64_t address, uint64_t n);

#endif
// SPDX-License-Identifier: Apache-2.0
