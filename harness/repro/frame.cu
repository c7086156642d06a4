#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __CUDACC__
#pragma nv_diag_suppress 177 /* not every program needs every function */
#endif

enum { DEVICE_MEMORY, HOST_MEMORY, EDGE_MEMORY, PAGE = 2 << 20, SHOWN = 16, DIFFERENCES = 8, PARAMETERS = 64 };

/* Memory on the device: `at` is its address. */
struct buffer {
    CUdeviceptr at;
    size_t size;
};

/* One encode call. Enumerators are plain numbers, since a call may be about ones that are not defined. The arrays are
 * longer than any call reads. */
struct encode_call {
    unsigned char *map;
    int type;
    unsigned rank;
    CUdeviceptr address;
    uint64_t dims[64], strides[64];
    unsigned box[64], element_strides[64];
    int lower[64], upper[64];
    unsigned channels, pixels;
    int interleave, mode, swizzle, l2, fill;
};

static int differences;

static void stop(const char *what, CUresult r)
{
    const char *name = NULL;

    cuGetErrorName(r, &name);
    printf("%s: %s\n", what, name ? name : "an error without a name");
    exit(1);
}

#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        const CUresult must_r = (call);                                                                                \
        if (must_r != CUDA_SUCCESS)                                                                                    \
            stop(#call, must_r);                                                                                       \
    } while (0)

/* Bytes from lines of words: hexadecimal digits, two for each byte; "5c*1024" is a byte many times. */
static inline unsigned char *bytes_of(const char *const *lines, size_t size)
{
    unsigned char *bytes = (unsigned char *)calloc(1, size + 1);
    size_t n = 0;

    for (; *lines; lines++)
        for (const char *p = *lines; *p; p += *p == ' ') {
            unsigned byte = 0;
            unsigned long times = 1;
            int used = 0;
            for (; sscanf(p, "%2x%n", &byte, &used) == 1; p += used) {
                times = 1;
                if (p[used] == '*') {
                    char *end;
                    times = strtoul(p + used + 1, &end, 10);
                    used = (int)(end - p);
                }
                for (; times && n < size; times--)
                    bytes[n++] = (unsigned char)byte;
                if (p[used] == ' ' || !p[used]) {
                    p += used;
                    break;
                }
            }
        }
    return bytes;
}

static inline struct buffer make(int kind, size_t size)
{
    struct buffer b;
    const size_t mapped = (size + PAGE - 1) / PAGE * PAGE;
    void *host;

    b.size = size;
    b.at = 0;
    if (kind == HOST_MEMORY) { /* far away, so that copies from it are late */
        MUST(cuMemHostAlloc(&host, size, CU_MEMHOSTALLOC_DEVICEMAP));
        MUST(cuMemHostGetDevicePointer(&b.at, host, 0));
    } else if (kind == EDGE_MEMORY) { /* nothing is mapped after its last byte */
        CUmemAllocationProp prop;
        CUmemAccessDesc access;
        CUmemGenericAllocationHandle handle;
        memset(&prop, 0, sizeof prop);
        memset(&access, 0, sizeof access);
        prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        prop.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        MUST(cuMemAddressReserve(&b.at, mapped + PAGE, PAGE, 0, 0));
        MUST(cuMemCreate(&handle, mapped, &prop, 0));
        MUST(cuMemMap(b.at, mapped, 0, handle, 0));
        MUST(cuMemSetAccess(b.at, mapped, &access, 1));
        b.at += mapped - size;
    } else {
        MUST(cuMemAlloc(&b.at, size));
    }
    return b;
}

static inline void put_address(unsigned char *bytes, size_t at, CUdeviceptr value)
{
    memcpy(bytes + at, &value, sizeof value);
}

static inline void put_map(unsigned char *bytes, size_t at, const unsigned char *map)
{
    memcpy(bytes + at, map, 128);
}

/* Room for a tensor map, `offset` bytes behind a multiple of 128. */
static inline unsigned char *new_map(unsigned offset)
{
    unsigned char *p = (unsigned char *)malloc(512);

    if (!p)
        exit(1);
    return p + (128 - (uintptr_t)p % 128) % 128 + offset;
}

/* Makes the call with NULL for the pointer arguments that `null` names: map, globalAddress, globalDim, globalStrides,
 * boxDim, elementStrides, from bit 0 on. */
