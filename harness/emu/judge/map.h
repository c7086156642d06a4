/* Tensor maps in global memory, which copies read through the tensormap proxy. */
#ifndef COPYCHECK_EMU_JUDGE_MAP_H
#define COPYCHECK_EMU_JUDGE_MAP_H

#include "harness/emu/judge/state.h"

struct emu_flight;

/* Events of machine/watch.h. */
void order_map_prefetch(struct emu_thread *t, uint64_t address);
void order_map_use(struct emu_flight *f, uint64_t address);
/* Thread `thread` of the cluster acquires the tensor map at a global address; scope: the word PTX_cta ... */
void order_map_acquire(struct order *o, uint32_t thread, uint64_t address, uint16_t scope);
void order_maps_free(struct order *o);

#endif
// SPDX-License-Identifier: Apache-2.0
