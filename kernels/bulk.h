/* Arguments of the kernels in bulk.cu and bulk_cta.cu. Sizes of shared images and strides are multiples of 16. */
#ifndef COPYCHECK_BULK_H
#define COPYCHECK_BULK_H

#include "kernels/args.h"

/* Cache policies: no hint, evict_first, evict_normal, evict_last, evict_unchanged, half evict_last half evict_first. */
enum { BULK_NO_HINT, BULK_EVICT_FIRST, BULK_EVICT_NORMAL, BULK_EVICT_LAST, BULK_EVICT_UNCHANGED, BULK_FRACTIONAL };

enum { BULK_ALL_THREADS = 0xffffffff };

/* bulk_load, bulk_load_cta: thread 0 loads `copies` pieces of `size` bytes into a poisoned image of shared memory, the
 * waiter waits for the barrier, and the image is copied out. The barrier lies behind the image. Each CTA of the grid
 * does the same with its own `in` and `out`. */
struct bulk_load_args {
    struct ck_head head;
    uint64_t in;
    uint64_t out;    /* receives the image */
    uint32_t bytes;  /* of the image */
    uint32_t offset; /* of the first piece in the image */
    uint32_t size;   /* of a piece */
    uint32_t copies;
    uint32_t step;    /* from piece to piece, in the source and in the image */
    uint32_t expect;  /* transaction bytes */
    uint32_t bar;     /* offset of the barrier behind the image */
    uint32_t init_by; /* the thread that initialises the barrier */
    uint32_t waiter;  /* the thread that waits and copies out, or BULK_ALL_THREADS */
    uint32_t hint;
    uint32_t peer;    /* bulk_load_cta: what is added to the rank of the CTA that the destination lies in */
    uint64_t in_step; /* from CTA to CTA */
    uint64_t out_step;
};

/* bulk_store: shared memory is filled from `in` by the writers, and thread 0 stores pieces of it. */
struct bulk_store_args {
    struct ck_head head;
    uint64_t in;
    uint64_t out;
    uint32_t bytes;  /* of the shared image */
    uint32_t offset; /* of the first piece in the image */
    uint32_t size;
    uint32_t copies;
    uint32_t step; /* from piece to piece, in the image and in global memory */
    uint32_t hint;
    uint32_t first, last; /* the threads that write the image: first <= thread < last */
};

/* bulk_tx: one barrier, one thread, step by step; `flags` receives four words. */
struct bulk_tx_args {
    struct ck_head head;
    uint64_t in;
    uint64_t out;          /* receives the image */
    uint64_t flags;        /* [0] flipped while probed, [1] flipped at the end, [2] flipped twice */
    uint32_t bytes;        /* of the image */
    uint32_t size;         /* of a piece */
    uint32_t arrivals;     /* that the barrier is initialised for */
    uint32_t early_expect; /* expect-tx before the copies */
    uint32_t early_arrive; /* arrivals before the copies */
    uint32_t early_copies;
    uint32_t late_expect, late_arrive, late_copies; /* the same after the probe */
    uint32_t late_size;                             /* of a late piece */
    uint32_t complete;                              /* bytes completed by mbarrier.complete_tx before the probe */
    uint32_t probe; /* nanoseconds for which the barrier is polled between early and late steps */
};

/* bulk_lanes: each lane of one warp loads its own 16 bytes where its bit of `mask` is set. */
struct bulk_lanes_args {
    struct ck_head head;
    uint64_t in;
    uint64_t out;
    uint32_t mask;
    uint32_t expect;
    uint32_t branch; /* 1: the other lanes do not execute the copy; 0: they do, under a false predicate */
};

#endif
