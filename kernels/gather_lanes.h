/* Arguments of the kernel gather_lanes: a gather, one cp.async a lane. */
#ifndef COPYCHECK_KERNELS_GATHER_LANES_H
#define COPYCHECK_KERNELS_GATHER_LANES_H

#include "kernels/args.h"

/* Lane i copies to image byte i * (bytes of a copy) from `in` + offsets[i]. */
struct gather_lanes_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in;
    CK_PTR(unsigned char) out;     /* receives the image, one copy for each thread of the CTA */
    CK_PTR(const int32_t) offsets; /* bytes */
    uint32_t form;                 /* enum cp_async_form */
    uint32_t ignore;               /* bit i: lane i ignores its source */
};

#endif
// SPDX-License-Identifier: Apache-2.0
