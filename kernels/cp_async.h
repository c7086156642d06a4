/* Arguments of the kernels in cp_async.cu, cp_async_order.cu and cp_async_group.cu. */
#ifndef COPYCHECK_CP_ASYNC_H
#define COPYCHECK_CP_ASYNC_H

#include "kernels/args.h"

/* The instruction's four forms: cache operator and copy size. */
enum cp_async_form { CP_CA4, CP_CA8, CP_CA16, CP_CG16 };

/* One copy a lane: the kernels of cp_async.cu. Lane i copies to image byte dst + i * dst_step from source byte
 * src + i * src_step. The image is poisoned first and comes out whole. */
struct cp_async_args {
    struct ck_head head;
    uint64_t in;       /* device address of source byte 0 */
    uint64_t out;      /* device address, receives the image */
    uint64_t values;   /* device address of a 32-bit word a lane: source size, ignore-src, guard; unused: 0 */
    uint32_t bytes;    /* of the image, at dynamic shared byte 0 */
    uint32_t form;     /* enum cp_async_form */
    uint32_t lanes;    /* bit i: lane i copies */
    uint32_t dst;      /* bytes */
    uint32_t dst_step; /* bytes */
    uint32_t src;      /* bytes */
    uint32_t src_step; /* bytes */
    uint32_t hint;     /* cp_async_prefetch: bytes, 0 for none; cp_async_policy: enum cp_async_policy */
    float fraction;    /* cp_async_policy: of the lines that get the policy */
};

enum cp_async_policy { CP_EVICT_LAST, CP_EVICT_NORMAL, CP_EVICT_FIRST, CP_EVICT_UNCHANGED, CP_NO_POLICY };

/* A wait for a copy, or what stands in its place. Numbers below 1000 are cp.async.wait_group's. */
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
enum cp_async_kind { CP_COPY, CP_BULK };

/* Copies and other accesses of the same bytes: the kernels of cp_async_order.cu. Thread i of all threads owns 16 bytes
 * of shared memory, the source at 128 * i and the result at 16 * i. */
struct cp_async_order_args {
    struct ck_head head;
    uint64_t in;     /* device address of the source */
    uint64_t other;  /* device address of the second bytes: a second source, or what a store writes */
    uint64_t out;    /* device address of the results */
    uint32_t form;   /* enum cp_async_form */
    uint32_t wait;   /* enum cp_async_wait */
    uint32_t first;  /* cp_async_own: done before the wait, enum cp_async_wait */
    uint32_t what;   /* an enum above, see the kernel */
    uint32_t how;    /* cp_async_hand_over: enum cp_async_read */
    uint32_t stages; /* cp_async_refill: buffers */
    uint32_t chunks; /* cp_async_refill: chunk c of lane i is source (and result) c * 32 + i */
};

/* cp_async_to_tensor: as cp_async_order_args, whose head is its own; the slots of a CTA leave as the rows of a box. */
struct cp_async_tensor_args {
    struct cp_async_order_args o;
    struct ck_tmap map; /* rows of 16 bytes; a box has one row for each thread */
};

/* Groups of copies: the kernels of cp_async_group.cu. Group g's copy c of thread i goes to shared slot
 * (g * copies + c) * threads + i. All sources are near, but for group `slow`, whose bytes come from far away. After
 * the wait thread i reads its copies of group `read` at once. cp_async_groups does all this twice, and has far sources
 * for the second time behind those for the first. */
struct cp_async_group_args {
    struct ck_head head;
    uint64_t near_by; /* device address: slot s is 16 bytes at 16 * s */
    uint64_t far_off; /* device address: copy c of thread i is at 128 * (c * threads + i) */
    uint64_t out;     /* device address: result of copy c and thread i is at 16 * (c * threads + i) */
    uint32_t form;    /* enum cp_async_form */
    uint32_t groups;  /* committed groups with copies */
    uint32_t copies;  /* in each group */
    uint32_t slow;    /* the group with the far source */
    uint32_t far;     /* the first copy of group `slow` that comes from far away */
    uint32_t read;    /* the group that is read */
    uint32_t before;  /* empty groups committed before all others */
    uint32_t after;   /* empty groups committed after all others */
    uint32_t loose;   /* copies of the last group that are issued behind its commit; all: there is no such commit */
    uint32_t wait;    /* enum cp_async_wait */
    uint32_t then;    /* enum cp_async_wait, behind `wait` */
    uint32_t what;    /* see the kernel */
};

#endif
