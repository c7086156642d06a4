/* Arguments of the kernel in mbarrier_steps.cu: a list of steps on mbarriers, carried out one after the other. */
#ifndef COPYCHECK_MBARRIER_STEPS_H
#define COPYCHECK_MBARRIER_STEPS_H

#include "kernels/args.h"
#include "kernels/mbarrier_form.h"

/* What a step does; one bit each. The local forms that return a state save it in slot `token`. */
enum mbarrier_op {
    MB_INIT = 1 << 0,              /* count `value` */
    MB_INVAL = 1 << 1,             /* */
    MB_ARRIVE = 1 << 2,            /* without a count */
    MB_ARRIVE_COUNT = 1 << 3,      /* count `value` */
    MB_ARRIVE_NOCOMPLETE = 1 << 4, /* count `value` */
    MB_ARRIVE_EXPECT = 1 << 5,     /* `value` bytes */
    MB_DROP = 1 << 6,              /* without a count */
    MB_DROP_COUNT = 1 << 7,        /* count `value` */
    MB_DROP_NOCOMPLETE = 1 << 8,   /* count `value` */
    MB_DROP_EXPECT = 1 << 9,       /* `value` bytes */
    MB_EXPECT = 1 << 10,           /* `value` bytes */
    MB_COMPLETE = 1 << 11,         /* `value` bytes */
    MB_TEST = 1 << 12,             /* on the state in slot `token` */
    MB_TEST_PARITY = 1 << 13,      /* on parity `value` */
    MB_TRY = 1 << 14,              /* on the state in slot `token` */
    MB_TRY_PARITY = 1 << 15,       /* on parity `value` */
    MB_TRY_HINT = 1 << 16,         /* on parity `value`, time limit `hint` ns */
    MB_PENDING = 1 << 17,          /* pending_count of the state in slot `token` */
    MB_REMOTE_ARRIVE = 1 << 18,    /* the remote forms work on the object of CTA `owner` */
    MB_REMOTE_ARRIVE_COUNT = 1 << 19,
    MB_REMOTE_ARRIVE_EXPECT = 1 << 20,
    MB_REMOTE_DROP = 1 << 21,
    MB_REMOTE_DROP_COUNT = 1 << 22,
    MB_REMOTE_EXPECT = 1 << 23,
    MB_REMOTE_COMPLETE = 1 << 24,
    MB_LOAD = 1 << 25,  /* an ordinary 8-byte load of the object's place */
    MB_STORE = 1 << 26, /* an ordinary store of `value` and `hint`, low word first */
    MB_COPY = 1 << 27,  /* an ordinary copy of object number `value` to this one's place */
    MB_PAUSE = 1 << 28, /* nothing, for `value` nanoseconds */
};

enum {
    MB_TOKENS = 32,        /* slots for states, in each CTA */
    MB_EVERY = 0xffffffff, /* every CTA of the cluster */
};

/* Objects, CTAs, threads and slots count from 0. */
struct mbarrier_step {
    uint32_t op;      /* a bit of enum mbarrier_op */
    uint32_t form;    /* a bit of enum mbarrier_form */
    uint32_t object;  /* its number */
    uint32_t skew;    /* bytes added to its address */
    uint32_t value;   /* the operand, see enum mbarrier_op */
    uint32_t hint;    /* the second operand */
    uint32_t token;   /* slot for states */
    uint32_t cta;     /* the rank of the CTA that does the step, or MB_EVERY */
    uint32_t owner;   /* the rank of the CTA whose object a remote form works on */
    uint32_t first;   /* the first thread of the CTA that does it */
    uint32_t threads; /* how many threads do it, all at once */
    uint32_t times;   /* how often each of them does it; a wait ends with the first true */
};

/* mbarrier_steps. All threads of the cluster meet between two steps. Dynamic shared memory holds an image of `bytes`
 * bytes with the objects in it, 8 bytes each, and behind it the slots. */
struct mbarrier_steps_args {
    struct ck_head head;
    CK_PTR(const struct mbarrier_step) steps; /* `count` of them */
    CK_PTR(uint64_t)
    results;                /* one for each step, zero: a wait adds 1 for each thread that it told
                             * true, pending_count and loads add what they read */
    CK_PTR(uint64_t) image; /* of CTA 0: what it starts with, and afterwards what it holds */
    uint32_t count;         /* steps */
    uint32_t bytes;         /* of the image: a multiple of 8 */
    uint32_t base;          /* offset of object 0 in the image, in bytes */
    uint32_t hole;          /* bytes from `base` on that are not read back: objects are opaque */
    uint32_t ctas;          /* of the cluster */
};

#endif
// SPDX-License-Identifier: Apache-2.0
