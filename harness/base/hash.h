/* FNV-1a with 64 bits (Fowler, Noll, Vo): digests of records, and keys of hash tables. */
#ifndef COPYCHECK_HASH_H
#define COPYCHECK_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FNV1A_BASIS UINT64_C(0xCBF29CE484222325)

/* The hash of the bytes so far, `hash` (FNV1A_BASIS where there are none), and these. */
static inline uint64_t fnv1a(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001B3);
    return hash;
}

#endif
// SPDX-License-Identifier: Apache-2.0
