/* Copies that nobody waited for, when a cluster has ended. */
#ifndef COPYCHECK_EMU_JUDGE_EXIT_H
#define COPYCHECK_EMU_JUDGE_EXIT_H

#include "harness/emu/judge/state.h"

void order_check_exit(struct order *o);

#endif
// SPDX-License-Identifier: Apache-2.0
