/* Arguments of the kernels in pipeline_primitives.cu. */
#ifndef COPYCHECK_PIPELINE_PRIMITIVES_H
#define COPYCHECK_PIPELINE_PRIMITIVES_H

#include "kernels/args.h"

/* Thread i copies from byte src + 16 * i to byte dst + 16 * i. Shared memory is an image whose first half is poison and
 * whose second half has the bytes of `in` at the same offsets. */
struct prim_copy_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) far; /* a destination in global memory */
    CK_PTR(unsigned char) out; /* receives the image */
    uint32_t image;            /* bytes */
    uint32_t size, zfill;      /* of __pipeline_memcpy_async */
    uint32_t src, dst;
    uint32_t from_shared, to_global; /* what a program must not do */
};

/* What is done between the copy and the wait, or after it. */
enum prim_between { PRIM_NOTHING, PRIM_LOAD, PRIM_STORE, PRIM_ATOMIC, PRIM_SOURCE, PRIM_OTHER, PRIM_AFTER };

struct prim_between_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) out; /* a piece of 16 bytes for each thread */
    uint32_t between;
};

struct prim_arrive_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) out; /* a piece of 16 bytes for each copy of each thread */
    uint32_t expected;         /* arrivals */
    uint32_t copies;           /* of each thread, each followed by __pipeline_arrive_on */
};

enum { PRIM_TOKENS = 4, PRIM_STEPS = 96 /* at most */ };

/* What a step does with the mbarrier. */
enum prim_op {
    PRIM_SKIP,
    PRIM_INIT,        /* __mbarrier_init(bar, value) */
    PRIM_INVAL,       /* __mbarrier_inval(bar) */
    PRIM_ARRIVE,      /* token = __mbarrier_arrive(bar), `value` times */
    PRIM_DROP,        /* token = __mbarrier_arrive_and_drop(bar) */
    PRIM_TEST,        /* answer = __mbarrier_test_wait(bar, token) */
    PRIM_TEST_PARITY, /* answer = __mbarrier_test_wait_parity(bar, value) */
    PRIM_TRY,         /* answer = __mbarrier_try_wait(bar, token, ns) */
    PRIM_TRY_PARITY,  /* answer = __mbarrier_try_wait_parity(bar, value, ns) */
    PRIM_WAIT,        /* answer = whether the phase of token ends within ns */
    PRIM_PENDING,     /* answer = __mbarrier_token_pending_count(token) */
    PRIM_MAXIMUM,     /* answer = __mbarrier_maximum_count() */
    PRIM_USE,         /* the place of the mbarrier is used for other data */
    PRIM_ARRIVE_ON,   /* __pipeline_arrive_on(bar) */
};

struct prim_step {
    uint32_t op, token, value, ns;
};

struct prim_steps_args {
    struct ck_head head;
    CK_PTR(struct prim_step) steps;
    CK_PTR(uint32_t) answers; /* one for each step */
    uint32_t count;
};

/* nvcuda::experimental::memcpy_async of one object by one thread. */
struct prim_object_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) out;
    uint32_t size, align; /* of the object */
};

#endif
// SPDX-License-Identifier: Apache-2.0
