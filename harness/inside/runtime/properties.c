/* cudaGetDeviceProperties. The struct has another layout in toolkit 12 than in 13: both are one list of fields, in the
 * order in which they lie, with those that only toolkit 12 has marked. */
#include <string.h>

#include "harness/inside/runtime/old.h"
#include "harness/inside/runtime/runtime.h"

#define OF(attribute) CU_DEVICE_ATTRIBUTE_##attribute
#define CONSTANT      0 /* no attribute: `value` */

/* `count` numbers of `bytes` bytes each, aligned to as many. */
struct field {
    unsigned char bytes, count;
    bool only_12;
    CUdevice_attribute of[3]; /* what cuDeviceGetAttribute answers */
    uint64_t value;           /* where there is no attribute */
};

/* Behind name, uuid, luid and its mask. */
static const struct field fields[] = {
    { 8, 1, false, { CONSTANT }, DEVICE_MEMORY },
    { 8, 1, false, { OF(MAX_SHARED_MEMORY_PER_BLOCK) }, 0 },
    { 4, 1, false, { OF(MAX_REGISTERS_PER_BLOCK) }, 0 },
    { 4, 1, false, { OF(WARP_SIZE) }, 0 },
    { 8, 1, false, { OF(MAX_PITCH) }, 0 },
    { 4, 1, false, { OF(MAX_THREADS_PER_BLOCK) }, 0 },
    { 4, 3, false, { OF(MAX_BLOCK_DIM_X), OF(MAX_BLOCK_DIM_Y), OF(MAX_BLOCK_DIM_Z) }, 0 },
    { 4, 3, false, { OF(MAX_GRID_DIM_X), OF(MAX_GRID_DIM_Y), OF(MAX_GRID_DIM_Z) }, 0 },
    { 4, 1, true, { OF(CLOCK_RATE) }, 0 },
    { 8, 1, false, { OF(TOTAL_CONSTANT_MEMORY) }, 0 },
    { 4, 1, false, { OF(COMPUTE_CAPABILITY_MAJOR) }, 0 },
    { 4, 1, false, { OF(COMPUTE_CAPABILITY_MINOR) }, 0 },
    { 8, 1, false, { OF(TEXTURE_ALIGNMENT) }, 0 },
    { 8, 1, false, { OF(TEXTURE_PITCH_ALIGNMENT) }, 0 },
    { 4, 1, true, { OF(GPU_OVERLAP) }, 0 },
    { 4, 1, false, { OF(MULTIPROCESSOR_COUNT) }, 0 },
    { 4, 1, true, { OF(KERNEL_EXEC_TIMEOUT) }, 0 },
    { 4, 1, false, { OF(INTEGRATED) }, 0 },
    { 4, 1, false, { OF(CAN_MAP_HOST_MEMORY) }, 0 },
    { 4, 1, true, { OF(COMPUTE_MODE) }, 0 },
    { 4, 1, false, { OF(MAXIMUM_TEXTURE1D_WIDTH) }, 0 },
    { 4, 1, false, { OF(MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH) }, 0 },
    { 4, 1, true, { OF(MAXIMUM_TEXTURE1D_LINEAR_WIDTH) }, 0 },
    { 4, 2, false, { OF(MAXIMUM_TEXTURE2D_WIDTH), OF(MAXIMUM_TEXTURE2D_HEIGHT) }, 0 },
    { 4, 2, false, { OF(MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH), OF(MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT) }, 0 },
    { 4,
      3,
      false,
      { OF(MAXIMUM_TEXTURE2D_LINEAR_WIDTH), OF(MAXIMUM_TEXTURE2D_LINEAR_HEIGHT), OF(MAXIMUM_TEXTURE2D_LINEAR_PITCH) },
      0 },
    { 4, 2, false, { OF(MAXIMUM_TEXTURE2D_GATHER_WIDTH), OF(MAXIMUM_TEXTURE2D_GATHER_HEIGHT) }, 0 },
    { 4, 3, false, { OF(MAXIMUM_TEXTURE3D_WIDTH), OF(MAXIMUM_TEXTURE3D_HEIGHT), OF(MAXIMUM_TEXTURE3D_DEPTH) }, 0 },
    { 4,
      3,
      false,
      { OF(MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE), OF(MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE),
        OF(MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE) },
      0 },
    { 4, 1, false, { OF(MAXIMUM_TEXTURECUBEMAP_WIDTH) }, 0 },
    { 4, 2, false, { OF(MAXIMUM_TEXTURE1D_LAYERED_WIDTH), OF(MAXIMUM_TEXTURE1D_LAYERED_LAYERS) }, 0 },
    { 4,
      3,
      false,
      { OF(MAXIMUM_TEXTURE2D_LAYERED_WIDTH), OF(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT),
        OF(MAXIMUM_TEXTURE2D_LAYERED_LAYERS) },
      0 },
    { 4, 2, false, { OF(MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH), OF(MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS) }, 0 },
    { 4, 1, false, { OF(MAXIMUM_SURFACE1D_WIDTH) }, 0 },
    { 4, 2, false, { OF(MAXIMUM_SURFACE2D_WIDTH), OF(MAXIMUM_SURFACE2D_HEIGHT) }, 0 },
    { 4, 3, false, { OF(MAXIMUM_SURFACE3D_WIDTH), OF(MAXIMUM_SURFACE3D_HEIGHT), OF(MAXIMUM_SURFACE3D_DEPTH) }, 0 },
    { 4, 2, false, { OF(MAXIMUM_SURFACE1D_LAYERED_WIDTH), OF(MAXIMUM_SURFACE1D_LAYERED_LAYERS) }, 0 },
    { 4,
      3,
      false,
      { OF(MAXIMUM_SURFACE2D_LAYERED_WIDTH), OF(MAXIMUM_SURFACE2D_LAYERED_HEIGHT),
        OF(MAXIMUM_SURFACE2D_LAYERED_LAYERS) },
      0 },
    { 4, 1, false, { OF(MAXIMUM_SURFACECUBEMAP_WIDTH) }, 0 },
    { 4, 2, false, { OF(MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH), OF(MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS) }, 0 },
    { 8, 1, false, { OF(SURFACE_ALIGNMENT) }, 0 },
    { 4, 1, false, { OF(CONCURRENT_KERNELS) }, 0 },
    { 4, 1, false, { OF(ECC_ENABLED) }, 0 },
    { 4, 3, false, { OF(PCI_BUS_ID), OF(PCI_DEVICE_ID), OF(PCI_DOMAIN_ID) }, 0 },
    { 4, 1, false, { OF(TCC_DRIVER) }, 0 },
    { 4, 1, false, { OF(ASYNC_ENGINE_COUNT) }, 0 },
    { 4, 1, false, { OF(UNIFIED_ADDRESSING) }, 0 },
    { 4, 1, true, { OF(MEMORY_CLOCK_RATE) }, 0 },
    { 4, 1, false, { OF(GLOBAL_MEMORY_BUS_WIDTH) }, 0 },
    { 4, 1, false, { OF(L2_CACHE_SIZE) }, 0 },
    { 4, 1, false, { OF(MAX_PERSISTING_L2_CACHE_SIZE) }, 0 },
    { 4, 1, false, { OF(MAX_THREADS_PER_MULTIPROCESSOR) }, 0 },
    { 4, 1, false, { OF(STREAM_PRIORITIES_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(GLOBAL_L1_CACHE_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(LOCAL_L1_CACHE_SUPPORTED) }, 0 },
    { 8, 1, false, { OF(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) }, 0 },
    { 4, 1, false, { OF(MAX_REGISTERS_PER_MULTIPROCESSOR) }, 0 },
    { 4, 1, false, { OF(MANAGED_MEMORY) }, 0 },
    { 4, 2, false, { OF(MULTI_GPU_BOARD), OF(MULTI_GPU_BOARD_GROUP_ID) }, 0 },
    { 4, 1, false, { OF(HOST_NATIVE_ATOMIC_SUPPORTED) }, 0 },
    { 4, 1, true, { OF(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO) }, 0 },
    { 4, 1, false, { OF(PAGEABLE_MEMORY_ACCESS) }, 0 },
    { 4, 1, false, { OF(CONCURRENT_MANAGED_ACCESS) }, 0 },
    { 4, 1, false, { OF(COMPUTE_PREEMPTION_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM) }, 0 },
    { 4, 1, false, { OF(COOPERATIVE_LAUNCH) }, 0 },
    { 4, 1, true, { OF(COOPERATIVE_MULTI_DEVICE_LAUNCH) }, 0 },
    { 8, 1, false, { OF(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) }, 0 },
    { 4, 1, false, { OF(PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES) }, 0 },
    { 4, 1, false, { OF(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST) }, 0 },
    { 4, 1, false, { OF(MAX_BLOCKS_PER_MULTIPROCESSOR) }, 0 },
    { 4, 1, false, { OF(MAX_ACCESS_POLICY_WINDOW_SIZE) }, 0 },
    { 8, 1, false, { OF(RESERVED_SHARED_MEMORY_PER_BLOCK) }, 0 },
    { 4, 1, false, { OF(HOST_REGISTER_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(SPARSE_CUDA_ARRAY_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(READ_ONLY_HOST_REGISTER_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(TIMELINE_SEMAPHORE_INTEROP_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(MEMORY_POOLS_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(GPU_DIRECT_RDMA_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS) }, 0 },
    { 4, 1, false, { OF(GPU_DIRECT_RDMA_WRITES_ORDERING) }, 0 },
    { 4, 1, false, { OF(MEMPOOL_SUPPORTED_HANDLE_TYPES) }, 0 },
    { 4, 1, false, { OF(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(IPC_EVENT_SUPPORTED) }, 0 },
    { 4, 1, false, { OF(CLUSTER_LAUNCH) }, 0 },
    { 4, 1, false, { OF(UNIFIED_FUNCTION_POINTERS) }, 0 },
};

/* Writes the struct. What a newer toolkit has behind these fields, and reserves, is left 0 by the caller. */
static void fill(unsigned char *out, bool is_12)
{
    struct cudaDeviceProp head = { .name = DEVICE_NAME };
    size_t at = offsetof(struct cudaDeviceProp, totalGlobalMem);

    cuDeviceGetUuid_v2(&head.uuid, 0);
    memcpy(out, &head, at);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct field *f = &fields[i];
        if (f->only_12 && !is_12)
            continue;
        at = (at + f->bytes - 1) / f->bytes * f->bytes;
        for (unsigned k = 0; k < f->count; k++, at += f->bytes) {
            int value = 0;
            uint64_t wide = f->value;
            if (f->of[k]) {
                device_attribute(f->of[k], &value);
                wide = (uint64_t)value;
            }
            memcpy(out + at, &wide, f->bytes);
        }
    }
}

enum { BYTES_OF_12 = 1032 }; /* of the struct in toolkit 12 */

static cudaError_t get(void *out, size_t bytes, bool is_12, int number)
{
    CUresult result = runtime_begin_anyway();

    if (!out)
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && number != 0)
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS) {
        memset(out, 0, bytes);
        fill(out, is_12);
    }
    return runtime_end(result);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int number)
{
    return get(out, sizeof *out, false, number);
}

/* What toolkit 12 calls cudaGetDeviceProperties. */
cudaError_t cudaGetDeviceProperties_v2(void *out, int number)
{
    return get(out, BYTES_OF_12, true, number);
}
// SPDX-License-Identifier: Apache-2.0
