/* The kernel that is launched, and the extents of its launch. launches.c includes it. */
#ifndef COPYCHECK_CHECK_ENTRY_H
#define COPYCHECK_CHECK_ENTRY_H

#include "harness/check/check.h"

/* Completes the launch's extents from the kernel's directives, 1 where nobody gives one. False after a line that says
 * where they contradict one another, or what no launch may have. */
bool check_extents(struct check_args *args, const struct ptx_function *f);

#endif
// SPDX-License-Identifier: Apache-2.0
