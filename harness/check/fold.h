/* Findings that are one mistake, folded under the first of them. launches.c includes it. */
#ifndef COPYCHECK_CHECK_FOLD_H
#define COPYCHECK_CHECK_FOLD_H

#include "harness/check/check.h"

/* Settles which findings lead, sets role, leader and result->leaders, and puts each leader in front of its own. False:
 * out of memory, and nothing was moved. */
bool check_fold(struct check_result *r, const struct ptx_module *m);

#endif
// SPDX-License-Identifier: Apache-2.0
