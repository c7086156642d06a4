/* Arguments of the kernel in im2col.cu. */
#ifndef COPYCHECK_IM2COL_KERNELS_H
#define COPYCHECK_IM2COL_KERNELS_H

#include "kernels/args.h"

/* im2col_load: one load, then the shared image to `image`; im2col_store: the image to shared memory, then one store.
 * Shared memory: image, then the barrier. */
struct im2col_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t image;
    uint32_t bytes;  /* of the image */
    uint32_t offset; /* of the column in it */
    uint32_t expect; /* transaction bytes */
    uint32_t rank;
    int32_t corner[5];
    uint16_t offsets[3];
};

#endif
