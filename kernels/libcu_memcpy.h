/* Arguments of the kernels in libcu_memcpy.cu. */
#ifndef COPYCHECK_LIBCU_MEMCPY_H
#define COPYCHECK_LIBCU_MEMCPY_H

#include "kernels/args.h"

/* How the copy is asked for: plain sizes with a pointer type, aligned sizes, and the calls without a group. */
enum libcu_copy_form {
    LIBCU_CHARS, /* char *, size_t */
    LIBCU_VOID,  /* void *, size_t */
    LIBCU_INT,   /* int *, size_t */
    LIBCU_INT2,
    LIBCU_INT4,
    LIBCU_A2, /* char *, aligned_size_t<2> */
    LIBCU_A4,
    LIBCU_A8,
    LIBCU_A16,
    LIBCU_A32,
    LIBCU_ALONE,    /* each thread for itself: char *, size_t */
    LIBCU_ALONE_A4, /* each thread for itself: char *, aligned_size_t<4> */
};

/* Shared memory is an image whose first half is poison and whose second half holds the bytes of `in` at the same
 * offsets; then comes the barrier. */
struct libcu_copy_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) far; /* the destination in global memory */
    CK_PTR(unsigned char) out; /* receives the image */
    CK_PTR(unsigned char) room;
    uint32_t image; /* bytes */
    uint32_t form;
    uint32_t from_shared, to_shared;
    uint32_t src, dst, size; /* offsets in `in` or the image, in `far` or the image; bytes */
    uint32_t group, step;    /* threads of a group; bytes from one group's piece to the next one's */
    uint32_t more;           /* arrivals that the barrier expects beside one of each thread */
    uint32_t no_wait;        /* arrive at the barrier and do not wait for it */
    uint32_t skip;           /* this group does not copy; 0 does */
    uint32_t last_calls;     /* the last thread of a group calls too, */
    uint32_t last_size;      /* with this size */
};

/* When the bytes of a copy are announced. */
enum libcu_tx_order { LIBCU_TX_ARRIVE_AFTER, LIBCU_TX_EXPECT_AFTER, LIBCU_TX_EXPECT_BEFORE };

struct libcu_tx_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) far;
    CK_PTR(unsigned char) out;
    CK_PTR(unsigned char) room;
    uint32_t image, order;
    uint32_t from_shared, to_global, global_barrier; /* what a program must not do */
    uint32_t dst, size;
    int32_t announced; /* bytes */
};

#endif
// SPDX-License-Identifier: Apache-2.0
