/* Contexts: handles, and which is current in a thread. All of them share the one device's memory and modules. */
#include "harness/inside/driver/current.h"
#include "harness/inside/driver/older.h"

static unsigned primary_uses;
enum { SHMEM_SIZE = 7, LIMITS = 9 }; /* the headers of earlier toolkits lack the names */
static size_t limits[LIMITS];
static CUfunc_cache cache;

/* Begins a call that needs a context, and that a fault does not stop. */
static CUresult begin_in_context(void)
{
    const CUresult result = driver_begin_bare();

    return result == CUDA_SUCCESS && !driver_context() ? CUDA_ERROR_INVALID_CONTEXT : result;
}

/* Whether a handle is that of a context; NULL stands for the current one. */
static bool is_one(CUcontext c)
{
    return c ? context_known(c) : driver_context() != NULL;
}

static CUresult create(CUcontext *out, unsigned flags, CUdevice dev)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS)
        result = out ? driver_device(dev) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = device.error;
    if (result == CUDA_SUCCESS) {
        *out = context_new(flags);
        result = *out ? context_push(*out) : CUDA_ERROR_OUT_OF_MEMORY;
    }
    return driver_end(result);
}

CUresult cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice dev)
{
    return create(out, flags, dev);
}

CUresult cuCtxCreate_v3(CUcontext *out, CUexecAffinityParam *affinity, int count, unsigned flags, CUdevice dev)
{
    (void)affinity;
    return count ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : create(out, flags, dev);
}

CUresult cuCtxCreate_v4(CUcontext *out, CUctxCreateParams *params, unsigned flags, CUdevice dev)
{
    if (params && params->numExecAffinityParams)
        return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    return create(out, flags, dev);
}

CUresult cuCtxDestroy(CUcontext handle)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_ERROR_NOT_INITIALIZED)
        return driver_end(result);
    result = handle ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    if (context_free(handle)) {
        device.error = CUDA_SUCCESS; /* a fault ends with its context */
        say_printed();
        result = CUDA_SUCCESS;
    }
    return driver_end(result);
}

CUresult cuCtxGetCurrent(CUcontext *out)
{
    const CUresult result = driver_begin_bare();

    if (result == CUDA_ERROR_NOT_INITIALIZED || !out)
        return driver_end(out ? result : CUDA_ERROR_INVALID_VALUE);
    *out = driver_context();
    return driver_end(CUDA_SUCCESS);
}

CUresult cuCtxSetCurrent(CUcontext c)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_ERROR_NOT_INITIALIZED)
        return driver_end(result);
    if (c && !context_known(c))
        return driver_end(CUDA_ERROR_INVALID_CONTEXT);
    context_pop();
    return driver_end(c ? context_push(c) : CUDA_SUCCESS);
}

CUresult cuCtxPushCurrent(CUcontext c)
{
    const CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS && !c)
        return driver_end(CUDA_ERROR_INVALID_VALUE);
    return driver_end(result == CUDA_SUCCESS ? context_push(c) : result);
}

CUresult cuCtxPopCurrent(CUcontext *out)
{
    const CUresult result = driver_begin_bare();

    if (result == CUDA_ERROR_NOT_INITIALIZED)
        return driver_end(result);
    if (!driver_context())
        return driver_end(CUDA_ERROR_INVALID_CONTEXT);
    if (out)
        *out = driver_context();
    context_pop();
    return driver_end(CUDA_SUCCESS);
}

CUresult cuCtxSynchronize(void)
{
    const CUresult result = driver_begin();

    return driver_end(result == CUDA_SUCCESS ? stream_wait(NULL) : result);
}

CUresult cuCtxSynchronize_v2(CUcontext c)
{
    const CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS && !is_one(c))
        return driver_end(CUDA_ERROR_INVALID_CONTEXT);
    return driver_end(result == CUDA_SUCCESS ? stream_wait(NULL) : result);
}

/* ---- the primary context ------------------------------------------------------------------------------------------
 */

CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice dev)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS)
        result = out ? driver_device(dev) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *out = (CUcontext)context_primary();
        primary_uses++;
    }
    return driver_end(result);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev)
{
    CUresult result = driver_begin_bare();

    if (result != CUDA_ERROR_NOT_INITIALIZED)
        result = driver_device(dev);
    if (result == CUDA_SUCCESS && !primary_uses)
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result == CUDA_SUCCESS && !--primary_uses)
        say_printed();
    return driver_end(result);
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev)
{
    CUresult result = driver_begin_bare();

    if (result != CUDA_ERROR_NOT_INITIALIZED)
        result = driver_device(dev);
    if (result == CUDA_SUCCESS) {
        say_printed();
        device_reset();
    }
    return driver_end(result);
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned flags)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS)
        result = driver_device(dev);
    if (result == CUDA_SUCCESS)
        context_primary()->flags = flags;
    return driver_end(result);
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned *flags, int *active)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS)
        result = flags && active ? driver_device(dev) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *flags = context_primary()->flags;
        *active = primary_uses || device.runtime;
    }
    return driver_end(result);
}

