/* The CTAs, warps and threads of a cluster. */
#ifndef COPYCHECK_EMU_SCHEDULE_MAKING_H
#define COPYCHECK_EMU_SCHEDULE_MAKING_H

#include "harness/emu/machine/state.h"

/* Where number i is in an extent, x first. */
void emu_place_in(const uint32_t dim[3], uint64_t i, uint32_t out[3]);
/* Makes what the cluster is made of; the threads are about to run `code`. False where memory is short: emu_cluster_free
 * takes what there is. */
bool emu_cluster_make(struct emu_cluster *c, struct emu_image *image, const struct emu_code *code);
void emu_cluster_free(struct emu_cluster *c);

#endif
// SPDX-License-Identifier: Apache-2.0
