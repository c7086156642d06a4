/* Arguments of the kernel in setmaxnreg.cu. */
#ifndef COPYCHECK_SETMAXNREG_H
#define COPYCHECK_SETMAXNREG_H

#include "kernels/args.h"

/* Three warpgroups, of 168 registers a thread: the first one gives 128 of them, the others take 64. */
enum { SETMAXNREG_THREADS = 384, SETMAXNREG_TAKERS = 8 };

struct setmaxnreg_args {
    struct ck_head head;
    CK_PTR(uint32_t)
    out; /* for each warp that takes registers, in the order in which they got them: 1 if enough were given */
    uint32_t delay; /* nanoseconds before they are given */
};

#endif
// SPDX-License-Identifier: Apache-2.0
