/* Registration: what nvcc's code of a program says of its kernels and variables before main, and asks for at a launch.
 * The names that begin with two underlines have no document; their arguments are those of the toolkit's
 * crt/host_runtime.h. */
#include "harness/inside/runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/inside/runtime/register.h"

enum registered_kind { KERNEL, VARIABLE, MANAGED };

struct registered {
    const void *host;
    enum registered_kind kind;
    struct module *module;
    const char *name; /* the program's */
    struct function *function;
    struct registered *next;
};

enum { BUCKETS = 4096 };
static struct registered *table[BUCKETS];

static struct registered **bucket_of(const void *host)
{
    return &table[((uintptr_t)host >> 3) * 2654435761u % BUCKETS];
}

static struct registered *find(const void *host)
{
    struct registered *r = *bucket_of(host);

    while (r && r->host != host)
        r = r->next;
    return r;
}

static void add(enum registered_kind kind, const void *host, struct module *m, const char *name)
{
    struct registered *r = calloc(1, sizeof *r), **bucket = bucket_of(host);

    if (!r)
        return;
    *r = (struct registered){ .host = host, .kind = kind, .module = m, .name = name, .next = *bucket };
    *bucket = r;
}

void **__cudaRegisterFatBinary(void *image)
{
    struct module *m;

    device_enter();
    device_state();
    module_new(image, 0, true, &m);
    device_leave();
    return (void **)m;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* The program ends, or a library of it is closed. */
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

/* The same of a program that was linked from several object files. */
void __cudaUnregisterBinaryUtil(void *data)
{
    (void)data;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device_name, const char *name, int threads,
                            void *tid, void *bid, void *block, void *grid, int *warp)
{
    (void)device_name, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    device_enter();
    add(KERNEL, host, (struct module *)handle, name);
    device_leave();
}

void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external, size_t size,
                       int constant, int global)
{
    (void)address, (void)external, (void)size, (void)constant, (void)global;
    device_enter();
    add(VARIABLE, host, (struct module *)handle, name);
    device_leave();
}

/* `host` is where the program keeps the variable's address. */
void __cudaRegisterManagedVar(void **handle, void **host, char *address, const char *name, int external, size_t size,
                              int constant, int global)
{
    (void)address, (void)external, (void)size, (void)constant, (void)global;
    device_enter();
    add(MANAGED, host, (struct module *)handle, name);
    device_leave();
}

/* Before the first use of a managed variable: all of them get their addresses. */
char __cudaInitModule(void **handle)
{
    device_enter();
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct registered *r = table[i]; r; r = r->next) {
            uint64_t at;
            size_t bytes;
            if (r->kind == MANAGED && (void **)r->module == handle &&
                module_variable(r->module, r->name, &at, &bytes) == CUDA_SUCCESS)
                *(uint64_t *)(uintptr_t)r->host = at;
        }
    device_leave();
    return 1;
}

CUresult runtime_function(const void *host, struct function **out)
{
    struct registered *r = find(host);
    CUresult result;

    if (!r) {
        *out = (struct function *)(uintptr_t)host; /* a handle */
        if (module_owns(*out))
            return CUDA_SUCCESS;
        return host ? CUDA_ERROR_INVALID_HANDLE : (CUresult)cudaErrorInvalidDeviceFunction;
    }
    if (!r->function) {
        result = r->module ? module_function(r->module, r->name, &r->function) : CUDA_ERROR_NO_BINARY_FOR_GPU;
        if (result != CUDA_SUCCESS)
            return result == CUDA_ERROR_NOT_FOUND ? (CUresult)cudaErrorInvalidDeviceFunction : result;
    }
    *out = r->function;
    return module_load(r->module); /* after cudaDeviceReset */
}

const void *runtime_host_of(const struct function *f)
{
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct registered *r = table[i]; r; r = r->next)
            if (r->function == f)
                return r->host;
    return f;
}

const void *runtime_managed(const void *address, size_t *bytes)
{
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct registered *r = table[i]; r; r = r->next) {
            uint64_t at;
            size_t size;
            if (r->kind != MANAGED || module_variable(r->module, r->name, &at, &size) != CUDA_SUCCESS ||
                (uint64_t)(uintptr_t)address - at >= size)
                continue;
            if (bytes)
                *bytes = size;
            return (const void *)(uintptr_t)at;
        }
    return NULL;
}

/* A managed variable is named by its address: the program's own name for it stands for what lies there. */
CUresult runtime_variable(const void *host, uint64_t *at, size_t *bytes)
{
    const struct registered *r = find(host);
    CUresult result;

    if (!r && runtime_managed(host, bytes) == host) {
        *at = (uint64_t)(uintptr_t)host;
        return CUDA_SUCCESS;
    }
    if (!r || r->kind == KERNEL || !r->module)
        return (CUresult)cudaErrorInvalidSymbol;
    result = module_variable(r->module, r->name, at, bytes);
    return result == CUDA_ERROR_NOT_FOUND ? (CUresult)cudaErrorInvalidSymbol : result;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = runtime_function(host, (struct function **)kernel);
    return runtime_end(result);
}

/* ---- what <<<...>>> has said, until the call behind it takes it ---------------------------------------------------
 */

enum { NESTED = 64 };

static _Thread_local struct configuration {
    dim3 grid, block;
    size_t smem;
    void *stream;
} configured[NESTED];
static _Thread_local unsigned depth;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t smem, void *stream)
{
    if (depth == NESTED)
        return 1;
    configured[depth++] = (struct configuration){ grid, block, smem, stream };
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *smem, void *stream)
{
    if (!depth)
        return cudaErrorMissingConfiguration;
    depth--;
    *grid = configured[depth].grid;
    *block = configured[depth].block;
    *smem = configured[depth].smem;
    *(void **)stream = configured[depth].stream;
    return cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
