/* Libraries of the runtime: modules that a program loads by itself. And functions of the driver by their names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/inside/runtime/runtime.h"

static CUresult begin_with(cudaLibrary_t handle, const void *out, struct module **m)
{
    const CUresult result = runtime_begin_anyway();

    *m = (struct module *)handle;
    if (result != CUDA_SUCCESS)
        return result;
    return !module_known(*m) ? CUDA_ERROR_INVALID_HANDLE : out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *out, const void *image, enum cudaJitOption *jit, void **jit_values,
                                unsigned jit_count, enum cudaLibraryOption *options, void **values, unsigned count)
{
    CUresult result = runtime_begin_anyway();

    (void)jit, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    if (result == CUDA_SUCCESS)
        result = out ? module_new(image, 0, false, (struct module **)out) : CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}

/* A file's bytes and a NUL, or NULL. */
static char *read_file(const char *name)
{
    FILE *from = name ? fopen(name, "rb") : NULL;
    char *text = NULL;
    long bytes;

    if (!from)
        return NULL;
    if (!fseek(from, 0, SEEK_END) && (bytes = ftell(from)) > 0 && !fseek(from, 0, SEEK_SET) &&
        (text = calloc(1, (size_t)bytes + 1)) && fread(text, 1, (size_t)bytes, from) != (size_t)bytes) {
        free(text);
        text = NULL;
    }
    fclose(from);
    return text;
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *out, const char *name, enum cudaJitOption *jit, void **jit_values,
                                    unsigned jit_count, enum cudaLibraryOption *options, void **values, unsigned count)
{
    char *image = read_file(name);
    CUresult result = runtime_begin_anyway();

    (void)jit, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
    if (result == CUDA_SUCCESS)
        result = !image ? (name ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE)
                 : out  ? module_new(image, 0, false, (struct module **)out)
                        : CUDA_ERROR_INVALID_VALUE;
    free(image);
    return runtime_end(result);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t handle)
{
    struct module *m;
    const CUresult result = begin_with(handle, handle, &m);

    if (result == CUDA_SUCCESS)
        module_free(m);
    return runtime_end(result);
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t handle, const char *name)
{
    struct module *m;
    CUresult result = begin_with(handle, name ? out : NULL, &m);

    if (result == CUDA_SUCCESS)
        result = module_function(m, name, (struct function **)out);
    return runtime_end(result);
}

cudaError_t cudaLibraryGetGlobal(void **out, size_t *bytes, cudaLibrary_t handle, const char *name)
{
    struct module *m;
    CUresult result = begin_with(handle, name, &m);
    uint64_t at;
    size_t size;

    if (result == CUDA_SUCCESS)
        result = device.error;
    if (result == CUDA_SUCCESS)
        result = module_variable(m, name, &at, &size);
    if (result == CUDA_SUCCESS && out)
        *out = (void *)(uintptr_t)at;
    if (result == CUDA_SUCCESS && bytes)
        *bytes = size;
    return runtime_end(result);
}

cudaError_t cudaLibraryGetManaged(void **out, size_t *bytes, cudaLibrary_t handle, const char *name)
{
    return cudaLibraryGetGlobal(out, bytes, handle, name);
}

/* Entries with a body, in the order of the text; fills up to `room` handles. */
static unsigned entries_of(struct module *m, struct function **out, unsigned room)
{
    const struct ptx_module *ptx = module_ptx(m);
    unsigned n = 0;

    for (uint32_t i = 0; i < ptx->n_functions; i++)
        if (ptx->functions[i].is_entry && ptx->functions[i].has_body) {
            if (n < room && module_function(m, ptx->functions[i].name, &out[n]) != CUDA_SUCCESS)
                return n;
            n++;
        }
    return n;
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t handle)
{
    struct module *m;
    const CUresult result = begin_with(handle, count, &m);

    if (result == CUDA_SUCCESS)
        *count = entries_of(m, NULL, 0);
    return runtime_end(result);
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *out, unsigned room, cudaLibrary_t handle)
{
    struct module *m;
    const CUresult result = begin_with(handle, out, &m);

    if (result == CUDA_SUCCESS)
        entries_of(m, (struct function **)out, room);
    return runtime_end(result);
}

/* ---- functions of the driver ----------------------------------------------------------------------------------------
 */

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned version, unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *status)
{
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS)
        result = name && out ? cuGetProcAddress_v2(name, out, (int)version, flags, &found) : CUDA_ERROR_INVALID_VALUE;
    if (status)
        *status = (enum cudaDriverEntryPointQueryResult)found;
    return runtime_end(result);
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status)
{
    return cudaGetDriverEntryPointByVersion(name, out, runtime_is_12() ? 12000 : CUDART_VERSION, flags, status);
}
// SPDX-License-Identifier: Apache-2.0
