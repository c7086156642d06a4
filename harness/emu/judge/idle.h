/* Releases by atomics that leave the value as it was. */
#ifndef COPYCHECK_EMU_JUDGE_IDLE_H
#define COPYCHECK_EMU_JUDGE_IDLE_H

#include "harness/emu/judge/state.h"

/* The thread releases to the location by such an atomic. False: that counts at once, since too many others are kept. */
bool order_idle_note(struct order *o, struct order_flag *f, uint32_t thread, bool relaxed, enum order_scope scope);
/* The thread accesses the location: those that it knows of, by whatever means, count from now on. changes: it writes
 * another value, with which its own count too. */
void order_idle_heed(struct order *o, struct order_flag *f, uint32_t thread, bool changes);
/* None of them can be acquired any more. */
void order_idle_drop(struct order_flag *f);
/* What the thread has seen of locations, made if it is not there. NULL: there is no memory. */
struct order_looked *order_looked_of(struct order *o, uint32_t thread);

#endif
// SPDX-License-Identifier: Apache-2.0
