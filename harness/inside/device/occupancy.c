/* How many CTAs of a kernel a multiprocessor holds. Its shared memory is what the L1 cache leaves it: as much as the
 * function prefers, but room for one CTA. The toolkit's header of occupancy reckons so, and an H200's driver. */
#include "harness/inside/device/device.h"

enum { CTAS = 32, THREADS = 2048, SHARED = 228 << 10, SYSTEM = 1024, GRAIN = 128, CTA_MOST = 227 << 10 };

/* The least size of a multiprocessor's shared memory that has so many bytes. */
static uint64_t size_for(uint64_t bytes)
{
    static const unsigned char sizes[] = { 0, 8, 16, 32, 64, 100, 132, 164, 196 };

    for (size_t i = 0; i < sizeof sizes; i++)
        if (bytes <= (uint64_t)sizes[i] << 10)
            return (uint64_t)sizes[i] << 10;
    return SHARED;
}

/* A carve-out comes before what is said of the cache. */
static uint64_t preferred(const struct function *f)
{
    const int of_cache = f->cache == CU_FUNC_CACHE_PREFER_L1 ? 0 : f->cache == CU_FUNC_CACHE_PREFER_EQUAL ? 50 : 100;

    return size_for((uint64_t)(f->carveout < 0 ? of_cache : f->carveout) * SHARED / 100);
}

static uint64_t most_dynamic(const struct function *f)
{
    int most = 0;

    function_attribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &most);
    return (uint64_t)most;
}

CUresult occupancy_ctas(const struct function *f, int threads, size_t smem, int *ctas)
{
    const uint64_t fixed = launch_static_bytes(f) + SYSTEM, own = (fixed + smem + GRAIN - 1) / GRAIN * GRAIN;
    const int warps = (threads + 31) / 32 * 32;
    uint64_t shared = preferred(f);

    if (threads <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    *ctas = 0;
    if (threads > 1024 || smem > most_dynamic(f) || own > CTA_MOST + SYSTEM)
        return CUDA_SUCCESS;
    shared = shared < own ? size_for(own) : shared;
    *ctas = THREADS / warps < CTAS ? THREADS / warps : CTAS;
    if ((uint64_t)*ctas > shared / own)
        *ctas = (int)(shared / own);
    return CUDA_SUCCESS;
}

CUresult occupancy_dynamic(const struct function *f, int ctas, int threads, size_t *bytes)
{
    const uint64_t fixed = launch_static_bytes(f), most = most_dynamic(f), shared = preferred(f);
    uint64_t each = SHARED; /* one CTA may have it all, whatever is preferred */
    int fit;
    CUresult result = occupancy_ctas(f, threads, 0, &fit);

    if (result != CUDA_SUCCESS || ctas <= 0 || fit < ctas)
        return CUDA_ERROR_INVALID_VALUE;
    if (ctas > 1)
        each = (shared ? shared : size_for(1)) / (unsigned)ctas / GRAIN * GRAIN;
    each = each > fixed ? each - fixed : 0;
    *bytes = each < most ? each : most;
    return CUDA_SUCCESS;
}
// SPDX-License-Identifier: Apache-2.0
