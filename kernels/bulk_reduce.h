/* Arguments of the kernels in bulk_reduce.cu. Sizes, offsets and steps count bytes and are multiples of 16. */
#ifndef COPYCHECK_BULK_REDUCE_H
#define COPYCHECK_BULK_REDUCE_H

#include "kernels/args.h"

/* The reductions to shared::cluster, and the further ones to global memory: operation, type, and both as the
 * instruction spells them. */
#define REDUCTIONS_TO_CLUSTER(X)                                                                                       \
    X(ADD, U32, "add.u32")                                                                                             \
    X(ADD, S32, "add.s32")                                                                                             \
    X(ADD, U64, "add.u64")                                                                                             \
    X(MIN, U32, "min.u32")                                                                                             \
    X(MIN, S32, "min.s32")                                                                                             \
    X(MAX, U32, "max.u32")                                                                                             \
    X(MAX, S32, "max.s32")                                                                                             \
    X(INC, U32, "inc.u32")                                                                                             \
    X(DEC, U32, "dec.u32")                                                                                             \
    X(AND, B32, "and.b32")                                                                                             \
    X(OR, B32, "or.b32")                                                                                               \
    X(XOR, B32, "xor.b32")
#define REDUCTIONS_TO_GLOBAL(X)                                                                                        \
    REDUCTIONS_TO_CLUSTER(X)                                                                                           \
    X(ADD, F32, "add.f32")                                                                                             \
    X(ADD, F64, "add.f64")                                                                                             \
    X(ADD, F16, "add.noftz.f16")                                                                                       \
    X(ADD, BF16, "add.noftz.bf16")                                                                                     \
    X(MIN, U64, "min.u64")                                                                                             \
    X(MIN, S64, "min.s64")                                                                                             \
    X(MIN, F16, "min.f16")                                                                                             \
    X(MIN, BF16, "min.bf16")                                                                                           \
    X(MAX, U64, "max.u64")                                                                                             \
    X(MAX, S64, "max.s64")                                                                                             \
    X(MAX, F16, "max.f16")                                                                                             \
    X(MAX, BF16, "max.bf16")                                                                                           \
    X(AND, B64, "and.b64")                                                                                             \
    X(OR, B64, "or.b64")                                                                                               \
    X(XOR, B64, "xor.b64")

/* BULK_ADD_U32 ..., those to shared::cluster first. */
#define BULK_REDUCTION(op, type, text) BULK_##op##_##type,
enum bulk_reduction { REDUCTIONS_TO_GLOBAL(BULK_REDUCTION) BULK_REDUCTIONS };
#undef BULK_REDUCTION

/* bulk_reduce*: shared memory is filled from `in`, and one thread reduces a piece of it into `out`. */
struct bulk_reduce_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* the image in shared memory */
    CK_PTR(unsigned char) out;      /* receives the piece */
    uint32_t bytes;                 /* of the image */
    uint32_t offset;                /* of the piece in the image */
    uint32_t size;                  /* of the piece */
    uint32_t reduction;             /* enum bulk_reduction */
    uint32_t hint;                  /* bulk_reduce_hint: BULK_EVICT_FIRST ... of kernels/bulk.h */
    uint32_t times;                 /* bulk_reduce_many: reductions of the same piece in each CTA */
};

/* bulk_reduce_between, bulk_reduce_tx: the CTAs of one cluster reduce `size` bytes of their shared memory into the
 * image of the CTA `to` ranks on. */
struct bulk_reduce_between_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in;    /* what the CTAs fill their sources with, one behind the other */
    CK_PTR(const unsigned char) start; /* what they fill their images with, one behind the other */
    CK_PTR(unsigned char) out;         /* the image of each CTA at the end */
    CK_PTR(uint32_t) flags;            /* words: of bulk_reduce_between one for each CTA, 1 where its barrier flipped */
    uint32_t bytes;                    /* of an image: a multiple of 128 */
    uint32_t offset;                   /* of the piece in the image */
    uint32_t src_offset;               /* of the piece in the source, which is as large as the image */
    uint32_t size;                     /* of the piece */
    uint32_t to;                       /* ranks from the sender to the receiver */
    uint32_t times;                    /* bulk_reduce_between: how often each CTA sends its piece */
    uint32_t expect;                   /* bytes that each barrier expects */
    uint32_t reduction;                /* enum bulk_reduction, of those to shared::cluster */
    uint32_t probe;                    /* bulk_reduce_tx: nanoseconds for which the barrier is polled */
};

#endif
// SPDX-License-Identifier: Apache-2.0
