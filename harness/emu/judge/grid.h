/* What the clusters of a grid share: copies that were issued, and locations of memory through which threads
 * synchronise. */
#ifndef COPYCHECK_EMU_JUDGE_GRID_H
#define COPYCHECK_EMU_JUDGE_GRID_H

#include "harness/emu/judge/state.h"

struct order_flight *order_flight_new(struct order *o, uint32_t *number);
struct order_flight *order_flight_at(const struct order *o, uint32_t number); /* NULL: forgotten */
struct order_flight *order_flight_mine(const struct order *o, uint32_t i);    /* the cluster's i-th */
void order_flights_end(struct order *o);                                      /* the cluster has ended */
void order_flights_free(struct order_grid *g);                                /* so has the grid */

/* The four bytes at this key, through which threads synchronise; NULL: nobody does, and they are not to be made such.
 */
struct order_flag *order_flag(struct order *o, struct order_flags *flags, uint64_t key, bool make);
void order_flags_free(struct order_flags *flags);

#endif
// SPDX-License-Identifier: Apache-2.0
