/* cuBLAS's functions of vectors, those of real numbers. */
#include <math.h>
#include <stdlib.h>

#include "harness/inside/libraries/data.h"

#define PUBLIC __attribute__((visibility("default")))

/* The vectors of a call: x, and y where there is one. */
struct vectors {
    const struct blas *h;
    struct blas_matrix x, y;
    double *a, *b; /* their elements */
    size_t n;
    int status;
};

static struct vectors begin(const struct blas *h, const char *name, int n, const void *x, int type_x, int step_x)
{
    struct vectors v = { .h = h, .n = n > 0 ? (size_t)n : 0, .status = blas_begin(h, name) };

    if (!v.status && (!blas_size(type_x) || !step_x))
        v.status = BLAS_INVALID_VALUE;
    if (v.status)
        return v;
    v.x = blas_vector(x, (enum blas_type)type_x, v.n, step_x);
    v.a = blas_read(h, &v.x, &v.status);
    return v;
}

static void with(struct vectors *v, const void *y, int type_y, int step_y, bool is_read)
{
    if (!v->status && (!blas_size(type_y) || !step_y))
        v->status = BLAS_INVALID_VALUE;
    if (v->status)
        return;
    v->y = blas_vector(y, (enum blas_type)type_y, v->n, step_y);
    if (is_read)
        v->b = blas_read(v->h, &v->y, &v->status);
}

/* Where steps have different signs one of the vectors begins at its end. */
static void align(struct vectors *v, int step_x, int step_y)
{
    if (v->status || !v->b || (step_x < 0) == (step_y < 0))
        return;
    for (size_t i = 0; i < v->n / 2; i++) {
        const double kept = v->a[i];
        v->a[i] = v->a[v->n - 1 - i];
        v->a[v->n - 1 - i] = kept;
    }
}

static int end(struct vectors *v, const struct blas_matrix *written, const double *values)
{
    if (!v->status && written)
        v->status = blas_write(v->h, written, values);
    free(v->a);
    free(v->b);
    return v->status;
}

/* y = alpha x + y */
static int axpy(const struct blas *h, const char *name, int n, const void *alpha, int type_alpha, const void *x,
                int type_x, int step_x, void *y, int type_y, int step_y)
{
    struct vectors v = begin(h, name, n, x, type_x, step_x);
    double by = 0;

    with(&v, y, type_y, step_y, true);
    align(&v, step_x, step_y);
    if (!v.status)
        v.status = blas_scalar(h, alpha, (enum blas_type)type_alpha, &by);
    for (size_t i = 0; !v.status && i < v.n; i++)
        v.b[i] += by * v.a[i];
    return end(&v, &v.y, v.b);
}

/* x = alpha x */
static int scal(const struct blas *h, const char *name, int n, const void *alpha, int type_alpha, void *x, int type_x,
                int step_x)
{
    struct vectors v = begin(h, name, n, x, type_x, step_x);
    double by = 0;

    if (!v.status)
        v.status = blas_scalar(h, alpha, (enum blas_type)type_alpha, &by);
    for (size_t i = 0; !v.status && i < v.n; i++)
        v.a[i] *= by;
    return end(&v, &v.x, v.a);
}

static int dot(const struct blas *h, const char *name, int n, const void *x, int type_x, int step_x, const void *y,
               int type_y, int step_y, void *result, int type_result)
{
    struct vectors v = begin(h, name, n, x, type_x, step_x);
    double sum = 0;

    with(&v, y, type_y, step_y, true);
    align(&v, step_x, step_y);
    for (size_t i = 0; !v.status && i < v.n; i++)
        sum += v.a[i] * v.b[i];
    if (!v.status)
        v.status = blas_result(h, result, (enum blas_type)type_result, sum);
    return end(&v, NULL, NULL);
}

enum norm { SUM_OF_SIZES, ROOT_OF_SQUARES, AT_LARGEST, AT_SMALLEST };

