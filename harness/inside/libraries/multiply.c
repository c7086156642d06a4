/* Products of matrices: eight rows of four columns at a time, whose sums stay in registers, by several threads. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/lanes.h"
#include "harness/inside/device/device.h"
#include "harness/inside/libraries/multiply.h"

enum { ROWS = 8, COLUMNS = 4, MOST_THREADS = 64, WORTH_A_THREAD = 1 << 20 /* multiplications */ };

typedef double __attribute__((vector_size(32))) four;

/* A thread's part: rows `first` to `last`. */
struct part {
    size_t m, n, k, first, last;
    const double *a, *b;
    double *c, *panel; /* room for k x ROWS of a, by rows */
    pthread_t thread;
    bool runs;
};

/* Up to ROWS x COLUMNS of c, at (i, j). */
static inline __attribute__((always_inline)) void tile(const struct part *p, size_t i, size_t j)
{
    const size_t rows = p->m - i < ROWS ? p->m - i : ROWS, columns = p->n - j < COLUMNS ? p->n - j : COLUMNS;
    const double *b[COLUMNS];
    union {
        four v[COLUMNS][2];
        double x[COLUMNS][ROWS];
    } sum;

    memset(&sum, 0, sizeof sum);
    for (size_t q = 0; q < COLUMNS; q++) {
        b[q] = p->b + (j + (q < columns ? q : 0)) * p->k;
        if (q < columns)
            memcpy(sum.x[q], p->c + i + (j + q) * p->m, rows * sizeof(double));
    }
    for (size_t e = 0; e < p->k; e++) {
        const four *const a = (const four *)(const void *)(p->panel + e * ROWS);
        for (size_t q = 0; q < COLUMNS; q++) {
            sum.v[q][0] += a[0] * b[q][e];
            sum.v[q][1] += a[1] * b[q][e];
        }
    }
    for (size_t q = 0; q < columns; q++)
        memcpy(p->c + i + (j + q) * p->m, sum.x[q], rows * sizeof(double));
}

static inline __attribute__((always_inline)) void rows_of(const struct part *p)
{
    for (size_t i = p->first; i < p->last; i += ROWS) {
        const size_t rows = p->m - i < ROWS ? p->m - i : ROWS;
        for (size_t e = 0; e < p->k; e++)
            memcpy(p->panel + e * ROWS, p->a + i + e * p->m, rows * sizeof(double));
        for (size_t j = 0; j < p->n; j += COLUMNS)
            tile(p, i, j);
    }
}

static EMU_AVX2 void rows_avx2(const struct part *p)
{
    rows_of(p);
}

static void *work(void *part)
{
    if (emu_has_avx2())
        rows_avx2(part);
    else
        rows_of(part);
    return NULL;
}

/* As many threads as launches have, each with as many rows as the others. */
int blas_multiply(size_t m, size_t n, size_t k, const double *a, const double *b, double *c)
{
    const size_t worth = (size_t)((double)m * (double)n * (double)k / WORTH_A_THREAD) + 1,
                 blocks = (m + ROWS - 1) / ROWS;
    size_t threads = device.options.options.jobs, size = (k + 1) * ROWS * sizeof(double);
    struct part parts[MOST_THREADS];
    double *panels;

    threads = threads < worth ? threads : worth;
    threads = threads < blocks ? threads : blocks;
    threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
    size = (size + 63) / 64 * 64;
    panels = aligned_alloc(64, threads * size);
    if (!panels)
        return BLAS_ALLOC_FAILED;
    memset(panels, 0, threads * size);
    for (size_t t = threads; t--;) {
        const size_t last = blocks * (t + 1) / threads * ROWS;
        parts[t] = (struct part){ .m = m,
                                  .n = n,
                                  .k = k,
                                  .a = a,
                                  .b = b,
                                  .c = c,
                                  .first = blocks * t / threads * ROWS,
                                  .last = last < m ? last : m,
                                  .panel = panels + t * (size / sizeof(double)) };
        parts[t].runs = t && !pthread_create(&parts[t].thread, NULL, work, &parts[t]);
        if (!parts[t].runs)
            work(&parts[t]);
    }
    for (size_t t = 1; t < threads; t++)
        if (parts[t].runs)
            pthread_join(parts[t].thread, NULL);
    free(panels);
    return BLAS_FINE;
}
// SPDX-License-Identifier: Apache-2.0
