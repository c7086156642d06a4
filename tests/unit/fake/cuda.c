/* A libcuda.so.1 without a device, for tests of the gpu and jit engines: memory is the process's own, kernels are named
 * after what they do. The variable FAKE_CUDA holds words that say what is wrong with the machine, and FAKE_CUDA_FAIL,
 * as "cuMemMap:2:716", that the second call of cuMemMap returns 716. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/engines/driver.h"
#include "tests/selftest/fake.h"

enum { OK = 0, INVALID_VALUE = 1, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_PTX = 218, NOT_FOUND = 500 };

static bool initialized;
static cu_result lost; /* what every call returns after a fault */

static bool is(const char *word)
{
    const char *words = getenv("FAKE_CUDA");

    return words && strstr(words, word);
}

/* What the call that FAKE_CUDA_FAIL names returns; 0 for each other one. */
static cu_result failing(const char *name)
{
    static int calls;
    const char *what = getenv("FAKE_CUDA_FAIL");
    const size_t n = strlen(name);
    int number = 0, result = 0;

    if (!what || strncmp(what, name, n) != 0 || sscanf(what + n, ":%d:%d", &number, &result) != 2)
        return OK;
    return ++calls == number ? result : OK;
}
#define MAY_FAIL                                                                                                       \
    do {                                                                                                               \
        const cu_result failed = failing(__func__);                                                                    \
        if (failed)                                                                                                    \
            return failed;                                                                                             \
    } while (0)

static void *at(cu_deviceptr p)
{
    return (void *)(uintptr_t)p;
}

/* Every function has its prototype here, from the table that the engines use. */
#define F(name, parameters) cu_result name parameters;
CU_FUNCTIONS(F)
#undef F

cu_result cuInit(unsigned flags)
{
    MAY_FAIL;
    if (is("dies"))
        abort();
    initialized = true;
    return is("silent") ? 999 : (cu_result)flags;
}

cu_result cuDriverGetVersion(int *version)
{
    MAY_FAIL;
    *version = is("old") ? 12060 : 13000;
    return OK;
}

cu_result cuGetErrorName(cu_result r, const char **name)
{
    static const struct {
        cu_result r;
        const char *name;
    } names[] = { { INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE" }, { NO_DEVICE, "CUDA_ERROR_NO_DEVICE" },
                  { 101, "CUDA_ERROR_INVALID_DEVICE" },          { 209, "CUDA_ERROR_NO_BINARY_FOR_GPU" },
                  { INVALID_PTX, "CUDA_ERROR_INVALID_PTX" },     { NOT_FOUND, "CUDA_ERROR_NOT_FOUND" },
                  { 716, "CUDA_ERROR_MISALIGNED_ADDRESS" } };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].r == r) {
            *name = names[i].name;
            return OK;
        }
    }
    return INVALID_VALUE;
}

cu_result cuDeviceGetCount(int *count)
{
    MAY_FAIL;
    *count = is("empty") ? 0 : is("three") ? 3 : 1;
    return is("uncounted") ? NO_DEVICE : OK;
}

cu_result cuDeviceGet(cu_device *device, int ordinal)
{
    MAY_FAIL;
    *device = ordinal;
    return OK;
}

cu_result cuDeviceGetName(char *name, int size, cu_device device)
{
    MAY_FAIL;
    strncpy(name, is("sm_80") || (is("unlike") && device == 1) ? "NVIDIA A100" : "NVIDIA H200", (size_t)size);
    return device > 2 ? INVALID_VALUE : OK;
}

cu_result cuDeviceGetAttribute(int *value, int attribute, cu_device device)
{
    MAY_FAIL;
    (void)device;
    switch (attribute) {
    case CU_ATTRIBUTE_SM_MAJOR: *value = is("sm_80") ? 8 : 9; break;
    case CU_ATTRIBUTE_SM_MINOR: *value = 0; break;
    case CU_ATTRIBUTE_COMPUTE_MODE: *value = is("prohibited") ? 2 : is("exclusive") ? 3 : 0; break;
    case CU_ATTRIBUTE_MULTIPROCESSORS: *value = 132; break;
    case CU_ATTRIBUTE_ECC: *value = 1; break;
    default: *value = 227 * 1024;
    }
    return OK;
}

cu_result cuDeviceGetUuid_v2(unsigned char uuid[16], cu_device device); /* one that a driver may lack */
cu_result cuDeviceGetUuid_v2(unsigned char uuid[16], cu_device device)
{
    const char *words = getenv("FAKE_CUDA"); /* a machine of its own for each */

    MAY_FAIL;
    memset(uuid, 0xCD, 16);
    uuid[0] = (unsigned char)device;
    for (unsigned i = 0; words && words[i]; i++)
        uuid[1 + i % 15] ^= (unsigned char)words[i];
    return device > 2 ? INVALID_VALUE : OK;
}

