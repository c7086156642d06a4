/* Arguments of the kernels in libcu_barrier.cu. */
#ifndef COPYCHECK_LIBCU_BARRIER_H
#define COPYCHECK_LIBCU_BARRIER_H

#include "kernels/args.h"

enum {
    LIBCU_PLACES = 2, /* bytes 0 and 8 of shared memory, or of `room`, have a barrier each */
    LIBCU_TOKENS = 4,
    LIBCU_THREADS = 1024, /* at most */
    LIBCU_STEPS = 64,     /* at most */
};

/* What a step does with the barrier. */
enum libcu_op {
    LIBCU_NOTHING,
    LIBCU_INIT,        /* init(&bar, count) */
    LIBCU_ARRIVE,      /* token = bar.arrive(count) */
    LIBCU_DROP,        /* bar.arrive_and_drop() */
    LIBCU_ARRIVE_TX,   /* token = barrier_arrive_tx(bar, count, bytes) */
    LIBCU_EXPECT_TX,   /* barrier_expect_tx(bar, bytes) */
    LIBCU_COMPLETE_TX, /* mbarrier.complete_tx of `bytes`, on the native handle */
    LIBCU_RAW_ARRIVE,  /* mbarrier.arrive on the native handle */
    LIBCU_ASK,         /* answer = bar.try_wait_for(token, ns) */
    LIBCU_ASK_PARITY,  /* answer = bar.try_wait_parity_for(count, ns) */
    LIBCU_DESTROY,     /* bar.~barrier() */
    LIBCU_STORE,       /* the barrier's place is used for other data */
};

struct libcu_step {
    uint32_t op, token;
    int32_t count, bytes;
    int64_t ns;
};

struct libcu_steps_args {
    struct ck_head head;
    CK_PTR(struct libcu_step) steps;
    CK_PTR(uint32_t) answers; /* one for each step */
    CK_PTR(unsigned char) room;
    uint32_t count;
    uint32_t global; /* the barrier is in `room`, not in shared memory */
};

/* How a thread arrives and waits. */
enum libcu_form { LIBCU_TOKEN, LIBCU_WAIT, LIBCU_ARRIVE_AND_WAIT, LIBCU_TRY_PARITY, LIBCU_WAIT_PARITY };

struct libcu_rounds_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* for each round and thread: what it read */
    CK_PTR(unsigned char) room;
    uint32_t rounds;
    uint32_t form;
    uint32_t global;
    uint32_t expected; /* arrivals of a phase */
    uint32_t stay;     /* threads from here on drop in the first round */
    uint32_t late;     /* nanoseconds: each thread in turn writes so much later than the others */
};

/* Of the kernels libcu_lanes and libcu_remote. */
struct libcu_lanes_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* two answers: before the last arrival, and after it */
    uint32_t diverged;    /* the lanes arrive one by one */
    uint32_t twice;       /* lane 0 arrives twice */
    uint32_t op;          /* of libcu_remote: what is done to the barrier of the other CTA */
};

#endif
// SPDX-License-Identifier: Apache-2.0
