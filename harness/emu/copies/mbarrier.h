/* What copies ask of the mbarriers that they signal. */
#ifndef COPYCHECK_EMU_COPIES_MBARRIER_H
#define COPYCHECK_EMU_COPIES_MBARRIER_H

#include "harness/emu/machine/state.h"

/* A copy has delivered so many bytes; the thread's copies arrive, or (pending_up) one more arrival is expected of the
 * current phase. */
void emu_mbarrier_complete(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, uint64_t bytes);
void emu_mbarrier_arrive(struct emu_thread *t, struct emu_cta *cta, uint64_t offset, bool pending_up);
/* The place of the object that an operand names: checked for its state space, its alignment and its CTA's life.
 * `window` is the rule of an address outside shared memory. */
void emu_mbarrier_place(struct emu_thread *t, uint16_t space, uint64_t address, const struct ck_rule *window,
                        struct emu_cta **cta, uint64_t *offset);

#endif
// SPDX-License-Identifier: Apache-2.0
