/* cuBLAS's functions of matrices, those of real numbers: sums are made in double precision, in the order of k, and are
 * rounded once, to the type of the result. cuBLAS rounds more often, in an order of its own. */
#include <stdint.h>
#include <stdlib.h>

#include "harness/inside/libraries/multiply.h"
#include "harness/inside/libraries/products.h"

#define PUBLIC __attribute__((visibility("default")))

/* C = alpha op(A) op(B) + beta C, where op(A) is m x k and op(B) k x n. */
struct product {
    const char *name;
    int op_a, op_b, m, n, k;
    int type_scalar, type_a, type_b, type_c;
    const void *alpha, *beta;
    const void *a, *b;
    void *c;
    int lda, ldb, ldc;
    long long step_a, step_b, step_c; /* of matrices of a batch, in elements */
    int batch;
};

double *blas_turned(double *x, size_t rows, size_t columns)
{
    double *out = malloc((rows * columns + 1) * sizeof *out);

    for (size_t j = 0; out && j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            out[j + i * columns] = x[i + j * rows];
    free(x);
    return out;
}

/* A matrix as the product has it: op(X), of so many rows and columns. */
static double *operand(const struct blas *h, int op, const void *at, int type, int ld, size_t rows, size_t columns,
                       int *status)
{
    const struct blas_matrix x = { .at = at,
                                   .type = (enum blas_type)type,
                                   .rows = op == AS_IT_IS ? rows : columns,
                                   .columns = op == AS_IT_IS ? columns : rows,
                                   .ld = (size_t)ld };
    double *read = blas_read(h, &x, status);

    if (read && op != AS_IT_IS) {
        read = blas_turned(read, x.rows, x.columns);
        *status = read ? BLAS_FINE : BLAS_ALLOC_FAILED;
    }
    return read;
}

static bool fits(int op, int ld, int rows, int columns)
{
    const int least = op == AS_IT_IS ? rows : columns;

    return op >= AS_IT_IS && op <= CONJUGATED && ld >= (least > 1 ? least : 1);
}

static int check(const struct blas *h, const struct product *x)
{
    const int status = blas_begin(h, x->name);

    if (status)
        return status;
    if (x->m < 0 || x->n < 0 || x->k < 0 || x->batch < 0 || !fits(x->op_a, x->lda, x->m, x->k) ||
        !fits(x->op_b, x->ldb, x->k, x->n) || !fits(AS_IT_IS, x->ldc, x->m, x->n))
        return BLAS_INVALID_VALUE;
    return blas_size(x->type_a) && blas_size(x->type_b) && blas_size(x->type_c) ? BLAS_FINE : BLAS_NOT_SUPPORTED;
}

/* One of a batch. C is read only where beta is not zero. */
static int carry_out(const struct blas *h, const struct product *x, double alpha, double beta)
{
    const size_t m = (size_t)x->m, n = (size_t)x->n, k = (size_t)x->k;
    const struct blas_matrix to = {
        .at = x->c, .type = (enum blas_type)x->type_c, .rows = m, .columns = n, .ld = (size_t)x->ldc
    };
    int status = BLAS_FINE;
    double *a = operand(h, x->op_a, x->a, x->type_a, x->lda, m, k, &status);
    double *b = status ? NULL : operand(h, x->op_b, x->b, x->type_b, x->ldb, k, n, &status);
    double *before = status || beta == 0 ? NULL : blas_read(h, &to, &status), *c = calloc(m * n + 1, sizeof *c);

    if (!status && !c)
        status = BLAS_ALLOC_FAILED;
    if (!status) {
        status = blas_multiply(m, n, k, a, b, c);
        for (size_t i = 0; i < m * n; i++)
            c[i] = alpha * c[i] + (before ? beta * before[i] : 0);
        status = status ? status : blas_write(h, &to, c);
    }
    free(a);
    free(b);
    free(before);
    free(c);
    return status;
}

static int scalars(const struct blas *h, const struct product *x, double *alpha, double *beta)
{
    const int status = blas_scalar(h, x->alpha, (enum blas_type)x->type_scalar, alpha);

    return status ? status : blas_scalar(h, x->beta, (enum blas_type)x->type_scalar, beta);
}

static const void *behind(const void *at, long long elements, int type)
{
    return (const char *)at + elements * (long long)blas_size(type);
}

static int gemm(const struct blas *h, const struct product *x)
{
    double alpha = 0, beta = 0;
    int status = check(h, x);

    if (!status)
        status = scalars(h, x, &alpha, &beta);
    for (int i = 0; !status && i < x->batch; i++) {
        struct product one = *x;
        one.a = behind(x->a, i * x->step_a, x->type_a);
        one.b = behind(x->b, i * x->step_b, x->type_b);
        one.c = (void *)(uintptr_t)behind(x->c, i * x->step_c, x->type_c);
        status = carry_out(h, &one, alpha, beta);
    }
    return status;
}

/* The matrices of a batch are where arrays of the device say. */
static int gemm_of_lists(const struct blas *h, struct product *x, const void *const a[], const void *const b[],
                         void *const c[])
{
    const size_t bytes = (size_t)(x->batch > 0 ? x->batch : 0) * sizeof(void *);
    void **lists = malloc(3 * bytes + 1);
    double alpha = 0, beta = 0;
    int status = lists ? check(h, x) : BLAS_ALLOC_FAILED;

    if (!status)
        status = scalars(h, x, &alpha, &beta);
    if (!status && bytes &&
        (cudaMemcpyAsync(lists, a, bytes, cudaMemcpyDefault, h->stream) ||
         cudaMemcpyAsync(lists + x->batch, b, bytes, cudaMemcpyDefault, h->stream) ||
         cudaMemcpyAsync(lists + 2 * x->batch, c, bytes, cudaMemcpyDefault, h->stream)))
        status = BLAS_EXECUTION_FAILED;
    for (int i = 0; !status && i < x->batch; i++) {
        x->a = lists[i];
        x->b = lists[x->batch + i];
        x->c = lists[2 * x->batch + i];
        status = carry_out(h, x, alpha, beta);
    }
    free(lists);
    return status;
}

/* The scalars' type, by cublasComputeType_t; of toolkits before 11, by the cudaDataType_t of sums. */
static int type_of_scalars(int compute)
{
    switch (compute) {
    case 64:
    case 65: return REAL_16F;
    case 70:
    case 71: return REAL_64F;
    case 72:
    case 73: return REAL_32I;
    default: return compute < 64 ? compute : REAL_32F;
    }
}

/* What all functions have in common. */
#define SHAPE                                                                                                          \
    .op_a = op_a, .op_b = op_b, .m = m, .n = n, .k = k, .alpha = alpha, .beta = beta, .lda = lda, .ldb = ldb, .ldc = ldc

#define OF_TYPE(S, number, TYPE)                                                                                       \
    PUBLIC int cublas##S##gemm_##S(struct blas *h, int op_a, int op_b, int m, int n, int k, const number *alpha,       \
                                   const number *a, int lda, const number *b, int ldb, const number *beta, number *c,  \
                                   int ldc);                                                                           \
    int cublas##S##gemm_##S(struct blas *h, int op_a, int op_b, int m, int n, int k, const number *alpha,              \
                            const number *a, int lda, const number *b, int ldb, const number *beta, number *c,         \
                            int ldc)                                                                                   \
    {                                                                                                                  \
        return gemm(h, &(struct product){ .name = "cublas" #S "gemm",                                                  \
                                          SHAPE,                                                                       \
                                          .type_scalar = TYPE,                                                         \
                                          .type_a = TYPE,                                                              \
                                          .type_b = TYPE,                                                              \
                                          .type_c = TYPE,                                                              \
                                          .a = a,                                                                      \
                                          .b = b,                                                                      \
                                          .c = c,                                                                      \
                                          .batch = 1 });                                                               \
    }                                                                                                                  \
    PUBLIC int cublas##S##gemmStridedBatched(struct blas *h, int op_a, int op_b, int m, int n, int k,                  \
                                             const number *alpha, const number *a, int lda, long long step_a,          \
                                             const number *b, int ldb, long long step_b, const number *beta,           \
                                             number *c, int ldc, long long step_c, int batch);                         \
    int cublas##S##gemmStridedBatched(struct blas *h, int op_a, int op_b, int m, int n, int k, const number *alpha,    \
                                      const number *a, int lda, long long step_a, const number *b, int ldb,            \
                                      long long step_b, const number *beta, number *c, int ldc, long long step_c,      \
                                      int batch)                                                                       \
    {                                                                                                                  \
        return gemm(h, &(struct product){ .name = "cublas" #S "gemmStridedBatched",                                    \
                                          SHAPE,                                                                       \
                                          .type_scalar = TYPE,                                                         \
                                          .type_a = TYPE,                                                              \
                                          .type_b = TYPE,                                                              \
                                          .type_c = TYPE,                                                              \
                                          .a = a,                                                                      \
                                          .b = b,                                                                      \
                                          .c = c,                                                                      \
                                          .step_a = step_a,                                                            \
                                          .step_b = step_b,                                                            \
                                          .step_c = step_c,                                                            \
                                          .batch = batch });                                                           \
    }                                                                                                                  \
    PUBLIC int cublas##S##gemmBatched(struct blas *h, int op_a, int op_b, int m, int n, int k, const number *alpha,    \
                                      const number *const a[], int lda, const number *const b[], int ldb,              \
                                      const number *beta, number *const c[], int ldc, int batch);                      \
    int cublas##S##gemmBatched(struct blas *h, int op_a, int op_b, int m, int n, int k, const number *alpha,           \
                               const number *const a[], int lda, const number *const b[], int ldb, const number *beta, \
                               number *const c[], int ldc, int batch)                                                  \
    {                                                                                                                  \
        return gemm_of_lists(h,                                                                                        \
                             &(struct product){ .name = "cublas" #S "gemmBatched",                                     \
                                                SHAPE,                                                                 \
                                                .type_scalar = TYPE,                                                   \
                                                .type_a = TYPE,                                                        \
                                                .type_b = TYPE,                                                        \
                                                .type_c = TYPE,                                                        \
                                                .batch = batch },                                                      \
                             (const void *const *)a, (const void *const *)b, (void *const *)c);                        \
    }

