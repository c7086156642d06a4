/* Arguments of the kernels in tensor_reduce.cu: one box of a tensor, and a tile in the first `bytes` bytes of dynamic
 * shared memory, of which 16 divides the number. */
#ifndef COPYCHECK_TENSOR_REDUCE_H
#define COPYCHECK_TENSOR_REDUCE_H

#include "kernels/args.h"

/* The operations: as an enumerator, and as the instruction spells them. */
#define TENSOR_REDUCTIONS(X)                                                                                           \
    X(ADD, "add")                                                                                                      \
    X(MIN, "min")                                                                                                      \
    X(MAX, "max")                                                                                                      \
    X(INC, "inc")                                                                                                      \
    X(DEC, "dec")                                                                                                      \
    X(AND, "and")                                                                                                      \
    X(OR, "or")                                                                                                        \
    X(XOR, "xor")

/* tensor_reduce*: shared memory is filled from `in`, and the tile in it reduced into the box. */
struct tensor_reduce_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(const unsigned char) in; /* the image */
    uint32_t bytes;                 /* of the image */
    uint32_t offset;                /* of the tile, bytes from the start of the image */
    uint32_t rank;                  /* of the instruction, 1 to 5 */
    uint32_t op;                    /* number in TENSOR_REDUCTIONS */
    uint32_t times;                 /* tensor_reduce_many: how often each CTA reduces the tile */
    int32_t corner[5];              /* where the box starts: elements, dimension 0 first */
};

/* tensor_prefetch: a box is prefetched; the poisoned image and the barrier behind it are written out. */
struct tensor_prefetch_args {
    struct ck_head head;
    struct ck_tmap map;
    CK_PTR(unsigned char) out; /* receives the image */
    CK_PTR(uint32_t) flag;     /* receives 1 if the barrier's phase is over */
    uint32_t bytes;            /* of the image */
    uint32_t rank;             /* of the instruction, 1 to 5 */
    uint32_t hint;             /* 1: with a cache policy */
    int32_t corner[5];
};

#endif
// SPDX-License-Identifier: Apache-2.0
