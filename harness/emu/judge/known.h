/* What threads know of one another and of copies; where they are. */
#ifndef COPYCHECK_EMU_JUDGE_KNOWN_H
#define COPYCHECK_EMU_JUDGE_KNOWN_H

#include "harness/emu/judge/state.h"

/* The checker of the thread's cluster; NULL: nothing is checked. */
static inline struct order *order_of(const struct emu_thread *t)
{
    struct order *o = t->cta->cluster->order;

    return o && !o->failed ? o : NULL;
}

/* The thread's number in its cluster; its components in the cluster's clocks. */
static inline uint32_t order_number(const struct order *o, const struct emu_thread *t)
{
    return t->cta->rank * o->per_cta + t->index;
}
static inline uint32_t order_component(uint32_t thread, enum order_own own)
{
    return thread * OWN_COUNT + own;
}

/* What a thread of the cluster knows of a component of the cluster, or of a thread of the grid, by its number there. */
uint32_t order_known(const struct order *o, uint32_t thread, enum order_view view, uint32_t component);
uint32_t order_known_of(const struct order *o, uint32_t thread, enum order_view view, uint32_t who, enum order_own own);

/* The thread's last mbarrier wait, if it came true for a phase that the thread had already waited for: it ran ahead.
 * Else NULL. */
const struct ptx_instruction *order_stale_wait(const struct emu_thread *t);

/* How far a thread has come in its program, 0 where nothing is checked; whether this thread knows, by whatever means,
 * that another one has come so far. */
uint32_t order_epoch(const struct emu_thread *t);
bool order_knows(const struct emu_thread *t, const struct emu_thread *other, uint32_t epoch);

/* An instruction by its index in the module, PTX_NO for none; the one that the thread executes. */
uint32_t order_instruction(const struct order *o, const struct ptx_instruction *i);
uint32_t order_instruction_now(const struct order *o, const struct emu_thread *t);
/* The place of an access, for a finding: by a thread of the grid, or of the cluster, at an instruction. */
void order_place(const struct order *o, uint32_t who, uint32_t at, uint64_t key, uint64_t bytes, struct emu_place *out);
/* The same of a thread of any grid; how many threads a cluster of it has. */
void order_grid_place(const struct emu_grid *g, uint32_t who, uint32_t at, uint64_t key, uint64_t bytes,
                      struct emu_place *out);
uint32_t order_cluster_threads(const struct emu_grid *g);
void order_place_of(const struct order *o, uint32_t thread, uint32_t at, uint64_t key, uint64_t bytes,
                    struct emu_place *out);
/* Bytes from a key of the shadow on, in words: "bytes 4 to 7 of --arg 1". */
void order_bytes_words(const struct order *o, uint64_t key, uint64_t bytes, char *out, size_t size);
/* How large the allocation of an address is: " (of 4096 bytes)"; "" where there is none. */
void order_allocation_words(const struct order *o, uint64_t key, char *out, size_t size);

/* A byte of shared memory that is the system's, where the program knows that there is such a part: cooperative groups
 * have barriers there. */
bool order_is_systems(const struct order *o, uint64_t key);

#endif
// SPDX-License-Identifier: Apache-2.0
