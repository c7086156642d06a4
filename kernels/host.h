/* Arguments of the kernels in host.cu. */
#ifndef COPYCHECK_KERNELS_HOST_H
#define COPYCHECK_KERNELS_HOST_H

#include "kernels/args.h"

struct host_args {
    struct ck_head head;
    CK_PTR(const uint32_t) in;
    CK_PTR(uint32_t) out;
    uint32_t words;
    uint32_t add;   /* host_add: to each word; host_await: what the word becomes */
    uint32_t pause; /* host_add: nanoseconds before it begins */
};

#endif
// SPDX-License-Identifier: Apache-2.0
