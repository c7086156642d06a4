/* The waits for a copy's groups: which of them another thread can build on, and the groups in words. */
#ifndef COPYCHECK_EMU_JUDGE_GROUP_H
#define COPYCHECK_EMU_JUDGE_GROUP_H

#include "harness/emu/judge/state.h"

/* The copy's groups as a table, as far as `thread` of the same cluster knows them; PTX_NO: as the copy's own thread
 * does. */
void order_group_table(const struct order *o, const struct order_flight *f, uint32_t thread, char *out, size_t size);

/* The last wait of the copy's thread for groups of its kind, after the copy's issue, that `thread` of the same cluster
 * comes after; NULL: there is none, or it is forgotten. */
const struct order_wait *order_group_wait_seen(const struct order *o, const struct order_flight *f, uint32_t thread);
/* A wait leaves the group of this number in flight; it came before the group's commit. */
bool order_wait_leaves(const struct order_wait *w, uint32_t group);
bool order_wait_too_early(const struct order_wait *w, uint32_t group);
/* It leaves the group in flight only because operations were not committed that it counts on. */
bool order_wait_lacks_commit(const struct order_wait *w, uint32_t group);
/* No group was committed between the wait and the one before it: the program counts on empty groups. */
bool order_wait_in_tail(const struct order *o, const struct order_flight *f, const struct order_wait *w);
/* The N that the wait should have had. */
void order_group_remedy(const struct order *o, const struct order_flight *f, const struct order_wait *w, char *out,
                        size_t size);

/* A product of a group (from 0) that is in flight: the last wait of its warp, if that wait left the group in flight,
 * and the number that it should have had; else NULL. */
const struct ptx_instruction *order_products_left(const struct order *o, const struct order_products *w, uint32_t group,
                                                  char *remedy, size_t size);
/* The same of what a product has read, by its flight; a remedy too where its group was not committed. */
const struct ptx_instruction *order_product_left(const struct order *o, const struct order_flight *f, char *remedy,
                                                 size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