/* ---- what is asked of a context -----------------------------------------------------------------------------------
 */

CUresult cuCtxGetDevice(CUdevice *dev)
{
    const CUresult result = begin_in_context();

    if (result == CUDA_SUCCESS && dev)
        *dev = 0;
    return driver_end(result == CUDA_SUCCESS && !dev ? CUDA_ERROR_INVALID_VALUE : result);
}

CUresult cuCtxGetDevice_v2(CUdevice *dev, CUcontext c)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS)
        result = !dev ? CUDA_ERROR_INVALID_VALUE : is_one(c) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
    if (result == CUDA_SUCCESS)
        *dev = 0;
    return driver_end(result);
}

CUresult cuCtxGetFlags(unsigned *flags)
{
    const CUresult result = begin_in_context();

    if (result == CUDA_SUCCESS)
        *flags = ((struct context *)driver_context())->flags;
    return driver_end(result);
}

CUresult cuCtxSetFlags(unsigned flags)
{
    const CUresult result = begin_in_context();

    if (result == CUDA_SUCCESS)
        ((struct context *)driver_context())->flags = flags;
    return driver_end(result);
}

CUresult cuCtxGetId(CUcontext c, unsigned long long *number)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && c && !context_known(c))
        result = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (result == CUDA_SUCCESS)
        *number = ((struct context *)(c ? c : driver_context()))->number;
    return driver_end(result);
}

CUresult cuCtxGetApiVersion(CUcontext c, unsigned *version)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS && c && !context_known(c))
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result == CUDA_SUCCESS)
        result = device.error;
    if (result == CUDA_SUCCESS)
        *version = 3020; /* what a driver answers since contexts have this interface */
    return driver_end(result);
}

/* What an H200 begins with, in bytes: driver 580.159.04, read on the device. */
static size_t limit_at_first(CUlimit which)
{
    switch ((int)which) {
    case CU_LIMIT_STACK_SIZE: return 1024;
    case CU_LIMIT_PRINTF_FIFO_SIZE: return 8650752;
    case CU_LIMIT_MALLOC_HEAP_SIZE: return 8 << 20;
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT: return 2048;
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY: return 64;
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE: return 11796480;
    case SHMEM_SIZE: return 227 << 10;
    default: return 0;
    }
}

/* Since compute capability 9.0 no kernel waits for those that it launches. */
static bool is_limit(CUlimit which)
{
    return (unsigned)which < LIMITS && which != CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit which)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && !is_limit(which))
        result = (unsigned)which < CU_LIMIT_MAX ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *value = limits[which] ? limits[which] : limit_at_first(which);
    return driver_end(result);
}

CUresult cuCtxSetLimit(CUlimit which, size_t value)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && !is_limit(which))
        result = (unsigned)which < CU_LIMIT_MAX ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && (int)which >= SHMEM_SIZE) /* it and the next one are of the device */
        result = CUDA_ERROR_NOT_PERMITTED;
    if (result == CUDA_SUCCESS)
        limits[which] = value;
    return driver_end(result);
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    const CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        *config = cache;
    return driver_end(result);
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    const CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        cache = config;
    return driver_end(result);
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    const CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return driver_end(result);
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    (void)config; /* banks have four bytes, whatever is asked for */
    return driver_end(driver_begin());
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    const CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && least)
        *least = 0;
    if (result == CUDA_SUCCESS && greatest)
        *greatest = -5;
    return driver_end(result);
}

CUresult cuCtxResetPersistingL2Cache(void)
{
    return driver_end(driver_begin());
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        result = flags                 ? CUDA_ERROR_INVALID_VALUE
                 : context_known(peer) ? CUDA_ERROR_PEER_ACCESS_UNSUPPORTED
                                       : CUDA_ERROR_INVALID_CONTEXT;
    return driver_end(result); /* there is no second device */
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        result = context_known(peer) ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : CUDA_ERROR_INVALID_CONTEXT;
    return driver_end(result);
}
// SPDX-License-Identifier: Apache-2.0
