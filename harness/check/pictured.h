/* The picture of a schedule. launches.c includes it. */
#ifndef COPYCHECK_CHECK_PICTURED_H
#define COPYCHECK_CHECK_PICTURED_H

#include <stdio.h>

#include "harness/check/check.h"
#include "harness/picture/picture.h"

/* The schedule that is shown: the one that was asked for; else the first one that shows the leading finding; else 0. */
unsigned check_pictured(const struct check_args *args, const struct check_result *result);

/* Folds what this schedule has shown, and writes its picture. False after a line that says why not. */
bool check_picture(const struct check_args *args, const struct ptx_module *m, const struct picture_log *log,
                   unsigned number, struct check_result *shown, FILE *to);

#endif
// SPDX-License-Identifier: Apache-2.0
