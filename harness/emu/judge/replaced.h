/* Writes that are no longer in the shadow, because another one came after them. */
#ifndef COPYCHECK_EMU_JUDGE_REPLACED_H
#define COPYCHECK_EMU_JUDGE_REPLACED_H

#include "harness/emu/judge/state.h"

/* The access, a store of other bytes, takes these bytes of its line from a weak store that it is ordered after. */
void order_replaced_note(const struct order_access *x, const struct order_span *s, unsigned first, unsigned last);
/* A store that such an access took bytes from in the cell `cell` of the line that x begins in; NULL: none is known. */
const struct order_span *order_replaced_at(const struct order_access *x, unsigned cell);

#endif
// SPDX-License-Identifier: Apache-2.0
