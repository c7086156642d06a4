/* Weak reads of what another thread has written before, and others may have read since. */
#ifndef COPYCHECK_EMU_JUDGE_READS_H
#define COPYCHECK_EMU_JUDGE_READS_H

#include "harness/emu/judge/state.h"

/* Enters a read of bytes of a line, which have all been written; `key` is theirs. False: nothing was done, and it is to
 * be judged by order_touch_as. */
bool order_read_on(const struct order *o, const struct order_record *now, struct order_line *line, uint64_t key,
                   unsigned first, unsigned last);

#endif
// SPDX-License-Identifier: Apache-2.0
