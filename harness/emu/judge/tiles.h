/* Reads of swizzled tiles as if they were not, with options.check_swizzle. */
#ifndef COPYCHECK_EMU_JUDGE_TILES_H
#define COPYCHECK_EMU_JUDGE_TILES_H

#include "harness/emu/judge/state.h"

/* Tile loads and what overwrites them, and reads of them by threads; what
 * they look like when the cluster has ended. `address` is an offset in the CTA's shared memory. */
struct order_tiles *order_tiles_new(void);
void order_tiles_copy(struct order *o, const struct order_flight *f, uint64_t address, uint64_t n);
void order_tiles_access(struct order *o, const struct emu_thread *t, const struct emu_cta *cta, uint64_t address,
                        uint64_t n, bool writes);
void order_tiles_end(struct order *o);
void order_tiles_free(struct order_tiles *tiles);

#endif
// SPDX-License-Identifier: Apache-2.0
