/* What ptxas takes and the PTX ISA does not have: instructions that break a rule of their form, and assemble. */
#ifndef COPYCHECK_EMU_FORMS_LAX_H
#define COPYCHECK_EMU_FORMS_LAX_H

#include "harness/emu/forms/candidate.h"

/* Whether ptxas takes operand k (from 0) of the candidate for this reason, which is then the candidate's; always false
 * where the candidate is to be as the PTX ISA has it. */
bool form_lax(struct form_candidate *c, enum ptx_laxity laxity, unsigned k);

/* The same of element `e` of operand k, a vector whose elements are to be of this type: of one that is read if
 * `source`. */
bool form_lax_element(struct form_candidate *c, const struct ptx_operand *vector, const struct ptx_operand *e,
                      unsigned k, uint16_t type, bool source);

/* The same of operand `o` in place of a register or constant of this type that is read. `constant`: constants are
 * allowed there; `own`: the type is one of the instruction's. */
bool form_lax_source(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type, bool constant,
                     bool own);

/* The same of a vector in place of one register of this type, which is read if `source`. */
bool form_lax_vector(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type, bool source);

/* Whether ptxas takes the candidate without this word. */
bool form_lax_missing(struct form_candidate *c, uint16_t word);

/* Takes words that ptxas ignores out of the words of an instruction, `count` of them at `words`, which it changes. The
 * reason of the first one, LAX_NONE if there is none. */
enum ptx_laxity form_lax_words(const struct ptx_instruction *i, uint16_t *words, unsigned *count);

/* Whether an instruction that was taken for this reason does what it does without it. */
bool form_lax_runs(enum ptx_laxity laxity);

/* One line about the first instruction of the module that ptxas alone takes, and its source line; NULL if there is
 * none. */
const char *form_remark(const struct ptx_module *m, int *line);

#endif
// SPDX-License-Identifier: Apache-2.0
