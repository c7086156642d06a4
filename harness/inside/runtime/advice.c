/* Where managed memory should be: there is one place for all of it, so hints have no effect. */
#include <string.h>

#include "harness/inside/device/stream.h"
#include "harness/inside/runtime/old.h"
#include "harness/inside/runtime/runtime.h"

/* A range that hints may be given for. */
static CUresult look(const void *at, size_t bytes)
{
    const struct memory *m = memory_of((uint64_t)(uintptr_t)at);

    if (!bytes || !m || bytes > m->at + m->bytes - (uint64_t)(uintptr_t)at)
        return CUDA_ERROR_INVALID_VALUE;
    return m->kind == MEMORY_MANAGED || m->kind == MEMORY_HOST || m->kind == MEMORY_REGISTERED
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

static cudaError_t hint(const void *at, size_t bytes)
{
    CUresult result = runtime_begin();

    return runtime_end(result == CUDA_SUCCESS ? look(at, bytes) : result);
}

/* In toolkit 12 the last argument of these two names is the device's number: no argument behind the range is used. */
cudaError_t cudaMemAdvise(const void *at, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation where)
{
    (void)where;
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        return runtime_end_of(CUDA_ERROR_INVALID_VALUE);
    return hint(at, bytes);
}

cudaError_t cudaMemPrefetchAsync(const void *at, size_t bytes, struct cudaMemLocation where, unsigned flags,
                                 cudaStream_t stream)
{
    (void)where, (void)stream;
    return flags && !runtime_is_12() ? runtime_end_of(CUDA_ERROR_INVALID_VALUE) : hint(at, bytes);
}

cudaError_t cudaMemAdvise_v2(const void *at, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation where)
{
    return cudaMemAdvise(at, bytes, advice, where);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *at, size_t bytes, struct cudaMemLocation where, unsigned flags,
                                    cudaStream_t stream)
{
    return cudaMemPrefetchAsync(at, bytes, where, flags, stream);
}

static cudaError_t hint_all(void **at, const size_t *bytes, size_t count)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && (!at || !bytes || !count))
        result = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = look(at[i], bytes[i]);
    return runtime_end(result);
}

cudaError_t cudaMemPrefetchBatchAsync(void **at, size_t *bytes, size_t count, struct cudaMemLocation *where,
                                      size_t *which, size_t places, unsigned long long flags, cudaStream_t stream)
{
    (void)where, (void)which, (void)places, (void)flags, (void)stream;
    return hint_all(at, bytes, count);
}

cudaError_t cudaMemDiscardBatchAsync(void **at, size_t *bytes, size_t count, unsigned long long flags,
                                     cudaStream_t stream)
{
    (void)flags, (void)stream;
    return hint_all(at, bytes, count);
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **at, size_t *bytes, size_t count, struct cudaMemLocation *where,
                                                size_t *which, size_t places, unsigned long long flags,
                                                cudaStream_t stream)
{
    (void)where, (void)which, (void)places, (void)flags, (void)stream;
    return hint_all(at, bytes, count);
}

/* Nothing was preferred, nothing prefetched, nobody was named. */
static CUresult attribute(void *out, size_t bytes, enum cudaMemRangeAttribute which)
{
    int *number = out;

    if (!out || bytes < sizeof *number || bytes % sizeof *number)
        return CUDA_ERROR_INVALID_VALUE;
    switch (which) {
    case cudaMemRangeAttributeReadMostly: *number = 0; return CUDA_SUCCESS;
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributeLastPrefetchLocation: *number = cudaInvalidDeviceId; return CUDA_SUCCESS;
    case cudaMemRangeAttributeAccessedBy:
        for (size_t i = 0; i < bytes / sizeof *number; i++)
            number[i] = cudaInvalidDeviceId;
        return CUDA_SUCCESS;
    case cudaMemRangeAttributePreferredLocationType:
    case cudaMemRangeAttributeLastPrefetchLocationType: *number = cudaMemLocationTypeInvalid; return CUDA_SUCCESS;
    case cudaMemRangeAttributePreferredLocationId:
    case cudaMemRangeAttributeLastPrefetchLocationId: *number = cudaInvalidDeviceId; return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

cudaError_t cudaMemRangeGetAttributes(void **out, size_t *sizes, enum cudaMemRangeAttribute *which, size_t count,
                                      const void *at, size_t bytes)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = out && sizes && which && count ? look(at, bytes) : CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = attribute(out[i], sizes[i], which[i]);
    return runtime_end(result);
}

cudaError_t cudaMemRangeGetAttribute(void *out, size_t size, enum cudaMemRangeAttribute which, const void *at,
                                     size_t bytes)
{
    return cudaMemRangeGetAttributes(&out, &size, &which, 1, at, bytes);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *at, size_t bytes, unsigned flags)
{
    const struct memory *m;
    CUresult result = runtime_begin();

    m = memory_of((uint64_t)(uintptr_t)at);
    if (result == CUDA_SUCCESS && !stream_of((CUstream)stream))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS &&
        (!m || m->kind != MEMORY_MANAGED || (bytes && (m->at != (uint64_t)(uintptr_t)at || bytes != m->bytes)) ||
         (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)))
        result = CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}
// SPDX-License-Identifier: Apache-2.0
