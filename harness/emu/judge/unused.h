/* What a load takes along and its program does not use. */
#ifndef COPYCHECK_EMU_JUDGE_UNUSED_H
#define COPYCHECK_EMU_JUDGE_UNUSED_H

#include "harness/emu/judge/state.h"

/* Of bytes that the thread's instruction reads, and of which nobody has written all: whether it is a load whose program
 * uses none of the elements that lack a value, or stores them elsewhere as a struct's padding. */
bool order_takes_along(struct order *o, struct emu_thread *t, uint64_t key, uint64_t n);

#endif
// SPDX-License-Identifier: Apache-2.0
