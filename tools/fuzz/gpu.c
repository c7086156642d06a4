/* The first GPU through its driver. */
#include "tools/fuzz/gpu.h"

#include <stdio.h>

struct fuzz_gpu fuzz_gpu;

bool fuzz_gpu_fails(cu_result r, const char *what, char *message, size_t size)
{
    if (r)
        snprintf(message, size, "%s: %s", what, cu_name(&fuzz_gpu.d, r));
    return r != 0;
}

bool fuzz_gpu_open(size_t bytes, char *message, size_t size)
{
    cu_device device;

    return fuzz_gpu.memory ||
           (cu_open(&fuzz_gpu.d, message, size) && !fuzz_gpu_fails(fuzz_gpu.d.cuInit(0), "cuInit", message, size) &&
            !fuzz_gpu_fails(fuzz_gpu.d.cuDeviceGet(&device, 0), "cuDeviceGet", message, size) &&
            !fuzz_gpu_fails(fuzz_gpu.d.cuCtxCreate_v2(&fuzz_gpu.context, 0, device), "cuCtxCreate", message, size) &&
            !fuzz_gpu_fails(fuzz_gpu.d.cuMemAlloc_v2(&fuzz_gpu.memory, bytes), "cuMemAlloc", message, size));
}

bool fuzz_gpu_run(const struct fuzz_launch *l, char *message, size_t size)
{
    cu_function f;

    return !fuzz_gpu_fails(fuzz_gpu.d.cuModuleGetFunction(&f, l->module, l->entry), "cuModuleGetFunction", message,
                           size) &&
           !fuzz_gpu_fails(fuzz_gpu.d.cuMemcpyHtoD_v2(fuzz_gpu.memory, l->memory, l->bytes), "cuMemcpyHtoD", message,
                           size) &&
           !fuzz_gpu_fails(fuzz_gpu.d.cuLaunchKernelEx(&l->config, f, l->parameters, NULL), "cuLaunchKernelEx", message,
                           size) &&
           !fuzz_gpu_fails(fuzz_gpu.d.cuCtxSynchronize(), "the launch", message, size) &&
           !fuzz_gpu_fails(fuzz_gpu.d.cuMemcpyDtoH_v2(l->memory, fuzz_gpu.memory, l->bytes), "cuMemcpyDtoH", message,
                           size);
}
// SPDX-License-Identifier: Apache-2.0
