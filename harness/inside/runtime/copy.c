/* Copies and sets of the runtime that name no array. */
#include "harness/inside/runtime/copy.h"

#include <string.h>

CUresult copy_direction(enum cudaMemcpyKind kind)
{
    return (unsigned)kind <= cudaMemcpyDefault ? CUDA_SUCCESS : (CUresult)cudaErrorInvalidMemcpyDirection;
}

/* The side that is said to be the device's has to be memory that it has: so on an H200. */
static CUresult sides(const void *to, const void *from, enum cudaMemcpyKind kind)
{
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;

    return !to || !from || (to_device && !memory_is_device((uint64_t)(uintptr_t)to)) ||
                   (from_device && !memory_is_device((uint64_t)(uintptr_t)from))
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

cudaError_t copy_end(CUresult result, struct operation *op, cudaStream_t stream, bool waits)
{
    struct stream *s = stream_of((CUstream)stream);

    if (result == CUDA_SUCCESS && !s)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && waits)
        result = stream_wait_to_copy();
    if (result == CUDA_SUCCESS)
        result = stream_put(s, op);
    return runtime_end(result);
}

/* ---- in one dimension -------------------------------------------------------------------------------------------- */

static cudaError_t copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream,
                        bool waits)
{
    struct operation op = operation_copy(to, from, bytes);
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = copy_direction(kind);
    if (result == CUDA_SUCCESS && bytes)
        result = sides(to, from, kind);
    return copy_end(result, &op, stream, waits);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy(to, from, bytes, kind, stream, false);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return copy(to, from, bytes, kind, NULL, true);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    return to_device || from_device ? runtime_end_of(CUDA_ERROR_INVALID_DEVICE)
                                    : copy(to, from, bytes, cudaMemcpyDefault, NULL, true);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                cudaStream_t stream)
{
    return to_device || from_device ? runtime_end_of(CUDA_ERROR_INVALID_DEVICE)
                                    : copy(to, from, bytes, cudaMemcpyDefault, stream, false);
}

/* ---- in two ------------------------------------------------------------------------------------------------------ */

static cudaError_t copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                           enum cudaMemcpyKind kind, cudaStream_t stream, bool waits)
{
    struct operation op = operation_copy(to, from, width);
    CUresult result = runtime_begin();

    op.copy.to.pitch = to_pitch;
    op.copy.from.pitch = from_pitch;
    op.copy.height = height;
    if (result == CUDA_SUCCESS)
        result = copy_direction(kind);
    if (result == CUDA_SUCCESS && (width > to_pitch || width > from_pitch))
        result = (CUresult)cudaErrorInvalidPitchValue;
    if (result == CUDA_SUCCESS && width && height)
        result = sides(to, from, kind);
    return copy_end(result, &op, stream, waits);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, NULL, true);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream, false);
}

/* ---- variables ----------------------------------------------------------------------------------------------------
 */

CUresult copy_of_symbol(const void *symbol, void *other, size_t bytes, size_t offset, bool to_symbol,
                        struct operation *out)
{
    uint64_t at;
    size_t size;
    CUresult result = runtime_variable(symbol, &at, &size);

    if (result == CUDA_SUCCESS && (offset > size || bytes > size - offset))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        unsigned char *variable = (unsigned char *)(uintptr_t)(at + offset);
        *out = to_symbol ? operation_copy(variable, other, bytes) : operation_copy(other, variable, bytes);
    }
    return result;
}

static cudaError_t copy_symbol(const void *symbol, void *other, size_t bytes, size_t offset, bool to_symbol,
                               enum cudaMemcpyKind kind, cudaStream_t stream, bool waits)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = copy_direction(kind);
    if (result == CUDA_SUCCESS &&
        (kind == cudaMemcpyHostToHost || kind == (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice)))
        result = (CUresult)cudaErrorInvalidMemcpyDirection;
    if (result == CUDA_SUCCESS && kind == cudaMemcpyDeviceToDevice && !memory_is_device((uint64_t)(uintptr_t)other))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = copy_of_symbol(symbol, other, bytes, offset, to_symbol, &op);
    return copy_end(result, &op, stream, waits);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return copy_symbol(symbol, (void *)(uintptr_t)from, bytes, offset, true, kind, NULL, true);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    return copy_symbol(symbol, to, bytes, offset, false, kind, NULL, true);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_symbol(symbol, (void *)(uintptr_t)from, bytes, offset, true, kind, stream, false);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_symbol(symbol, to, bytes, offset, false, kind, stream, false);
}

cudaError_t cudaGetSymbolAddress(void **out, const void *symbol)
{
    CUresult result = runtime_begin();
    uint64_t at = 0;
    size_t size;

    if (result == CUDA_SUCCESS)
        result = out ? runtime_variable(symbol, &at, &size) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *out = (void *)(uintptr_t)at;
    return runtime_end(result);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    CUresult result = runtime_begin();
    uint64_t at;

    if (result == CUDA_SUCCESS)
        result = size ? runtime_variable(symbol, &at, size) : CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}

/* ---- sets ---------------------------------------------------------------------------------------------------------
 */

CUresult set_of(const struct cudaMemsetParams *p, struct operation *out)
{
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) || !p->dst ||
        (p->height > 1 && p->pitch < p->width * p->elementSize))
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct operation){ .kind = OPERATION_SET,
                               .set = { .to = { p->dst, p->pitch, p->pitch * p->height },
                                        .value = p->elementSize == 1 ? (unsigned char)p->value : p->value,
                                        .element = p->elementSize,
                                        .width = p->width,
                                        .height = p->height,
                                        .depth = 1 } };
    return CUDA_SUCCESS;
}

/* Bytes of a box; `slice`: bytes from a plane to the next. */
static cudaError_t set(struct rows to, int value, struct cudaExtent box, cudaStream_t stream)
{
    struct operation op = { .kind = OPERATION_SET,
                            .set = { .to = to,
                                     .value = (unsigned char)value,
                                     .element = 1,
                                     .width = box.width,
                                     .height = box.height,
                                     .depth = box.depth } };
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && stream_of((CUstream)stream) == stream_of(NULL))
        result = capture_of_default();
    if (result == CUDA_SUCCESS && box.width && box.height && box.depth &&
        (!memory_is_device((uint64_t)(uintptr_t)to.at) || (box.height > 1 && box.width > to.pitch)))
        result = CUDA_ERROR_INVALID_VALUE;
    return copy_end(result, &op, stream, false);
}

static struct rows rows_of(void *to, size_t pitch, size_t height)
{
    return (struct rows){ to, pitch, pitch * height };
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return set(rows_of(to, bytes, 1), value, (struct cudaExtent){ bytes, 1, 1 }, NULL);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    return set(rows_of(to, bytes, 1), value, (struct cudaExtent){ bytes, 1, 1 }, stream);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return set(rows_of(to, pitch, height), value, (struct cudaExtent){ width, height, 1 }, NULL);
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    return set(rows_of(to, pitch, height), value, (struct cudaExtent){ width, height, 1 }, stream);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent box)
{
    return set(rows_of(to.ptr, to.pitch, to.ysize), value, box, NULL);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent box, cudaStream_t stream)
{
    return set(rows_of(to.ptr, to.pitch, to.ysize), value, box, stream);
}
// SPDX-License-Identifier: Apache-2.0