static inline CUresult encode(struct encode_call *c, unsigned null)
{
    CUtensorMap *map = null & 1 ? NULL : (CUtensorMap *)(void *)c->map;
    void *address = null & 2 ? NULL : (void *)(uintptr_t)c->address;
    const cuuint64_t *dims = null & 4 ? NULL : (const cuuint64_t *)(void *)c->dims;
    const cuuint64_t *strides = null & 8 ? NULL : (const cuuint64_t *)(void *)c->strides;

    if (c->mode == 0)
        return cuTensorMapEncodeTiled(map, (CUtensorMapDataType)c->type, c->rank, address, dims, strides,
                                      null & 16 ? NULL : c->box, null & 32 ? NULL : c->element_strides,
                                      (CUtensorMapInterleave)c->interleave, (CUtensorMapSwizzle)c->swizzle,
                                      (CUtensorMapL2promotion)c->l2, (CUtensorMapFloatOOBfill)c->fill);
    if (c->mode == 1)
        return cuTensorMapEncodeIm2col(map, (CUtensorMapDataType)c->type, c->rank, address, dims, strides, c->lower,
                                       c->upper, c->channels, c->pixels, c->element_strides,
                                       (CUtensorMapInterleave)c->interleave, (CUtensorMapSwizzle)c->swizzle,
                                       (CUtensorMapL2promotion)c->l2, (CUtensorMapFloatOOBfill)c->fill);
#if CUDA_VERSION >= 12080
    return cuTensorMapEncodeIm2colWide(map, (CUtensorMapDataType)c->type, c->rank, address, dims, strides,
                                       c->lower[0], c->upper[0], c->channels, c->pixels, c->element_strides,
                                       (CUtensorMapInterleave)c->interleave, (CUtensorMapIm2ColWideMode)(c->mode - 2),
                                       (CUtensorMapSwizzle)c->swizzle, (CUtensorMapL2promotion)c->l2,
                                       (CUtensorMapFloatOOBfill)c->fill);
#else
    return CUDA_ERROR_NOT_SUPPORTED;
#endif
}

/* Whether a call was accepted or refused, beside what was to come. */
static inline void answered(const char *call, CUresult r, int accepted)
{
    const char *name = NULL;

    cuGetErrorName(r, &name);
    const int differs = accepted ? r != CUDA_SUCCESS : r == CUDA_SUCCESS;
    printf("%-40s %s, to be %s%s\n", call, r ? (name ? name : "refused") : "accepted",
           accepted ? "accepted" : "refused", differs ? "  DIFFERS" : "");
    differences += differs;
}

/* A module from FILE.cubin where there is one, else from FILE.ptx; from FILE.ENDING where the environment has
 * IMAGE=ENDING. */
static inline CUmodule load(const char *folder, const char *file)
{
    const char *const endings[] = { getenv("IMAGE") ? getenv("IMAGE") : "cubin", "ptx" };
    char path[4096], log[4096] = "";
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { log, (void *)(uintptr_t)sizeof log };
    CUmodule module;
    FILE *f = NULL;
    long size;

    for (int i = 0; i < 2 && !f && (!i || !getenv("IMAGE")); i++) {
        snprintf(path, sizeof path, "%.3900s%s.%.64s", folder, file, endings[i]);
        f = fopen(path, "rb");
    }
    if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0) {
        printf("%s: cannot be read\n", path);
        exit(1);
    }
    rewind(f);
    char *text = (char *)calloc(1, (size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, f) != (size_t)size)
        exit(1);
    fclose(f);
    const CUresult r = cuModuleLoadDataEx(&module, text, 2, options, values);
    if (r) {
        printf("%s\n", log);
        stop(path, r);
    }
    printf("%s\n", path);
    free(text);
    return module;
}

static inline void write_constant(CUmodule module, const char *name, const void *bytes, size_t size)
{
    CUdeviceptr at;
    size_t room;

    MUST(cuModuleGetGlobal(&at, &room, module, name));
    MUST(cuMemcpyHtoD(at, bytes, size));
}

/* The parameters of a kernel within its arguments, which lie as in a struct: each aligned to the largest power of two,
 * 16 at most, that divides its size; a tensor map to 128. */
