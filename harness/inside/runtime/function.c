/* What the runtime says of kernels: attributes, names, parameters, how many CTAs fit. */
#include <string.h>

#include "harness/inside/runtime/old.h"
#include "harness/inside/runtime/runtime.h"

static CUresult begun_with(CUresult result, const void *kernel, const void *out, struct function **f)
{
    if (result != CUDA_SUCCESS)
        return result;
    return out ? runtime_function(kernel, f) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult begin_with(const void *kernel, const void *out, struct function **f)
{
    return begun_with(runtime_begin(), kernel, out, f);
}

/* Of calls that take no handle: a kernel is named as the program names it. */
static CUresult of_symbol(const void *kernel, struct function **f)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS)
        result = runtime_function(kernel, f);

    return result == CUDA_ERROR_INVALID_HANDLE ? (CUresult)cudaErrorInvalidDeviceFunction : result;
}

static int number_of(const struct function *f, CUfunction_attribute which)
{
    int value = 0;

    function_attribute(f, which, &value);
    return value;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *kernel)
{
    struct function *f;
    const CUresult result = begin_with(kernel, out, &f);
    static const CUfunction_attribute of[] = {
        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
        CU_FUNC_ATTRIBUTE_NUM_REGS,
        CU_FUNC_ATTRIBUTE_PTX_VERSION,
        CU_FUNC_ATTRIBUTE_BINARY_VERSION,
        CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
        CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
        CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH,
        CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
        CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
    };

    if (result == CUDA_SUCCESS) {
        int *const at = &out->maxThreadsPerBlock; /* the ints follow one another in this order */
        memset(out, 0, sizeof *out);
        out->sharedSizeBytes = (size_t)number_of(f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
        out->constSizeBytes = (size_t)number_of(f, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
        out->localSizeBytes = (size_t)number_of(f, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
        for (size_t i = 0; i < sizeof of / sizeof *of; i++)
            at[i] = number_of(f, of[i]);
    }
    return runtime_end(result);
}

static cudaError_t set(CUresult begun, const void *kernel, enum cudaFuncAttribute which, int value)
{
    struct function *f = NULL;
    CUresult result = begun_with(begun, kernel, &f, &f);

    if (result == CUDA_SUCCESS)
        result = function_set(f, (CUfunction_attribute)which, value);
    return runtime_end(result);
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute which, int value)
{
    return set(runtime_begin(), kernel, which, value);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute which, int value, int number)
{
    return number ? runtime_end_of(CUDA_ERROR_INVALID_DEVICE) : set(runtime_begin_anyway(), kernel, which, value);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config)
{
    struct function *f = NULL;
    const CUresult result = begin_with(kernel, &f, &f);

    if (result == CUDA_SUCCESS)
        f->cache = (CUfunc_cache)config;
    return runtime_end(result);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config)
{
    struct function *f = NULL;

    (void)config;
    return runtime_end(begin_with(kernel, &f, &f));
}

cudaError_t cudaFuncGetName(const char **name, const void *kernel)
{
    struct function *f;
    const CUresult result = begun_with(runtime_begin_anyway(), kernel, name, &f);

    if (result == CUDA_SUCCESS)
        *name = function_entry(f)->name;
    return runtime_end(result);
}

cudaError_t cudaFuncGetParamInfo(const void *kernel, size_t index, size_t *offset, size_t *size)
{
    struct function *f;
    CUresult result = begin_with(kernel, offset, &f);

    if (result == CUDA_SUCCESS)
        result = function_parameter(f, index, offset, size);
    return runtime_end(result);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, const void *kernel)
{
    struct function *f = NULL;
    const CUresult result = of_symbol(kernel, &f);

    if (result == CUDA_SUCCESS && out)
        *out = (cudaFunction_t)f;
    return runtime_end(result);
}

cudaError_t cudaGetKernel(cudaKernel_t *out, const void *kernel)
{
    struct function *f = NULL;
    CUresult result = of_symbol(kernel, &f);

    if (result == CUDA_SUCCESS && !out)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *out = (cudaKernel_t)f;
    return runtime_end(result);
}

/* ---- occupancy ------------------------------------------------------------------------------------------------------
 */

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *ctas, const void *kernel, int threads,
                                                                   size_t smem, unsigned flags)
{
    struct function *f;
    CUresult result = begin_with(kernel, ctas, &f);

    if (result == CUDA_SUCCESS)
        result = flags > cudaOccupancyDisableCachingOverride ? CUDA_ERROR_INVALID_VALUE
                                                             : occupancy_ctas(f, threads, smem, ctas);
    return runtime_end(result);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *ctas, const void *kernel, int threads, size_t smem)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(ctas, kernel, threads, smem, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int ctas, int threads)
{
    struct function *f;
    CUresult result = begin_with(kernel, bytes, &f);

    if (result == CUDA_SUCCESS)
        result = cuOccupancyAvailableDynamicSMemPerBlock(bytes, (CUfunction)f, ctas, threads);
    return runtime_end(result);
}

/* As the driver's: the attributes have the same layout. */
static CUlaunchConfig config_of(const cudaLaunchConfig_t *c)
{
    return (CUlaunchConfig){ c->gridDim.x,
                             c->gridDim.y,
                             c->gridDim.z,
                             c->blockDim.x,
                             c->blockDim.y,
                             c->blockDim.z,
                             (unsigned)c->dynamicSmemBytes,
                             (CUstream)c->stream,
                             (CUlaunchAttribute *)c->attrs,
                             c->numAttrs };
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel, const cudaLaunchConfig_t *config)
{
    struct function *f;
    CUresult result = begin_with(kernel, config ? clusters : NULL, &f);

    if (result == CUDA_SUCCESS) {
        const CUlaunchConfig c = config_of(config);
        result = cuOccupancyMaxActiveClusters(clusters, (CUfunction)f, &c);
    }
    return runtime_end(result);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *ctas, const void *kernel, const cudaLaunchConfig_t *config)
{
    struct function *f;
    CUresult result = begin_with(kernel, config ? ctas : NULL, &f);

    if (result == CUDA_SUCCESS) {
        const CUlaunchConfig c = config_of(config);
        result = cuOccupancyMaxPotentialClusterSize(ctas, (CUfunction)f, &c);
    }
    return runtime_end(result);
}
// SPDX-License-Identifier: Apache-2.0
