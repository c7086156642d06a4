/* The shared memory of other CTAs. */
#ifndef COPYCHECK_EMU_JUDGE_PEER_H
#define COPYCHECK_EMU_JUDGE_PEER_H

#include "harness/emu/judge/state.h"

/* A thread accesses the shared memory of another CTA; what of that was not over when its CTA ended. */
void order_peer_access(struct order *o, uint32_t thread, uint32_t at, uint32_t rank, bool mbarrier);
void order_check_peers(struct order *o);

#endif
// SPDX-License-Identifier: Apache-2.0
