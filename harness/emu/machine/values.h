/* Which bytes of an allocation have a value, from launch to launch: those that a kernel, a copy or the host has
 * written. regions.c, written.c, the judge and emu.c include it.
 *
 * An allocation has a bit for each byte, made when the first of them is written; none where all have a value. */
#ifndef COPYCHECK_EMU_MACHINE_VALUES_H
#define COPYCHECK_EMU_MACHINE_VALUES_H

#include "harness/emu/machine/state.h"

/* Bytes that each word of the bits stands for. */
enum { EMU_VALUE_WORD = 64 };

/* n bytes of the allocation from `offset` on have a value now; none has; all of the allocation have one. Where memory
 * is short, all have one too: a finding less is better than one too many. */
void emu_values_set(struct emu_region *r, uint64_t offset, uint64_t n);
void emu_values_clear(struct emu_region *r, uint64_t offset, uint64_t n);
void emu_values_all(struct emu_region *r);
/* Whether any of these bytes has a value. */
bool emu_values_any(const struct emu_region *r, uint64_t offset, uint64_t n);
/* The bits of the 64 bytes from `offset` on, a multiple of 64. Those behind the end are 0 or 1. Then: these have a
 * value too. */
uint64_t emu_values_word(const struct emu_region *r, uint64_t offset);
void emu_values_add(struct emu_region *r, uint64_t offset, uint64_t bits);
/* n bytes from `offset` on have a value where those of `from` at the offset `at` have. Where the host may write unseen
 * (to->always), bytes always have one. */
void emu_values_copy(struct emu_region *to, uint64_t offset, const struct emu_region *from, uint64_t at, uint64_t n);
void emu_values_free(struct emu_region *r);

#endif
// SPDX-License-Identifier: Apache-2.0
