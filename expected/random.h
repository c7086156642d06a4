/* SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
#ifndef COPYCHECK_RANDOM_H
#define COPYCHECK_RANDOM_H

#include <stdint.h>

#define SPLITMIX64_STEP UINT64_C(0x9E3779B97F4A7C15)

/* The random number of the state `x`; of a counter, a hash of it. */
static inline uint64_t splitmix64(uint64_t x)
{
    x += SPLITMIX64_STEP;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* The next number of the sequence; *state moves on. */
static inline uint64_t splitmix64_next(uint64_t *state)
{
    const uint64_t number = splitmix64(*state);

    *state += SPLITMIX64_STEP;
    return number;
}

/* A random number below n, which is not 0; *state moves on. */
static inline uint32_t splitmix64_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(splitmix64_next(state) % n);
}

#endif
// SPDX-License-Identifier: Apache-2.0
