/* A line of the shadow: judges accesses of its bytes, and keeps them. */
#ifndef COPYCHECK_EMU_JUDGE_LINE_H
#define COPYCHECK_EMU_JUDGE_LINE_H

#include "harness/emu/judge/state.h"

/* Judges an access of bytes first to last of a line, and keeps it. It takes ORDER_OF_LINE, or more. */
void order_line_access(struct order_access *x, struct order_line *line, unsigned first, unsigned last);
/* Tells the writes of these bytes that are kept: accesses that are alike, as in order_ordered, and their bytes. */
typedef void order_tell(void *context, const struct order_record *r, int step, uint32_t count, unsigned first,
                        unsigned last);
void order_line_writes(struct order_line *line, unsigned first, unsigned last, order_tell *tell, void *context);

#endif
// SPDX-License-Identifier: Apache-2.0
