/* cuBLAS has machine code alone. The functions here stand before its own: handles, and copies between host and device;
 * vectors.c and products.c have the functions that compute. All others of cuBLAS that take a handle say that they are
 * missing: build/inside/names.c. */
#include <stdlib.h>

#include "harness/inside/libraries/data.h"

#define PUBLIC __attribute__((visibility("default")))

enum { VERSION = 130000 };

PUBLIC int cublasCreate_v2(struct blas **handle);
PUBLIC int cublasDestroy_v2(struct blas *h);
PUBLIC int cublasGetVersion_v2(struct blas *h, int *version);
PUBLIC int cublasSetStream_v2(struct blas *h, cudaStream_t stream);
PUBLIC int cublasGetStream_v2(struct blas *h, cudaStream_t *stream);
PUBLIC int cublasSetWorkspace_v2(struct blas *h, void *at, size_t bytes);

int cublasCreate_v2(struct blas **handle)
{
    if (!handle)
        return BLAS_INVALID_VALUE;
    if (cudaFree(NULL)) /* the device must be there */
        return BLAS_NOT_INITIALIZED;
    *handle = calloc(1, sizeof **handle);
    return *handle ? BLAS_FINE : BLAS_ALLOC_FAILED;
}

int cublasDestroy_v2(struct blas *h)
{
    if (!h)
        return BLAS_NOT_INITIALIZED;
    free(h);
    return BLAS_FINE;
}

int cublasGetVersion_v2(struct blas *h, int *version)
{
    if (!h)
        return BLAS_NOT_INITIALIZED;
    if (!version)
        return BLAS_INVALID_VALUE;
    *version = VERSION;
    return BLAS_FINE;
}

int cublasSetStream_v2(struct blas *h, cudaStream_t stream)
{
    if (!h)
        return BLAS_NOT_INITIALIZED;
    h->stream = stream;
    return BLAS_FINE;
}

int cublasGetStream_v2(struct blas *h, cudaStream_t *stream)
{
    if (!h)
        return BLAS_NOT_INITIALIZED;
    *stream = h->stream;
    return BLAS_FINE;
}

int cublasSetWorkspace_v2(struct blas *h, void *at, size_t bytes)
{
    (void)at;
    (void)bytes;
    return h ? BLAS_FINE : BLAS_NOT_INITIALIZED;
}

/* A setting of the handle that is a number. */
#define SETTING(set, get, member)                                                                                      \
    PUBLIC int set(struct blas *h, int value);                                                                         \
    int set(struct blas *h, int value)                                                                                 \
    {                                                                                                                  \
        if (!h)                                                                                                        \
            return BLAS_NOT_INITIALIZED;                                                                               \
        h->member = value;                                                                                             \
        return BLAS_FINE;                                                                                              \
    }                                                                                                                  \
    PUBLIC int get(struct blas *h, int *value);                                                                        \
    int get(struct blas *h, int *value)                                                                                \
    {                                                                                                                  \
        if (!h)                                                                                                        \
            return BLAS_NOT_INITIALIZED;                                                                               \
        *value = h->member;                                                                                            \
        return BLAS_FINE;                                                                                              \
    }

SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, device_scalars)
SETTING(cublasSetMathMode, cublasGetMathMode, math)
SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, atomics)

/* ---- copies between host and device
 * ----------------------------------------------------------------------------------- */

static int copied(cudaError_t error)
{
    return error ? BLAS_MAPPING_ERROR : BLAS_FINE;
}

/* Matrices of `rows` x `columns` elements of `size` bytes. */
static int copy(int rows, int columns, int size, const void *from, int from_ld, void *to, int to_ld,
                cudaStream_t stream)
{
    if (rows < 0 || columns < 0 || size <= 0 || from_ld <= 0 || to_ld <= 0)
        return BLAS_INVALID_VALUE;
    if (!rows || !columns)
        return BLAS_FINE;
    return copied(cudaMemcpy2DAsync(to, (size_t)to_ld * (size_t)size, from, (size_t)from_ld * (size_t)size,
                                    (size_t)rows * (size_t)size, (size_t)columns, cudaMemcpyDefault, stream));
}

#define COPIES_MATRIX(name)                                                                                            \
    PUBLIC int name(int rows, int columns, int size, const void *from, int from_ld, void *to, int to_ld);              \
    int name(int rows, int columns, int size, const void *from, int from_ld, void *to, int to_ld)                      \
    {                                                                                                                  \
        const int status = copy(rows, columns, size, from, from_ld, to, to_ld, NULL);                                  \
        return status ? status : copied(cudaStreamSynchronize(NULL));                                                  \
    }                                                                                                                  \
    PUBLIC int name##Async(int rows, int columns, int size, const void *from, int from_ld, void *to, int to_ld,        \
                           cudaStream_t stream);                                                                       \
    int name##Async(int rows, int columns, int size, const void *from, int from_ld, void *to, int to_ld,               \
                    cudaStream_t stream)                                                                               \
    {                                                                                                                  \
        return copy(rows, columns, size, from, from_ld, to, to_ld, stream);                                            \
    }

COPIES_MATRIX(cublasSetMatrix)
COPIES_MATRIX(cublasGetMatrix)

/* A vector is a matrix of one row, or of one column where its elements lie together. */
static int copy_vector(int n, int size, const void *from, int from_step, void *to, int to_step, cudaStream_t stream)
{
    if (from_step == 1 && to_step == 1)
        return copy(n, 1, size, from, n > 0 ? n : 1, to, n > 0 ? n : 1, stream);
    return copy(1, n, size, from, from_step, to, to_step, stream);
}

#define COPIES_VECTOR(name)                                                                                            \
    PUBLIC int name(int n, int size, const void *from, int from_step, void *to, int to_step);                          \
    int name(int n, int size, const void *from, int from_step, void *to, int to_step)                                  \
    {                                                                                                                  \
        const int status = copy_vector(n, size, from, from_step, to, to_step, NULL);                                   \
        return status ? status : copied(cudaStreamSynchronize(NULL));                                                  \
    }                                                                                                                  \
    PUBLIC int name##Async(int n, int size, const void *from, int from_step, void *to, int to_step,                    \
                           cudaStream_t stream);                                                                       \
    int name##Async(int n, int size, const void *from, int from_step, void *to, int to_step, cudaStream_t stream)      \
    {                                                                                                                  \
        return copy_vector(n, size, from, from_step, to, to_step, stream);                                             \
    }

COPIES_VECTOR(cublasSetVector)
COPIES_VECTOR(cublasGetVector)
// SPDX-License-Identifier: Apache-2.0