/* A number of one vector; positions count from 1, and 0 is that of no element. */
static int norm(const struct blas *h, const char *name, int n, const void *x, int type_x, int step_x, void *result,
                int type_result, enum norm of)
{
    struct vectors v = begin(h, name, n, x, type_x, step_x);
    double sum = 0, squares = 0;
    size_t largest = 0, smallest = 0;

    for (size_t i = 0; !v.status && i < v.n; i++) {
        const double size = fabs(v.a[i]);
        sum += size;
        squares += size * size;
        largest = size > fabs(v.a[largest]) ? i : largest;
        smallest = size < fabs(v.a[smallest]) ? i : smallest;
    }
    if (!v.status)
        v.status = blas_result(h, result, (enum blas_type)type_result,
                               of == SUM_OF_SIZES      ? sum
                               : of == ROOT_OF_SQUARES ? sqrt(squares)
                               : !v.n                  ? 0
                               : of == AT_LARGEST      ? (double)largest + 1
                                                       : (double)smallest + 1);
    return end(&v, NULL, NULL);
}

static int move(const struct blas *h, const char *name, int n, void *x, int type_x, int step_x, void *y, int type_y,
                int step_y, bool swaps)
{
    struct vectors v = begin(h, name, n, x, type_x, step_x);

    with(&v, y, type_y, step_y, true);
    align(&v, step_x, step_y);
    if (!v.status)
        v.status = blas_write(h, &v.y, v.a);
    if (!v.status && swaps && (step_x < 0) != (step_y < 0))
        for (size_t i = 0; i < v.n / 2; i++) {
            const double kept = v.b[i];
            v.b[i] = v.b[v.n - 1 - i];
            v.b[v.n - 1 - i] = kept;
        }
    return end(&v, swaps ? &v.x : NULL, v.b);
}

