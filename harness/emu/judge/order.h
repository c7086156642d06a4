/* Accesses, barriers and fences: what they order. machine/watch.h has the events; those about a thread return at once
 * where the order checker is off. */
#ifndef COPYCHECK_EMU_JUDGE_ORDER_H
#define COPYCHECK_EMU_JUDGE_ORDER_H

#include "harness/emu/judge/state.h"
#include "harness/emu/machine/address.h"

void order_memory(struct emu_thread *t, uint16_t space, struct emu_cta *cta, uint64_t address, uint64_t n,
                  enum emu_access access);
void order_meet(struct emu_thread *const *threads, uint32_t count);
void order_converge(struct emu_thread *const *threads, uint32_t count);
void order_bar_arrive(struct emu_thread *t, uint64_t number);
void order_bar_complete(struct emu_thread *t, uint64_t number);
void order_bar_wait(struct emu_thread *t, uint64_t number);
void order_bar_arrive_lanes(struct emu_thread *lanes, uint32_t set, uint64_t number);
void order_bar_wait_lanes(struct emu_thread *lanes, uint32_t set, uint64_t number);
void order_cluster_arrive(struct emu_thread *t, bool relaxed);
void order_cluster_complete(struct emu_cluster *c);
void order_cluster_wait(struct emu_thread *t);
void order_slept(struct emu_thread *t);
void order_fence_by(struct emu_thread *t, const struct ptx_instruction *i);
void order_fence_init(struct emu_thread *t);
void order_proxy_fence(struct emu_thread *t, const struct ptx_instruction *i, uint64_t address);

#endif
// SPDX-License-Identifier: Apache-2.0
