/* Copies and their groups: what they order. machine/watch.h has the events. */
#ifndef COPYCHECK_EMU_JUDGE_COPIES_H
#define COPYCHECK_EMU_JUDGE_COPIES_H

#include "harness/emu/copies/flight.h"
#include "harness/emu/judge/state.h"
#include "harness/emu/machine/watch.h"

void order_copy_issued(struct emu_flight *f);
void order_copy_signals(struct emu_flight *f, struct emu_cta *cta, uint64_t offset);
void order_group_commit(struct emu_thread *t, bool bulk);
void order_group_wait(struct emu_thread *t, const struct emu_group_wait *wait);

#endif
// SPDX-License-Identifier: Apache-2.0
