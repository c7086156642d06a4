/* Errors of the runtime: the last one of each thread. */
#include <string.h>

#include "harness/inside/driver/driver.h"
#include "harness/inside/names.h"
#include "harness/inside/runtime/runtime.h"

static _Thread_local cudaError_t last;

bool runtime_is_12(void)
{
    return names_of_12;
}

void runtime_copy(void *to, const void *from, size_t bytes, size_t bytes_of_12)
{
    memcpy(to, from, runtime_is_12() ? bytes_of_12 : bytes);
}

/* Whether this thread's call has come by a name of the driver API. */
static _Thread_local bool by_driver;

/* The runtime initialises the driver and makes a context current; a call of the driver does neither. Releases the
 * device. */
static CUresult before_runtime(bool has_context)
{
    CUresult result = CUDA_SUCCESS;

    if (!device.initialised && !device.runtime)
        result = CUDA_ERROR_NOT_INITIALIZED;
    else if (!has_context)
        result = CUDA_ERROR_INVALID_CONTEXT;
    by_driver = result == CUDA_SUCCESS;
    device_leave();
    return result;
}

CUresult driver_before_runtime(void)
{
    device_enter();
    return before_runtime(true);
}

CUresult driver_before_runtime_in_context(const void *first, const void *second)
{
    device_enter();
    return before_runtime(driver_has_context(first) || driver_has_context(second));
}

CUresult runtime_begin(void)
{
    device_enter();
    device.runtime = device.runtime || !by_driver;
    by_driver = false;
    return device_state();
}

CUresult runtime_begin_anyway(void)
{
    runtime_begin();
    return device.machine ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* The runtime has other numbers than the driver for a few errors. */
static cudaError_t runtime_error(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_NO_BINARY_FOR_GPU: return cudaErrorNoKernelImageForDevice;
    default: return (cudaError_t)result;
    }
}

cudaError_t runtime_end(CUresult result)
{
    const cudaError_t error = runtime_error(result);

    device_leave();
    if (error != cudaSuccess && error != cudaErrorNotReady)
        last = error;
    return error;
}

cudaError_t runtime_end_of(CUresult result)
{
    const CUresult before = runtime_begin_anyway();

    return runtime_end(before == CUDA_SUCCESS ? result : before);
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last;

    last = cudaSuccess;
    device_enter();
    device_leave();
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last;
}

static const struct error {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define ERROR(number, name, text) { number, #name, text },
#include "harness/inside/runtime/errors.def"
#undef ERROR
};

static const struct error *find(cudaError_t error)
{
    static const struct error unknown = { .name = "unrecognized error code", .text = "unrecognized error code" };

    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return &errors[i];
    return &unknown;
}

const char *cudaGetErrorName(cudaError_t error)
{
    return find(error)->name;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return find(error)->text;
}
// SPDX-License-Identifier: Apache-2.0
