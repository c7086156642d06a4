/* What a thread's program has behind the place where it waits. */
#ifndef COPYCHECK_EMU_JUDGE_BEHIND_H
#define COPYCHECK_EMU_JUDGE_BEHIND_H

#include "harness/emu/machine/state.h"

/* A kind of instruction. */
typedef bool behind_is(const struct ptx_module *m, const struct ptx_instruction *i);

/* The kinds. bulk_load: a bulk copy that signals an mbarrier; plain_arrive: it expects no bytes, so its mbarrier is one
 * that no copy signals. */
behind_is behind_is_barrier, behind_is_bulk_copy, behind_is_bulk_load, behind_is_arrive, behind_is_plain_arrive;

/* Whether the program of a thread that waits has an instruction of this kind after that place. */
bool behind_comes(const struct emu_thread *t, behind_is *is);
/* The same, or round a loop in which it waits. */
bool behind_comes_again(const struct emu_thread *t, behind_is *is);

#endif
// SPDX-License-Identifier: Apache-2.0
