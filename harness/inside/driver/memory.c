/* Memory of the driver API: allocations of all kinds, and what is asked of addresses. */
#include <string.h>

#include "harness/inside/driver/older.h"

#include "harness/inside/device/later.h"

enum { PITCH = 512 }; /* bytes that cuMemAllocPitch rounds a row up to */

static CUresult allocate(enum memory_kind kind, uint64_t *out, size_t bytes, unsigned flags)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && (!out || !bytes))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = memory_new(kind, bytes, flags, out);
    return driver_end(result);
}

static CUresult release(uint64_t at, bool registered)
{
    CUresult result = driver_begin();

    if (result == CUDA_ERROR_INVALID_CONTEXT && !at)
        result = CUDA_SUCCESS; /* nothing is freed, of no context */
    if (result == CUDA_SUCCESS && at) {
        later_wait(NULL); /* as a device does that frees */
        result = registered ? memory_free(at, true) : memory_rest(at, true);
    }
    if (result == CUDA_SUCCESS)
        say_printed();
    return driver_end(result);
}

CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes)
{
    return allocate(MEMORY_DEVICE, (uint64_t *)out, bytes, 0);
}

CUresult cuMemAllocPitch(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned element)
{
    if (!pitch || (element != 4 && element != 8 && element != 16))
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return allocate(MEMORY_DEVICE, (uint64_t *)out, *pitch * height, 0);
}

CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags)
{
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
        return CUDA_ERROR_INVALID_VALUE;
    return allocate(MEMORY_MANAGED, (uint64_t *)out, bytes, flags);
}

/* Nothing at all is none, and fine. */
CUresult cuMemAllocHost(void **out, size_t bytes)
{
    CUresult result;

    if (bytes || !out)
        return allocate(MEMORY_HOST, (uint64_t *)out, bytes, 0);
    result = driver_begin();
    if (result == CUDA_SUCCESS)
        *out = NULL;
    return driver_end(result);
}

CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
    return allocate(MEMORY_HOST, (uint64_t *)out, bytes, flags);
}

CUresult cuMemFree(CUdeviceptr at)
{
    return release(at, false);
}

CUresult cuMemFreeHost(void *at)
{
    return release((uint64_t)(uintptr_t)at, false);
}

CUresult cuMemHostRegister(void *at, size_t bytes, unsigned flags)
{
    const CUresult result = driver_begin();

    return driver_end(result == CUDA_SUCCESS ? memory_register(at, bytes, flags) : result);
}

CUresult cuMemHostUnregister(void *at)
{
    return release((uint64_t)(uintptr_t)at, true);
}

/* The memory of an address of the host, which the device knows. */
static CUresult host_memory(const void *at, const struct memory **out)
{
    *out = memory_of((uint64_t)(uintptr_t)at);
    return *out && ((*out)->kind == MEMORY_HOST || (*out)->kind == MEMORY_REGISTERED || (*out)->kind == MEMORY_MANAGED)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *out, void *at, unsigned flags)
{
    CUresult result = driver_begin();
    const struct memory *m;

    if (result == CUDA_SUCCESS)
        result = flags || !out ? CUDA_ERROR_INVALID_VALUE : host_memory(at, &m);
    if (result == CUDA_SUCCESS)
        *out = (CUdeviceptr)(uintptr_t)at;
    return driver_end(result);
}

CUresult cuMemHostGetFlags(unsigned *flags, void *at)
{
    CUresult result = driver_begin();
    const struct memory *m = NULL;

    if (result == CUDA_SUCCESS)
        result = flags ? host_memory(at, &m) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *flags = (m->kind == MEMORY_MANAGED ? 0 : m->flags) | CU_MEMHOSTALLOC_DEVICEMAP;
    return driver_end(result);
}

