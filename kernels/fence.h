/* Arguments of the kernels in fence.cu. */
#ifndef COPYCHECK_FENCE_H
#define COPYCHECK_FENCE_H

#include "kernels/args.h"

/* Data passed on from block to block: fence_pass, fence_ticket and fence_count. */
struct fence_args {
    struct ck_head head;
    CK_PTR(const uint32_t) in; /* fence_pass: `words` words; fence_ticket: one of each block */
    CK_PTR(uint32_t) data;     /* as many, for what is passed on; fence_count: one word, zero */
    CK_PTR(uint32_t) flag;     /* one word, zero: the flag, or the number of the next ticket */
    CK_PTR(uint32_t) out;      /* fence_pass: `words` words of each block except the first; fence_ticket: one word */
    uint32_t words;
};

struct access_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in;
    CK_PTR(uint32_t) out; /* one word */
    uint64_t offset;      /* of the word in `in`, in bytes */
};

#endif
// SPDX-License-Identifier: Apache-2.0
