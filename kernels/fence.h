/* Arguments of the kernels in fence.cu. */
#ifndef COPYCHECK_FENCE_H
#define COPYCHECK_FENCE_H

#include "kernels/args.h"

struct fence_args {
    struct ck_head head;
    uint64_t in;     /* `words` words; fence_ticket: one of each block */
    uint64_t data;   /* as many, for what is passed on; fence_count: one word, zero */
    uint64_t flag;   /* a 32-bit word, zero */
    uint64_t out;    /* fence_pass: `words` words of each block but the first; fence_ticket, access_load: one word */
    uint64_t offset; /* access_load: of the word in `in` */
    uint32_t words;
};

#endif
