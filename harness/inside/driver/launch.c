/* Functions of the driver API about kernels: their attributes, occupancy, launches. */
#include <stdlib.h>
#include <string.h>

#include "harness/inside/driver/driver.h"

/* ---- attributes ---------------------------------------------------------------------------------------------------
 */

static CUresult attribute(CUresult begun, int *out, CUfunction_attribute which, const void *handle)
{
    struct function *f;
    CUresult result = driver_kernel(begun, handle, out, &f);

    if (result == CUDA_SUCCESS)
        result = function_attribute(f, which, out);
    return driver_end(result);
}

static CUresult set_attribute(CUresult begun, const void *handle, CUfunction_attribute which, int value)
{
    struct function *f;
    CUresult result = driver_kernel(begun, handle, &f, &f);

    if (result == CUDA_SUCCESS)
        result = function_set(f, which, value);
    return driver_end(result);
}

static CUresult parameter(const void *handle, size_t number, size_t *offset, size_t *bytes)
{
    struct function *f;
    CUresult result = driver_kernel(driver_begin(), handle, offset, &f);

    if (result == CUDA_SUCCESS)
        result = function_parameter(f, number, offset, bytes);
    return driver_end(result);
}

static CUresult name(CUresult begun, const char **out, const void *handle)
{
    struct function *f;
    const CUresult result = driver_kernel(begun, handle, out, &f);

    if (result == CUDA_SUCCESS)
        *out = function_entry(f)->name;
    return driver_end(result);
}

/* Of calls that only need to know whether the handle is one. */
static CUresult check(const void *handle)
{
    const CUresult result = driver_begin();
    struct function *f;

    return driver_end(result == CUDA_SUCCESS ? driver_function(handle, &f) : result);
}

static CUresult prefer(CUresult begun, const void *handle, CUfunc_cache config)
{
    struct function *f;
    const CUresult result = driver_kernel(begun, handle, &f, &f);

    if (result == CUDA_SUCCESS)
        f->cache = config;
    return driver_end(result);
}

CUresult cuFuncGetAttribute(int *out, CUfunction_attribute which, CUfunction f)
{
    return attribute(driver_begin(), out, which, f);
}

CUresult cuKernelGetAttribute(int *out, CUfunction_attribute which, CUkernel k, CUdevice dev)
{
    return driver_device(dev) == CUDA_SUCCESS ? attribute(driver_begin_bare(), out, which, k)
                                              : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute which, int value)
{
    return set_attribute(driver_begin(), f, which, value);
}

CUresult cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel k, CUdevice dev)
{
    return driver_device(dev) == CUDA_SUCCESS ? set_attribute(driver_begin_bare(), k, which, value)
                                              : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuFuncGetParamInfo(CUfunction f, size_t number, size_t *offset, size_t *bytes)
{
    return parameter(f, number, offset, bytes);
}

CUresult cuKernelGetParamInfo(CUkernel k, size_t number, size_t *offset, size_t *bytes)
{
    return parameter(k, number, offset, bytes);
}

CUresult cuFuncGetName(const char **out, CUfunction f)
{
    return name(driver_begin(), out, f);
}

CUresult cuKernelGetName(const char **out, CUkernel k)
{
    return name(driver_begin_bare(), out, k);
}

CUresult cuFuncSetCacheConfig(CUfunction f, CUfunc_cache config)
{
    return prefer(driver_begin(), f, config);
}

CUresult cuKernelSetCacheConfig(CUkernel k, CUfunc_cache config, CUdevice dev)
{
    return driver_device(dev) == CUDA_SUCCESS ? prefer(driver_begin_bare(), k, config) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuFuncSetSharedMemConfig(CUfunction f, CUsharedconfig config)
{
    (void)config;
    return check(f);
}

CUresult cuFuncLoad(CUfunction f)
{
    return check(f);
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction f)
{
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return check(f);
}

CUresult cuFuncGetModule(CUmodule *out, CUfunction handle)
{
    struct function *f;
    const CUresult result = driver_kernel(driver_begin(), handle, out, &f);

    if (result == CUDA_SUCCESS)
        *out = (CUmodule)f->module;
    return driver_end(result);
}

/* ---- occupancy ----------------------------------------------------------------------------------------------------
 */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *ctas, CUfunction handle, int threads, size_t smem,
                                                              unsigned flags)
{
    struct function *f;
    CUresult result = driver_kernel(driver_begin(), handle, ctas, &f);

    (void)flags;
    if (result == CUDA_SUCCESS)
        result = occupancy_ctas(f, threads, smem, ctas);
    return driver_end(result);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *ctas, CUfunction f, int threads, size_t smem)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(ctas, f, threads, smem, 0);
}

/* The largest block that fills a multiprocessor as far as any does. */
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction handle, CUoccupancyB2DSize size_of,
                                                   size_t smem, int most, unsigned flags)
{
    struct function *f;
    CUresult result = driver_kernel(driver_begin(), handle, block, &f);
    int threads = 0, best = 0;

    (void)flags;
    if (result == CUDA_SUCCESS)
        result = function_attribute(f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &threads);
    if (result == CUDA_SUCCESS && most > 0 && most < threads)
        threads = most;
    for (int n = threads; result == CUDA_SUCCESS && n > 0; n = (n - 1) / 32 * 32) {
        int ctas;
        result = occupancy_ctas(f, n, size_of ? size_of(n) : smem, &ctas);
        if (result == CUDA_SUCCESS && ctas * n > best) {
            best = ctas * n;
            *block = n;
            *grid = ctas * (int)device.sms;
        }
    }
    return driver_end(result);
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize size_of, size_t smem,
                                          int most)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, f, size_of, smem, most, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction handle, int ctas, int threads)
{
    struct function *f;
    CUresult result = driver_kernel(driver_begin(), handle, bytes, &f);

    if (result == CUDA_SUCCESS)
        result = occupancy_dynamic(f, ctas, threads, bytes);
    return driver_end(result);
}

