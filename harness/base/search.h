/* Where other programs are. */
#ifndef COPYCHECK_BASE_SEARCH_H
#define COPYCHECK_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* The first program of this name in the folders of PATH; with `absolute` only in those with an absolute name, for a
 * program that will run in another folder. False where there is none; `path` is then of no use. */
bool ck_on_search_path(const char *name, bool absolute, char *path, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
