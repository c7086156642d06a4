/* Arguments of the kernels in mbarrier_cluster.cu: mbarriers across the CTAs of a cluster. The mbarrier of each CTA is
 * at the start of its dynamic shared memory. CTAs are named by their rank in the cluster; ranks and threads count from
 * 0. */
#ifndef COPYCHECK_MBARRIER_CLUSTER_H
#define COPYCHECK_MBARRIER_CLUSTER_H

#include "kernels/args.h"
#include "kernels/mbarrier_form.h"

enum { MESSAGE_WORDS = 16 }; /* that each thread writes to global memory before it arrives */

/* mbarrier_message: 16 bytes for the mbarrier, then a word for each thread. */
struct mbarrier_message_args {
    struct ck_head head;
    CK_PTR(uint32_t) out;     /* two words for each thread of the cluster: see the kernel */
    CK_PTR(uint32_t) scratch; /* MESSAGE_WORDS for each thread of the cluster */
    uint32_t delay;           /* nanoseconds that slow CTAs take */
    uint32_t form;            /* of arrivals, a bit of enum mbarrier_form */
    uint32_t wait;            /* form of waits, likewise */
};

/* mbarrier_remote_init and mbarrier_owner. */
struct mbarrier_owner_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* see each kernel; zero */
    uint32_t delay;       /* nanoseconds that the late one takes */
    uint32_t count;       /* arrivals that the mbarrier expects */
};

/* What a generic address is of, and the operation that is given it. */
enum mbarrier_where { WHERE_OWN, WHERE_GLOBAL, WHERE_LOCAL, WHERE_REMOTE };
enum mbarrier_what { WHAT_INIT, WHAT_ARRIVE, WHAT_WAIT };

/* mbarrier_window and mbarrier_remote_state. */
struct mbarrier_window_args {
    struct ck_head head;
    CK_PTR(uint32_t) out;     /* see each kernel; zero */
    CK_PTR(uint64_t) scratch; /* global memory for WHERE_GLOBAL, zero */
    uint32_t where;           /* enum mbarrier_where */
    uint32_t what;            /* enum mbarrier_what */
    uint32_t count;           /* arrivals that the mbarrier expects */
    uint32_t parity;          /* that WHAT_WAIT asks for */
    uint32_t zero;            /* 0, which the compiler does not know */
};

#endif
// SPDX-License-Identifier: Apache-2.0
