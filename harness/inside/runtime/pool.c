/* Memory pools of the runtime. */
#include "harness/inside/device/pool.h"

#include <string.h>

#include "harness/inside/runtime/runtime.h"

static struct pool *pool_of(cudaMemPool_t handle)
{
    struct pool *p = (struct pool *)handle;

    return pool_known(p) ? p : NULL;
}

/* A call about the pool of a handle; `fine`: its other arguments are what they must be. */
static CUresult begin_with(cudaMemPool_t handle, bool fine, struct pool **p)
{
    const CUresult result = runtime_begin_anyway();

    *p = pool_of(handle);
    return result == CUDA_SUCCESS && (!*p || !fine) ? CUDA_ERROR_INVALID_VALUE : result;
}

static cudaError_t allocate(void **out, size_t bytes, struct pool *p, cudaStream_t stream)
{
    CUresult result = runtime_begin();
    struct stream *s = stream_of((CUstream)stream);
    uint64_t at = 0;

    if (result == CUDA_SUCCESS)
        result = !out || !p ? CUDA_ERROR_INVALID_VALUE : s ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && bytes)
        result = pool_alloc(p, s, bytes, &at);
    if (out) /* NULL where it fails: so on an H200 */
        *out = result == CUDA_SUCCESS ? (void *)(uintptr_t)at : NULL;
    return runtime_end(result);
}

cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream)
{
    return allocate(out, bytes, *pool_current(), stream);
}

cudaError_t cudaMallocFromPoolAsync(void **out, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return allocate(out, bytes, pool_of(pool), stream);
}

cudaError_t cudaFreeAsync(void *at, cudaStream_t stream)
{
    CUresult result = runtime_begin();
    struct stream *s = stream_of((CUstream)stream);

    if (result == CUDA_SUCCESS)
        result = s ? pool_release(s, (uint64_t)(uintptr_t)at) : CUDA_ERROR_INVALID_HANDLE;
    return runtime_end(result);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *p)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS && (!out || !p || p->allocType != cudaMemAllocationTypePinned ||
                                   (p->location.type == cudaMemLocationTypeDevice && p->location.id != 0)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *out = (cudaMemPool_t)pool_new((CUmemLocationType)p->location.type);
        result = *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    return runtime_end(result);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    struct pool *p;
    CUresult result = begin_with(pool, true, &p);

    if (result == CUDA_SUCCESS)
        result = pool_free(p);
    return runtime_end(result);
}

static cudaError_t give(cudaMemPool_t *out, struct pool *p, bool fits)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS)
        result = !fits ? CUDA_ERROR_INVALID_DEVICE : out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *out = (cudaMemPool_t)p;
    return runtime_end(result);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int number)
{
    return give(out, pool_default(), !number);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int number)
{
    return number < 0 ? runtime_end_of(CUDA_ERROR_INVALID_VALUE) : give(out, *pool_current(), !number);
}

static bool is_ours(const struct cudaMemLocation *at)
{
    return at && at->type == cudaMemLocationTypeDevice && !at->id;
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *out, struct cudaMemLocation *at, enum cudaMemAllocationType type)
{
    return give(out, pool_default(), is_ours(at) && type == cudaMemAllocationTypePinned);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *out, struct cudaMemLocation *at, enum cudaMemAllocationType type)
{
    return give(out, *pool_current(), is_ours(at) && type == cudaMemAllocationTypePinned);
}

cudaError_t cudaDeviceSetMemPool(int number, cudaMemPool_t pool)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS)
        result = !number && pool_of(pool) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *pool_current() = pool_of(pool);
    return runtime_end(result);
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *at, enum cudaMemAllocationType type, cudaMemPool_t pool)
{
    return is_ours(at) && type == cudaMemAllocationTypePinned ? cudaDeviceSetMemPool(0, pool)
                                                              : runtime_end_of(CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    struct pool *p;
    const CUresult result = begin_with(pool, true, &p);

    if (result == CUDA_SUCCESS)
        pool_trim(p, keep);
    return runtime_end(result);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr which, void *value)
{
    struct pool *p;
    CUresult result = begin_with(pool, value != NULL, &p);

    if (result == CUDA_SUCCESS)
        result = pool_set(p, (CUmemPool_attribute)which, value);
    return runtime_end(result);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr which, void *value)
{
    struct pool *p;
    CUresult result = begin_with(pool, value != NULL, &p);

    if (result == CUDA_SUCCESS)
        result = pool_get(p, (CUmemPool_attribute)which, value);
    return runtime_end(result);
}

/* Its own device has access whatever is said; there is no other. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count)
{
    struct pool *p;
    CUresult result = begin_with(pool, !count || list, &p);

    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        if (list[i].location.type == cudaMemLocationTypeDevice &&
            (list[i].location.id || list[i].flags == cudaMemAccessFlagsProtNone))
            result = CUDA_ERROR_INVALID_DEVICE;
    return runtime_end(result);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *at)
{
    struct pool *p;
    const CUresult result = begin_with(pool, flags && at, &p);

    if (result == CUDA_SUCCESS)
        *flags = is_ours(at) ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return runtime_end(result);
}

/* ---- memory of graphs ----------------------------------------------------------------------------------------------
 */

struct sums {
    uint64_t used, reserved;
};

static void add(const struct memory *m, void *state)
{
    struct sums *s = state;

    if (m->kind != MEMORY_GRAPH || m->bytes <= sizeof(uint32_t)) /* a condition's word is no memory of a node */
        return;
    s->reserved += (m->bytes + (2 << 20) - 1) / (2 << 20) * (2 << 20);
    s->used += m->resting ? 0 : m->bytes;
}

static uint64_t high[4];

cudaError_t cudaDeviceGetGraphMemAttribute(int number, enum cudaGraphMemAttributeType which, void *value)
{
    CUresult result = runtime_begin_anyway();
    struct sums now = { 0 };

    memory_each(add, &now);
    if (now.used > high[cudaGraphMemAttrUsedMemHigh])
        high[cudaGraphMemAttrUsedMemHigh] = now.used;
    if (now.reserved > high[cudaGraphMemAttrReservedMemHigh])
        high[cudaGraphMemAttrReservedMemHigh] = now.reserved;
    high[cudaGraphMemAttrUsedMemCurrent] = now.used;
    high[cudaGraphMemAttrReservedMemCurrent] = now.reserved;
    if (result == CUDA_SUCCESS)
        result = number                                                  ? CUDA_ERROR_INVALID_DEVICE
                 : value && (unsigned)which < sizeof high / sizeof *high ? CUDA_SUCCESS
                                                                         : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *(uint64_t *)value = high[which];
    return runtime_end(result);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int number, enum cudaGraphMemAttributeType which, void *value)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS && number)
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS && (!value || *(uint64_t *)value ||
                                   (which != cudaGraphMemAttrUsedMemHigh && which != cudaGraphMemAttrReservedMemHigh)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        high[which] = 0;
    return runtime_end(result);
}

/* What graphs have freed stays at its address until they are destroyed. */
cudaError_t cudaDeviceGraphMemTrim(int number)
{
    return runtime_end_of(number ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS);
}
// SPDX-License-Identifier: Apache-2.0
