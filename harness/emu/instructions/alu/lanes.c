/* Which handler of a warp does what a handler of a thread does. */
#include "harness/emu/instructions/alu/lanes.h"

#include <pthread.h>

#include "harness/emu/instructions/alu/alu.h"

#ifdef __wasm__
emu_lanes *alu_lanes(emu_handler *run)
{
    (void)run;
    return NULL; /* lane by lane, as any instruction that has no other handler */
}
#else

/* All that EMU_LANES has made: the linker puts them together, and names the place. */
extern const struct emu_lanes_of *const __start_emu_lanes[], *const __stop_emu_lanes[];

/* The same, hashed by the thread's handler; at most half of the slots are taken. */
enum { SLOT_BITS = 12, SLOTS = 1 << SLOT_BITS };
static const struct emu_lanes_of *slots[SLOTS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static size_t slot_of(emu_handler *run)
{
    size_t k = (size_t)((uint64_t)(uintptr_t)run * 0x9E3779B97F4A7C15u >> (64 - SLOT_BITS));

    while (slots[k] && slots[k]->run != run)
        k = (k + 1) % SLOTS;
    return k;
}

static void fill(void)
{
    /* cppcheck-suppress comparePointers -- both ends of one section */
    for (const struct emu_lanes_of *const *l = __start_emu_lanes; l < __stop_emu_lanes; l++)
        slots[slot_of((*l)->run)] = *l;
}

emu_lanes *alu_lanes(emu_handler *run)
{
    const struct emu_lanes_of *l;

    pthread_once(&once, fill);
    l = slots[slot_of(run)];
    return !l ? NULL : l->avx2 && emu_has_avx2() ? l->avx2 : l->any;
}

#endif
// SPDX-License-Identifier: Apache-2.0
