/* Two neighbouring operations on one object by two warps that nothing orders: in another schedule they come in the
 * other order. options.h includes it. */
#ifndef COPYCHECK_EMU_MACHINE_SWAP_H
#define COPYCHECK_EMU_MACHINE_SWAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptx_instruction;

/* An operation of a warp: for each of its threads that executes this instruction so many times, that time. */
struct emu_event {
    const struct ptx_instruction *at;
    uint64_t cluster;
    uint32_t warp;  /* CTA rank * warps of a CTA + warp */
    uint32_t again; /* how many times before */
};

/* Of one cluster. */
static inline bool emu_same_event(const struct emu_event *a, const struct emu_event *b)
{
    return a->at == b->at && a->warp == b->warp && a->again == b->again;
}

struct emu_swap {
    struct emu_event first, second; /* as they came where threads run in order */
    uint32_t number;                /* in its cluster, as found */
    uint32_t same;                  /* how many before it are of the same two instructions */
};

/* Operations of a cluster on an object in global memory: its first and last one, the first change, and what a warp has
 * looked at before it began to wait for a change. No `at`: there was none. */
struct emu_swap_end {
    uint64_t object;
    struct emu_event first, last, changed, looked;
};

/* An instruction that changes places in memory at which other threads look. */
struct emu_changer {
    const struct ptx_instruction *at;
    bool several;    /* several threads have changed one place by it */
    bool looks;      /* an atom that has left one as it was: it looks itself */
    uint64_t object; /* a place in global memory; 0: in shared memory */
    bool looked;     /* another thread has looked at it. Without `at`: this is all that is known */
};

/* How many operations by which threads synchronise a thread has executed, those of a loop that it goes round as one. */
struct emu_operations {
    uint64_t cluster, warp; /* the warp: of the grid */
    uint32_t index;         /* of the thread, in its cluster */
    uint32_t all, counted;  /* its operations; those where it matters that it stops: emu_way_matters */
};

/* The swaps of a launch: emu_launch finds them, those first that differ most from one another. Of a large grid only the
 * first clusters are looked at. All zeros before it; emu_swaps_free (emu.h) releases it. */
struct emu_swaps {
    struct emu_swap *all;
    size_t count, room;
    uint64_t clusters;            /* that were looked at; 0: all */
    bool more;                    /* there are more of them, or there was no memory for them */
    struct emu_changer *changers; /* sorted by `at` */
    size_t changer_count, changer_room;
    bool global; /* some of those places are in global memory */
    struct emu_swap_end *ends;
    size_t end_count, end_room;
    struct emu_operations *operations; /* of all threads that have any, sorted by warp */
    size_t operation_count, operation_room;
};

#endif
// SPDX-License-Identifier: Apache-2.0
