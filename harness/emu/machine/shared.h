/* Where the variables of shared memory lie: each entry has a layout of its own, of those that it can use. */
#ifndef COPYCHECK_EMU_MACHINE_SHARED_H
#define COPYCHECK_EMU_MACHINE_SHARED_H

#include "harness/emu/machine/state.h"

/* Gives each .shared variable of the image its address, and each function what it sees of shared memory. False where
 * memory is short. */
bool emu_shared_place(struct emu_image *image);
/* What an entry, or a function that entries call, sees: where static shared memory ends and dynamic shared memory
 * begins, in bytes of the CTA's window. */
const struct emu_shared *emu_shared_of(const struct emu_image *image, const struct ptx_function *f);
/* Which variables of the module the entry can use, by their numbers; the caller frees it. NULL where memory is short.
 */
bool *emu_shared_used(const struct ptx_module *m, const struct ptx_function *entry);

#endif
// SPDX-License-Identifier: Apache-2.0
