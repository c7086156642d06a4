/* What is to be judged. */
#ifndef COPYCHECK_LAB_TASK_H
#define COPYCHECK_LAB_TASK_H

#include <stdint.h>

#include "harness/lab/compile.h"

struct lab_task {
    const struct lab *lab;
    const char *path;
    uint64_t seed;
    enum lab_compiler compiler;
    const char *html; /* where a picture of a launch is written to, or NULL */
};

#endif
