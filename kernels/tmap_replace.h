/* Arguments of the kernel in tmap_replace.cu. */
#ifndef COPYCHECK_KERNELS_TMAP_REPLACE_H
#define COPYCHECK_KERNELS_TMAP_REPLACE_H

#include "kernels/args.h"

/* The fields of a map that tensormap.replace writes, and what their values are. */
enum tmap_field {
    TMAP_ADDRESS,        /* global address */
    TMAP_RANK,           /* less 1 */
    TMAP_BOX,            /* elements; one entry for each dimension */
    TMAP_DIM,            /* elements; one entry for each dimension */
    TMAP_STRIDE,         /* bytes; one entry for each dimension but the first */
    TMAP_ELEMENT_STRIDE, /* one entry for each dimension */
    TMAP_TYPE,           /* the instruction's own number, 0 to 12 */
    TMAP_INTERLEAVE,     /* 0: none */
    TMAP_SWIZZLE,        /* 0: none, 1 to 3: 32, 64, 128 bytes */
    TMAP_FILL            /* 0: zero, 1: NaN */
};

enum { TMAP_EDITS = 32 };

/* tmap_replace: copies a map, or zeros, into shared memory, edits it there, copies it to `home`, loads a tile through
 * it. The image is the first `bytes` bytes of dynamic shared memory; the map is behind it, then the barrier. */
struct tmap_replace_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(struct ck_tmap) home; /* global memory that receives the edited map */
    CK_PTR(unsigned char) out;   /* receives the image */
    uint32_t bytes;              /* of the image, a multiple of 128 */
    uint32_t offset;             /* of the tile, bytes from the start of the image */
    uint32_t expect;             /* bytes of the copy that the barrier expects */
    uint32_t rank;               /* of the load, 1 to 5 */
    uint32_t zeros;              /* 1: begin with zeros, 0: with the map */
    uint32_t count;              /* of the edits */
    struct {
        uint32_t field; /* enum tmap_field */
        uint32_t entry; /* of a field with entries, else 0 */
        uint64_t value;
    } edits[TMAP_EDITS];
    int32_t corner[5]; /* where the box starts: elements, dimension 0 (the fastest) first */
};

#endif
