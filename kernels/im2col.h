/* Arguments of the kernels in im2col.cu. The image is the first `bytes` bytes of dynamic shared memory, 16 divides
 * their number; a load's barrier is the 8 bytes behind it. */
#ifndef COPYCHECK_KERNELS_IM2COL_H
#define COPYCHECK_KERNELS_IM2COL_H

#include "kernels/args.h"

/* im2col_load: one load, then the image to `image`; im2col_store: `image` to shared memory, then one store. */
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
};

#endif
