/* Arguments of the kernels in bulk_cluster.cu and bulk_relaxed.cu. CTAs count by their rank in the cluster; sizes,
 * offsets and steps count bytes. An image starts at dynamic shared byte 0. */
#ifndef COPYCHECK_BULK_CLUSTER_H
#define COPYCHECK_BULK_CLUSTER_H

#include "kernels/args.h"

/* bulk_between, bulk_send_one: CTAs of one cluster send `size` bytes of their shared memory to another CTA. Every CTA
 * copies out its image and says whether its barrier flipped. */
struct bulk_between_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* what the CTAs fill their sources with */
    CK_PTR(unsigned char) out;      /* the image of each CTA */
    CK_PTR(uint32_t) flags;         /* a word for each CTA: 1 where its barrier flipped */
    uint32_t in_step;               /* from one CTA's bytes of `in` to the next's */
    uint32_t fill;                  /* of the source that are filled: a multiple of 16 */
    uint32_t bytes;                 /* of the image: a multiple of 128 */
    uint32_t offset;                /* of the piece in the image */
    uint32_t src_offset;            /* of the piece in the source, which starts at a multiple of 128 */
    uint32_t size;                  /* of the piece */
    uint32_t to; /* bulk_between: ranks from the sender to the receiver, 0 for itself; bulk_send_one: the
                  * receiver's rank, the sender's is 0 */
};

/* bulk_multicast: in each cluster the issuer loads `size` bytes into the CTAs of `mask`. Every CTA expects `expect`
 * bytes, copies out its image and says whether its barrier flipped. */
struct bulk_multicast_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* `size` bytes for each cluster */
    CK_PTR(unsigned char) out;      /* the image of each CTA: clusters in their order, CTAs in rank order */
    CK_PTR(uint32_t) flags;         /* a word for each CTA: 1 where its barrier flipped */
    uint32_t bytes;                 /* of the image */
    uint32_t offset;                /* of the piece in the image */
    uint32_t size;                  /* of the piece */
    uint32_t expect;                /* transaction bytes */
    uint32_t mask;                  /* bit r: the CTA of rank r */
    uint32_t wait_mask;             /* the CTAs that wait for their barrier; the others look after a while */
    uint32_t issuer;                /* rank */
    uint32_t waiter;                /* the thread of each CTA that waits and copies out */
    uint32_t settle;                /* nanoseconds that CTAs outside wait_mask wait for what must not come */
};

#endif
// SPDX-License-Identifier: Apache-2.0
