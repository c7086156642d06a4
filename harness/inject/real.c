/* The driver's own library, and its functions. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/inject/inject.h"

/* Filled by names.S's table: the driver's own functions, in the order of their names. */
extern void *inject_table[] __attribute__((visibility("hidden")));
extern const char *const inject_names[] __attribute__((visibility("hidden")));
extern const size_t inject_count __attribute__((visibility("hidden")));

static void *driver;

static CUresult absent(void)
{
    return CUDA_ERROR_NOT_FOUND;
}

__attribute__((constructor)) static void open_driver(void)
{
    const char *from = getenv(INJECT_VARIABLE), *path = from ? strstr(from, "driver=") : NULL;
    char name[4096] = "";

    if (path)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(path + 7, "\n"), path + 7);
    if (*name) /* the empty name is the program's, which has the functions of this library */
        driver = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!driver)
        fprintf(stderr, "copycheck: capture: %s cannot be opened\n", *name ? name : "the driver");
    for (size_t i = 0; i < inject_count; i++) {
        inject_table[i] = driver ? dlsym(driver, inject_names[i]) : NULL;
        if (!inject_table[i])
            *(CUresult(**)(void)) & inject_table[i] = absent;
    }
}

void *inject_real(const char *name)
{
    return driver ? dlsym(driver, name) : NULL;
}

void *inject_own(const char *name)
{
    void *own = inject_real(name);

    return own ? own : (void *)(uintptr_t)absent;
}
// SPDX-License-Identifier: Apache-2.0
