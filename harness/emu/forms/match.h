/* An instruction compared with the rows of the instruction table. */
#ifndef COPYCHECK_EMU_FORMS_MATCH_H
#define COPYCHECK_EMU_FORMS_MATCH_H

#include "harness/emu/forms/candidate.h"

/* The number of the first form that the candidate c->i fits; 0 where none does, and c->best, c->message and c->column
 * say why. */
uint16_t form_match(struct form_candidate *c);

/* The same of an instruction that fits none, by all that ptxas takes besides; c->laxity says what that is. `i` is c->i,
 * and `words` are its words: those that ptxas ignores are taken out if that makes it fit. */
uint16_t form_match_lenient(struct form_candidate *c, struct ptx_instruction *i, uint16_t *words);

#endif
// SPDX-License-Identifier: Apache-2.0
