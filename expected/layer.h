/* The rules of libcu++, cooperative groups and the pipeline primitives, and the rules of PTX behind them. The emulator
 * sees PTX; where an instruction comes from one of their functions, it says the rule of the layer that the program is
 * written in. */
#ifndef COPYCHECK_LAYER_H
#define COPYCHECK_LAYER_H

#include <stdbool.h>

#include "expected/rule.h"

struct ck_layer {
    const struct ck_rule *rule; /* the rule of the library */
    enum ck_layer_side {
        CK_LAYER_ONE, /* one of the instructions of a finding comes from one of the functions */
        CK_LAYER_BOTH /* both accesses of a finding do */
    } side;
    const char
        *functions;    /* globs over their names, with blanks between them: "cuda::init cuda::barrier::*". Behind a
                        * name there may be the type of one of its parameters: "cuda::memcpy_async(aligned_size_t)" */
    const char *below; /* globs over ids of the rules behind it, with blanks between them; "trap": the function ends the
                        * kernel with a trap */
};

/* Where several rows fit, the first one is said first. The list ends with a row without a rule. */
extern const struct ck_layer ck_layers[];

/* Whether the row is about this rule of PTX; NULL: about a trap. */
bool ck_layer_is_above(const struct ck_layer *l, const struct ck_rule *below);
/* Whether the row names this function; `plain` is its name, `mangled` has its parameters. */
bool ck_layer_has(const struct ck_layer *l, const char *plain, const char *mangled);

#endif
// SPDX-License-Identifier: Apache-2.0
