/* Operands compared with what a form asks for. */
#ifndef COPYCHECK_EMU_FORMS_OPERAND_H
#define COPYCHECK_EMU_FORMS_OPERAND_H

#include "harness/emu/forms/candidate.h"
#include "harness/emu/forms/compile.h"

/* Whether the candidate has as many operands as the form asks for, and each fits; else false through form_fail. */
bool form_operands(struct form_candidate *c, const struct grammars *all, const struct grammar *g);

#endif
// SPDX-License-Identifier: Apache-2.0
