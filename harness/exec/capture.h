/* `copycheck capture`: runs a program on its GPU, and writes one of its launches to a file. */
#ifndef COPYCHECK_EXEC_CAPTURE_H
#define COPYCHECK_EXEC_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

struct capture_args {
    char **program;
    const char *output, *name; /* the file; text in the kernel's name, NULL: any */
    uint64_t skip, most;       /* launches of that name that are passed over; bytes of memory that a capture may have */
    bool help;
};

extern const char capture_help[];
/* False after one line that says what is wrong. */
bool capture_args_read(int argc, char **argv, struct capture_args *out);
/* Runs the program; returns its exit status, or 2 after a line: it could not be run, or nothing was captured. */
int capture_run(const struct capture_args *args);

#endif
// SPDX-License-Identifier: Apache-2.0
