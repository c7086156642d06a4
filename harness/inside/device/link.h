/* Several PTX texts as one: what nvlink does with object files. */
#ifndef COPYCHECK_INSIDE_LINK_H
#define COPYCHECK_INSIDE_LINK_H

#include "harness/inside/device/fatbin.h"

/* The texts as one, in which names that only one text knows are told apart. False with a line where that is impossible.
 * The caller frees *out. */
bool link_texts(const struct fatbin *from, char **out, size_t *size, char *error, size_t error_size);

#endif
// SPDX-License-Identifier: Apache-2.0
