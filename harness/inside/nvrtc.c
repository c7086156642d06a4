/* A program that compiles with NVRTC for this device's own target asks for machine code. It gets the PTX that the
 * machine code was made from in its place, which cuModuleLoadData takes as well. All else of NVRTC is NVIDIA's. */
#include "harness/inside/nvrtc.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Of nvrtc.h, which not every toolkit's headers have: nvrtcProgram is a pointer, nvrtcResult an int. */
__attribute__((visibility("default"))) int nvrtcGetCUBIN(void *program, char *out);
__attribute__((visibility("default"))) int nvrtcGetCUBINSize(void *program, size_t *bytes);

enum { INTERNAL_ERROR = 11 }; /* NVRTC_ERROR_INTERNAL_ERROR */

/* Those of an NVRTC that was opened under no name that others see; NULL without one. */
static void *get_ptx, *get_ptx_size;

const void *nvrtc_instead(const char *name, void *function)
{
    if (!strcmp(name, "nvrtcGetPTX"))
        get_ptx = function;
    else if (!strcmp(name, "nvrtcGetPTXSize"))
        get_ptx_size = function;
    else if (!strcmp(name, "nvrtcGetCUBIN"))
        return (const void *)(uintptr_t)nvrtcGetCUBIN;
    else if (!strcmp(name, "nvrtcGetCUBINSize"))
        return (const void *)(uintptr_t)nvrtcGetCUBINSize;
    return NULL;
}

int nvrtcGetCUBIN(void *program, char *out)
{
    int (*get)(void *, char *);

    *(void **)&get = get_ptx ? get_ptx : dlsym(RTLD_NEXT, "nvrtcGetPTX");
    return get ? get(program, out) : INTERNAL_ERROR;
}

int nvrtcGetCUBINSize(void *program, size_t *bytes)
{
    int (*get)(void *, size_t *);

    *(void **)&get = get_ptx_size ? get_ptx_size : dlsym(RTLD_NEXT, "nvrtcGetPTXSize");
    return get ? get(program, bytes) : INTERNAL_ERROR;
}
// SPDX-License-Identifier: Apache-2.0
