/* Arguments of the kernels in mbarrier_copies.cu and mbarrier_cluster.cu. */
#ifndef COPYCHECK_MBARRIER_COPIES_H
#define COPYCHECK_MBARRIER_COPIES_H

#include "kernels/args.h"

struct mbarrier_copies_args {
    struct ck_head head;
    uint64_t in;    /* device address of `bytes` bytes */
    uint64_t out;   /* the same size, receives what the waiting threads read */
    uint32_t bytes; /* a multiple of 16 */
    uint32_t shift; /* of the thread whose bytes are read, to the reader's own number */
};

enum { MESSAGE_WORDS = 16 }; /* that a thread writes to global memory before it arrives */

/* A generic address for one operation. */
enum mbarrier_where { WHERE_OWN, WHERE_GLOBAL, WHERE_LOCAL, WHERE_REMOTE };
enum mbarrier_what { WHAT_INIT, WHAT_ARRIVE, WHAT_WAIT };

struct mbarrier_cluster_args {
    struct ck_head head;
    uint64_t out;     /* of uint32_t[]: see each kernel */
    uint64_t scratch; /* of uint32_t[]; mbarrier_message: MESSAGE_WORDS for each thread of the cluster */
    uint32_t delay;   /* nanoseconds that slow threads take */
    uint32_t form;    /* of arrivals, a bit of enum mbarrier_form */
    uint32_t wait;    /* form of waits, likewise */
    uint32_t where, what;
    uint32_t count;  /* that the object is made with */
    uint32_t parity; /* that WHAT_WAIT asks for */
};

#endif
