/* Arguments of the kernels in bulk.cu and bulk_cta.cu. Sizes, offsets and steps count bytes; those of shared images are
 * multiples of 16. An image starts at dynamic shared byte 0. */
#ifndef COPYCHECK_BULK_H
#define COPYCHECK_BULK_H

#include "kernels/args.h"

/* Cache policies: no hint, evict_first, evict_normal, evict_last, evict_unchanged, half evict_last half evict_first. */
enum { BULK_NO_HINT, BULK_EVICT_FIRST, BULK_EVICT_NORMAL, BULK_EVICT_LAST, BULK_EVICT_UNCHANGED, BULK_FRACTIONAL };

/* bulk_load*: thread 0 loads a piece into a poisoned image, the threads wait for the barrier behind the image, and the
 * whole image is copied out. */
struct bulk_load_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* the piece */
    CK_PTR(unsigned char) out;      /* receives the image */
    uint32_t bytes;                 /* of the image */
    uint32_t offset;                /* of the piece in the image */
    uint32_t size;                  /* of the piece */
    uint32_t expect;                /* transaction bytes that the barrier waits for */
    uint32_t hint;                  /* bulk_load_hint, bulk_load_cta_hint: BULK_... */
    uint32_t bar;                   /* bulk_load_bar: offset of the barrier from the end of the image */
    uint32_t thread;            /* bulk_load_init: who makes the barrier; bulk_load_waiter: who waits and copies out */
    uint32_t copies;            /* bulk_load_sum: number of pieces */
    uint32_t step;              /* bulk_load_sum: from piece to piece, in the source and in the image */
    uint64_t in_step, out_step; /* bulk_load_window, bulk_load_cta_own: from CTA to CTA */
};

/* bulk_store*: shared memory is filled from `in`, and thread 0 stores a piece of it. */
struct bulk_store_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* the image */
    CK_PTR(unsigned char) out;      /* receives the piece */
    uint32_t bytes;                 /* of the image */
    uint32_t offset;                /* of the piece in the image */
    uint32_t size;                  /* of the piece */
    uint32_t hint;                  /* bulk_store_hint: BULK_... */
    uint32_t first, last;           /* bulk_store_by: the threads that fill the image: first <= thread < last */
};

/* bulk_tx*: one barrier, which counts arrivals and bytes; thread 0 does it all, and writes three flags: whether phase 0
 * ended while it was polled, before the last step; whether it ended at all; whether the next phase ended too. */
struct bulk_tx_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* the pieces, one behind the other */
    CK_PTR(unsigned char) out;      /* receives the image */
    CK_PTR(uint32_t) flags;         /* three words */
    uint32_t bytes;                 /* of the image, which the pieces fill from its start */
    uint32_t size;                  /* of a piece */
    uint32_t copies;                /* bulk_tx_late: number of pieces */
    uint32_t expect;                /* bytes that expect-tx announces */
    uint32_t complete;              /* bulk_tx_limit: bytes that mbarrier.complete_tx completes */
    uint32_t arrivals;              /* bulk_tx_arrivals: that the barrier is made for */
    uint32_t early;                 /* bulk_tx_arrivals: arrivals before the last one */
    uint32_t probe;                 /* nanoseconds for which the barrier is polled before the last step */
};

/* bulk_lanes*: each lane of one warp loads its own 16 bytes where its bit of `mask` is set. */
struct bulk_lanes_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* 16 bytes for each lane */
    CK_PTR(unsigned char) out;      /* the same */
    uint32_t mask;                  /* bit i: lane i copies */
    uint32_t expect;                /* transaction bytes */
};

#endif
// SPDX-License-Identifier: Apache-2.0
