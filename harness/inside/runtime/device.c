/* What the runtime says of the device, and what is set for it. */
#include <stdio.h>
#include <string.h>

#include "harness/inside/device/stream.h"
#include "harness/inside/runtime/copy.h"
#include "harness/inside/runtime/old.h"
#include "harness/inside/runtime/runtime.h"

/* A call about the device of this number. */
static CUresult begin_of(int number)
{
    const CUresult result = runtime_begin_anyway();

    return result == CUDA_SUCCESS && number != 0 ? CUDA_ERROR_INVALID_DEVICE : result;
}

/* A call that answers with one number. */
static cudaError_t answer(CUresult result, int *out, int value)
{
    if (result == CUDA_SUCCESS && !out)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *out = value;
    return runtime_end(result);
}

cudaError_t cudaGetDeviceCount(int *n)
{
    return answer(runtime_begin_anyway(), n, 1);
}

cudaError_t cudaGetDevice(int *number)
{
    return answer(runtime_begin_anyway(), number, 0);
}

cudaError_t cudaSetDevice(int number)
{
    return runtime_end(begin_of(number));
}

cudaError_t cudaInitDevice(int number, unsigned device_flags, unsigned flags)
{
    (void)device_flags, (void)flags;
    return runtime_end(begin_of(number));
}

cudaError_t cudaSetValidDevices(int *numbers, int count)
{
    CUresult result = runtime_begin_anyway();

    for (int i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = numbers && numbers[i] ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
    return runtime_end(result);
}

/* There is one, so it fits best. */
cudaError_t cudaChooseDevice(int *number, const struct cudaDeviceProp *wanted)
{
    const CUresult result = runtime_begin_anyway();

    return answer(result == CUDA_SUCCESS && !wanted ? CUDA_ERROR_INVALID_VALUE : result, number, 0);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int number)
{
    CUresult result = begin_of(number);

    if (result == CUDA_SUCCESS && (!value || !device_attribute((CUdevice_attribute)which, value)))
        result = CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}

/* ---- flags, limits, preferences --------------------------------------------------------------------------------- */

static unsigned flags_now;

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS && (flags & ~(unsigned)cudaDeviceMask))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        flags_now = flags;
    return runtime_end(result);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    return answer(runtime_begin_anyway(), (int *)flags, (int)(flags_now | cudaDeviceMapHost));
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit which, size_t value)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = cuCtxSetLimit((CUlimit)which, value);
    return runtime_end(result);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit which)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = value ? cuCtxGetLimit(value, (CUlimit)which) : CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = config ? cuCtxGetCacheConfig((CUfunc_cache *)config) : CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    const CUresult result = runtime_begin();

    return runtime_end(result == CUDA_SUCCESS ? cuCtxSetCacheConfig((CUfunc_cache)config) : result);
}

static enum cudaSharedMemConfig banks = cudaSharedMemBankSizeFourByte;

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    return answer(runtime_begin(), (int *)config, (int)banks);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config; /* the device has one width of banks */
    return runtime_end(runtime_begin());
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return runtime_end(runtime_begin());
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS) {
        if (least)
            *least = 0;
        if (greatest)
            *greatest = STREAM_GREATEST_PRIORITY;
    }
    return runtime_end(result);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const struct cudaChannelFormatDesc *format, int number)
{
    CUresult result = begin_of(number);

    struct emu_texture texel = { 0 };

    if (result == CUDA_SUCCESS && (!width || !format))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = format_of(format, &texel);
    if (result == CUDA_SUCCESS)
        *width = ((size_t)1 << 32) / (emu_texel_bytes(&texel) < 4 ? 4 : emu_texel_bytes(&texel)); /* 4 GB of them */
    return runtime_end(result);
}

/* ---- one device -------------------------------------------------------------------------------------------------- */

cudaError_t cudaDeviceGetPCIBusId(char *out, int size, int number)
{
    CUresult result = begin_of(number);

    if (result == CUDA_SUCCESS)
        result = cuDeviceGetPCIBusId(out, size, number);
    return runtime_end(result);
}

cudaError_t cudaDeviceGetByPCIBusId(int *number, const char *bus)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS)
        result = number ? cuDeviceGetByPCIBusId(number, bus) : CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int number, int peer)
{
    CUresult result = begin_of(number);

    if (result == CUDA_SUCCESS && peer != 0)
        result = CUDA_ERROR_INVALID_DEVICE;
    return answer(result, can, 0); /* a device is no peer of itself */
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    CUresult result = begin_of(peer);

    (void)flags;
    if (result == CUDA_SUCCESS)
        result = device.error;
    return runtime_end(result == CUDA_SUCCESS ? CUDA_ERROR_PEER_ACCESS_UNSUPPORTED : result);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    CUresult result = begin_of(peer);

    if (result == CUDA_SUCCESS)
        result = device.error;
    return runtime_end(result == CUDA_SUCCESS ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : result);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr which, int from, int to)
{
    (void)which, (void)from, (void)to, (void)value;
    return runtime_end_of(CUDA_ERROR_INVALID_DEVICE);
}

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope)
{
    (void)target, (void)scope;
    return runtime_end(runtime_begin());
}

/* ---- waiting, the end, versions ---------------------------------------------------------------------------------- */

cudaError_t cudaDeviceSynchronize(void)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = stream_wait(NULL);
    return runtime_end(result);
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void)
{
    runtime_begin();
    say_printed();
    device_reset();
    return runtime_end(CUDA_SUCCESS);
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaDriverGetVersion(int *version)
{
    return answer(runtime_begin_anyway(), version, CUDA_VERSION);
}

/* Of the runtime that the program was built with: its major number is known. */
cudaError_t cudaRuntimeGetVersion(int *version)
{
    return answer(runtime_begin_anyway(), version, runtime_is_12() ? 12090 : CUDART_VERSION);
}

/* Profilers are told nothing. */
cudaError_t cudaProfilerStart(void)
{
    return runtime_end(runtime_begin());
}

cudaError_t cudaProfilerStop(void)
{
    return runtime_end(runtime_begin());
}
// SPDX-License-Identifier: Apache-2.0
