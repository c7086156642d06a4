/* Weak loads and stores of one value: the common case. */
#ifndef COPYCHECK_EMU_JUDGE_FIRSTS_H
#define COPYCHECK_EMU_JUDGE_FIRSTS_H

#include "harness/emu/judge/state.h"
#include "harness/emu/machine/address.h"

/* Events of machine/watch.h. They also tell the lives of mbarriers. */
void order_load(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n);
void order_store(struct emu_thread *t, uint32_t at, struct emu_cta *cta, uint64_t address, unsigned n,
                 enum emu_access access);

#endif
// SPDX-License-Identifier: Apache-2.0