CUresult cuMemGetInfo(size_t *unused, size_t *total)
{
    const CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && total)
        *total = DEVICE_MEMORY;
    if (result == CUDA_SUCCESS && unused)
        *unused = DEVICE_MEMORY - memory_used();
    return driver_end(result);
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr at)
{
    CUresult result = driver_begin();
    struct memory m;

    if (result == CUDA_SUCCESS && !memory_at(at, &m))
        result = CUDA_ERROR_NOT_FOUND;
    if (result == CUDA_SUCCESS && base)
        *base = m.at;
    if (result == CUDA_SUCCESS && bytes)
        *bytes = m.bytes;
    return driver_end(result);
}

/* ---- advice: what the runtime has no more -------------------------------------------------------------------------
 */

CUresult cuMemAdvise(CUdeviceptr at, size_t bytes, CUmem_advise advice, CUdevice dev)
{
    (void)dev;
    return cuMemAdvise_v2(at, bytes, advice, (CUmemLocation){ 0 });
}

CUresult cuMemPrefetchAsync(CUdeviceptr at, size_t bytes, CUdevice dev, CUstream stream)
{
    (void)dev;
    return cuMemPrefetchAsync_v2(at, bytes, (CUmemLocation){ 0 }, 0, stream);
}

/* ---- pointers -----------------------------------------------------------------------------------------------------
 */

static CUmemorytype type_of(const struct memory *m)
{
    return m->kind == MEMORY_HOST || m->kind == MEMORY_REGISTERED ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static CUresult pointer_attribute(void *out, CUpointer_attribute which, CUdeviceptr at)
{
    enum { HW_DECOMPRESS_CAPABLE = 21 }; /* the headers of earlier toolkits lack the name */
    struct memory m;

    if (!memory_at(at, &m))
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)out = driver_context(); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(unsigned *)out = type_of(&m); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)out = at; break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (type_of(&m) != CU_MEMORYTYPE_HOST && m.kind != MEMORY_MANAGED)
            return CUDA_ERROR_INVALID_VALUE;
        *(void **)out = (void *)(uintptr_t)at;
        break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: *(unsigned long long *)out = m.number; break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)out = m.kind == MEMORY_MANAGED; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)out = 0; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)out = m.at; break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)out = m.bytes; break;
    case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned *)out = 1; break;
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
        if (type_of(&m) == CU_MEMORYTYPE_HOST)
            return CUDA_ERROR_INVALID_VALUE;
        *(CUDA_POINTER_ATTRIBUTE_P2P_TOKENS *)out = (CUDA_POINTER_ATTRIBUTE_P2P_TOKENS){ 0 };
        break;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *(unsigned *)out = type_of(&m) == CU_MEMORYTYPE_DEVICE; break;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case HW_DECOMPRESS_CAPABLE: *(unsigned *)out = m.kind == MEMORY_DEVICE; break;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: *(unsigned *)out = 0; break;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: *(unsigned *)out = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE; break;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: *(CUmemoryPool *)out = NULL; break;
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: *(size_t *)out = m.bytes; break;
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: *(CUdeviceptr *)out = m.at; break;
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: *(unsigned long long *)out = m.number; break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *out, CUpointer_attribute which, CUdeviceptr at)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        result = out ? pointer_attribute(out, which, at) : CUDA_ERROR_INVALID_VALUE;
    return driver_end(result);
}

/* Of an address that is none of the device's: zeros, and CUDA_SUCCESS, as the document says. */
CUresult cuPointerGetAttributes(unsigned n, CUpointer_attribute *which, void **out, CUdeviceptr at)
{
    CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS && (!which || !out))
        result = CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; result == CUDA_SUCCESS && i < n; i++) {
        if (pointer_attribute(out[i], which[i], at) == CUDA_SUCCESS)
            continue;
        if (which[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            *(int *)out[i] = CU_DEVICE_INVALID;
        else if (which[i] <= CU_POINTER_ATTRIBUTE_HOST_POINTER && which[i] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
            *(void **)out[i] = NULL;
        else
            *(unsigned *)out[i] = 0;
    }
    return driver_end(result);
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute which, CUdeviceptr at)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && (!value || which != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !memory_is_device(at)))
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_end(result); /* operations are synchronous as it is */
}
// SPDX-License-Identifier: Apache-2.0
