/* Arguments of the kernels in dsmem.cu: the shared memory of other CTAs of the cluster. */
#ifndef COPYCHECK_DSMEM_H
#define COPYCHECK_DSMEM_H

#include "kernels/args.h"

struct dsmem_args {
    struct ck_head head;
    uint64_t out;   /* of uint32_t[2 * CTAs * threads]: see the kernel */
    uint32_t delay; /* nanoseconds that slow CTAs take */
};

#endif
