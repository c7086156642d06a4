/* What is asked of all lanes of a warp at once. */
#include "harness/emu/machine/lanes.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

static inline __attribute__((always_inline)) uint32_t lanes_true(const uint64_t *p)
{
    uint64_t set = 0;

    EMU_EACH_LANE
    {
        set |= (uint64_t)(p[lane] != 0) << lane;
    }
    return (uint32_t)set;
}

#ifdef __x86_64__
/* Four lanes at a time: the bit of each is the sign of whether it is 0. */
EMU_AVX2 static uint32_t lanes_true_avx2(const uint64_t *p)
{
    uint32_t none = 0;

    for (unsigned lane = 0; lane < EMU_WARP; lane += 4) {
        const __m256i four = _mm256_loadu_si256((const __m256i *)(const void *)(p + lane));
        const __m256i zeros = _mm256_cmpeq_epi64(four, _mm256_setzero_si256());
        none |= (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(zeros)) << lane;
    }
    return ~none;
}
#endif

uint32_t emu_lanes_true(const uint64_t *p)
{
    EMU_IF_AVX2(if (emu_has_avx2()) return lanes_true_avx2(p);)
    return lanes_true(p);
}
// SPDX-License-Identifier: Apache-2.0
