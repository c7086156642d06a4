/* Which patterns can be in a window together, and in which order a watcher is told of them: tried_memory.c. */
#ifndef COPYCHECK_EMU_SCHEDULE_TRIED_PAIRS_H
#define COPYCHECK_EMU_SCHEDULE_TRIED_PAIRS_H

#include "harness/emu/machine/pattern.h"

bool emu_patterns_go_together(const struct emu_pattern *a, const struct emu_pattern *b, bool watched);
/* Sorts n patterns; `sorted` has room for as many. What it returns may be `of`, or NULL: no order is that of turns. */
const struct emu_pattern *emu_patterns_sorted(const struct emu_pattern *of, uint32_t n, struct emu_pattern *sorted);

#endif
// SPDX-License-Identifier: Apache-2.0
