/* What tests of the gpu and jit engines have in common: a folder of kernels, and processes of their own in which a
 * driver without a device (tests/unit/fake/cuda.c) is the CUDA driver. */
#ifndef COPYCHECK_TESTS_GPU_APART_H
#define COPYCHECK_TESTS_GPU_APART_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/copycheck_gpu_XXXXXX";
static char library[256], old_library[256];

static void put(const char *name, const char *text)
{
    char path[256];
    FILE *to;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    fclose(to);
}

static int set_up(void **state)
{
    const char *build = getenv("BUILD");

    (void)state;
    snprintf(library, sizeof library, "%s/fake/libcuda.so.1", build ? build : "build");
    snprintf(old_library, sizeof old_library, "%s/fake-old/libcuda.so.1", build ? build : "build");
    if (!mkdtemp(folder))
        return -1;
    put("index", "# toolkit 13.0.88\ncopy good\nfault good\nrefused good\nabsent good\nelsewhere gone\nnever refused\n"
                 "misspelt wrong\n");
    put("good.cubin", "copy fault refused");
    put("good.ptx", "// copy fault refused");
    put("wrong.ptx", "wrong");
    put("refused.cubin", "REFUSED");
    return 0;
}

static int clean_up(void **state)
{
    char line[128];

    (void)state;
    snprintf(line, sizeof line, "rm -r %s", folder);
    return system(line);
}

/* Runs a test in a process of its own: a driver stays as it was first seen. */
static void apart(void (*test)(void), const char *what, const char *path)
{
    int status;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        setenv("FAKE_CUDA", what, 1);
        /* A library that is open under this name is what the engines get. */
        if (path && !dlopen(path, RTLD_NOW | RTLD_GLOBAL)) {
            fprintf(stderr, "%s\n", dlerror());
            _exit(9);
        }
        test();
        ck_engines_done(); /* removes the scratch folder */
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        fail_msg("%s: status 0x%x", what, (unsigned)status);
}

/* In a child an assertion of cmocka has nowhere to go. */
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            _exit(1);                                                                                                  \
        }                                                                                                              \
    } while (0)

#endif
// SPDX-License-Identifier: Apache-2.0
