/* What the runtime says of the device. */
#include <stdio.h>
#include <string.h>

#include "harness/inside/device/stream.h"
#include "harness/inside/runtime/runtime.h"

cudaError_t cudaGetDeviceCount(int *n)
{
    const CUresult result = runtime_begin();

    *n = 1;
    return runtime_end(result);
}

cudaError_t cudaGetDevice(int *device_number)
{
    const CUresult result = runtime_begin();

    *device_number = 0;
    return runtime_end(result);
}

cudaError_t cudaSetDevice(int number)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && number != 0)
        result = CUDA_ERROR_INVALID_DEVICE;
    return runtime_end(result);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int number)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && number != 0)
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS && !device_attribute((CUdevice_attribute)which, value))
        result = CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}

cudaError_t cudaDeviceReset(void)
{
    CUresult result = runtime_begin();

    say_printed();
    device_reset();
    (void)result;
    return runtime_end(CUDA_SUCCESS);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDA_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}
