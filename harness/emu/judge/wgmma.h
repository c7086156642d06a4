/* wgmma: machine/watch.h has the events. */
#ifndef COPYCHECK_EMU_JUDGE_WGMMA_H
#define COPYCHECK_EMU_JUDGE_WGMMA_H

#include "harness/emu/copies/flight.h"
#include "harness/emu/judge/state.h"

void order_wgmma(struct emu_thread *const *lanes, const struct emu_op *op, struct emu_flight *f);
void order_wgmma_registers(struct emu_thread *t, const struct emu_op *op);
void order_wgmma_end(struct order *o); /* the cluster is over */
void order_wgmma_free(struct order *o);

#endif
// SPDX-License-Identifier: Apache-2.0
