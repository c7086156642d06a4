/* From what an assembler says to the rule that was broken. */
#ifndef COPYCHECK_MESSAGE_H
#define COPYCHECK_MESSAGE_H

#include "expected/rule.h"

/* The rule that an assembler's refusal is about, or NULL where nothing says which. `statement` is the refused statement
 * as ck_text_statement gives it; `message` is without decoration. */
const struct ck_rule *ck_message_rule(const char *statement, const char *message);

#endif
