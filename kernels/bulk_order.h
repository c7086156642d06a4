/* Arguments of the kernels in bulk_order.cu. */
#ifndef COPYCHECK_BULK_ORDER_H
#define COPYCHECK_BULK_ORDER_H

#include "kernels/args.h"

/* What a case's axis "fence" may say: a proxy fence without a space, or with one, or no fence. */
enum { FENCE_NONE, FENCE_ALL, FENCE_GLOBAL, FENCE_SHARED_CTA, FENCE_SHARED_CLUSTER };

/* All run in one CTA of 64 threads, except bulk_leave: many CTAs, each with its own `size` bytes. */
struct bulk_order_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* `size` bytes, or `rounds` times as many */
    CK_PTR(unsigned char) work;     /* global memory for what is written and read again, where the kernel needs it */
    CK_PTR(unsigned char) out;      /* what came out */
    uint32_t size;                  /* bytes: a multiple of 16 */
    uint32_t fence;                 /* FENCE_... */
    uint32_t rounds;                /* bulk_refill: number of loads into the same buffer, at most 8 */
    uint32_t other;                 /* a word that is not in `in` */
};

#endif
// SPDX-License-Identifier: Apache-2.0
