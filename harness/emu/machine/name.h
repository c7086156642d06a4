/* What a program calls the bytes of shared memory. */
#ifndef COPYCHECK_EMU_MACHINE_NAME_H
#define COPYCHECK_EMU_MACHINE_NAME_H

#include "harness/emu/machine/state.h"

/* " (tile + 768)": the variable of the grid's module at an offset of a CTA's shared memory, and how many bytes into it,
 * to be put behind the offset's words; "" where there is none. A mangled name of C++ becomes its last part, and a long
 * one is cut. A dynamic array is named where the module declares one. */
void emu_shared_name(const struct emu_grid *g, uint64_t offset, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
