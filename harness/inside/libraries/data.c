/* What a library's calls read and write. */
#include "harness/inside/libraries/data.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/inside/device/device.h"
#include "harness/inside/names.h"

int blas_begin(const struct blas *h, const char *name)
{
    enum cudaStreamCaptureStatus capture;

    if (!h)
        return BLAS_NOT_INITIALIZED;
    if (cudaStreamIsCapturing(h->stream, &capture))
        return BLAS_EXECUTION_FAILED;
    if (capture == cudaStreamCaptureStatusNone)
        return BLAS_FINE;
    missing(name);
    return BLAS_NOT_SUPPORTED;
}

size_t blas_size(int type)
{
    switch (type) {
    case REAL_64F: return 8;
    case REAL_32F:
    case REAL_32I: return 4;
    case REAL_16F:
    case REAL_16BF: return 2;
    case REAL_8I: return 1;
    default: return 0;
    }
}

struct blas_matrix blas_vector(const void *at, enum blas_type type, size_t n, int stride)
{
    if (stride == 1)
        return (struct blas_matrix){ .at = at, .type = type, .rows = n, .columns = 1, .ld = n };
    return (struct blas_matrix){ .at = at,
                                 .type = type,
                                 .rows = 1,
                                 .columns = n,
                                 .ld = stride < 0 ? (size_t) - (long long)stride : (size_t)stride };
}

/* ---- numbers of 16 bits: a sign, an exponent with this bias, and `digits` digits behind the point
 * --------------------- */

static double of_small(uint16_t x, int digits, int bias)
{
    const int most = 2 * bias + 1, exponent = x >> digits & most, fraction = x & ((1 << digits) - 1);
    double value;

    if (exponent == most)
        value = fraction ? (double)NAN : (double)INFINITY;
    else if (!exponent)
        value = ldexp(fraction, 1 - bias - digits);
    else
        value = ldexp(fraction + (1 << digits), exponent - bias - digits);
    return x >> 15 ? -value : value;
}

static uint16_t to_small(double value, int digits, int bias)
{
    const unsigned sign = signbit(value) ? 1u << 15 : 0, infinity = (2u * (unsigned)bias + 1) << digits;
    const double size = fabs(value);
    int exponent;
    unsigned bits;

    if (isnan(value))
        return 0x7fff;
    if (isinf(value))
        return (uint16_t)(sign | infinity);
    exponent = size > 0 ? ilogb(size) : 1 - bias;
    if (exponent < 1 - bias)
        exponent = 1 - bias;
    if (exponent > bias)
        return (uint16_t)(sign | infinity);
    /* A subnormal one has no leading digit, and a carry goes into the exponent, up to infinity. */
    bits = (unsigned)rint(ldexp(size, digits - exponent)) + ((unsigned)(exponent + bias - 1) << digits);
    return (uint16_t)(sign | bits);
}

enum { HALF_DIGITS = 10, HALF_BIAS = 15, BF16_DIGITS = 7, BF16_BIAS = 127 };

static double element(const void *at, size_t i, enum blas_type type)
{
    switch (type) {
    case REAL_64F: return ((const double *)at)[i];
    case REAL_32F: return ((const float *)at)[i];
    case REAL_32I: return ((const int32_t *)at)[i];
    case REAL_8I: return ((const int8_t *)at)[i];
    case REAL_16F: return of_small(((const uint16_t *)at)[i], HALF_DIGITS, HALF_BIAS);
    default: return of_small(((const uint16_t *)at)[i], BF16_DIGITS, BF16_BIAS);
    }
}

static double within(double value, double least, double most)
{
    return isnan(value) ? 0 : value < least ? least : value > most ? most : rint(value);
}

static void set_element(void *at, size_t i, enum blas_type type, double value)
{
    switch (type) {
    case REAL_64F: ((double *)at)[i] = value; break;
    case REAL_32F: ((float *)at)[i] = (float)value; break;
    case REAL_32I: ((int32_t *)at)[i] = (int32_t)within(value, INT32_MIN, INT32_MAX); break;
    case REAL_8I: ((int8_t *)at)[i] = (int8_t)within(value, INT8_MIN, INT8_MAX); break;
    case REAL_16F: ((uint16_t *)at)[i] = to_small(value, HALF_DIGITS, HALF_BIAS); break;
    default: ((uint16_t *)at)[i] = to_small(value, BF16_DIGITS, BF16_BIAS); break;
    }
}

/* ---- matrices
 * --------------------------------------------------------------------------------------------------------- */

double *blas_read(const struct blas *h, const struct blas_matrix *x, int *status)
{
    const size_t size = blas_size(x->type), count = x->rows * x->columns;
    double *out = calloc(count + 1, sizeof *out);
    void *raw = malloc(count * size + 1);

    *status = out && raw ? BLAS_FINE : BLAS_ALLOC_FAILED;
    if (!*status && count &&
        cudaMemcpy2DAsync(raw, x->rows * size, x->at, x->ld * size, x->rows * size, x->columns, cudaMemcpyDefault,
                          h->stream))
        *status = BLAS_EXECUTION_FAILED;
    for (size_t i = 0; !*status && i < count; i++)
        out[i] = element(raw, i, x->type);
    free(raw);
    if (!*status)
        return out;
    free(out);
    return NULL;
}

int blas_write(const struct blas *h, const struct blas_matrix *x, const double *from)
{
    const size_t size = blas_size(x->type), count = x->rows * x->columns;
    void *raw = malloc(count * size + 1);
    int status = raw ? BLAS_FINE : BLAS_ALLOC_FAILED;

    for (size_t i = 0; raw && i < count; i++)
        set_element(raw, i, x->type, from[i]);
    if (raw && count &&
        cudaMemcpy2DAsync((void *)(uintptr_t)x->at, x->ld * size, raw, x->rows * size, x->rows * size, x->columns,
                          cudaMemcpyDefault, h->stream))
        status = BLAS_EXECUTION_FAILED;
    free(raw);
    return status;
}

int blas_scalar(const struct blas *h, const void *at, enum blas_type type, double *out)
{
    const struct blas_matrix one = { .at = at, .type = type, .rows = 1, .columns = 1, .ld = 1 };
    int status = BLAS_FINE;
    double *read;

    if (!at)
        return BLAS_INVALID_VALUE;
    if (!h->device_scalars) {
        *out = element(at, 0, type);
        return BLAS_FINE;
    }
    read = blas_read(h, &one, &status);
    *out = read ? *read : 0;
    free(read);
    return status;
}

int blas_result(const struct blas *h, void *at, enum blas_type type, double value)
{
    const struct blas_matrix one = { .at = at, .type = type, .rows = 1, .columns = 1, .ld = 1 };

    if (!at)
        return BLAS_INVALID_VALUE;
    if (h->device_scalars)
        return blas_write(h, &one, &value);
    set_element(at, 0, type, value);
    return BLAS_FINE;
}
// SPDX-License-Identifier: Apache-2.0