/* Adds a line to the file that FAKE_CUDA_CONTEXTS names: the device, and what this process may see of the others. */
static void note_context(cu_device device)
{
    const char *path = getenv("FAKE_CUDA_CONTEXTS"), *visible = getenv("CUDA_VISIBLE_DEVICES");
    FILE *to = path ? fopen(path, "a") : NULL;

    if (!to)
        return;
    fprintf(to, "%d %.12s\n", device, visible ? visible : "all");
    fclose(to);
}

cu_result cuCtxCreate_v2(cu_context *context, unsigned flags, cu_device device)
{
    static char one;

    MAY_FAIL;
    (void)flags;
    if (!initialized)
        return NOT_INITIALIZED;
    note_context(device);
    *context = (cu_context)(void *)&one;
    return is("exclusive") || is("busy") ? 101 : OK;
}

cu_result cuCtxDestroy_v2(cu_context context)
{
    MAY_FAIL;
    return context ? OK : INVALID_VALUE;
}

cu_result cuCtxSetCurrent(cu_context context)
{
    MAY_FAIL;
    return context ? OK : INVALID_VALUE;
}

cu_result cuCtxSynchronize(void)
{
    MAY_FAIL;
    return lost;
}

cu_result cuMemAlloc_v2(cu_deviceptr *p, size_t size)
{
    void *got = is("full") ? NULL : aligned_alloc(1024, (size + 1023) / 1024 * 1024);

    MAY_FAIL;
    *p = (cu_deviceptr)(uintptr_t)got;
    return got ? OK : 2;
}

cu_result cuMemFree_v2(cu_deviceptr p)
{
    MAY_FAIL;
    free(at(p));
    return OK;
}

cu_result cuMemcpyHtoD_v2(cu_deviceptr to, const void *from, size_t size)
{
    MAY_FAIL;
    if (!lost)
        memcpy(at(to), from, size);
    return lost;
}

cu_result cuMemcpyDtoH_v2(void *to, cu_deviceptr from, size_t size)
{
    MAY_FAIL;
    if (!lost)
        memcpy(to, at(from), size);
    return lost;
}

/* Streams do at once what they are given. */
cu_result cuMemcpyDtoD_v2(cu_deviceptr to, cu_deviceptr from, size_t size)
{
    MAY_FAIL;
    return cuMemcpyHtoD_v2(to, at(from), size);
}

cu_result cuMemcpyHtoDAsync_v2(cu_deviceptr to, const void *from, size_t size, cu_stream stream)
{
    MAY_FAIL;
    return stream ? cuMemcpyHtoD_v2(to, from, size) : INVALID_VALUE;
}

cu_result cuMemcpyDtoHAsync_v2(void *to, cu_deviceptr from, size_t size, cu_stream stream)
{
    MAY_FAIL;
    return stream ? cuMemcpyDtoH_v2(to, from, size) : INVALID_VALUE;
}

cu_result cuMemcpyDtoDAsync_v2(cu_deviceptr to, cu_deviceptr from, size_t size, cu_stream stream)
{
    MAY_FAIL;
    return stream ? cuMemcpyDtoD_v2(to, from, size) : INVALID_VALUE;
}

cu_result cuStreamCreate(cu_stream *stream, unsigned flags)
{
    static char one;

    MAY_FAIL;
    *stream = (cu_stream)(void *)&one;
    return flags == 1 ? OK : INVALID_VALUE;
}

cu_result cuStreamSynchronize(cu_stream stream)
{
    MAY_FAIL;
    return stream ? lost : INVALID_VALUE;
}

cu_result cuStreamQuery(cu_stream stream)
{
    MAY_FAIL;
    return stream ? 600 : lost;
}

cu_result cuStreamWaitEvent(cu_stream stream, cu_event event, unsigned flags)
{
    MAY_FAIL;
    return stream && event && !flags ? lost : INVALID_VALUE;
}

cu_result cuEventCreate(cu_event *event, unsigned flags)
{
    static char one;

    MAY_FAIL;
    *event = (cu_event)(void *)&one;
    return flags == 2 ? OK : INVALID_VALUE;
}

cu_result cuEventRecord(cu_event event, cu_stream stream)
{
    MAY_FAIL;
    return event && stream ? lost : INVALID_VALUE;
}

cu_result cuEventSynchronize(cu_event event)
{
    MAY_FAIL;
    return event ? lost : INVALID_VALUE;
}

static void *locked; /* the newest page-locked memory */

cu_result cuPointerGetAttribute(void *to, int attribute, cu_deviceptr p)
{
    MAY_FAIL;
    *(unsigned *)to = 1;
    return attribute == 2 && at(p) == locked ? OK : INVALID_VALUE;
}

