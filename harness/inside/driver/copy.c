/* Copies and sets of the driver API between addresses. Copies that name arrays are in array.c. */
#include <string.h>

#include "harness/inside/driver/older.h"

/* ---- copies in a row ----------------------------------------------------------------------------------------------
 */

/* Which sides of a copy are said to be the device's: bits. */
enum { ANY = 0, TO_DEVICE = 1, FROM_DEVICE = 2 };

/* Begins a copy: there are both sides, and the device has memory where it is said to. */
static CUresult begin(CUstream stream, uint64_t to, uint64_t from, size_t bytes, unsigned sides)
{
    const CUresult result = driver_begin_in(stream);

    if (result != CUDA_SUCCESS || !bytes)
        return result;
    return !to || !from || (sides & TO_DEVICE && !memory_is_device(to)) ||
                   (sides & FROM_DEVICE && !memory_is_device(from))
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

static CUresult copy(uint64_t to, uint64_t from, size_t bytes, unsigned sides)
{
    struct operation op = operation_copy((void *)to, (void *)from, bytes);
    const CUresult result = begin(NULL, to, from, bytes, sides);

    return driver_end(result == CUDA_SUCCESS ? driver_put_and_wait(&op) : result);
}

static CUresult copy_in(CUstream stream, uint64_t to, uint64_t from, size_t bytes, unsigned sides)
{
    struct operation op = operation_copy((void *)to, (void *)from, bytes);
    const CUresult result = begin(stream, to, from, bytes, sides);

    return driver_end(result == CUDA_SUCCESS ? driver_put(stream, &op) : result);
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy(to, from, bytes, ANY);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy_in(stream, to, from, bytes, ANY);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    return copy(to, (uintptr_t)from, bytes, TO_DEVICE);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return copy_in(stream, to, (uintptr_t)from, bytes, TO_DEVICE);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    return copy((uintptr_t)to, from, bytes, FROM_DEVICE);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy_in(stream, (uintptr_t)to, from, bytes, FROM_DEVICE);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy(to, from, bytes, TO_DEVICE | FROM_DEVICE);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy_in(stream, to, from, bytes, TO_DEVICE | FROM_DEVICE);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes)
{
    (void)to_context, (void)from_context;
    return copy(to, from, bytes, ANY);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                           CUstream stream)
{
    (void)to_context, (void)from_context;
    return copy_in(stream, to, from, bytes, ANY);
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                               CUmemcpyAttributes *attributes, size_t *numbers, size_t n, CUstream stream)
{
    CUresult result = to && from && bytes && count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;

    (void)attributes, (void)numbers, (void)n;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = copy_in(stream, to[i], from[i], bytes[i], ANY);
    return result;
}

CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                            CUmemcpyAttributes *attributes, size_t *numbers, size_t n, size_t *failed, CUstream stream)
{
    const CUresult result = cuMemcpyBatchAsync_v2(to, from, bytes, count, attributes, numbers, n, stream);

    if (failed && result != CUDA_SUCCESS)
        *failed = SIZE_MAX;
    return result;
}

/* ---- sets ---------------------------------------------------------------------------------------------------------
 */

struct set {
    CUdeviceptr to;
    size_t pitch, width, height; /* bytes from a row to the next; elements of a row; rows */
    uint32_t value;
    unsigned element; /* bytes of one */
};

static CUresult set(const struct set *s, CUstream stream)
{
    struct operation op = { .kind = OPERATION_SET,
                            .set = { .to = { (unsigned char *)s->to, s->pitch, s->pitch * s->height },
                                     .value = s->value,
                                     .element = s->element,
                                     .width = s->width,
                                     .height = s->height,
                                     .depth = 1 } };
    CUresult result = driver_begin_in(stream);

    if (result == CUDA_SUCCESS && (s->to % s->element || (s->height > 1 && s->pitch % s->element) ||
                                   (s->width && s->height && !memory_is_device(s->to))))
        result = CUDA_ERROR_INVALID_VALUE;
    return driver_end(result == CUDA_SUCCESS ? driver_put(stream, &op) : result);
}

static CUresult set_row(CUdeviceptr to, uint32_t value, unsigned element, size_t n, CUstream stream)
{
    return set(&(struct set){ to, n * element, n, 1, value, element }, stream);
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t n)
{
    return set_row(to, value, 1, n, NULL);
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t n)
{
    return set_row(to, value, 2, n, NULL);
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t n)
{
    return set_row(to, value, 4, n, NULL);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream stream)
{
    return set_row(to, value, 1, n, stream);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t n, CUstream stream)
{
    return set_row(to, value, 2, n, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t n, CUstream stream)
{
    return set_row(to, value, 4, n, stream);
}

CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height)
{
    return set(&(struct set){ to, pitch, width, height, value, 1 }, NULL);
}

CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height)
{
    return set(&(struct set){ to, pitch, width, height, value, 2 }, NULL);
}

CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height)
{
    return set(&(struct set){ to, pitch, width, height, value, 4 }, NULL);
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream)
{
    return set(&(struct set){ to, pitch, width, height, value, 1 }, stream);
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream)
{
    return set(&(struct set){ to, pitch, width, height, value, 2 }, stream);
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height, CUstream stream)
{
    return set(&(struct set){ to, pitch, width, height, value, 4 }, stream);
}
// SPDX-License-Identifier: Apache-2.0
