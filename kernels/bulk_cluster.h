/* Arguments of the kernels in bulk_cluster.cu. CTAs count by their rank in the cluster. */
#ifndef COPYCHECK_BULK_CLUSTER_H
#define COPYCHECK_BULK_CLUSTER_H

#include "kernels/args.h"

/* bulk_between: each sender sends `size` bytes of its shared memory to the CTA `shift` ranks on. Every CTA copies out
 * its image and says whether its barrier flipped. One cluster. */
struct bulk_between_args {
    struct ck_head head;
    uint64_t in;         /* what the CTAs fill their source with */
    uint32_t in_step;    /* from one CTA's bytes to the next's, in rank order */
    uint32_t fill;       /* bytes of the source that are filled: multiple of 16 */
    uint64_t out;        /* `bytes` for each CTA */
    uint64_t flags;      /* a word for each CTA: its barrier flipped */
    uint32_t bytes;      /* of the image that receives */
    uint32_t offset;     /* of the piece in the image */
    uint32_t src_offset; /* added to the source address, which is else at a multiple of 128 */
    uint32_t size;
    uint32_t expect;     /* by each CTA that a sender sends to */
    uint32_t shift;      /* 0: to itself */
    uint32_t bar_offset; /* added to the barrier's address in the copy */
    uint32_t bar_shift;  /* ranks from the sender to the CTA whose barrier is named */
    uint32_t senders;    /* bit r: CTA r sends */
};

/* bulk_multicast: in each cluster the issuer loads `size` bytes into the CTAs of `mask`. Every CTA expects `expect`
 * bytes, copies out its image and says whether its barrier flipped. */
struct bulk_multicast_args {
    struct ck_head head;
    uint64_t in;    /* `size` bytes for each cluster */
    uint64_t out;   /* `bytes` for each CTA: clusters in their order, CTAs in rank order */
    uint64_t flags; /* a word for each CTA */
    uint32_t bytes; /* of the image */
    uint32_t offset;
    uint32_t size;
    uint32_t expect;
    uint32_t mask;
    uint32_t wait_mask; /* the CTAs that wait for their barrier; the others look after a while */
    uint32_t issuer;    /* rank */
    uint32_t rotate;    /* 1: the mask is rotated by the issuer's %ctaid.x: as if it counted that way */
    uint32_t waiter;    /* the thread that waits and copies out */
    uint32_t settle;    /* nanoseconds that CTAs outside the mask wait for what must not come */
};

#endif
