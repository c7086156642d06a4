/* Claims on global memory while clusters run ahead of their turns: which cluster has read or written which bytes,
 * so that clusters that depend on one another are found before one of them sees what the other did. address.c, heap.c,
 * atomics, system calls and schedule/spread.c include it. */
#ifndef COPYCHECK_EMU_MACHINE_CLAIMS_H
#define COPYCHECK_EMU_MACHINE_CLAIMS_H

#include <stdatomic.h>

#include "harness/emu/machine/state.h"

/* Most clusters of a run with claims: a claim holds the number of one, plus 1. */
#define EMU_CLAIM_CLUSTERS ((1u << 26) - 2)

/* What one host thread has written, so that it can be put back. */
struct emu_claimer {
    atomic_bool *given_up; /* of the run: set once clusters turn out to depend on one another */
    atomic_bool *atomics;  /* of the run: set once clusters have changed the same bytes by atomics */
    atomic_bool *doubted;  /* of the run: set where it was given up since the light judge has a doubt */
    struct emu_undo *undo;
    size_t count, room;
};

/* Claims for all of global memory except the heap; false where memory is short. */
bool emu_claims_make(struct emu *e);
void emu_claims_free(struct emu *e);
/* The cluster with this number makes its claims through this claimer from now on. */
void emu_claims_begin(struct emu_run *run, struct emu_claimer *claimer, uint64_t number);
/* Puts all bytes back that were written through the claimer. */
void emu_claimer_put_back(const struct emu_claimer *claimer);
void emu_claimer_free(struct emu_claimer *claimer);

/* Whether the cluster has claimed these bytes of an allocation already, by their offset in it: asked first where speed
 * matters. */
static inline bool emu_claim_suits(const struct emu_run *run, uint32_t mark, uint32_t parts, bool writes)
{
    const uint32_t whole = mark & ~EMU_CLAIM_PARTS;

    return !(mark & parts) &&
           (whole == run->claim_written || (!writes && (whole == run->claim_read || whole == EMU_CLAIM_MANY)));
}
/* Of four bytes of an allocation, those from `offset` up to `end`, as in a mark. */
static inline uint32_t emu_claim_parts(uint64_t cell, uint64_t offset, uint64_t end)
{
    const uint64_t at = cell * EMU_CLAIM_CELL;
    const unsigned first = offset > at ? (unsigned)(offset - at) : 0;
    const unsigned behind = end < at + EMU_CLAIM_CELL ? (unsigned)(at + EMU_CLAIM_CELL - end) : 0;

    return 0xfu >> (first + behind) << first << EMU_CLAIM_PARTS_SHIFT;
}
static inline bool emu_claimed(const struct emu_run *run, const struct emu_claims *claims, uint64_t offset, uint64_t n,
                               bool writes)
{
    const uint64_t last = (offset + n - 1) / EMU_CLAIM_CELL;

    for (uint64_t k = offset / EMU_CLAIM_CELL; k <= last;) {
        const uint32_t line = claims->lines[k / EMU_CLAIM_CELLS];
        if (line == EMU_CLAIM_SPLIT) {
            if (!emu_claim_suits(run, claims->cells[k], emu_claim_parts(k, offset, offset + n), writes))
                return false;
            k++;
        } else {
            if (!emu_claim_suits(run, line, 0, writes))
                return false;
            k = (k / EMU_CLAIM_CELLS + 1) * EMU_CLAIM_CELLS;
        }
    }
    return true;
}

/* The thread is about to access bytes of global memory: does not return where another cluster has, and one of them
 * writes. Atomics of run->atomic may meet atomics of the same kind; one whose order counts does not return either until
 * its cluster's turn has come: the cluster is then parked (emu_parked), and the thread executes its instruction again
 * later. For runs with a claimer. */
void emu_claim_bytes(struct emu_thread *t, struct emu_region *r, uint64_t address, uint64_t n, bool writes);
/* The cluster waits for its turn in the middle of a round. */
static inline bool emu_parked(const struct emu_run *run)
{
    return run->turn && run->end == EMU_DONE;
}
/* Clusters do not run ahead after this stretch: what one does depends on all. */
void emu_claim_give_up(struct emu_run *run);
/* The thread is about to do what concerns the machine as a whole: does not return where several host threads run. */
void emu_claim_machine(struct emu_thread *t);

#endif
// SPDX-License-Identifier: Apache-2.0
