/* Which bytes of global memory have a value, from launch to launch: those that a kernel, a copy or the host has
 * written. regions.c, children.c, the scheduler, the judge and emu.c include it.
 *
 * An allocation has a bit for each byte, made when the first of them is written; none where all have a value. What a
 * launch writes counts from its end on. */
#ifndef COPYCHECK_EMU_MACHINE_VALUES_H
#define COPYCHECK_EMU_MACHINE_VALUES_H

#include "harness/emu/machine/state.h"

/* Bytes that each word of the bits stands for. */
enum { EMU_VALUE_WORD = 64 };

/* So many words follow one another in a page of the judge. */
enum { EMU_VALUE_WORDS = 64 };

/* n bytes of the allocation from `offset` on have a value now; none has. All of them lie in the allocation. */
void emu_values_set(struct emu_region *r, uint64_t offset, uint64_t n);
void emu_values_clear(struct emu_region *r, uint64_t offset, uint64_t n);
/* Whether any of these bytes has a value. */
bool emu_values_any(const struct emu_region *r, uint64_t offset, uint64_t n);
/* The bits of the 64 bytes from `offset` on, a multiple of 64. Those behind the end are 0 or 1. */
uint64_t emu_values_word(const struct emu_region *r, uint64_t offset);
/* n bytes were copied: those at `to` have a value where those at `from` have. Memory that is in no allocation has.
 * Where the host may write unseen (region->always), bytes always have one. */
void emu_values_copy(struct emu *e, uint64_t to, uint64_t from, uint64_t n);
void emu_values_free(struct emu_region *r);

/* What a launch has written, by pages: bits of EMU_VALUE_WORDS * 64 bytes from `at` on. At once; or kept until the end
 * of the launch, which any host thread may ask for while clusters run ahead. */
void emu_values_take(struct emu *e, uint64_t at, const uint64_t words[EMU_VALUE_WORDS]);
void emu_values_keep(struct emu *e, uint64_t at, const uint64_t words[EMU_VALUE_WORDS]);
/* Nobody knows what this launch has written: at its end, all memory counts as written. */
void emu_values_lose(struct emu *e);
/* The end of a launch: what was kept is taken. */
void emu_values_settle(struct emu *e);

/* What has been kept and lost so far; back to that, where clusters that ran ahead are run again in turns. */
struct emu_values_mark {
    const struct emu_values_page *kept;
    bool lost;
};
struct emu_values_mark emu_values_mark(struct emu *e);
void emu_values_back(struct emu *e, struct emu_values_mark to);

#endif
// SPDX-License-Identifier: Apache-2.0
