/* What a rule alone says about a finding that breaks it. findings.c and mbarriers include it. */
#ifndef COPYCHECK_EMU_MACHINE_REMEDY_H
#define COPYCHECK_EMU_MACHINE_REMEDY_H

#include "expected/rule.h"

/* What to do about a broken rule, one line; "" where only the situation says it. */
const char *emu_remedy(const struct ck_rule *rule);
/* The rule of another family that says the same, or NULL. */
const struct ck_rule *emu_twin(const struct ck_rule *rule);

#endif
// SPDX-License-Identifier: Apache-2.0
