/* cuBLASLt's matrix product. Descriptors of products and matrices are the library's own, which need no device: it is
 * asked what they say. */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/inside/libraries/multiply.h"
#include "harness/inside/libraries/products.h"
#include "harness/inside/names.h"

#define PUBLIC __attribute__((visibility("default")))

/* cublasLtMatmulDescAttributes_t, cublasLtMatrixLayoutAttribute_t, cublasLtOrder_t, cublasLtEpilogue_t. */
enum {
    DESC_SCALE_TYPE = 1,
    DESC_POINTER_MODE = 2,
    DESC_OP_A = 3,
    DESC_OP_B = 4,
    DESC_EPILOGUE = 7,
    DESC_BIAS = 8,
    DESC_BIAS_TYPE = 26
};
enum { LAYOUT_TYPE, LAYOUT_ORDER, LAYOUT_ROWS, LAYOUT_COLUMNS, LAYOUT_LD, LAYOUT_BATCH, LAYOUT_STEP };
enum { BY_COLUMNS, BY_ROWS };
enum { RELU = 2, BIAS = 4, GELU = 32 };

typedef int get_attribute(const void *of, int attribute, void *out, size_t bytes, size_t *written);

/* The library's own function of this name; NULL without one. */
static get_attribute *own(const char *name)
{
    static const char *const names[] = { "libcublasLt.so.13", "libcublasLt.so.12" };
    void *function = dlsym(RTLD_NEXT, name), *library;
    get_attribute *get;

    for (size_t i = 0; !function && i < sizeof names / sizeof *names; i++)
        if ((library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD)))
            function = dlsym(library, name);
    *(void **)&get = function;
    return get;
}

/* A matrix, or a batch of them, as its layout says. */
struct layout {
    int type, order, batch;
    uint64_t rows, columns;
    int64_t ld, step; /* of matrices of a batch, in elements */
};

static bool ask_layout(get_attribute *get, const void *of, struct layout *out)
{
    size_t n;

    return !get(of, LAYOUT_TYPE, &out->type, 4, &n) && !get(of, LAYOUT_ORDER, &out->order, 4, &n) &&
           !get(of, LAYOUT_ROWS, &out->rows, 8, &n) && !get(of, LAYOUT_COLUMNS, &out->columns, 8, &n) &&
           !get(of, LAYOUT_LD, &out->ld, 8, &n) && !get(of, LAYOUT_BATCH, &out->batch, 4, &n) &&
           !get(of, LAYOUT_STEP, &out->step, 8, &n);
}

/* One of a batch as memory has it: a matrix by rows is its transpose by columns. */
static struct blas_matrix stored(const struct layout *l, const void *at, int i)
{
    const bool by_rows = l->order == BY_ROWS;

    return (struct blas_matrix){ .at = (const char *)at + i * l->step * (int64_t)blas_size(l->type),
                                 .type = (enum blas_type)l->type,
                                 .rows = by_rows ? l->columns : l->rows,
                                 .columns = by_rows ? l->rows : l->columns,
                                 .ld = (size_t)l->ld };
}

static double *read_one(const struct blas *h, const struct layout *l, const void *at, int i, bool turns, int *status)
{
    const struct blas_matrix x = stored(l, at, i);
    double *out = blas_read(h, &x, status);

    if (out && turns != (l->order == BY_ROWS)) {
        out = blas_turned(out, x.rows, x.columns);
        *status = out ? BLAS_FINE : BLAS_ALLOC_FAILED;
    }
    return out;
}

static int write_one(const struct blas *h, const struct layout *l, void *at, int i, double **values)
{
    const struct blas_matrix x = stored(l, at, i);

    if (l->order == BY_ROWS)
        *values = blas_turned(*values, l->rows, l->columns);
    return *values ? blas_write(h, &x, *values) : BLAS_ALLOC_FAILED;
}

/* D = epilogue(alpha op(A) op(B) + beta C) */
struct job {
    struct layout a, b, c, d;
    int op_a, op_b, scale, mode, epilogue, bias_type;
    const void *bias;
    double alpha, beta;
};

static int ask(const void *desc, const void *const layouts[4], struct job *job)
{
    get_attribute *const get = own("cublasLtMatmulDescGetAttribute"), *const get_layout =
                                                                          own("cublasLtMatrixLayoutGetAttribute");
    const struct layout *const all[] = { &job->a, &job->b, &job->c, &job->d };
    size_t n;

    *job = (struct job){ .bias_type = -1 };
    if (!get || !get_layout || get(desc, DESC_SCALE_TYPE, &job->scale, 4, &n) ||
        get(desc, DESC_POINTER_MODE, &job->mode, 4, &n) || get(desc, DESC_OP_A, &job->op_a, 4, &n) ||
        get(desc, DESC_OP_B, &job->op_b, 4, &n) || get(desc, DESC_EPILOGUE, &job->epilogue, 4, &n) ||
        get(desc, DESC_BIAS, &job->bias, 8, &n) || !ask_layout(get_layout, layouts[0], &job->a) ||
        !ask_layout(get_layout, layouts[1], &job->b) || !ask_layout(get_layout, layouts[2], &job->c) ||
        !ask_layout(get_layout, layouts[3], &job->d))
        return BLAS_INVALID_VALUE;
    if (get(desc, DESC_BIAS_TYPE, &job->bias_type, 4, &n) || job->bias_type < 0)
        job->bias_type = job->d.type;
    for (int i = 0; i < 4; i++)
        if (!blas_size(all[i]->type) || all[i]->order > BY_ROWS)
            return BLAS_NOT_SUPPORTED;
    if (job->mode > 1 || job->epilogue & ~(1 | RELU | BIAS | GELU) || !blas_size(job->bias_type))
        return BLAS_NOT_SUPPORTED;
    return BLAS_FINE;
}

