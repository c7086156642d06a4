/* Matrices and vectors of a library's calls: they are read into numbers of double precision and written back from them,
 * by copies in the handle's stream, as a program would make them. So the emulator knows what was read and written. */
#ifndef COPYCHECK_INSIDE_LIBRARIES_DATA_H
#define COPYCHECK_INSIDE_LIBRARIES_DATA_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

/* What the functions of cuBLAS return: cublasStatus_t, whose header not every toolkit has. */
enum blas_status {
    BLAS_FINE = 0,
    BLAS_NOT_INITIALIZED = 1,
    BLAS_ALLOC_FAILED = 3,
    BLAS_INVALID_VALUE = 7,
    BLAS_MAPPING_ERROR = 11,
    BLAS_EXECUTION_FAILED = 13,
    BLAS_NOT_SUPPORTED = 15
};

/* cublasHandle_t. */
struct blas {
    cudaStream_t stream;
    int device_scalars; /* cublasPointerMode_t: alpha, beta and results of dot products are in device memory */
    int math, atomics;
};

/* cudaDataType_t, as far as it is modelled. */
enum blas_type { REAL_32F = 0, REAL_64F = 1, REAL_16F = 2, REAL_8I = 3, REAL_32I = 10, REAL_16BF = 14 };

/* Element (i, j) is at[i + j * ld], as everywhere in cuBLAS. A vector with a stride is a matrix of one row. */
struct blas_matrix {
    const void *at;
    enum blas_type type;
    size_t rows, columns, ld;
};

/* Whether a call with this handle can be carried out now; what is wrong otherwise. A graph's nodes cannot be made. */
int blas_begin(const struct blas *h, const char *name);
/* Bytes of an element; 0 for a type that is not modelled. */
size_t blas_size(int type);
/* A matrix of n elements that are `stride` apart; of a negative stride the last comes first in memory. */
struct blas_matrix blas_vector(const void *at, enum blas_type type, size_t n, int stride);
/* Its elements without gaps, column by column, to be freed; NULL: *status says why. Rounding: none. */
double *blas_read(const struct blas *h, const struct blas_matrix *x, int *status);
/* Writes them back, each rounded to nearest even; integers to nearest, and no further than their type reaches. */
int blas_write(const struct blas *h, const struct blas_matrix *x, const double *from);
/* A scalar of the host or, as the handle says, of the device. */
int blas_scalar(const struct blas *h, const void *at, enum blas_type type, double *out);
/* A result, in the same way; real, or an int where type is REAL_32I. */
int blas_result(const struct blas *h, void *at, enum blas_type type, double value);

#endif
// SPDX-License-Identifier: Apache-2.0
