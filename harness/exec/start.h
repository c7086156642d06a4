/* How a program is started with a library of ours before it. */
#ifndef COPYCHECK_EXEC_START_H
#define COPYCHECK_EXEC_START_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether the loader finds libraries in a folder that LD_LIBRARY_PATH lists; false after a line, which begins with the
 * command's name. */
bool exec_folder_fits(const char *command, const char *folder);
/* Puts a folder or file before what an environment variable lists; false where there is no memory. */
bool exec_put_before(const char *variable, const char *first);
/* In the child: becomes the program. What fails is written to `failed`, as an errno. */
_Noreturn void exec_become(char **program, int failed);
/* In the parent: whether the program was started; false after a line, which begins with the command's name. */
bool exec_started(const char *command, const char *program, int failed);

#endif
// SPDX-License-Identifier: Apache-2.0
