/* Arguments of the kernel in st_async.cu. */
#ifndef COPYCHECK_ST_ASYNC_H
#define COPYCHECK_ST_ASYNC_H

#include "kernels/args.h"

enum st_async_op { ST_ASYNC_B32, ST_ASYNC_B64, ST_ASYNC_V4, RED_ASYNC_ADD, RED_ASYNC_INC, RED_ASYNC_OR };

enum { ST_ASYNC_WORDS = 4 }; /* of the place that is written, in each CTA */

struct st_async_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* ST_ASYNC_WORDS for each CTA of the grid: what its place holds afterwards */
    uint32_t op;          /* enum st_async_op */
    uint32_t to;          /* each CTA writes to the rank that is its own plus this, modulo the cluster's size */
    uint32_t value;       /* that is written; words of ST_ASYNC_V4 count up from it */
    uint32_t before;      /* each word of the place before */
    uint32_t expect;      /* bytes that each CTA announces */
};

#endif
// SPDX-License-Identifier: Apache-2.0
