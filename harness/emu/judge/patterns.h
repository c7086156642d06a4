/* What lanes of a warp access together, judged at once. judge.c includes it. */
#ifndef COPYCHECK_EMU_JUDGE_PATTERNS_H
#define COPYCHECK_EMU_JUDGE_PATTERNS_H

#include "harness/emu/judge/state.h"
#include "harness/emu/machine/pattern.h"

/* The event `patterns` of machine/watch.h. */
bool order_patterns(struct emu_thread *lanes, const struct emu_pattern *of, uint32_t n);

#endif
// SPDX-License-Identifier: Apache-2.0
