/* What is asked of all lanes of a warp at once. */
#include "harness/emu/machine/lanes.h"

static inline __attribute__((always_inline)) uint32_t lanes_true(const uint64_t *p)
{
    uint64_t set = 0;

    EMU_EACH_LANE
    {
        set |= (uint64_t)(p[lane] != 0) << lane;
    }
    return (uint32_t)set;
}

EMU_IF_AVX2(EMU_AVX2 static uint32_t lanes_true_avx2(const uint64_t *p) { return lanes_true(p); })

uint32_t emu_lanes_true(const uint64_t *p)
{
    EMU_IF_AVX2(if (emu_has_avx2()) return lanes_true_avx2(p);)
    return lanes_true(p);
}
// SPDX-License-Identifier: Apache-2.0
