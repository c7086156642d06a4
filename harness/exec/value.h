/* The values of options of `copycheck exec` and `copycheck capture`. */
#ifndef COPYCHECK_EXEC_VALUE_H
#define COPYCHECK_EXEC_VALUE_H

#include <stdbool.h>

/* The value of the option at argv[*i], "--name VALUE" or "--name=VALUE"; *i is then that of its last word. NULL where
 * it is another option, or, with *bad true after a line that begins with the command's name, where it has no value. */
const char *exec_value(const char *command, char **argv, int *i, const char *name, bool *bad);

#endif
// SPDX-License-Identifier: Apache-2.0