/* Those of float and double have a second version, that of half none. */
#define cublasSgemm_S cublasSgemm_v2
#define cublasDgemm_D cublasDgemm_v2
#define cublasHgemm_H cublasHgemm
OF_TYPE(S, float, REAL_32F)
OF_TYPE(D, double, REAL_64F)
OF_TYPE(H, uint16_t, REAL_16F)

PUBLIC int cublasSgemmEx(struct blas *h, int op_a, int op_b, int m, int n, int k, const float *alpha, const void *a,
                         int type_a, int lda, const void *b, int type_b, int ldb, const float *beta, void *c,
                         int type_c, int ldc);
PUBLIC int cublasGemmEx(struct blas *h, int op_a, int op_b, int m, int n, int k, const void *alpha, const void *a,
                        int type_a, int lda, const void *b, int type_b, int ldb, const void *beta, void *c, int type_c,
                        int ldc, int compute, int algorithm);
PUBLIC int cublasGemmStridedBatchedEx(struct blas *h, int op_a, int op_b, int m, int n, int k, const void *alpha,
                                      const void *a, int type_a, int lda, long long step_a, const void *b, int type_b,
                                      int ldb, long long step_b, const void *beta, void *c, int type_c, int ldc,
                                      long long step_c, int batch, int compute, int algorithm);
