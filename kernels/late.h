/* Arguments of kernels that make groups of copies, wait for some of them and read one: late.cuh. */
#ifndef COPYCHECK_LATE_H
#define COPYCHECK_LATE_H

#include "kernels/args.h"

enum { LATE_ROUNDS = 2 };

/* All threads do the same: thread i's piece of group g has `size` bytes and is number g * threads + i. It goes to that
 * place of shared memory. All sources are near but those of group `slow`, which come from far away. After the wait the
 * pieces of group `read` come out. It is all done twice, the second time with far sources that were not read before: by
 * then the code itself is near, and the reads follow the wait at once. */
struct late_args {
    struct ck_head head;
    CK_PTR(const unsigned char) near_by; /* the pieces of all groups */
    CK_PTR(const unsigned char) far_off; /* the pieces of the slow group, for one round after the other */
    CK_PTR(unsigned char) out;           /* the pieces of group `read` */
    uint32_t size;                       /* of a piece: 4, 8 or 16 bytes */
    uint32_t groups;                     /* number of groups */
    uint32_t slow, read;                 /* groups */
    uint32_t wait;                       /* how many of the newest groups may be unfinished */
    uint32_t what;                       /* see the kernel */
};

#endif
// SPDX-License-Identifier: Apache-2.0
