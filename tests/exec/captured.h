// What the programs share of which `copycheck capture` keeps launches: a call that fails ends them.
#ifndef COPYCHECK_TESTS_CAPTURED_H
#define COPYCHECK_TESTS_CAPTURED_H

#include <cuda.h>

#include <cstdio>
#include <cstdlib>

static void held(CUresult result, const char *what)
{
    const char *name = "?";

    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorName(result, &name);
    printf("%s: %s\n", what, name);
    exit(1);
}
#define OK(call) held(call, #call)

#endif
// SPDX-License-Identifier: Apache-2.0
