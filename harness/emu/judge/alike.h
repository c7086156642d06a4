/* Lines of the shadow that hold the same. */
#ifndef COPYCHECK_EMU_JUDGE_ALIKE_H
#define COPYCHECK_EMU_JUDGE_ALIKE_H

#include "harness/emu/judge/state.h"

/* Judges an access of all bytes of so many lines, and keeps it. Whether it is known that they hold the same now. */
bool order_lines_access(struct order_access *x, struct order_line *line, unsigned count);
/* The same of all bytes of a page, whose lines may be alike before, and then mostly are behind it. */
void order_page_access(struct order_access *x, struct order_page *p);

#endif
// SPDX-License-Identifier: Apache-2.0
