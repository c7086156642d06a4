/* Operands of products: matrices in double precision, stored column by column without gaps. */
#ifndef COPYCHECK_INSIDE_LIBRARIES_PRODUCTS_H
#define COPYCHECK_INSIDE_LIBRARIES_PRODUCTS_H

#include "harness/inside/libraries/data.h"

/* cublasOperation_t. */
enum blas_operation { AS_IT_IS, TRANSPOSED, CONJUGATED };

/* Rows and columns change places: x, of rows x columns, is freed. NULL where memory is short. */
double *blas_turned(double *x, size_t rows, size_t columns);

#endif
// SPDX-License-Identifier: Apache-2.0
