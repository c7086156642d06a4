/* Rules of the self-test: no document has them. SELF makes one; what follows its id are further members of struct
 * ck_rule. */
#ifndef COPYCHECK_SELFTEST_RULES_H
#define COPYCHECK_SELFTEST_RULES_H

#include "harness/ck.h"

#define SELF(symbol, id_, ...) SELF_NEEDS(symbol, id_, "", __VA_ARGS__)
#define SELF_NEEDS(symbol, id_, needs_, ...)                                                                           \
    static const struct ck_rule rule_##symbol = { .id = "selftest." id_,                                               \
                                                  .family = "selftest",                                                \
                                                  .needs = (needs_),                                                   \
                                                  .sentence = "A rule of the self-test.",                              \
                                                  .source = "none",                                                    \
                                                  __VA_ARGS__ };

extern const struct ck_suite face_suite;

#endif
// SPDX-License-Identifier: Apache-2.0
