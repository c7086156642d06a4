/* Which rule a conflict breaks, and the finding that says so. */
#ifndef COPYCHECK_EMU_JUDGE_VERDICT_H
#define COPYCHECK_EMU_JUDGE_VERDICT_H

#include "harness/emu/judge/state.h"

/* The access x and the one before it are not ordered: one finding for each access. */
void order_conflict_at(struct order_access *x, const struct order_record *r, uint32_t before);
/* The same of two stores of one value: a remark, unless options.check_same asks for more. */
void order_same_value_at(struct order_access *x, const struct order_record *r);
/* One of them is a write, and the other reads what nobody is to write: they may be ordered. */
void order_not_read_only_at(struct order_access *x, const struct order_record *r);

/* Adds a line to a finding's table: this thread executes this fence, and why it does not help. */
void order_fence_words(const struct order *o, const struct emu_place *who, const struct ptx_instruction *fence,
                       const char *why, char *out, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
