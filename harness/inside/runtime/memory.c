/* Memory of the runtime: allocations, copies, sets. */
#include <string.h>

#include "harness/inside/device/stream.h"
#include "harness/inside/runtime/runtime.h"

enum { PITCH = 512 }; /* bytes that cudaMallocPitch rounds a row up to */

static cudaError_t allocate(enum memory_kind kind, void **out, size_t bytes, unsigned flags)
{
    CUresult result = runtime_begin();
    uint64_t at = 0;

    if (result == CUDA_SUCCESS && !out)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && bytes)
        result = memory_new(kind, bytes, flags, &at);
    if (result == CUDA_SUCCESS)
        *out = (void *)(uintptr_t)at;
    return runtime_end(result);
}

cudaError_t cudaMalloc(void **out, size_t bytes)
{
    return allocate(MEMORY_DEVICE, out, bytes, 0);
}

cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
    return allocate(MEMORY_MANAGED, out, bytes, flags);
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    return allocate(MEMORY_HOST, out, bytes, 0);
}

cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
    return allocate(MEMORY_HOST, out, bytes, flags);
}

cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return allocate(MEMORY_DEVICE, out, *pitch * height, 0);
}

cudaError_t cudaFree(void *at)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && at)
        result = memory_free((uint64_t)(uintptr_t)at, false);
    if (result == CUDA_SUCCESS)
        say_printed();
    return runtime_end(result);
}

cudaError_t cudaFreeHost(void *at)
{
    return cudaFree(at);
}

cudaError_t cudaHostRegister(void *at, size_t bytes, unsigned flags)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = memory_register(at, bytes, flags);
    return runtime_end(result);
}

cudaError_t cudaHostUnregister(void *at)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = memory_free((uint64_t)(uintptr_t)at, true);
    return runtime_end(result);
}

cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags)
{
    CUresult result = runtime_begin();

    (void)flags;
    if (result == CUDA_SUCCESS && !memory_of((uint64_t)(uintptr_t)host))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *out = host;
    return runtime_end(result);
}

cudaError_t cudaMemGetInfo(size_t *unused, size_t *total)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS) {
        *total = DEVICE_MEMORY;
        *unused = DEVICE_MEMORY - memory_used();
    }
    return runtime_end(result);
}

/* ---- copies -------------------------------------------------------------------------------------------------------
 */

/* A copy in a stream; `waits`: the call waits for it. */
static cudaError_t copy(struct operation *op, enum cudaMemcpyKind kind, cudaStream_t stream, bool waits)
{
    CUresult result = runtime_begin();
    struct stream *s = stream_of((CUstream)stream);

    if (result == CUDA_SUCCESS && (unsigned)kind > cudaMemcpyDefault)
        result = (CUresult)cudaErrorInvalidMemcpyDirection;
    if (result == CUDA_SUCCESS && !s)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && waits)
        result = stream_wait(NULL);
    if (result == CUDA_SUCCESS)
        result = stream_put(s, op);
    return runtime_end(result);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct operation op = operation_copy(to, from, bytes);

    return copy(&op, kind, stream, false);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    struct operation op = operation_copy(to, from, bytes);

    return copy(&op, kind, NULL, true);
}

static struct operation copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height)
{
    struct operation op = operation_copy(to, from, width);

    op.copy.to.pitch = to_pitch;
    op.copy.from.pitch = from_pitch;
    op.copy.height = height;
    return op;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    struct operation op = copy_2d(to, to_pitch, from, from_pitch, width, height);

    return copy(&op, kind, NULL, true);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct operation op = copy_2d(to, to_pitch, from, from_pitch, width, height);

    return copy(&op, kind, stream, false);
}

/* ---- variables ----------------------------------------------------------------------------------------------------
 */

static cudaError_t copy_symbol(const void *symbol, void *other, size_t bytes, size_t offset, bool to_symbol,
                               cudaStream_t stream, bool waits)
{
    CUresult result = runtime_begin();
    uint64_t at;
    size_t size;

    if (result == CUDA_SUCCESS)
        result = runtime_variable(symbol, &at, &size);
    if (result == CUDA_SUCCESS && (offset > size || bytes > size - offset))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        unsigned char *variable = (unsigned char *)(uintptr_t)(at + offset);
        struct operation op =
            to_symbol ? operation_copy(variable, other, bytes) : operation_copy(other, variable, bytes);
        const cudaError_t error = copy(&op, cudaMemcpyDefault, stream, waits);
        device_leave();
        return error;
    }
    return runtime_end(result);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    (void)kind;
    return copy_symbol(symbol, (void *)(uintptr_t)from, bytes, offset, true, NULL, true);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    (void)kind;
    return copy_symbol(symbol, to, bytes, offset, false, NULL, true);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)kind;
    return copy_symbol(symbol, (void *)(uintptr_t)from, bytes, offset, true, stream, false);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)kind;
    return copy_symbol(symbol, to, bytes, offset, false, stream, false);
}

cudaError_t cudaGetSymbolAddress(void **out, const void *symbol)
{
    CUresult result = runtime_begin();
    size_t size;

    if (result == CUDA_SUCCESS)
        result = runtime_variable(symbol, (uint64_t *)out, &size);
    return runtime_end(result);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    CUresult result = runtime_begin();
    uint64_t at;

    if (result == CUDA_SUCCESS)
        result = runtime_variable(symbol, &at, size);
    return runtime_end(result);
}

/* ---- sets ---------------------------------------------------------------------------------------------------------
 */

static cudaError_t set(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    struct operation op = { .kind = OPERATION_SET,
                            .set = { .to = { to, pitch, pitch * height },
                                     .value = (unsigned char)value,
                                     .element = 1,
                                     .width = width,
                                     .height = height,
                                     .depth = 1 } };
    CUresult result = runtime_begin();
    struct stream *s = stream_of((CUstream)stream);

    if (result == CUDA_SUCCESS)
        result = s ? stream_put(s, &op) : CUDA_ERROR_INVALID_HANDLE;
    return runtime_end(result);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return set(to, bytes, value, bytes, 1, NULL);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    return set(to, bytes, value, bytes, 1, stream);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return set(to, pitch, value, width, height, NULL);
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    return set(to, pitch, value, width, height, stream);
}