PUBLIC int cublasGemmBatchedEx(struct blas *h, int op_a, int op_b, int m, int n, int k, const void *alpha,
                               const void *const a[], int type_a, int lda, const void *const b[], int type_b, int ldb,
                               const void *beta, void *const c[], int type_c, int ldc, int batch, int compute,
                               int algorithm);

int cublasSgemmEx(struct blas *h, int op_a, int op_b, int m, int n, int k, const float *alpha, const void *a,
                  int type_a, int lda, const void *b, int type_b, int ldb, const float *beta, void *c, int type_c,
                  int ldc)
{
    return gemm(h, &(struct product){ .name = "cublasSgemmEx",
                                      SHAPE,
                                      .type_scalar = REAL_32F,
                                      .type_a = type_a,
                                      .type_b = type_b,
                                      .type_c = type_c,
                                      .a = a,
                                      .b = b,
                                      .c = c,
                                      .batch = 1 });
}

int cublasGemmEx(struct blas *h, int op_a, int op_b, int m, int n, int k, const void *alpha, const void *a, int type_a,
                 int lda, const void *b, int type_b, int ldb, const void *beta, void *c, int type_c, int ldc,
                 int compute, int algorithm)
{
    (void)algorithm;
    return gemm(h, &(struct product){ .name = "cublasGemmEx",
                                      SHAPE,
                                      .type_scalar = type_of_scalars(compute),
                                      .type_a = type_a,
                                      .type_b = type_b,
                                      .type_c = type_c,
                                      .a = a,
                                      .b = b,
                                      .c = c,
                                      .batch = 1 });
}

int cublasGemmStridedBatchedEx(struct blas *h, int op_a, int op_b, int m, int n, int k, const void *alpha,
                               const void *a, int type_a, int lda, long long step_a, const void *b, int type_b, int ldb,
                               long long step_b, const void *beta, void *c, int type_c, int ldc, long long step_c,
                               int batch, int compute, int algorithm)
{
    (void)algorithm;
    return gemm(h, &(struct product){ .name = "cublasGemmStridedBatchedEx",
                                      SHAPE,
                                      .type_scalar = type_of_scalars(compute),
                                      .type_a = type_a,
                                      .type_b = type_b,
                                      .type_c = type_c,
                                      .a = a,
                                      .b = b,
                                      .c = c,
                                      .step_a = step_a,
                                      .step_b = step_b,
                                      .step_c = step_c,
                                      .batch = batch });
}

int cublasGemmBatchedEx(struct blas *h, int op_a, int op_b, int m, int n, int k, const void *alpha,
                        const void *const a[], int type_a, int lda, const void *const b[], int type_b, int ldb,
                        const void *beta, void *const c[], int type_c, int ldc, int batch, int compute, int algorithm)
{
    (void)algorithm;
    return gemm_of_lists(h,
                         &(struct product){ .name = "cublasGemmBatchedEx",
                                            SHAPE,
                                            .type_scalar = type_of_scalars(compute),
                                            .type_a = type_a,
                                            .type_b = type_b,
                                            .type_c = type_c,
                                            .batch = batch },
                         a, b, c);
}
// SPDX-License-Identifier: Apache-2.0
