/* The rules of the catalogue that an instruction breaks which fits no form. */
#ifndef COPYCHECK_EMU_FORMS_RULE_H
#define COPYCHECK_EMU_FORMS_RULE_H

#include "harness/emu/forms/candidate.h"

/* The rule that a candidate breaks after form_match found no form for it, or NULL. */
const struct ck_rule *form_rule(const struct form_candidate *c);
/* The rule that instruction `op` breaks with a modifier that no instruction has (without its dot), or NULL. */
const struct ck_rule *form_unknown_word_rule(uint16_t op, const char *word);

#endif
// SPDX-License-Identifier: Apache-2.0
