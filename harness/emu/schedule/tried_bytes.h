/* The bytes of a pattern of accesses. tried.c and tried_memory.c use it. */
#ifndef COPYCHECK_EMU_SCHEDULE_TRIED_BYTES_H
#define COPYCHECK_EMU_SCHEDULE_TRIED_BYTES_H

#include "harness/emu/machine/pattern.h"
#include "harness/emu/machine/state.h"

/* The host's memory behind a pattern, of lane 0, whether it takes part or not; NULL: it is not all there, or one thread
 * at a time must ask. Global memory is claimed; does not return where another cluster has it. The second one is asked
 * where the pattern does not lie in what was accessed last, or that has claims. */
static inline bool emu_near_has(const struct emu_near *near, uint64_t low, uint64_t end)
{
    return low - near->at < near->size && end - near->at <= near->size + EMU_NEAR_END;
}
unsigned char *emu_pattern_host_far(struct emu_thread *lanes, const struct emu_pattern *p, bool writes);
static inline unsigned char *emu_pattern_host(struct emu_thread *lanes, const struct emu_pattern *p, bool writes)
{
    const struct emu_near *near;

    if (p->cta)
        return p->end <= p->cta->shared_bytes ? p->cta->shared + p->address : NULL;
    near = emu_run_of(lanes)->near;
    if (near->claims.lines || !emu_near_has(near, p->low, p->end) || emu_machine_of(lanes)->prior)
        return emu_pattern_host_far(lanes, p, writes);
    return (unsigned char *)(uintptr_t)p->address;
}
/* Lanes of a set are about to load `size` bytes each, all of which lie between `low` and `end`, of global memory:
 * whether they are there. They are claimed; as above. */
bool emu_scattered_near(struct emu_thread *lanes, const uint64_t *at, uint32_t set, unsigned size, uint64_t low,
                        uint64_t end);
/* The pattern's lanes execute a common load or store, r being the slots of their warp. host: as above. A store returns
 * which of them leave all their bytes as they were. */
void emu_pattern_load(const struct emu_pattern *p, const unsigned char *host, const struct emu_op *op, uint64_t *r);
uint32_t emu_pattern_store(const struct emu_pattern *p, unsigned char *host, const struct emu_op *op,
                           const uint64_t *r);
/* What the lanes' bytes are, p->size of each lane one behind the other's; and back. */
void emu_pattern_keep(const struct emu_pattern *p, const unsigned char *host, unsigned char *kept);
void emu_pattern_back(const struct emu_pattern *p, unsigned char *host, const unsigned char *kept);

#endif
// SPDX-License-Identifier: Apache-2.0
