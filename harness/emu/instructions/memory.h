/* A thread's own access to memory, as loads, stores, atomics and matrix instructions make it. */
#ifndef COPYCHECK_EMU_INSTRUCTIONS_MEMORY_H
#define COPYCHECK_EMU_INSTRUCTIONS_MEMORY_H

#include "harness/emu/machine/address.h"
#include "harness/emu/machine/state.h"

/* The host bytes of an access of n bytes, aligned to n, in the op's state space, as emu_bytes; the judge learns of it.
 */
unsigned char *emu_access_bytes(struct emu_thread *t, const struct emu_op *op, uint64_t address, unsigned n,
                                enum emu_access access);
/* The judge learns of an access whose bytes emu_bytes gave, with this CTA and offset. */
void emu_access_tell(struct emu_thread *t, const struct emu_op *op, struct emu_cta *cta, uint64_t at, unsigned n,
                     enum emu_access access);

#endif
// SPDX-License-Identifier: Apache-2.0
