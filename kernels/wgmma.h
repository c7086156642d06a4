/* Arguments of the kernels in wgmma.cu and wgmma_order.cu. */
#ifndef COPYCHECK_WGMMA_H
#define COPYCHECK_WGMMA_H

#include "kernels/args.h"

enum { WGMMA_THREADS = 128, WGMMA_D = 4, WGMMA_A = 4, WGMMA_IMAGE = 16384 };

/* A warpgroup multiplies A of 64 rows with B of 8 columns. */
struct wgmma_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* WGMMA_IMAGE bytes: what shared memory holds */
    CK_PTR(const uint32_t) a;       /* WGMMA_A registers of each thread, for an A in registers */
    CK_PTR(const uint32_t) d;       /* WGMMA_D registers of each thread: what D holds before */
    CK_PTR(uint32_t) out;           /* as many: what D holds after; wgmma_order: see there */
    uint64_t a_desc, b_desc;        /* matrix descriptors, with addresses that count from the image's first byte */
    uint32_t adds;                  /* scale-d */
    uint32_t meta;                  /* of a sparse A: sp-meta of every thread */
};

#endif
// SPDX-License-Identifier: Apache-2.0