cu_result cuFuncGetAttribute(int *value, int attribute, cu_function f)
{
    MAY_FAIL;
    *value = 24;
    return attribute == CU_FUNC_REGISTERS && f ? OK : INVALID_VALUE;
}

cu_result cuGetProcAddress_v2(const char *name, void **found, int version, unsigned long long flags, int *status)
{
    MAY_FAIL;
    (void)name;
    (void)version;
    *found = NULL;
    *status = 1;
#ifndef WITHOUT_TENSOR_MAPS
    if (!strcmp(name, "cuTensorMapEncodeTiled") && version >= 12000)
        *(cu_result(**)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,
                        const uint32_t *, int, int, int, int))found = cuTensorMapEncodeTiled;
#endif
    return flags ? INVALID_VALUE : *found ? OK : NOT_FOUND;
}

cu_result cuMemHostAlloc(void **p, size_t size, unsigned flags)
{
    MAY_FAIL;
    (void)flags;
    *p = locked = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
    return *p ? OK : 2;
}

cu_result cuMemHostGetDevicePointer_v2(cu_deviceptr *to, void *p, unsigned flags)
{
    MAY_FAIL;
    *to = (cu_deviceptr)(uintptr_t)p;
    return (cu_result)flags;
}

cu_result cuMemFreeHost(void *p)
{
    MAY_FAIL;
    if (p == locked)
        locked = NULL;
    free(p);
    return OK;
}

cu_result cuMemAddressReserve(cu_deviceptr *p, size_t size, size_t align, cu_deviceptr hint, unsigned long long flags)
{
    void *got = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    MAY_FAIL;
    (void)align;
    (void)hint;
    (void)flags;
    *p = (cu_deviceptr)(uintptr_t)got;
    return got == MAP_FAILED ? 2 : OK;
}

cu_result cuMemAddressFree(cu_deviceptr p, size_t size)
{
    MAY_FAIL;
    return munmap(at(p), size) ? INVALID_VALUE : OK;
}

cu_result cuMemCreate(cu_handle *handle, size_t size, const struct cu_allocation_prop *prop, unsigned long long flags)
{
    MAY_FAIL;
    *handle = size;
    return prop->type == 1 && !flags && !is("full") ? OK : 2;
}

cu_result cuMemRelease(cu_handle handle)
{
    MAY_FAIL;
    return handle ? OK : INVALID_VALUE;
}

cu_result cuMemMap(cu_deviceptr p, size_t size, size_t offset, cu_handle handle, unsigned long long flags)
{
    MAY_FAIL;
    (void)p;
    return handle == size && !offset && !flags ? OK : INVALID_VALUE;
}

cu_result cuMemUnmap(cu_deviceptr p, size_t size)
{
    MAY_FAIL;
    return mprotect(at(p), size, PROT_NONE) ? INVALID_VALUE : OK;
}

cu_result cuMemSetAccess(cu_deviceptr p, size_t size, const struct cu_access *access, size_t count)
{
    MAY_FAIL;
    return count == 1 && access->flags == 3 && !mprotect(at(p), size, PROT_READ | PROT_WRITE) ? OK : INVALID_VALUE;
}

/* A module is the text of its cubin: the names of its kernels. */
cu_result cuModuleLoadData(cu_module *module, const void *image)
{
    const char *text = image;

    MAY_FAIL;
    if (lost)
        return lost;
    *module = (cu_module)(void *)strdup(text);
    return strstr(text, "REFUSED") ? 209 : OK;
}

cu_result cuModuleUnload(cu_module module)
{
    MAY_FAIL;
    free(module);
    return OK;
}

/* A function is its name. */
cu_result cuModuleGetFunction(cu_function *f, cu_module module, const char *name)
{
    const char *found = strstr((const char *)module, name);

    MAY_FAIL;
    *f = (cu_function)(void *)strdup(name);
    return found ? OK : NOT_FOUND;
}

cu_result cuModuleGetGlobal_v2(cu_deviceptr *p, size_t *size, cu_module module, const char *name)
{
    static char table[64];

    MAY_FAIL;
    (void)module;
    *p = (cu_deviceptr)(uintptr_t)table;
    *size = sizeof table;
    return strcmp(name, "table") != 0 ? NOT_FOUND : OK;
}

cu_result cuFuncSetAttribute(cu_function f, int attribute, int value)
{
    MAY_FAIL;
    (void)f;
    return attribute == CU_FUNC_SHARED_DYNAMIC && value > 227 * 1024 ? INVALID_VALUE : OK;
}

/* The labs' kernel `reverse`: (float *out, const float *in), a tile of four floats a thread. The variable FAKE_KERNEL
 * says what it does instead. */
