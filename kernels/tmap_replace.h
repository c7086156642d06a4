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
    TMAP_INTERLEAVE,     /* 0: none, 1 and 2: slices of 16 and 32 bytes */
    TMAP_SWIZZLE,        /* 0: none, 1 to 3: 32, 64, 128 bytes */
    TMAP_FILL            /* 0: zero, 1: NaN */
};

enum { TMAP_EDITS = 32 };

/* tmap_replace: copies a map, or zeros, into shared memory, edits it there, copies it to `home`, loads a tile through
 * it. The image is the first `bytes` bytes of dynamic shared memory; the map is behind it, then the barrier.
 * tmap_edit_by: the same, by two threads one after the other. tmap_in_place: edits the map in `home`.
 * tmap_publish: block 0 edits, all blocks load: block i writes its image to `out` + i * `bytes`. */
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
    uint32_t editors[2];         /* tmap_edit_by: the threads that make the first half of the edits, and the rest */
    uint32_t generic;            /* tmap_in_place: 1: edits by a generic address, 0: by one of .global */
    CK_PTR(uint32_t) flag;       /* tmap_publish: a word in global memory, zero */
    struct {
        uint32_t field; /* enum tmap_field */
        uint32_t entry; /* of a field with entries, else 0 */
        uint64_t value;
    } edits[TMAP_EDITS];
    int32_t corner[5]; /* where the box starts: elements, dimension 0 (the fastest) first */
};

/* tmap_copy_out: a map's bytes from shared memory, `from` bytes behind its start, to `home`. */
struct tmap_copy_out_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(unsigned char) home;
    uint32_t from;  /* a multiple of 64 below 512 */
    uint32_t scope; /* of the release: 0 cta, 1 cluster, 2 gpu, 3 sys */
    uint32_t shift; /* bytes of 16 that the copy's source is moved by, in the image */
};

#endif
// SPDX-License-Identifier: Apache-2.0
