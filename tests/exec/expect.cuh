// A program says each line where it did not get what the documents promise, and ends with the number of them.
#pragma once
#include <cstdio>
#include <cstring>

static int failures;

#define EXPECT(what)                                                                                                   \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                                                  \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)
// A call, and the error that it gives.
#define GIVES(call, error)                                                                                             \
    do {                                                                                                               \
        const cudaError_t given = (call);                                                                              \
        if (given != (error)) {                                                                                        \
            printf("%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(given));                        \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)
#define FINE(call) GIVES(call, cudaSuccess)

static inline int end_of_test()
{
    printf("%s\n", failures ? "FAILED" : "passed");
    return failures != 0;
}
// SPDX-License-Identifier: Apache-2.0
