/* What the grammar of a row cannot express: functions for ptx_form.extra that several tables use. */
#ifndef COPYCHECK_EMU_FORMS_EXTRA_H
#define COPYCHECK_EMU_FORMS_EXTRA_H

#include "harness/emu/forms/candidate.h"

/* No operand is a part of a vector register. ptxas 13.5 crashes or misreads the text where one is, in instructions that
 * it takes apart. */
bool form_whole(struct form_candidate *c);
/* .popc comes right behind .and or .xor. */
bool form_popc(struct form_candidate *c);
/* A memory order comes with a scope, and a scope with a memory order. */
bool form_ordered(struct form_candidate *c);
/* The callee, arguments and results of a call fit its signature. */
bool form_call(struct form_candidate *c);
/* The targets of brx.idx are labels. */
bool form_branch_targets(struct form_candidate *c);

#endif
// SPDX-License-Identifier: Apache-2.0
