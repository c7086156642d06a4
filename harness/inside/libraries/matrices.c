/* More of cuBLAS's functions of real numbers: a matrix by a vector, a product of two vectors, sums of matrices, and a
 * matrix by a diagonal one. */
#include <stdlib.h>

#include "harness/inside/libraries/data.h"

#define PUBLIC __attribute__((visibility("default")))

/* What such a call reads; `written` is written at its end. */
struct call {
    const struct blas *h;
    struct blas_matrix written;
    double *out, *read[3];
    int status;
};

static struct blas_matrix matrix(const void *at, enum blas_type type, int rows, int columns, int ld)
{
    return (struct blas_matrix){
        .at = at, .type = type, .rows = (size_t)rows, .columns = (size_t)columns, .ld = (size_t)ld
    };
}

static struct call begin(const struct blas *h, const char *name, int m, int n)
{
    struct call c = { .h = h, .status = blas_begin(h, name) };

    if (!c.status && (m < 0 || n < 0))
        c.status = BLAS_INVALID_VALUE;
    return c;
}

static const double *take(struct call *c, int i, struct blas_matrix x)
{
    if (!c->status)
        c->read[i] = blas_read(c->h, &x, &c->status);
    return c->read[i];
}

static double scalar(struct call *c, const void *at, enum blas_type type)
{
    double value = 0;

    if (!c->status)
        c->status = blas_scalar(c->h, at, type, &value);
    return value;
}

/* Room for what is written, with what is there where it counts. */
static double *room(struct call *c, struct blas_matrix x, bool counts)
{
    c->written = x;
    if (!c->status && counts)
        c->out = blas_read(c->h, &x, &c->status);
    else if (!c->status && !(c->out = calloc(x.rows * x.columns + 1, sizeof *c->out)))
        c->status = BLAS_ALLOC_FAILED;
    return c->out;
}

static int end(struct call *c)
{
    if (!c->status)
        c->status = blas_write(c->h, &c->written, c->out);
    free(c->out);
    for (int i = 0; i < 3; i++)
        free(c->read[i]);
    return c->status;
}

/* Element i of n of a vector that was read in the order of memory. */
static size_t at(size_t i, size_t n, int step)
{
    return step < 0 ? n - 1 - i : i;
}

/* y = alpha op(A) x + beta y */
static int gemv(const struct blas *h, const char *name, enum blas_type type, int op, int m, int n, const void *alpha,
                const void *a, int lda, const void *x, int step_x, const void *beta, void *y, int step_y)
{
    struct call c = begin(h, name, m, n);
    const size_t rows = (size_t)(op ? n : m), columns = (size_t)(op ? m : n);
    const double by = scalar(&c, alpha, type), times = scalar(&c, beta, type);
    const double *of, *v;
    double *out;

    if (!c.status && (lda < (m > 1 ? m : 1) || !step_x || !step_y))
        c.status = BLAS_INVALID_VALUE;
    of = take(&c, 0, matrix(a, type, m, n, lda));
    v = take(&c, 1, blas_vector(x, type, columns, step_x));
    out = room(&c, blas_vector(y, type, rows, step_y), times != 0);
    for (size_t i = 0; !c.status && i < rows; i++) {
        double sum = 0, *to = &out[at(i, rows, step_y)];
        for (size_t j = 0; j < columns; j++)
            sum += of[op ? j + i * (size_t)m : i + j * (size_t)m] * v[at(j, columns, step_x)];
        *to = by * sum + (times != 0 ? times * *to : 0);
    }
    return end(&c);
}

/* A = alpha x y^T + A */
static int ger(const struct blas *h, const char *name, enum blas_type type, int m, int n, const void *alpha,
               const void *x, int step_x, const void *y, int step_y, void *a, int lda)
{
    struct call c = begin(h, name, m, n);
    const double by = scalar(&c, alpha, type), *u, *v;
    double *out;

    if (!c.status && (lda < (m > 1 ? m : 1) || !step_x || !step_y))
        c.status = BLAS_INVALID_VALUE;
    u = take(&c, 0, blas_vector(x, type, (size_t)m, step_x));
    v = take(&c, 1, blas_vector(y, type, (size_t)n, step_y));
    out = room(&c, matrix(a, type, m, n, lda), true);
    for (size_t j = 0; !c.status && j < (size_t)n; j++)
        for (size_t i = 0; i < (size_t)m; i++)
            out[i + j * (size_t)m] += by * u[at(i, (size_t)m, step_x)] * v[at(j, (size_t)n, step_y)];
    return end(&c);
}

