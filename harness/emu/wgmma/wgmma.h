/* wgmma.mma_async made ready, and a warp's part of one in flight. */
#ifndef COPYCHECK_EMU_WGMMA_WGMMA_H
#define COPYCHECK_EMU_WGMMA_WGMMA_H

#include "harness/emu/copies/flight.h"
#include "harness/emu/machine/code.h"
#include "harness/emu/wgmma/matrix.h"
#include "harness/emu/product/product.h"

enum { WGMMA_A = 4, WGMMA_WARPS = 4 };

/* op->wgmma. */
struct emu_wgmma {
    struct emu_product_kind kind;
    bool a_shared, a_across; /* A lies in shared memory; by columns */
    bool sparse;
    bool scale_not;            /* the predicate scale-d is negated */
    uint32_t scale_d;          /* slots: whether D is an addend, */
    uint32_t a_matrix, matrix; /* the descriptors of A, if a_shared, and of B, */
    uint32_t metadata;         /* of a sparse A, */
    uint32_t a[WGMMA_A];       /* A's registers, if not a_shared */
    unsigned selector;         /* of a sparse A: which threads hold the metadata */
    uint32_t d_count;          /* registers of D: */
    const uint32_t *d;         /* slots */
    uint32_t *used;            /* numbers of D's registers, then of A's, among those of the function's products */
    uint32_t used_count;
    uint16_t shape; /* PTX_m64n8k16 ... */
};

/* What a warp's part reads of a matrix in shared memory: rows and, in each, chunks. */
struct emu_wgmma_part {
    uint32_t row, rows, chunk, chunks;
};

/* warp: its number in the CTA. */
struct emu_wgmma_part emu_wgmma_part_of_a(const struct emu_wgmma *w, uint32_t warp);
struct emu_wgmma_part emu_wgmma_part_of_b(const struct emu_wgmma *w);

/* In the bytes of an EMU_WGMMA flight. */
struct emu_wgmma_flight {
    const struct emu_op *op;
    struct emu_matrix a, b;
    bool adds;                            /* D is an addend */
    const struct emu_frame *of[EMU_WARP]; /* the lanes' frames at the issue: whose registers are meant */
    uint32_t depth;                       /* of these */
};

static inline struct emu_wgmma_flight *emu_wgmma_flight(struct emu_flight *f)
{
    return (struct emu_wgmma_flight *)f->bytes;
}

/* Carries out a warp's part: f->land. */
void emu_wgmma_land(struct emu_flight *f);
/* Lands all parts of the warp with this lane 0 whose groups have numbers below `before`, in the order of their issue.
 */
void emu_wgmma_land_all(struct emu_thread *first, uint64_t before);

emu_decode emu_decode_wgmma;
/* While a function is decoded, all its ops decoded: those that access registers of its products tell the watcher. */
void emu_wgmma_registers(const struct ptx_module *m, struct emu_code *c);
/* mma_async; fence; commit_group; wait_group. */
emu_handler emu_wgmma_issue, emu_wgmma_fence, emu_wgmma_commit, emu_wgmma_wait;
/* wait_group by all lanes of a warp: they go on, or all block. */
emu_whole emu_wgmma_wait_whole;

#endif
// SPDX-License-Identifier: Apache-2.0
