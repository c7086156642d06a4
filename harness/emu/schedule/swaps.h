/* The swaps of a launch, collected from its clusters. */
#ifndef COPYCHECK_EMU_SCHEDULE_SWAPS_H
#define COPYCHECK_EMU_SCHEDULE_SWAPS_H

#include <stdint.h>

#include "harness/emu/machine/swap.h"

/* Clusters that are looked at. Swaps within one cluster, at most: their numbers are lower than of those between two. */
enum { EMU_SWAPS_CLUSTERS = 64, EMU_SWAPS_OF_CLUSTER = 1024 };

/* Adds one. */
void emu_swaps_take(struct emu_swaps *s, const struct emu_swap *swap);

/* All clusters begin again; they have ended: the swaps between clusters are added, and those put first that show most.
 */
void emu_swaps_begin(struct emu_swaps *s);
void emu_swaps_end(struct emu_swaps *s, uint64_t clusters);

#endif
// SPDX-License-Identifier: Apache-2.0
