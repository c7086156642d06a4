/* Arguments of the kernels in tensor.cu, tensor_cluster.cu, tensor_cta.cu and tensor_oob.cu. */
#ifndef COPYCHECK_TENSOR_H
#define COPYCHECK_TENSOR_H

#include "kernels/args.h"

enum { TENSOR_LOADS = 4, TENSOR_CTAS = 16 };

/* The forms of tensor_load and tensor_store. */
enum tensor_form {
    TENSOR_TILE,     /* .tile named */
    TENSOR_MODELESS, /* no mode named */
    TENSOR_HINT,     /* with an evict-first policy */
    TENSOR_OFF,      /* predicated off */
    TENSOR_PREFETCH, /* after a prefetch of the same box */
    TENSOR_PREFETCH_HINT,
    TENSOR_IM2COL, /* an im2col load, ranks 3 to 5 */
    TENSOR_ADD,    /* a reduction in place of the store */
    TENSOR_ADD_HINT,
};

/* tensor_load, tensor_load_cta: one box in one of the forms above. Shared memory: image, then the barrier. */
struct tensor_load_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t out;    /* receives the shared image */
    uint32_t bytes;  /* of the image */
    uint32_t offset; /* of the tile in the image */
    uint32_t expect; /* transaction bytes */
    uint32_t rank;
    uint32_t form;
    int32_t corner[5];
};

/* tensor_store: one box in one of the forms above; tensor_store_twice: `in`, then `in + bytes` to the same place. */
struct tensor_store_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t in;
    uint32_t bytes;
    uint32_t offset;
    uint32_t rank;
    uint32_t form;
    int32_t corner[5];
};

/* tensor_count: several tile loads and one bulk copy on one phase. Timeout bit 0: the phase did not complete; bit 1:
 * the next phase, which expects nothing, did not, so more or fewer bytes were signalled than were expected. */
struct tensor_count_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t out;
    uint32_t bytes;
    uint32_t expect; /* of all copies together */
    uint32_t rank;
    uint32_t loads;                /* at most TENSOR_LOADS */
    uint32_t offset[TENSOR_LOADS]; /* of each tile in the image */
    int32_t corner[TENSOR_LOADS][5];
    uint64_t bulk_from;               /* global address of the bulk copy */
    uint32_t bulk_bytes, bulk_offset; /* 0 bytes: no bulk copy */
};

enum tensor_cluster_kind {
    TENSOR_REMOTE,    /* the issuer loads into one CTA */
    TENSOR_MULTICAST, /* the issuer loads into the CTAs of the mask */
    TENSOR_SLICES,    /* each CTA multicasts its slice to all of the mask */
};

/* tensor_cluster: loads within one cluster. Each CTA writes its image to `out` + its rank * bytes. Timeout bit of a
 * CTA: its rank for the phase that expects the bytes, 16 + its rank for the next, which expects nothing. */
struct tensor_cluster_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t out;
    uint32_t bytes;
    uint32_t offset;
    uint32_t rank;
    uint32_t kind;
    uint32_t issuer;              /* CTA rank */
    uint32_t to;                  /* CTA that receives a remote load */
    uint32_t signal;              /* CTA whose barrier it signals */
    uint32_t mask;                /* of a multicast */
    uint32_t expect[TENSOR_CTAS]; /* of each CTA */
    int32_t corner[5];
    int32_t slice_step;   /* slices: what is added to the last coordinate for each CTA rank */
    uint32_t slice_bytes; /* slices: and to the offset in the image */
};

/* tensor_oob: loads one tile of 16-bit floats and writes fma(e, x, c) of every element, as 16-bit floats. */
struct tensor_oob_args {
    struct ck_head head;
    struct ck_tmap map;
    uint64_t out;
    uint32_t elements; /* of the tile */
    uint32_t expect;
    uint32_t rank;
    uint32_t bf16; /* 0: f16 */
    uint16_t x, c; /* bits */
    int32_t corner[5];
};

#endif
