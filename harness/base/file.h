/* Files opened for reading, without waiting for ever. */
#ifndef COPYCHECK_BASE_FILE_H
#define COPYCHECK_BASE_FILE_H

#include <stdio.h>

/* Opens a file for reading; "-" is standard input. A FIFO is waited for until somebody writes to it, for 10 s at
 * most. NULL, with the reason in *why. */
FILE *ck_file_open(const char *path, const char **why);
/* Closes it, unless it is standard input. */
void ck_file_close(FILE *file);

#endif
// SPDX-License-Identifier: Apache-2.0
