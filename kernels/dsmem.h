/* Arguments of the kernel in dsmem.cu: the shared memory of other CTAs of the cluster. */
#ifndef COPYCHECK_DSMEM_H
#define COPYCHECK_DSMEM_H

#include "kernels/args.h"

struct dsmem_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* two words for each thread of the cluster: see the kernel */
    uint32_t delay;       /* nanoseconds that all CTAs except rank 0 take */
};

#endif
// SPDX-License-Identifier: Apache-2.0
