/* The heap of malloc and free in device code. CUDA C++ Programming Guide, "Dynamic Global Memory Allocation". emu.c,
 * address.c and instructions/system.c include it. */
#ifndef COPYCHECK_EMU_MACHINE_HEAP_H
#define COPYCHECK_EMU_MACHINE_HEAP_H

#include "harness/emu/machine/state.h"

/* Makes the heap before the launch of a module that calls malloc; false where there is no room for it. */
bool emu_heap_prepare(struct emu *e, const struct ptx_module *m);
void emu_heap_free(struct emu *e);
/* Ends the grid unless the n bytes lie in a block that malloc gave and nobody freed. */
void emu_heap_check(struct emu_thread *t, uint64_t address, uint64_t n);
/* The address of a new block; 0 where the heap is full, as on a device. */
uint64_t emu_heap_take(struct emu *e, uint64_t bytes);
/* Frees the block at this address. EMU_HEAP_AGAIN: it was free before; EMU_HEAP_UNKNOWN: malloc did not give it. */
enum emu_heap_give { EMU_HEAP_FREED, EMU_HEAP_AGAIN, EMU_HEAP_UNKNOWN };
enum emu_heap_give emu_heap_give(struct emu *e, uint64_t address);

#endif
// SPDX-License-Identifier: Apache-2.0
