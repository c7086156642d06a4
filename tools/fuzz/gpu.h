/* The first GPU through its driver, as the fuzzing tools use it: one context and one piece of memory in a process. */
#ifndef COPYCHECK_FUZZ_GPU_H
#define COPYCHECK_FUZZ_GPU_H

#include "harness/engines/driver.h"

/* This process's; fuzz_gpu_open makes it. */
extern struct fuzz_gpu {
    struct cu_driver d;
    cu_context context;
    cu_deviceptr memory; /* what the programs work in; 0: not open */
} fuzz_gpu;

/* One launch of a program. */
struct fuzz_launch {
    cu_module module;
    const char *entry;
    struct cu_launch_config config;
    void **parameters;
    void *memory; /* on the host: what the GPU's has before the launch, and after it */
    size_t bytes; /* of it, no more than fuzz_gpu_open was asked for */
};

/* Opens the GPU where it is not open yet, with so many bytes of memory. False with a message where that fails. */
bool fuzz_gpu_open(size_t bytes, char *message, size_t size);

/* Whether the driver's result is an error; the message says then what failed, and the driver's name of the error. */
bool fuzz_gpu_fails(cu_result r, const char *what, char *message, size_t size);

/* Launches it and waits for its end. False with a message: the context may be lost. */
bool fuzz_gpu_run(const struct fuzz_launch *l, char *message, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
