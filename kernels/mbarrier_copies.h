/* Arguments of the kernels in mbarrier_copies.cu. */
#ifndef COPYCHECK_MBARRIER_COPIES_H
#define COPYCHECK_MBARRIER_COPIES_H

#include "kernels/args.h"

/* Dynamic shared memory: `bytes` bytes that are copied to, then two mbarriers. */
struct mbarrier_copies_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* `bytes` bytes */
    CK_PTR(unsigned char) out;      /* as many: what the waiting threads read */
    uint32_t bytes;                 /* a multiple of 16 */
    uint32_t shift;                 /* thread i reads the 16-byte pieces that thread i + shift copied */
};

#endif
// SPDX-License-Identifier: Apache-2.0
