/* A CUDA runtime without a GPU, for host programs that others wrote: each launch goes through `copycheck check`, and
 * what the kernel stored comes back into the program's memory. The host part is linked with these files in
 * place of libcudart (nvcc -cudart none); its kernels are in a PTX file beside it.
 *
 * COPYCHECK names the checker, COPYCHECK_PTX the PTX file, COPYCHECK_WORK the start of the names of the files that it
 * writes: NAME.N.spec and NAME.N.out are the N-th launch and what was said of it. COPYCHECK_OPTIONS has further
 * options. COPYCHECK_ONCE=1 skips a launch whose kernel and parameters are those of one before: loops that take the
 * time. NAME.N.K.in and NAME.N.K.out, the K-th allocation before and after the launch, stay where COPYCHECK_KEEP=1.
 *
 * Device memory is memory of this process, so copies are memcpy. A parameter word that is an address in it becomes at:,
 * the 128 bytes of a tensor map become map:. Addresses that stand in device memory itself are not found. Streams and
 * events do nothing: all is done at once, in order. */
#define _GNU_SOURCE
#include "host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

enum { RANKS = 5 };

static const char magic[16] = "copycheck's map";

struct host_memory host_memory[HOST_ROOM];
size_t host_memories;
struct host_map host_maps[HOST_MAPS];
size_t host_map_count;

void host_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fprintf(stderr, "host: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    exit(2);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

long host_find(const void *address)
{
    const unsigned char *p = address;

    for (size_t i = 0; i < host_memories; i++)
        if (host_memory[i].data && p >= host_memory[i].data && p < host_memory[i].data + host_memory[i].bytes)
            return (long)i;
    return -1;
}

static void written(const void *to)
{
    const long i = host_find(to);

    if (i >= 0)
        host_memory[i].written = 1;
}

cudaError_t cudaMalloc(void **to, size_t bytes)
{
    if (host_memories == HOST_ROOM)
        host_fail("more than %d allocations", HOST_ROOM);
    host_memory[host_memories].bytes = bytes;
    if (!bytes)
        return *to = NULL, cudaSuccess;
    if (posix_memalign(to, 256, (bytes + 255) / 256 * 256))
        return cudaErrorMemoryAllocation;
    memset(*to, 0, host_memory[host_memories].bytes);
    host_memory[host_memories++].data = *to;
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **to, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return cudaMalloc(to, bytes);
}

cudaError_t cudaFree(void *data)
{
    const long i = data ? host_find(data) : -1;

    if (i >= 0) {
        free(data);
        host_memory[i].data = NULL;
    }
    return cudaSuccess;
}

cudaError_t cudaFreeAsync(void *data, cudaStream_t stream)
{
    (void)stream;
    return cudaFree(data);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memmove(to, from, bytes);
    written(to);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    memset(to, value, bytes);
    written(to);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    return cudaMemset(to, value, bytes);
}

/* ---- tensor maps --------------------------------------------------------------------------------------------------
 */

static void list(char *to, size_t size, const char *name, const void *values, unsigned count, int wide)
{
    size_t n = strlen(to);

    for (unsigned i = 0; i < count; i++) {
        const unsigned long long v =
            wide ? ((const cuuint64_t *)values)[i] : (unsigned long long)((const cuuint32_t *)values)[i];
        n += (size_t)snprintf(to + n, size - n, "%s%s%llu", i ? "x" : ",", i ? "" : name, v);
    }
}

/* The object that a program copies about is found again by its first bytes; its words are those of copycheck encode. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
    static const char *const types[] = { "u8",       "u16",          "u32",           "s32",          "u64",     "s64",
                                         "f16",      "f32",          "f64",           "bf16",         "f32-ftz", "tf32",
                                         "tf32-ftz", "16u4-align8b", "16u4-align16b", "16u6-align16b" };
    unsigned char *object = (unsigned char *)map;
    char *words = host_maps[host_map_count].words;
    size_t k;
    const size_t size = sizeof host_maps[host_map_count].words;

    if (host_map_count + 1 == HOST_MAPS)
        host_fail("more than %d tensor maps", HOST_MAPS);
    if (rank < 1 || rank > RANKS || (unsigned)type >= sizeof types / sizeof *types)
        return CUDA_ERROR_INVALID_VALUE;
    snprintf(words, size, "type=%s,rank=%u,interleave=%u,swizzle=%u,l2=%u,fill=%s", types[type], rank,
             (unsigned)interleave, (unsigned)swizzle, (unsigned)l2, fill ? "nan" : "zero");
    list(words, size, "dims=", dims, rank, 1);
    list(words, size, "strides=", strides, rank - 1, 1);
    list(words, size, "box=", box, rank, 0);
    list(words, size, "element-strides=", steps, rank, 0);
    host_maps[host_map_count].tensor = address;
    for (k = 0; host_maps[k].tensor != address || strcmp(host_maps[k].words, words); k++)
        ;
    host_map_count += k == host_map_count;
    memset(object, 0, HOST_MAP);
    memcpy(object, magic, sizeof magic);
    memcpy(object + sizeof magic, &k, sizeof k);
    return CUDA_SUCCESS;
}

long host_map_at(const unsigned char *p)
{
    size_t k;

    if (memcmp(p, magic, sizeof magic) != 0)
        return -1;
    memcpy(&k, p + sizeof magic, sizeof k);
    return k < host_map_count ? (long)k : -1;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address)
{
    (void)map, (void)address;
    host_fail("cuTensorMapReplaceAddress");
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    static char told[32];

    snprintf(told, sizeof told, "driver error %d", (int)error);
    *text = told;
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    *version = HOST_DRIVER;
    return CUDA_SUCCESS;
}

static cudaError_t entry_point(const char *name, void **to, enum cudaDriverEntryPointQueryResult *result)
{
    static const struct {
        const char *name;
        void *to;
    } known[] = { { "cuTensorMapEncodeTiled", (void *)cuTensorMapEncodeTiled },
                  { "cuTensorMapReplaceAddress", (void *)cuTensorMapReplaceAddress },
                  { "cuDriverGetVersion", (void *)cuDriverGetVersion },
                  { "cuGetErrorString", (void *)cuGetErrorString } };

    *to = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name))
            *to = known[i].to;
    if (result)
        *result = *to ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return *to ? cudaSuccess : cudaErrorSymbolNotFound;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **to, unsigned version, unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *result)
{
    (void)version, (void)flags;
    return entry_point(name, to, result);
}

#undef cudaGetDriverEntryPoint
cudaError_t cudaGetDriverEntryPoint(const char *name, void **to, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *result)
{
    (void)flags;
    return entry_point(name, to, result);
}
// SPDX-License-Identifier: Apache-2.0
