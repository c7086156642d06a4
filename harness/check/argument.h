/* One --arg as text: a value, a struct's bytes, a buffer, a map, a place in a buffer. */
#ifndef COPYCHECK_CHECK_ARGUMENT_H
#define COPYCHECK_CHECK_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/check/check.h"

/* Reads a->spec into *a, which is zero else; *name is what map: and at: name, NULL with others. False with what is
 * wrong in `error`; a->data is the caller's to free in either case. */
bool check_argument_read(struct check_arg *a, const char **name, char *error, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
