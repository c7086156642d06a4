/* Lines that several patterns touch: patterns.c. */
#ifndef COPYCHECK_EMU_JUDGE_MIXED_H
#define COPYCHECK_EMU_JUDGE_MIXED_H

#include "harness/emu/judge/state.h"
#include "harness/emu/machine/pattern.h"

/* Whether any pattern may touch an mbarrier. */
bool order_patterns_near(const struct emu_pattern *of, uint32_t n);
/* Whether a read of a list of n spans might be taken out of it by another thread's: where there are many, those that
 * come before it are, and this one may, since its threads have released what they did by then. */
bool order_is_passed(const struct order *o, const struct order_span *s, uint16_t n);
/* A lane's accesses of a pattern, one by one. */
void order_pattern_lane(struct emu_thread *lanes, const struct emu_pattern *of, uint32_t lane);
/* Enters accesses of such lines, lane by lane, until a line is taken apart; done[i]: which lanes' of pattern i were. */
void order_mixed(struct order *o, struct emu_thread *lanes, const struct emu_pattern *of, uint32_t n, uint32_t *done);

#endif
// SPDX-License-Identifier: Apache-2.0