/* ---- launches -----------------------------------------------------------------------------------------------------
 */

CUresult driver_params(struct launch *l, void **args, void **extra)
{
    const void *block = NULL;
    size_t bytes = 0;

    if (args && extra)
        return CUDA_ERROR_INVALID_VALUE;
    for (void **e = extra; e && *e != CU_LAUNCH_PARAM_END; e += 2) {
        if (*e == CU_LAUNCH_PARAM_BUFFER_POINTER)
            block = e[1];
        else if (*e == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *(size_t *)e[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    return launch_params(l->function, args, block, bytes, &l->params);
}

static CUresult put(const void *handle, const struct launch *l, CUstream stream, void **args, void **extra)
{
    struct operation op = { .kind = OPERATION_KERNEL, .launch = *l };
    CUresult result = driver_function(handle, &op.launch.function);

    if (result == CUDA_SUCCESS && !stream_of(stream))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        result = driver_params(&op.launch, args, extra);
    return result == CUDA_SUCCESS ? driver_put(stream, &op) : result;
}

CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned smem, CUstream stream, void **args, void **extra)
{
    struct launch l = { .grid = { gx, gy, gz }, .block = { bx, by, bz }, .smem = smem };
    const CUresult result = driver_begin_in(stream);

    return driver_end(result == CUDA_SUCCESS ? put(f, &l, stream, args, extra) : result);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                   unsigned bz, unsigned smem, CUstream stream, void **args)
{
    struct launch l = { .grid = { gx, gy, gz }, .block = { bx, by, bz }, .smem = smem, .cooperative = true };
    const CUresult result = driver_begin_in(stream);

    return driver_end(result == CUDA_SUCCESS ? put(f, &l, stream, args, NULL) : result);
}

/* Attributes that say how a launch is scheduled change nothing where launches run one after the other. */
static void read_attributes(struct launch *l, const CUlaunchConfig *config)
{
    for (unsigned i = 0; config->attrs && i < config->numAttrs; i++) {
        const CUlaunchAttributeValue *v = &config->attrs[i].value;
        if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            memcpy(l->cluster, (uint32_t[]){ v->clusterDim.x, v->clusterDim.y, v->clusterDim.z }, sizeof l->cluster);
        else if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
            l->cooperative = v->cooperative;
        else if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
            l->dependent = v->programmaticStreamSerializationAllowed;
    }
}

static struct launch launch_of(const CUlaunchConfig *c)
{
    struct launch l = { .grid = { c->gridDimX, c->gridDimY, c->gridDimZ },
                        .block = { c->blockDimX, c->blockDimY, c->blockDimZ },
                        .smem = c->sharedMemBytes };

    read_attributes(&l, c);
    return l;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **args, void **extra)
{
    CUresult result = driver_begin_in(config ? config->hStream : NULL);
    struct launch l;

    if (result == CUDA_SUCCESS && !config)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_end(result);
    l = launch_of(config);
    result = put(f, &l, config->hStream, args, extra);
    /* What a launch behind waits for has then taken place. */
    for (unsigned i = 0; result == CUDA_SUCCESS && config->attrs && i < config->numAttrs; i++) {
        struct operation op = { .kind = OPERATION_RECORD };
        if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT)
            op.event = (struct event *)config->attrs[i].value.programmaticEvent.event;
        else if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
            op.event = (struct event *)config->attrs[i].value.launchCompletionEvent.event;
        if (op.event)
            result = driver_put(config->hStream, &op);
    }
    return driver_end(result);
}

/* How many clusters of this shape are resident at a time on all multiprocessors. */
CUresult cuOccupancyMaxActiveClusters(int *out, CUfunction handle, const CUlaunchConfig *config)
{
    struct function *f;
    CUresult result = driver_kernel(driver_begin(), handle, out, &f);
    int ctas;

    if (result == CUDA_SUCCESS) {
        const struct launch l = launch_of(config);
        const uint32_t cluster = l.cluster[0] ? l.cluster[0] * l.cluster[1] * l.cluster[2] : 1;
        result = occupancy_ctas(f, (int)(l.block[0] * l.block[1] * l.block[2]), l.smem, &ctas);
        if (result == CUDA_SUCCESS)
            *out = ctas * (int)device.sms / (int)cluster;
    }
    return driver_end(result);
}

CUresult cuOccupancyMaxPotentialClusterSize(int *out, CUfunction handle, const CUlaunchConfig *config)
{
    struct function *f;
    const CUresult result = driver_kernel(driver_begin(), handle, out, &f);

    (void)config;
    if (result == CUDA_SUCCESS)
        *out = f->nonportable ? 16 : 8;
    return driver_end(result);
}
// SPDX-License-Identifier: Apache-2.0
