/* Findings in the words of a lab: the student's lines first. */
#ifndef COPYCHECK_LAB_FINDING_H
#define COPYCHECK_LAB_FINDING_H

#include "harness/check/check.h"
#include "harness/lab/verdict.h"

/* Writes what leads among the findings of a launch, without remarks or nothing else, and notes the rules. Returns how
 * many it wrote. */
unsigned lab_tell_findings(FILE *to, const struct lab_submission *s, const struct ptx_module *m,
                           const struct check_result *r, bool remarks, struct lab_verdict *v);

#endif
// SPDX-License-Identifier: Apache-2.0
