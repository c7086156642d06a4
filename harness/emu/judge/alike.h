/* Lines of the shadow that hold the same. */
#ifndef COPYCHECK_EMU_JUDGE_ALIKE_H
#define COPYCHECK_EMU_JUDGE_ALIKE_H

#include "harness/emu/judge/state.h"

/* Of so many lines, how many from the first on hold what x->before does: they hold x->after now, and where the access
 * is a write, all their bytes have been written. */
unsigned order_lines_alike(const struct order_access *x, struct order_line *line, unsigned count);

#endif
// SPDX-License-Identifier: Apache-2.0