static inline void find_parameters(CUfunction f, unsigned char *args, size_t size, void **parameters)
{
#if CUDA_VERSION >= 12040
    size_t at = 0, offset, bytes;

    for (size_t i = 0; i < PARAMETERS && cuFuncGetParamInfo(f, i, &offset, &bytes) == CUDA_SUCCESS; i++) {
        const size_t low = bytes & (~bytes + 1), align = bytes == 128 ? bytes : low < 16 ? low : 16;
        at = (at + align - 1) / align * align;
        if (at + bytes <= size)
            parameters[i] = args + at;
        at += bytes;
    }
#else
    (void)f, (void)size;
    parameters[0] = args;
#endif
}

/* Launches without waiting. `shape`: grid, block and cluster (0: none), 3 numbers each. `members`: `args` are the
 * kernel's parameters, one after the other, else they are its only one. `overlaps`: it may begin while the grid
 * before it is at work. `refused`: the launch is to be refused. */
static inline void launch(CUmodule module, const char *kernel, const unsigned shape[9], unsigned shared,
                          unsigned char *args, size_t size, int members, int overlaps, int refused)
{
    CUlaunchAttribute attributes[2];
    CUlaunchConfig config;
    CUfunction f;
    void *parameters[PARAMETERS] = { args };

    memset(attributes, 0, sizeof attributes);
    memset(&config, 0, sizeof config);
    MUST(cuModuleGetFunction(&f, module, kernel));
    config.gridDimX = shape[0], config.gridDimY = shape[1], config.gridDimZ = shape[2];
    config.blockDimX = shape[3], config.blockDimY = shape[4], config.blockDimZ = shape[5];
    config.sharedMemBytes = shared;
    config.attrs = attributes;
    if (shape[6]) {
        attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attributes[config.numAttrs].value.clusterDim.x = shape[6];
        attributes[config.numAttrs].value.clusterDim.y = shape[7];
        attributes[config.numAttrs++].value.clusterDim.z = shape[8];
        if (shape[6] * shape[7] * shape[8] > 8)
            MUST(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    }
    if (overlaps) {
        attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        attributes[config.numAttrs++].value.programmaticStreamSerializationAllowed = 1;
    }
    if (shared > 48 * 1024)
        MUST(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared));
    if (members)
        find_parameters(f, args, size, parameters);
    const CUresult r = cuLaunchKernelEx(&config, f, parameters, NULL);
    if (refused)
        answered(kernel, r, 0);
    else if (r)
        stop(kernel, r);
}

static inline void finish(const char *kernel)
{
    const CUresult r = cuCtxSynchronize();

    if (r)
        stop(kernel, r);
}

static inline void show(const char *label, const unsigned char *bytes, size_t from, size_t to)
{
    printf("    %-9s %06zx:", label, from);
    for (size_t i = from; i < to; i++)
        printf(" %02x", bytes[i]);
    putchar('\n');
}

/* Compares bytes of a buffer, from `from` on, with those that were to come. */
static inline void check(const char *what, struct buffer b, size_t from, const unsigned char *expected, size_t size)
{
    unsigned char *got = (unsigned char *)malloc(size + 1);
    size_t wrong = 0, first = 0;

    MUST(cuMemcpyDtoH(got, b.at + from, size));
    for (size_t i = size; i-- > 0;)
        if (got[i] != expected[i]) {
            first = i;
            wrong++;
        }
    if (wrong)
        printf("%-40s DIFFERS in %zu of %zu bytes\n", what, wrong, size);
    else
        printf("%-40s as expected: %zu bytes\n", what, size);
    if (wrong) {
        const size_t line = first - first % SHOWN, end = line + SHOWN < size ? line + SHOWN : size;
        show("expected", expected, line, end);
        show("got", got, line, end);
    }
    differences += wrong != 0;
    free(got);
}

/* Says on what it runs, and makes a context. Returns the folder of the program, "" or with a '/' at its end. */
static inline const char *begin(const char *program)
{
    static char folder[4096];
    CUdevice device;
    CUcontext context;
    char name[128];
    int version;
    const char *slash = strrchr(program, '/');

    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - program) : 0, program);
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDeviceGetName(name, sizeof name, device));
    MUST(cuDriverGetVersion(&version));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    printf("%s, driver for CUDA %d.%d\n", name, version / 1000, version % 1000 / 10);
    return folder;
}

static inline int end(void)
{
    printf(differences ? "%d of them differ\n" : "all as expected\n", differences);
    return differences ? 1 : 0;
}
// SPDX-License-Identifier: Apache-2.0
