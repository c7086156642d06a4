// Programs that call one function after the other and print a line for each: the call, and what it gives. The lines
// hold no addresses and no times, so that those of the emulated device can be compared with a GPU's, line by line.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

// Some calls with NULL make a GPU's driver crash. Where its answers are recorded (tools/record-answers), such a call
// has died, or one that takes five seconds, and the program goes on.
#ifdef GUARDED
#include <csetjmp>
#include <csignal>
#include <unistd.h>

static sigjmp_buf guard;

static void leave(int)
{
    alarm(0);
    siglongjmp(guard, 1);
}

static bool set_guard()
{
    static char stack[1 << 16];
    stack_t other = {};
    struct sigaction how = {};

    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    sigaltstack(&other, NULL);
    how.sa_handler = leave;
    how.sa_flags = SA_NODEFER | SA_ONSTACK;
    for (int signal : { SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM })
        sigaction(signal, &how, NULL);
    return true;
}

[[maybe_unused]] static const bool guarded = set_guard();
#define DIED           sigsetjmp(guard, 1)
#define LIMIT(seconds) alarm(seconds)
#else
#define DIED false
#define LIMIT(seconds)
#endif

// A call of the runtime, and of the driver.
#define A(call)                                                                                                        \
    do {                                                                                                               \
        if (DIED) {                                                                                                    \
            printf("%s: died\n", #call);                                                                               \
            break;                                                                                                     \
        }                                                                                                              \
        LIMIT(5);                                                                                                      \
        const cudaError_t error_ = (call);                                                                             \
        LIMIT(0);                                                                                                      \
        printf("%s: %s\n", #call, cudaGetErrorName(error_));                                                           \
        cudaGetLastError();                                                                                            \
    } while (0)
#define D(call)                                                                                                        \
    do {                                                                                                               \
        const char *name_ = "?";                                                                                       \
        if (DIED) {                                                                                                    \
            printf("%s: died\n", #call);                                                                               \
            break;                                                                                                     \
        }                                                                                                              \
        LIMIT(5);                                                                                                      \
        cuGetErrorName(call, &name_);                                                                                  \
        LIMIT(0);                                                                                                      \
        printf("%s: %s\n", #call, name_);                                                                              \
    } while (0)
// A number, or whether something is so.
#define N(value) printf("    %s = %lld\n", #value, (long long)(value))

[[maybe_unused]] __global__ static void fault(int *nowhere)
{
    *nowhere = 1;
}

// Whether the program is to see what all its calls give after a kernel has ended with an error.
[[maybe_unused]] static bool begin_of_answers(int argc, char **argv)
{
    const bool faulty = argc > 1 && !strcmp(argv[1], "fault");

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (faulty) {
        fault<<<1, 1>>>(NULL);
        A(cudaDeviceSynchronize());
    }
    return faulty;
}
// Whether a part of the program runs: all do, unless a number is given.
[[maybe_unused]] static bool is_wanted(int argc, char **argv, size_t part)
{
    return argc < 3 || (size_t)atoi(argv[2]) == part;
}
// SPDX-License-Identifier: Apache-2.0
