/* Files that are whole or as they were: written without a name, where the file system has such files, else beside their
 * place, and renamed. Nothing is left of a program that is killed while it writes a file without a name. */
#ifndef COPYCHECK_BASE_WHOLE_H
#define COPYCHECK_BASE_WHOLE_H

#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    FILE *to;
    char place[4096];
    char part[4096 + 32]; /* the file beside it */
    bool nameless;        /* until it is whole, that one has no name */
    bool direct;          /* what is no ordinary file (a pipe, a terminal) is written to */
};

/* Opens a file for writing; a symbolic link to a file stays one. False with errno: ENXIO where nobody reads a FIFO. */
bool whole_open(struct whole_file *file, const char *path);
/* Closes it. With `keep` it takes its place; otherwise, or where something could not be written, what was there before
 * stays. False with errno where the file could not be kept. */
bool whole_close(struct whole_file *file, bool keep);

#endif
// SPDX-License-Identifier: Apache-2.0
