/* Copies of boxes, and copies to and from arrays. */
#include <string.h>

#include "harness/inside/runtime/copy.h"

struct array *array_of(cudaArray_const_t handle)
{
    struct array *a = (struct array *)(uintptr_t)handle;

    return array_known(a, false) ? a : NULL;
}

/* One side of a copy: rows that begin at its position. `texel`: bytes of an element of the extent's width. */
static CUresult side(const struct array *a, struct cudaPitchedPtr p, struct cudaPos at, size_t bytes, size_t height,
                     size_t depth, struct rows *out)
{
    if (!a == !p.ptr)
        return CUDA_ERROR_INVALID_VALUE;
    if (a) {
        *out = array_rows(a, at.x * emu_texel_bytes(&a->texels), at.y, at.z, bytes, height, depth);
        return out->at ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (bytes > p.pitch)
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct rows){ (unsigned char *)p.ptr + at.z * p.pitch * p.ysize + at.y * p.pitch + at.x, p.pitch,
                          p.pitch * p.ysize };
    return CUDA_SUCCESS;
}

CUresult copy_of_box(const struct cudaMemcpy3DParms *p, struct operation *out)
{
    const struct array *from = p && p->srcArray ? array_of(p->srcArray) : NULL;
    const struct array *to = p && p->dstArray ? array_of(p->dstArray) : NULL;
    const struct array *texels = from ? from : to;
    CUresult result;
    size_t bytes;

    if (!p || (p->srcArray && !from) || (p->dstArray && !to))
        return p ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    if (from && to && emu_texel_bytes(&from->texels) != emu_texel_bytes(&to->texels))
        return CUDA_ERROR_INVALID_VALUE;
    bytes = p->extent.width * (texels ? emu_texel_bytes(&texels->texels) : 1);
    *out = operation_copy(NULL, NULL, bytes);
    out->copy.height = p->extent.height;
    out->copy.depth = p->extent.depth;
    result = copy_direction(p->kind);
    if (result == CUDA_SUCCESS)
        result = side(from, p->srcPtr, p->srcPos, bytes, p->extent.height, p->extent.depth, &out->copy.from);
    return result == CUDA_SUCCESS
               ? side(to, p->dstPtr, p->dstPos, bytes, p->extent.height, p->extent.depth, &out->copy.to)
               : result;
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t stream, bool waits)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = copy_of_box(p, &op);
    return copy_end(result, &op, stream, waits);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return copy_box(p, NULL, true);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return copy_box(p, stream, false);
}

static cudaError_t copy_peer(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream, bool waits)
{
    struct cudaMemcpy3DParms same = { .kind = cudaMemcpyDefault };

    if (!p || p->srcDevice || p->dstDevice)
        return runtime_end_of(p ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE);
    same.srcArray = p->srcArray;
    same.srcPos = p->srcPos;
    same.srcPtr = p->srcPtr;
    same.dstArray = p->dstArray;
    same.dstPos = p->dstPos;
    same.dstPtr = p->dstPtr;
    same.extent = p->extent;
    return copy_box(&same, stream, waits);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return copy_peer(p, NULL, true);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    return copy_peer(p, stream, false);
}

/* ---- arrays of two dimensions: widths and offsets in bytes ---------------------------------------------------------
 */

/* A place in an array, or rows of memory. */
struct end {
    cudaArray_const_t array;
    size_t x, y;
    void *memory;
    size_t pitch;
};

