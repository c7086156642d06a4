/* Arguments of the kernels in cluster_barrier.cu: the barrier of a cluster, and what CTAs know of their place in it. */
#ifndef COPYCHECK_CLUSTER_BARRIER_H
#define COPYCHECK_CLUSTER_BARRIER_H

#include "kernels/args.h"

struct cluster_barrier_args {
    struct ck_head head;
    CK_PTR(uint32_t) out;   /* see each kernel */
    CK_PTR(uint32_t) count; /* a word of global memory for each cluster, zero */
    CK_PTR(uint32_t) words; /* global memory: a word for each thread of the grid */
    uint32_t delay;         /* nanoseconds that the last CTA's last warp takes */
    uint32_t rounds;
    uint32_t leave; /* cluster_gone: enum cluster_leave */
    uint32_t fence; /* cluster_relaxed: a fence comes before the arrive */
};

enum cluster_leave { LEAVE_WARP, LEAVE_CTA };

/* What a CTA finds in special registers, in words. */
enum cluster_place {
    PLACE_CTAID,               /* 3 words, as the next ones but for the ranks */
    PLACE_NCTAID = 3,          /* %nctaid */
    PLACE_CLUSTERID = 6,       /* %clusterid */
    PLACE_NCLUSTERID = 9,      /* %nclusterid */
    PLACE_CLUSTER_CTAID = 12,  /* %cluster_ctaid */
    PLACE_CLUSTER_NCTAID = 15, /* %cluster_nctaid */
    PLACE_RANK = 18,           /* %cluster_ctarank */
    PLACE_RANKS = 19,          /* %cluster_nctarank */
    PLACE_EXPLICIT = 20,       /* %is_explicit_cluster: 1 or 0 */
    PLACE_WORDS = 21
};

#endif
// SPDX-License-Identifier: Apache-2.0
