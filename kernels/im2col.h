/* Arguments of the kernels in im2col.cu. The image is the first `bytes` bytes of dynamic shared memory, 16 divides
 * their number; a load's barrier is the 8 bytes behind it. */
#ifndef COPYCHECK_KERNELS_IM2COL_H
#define COPYCHECK_KERNELS_IM2COL_H

#include "kernels/args.h"

/* im2col_load: one load, then the image to `image`; im2col_store: `image` to shared memory, then one store;
 * im2col_round: one load, then one store through `target`; im2col_multicast: one load to the CTAs of `ctas`, then CTA
 * i's image to `image` + i * `bytes`. */
struct im2col_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(unsigned char) image;
    uint32_t bytes;      /* of the image */
    uint32_t offset;     /* of the column, bytes from the start of the image */
    uint32_t expect;     /* bytes of the copy that the barrier expects */
    uint32_t rank;       /* of the instruction, 3 to 5 */
    int32_t corner[5];   /* of the first pixel: channel, then positions, then the image in the batch */
    uint16_t offsets[3]; /* what a load adds to each position, in pixels; rank - 2 of them */
    uint16_t ctas;       /* im2col_multicast: the mask of the load; a CTA that is not in `waiting` does not wait */
    uint32_t waiting;
    uint32_t hint;         /* im2col_multicast: 1: with a cache policy */
    int32_t shift;         /* im2col_round: positions along W that the store begins further on */
    struct ck_tmap target; /* im2col_round: the map of another tensor */
};

#endif
// SPDX-License-Identifier: Apache-2.0
