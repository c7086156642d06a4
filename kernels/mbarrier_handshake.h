/* Arguments of the kernels in mbarrier_handshake.cu. */
#ifndef COPYCHECK_MBARRIER_HANDSHAKE_H
#define COPYCHECK_MBARRIER_HANDSHAKE_H

#include "kernels/args.h"

enum {
    HANDSHAKE_WORD = 256,  /* that one thread hands to another */
    HANDSHAKE_PHASES = 4,  /* that mbarrier_parity goes through */
    HANDSHAKE_BYTES = 16,  /* that mbarrier_bytes announces */
    HANDSHAKE_PENDING = 5, /* arrivals that mbarrier_pending expects */
};

struct mbarrier_handshake_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* the answers, in the order of the questions */
    uint32_t delay;       /* mbarrier_handshake: nanoseconds that the writer takes */
};

#endif
// SPDX-License-Identifier: Apache-2.0
