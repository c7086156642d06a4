/* What is to be judged. */
#ifndef COPYCHECK_LAB_TASK_H
#define COPYCHECK_LAB_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/lab/compile.h"

struct lab_task {
    const struct lab *lab;
    const char *path;
    uint64_t seed;
    enum lab_compiler compiler;
    bool no_links;    /* the file is what somebody hands in: a symbolic link, to a solution say, is none */
    const char *html; /* where a picture of a launch is written to, or NULL */
};

#endif
// SPDX-License-Identifier: Apache-2.0
