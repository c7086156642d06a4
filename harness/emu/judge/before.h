/* When two accesses are ordered: docs/order.md. */
#ifndef COPYCHECK_EMU_JUDGE_BEFORE_H
#define COPYCHECK_EMU_JUDGE_BEFORE_H

#include "harness/emu/judge/state.h"

/* Whether the thread knows that the copy is done: with its writes, or only with reading its source. */
bool order_flight_known(const struct order *o, const struct order_flight *f, uint32_t thread, enum order_view view,
                        bool wrote);
/* Of `count` accesses that are alike, by r->who, r->who + step ...: how many, from the first on, are ordered before x.
 */
uint32_t order_ordered(const struct order_access *x, const struct order_record *r, int step, uint32_t count);
/* PTX ISA, Morally strong operations: both are strong, and the scope of each includes the other's thread. */
bool order_morally_strong(const struct order *o, const struct order_record *a, const struct order_record *b);
bool order_both_strong(const struct order_access *x, const struct order_record *r);
/* Both are ordinary stores by one instruction, and x finds the bytes there that it stores. The last of all ordinary
 * writes that have not been ordered is what memory holds, so r stored them. */
bool order_same_store(const struct order_access *x, const struct order_record *r);
/* Lanes of one warp: where they store to one place by one instruction, one of the stores is done. CUDA Programming
 * Guide, SIMT Architecture. */
bool order_same_warp(const struct order_access *x, const struct order_record *r);

#endif
// SPDX-License-Identifier: Apache-2.0
