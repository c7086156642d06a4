/* Arguments of the kernels in libcu_groups.cu. */
#ifndef COPYCHECK_LIBCU_GROUPS_H
#define COPYCHECK_LIBCU_GROUPS_H

#include "kernels/args.h"

/* How the copy is asked for: bytes with a pointer type, bytes as an aligned size, or elements of the destination and of
 * the source. */
enum cg_form {
    CG_CHARS,
    CG_VOID,
    CG_SHORT,
    CG_INT,
    CG_INT2,
    CG_INT4,
    CG_A4, /* char *, aligned_size_t<4> */
    CG_A8,
    CG_A16,
    CG_A32,
    CG_CHAR_ELEMENTS,
    CG_INT_ELEMENTS,
    CG_INT4_ELEMENTS,
};

/* Each group copies its piece, and waits. Shared memory is an image whose first half is poison and whose second half
 * has the bytes of `in` at the same offsets. */
struct cg_copy_args {
    struct ck_head head;
    CK_PTR(unsigned char) in;
    CK_PTR(unsigned char) far; /* the destination in global memory */
    CK_PTR(unsigned char) out; /* receives the image */
    uint32_t image;            /* bytes */
    uint32_t form;
    uint32_t group; /* threads of a tile; for coalesced groups, one lane of so many is in it */
    uint32_t step;  /* bytes from one tile's piece to the next one's */
    uint32_t from_shared, to_shared;
    uint32_t src, dst; /* offsets in `in` or the image, in `far` or the image */
    uint32_t size;     /* bytes; of elements, those of the destination */
    uint32_t from;     /* elements of the source */
    uint32_t skip;     /* 1: the last thread does not call; 2: it asks for half the size */
    uint32_t no_wait;  /* the image comes out without a wait */
};

/* Each group of the block picks one of its threads. */
struct cg_invoke_args {
    struct ck_head head;
    CK_PTR(uint32_t) called; /* a word for each group: how many of its threads were picked */
    CK_PTR(uint32_t) told;   /* a word for each thread: the number in the block of the thread that its group picked */
    uint32_t group;          /* threads of a tile, 1 to 32; 0: the lanes of a warp whose number is no multiple of 3 */
};

enum { CG_NO_WAIT = 1000 }; /* of late_args.wait: nothing is waited for */

#endif
// SPDX-License-Identifier: Apache-2.0
