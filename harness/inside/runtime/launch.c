/* Launches of the runtime, and what is asked of kernels. */
#include <string.h>

#include "harness/inside/device/stream.h"
#include "harness/inside/runtime/register.h"
#include "harness/inside/runtime/runtime.h"

/* A grid or block that no launch may have has an error of the runtime's own. */
static bool is_possible(dim3 grid, dim3 block)
{
    return grid.x && grid.y && grid.z && block.x && block.y && block.z && grid.x <= 0x7fffffff && grid.y <= 65535 &&
           grid.z <= 65535 && block.x <= 1024 && block.y <= 1024 && block.z <= 64 &&
           (uint64_t)block.x * block.y * block.z <= 1024;
}

static CUresult launch(const void *kernel, dim3 grid, dim3 block, void **args, size_t smem, cudaStream_t stream,
                       const struct launch *with)
{
    struct operation op = { .kind = OPERATION_KERNEL };
    struct launch *l = &op.launch;
    struct stream *s = stream_of((CUstream)stream);
    CUresult result = runtime_function(kernel, &l->function);

    if (result != CUDA_SUCCESS)
        return result;
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!is_possible(grid, block))
        return (CUresult)cudaErrorInvalidConfiguration;
    memcpy(l->grid, (uint32_t[]){ grid.x, grid.y, grid.z }, sizeof l->grid);
    memcpy(l->block, (uint32_t[]){ block.x, block.y, block.z }, sizeof l->block);
    memcpy(l->cluster, with->cluster, sizeof l->cluster);
    l->cooperative = with->cooperative;
    l->smem = (uint32_t)smem;
    result = launch_params(l->function, args, NULL, 0, &l->params);
    return result == CUDA_SUCCESS ? stream_put(s, &op) : result;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t smem, cudaStream_t stream)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = launch(kernel, grid, block, args, smem, stream, &(struct launch){ 0 });
    return runtime_end(result);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t smem,
                               cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, args, smem, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t smem,
                                        cudaStream_t stream)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = launch(kernel, grid, block, args, smem, stream, &(struct launch){ .cooperative = true });
    return runtime_end(result);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args)
{
    CUresult result = runtime_begin();
    struct launch with = { 0 };

    for (unsigned i = 0; result == CUDA_SUCCESS && i < config->numAttrs; i++) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (a->id == cudaLaunchAttributeClusterDimension)
            memcpy(with.cluster, (uint32_t[]){ a->val.clusterDim.x, a->val.clusterDim.y, a->val.clusterDim.z },
                   sizeof with.cluster);
        else if (a->id == cudaLaunchAttributeCooperative)
            with.cooperative = a->val.cooperative;
    }
    if (result == CUDA_SUCCESS)
        result =
            launch(kernel, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, config->stream, &with);
    return runtime_end(result);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *kernel)
{
    CUresult result = runtime_begin();
    struct function *f;

    if (result == CUDA_SUCCESS)
        result = runtime_function(kernel, &f);
    if (result == CUDA_SUCCESS) {
        const struct ptx_function *entry = function_entry(f);
        memset(out, 0, sizeof *out);
        out->sharedSizeBytes = launch_static_bytes(f);
        out->localSizeBytes = entry->local_bytes;
        out->maxThreadsPerBlock = 1024;
        out->numRegs = 32; /* PTX does not say */
        out->ptxVersion = out->binaryVersion = 90;
        out->maxDynamicSharedSizeBytes = f->most_dynamic ? f->most_dynamic : (48 << 10) - (int)out->sharedSizeBytes;
        out->preferredShmemCarveout = f->carveout;
        out->nonPortableClusterSizeAllowed = f->nonportable;
    }
    return runtime_end(result);
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute which, int value)
{
    CUresult result = runtime_begin();
    struct function *f;

    if (result == CUDA_SUCCESS)
        result = runtime_function(kernel, &f);
    if (result == CUDA_SUCCESS)
        result = function_set(f, (CUfunction_attribute)which, value);
    return runtime_end(result);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config)
{
    (void)kernel, (void)config; /* a preference */
    return runtime_end(runtime_begin());
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *ctas, const void *kernel, int threads,
                                                                   size_t smem, unsigned flags)
{
    CUresult result = runtime_begin();
    struct function *f;

    (void)flags;
    if (result == CUDA_SUCCESS)
        result = runtime_function(kernel, &f);
    if (result == CUDA_SUCCESS)
        result = launch_occupancy(f, threads, smem, ctas);
    return runtime_end(result);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *ctas, const void *kernel, int threads, size_t smem)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(ctas, kernel, threads, smem, 0);
}
