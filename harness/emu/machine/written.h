/* What a launch has written, and what copies hand on. children.c, the scheduler, the judge and emu.c include it. What a
 * launch writes counts for later launches, from its end on. */
#ifndef COPYCHECK_EMU_MACHINE_WRITTEN_H
#define COPYCHECK_EMU_MACHINE_WRITTEN_H

#include "harness/emu/machine/state.h"

/* n bytes were copied: those at `to` have a value where those at `from` have. Memory that is in no allocation has. */
void emu_written_copy(struct emu *e, uint64_t to, uint64_t from, uint64_t n);

/* Bits of 64 bytes each, as many as a page of the judge has. */
enum { EMU_WRITTEN_WORDS = 64 };

/* Whether the 4096 bytes from `at` on are of one allocation and all have a value, so that nothing is to be told. */
bool emu_written_known(struct emu *e, uint64_t at);
/* What a launch has written of the 4096 bytes from `at` on. At once; or kept until the end of the launch, for which any
 * host thread may ask while clusters run ahead. */
void emu_written_take(struct emu *e, uint64_t at, const uint64_t words[EMU_WRITTEN_WORDS]);
void emu_written_keep(struct emu *e, uint64_t at, const uint64_t words[EMU_WRITTEN_WORDS]);
/* Nobody knows what this launch has written: at its end, all memory counts as written. */
void emu_written_lose(struct emu *e);
/* The end of a launch: what was kept is taken. */
void emu_written_settle(struct emu *e);

/* What has been kept and lost so far; back to that, where clusters that ran ahead are run again in turns. */
struct emu_written_mark {
    const struct emu_written_page *kept;
    bool lost;
};
struct emu_written_mark emu_written_mark(struct emu *e);
void emu_written_back(struct emu *e, struct emu_written_mark to);

#endif
// SPDX-License-Identifier: Apache-2.0
