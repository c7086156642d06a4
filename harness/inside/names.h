/* The names of the functions of the runtime API, sorted: build/inside/names.c, which is made from runtime/names. */
#ifndef COPYCHECK_INSIDE_NAMES_H
#define COPYCHECK_INSIDE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

extern const char *const names_of_runtime[];
extern const size_t names_count;

/* Whether the program's own runtime is that of toolkit 12: set before the program starts. */
extern bool names_of_12;

/* What the functions do that are in the lists of names and in no file here: says that it is missing. */
int missing(const char *name);
/* The same of a library that computes (inside/libraries): it returns CUBLAS_STATUS_NOT_SUPPORTED. */
int missing_of_library(const char *name);

#endif
// SPDX-License-Identifier: Apache-2.0
