/* Operations by which the warps of a kernel synchronise, as the scheduler sees them: on which object, and what of it
 * depends on who comes first. decode.c and schedule/ include it. */
#ifndef COPYCHECK_EMU_MACHINE_SYNC_H
#define COPYCHECK_EMU_MACHINE_SYNC_H

#include "harness/emu/machine/state.h"
#include "harness/emu/machine/swap.h"

/* emu_op.sync. */
enum emu_sync {
    EMU_SYNC_NONE,
    EMU_SYNC_CHANGE,  /* changes an object: mbarrier operations, atom, strong stores */
    EMU_SYNC_LOOK,    /* strong loads */
    EMU_SYNC_COUNT,   /* arrivals and red: two of them by one instruction may change places, and nothing shows it */
    EMU_SYNC_WAIT,    /* test_wait, try_wait */
    EMU_SYNC_BARRIER, /* of a CTA */
    EMU_SYNC_CLUSTER_ARRIVE,
    EMU_SYNC_CLUSTER_WAIT,
    EMU_SYNC_FENCE, /* fence.sc and membar: of two, the one that comes first synchronises with the other */
};

/* Whether a load or a store is a strong one, by its words; atom and red, which have none, are too. */
bool emu_is_strong(const struct ptx_module *m, const struct ptx_instruction *i);
/* The kind of an instruction, one of enum emu_sync. */
uint8_t emu_sync_of(const struct ptx_module *m, const struct ptx_instruction *i);

/* Whether the thread, which is about to execute the operation, does so for the first time: it does not come back to a
 * barrier at which it has arrived. */
static inline bool emu_sync_begins(const struct emu_thread *t, const struct emu_op *op)
{
    return op->sync != EMU_SYNC_BARRIER || !t->barrier_generation;
}

/* Whether the operation changes an object, or arrives at one. */
static inline bool emu_sync_changes(const struct emu_op *op)
{
    return op->sync == EMU_SYNC_CHANGE || op->sync == EMU_SYNC_COUNT;
}

/* How far a thread has come, by its operations on objects in memory, those of a loop that it goes round as one. */
struct emu_way {
    uint32_t all, counted; /* counted: those that matter */
    const struct emu_op *last;
};

/* Whether the operation is one of them. */
static inline bool emu_way_has(const struct emu_op *op)
{
    return emu_sync_changes(op) || op->sync == EMU_SYNC_LOOK || op->sync == EMU_SYNC_WAIT;
}

/* Whether it matters that a thread stops there: before a change, and behind one, at whatever it does next. */
static inline bool emu_way_matters(const struct emu_way *w, const struct emu_op *op)
{
    return emu_sync_changes(op) || (w->last && emu_sync_changes(w->last));
}

/* The thread executes it. */
static inline void emu_way_on(struct emu_way *w, const struct emu_op *op)
{
    w->counted += emu_way_matters(w, op);
    w->all += op != w->last;
    w->last = op;
}

/* A number for the object of an operation, the same for all threads of the grid that mean the same object; of an access
 * of memory it is the generic address, with the CTA's rank where that is in shared memory. */
uint64_t emu_sync_object(const struct emu_thread *t, const struct emu_op *op);
/* Whether it is in global memory, where other clusters reach it. */
bool emu_sync_is_global(uint64_t object);
/* Whether the operation is one of an mbarrier. */
bool emu_sync_is_of_mbarrier(const struct emu_op *op);
/* The CTA and the offset there of an object in shared memory; NULL: no CTA of the cluster has it. */
struct emu_cta *emu_sync_cta(struct emu_cluster *c, uint64_t object, uint64_t *offset);

#endif
// SPDX-License-Identifier: Apache-2.0
