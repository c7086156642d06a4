/* Arguments of the kernels in mbarrier_threads.cu: many threads of one CTA at work with mbarriers of their own. The
 * mbarriers are at the start of dynamic shared memory. Phases, threads, items and mbarriers count from 0. */
#ifndef COPYCHECK_MBARRIER_THREADS_H
#define COPYCHECK_MBARRIER_THREADS_H

#include "kernels/args.h"
#include "kernels/mbarrier_form.h"

/* mbarrier_exchange and mbarrier_overwrite: 16 bytes for the mbarrier, then the threads' words, two for each. */
struct mbarrier_exchange_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* see each kernel */
    uint32_t phases;      /* how many */
    uint32_t shift;       /* thread i reads the word of thread i + shift, modulo all threads */
    uint32_t delay;       /* nanoseconds that slow threads take */
    uint32_t form;        /* of arrivals, a bit of enum mbarrier_form */
    uint32_t wait;        /* form of waits, likewise */
    uint32_t try_wait;    /* 1: try_wait in place of test_wait */
    uint32_t drop;        /* 1: arrive_drop in place of arrive */
};

struct mbarrier_publish_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* a word for each thread, zero */
    uint32_t delay;       /* nanoseconds before thread 0 makes the mbarrier */
    uint32_t count;       /* arrivals that it expects */
};

/* mbarrier_ring: `stages` mbarriers for full slots, as many for empty ones, then the slots. */
struct mbarrier_ring_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* a word for each item and consumer */
    uint32_t items;       /* that pass through the ring */
    uint32_t stages;      /* slots of the ring */
    uint32_t shift;       /* consumer i takes the word of producer i + shift, modulo all producers */
    uint32_t delay;       /* nanoseconds that a consumer takes for an item */
};

struct mbarrier_leave_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* a word for each thread, zero */
    uint32_t phases;      /* that the threads which stay go through */
    uint32_t form;        /* of arrivals and drops, a bit of enum mbarrier_form */
};

/* mbarrier_phases and mbarrier_many. */
struct mbarrier_count_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* see each kernel */
    uint32_t phases;      /* how many */
    uint32_t objects;     /* mbarriers, 8 bytes each; mbarrier_phases: has one */
};

struct mbarrier_wake_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* a word for each waiting thread, zero */
    uint32_t delay;       /* nanoseconds before the arrival */
    uint32_t wait;        /* form of waits, a bit of enum mbarrier_form */
};

struct mbarrier_time_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* two words */
    uint32_t wait;        /* form of the wait, a bit of enum mbarrier_form */
    uint32_t try_wait;    /* 1: try_wait in place of test_wait */
};

#endif
// SPDX-License-Identifier: Apache-2.0
