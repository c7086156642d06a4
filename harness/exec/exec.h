/* `copycheck exec`: runs a CUDA program with the emulated device in place of a GPU, and reports what its kernels break.
 */
#ifndef COPYCHECK_EXEC_H
#define COPYCHECK_EXEC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum exec_format { EXEC_TEXT, EXEC_JSONL, EXEC_SARIF, EXEC_GCC, EXEC_GITHUB };

struct exec_args {
    char **program;  /* its name and arguments; ends with NULL */
    const char *log; /* the file that findings go to; NULL: standard error */
    enum exec_format format;
    int error_status;   /* where a rule was broken */
    char settings[600]; /* for the library inside the program: channel.h */
    bool help;
};

/* What came out of a run. */
struct exec_result {
    uint64_t findings, remarks, not_run, missing, launches, judged, instructions, again;
    bool signalled;
    int status; /* the program's exit status, or the signal that ended it */
};

extern const char exec_help[];
/* False after one line that says what is wrong. */
bool exec_read(int argc, char **argv, struct exec_args *out);
/* Runs the program to its end. False after one line: it could not be run at all. */
bool exec_run(const struct exec_args *args, FILE *to, struct exec_result *out);

#endif
// SPDX-License-Identifier: Apache-2.0