/* The usual approximation of the Gaussian error linear unit, by tanh, which cuBLASLt documents. */
static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

static int carry_out(const struct blas *h, const struct job *j, int i, const void *a_at, const void *b_at,
                     const void *c_at, void *d_at)
{
    const size_t m = j->d.rows, n = j->d.columns, k = j->op_a ? j->a.rows : j->a.columns;
    const struct blas_matrix bias_at = blas_vector(j->bias, (enum blas_type)j->bias_type, m, 1);
    int status = BLAS_FINE;
    double *a = read_one(h, &j->a, a_at, i, j->op_a, &status);
    double *b = status ? NULL : read_one(h, &j->b, b_at, i, j->op_b, &status);
    double *c = status || j->beta == 0 ? NULL : read_one(h, &j->c, c_at, i, false, &status);
    double *bias = status || !(j->epilogue & BIAS) ? NULL : blas_read(h, &bias_at, &status);
    double *d = status ? NULL : calloc(m * n + 1, sizeof *d);

    if (!status && !d)
        status = BLAS_ALLOC_FAILED;
    if (!status) {
        status = blas_multiply(m, n, k, a, b, d);
        for (size_t e = 0; e < m * n; e++) {
            const double x = j->alpha * d[e] + (c ? j->beta * c[e] : 0) + (bias ? bias[e % m] : 0);
            d[e] = j->epilogue & RELU ? (x < 0 ? 0 : x) : j->epilogue & GELU ? gelu(x) : x;
        }
        status = status ? status : write_one(h, &j->d, d_at, i, &d);
    }
    free(a);
    free(b);
    free(c);
    free(bias);
    free(d);
    return status;
}

/* ---- the functions
 * ---------------------------------------------------------------------------------------------------- */

PUBLIC int cublasLtCreate(struct blas **handle);
PUBLIC int cublasLtDestroy(struct blas *h);
PUBLIC int cublasLtMatmulAlgoGetHeuristic(struct blas *h, const void *desc, const void *a, const void *b, const void *c,
                                          const void *d, const void *preference, int most, void *results, int *count);
PUBLIC int cublasLtMatmul(struct blas *h, const void *desc, const void *alpha, const void *a, const void *a_layout,
                          const void *b, const void *b_layout, const void *beta, const void *c, const void *c_layout,
                          void *d, const void *d_layout, const void *algorithm, void *workspace, size_t bytes,
                          cudaStream_t stream);
extern int cublasCreate_v2(struct blas **handle);

int cublasLtCreate(struct blas **handle)
{
    return cublasCreate_v2(handle);
}

int cublasLtDestroy(struct blas *h)
{
    if (!h)
        return BLAS_NOT_INITIALIZED;
    free(h);
    return BLAS_FINE;
}

/* One algorithm, which needs no workspace: a result is 64 bytes of it, a size, a status and more, in 96 bytes. */
int cublasLtMatmulAlgoGetHeuristic(struct blas *h, const void *desc, const void *a, const void *b, const void *c,
                                   const void *d, const void *preference, int most, void *results, int *count)
{
    enum { RESULT = 96 };
    const void *const layouts[] = { a, b, c, d };
    struct job job;
    int status = h ? ask(desc, layouts, &job) : BLAS_NOT_INITIALIZED;

    (void)preference;
    *count = 0;
    if (!status && most > 0) {
        memset(results, 0, RESULT);
        *count = 1;
    }
    if (status == BLAS_NOT_SUPPORTED)
        missing("cublasLtMatmul");
    return status;
}

int cublasLtMatmul(struct blas *h, const void *desc, const void *alpha, const void *a, const void *a_layout,
                   const void *b, const void *b_layout, const void *beta, const void *c, const void *c_layout, void *d,
                   const void *d_layout, const void *algorithm, void *workspace, size_t bytes, cudaStream_t stream)
{
    const void *const layouts[] = { a_layout, b_layout, c_layout, d_layout };
    struct blas in_stream;
    struct job job;
    int status;

    (void)algorithm;
    (void)workspace;
    (void)bytes;
    if (!h)
        return BLAS_NOT_INITIALIZED;
    in_stream = *h;
    in_stream.stream = stream;
    status = blas_begin(&in_stream, "cublasLtMatmul");
    if (!status) {
        status = ask(desc, layouts, &job);
        if (status == BLAS_NOT_SUPPORTED)
            missing("cublasLtMatmul");
    }
    in_stream.device_scalars = !status && job.mode;
    if (!status)
        status = blas_scalar(&in_stream, alpha, (enum blas_type)job.scale, &job.alpha);
    if (!status)
        status = blas_scalar(&in_stream, beta, (enum blas_type)job.scale, &job.beta);
    for (int i = 0; !status && i < job.d.batch; i++)
        status = carry_out(&in_stream, &job, i, a, b, c, d);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
