/* A program that compiles with NVRTC for this device's own target asks for machine code. It gets the PTX that the
 * machine code was made from in its place, which cuModuleLoadData takes as well. All else of NVRTC is NVIDIA's. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

/* Of nvrtc.h, which not every toolkit's headers have: nvrtcProgram is a pointer, nvrtcResult an int. */
__attribute__((visibility("default"))) int nvrtcGetCUBIN(void *program, char *out);
__attribute__((visibility("default"))) int nvrtcGetCUBINSize(void *program, size_t *bytes);

enum { INTERNAL_ERROR = 11 }; /* NVRTC_ERROR_INTERNAL_ERROR */

int nvrtcGetCUBIN(void *program, char *out)
{
    int (*get)(void *, char *);

    *(void **)&get = dlsym(RTLD_NEXT, "nvrtcGetPTX");
    return get ? get(program, out) : INTERNAL_ERROR;
}

int nvrtcGetCUBINSize(void *program, size_t *bytes)
{
    int (*get)(void *, size_t *);

    *(void **)&get = dlsym(RTLD_NEXT, "nvrtcGetPTXSize");
    return get ? get(program, bytes) : INTERNAL_ERROR;
}
// SPDX-License-Identifier: Apache-2.0