static void reverse(const struct cu_launch_config *config, const uint64_t parameters[2])
{
    const char *how = getenv("FAKE_KERNEL");
    const uint32_t size = config->block[0] * 4;
    uint32_t *out = at(parameters[0]);
    const uint32_t *in = at(parameters[1]);
    static int launches;

    if (how && !strcmp(how, "fault"))
        lost = 716;
    else if (how && !strcmp(how, "hang"))
        for (;;)
            pause();
    else if (how && !strcmp(how, "crash"))
        abort();
    else if (!how || (!strcmp(how, "luck") && launches++ % 2))
        for (uint32_t i = 0; i < config->grid[0] * size; i++)
            out[i] = in[i / size * size + (size - 1 - i % size)];
    puts("L01: pass: what a kernel prints");
}

cu_result cuLaunchKernelEx(const struct cu_launch_config *config, cu_function f, void **parameters, void **extra)
{
    const char *name = (const char *)f;
    const struct fake_args *a = parameters ? parameters[0] : NULL;

    MAY_FAIL;
    if (config->count && config->attributes[0].id != CU_LAUNCH_CLUSTER)
        return INVALID_VALUE;
    if (!strcmp(name, "refused"))
        return INVALID_VALUE;
    if (!strcmp(name, "fault"))
        lost = 716;
    else if (!strcmp(name, "reverse"))
        reverse(config, extra[1]);
    else if (!a)
        return INVALID_VALUE;
    else if (!strcmp(name, "copy"))
        memcpy(at(a->to), at(a->from), a->bytes);
    return OK;
}

struct cu_link_s {
    char *log;
    size_t log_size;
    char *text;
};

cu_result cuLinkCreate_v2(unsigned count, int *options, void **values, cu_link *link)
{
    MAY_FAIL;
    *link = calloc(1, sizeof **link);
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CU_JIT_ERROR_LOG)
            (*link)->log = values[i];
        if (options[i] == CU_JIT_MAX_LOG)
            (*link)->log_size = (size_t)(uintptr_t)values[i];
    }
    return OK;
}

cu_result cuLinkAddData_v2(cu_link link, int type, void *data, size_t size, const char *name, unsigned count,
                           int *options, void **values)
{
    const char *text = data;
    const char *error = strstr(text, "wrong")         ? "ptxas application ptx input, line 7; error   : No such thing\n"
                        : strstr(text, "unexplained") ? ""
                        : strstr(text, "sm_100")      ? "ptxas fatal   : Unknown target\n"
                                                      : NULL;

    MAY_FAIL;
    (void)name;
    (void)count;
    (void)options;
    (void)values;
    if (error) {
        strncpy(link->log, error, link->log_size - 1);
        return INVALID_PTX;
    }
    link->text = strdup(text);
    return type == CU_INPUT_PTX && text[size - 1] == 0 ? OK : INVALID_VALUE;
}

cu_result cuLinkComplete(cu_link link, void **image, size_t *size)
{
    MAY_FAIL;
    *image = link->text;
    *size = strlen(link->text) + 1;
    return OK;
}

cu_result cuLinkDestroy(cu_link link)
{
    MAY_FAIL;
    free(link->text);
    free(link);
    return OK;
}

#ifndef WITHOUT_TENSOR_MAPS
cu_result cuTensorMapEncodeTiled(void *object, int type, uint32_t rank, void *address, const uint64_t *dims,
                                 const uint64_t *strides, const uint32_t *box, const uint32_t *element_strides,
                                 int interleave, int swizzle, int l2, int fill)
{
    MAY_FAIL;
    (void)address;
    (void)type;
    (void)interleave;
    (void)swizzle;
    (void)l2;
    (void)fill;
    if (!object || !dims || !strides || !box || !element_strides || rank < 1 || rank > 5)
        return INVALID_VALUE;
    memset(object, 0, TENSOR_MAP_BYTES);
    return OK;
}

cu_result cuTensorMapEncodeIm2col(void *object, int type, uint32_t rank, void *address, const uint64_t *dims,
                                  const uint64_t *strides, const int *lower, const int *upper, uint32_t channels,
                                  uint32_t pixels, const uint32_t *element_strides, int interleave, int swizzle, int l2,
                                  int fill)
{
    MAY_FAIL;
    (void)lower;
    (void)upper;
    if (rank < 3 || !channels || !pixels)
        return INVALID_VALUE;
    return cuTensorMapEncodeTiled(object, type, rank, address, dims, strides, &pixels, element_strides, interleave,
                                  swizzle, l2, fill);
}

cu_result cuTensorMapReplaceAddress(void *object, void *address)
{
    MAY_FAIL;
    (void)object;
    return (uintptr_t)address % 16 ? INVALID_VALUE : OK;
}
#endif
// SPDX-License-Identifier: Apache-2.0
