/* A trace as a program that needs the driver API and nothing of ours. */
#ifndef COPYCHECK_REPRO_PROGRAM_H
#define COPYCHECK_REPRO_PROGRAM_H

#include <stdio.h>

#include "harness/repro/trace.h"

struct program {
    const struct trace *trace;
    const char *index;   /* of the kernels' folder: which file an entry is in */
    const char *comment; /* the first lines, as a comment that is open and closed */
    bool own;            /* what the launches leave is the machine's own, a count or a map's bytes, and not compared */
    int side;            /* of an encode row: 1 to be accepted, -1 to be refused, 0 as it came */
};

/* Writes the program, C and C++ at once, for nvcc or any compiler that finds cuda.h. False where the stream took not
 * all, or an entry is not in the index. */
bool program_write(FILE *to, const struct program *p);

/* The file (without its folder and ending) that a launch's kernel is in; false where the index has none. */
bool program_file(const struct program *p, const struct trace_event *launch, char *file, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
