/* Arguments of the kernels in cp_async.cu, cp_async_policy.cu, cp_async_order.cu and cp_async_group.cu. Offsets, steps
 * and sizes count bytes; threads, groups, copies and chunks count from 0. */
#ifndef COPYCHECK_CP_ASYNC_H
#define COPYCHECK_CP_ASYNC_H

#include "kernels/args.h"

/* The instruction's four forms: cache operator and copy size in bytes. */
enum cp_async_form { CP_CA4, CP_CA8, CP_CA16, CP_CG16 };

/* One copy a lane: the kernels of cp_async.cu. Lane i copies to image byte dst + i * dst_step from source byte
 * src + i * src_step. The image starts at dynamic shared byte 0; it is poisoned first and comes out whole. */
struct cp_async_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;  /* source byte 0 */
    CK_PTR(unsigned char) out; /* receives the image */
    CK_PTR(uint32_t) values;   /* a word for each lane: source size in bytes, ignore-src, or guard */
    uint32_t bytes;            /* of the image: a multiple of 16 */
    uint32_t form;             /* enum cp_async_form */
    uint32_t lanes;            /* bit i: lane i copies */
    uint32_t dst;              /* offset in the image */
    uint32_t dst_step;         /* from lane to lane */
    uint32_t src;              /* offset in the source */
    uint32_t src_step;         /* from lane to lane */
    uint32_t hint;             /* cp_async_prefetch: bytes, 0 for none; cp_async_policy: enum cp_async_policy */
    float fraction;            /* cp_async_policy*: of the lines that get the policy, above 0 and up to 1 */
};

enum cp_async_policy { CP_EVICT_LAST, CP_EVICT_NORMAL, CP_EVICT_FIRST, CP_EVICT_UNCHANGED };

/* A wait for a copy, or what takes its place. Numbers below 1000 are cp.async.wait_group's. */
enum cp_async_wait {
    CP_WAIT_ALL = 1000, /* cp.async.wait_all */
    CP_WAIT_TEST,       /* cp.async.mbarrier.arrive.noinc, then mbarrier.test_wait */
    CP_WAIT_TRY,        /* the same with mbarrier.try_wait */
    CP_WAIT_NONE,       /* nothing */
    CP_WAIT_BARRIER,    /* bar.sync */
    CP_WAIT_FENCE_CTA,  /* fence.sc.cta */
    CP_WAIT_FENCE_SYS,  /* fence.sc.sys */
    CP_WAIT_MEMBAR,     /* membar.gl */
    CP_WAIT_CLUSTER,    /* barrier.cluster.arrive and wait */
    CP_WAIT_SLEEP,      /* nanosleep, 20 microseconds */
};

enum cp_async_partner { CP_LANE, CP_WARP };            /* who reads: the next lane, or the other warp */
enum cp_async_read { CP_LOAD, CP_RELAXED, CP_ATOMIC }; /* how: ld, ld.relaxed, atom.or of 0 */
enum cp_async_pair { CP_ONE_GROUP, CP_TWO_GROUPS, CP_TWO_THREADS };
enum cp_async_payload { CP_GLOBAL, CP_SHARED };

/* Copies and other accesses of the same bytes: the kernels of cp_async_order.cu. Thread i of all threads owns 16 bytes
 * of shared memory, the source at byte 128 * i and the result at byte 16 * i. */
struct cp_async_order_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;    /* the source */
    CK_PTR(unsigned char) other; /* the second bytes: a second source, or what a store writes */
    CK_PTR(unsigned char) out;   /* the results */
    uint32_t form;               /* enum cp_async_form */
    uint32_t wait;               /* enum cp_async_wait */
    uint32_t first;              /* cp_async_own: done before the wait, enum cp_async_wait */
    uint32_t what;               /* an enum above, see the kernel */
    uint32_t how;                /* cp_async_hand_over: enum cp_async_read */
    uint32_t stages;             /* cp_async_refill: number of buffers */
    uint32_t chunks; /* cp_async_refill: number of chunks; chunk c of lane i is source (and result) c * 32 + i */
};

/* cp_async_to_tensor: as cp_async_order_args, whose head is its own; the slots of a CTA leave as the rows of a box. */
struct cp_async_tensor_args {
    struct cp_async_order_args o;
    struct ck_tmap map; /* rows of 16 bytes; a box has one row for each thread */
};

/* Groups of copies: the kernels of cp_async_group.cu. Group g's copy c of thread i goes to shared slot
 * (g * copies + c) * threads + i; a slot has the bytes of one copy. All sources are near, except some that are far
 * away, so that their copies are late. After the wait thread i reads its copies of group `read` at once.
 *
 * Kernels that do all this twice have far sources for the second time behind those for the first. */
struct cp_async_group_args {
    struct ck_head head;
    CK_PTR(const unsigned char) near_by; /* the source of slot s is at byte 16 * s */
    CK_PTR(const unsigned char) far_off; /* the source of copy c of thread i is at byte 128 * (c * threads + i) */
    CK_PTR(unsigned char) out;           /* the result of copy c of thread i is at byte 16 * (c * threads + i) */
    uint32_t form;                       /* enum cp_async_form */
    uint32_t groups;                     /* number of committed groups with copies */
    uint32_t copies;                     /* number of copies of a thread in each group */
    uint32_t slow;                       /* the group with far sources */
    uint32_t read;                       /* the group that is read */
    uint32_t before;                     /* number of empty groups that are committed before all others */
    uint32_t after;                      /* number of empty groups that are committed after all others */
    uint32_t wait;                       /* enum cp_async_wait */
    uint32_t then;                       /* enum cp_async_wait, behind `wait` */
    uint32_t what;                       /* see the kernel */
};

#endif
// SPDX-License-Identifier: Apache-2.0
