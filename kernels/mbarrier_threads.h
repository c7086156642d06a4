/* Arguments of the kernels in mbarrier_threads.cu: many threads of one CTA at work with objects of their own. */
#ifndef COPYCHECK_MBARRIER_THREADS_H
#define COPYCHECK_MBARRIER_THREADS_H

#include "kernels/args.h"

/* One struct for all: what a kernel has no use for stays 0. */
struct mbarrier_threads_args {
    struct ck_head head;
    uint64_t out;      /* device address of uint32_t[]: see each kernel */
    uint32_t phases;   /* how many */
    uint32_t shift;    /* of the thread whose value is read, to the reader's own number */
    uint32_t delay;    /* nanoseconds that slow threads take */
    uint32_t form;     /* of arrivals, a bit of enum mbarrier_form */
    uint32_t wait;     /* form of waits, likewise */
    uint32_t try_wait; /* 1: try_wait in place of test_wait */
    uint32_t drop;     /* 1: arrive_drop in place of arrive */
    uint32_t stages;   /* slots of a ring; objects; or the count that an object is made with */
};

#endif
