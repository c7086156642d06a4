/* Arguments of the kernels in bulk_group.cu and bulk_map.cu. */
#ifndef COPYCHECK_BULK_GROUP_H
#define COPYCHECK_BULK_GROUP_H

#include "kernels/args.h"

/* bulk_groups: thread 0 fills `groups` bulk groups with `batch` stores of `size` bytes each (the last with
 * `last_batch`), commits `empty` empty groups, waits until at most `pending` are unfinished, and then the reader copies
 * the first `look` bytes of the destination into `seen`, from the last to the first. The CTAs of the grid do the same
 * side by side. */
struct bulk_groups_args {
    struct ck_head head;
    uint64_t in;   /* for each CTA the bytes of all its stores */
    uint64_t out;  /* the same */
    uint64_t seen; /* `look` bytes for each CTA */
    uint32_t size; /* multiple of 16 */
    uint32_t batch;
    uint32_t last_batch; /* stores of the last group */
    uint32_t groups;
    uint32_t empty;
    uint32_t pending; /* 0 to 9 */
    uint32_t look;
    uint32_t reader; /* 0, or the thread that reads after a barrier of the CTA */
    uint32_t merge;  /* 1: no commit but the last */
};

/* The smaller kernels: one CTA of 64 threads, or two CTAs. */
struct bulk_group_args {
    struct ck_head head;
    uint64_t in;
    uint64_t in2;
    uint64_t out;
    uint64_t out2;
    uint64_t seen;
    uint64_t flag; /* a zero word in global memory */
    uint32_t size; /* multiple of 16 */
    uint32_t hint; /* BULK_... of kernels/bulk.h */
    uint32_t other;
};

/* bulk_map_*: a map in global memory is replaced by another after, or while, it is used. The tensors have `rounds`
 * boxes of one dimension; each round has a place of its own for its map, and stores or loads its own box. */
struct bulk_map_args {
    struct ck_head head;
    struct ck_tmap first, second;
    uint64_t place;      /* of the first round's map, 128-byte aligned */
    uint64_t place_step; /* to the next round's */
    uint64_t in;         /* what each store stores */
    uint64_t out;        /* what the load of the last round loaded */
    uint32_t size;       /* bytes of a box */
    uint32_t rounds;
    uint32_t full; /* 1: the wait is wait_group, not wait_group.read */
};

#endif