/* C = alpha op(A) + beta op(B): a matrix by zero is not read. */
static int geam(const struct blas *h, const char *name, enum blas_type type, int op_a, int op_b, int m, int n,
                const void *alpha, const void *a, int lda, const void *beta, const void *b, int ldb, void *c_at,
                int ldc)
{
    struct call c = begin(h, name, m, n);
    const double by[2] = { scalar(&c, alpha, type), scalar(&c, beta, type) };
    const int op[2] = { op_a, op_b }, ld[2] = { lda, ldb };
    const void *const from[2] = { a, b };
    double *out = room(&c, matrix(c_at, type, m, n, ldc), false);

    for (int x = 0; x < 2 && !c.status; x++) {
        const int rows = op[x] ? n : m, columns = op[x] ? m : n;
        const double *of;
        if (by[x] == 0)
            continue;
        if (ld[x] < (rows > 1 ? rows : 1) || ldc < (m > 1 ? m : 1))
            c.status = BLAS_INVALID_VALUE;
        of = take(&c, x, matrix(from[x], type, rows, columns, ld[x]));
        for (size_t j = 0; !c.status && j < (size_t)n; j++)
            for (size_t i = 0; i < (size_t)m; i++)
                out[i + j * (size_t)m] += by[x] * of[op[x] ? j + i * (size_t)n : i + j * (size_t)m];
    }
    return end(&c);
}

/* C = A diag(x), or diag(x) A where it stands left. */
static int dgmm(const struct blas *h, const char *name, enum blas_type type, bool left, int m, int n, const void *a,
                int lda, const void *x, int step_x, void *c_at, int ldc)
{
    struct call c = begin(h, name, m, n);
    const size_t count = (size_t)(left ? m : n);
    const double *of = take(&c, 0, matrix(a, type, m, n, lda));
    const double *v = take(&c, 1, blas_vector(x, type, count, step_x ? step_x : 1));
    double *out = room(&c, matrix(c_at, type, m, n, ldc), false);

    for (size_t j = 0; !c.status && j < (size_t)n; j++)
        for (size_t i = 0; i < (size_t)m; i++)
            out[i + j * (size_t)m] = of[i + j * (size_t)m] * v[at(left ? i : j, count, step_x)];
    return end(&c);
}

#define OF_TYPE(S, number, TYPE)                                                                                       \
    PUBLIC int cublas##S##gemv_v2(struct blas *h, int op, int m, int n, const number *alpha, const number *a, int lda, \
                                  const number *x, int step_x, const number *beta, number *y, int step_y);             \
    int cublas##S##gemv_v2(struct blas *h, int op, int m, int n, const number *alpha, const number *a, int lda,        \
                           const number *x, int step_x, const number *beta, number *y, int step_y)                     \
    {                                                                                                                  \
        return gemv(h, "cublas" #S "gemv", TYPE, op, m, n, alpha, a, lda, x, step_x, beta, y, step_y);                 \
    }                                                                                                                  \
    PUBLIC int cublas##S##ger_v2(struct blas *h, int m, int n, const number *alpha, const number *x, int step_x,       \
                                 const number *y, int step_y, number *a, int lda);                                     \
    int cublas##S##ger_v2(struct blas *h, int m, int n, const number *alpha, const number *x, int step_x,              \
                          const number *y, int step_y, number *a, int lda)                                             \
    {                                                                                                                  \
        return ger(h, "cublas" #S "ger", TYPE, m, n, alpha, x, step_x, y, step_y, a, lda);                             \
    }                                                                                                                  \
    PUBLIC int cublas##S##geam(struct blas *h, int op_a, int op_b, int m, int n, const number *alpha, const number *a, \
                               int lda, const number *beta, const number *b, int ldb, number *c, int ldc);             \
    int cublas##S##geam(struct blas *h, int op_a, int op_b, int m, int n, const number *alpha, const number *a,        \
                        int lda, const number *beta, const number *b, int ldb, number *c, int ldc)                     \
    {                                                                                                                  \
        return geam(h, "cublas" #S "geam", TYPE, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);               \
    }                                                                                                                  \
    PUBLIC int cublas##S##dgmm(struct blas *h, int side, int m, int n, const number *a, int lda, const number *x,      \
                               int step_x, number *c, int ldc);                                                        \
    int cublas##S##dgmm(struct blas *h, int side, int m, int n, const number *a, int lda, const number *x, int step_x, \
                        number *c, int ldc)                                                                            \
    {                                                                                                                  \
        return dgmm(h, "cublas" #S "dgmm", TYPE, !side, m, n, a, lda, x, step_x, c, ldc);                              \
    }

OF_TYPE(S, float, REAL_32F)
OF_TYPE(D, double, REAL_64F)
// SPDX-License-Identifier: Apache-2.0
