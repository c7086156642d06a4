/* Products of matrices in double precision, stored column by column without gaps. */
#ifndef COPYCHECK_INSIDE_LIBRARIES_MULTIPLY_H
#define COPYCHECK_INSIDE_LIBRARIES_MULTIPLY_H

#include "harness/inside/libraries/data.h"

/* c += a b, of m x k and k x n, each element in the order of k, by as many host threads as launches have. */
int blas_multiply(size_t m, size_t n, size_t k, const double *a, const double *b, double *c);

#endif
// SPDX-License-Identifier: Apache-2.0
