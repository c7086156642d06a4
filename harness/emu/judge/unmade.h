/* Findings about what is not there yet for a thread: bytes without a value, an mbarrier without an init before. */
#ifndef COPYCHECK_EMU_JUDGE_UNMADE_H
#define COPYCHECK_EMU_JUDGE_UNMADE_H

#include "harness/emu/judge/state.h"

/* The thread reads bytes of which nobody has written all. */
void order_report_unwritten(struct order *o, struct emu_thread *t, uint64_t key, uint64_t bytes);
/* The thread uses the mbarrier at this offset, and nothing orders that after its init. */
void order_report_init(struct order *o, struct emu_thread *t, const struct order_bar *b, uint64_t offset);

#endif
// SPDX-License-Identifier: Apache-2.0
