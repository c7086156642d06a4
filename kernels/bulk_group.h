/* Arguments of the kernels in bulk_group.cu and bulk_map.cu. Sizes and steps count bytes and are multiples of 16. */
#ifndef COPYCHECK_BULK_GROUP_H
#define COPYCHECK_BULK_GROUP_H

#include "kernels/args.h"

/* Stores of `size` bytes each, one behind the other, in bulk groups: thread 0 issues and commits them, a wait follows,
 * and then the first `look` bytes of the destination are copied into `seen`, from the last to the first. The CTAs of
 * the grid do the same side by side. */
struct bulk_groups_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in; /* what is stored: `bytes` for each CTA */
    CK_PTR(unsigned char) out;      /* where to: the same */
    CK_PTR(unsigned char) seen;     /* `look` bytes for each CTA */
    uint32_t bytes;                 /* of all stores of a CTA */
    uint32_t size;                  /* of a store */
    uint32_t look;                  /* that are looked at behind the wait */
    uint32_t groups;                /* bulk_groups: number of groups, with one store each */
    uint32_t batch;                 /* bulk_batch: number of stores in the first group */
    uint32_t empty;                 /* bulk_empty_groups: number of empty groups behind the store */
    uint32_t pending; /* bulk_groups, bulk_empty_groups: groups that the wait lets be unfinished, 0 to 9 */
    uint32_t reader;  /* bulk_read_elsewhere: the thread that reads behind a barrier of the CTA */
};

/* The smaller kernels: one CTA of 64 threads, or two CTAs. Each kernel says what it does with a member. */
struct bulk_group_args {
    struct ck_head head;
    CK_PTR(const unsigned char) in;
    CK_PTR(const unsigned char) in2;
    CK_PTR(unsigned char) out;
    CK_PTR(unsigned char) out2;
    CK_PTR(unsigned char) seen;
    CK_PTR(uint32_t) flag; /* a zero word in global memory */
    uint32_t size;         /* of each buffer in use */
    uint32_t hint;         /* BULK_... of kernels/bulk.h */
    uint32_t other;        /* a word, or the number of a choice */
};

/* bulk_map_*: a map in global memory is replaced by another after, or while, it is used. The tensors have `rounds`
 * boxes of one dimension; each round has a place of its own for its map, and stores or loads its own box. */
struct bulk_map_args {
    struct ck_head head;
    struct ck_tmap first, second;
    CK_PTR(unsigned char) place;    /* of the first round's map, 128-byte aligned */
    uint64_t place_step;            /* from a round's map to the next round's */
    CK_PTR(const unsigned char) in; /* bulk_map_store: what each store stores */
    CK_PTR(unsigned char) out;      /* bulk_map_load: what the load loaded */
    uint32_t size;                  /* of a box */
    uint32_t rounds;                /* bulk_map_store: number of stores */
    uint32_t full;                  /* bulk_map_store: 1: the wait is wait_group, not wait_group.read */
};

#endif
// SPDX-License-Identifier: Apache-2.0
