/* What a kernel prints, apart from what copycheck says of it. */
#ifndef COPYCHECK_PRINTED_H
#define COPYCHECK_PRINTED_H

#include <stdio.h>

/* A stream for a kernel's printf. Each line of it goes to `to` with "kernel: " in front, and with '?' for what a
 * terminal would obey (base/clean.h): a kernel cannot forge a verdict. fclose puts out a last line that has no end.
 * NULL, with errno, where there is no memory for it. */
FILE *check_printed_open(FILE *to);

#endif
// SPDX-License-Identifier: Apache-2.0
