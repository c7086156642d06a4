/* Loops over the lanes of a warp that the compiler turns into vector code: for the machine that the program is built
 * for, and for one with AVX2, chosen when the program runs. */
#ifndef COPYCHECK_EMU_MACHINE_LANES_H
#define COPYCHECK_EMU_MACHINE_LANES_H

#include "harness/emu/machine/op.h"

/* No iteration of the loop that follows depends on another one: registers of different lanes never overlap. Clang, told
 * so, warns of each loop that it makes no vector code of all the same. */
#ifdef __clang__
#define EMU_EACH(k, n) for (unsigned k = 0; k < (n); k++)
#else
#define EMU_EACH(k, n) _Pragma("GCC ivdep") _Pragma("GCC unroll 4") for (unsigned k = 0; k < (n); k++)
#endif
#define EMU_EACH_LANE EMU_EACH(lane, EMU_WARP)

#ifdef __x86_64__
#define EMU_AVX2          __attribute__((target("avx2,fma")))
#define EMU_IF_AVX2(text) text
#else
#define EMU_AVX2
#define EMU_IF_AVX2(text)
#endif

/* Whether this machine runs functions that are EMU_AVX2. */
static inline bool emu_has_avx2(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}
/* How many lanes are in a set: mostly all or none, and to count others takes a call on a machine that need not have an
 * instruction for it. */
static inline uint32_t emu_lanes_count(uint32_t set)
{
    if (set == UINT32_MAX)
        return EMU_WARP;
    return set ? (uint32_t)__builtin_popcount(set) : 0;
}
/* Those lanes whose value in a slot, p, is not 0. */
uint32_t emu_lanes_true(const uint64_t *p);

#endif
// SPDX-License-Identifier: Apache-2.0
