/* Arguments of the kernels in bar.cu: the barriers of a CTA, elect.sync, and grids that depend on one another. Threads
 * are numbered in the grid. */
#ifndef COPYCHECK_BAR_H
#define COPYCHECK_BAR_H

#include "kernels/args.h"

enum bar_form { BAR_SYNC, BAR_SYNC_COUNT, BAR_BARRIER, BAR_BARRIER_COUNT, BAR_ALIGNED_COUNT };
enum bar_reduction { BAR_POPC, BAR_AND, BAR_OR };

struct bar_args {
    struct ck_head head;
    CK_PTR(uint32_t) in;    /* bar_reduce: a word for each thread, its predicate */
    CK_PTR(uint32_t) out;   /* a word for each thread, or two: see each kernel */
    CK_PTR(uint32_t) words; /* global memory: a word for each thread, zero; bar_exited and elect_wait: one word */
    uint32_t form;          /* enum bar_form or enum bar_reduction */
    uint32_t id;            /* number of the barrier */
    uint32_t group;         /* threads that meet; the CTA has one such group or several */
    uint32_t rounds;
    uint32_t delay; /* nanoseconds that the late one takes */
    uint32_t mask;  /* elect: the member mask */
    uint32_t late;  /* elect_wait: the lane that comes late */
};

/* pdl_first and pdl_second. */
struct pdl_args {
    struct ck_head head;
    CK_PTR(uint32_t) words; /* a word for each thread of the first grid: it writes its number plus 1, late */
    CK_PTR(uint32_t) out;   /* as many: what the second grid finds there */
    CK_PTR(uint32_t) count; /* zero: each thread of the second grid adds 1 */
    uint32_t signals;       /* times that each CTA of the first grid executes launch_dependents */
    uint32_t delay;         /* nanoseconds before it writes */
};

#endif
// SPDX-License-Identifier: Apache-2.0
