/* Functions of the system, which device code calls and which have no body in PTX. control.c includes it. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_SYSTEM_H
#define COPYCHECK_EMU_INSTRUCTIONS_SYSTEM_H

#include "harness/emu/machine/state.h"

/* Carries out a call of vprintf, malloc, free, __assertfail, cudaGraphSetConditional or one of launch.h; another
 * function ends the grid as unsupported. The op is the call. */
void emu_system_call(struct emu_thread *t, const struct emu_op *op, const struct ptx_function *f);
/* Whether it is one of those. */
bool emu_system_knows(const struct ptx_function *f);

#endif
// SPDX-License-Identifier: Apache-2.0
