/* Arguments of the kernel in tmap_replace.cu. */
#ifndef COPYCHECK_TMAP_REPLACE_H
#define COPYCHECK_TMAP_REPLACE_H

#include "kernels/args.h"

enum tmap_field {
    TMAP_ADDRESS,
    TMAP_RANK, /* less 1 */
    TMAP_BOX,
    TMAP_DIM,
    TMAP_STRIDE,
    TMAP_ELEMENT_STRIDE,
    TMAP_TYPE, /* tensormap.replace has numbers of its own for it */
    TMAP_INTERLEAVE,
    TMAP_SWIZZLE,
    TMAP_FILL
};

enum { TMAP_EDITS = 32 };

/* tmap_replace: copies a map, or zeros, into shared memory, edits it there, copies it to `home`, loads a tile through
 * it. */
struct tmap_replace_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t home; /* 128 bytes of global memory */
    uint64_t out;
    uint32_t bytes; /* of the image, a multiple of 128 */
    uint32_t offset;
    uint32_t expect;
    uint32_t rank;
    uint32_t zeros; /* begin with zeros */
    uint32_t count;
    struct {
        uint32_t field, entry;
        uint64_t value;
    } edits[TMAP_EDITS];
    int32_t corner[5];
};

#endif