/* Which side is the array has to agree with the direction, as on an H200. */
static CUresult direction(const struct end *to, const struct end *from, enum cudaMemcpyKind kind)
{
    const void *memory = to->memory ? to->memory : from->memory;

    if (kind == cudaMemcpyHostToHost || (!to->memory && kind == cudaMemcpyDeviceToHost) ||
        (!from->memory && kind == cudaMemcpyHostToDevice))
        return (CUresult)cudaErrorInvalidMemcpyDirection;
    return kind == cudaMemcpyDeviceToDevice && memory && !memory_is_device((uint64_t)(uintptr_t)memory)
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

static CUresult rows_of(const struct end *e, size_t width, size_t height, struct rows *out)
{
    const struct array *a = e->memory ? NULL : array_of(e->array);

    if (!e->memory && !a)
        return CUDA_ERROR_INVALID_HANDLE;
    if (e->memory && e->pitch < width)
        return height > 1 ? (CUresult)cudaErrorInvalidPitchValue : CUDA_ERROR_INVALID_VALUE;
    *out = a ? array_rows(a, e->x, e->y, 0, width, height, 1) : (struct rows){ e->memory, e->pitch, e->pitch * height };
    return out->at ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static cudaError_t copy_array(struct end to, struct end from, size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream, bool waits)
{
    struct operation op = operation_copy(NULL, NULL, width);
    CUresult result = runtime_begin();

    op.copy.height = height;
    if (result == CUDA_SUCCESS)
        result = copy_direction(kind);
    if (result == CUDA_SUCCESS)
        result = direction(&to, &from, kind);
    if (result == CUDA_SUCCESS)
        result = rows_of(&to, width, height, &op.copy.to);
    if (result == CUDA_SUCCESS)
        result = rows_of(&from, width, height, &op.copy.from);
    return copy_end(result, &op, stream, waits);
}

static struct end in_array(cudaArray_const_t array, size_t x, size_t y)
{
    return (struct end){ .array = array, .x = x, .y = y };
}

static struct end in_memory(const void *memory, size_t pitch)
{
    return (struct end){ .memory = (void *)(uintptr_t)memory, .pitch = pitch };
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
    return copy_array(in_array(to, x, y), in_memory(from, pitch), width, height, kind, NULL, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_array(in_array(to, x, y), in_memory(from, pitch), width, height, kind, stream, false);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind)
{
    return copy_array(in_memory(to, pitch), in_array(from, x, y), width, height, kind, NULL, true);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_array(in_memory(to, pitch), in_array(from, x, y), width, height, kind, stream, false);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_array(in_array(to, to_x, to_y), in_array(from, from_x, from_y), width, height, kind, NULL, true);
}

/* A direction that there is not is taken for cudaMemcpyDefault here. */
static CUresult line_direction(void *memory, bool to_array, enum cudaMemcpyKind kind)
{
    const struct end array = { 0 }, other = in_memory(memory, 0);

    if (!memory)
        return CUDA_ERROR_INVALID_VALUE;
    return to_array ? direction(&array, &other, kind) : direction(&other, &array, kind);
}

/* Bytes row after row, from a place in an array on: part of a row, whole rows, part of a row. */
static cudaError_t copy_line(cudaArray_const_t handle, size_t x, size_t y, void *memory, size_t bytes, bool to_array,
                             enum cudaMemcpyKind kind, cudaStream_t stream, bool waits)
{
    const struct array *a = array_of(handle);
    const size_t row = a ? array_row_bytes(a) : 0, whole = a ? row * array_height(a) : 0, at = y * row + x;
    CUresult result = runtime_begin();
    struct operation op = { .kind = OPERATION_EMPTY };

    if (result == CUDA_SUCCESS)
        result = a ? line_direction(memory, to_array, kind) : CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && (x > row || at > whole || bytes > whole - at || !memory))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        unsigned char *texels = (unsigned char *)(uintptr_t)a->texels.at + at; /* rows have no gaps */
        op = to_array ? operation_copy(texels, memory, bytes) : operation_copy(memory, texels, bytes);
    }
    return copy_end(result, &op, stream, waits);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    return copy_line(to, x, y, (void *)(uintptr_t)from, bytes, true, kind, NULL, true);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_line(to, x, y, (void *)(uintptr_t)from, bytes, true, kind, stream, false);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind)
{
    return copy_line(from, x, y, to, bytes, false, kind, NULL, true);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_line(from, x, y, to, bytes, false, kind, stream, false);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                   size_t from_y, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct array *a = array_of(from);
    const struct end array = { 0 };
    CUresult result = copy_direction(kind);

    if (result == CUDA_SUCCESS)
        result = direction(&array, &array, kind);
    if (result == CUDA_SUCCESS && !a)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result != CUDA_SUCCESS)
        return runtime_end_of(result);
    return copy_line(to, to_x, to_y, (unsigned char *)(uintptr_t)a->texels.at + from_y * array_row_bytes(a) + from_x,
                     bytes, true, cudaMemcpyDefault, NULL, true);
}
// SPDX-License-Identifier: Apache-2.0
