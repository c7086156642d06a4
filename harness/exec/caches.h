/* What compilers in Python keep in files: under `copycheck exec` they compile for a device that runs PTX. */
#ifndef COPYCHECK_CACHES_H
#define COPYCHECK_CACHES_H

#include <limits.h>
#include <stdbool.h>

struct exec_caches {
    char triton[PATH_MAX]; /* the folder of Triton's cache, which ends with the program; "" where the user has one */
};

/* Makes what the program needs. */
void exec_caches_begin(struct exec_caches *c);
/* In the child: the variables of the environment that name it, unless the user has set them. `folder` is that of the
 * libraries of exec. */
bool exec_caches_name(const struct exec_caches *c, const char *folder);
/* Takes it away. */
void exec_caches_end(const struct exec_caches *c);

#endif
// SPDX-License-Identifier: Apache-2.0
