/* A circle of waits: each thread of it waits for what the next one does only after its own wait. deadlock.c, which says
 * who waits where, includes it. */
#ifndef COPYCHECK_EMU_JUDGE_CIRCLE_H
#define COPYCHECK_EMU_JUDGE_CIRCLE_H

#include "harness/emu/machine/state.h"

enum { CIRCLE_GROUPS = 32 };

/* Threads of one CTA that wait for the same at the same instruction. */
struct circle_group {
    const struct emu_thread *first;
    const struct ptx_instruction *at;
    uint32_t count;
    bool arrives; /* their program has an mbarrier arrive behind the wait */
    bool meets;   /* ... a barrier of the CTA */
};

struct circle {
    const struct emu_cluster *cluster;
    struct circle_group groups[CIRCLE_GROUPS];
    uint32_t count;
    uint16_t *of; /* of each thread of the cluster: 1 and the number of its group, 0: it waits for nothing */
};

/* Finds the shortest circle and writes the numbers of its groups in order: each waits for the next one, the last one
 * for the first. Its length; 0: there is none. */
uint32_t circle_find(const struct circle *x, uint32_t order[CIRCLE_GROUPS]);

#endif
// SPDX-License-Identifier: Apache-2.0