/* The functions of one type of number. */
#define OF_TYPE(S, number, TYPE)                                                                                       \
    PUBLIC int cublas##S##axpy_v2(struct blas *h, int n, const number *alpha, const number *x, int step_x, number *y,  \
                                  int step_y);                                                                         \
    int cublas##S##axpy_v2(struct blas *h, int n, const number *alpha, const number *x, int step_x, number *y,         \
                           int step_y)                                                                                 \
    {                                                                                                                  \
        return axpy(h, "cublas" #S "axpy", n, alpha, TYPE, x, TYPE, step_x, y, TYPE, step_y);                          \
    }                                                                                                                  \
    PUBLIC int cublas##S##scal_v2(struct blas *h, int n, const number *alpha, number *x, int step_x);                  \
    int cublas##S##scal_v2(struct blas *h, int n, const number *alpha, number *x, int step_x)                          \
    {                                                                                                                  \
        return scal(h, "cublas" #S "scal", n, alpha, TYPE, x, TYPE, step_x);                                           \
    }                                                                                                                  \
    PUBLIC int cublas##S##dot_v2(struct blas *h, int n, const number *x, int step_x, const number *y, int step_y,      \
                                 number *result);                                                                      \
    int cublas##S##dot_v2(struct blas *h, int n, const number *x, int step_x, const number *y, int step_y,             \
                          number *result)                                                                              \
    {                                                                                                                  \
        return dot(h, "cublas" #S "dot", n, x, TYPE, step_x, y, TYPE, step_y, result, TYPE);                           \
    }                                                                                                                  \
    PUBLIC int cublas##S##copy_v2(struct blas *h, int n, const number *x, int step_x, number *y, int step_y);          \
    int cublas##S##copy_v2(struct blas *h, int n, const number *x, int step_x, number *y, int step_y)                  \
    {                                                                                                                  \
        return move(h, "cublas" #S "copy", n, (number *)(size_t)x, TYPE, step_x, y, TYPE, step_y, false);              \
    }                                                                                                                  \
    PUBLIC int cublas##S##swap_v2(struct blas *h, int n, number *x, int step_x, number *y, int step_y);                \
    int cublas##S##swap_v2(struct blas *h, int n, number *x, int step_x, number *y, int step_y)                        \
    {                                                                                                                  \
        return move(h, "cublas" #S "swap", n, x, TYPE, step_x, y, TYPE, step_y, true);                                 \
    }

OF_TYPE(S, float, REAL_32F)
OF_TYPE(D, double, REAL_64F)

#define NORM(name, number, TYPE, result_type, RESULT, of)                                                              \
    PUBLIC int name(struct blas *h, int n, const number *x, int step_x, result_type *result);                          \
    int name(struct blas *h, int n, const number *x, int step_x, result_type *result)                                  \
    {                                                                                                                  \
        return norm(h, #name, n, x, TYPE, step_x, result, RESULT, of);                                                 \
    }

NORM(cublasSasum_v2, float, REAL_32F, float, REAL_32F, SUM_OF_SIZES)
NORM(cublasDasum_v2, double, REAL_64F, double, REAL_64F, SUM_OF_SIZES)
NORM(cublasSnrm2_v2, float, REAL_32F, float, REAL_32F, ROOT_OF_SQUARES)
NORM(cublasDnrm2_v2, double, REAL_64F, double, REAL_64F, ROOT_OF_SQUARES)
NORM(cublasIsamax_v2, float, REAL_32F, int, REAL_32I, AT_LARGEST)
NORM(cublasIdamax_v2, double, REAL_64F, int, REAL_32I, AT_LARGEST)
NORM(cublasIsamin_v2, float, REAL_32F, int, REAL_32I, AT_SMALLEST)
NORM(cublasIdamin_v2, double, REAL_64F, int, REAL_32I, AT_SMALLEST)

/* ---- with types as arguments
 * ------------------------------------------------------------------------------------------ */

PUBLIC int cublasAxpyEx(struct blas *h, int n, const void *alpha, int type_alpha, const void *x, int type_x, int step_x,
                        void *y, int type_y, int step_y, int type_sum);
PUBLIC int cublasScalEx(struct blas *h, int n, const void *alpha, int type_alpha, void *x, int type_x, int step_x,
                        int type_sum);
PUBLIC int cublasDotEx(struct blas *h, int n, const void *x, int type_x, int step_x, const void *y, int type_y,
                       int step_y, void *result, int type_result, int type_sum);
PUBLIC int cublasNrm2Ex(struct blas *h, int n, const void *x, int type_x, int step_x, void *result, int type_result,
                        int type_sum);

int cublasAxpyEx(struct blas *h, int n, const void *alpha, int type_alpha, const void *x, int type_x, int step_x,
                 void *y, int type_y, int step_y, int type_sum)
{
    (void)type_sum;
    return axpy(h, "cublasAxpyEx", n, alpha, type_alpha, x, type_x, step_x, y, type_y, step_y);
}

int cublasScalEx(struct blas *h, int n, const void *alpha, int type_alpha, void *x, int type_x, int step_x,
                 int type_sum)
{
    (void)type_sum;
    return scal(h, "cublasScalEx", n, alpha, type_alpha, x, type_x, step_x);
}

int cublasDotEx(struct blas *h, int n, const void *x, int type_x, int step_x, const void *y, int type_y, int step_y,
                void *result, int type_result, int type_sum)
{
    (void)type_sum;
    return dot(h, "cublasDotEx", n, x, type_x, step_x, y, type_y, step_y, result, type_result);
}

int cublasNrm2Ex(struct blas *h, int n, const void *x, int type_x, int step_x, void *result, int type_result,
                 int type_sum)
{
    (void)type_sum;
    return norm(h, "cublasNrm2Ex", n, x, type_x, step_x, result, type_result, ROOT_OF_SQUARES);
}
// SPDX-License-Identifier: Apache-2.0
