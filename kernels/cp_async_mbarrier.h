/* Arguments of the kernels in cp_async_mbarrier.cu: copies that arrive on an mbarrier. Copy c of thread i is number
 * c * threads + i; each has 16 bytes of the source, of shared memory, where the mbarriers lie behind them, and of the
 * result. */
#ifndef COPYCHECK_CP_ASYNC_MBARRIER_H
#define COPYCHECK_CP_ASYNC_MBARRIER_H

#include "kernels/args.h"

enum { CPMB_DONE_0 = 1, CPMB_DONE_1 = 2 }; /* in a word of `phases`: a wait for parity 0, for parity 1, came true */

struct cpmb_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) out;
    CK_PTR(uint32_t) phases; /* a word for each thread */
    uint32_t form;           /* of copies, enum cp_async_form */
    uint32_t copies;         /* of each thread in each round */
    uint32_t rounds;         /* number of times that a thread copies and has its copies arrive */
    uint32_t lanes;          /* the first so many threads do so; the others wait only */
    uint32_t counted;        /* the form .noinc */
    uint32_t plain;          /* number of ordinary arrivals of each of these threads, afterwards */
    uint32_t count;          /* arrivals that the mbarrier expects */
    uint32_t waits;          /* all wait for parity 0; else they look after a while */
    uint32_t where;          /* cpmb_window: enum cpmb_where */
    uint32_t delay;          /* nanoseconds that the slow one takes */
};

enum cpmb_where { CPMB_OWN, CPMB_GLOBAL, CPMB_LOCAL, CPMB_REMOTE };

#endif
// SPDX-License-Identifier: Apache-2.0
