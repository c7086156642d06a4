/* Arguments of the kernels in mbarrier_stuck.cu, and what they share with their cases. The mbarrier is at the start of
 * dynamic shared memory, the data from byte STUCK_DATA on. */
#ifndef COPYCHECK_MBARRIER_STUCK_H
#define COPYCHECK_MBARRIER_STUCK_H

#include "kernels/args.h"

enum {
    STUCK_PHASES = 2, /* that mbarrier_handover and mbarrier_late_wait go through */
    STUCK_DATA = 128, /* bytes from the start of dynamic shared memory */
    STUCK_WORD = 256, /* that mbarrier_ask hands over */
};

struct mbarrier_handover_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* STUCK_PHASES pieces of `bytes` bytes */
    CK_PTR(uint32_t) out;           /* as many bytes: what thread 32 saw */
    uint32_t bytes;                 /* of a piece, a multiple of 16 */
};

struct mbarrier_ask_args {
    struct ck_head head;
    CK_PTR(uint32_t) out; /* two words, zero: see each kernel */
    uint32_t delay;       /* mbarrier_ask: nanoseconds before the word is written */
};

#endif
// SPDX-License-Identifier: Apache-2.0
