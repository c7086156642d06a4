/* Arguments of the kernels in tensor.cu, tensor_cluster.cu, tensor_cta.cu and tensor_oob.cu that copy more than one box
 * (tile.h has the others). The image is the first `bytes` bytes of dynamic shared memory, 16 divides their number; the
 * barrier is the 8 bytes behind it. Corners are in elements of the tensor, dimension 0 (the fastest) first. */
#ifndef COPYCHECK_KERNELS_TENSOR_H
#define COPYCHECK_KERNELS_TENSOR_H

#include "kernels/args.h"

enum { TENSOR_LOADS = 4, TENSOR_CTAS = 16 };

/* tensor_load_barrier: as tile_load, with the barrier at a place of the case's choice. */
struct tensor_barrier_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(unsigned char) out; /* receives the image */
    uint32_t bytes;            /* of the image */
    uint32_t offset;           /* of the tile, bytes from the start of the image */
    uint32_t bar;              /* of the barrier, bytes from the start of shared memory, behind the image */
    uint32_t named;            /* of what the copy names as its barrier, from the same start */
    uint32_t expect;           /* bytes of the copy that the barrier expects */
    uint32_t rank;             /* of the instruction, 1 to 5 */
    int32_t corner[5];
};

/* tensor_count: several tile loads and one bulk copy on one phase. Timeout bit 0: the phase did not complete; bit 1:
 * the next phase, which expects nothing, did not, so more or fewer bytes were signalled than were expected. */
struct tensor_count_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(unsigned char) out;             /* receives the image */
    CK_PTR(const unsigned char) bulk_from; /* what the bulk copy reads */
    uint32_t bytes;                        /* of the image */
    uint32_t expect;                       /* bytes of all copies together */
    uint32_t rank;                         /* of the loads, 1 to 5 */
    uint32_t loads;                        /* how many, at most TENSOR_LOADS */
    uint32_t offset[TENSOR_LOADS];         /* of each tile, bytes from the start of the image */
    int32_t corner[TENSOR_LOADS][5];
    uint32_t bulk_bytes;  /* of the bulk copy; 0: there is none */
    uint32_t bulk_offset; /* where they go, bytes from the start of the image */
};

/* tensor_remote, tensor_multicast, tensor_slices, tensor_cluster_cta: loads within one cluster. Timeout bit of a CTA:
 * its rank for the phase that expects the bytes, 16 + its rank for the next, which expects nothing. */
struct tensor_cluster_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(unsigned char) out;    /* receives the images of the CTAs, one behind the other by rank */
    uint32_t bytes;               /* of one image */
    uint32_t offset;              /* of the tile, bytes from the start of each image */
    uint32_t rank;                /* of the instruction, 1 to 5 */
    uint32_t issuer;              /* rank of the CTA that loads; in tensor_slices each does */
    uint32_t to;                  /* rank of the CTA that receives a load; not of a multicast */
    uint32_t signal;              /* rank of the CTA whose barrier it signals; not of a multicast */
    uint32_t mask;                /* of a multicast: bit i is the CTA of rank i */
    uint32_t expect[TENSOR_CTAS]; /* bytes that the barrier of each CTA expects */
    int32_t corner[5];
    int32_t slice_step;   /* tensor_slices: elements that each CTA rank adds to the last coordinate */
    uint32_t slice_bytes; /* tensor_slices: bytes that each CTA rank adds to the offset of the tile */
};

/* tensor_oob: loads one tile of 16-bit floats and writes fma(e, x, c) of each element e, as 16-bit floats. */
struct tensor_oob_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(uint16_t) out; /* receives the results, in the order of the tile */
    uint32_t elements;    /* of the tile */
    uint32_t expect;      /* bytes of the copy that the barrier expects */
    uint32_t rank;        /* of the instruction, 1 to 5 */
    uint32_t bf16;        /* 1: the elements are bf16, 0: f16 */
    uint16_t x, c;        /* bits of the factor and of the addend */
    int32_t corner[5];
};

#endif
// SPDX-License-Identifier: Apache-2.0
