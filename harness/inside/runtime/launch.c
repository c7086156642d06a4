/* Launches of the runtime. */
#include <string.h>

#include "harness/inside/device/stream.h"
#include "harness/inside/runtime/register.h"
#include "harness/inside/runtime/runtime.h"

/* A grid or block that no launch may have has an error of the runtime's own, but not where attributes go with it: so on
 * an H200. */
static bool is_possible(dim3 grid, dim3 block)
{
    return grid.x && grid.y && grid.z && block.x && block.y && block.z && grid.x <= 0x7fffffff && grid.y <= 65535 &&
           grid.z <= 65535 && block.x <= 1024 && block.y <= 1024 && block.z <= 64 &&
           (uint64_t)block.x * block.y * block.z <= 1024;
}

static CUresult launch(const void *kernel, dim3 grid, dim3 block, void **args, size_t smem, cudaStream_t stream,
                       const struct launch *with, CUresult impossible)
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
        return impossible;
    memcpy(l->grid, (uint32_t[]){ grid.x, grid.y, grid.z }, sizeof l->grid);
    memcpy(l->block, (uint32_t[]){ block.x, block.y, block.z }, sizeof l->block);
    memcpy(l->cluster, with->cluster, sizeof l->cluster);
    l->cooperative = with->cooperative;
    l->dependent = with->dependent;
    l->smem = (uint32_t)smem;
    result = launch_params(l->function, args, NULL, 0, &l->params);
    return result == CUDA_SUCCESS ? stream_put(s, &op) : result;
}

static cudaError_t launch_plain(const void *kernel, dim3 grid, dim3 block, void **args, size_t smem,
                                cudaStream_t stream, CUresult impossible)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = launch(kernel, grid, block, args, smem, stream, &(struct launch){ 0 }, impossible);
    return runtime_end(result);
}

/* <<< >>> of toolkit 12 comes here too. */
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t smem, cudaStream_t stream)
{
    return launch_plain(kernel, grid, block, args, smem, stream,
                        runtime_is_12() ? (CUresult)cudaErrorInvalidConfiguration : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t smem,
                               cudaStream_t stream)
{
    return launch_plain(kernel, grid, block, args, smem, stream, CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t smem,
                                        cudaStream_t stream)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = launch(kernel, grid, block, args, smem, stream, &(struct launch){ .cooperative = true },
                        CUDA_ERROR_INVALID_VALUE);
    return runtime_end(result);
}

/* An event that an attribute names: the grid has triggered it, and completed, when the launch returns. */
static CUresult record(cudaEvent_t event)
{
    struct event *e = (struct event *)event;

    if (!event_known(e) || !(e->flags & cudaEventDisableTiming))
        return event_known(e) ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_HANDLE;
    e->recorded = true;
    e->at = device_clock();
    return CUDA_SUCCESS;
}

/* What an attribute changes. Others are hints, or allow an order that this device does not choose. */
static CUresult apply(const cudaLaunchAttribute *a, struct launch *with)
{
    switch (a->id) {
    case cudaLaunchAttributeClusterDimension:
        memcpy(with->cluster, &a->val.clusterDim, sizeof with->cluster);
        return with->cluster[0] && with->cluster[1] && with->cluster[2] ? CUDA_SUCCESS
                                                                        : (CUresult)cudaErrorInvalidClusterSize;
    case cudaLaunchAttributeProgrammaticStreamSerialization:
        with->dependent = a->val.programmaticStreamSerializationAllowed;
        return CUDA_SUCCESS;
    case cudaLaunchAttributeCooperative: with->cooperative = a->val.cooperative; return CUDA_SUCCESS;
    case cudaLaunchAttributeProgrammaticEvent: return record(a->val.programmaticEvent.event);
    case cudaLaunchAttributeLaunchCompletionEvent: return record(a->val.launchCompletionEvent.event);
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        return a->val.deviceUpdatableKernelNode.deviceUpdatable
                   ? say_missing("cudaLaunchKernelExC (a node that the device updates)")
                   : CUDA_ERROR_NOT_SUPPORTED; /* of a launch that is no node */
    case cudaLaunchAttributeSynchronizationPolicy:
        return a->val.syncPolicy < cudaSyncPolicyAuto || a->val.syncPolicy > cudaSyncPolicyBlockingSync
                   ? CUDA_ERROR_INVALID_VALUE
                   : CUDA_SUCCESS;
    default: return CUDA_SUCCESS;
    }
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args)
{
    CUresult result = runtime_begin();
    struct launch with = { 0 };

    if (result == CUDA_SUCCESS && (!config || (config->numAttrs && !config->attrs)))
        result = CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; result == CUDA_SUCCESS && i < config->numAttrs; i++)
        result = apply(&config->attrs[i], &with);
    if (result == CUDA_SUCCESS)
        result = launch(kernel, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, config->stream,
                        &with, CUDA_ERROR_INVALID_VALUE);
    return runtime_end(result);
}
// SPDX-License-Identifier: Apache-2.0
