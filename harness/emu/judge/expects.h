/* Bytes that mbarrier.expect_tx announces, and the phase in which they count. */
#ifndef COPYCHECK_EMU_JUDGE_EXPECTS_H
#define COPYCHECK_EMU_JUDGE_EXPECTS_H

#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/judge/state.h"

/* The thread executes mbarrier.expect_tx, which is no arrival; so many bytes are counted as expected. */
void order_expect(struct order *o, struct emu_thread *t, const struct emu_mbarrier *m, struct order_bar *b);
void order_expect_bytes(struct order_bar *b, uint64_t bytes);
/* The same of mbarrier.complete_tx. */
void order_expect_completed(struct order *o, struct emu_thread *t, struct order_bar *b, uint64_t bytes);
/* A thread of the cluster arrives; a copy's bytes are about to be counted. */
void order_expect_arrived(const struct order *o, struct order_bar *b, uint32_t thread);
void order_expect_copied(const struct order *o, struct order_bar *b, const struct order_flight *f, uint64_t bytes);
/* The phase has completed; t: by whose operation. */
void order_expect_phase(struct order *o, struct emu_thread *t, const struct emu_mbarrier *m, struct order_bar *b);
void order_expect_free(struct order_bar *b);

#endif
// SPDX-License-Identifier: Apache-2.0
