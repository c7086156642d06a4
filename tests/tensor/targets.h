/* Rows of an assembler that ask which targets take an instruction, each under the lowest PTX version that knows both
 * the target and the instruction. */
#ifndef COPYCHECK_TESTS_TENSOR_TARGETS_H
#define COPYCHECK_TESTS_TENSOR_TARGETS_H

#include "harness/ck.h"

/* A row that asks targets of one PTX version. */
#define ON(form, what, ptx, yes, no, text)                                                                             \
    {                                                                                                                  \
        CK_RULE(form), .name = what, .version = ptx, .target = "$", .accept = yes, .refuse = no, .assemble = text      \
    }

/* Forms that every target from sm_90 on takes, from PTX version `first` on. */
#define EVERYWHERE(rule, what, first, text)                                                                            \
    ON(rule, what "-" first, first, "sm_90|sm_90a", "sm_80|sm_89", text),                                              \
        ON(rule, what "-8.6", "8.6", "sm_100|sm_100a", "sm_89", text),                                                 \
        ON(rule, what "-8.7", "8.7", "sm_120|sm_120a", "sm_89", text),                                                 \
        ON(rule, what "-8.8", "8.8", "sm_100f|sm_103|sm_103a|sm_103f|sm_120f|sm_121a", "sm_89", text),                 \
        ON(rule, what "-9.0", "9.0", "sm_110|sm_110a|sm_110f", "sm_89", text)

#endif
// SPDX-License-Identifier: Apache-2.0
