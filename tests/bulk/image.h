/* What the cases of the bulk families share. */
#ifndef COPYCHECK_BULK_IMAGE_H
#define COPYCHECK_BULK_IMAGE_H

#include <string.h>

#include "harness/ck.h"
#include "kernels/bulk.h"

/* The bytes that a poisoned image of this size holds before anything is copied into it. */
static inline unsigned char *poisoned(struct ck *t, size_t bytes)
{
    return memset(ck_alloc(t, bytes), CK_POISON, bytes);
}

/* How many of the bytes are not poison. */
static inline size_t touched(const unsigned char *bytes, size_t count)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += bytes[i] != CK_POISON;
    return n;
}

/* The cache policy that the axis `hint` names. */
static inline uint32_t hint_of(struct ck *t)
{
    static const char *const hints[] = {
        [BULK_NO_HINT] = "none",
        [BULK_EVICT_FIRST] = "evict-first",
        [BULK_EVICT_NORMAL] = "evict-normal",
        [BULK_EVICT_LAST] = "evict-last",
        [BULK_EVICT_UNCHANGED] = "evict-unchanged",
        [BULK_FRACTIONAL] = "fractional",
    };

    for (uint32_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (ck_is(t, "hint", hints[i]))
            return i;
    return BULK_NO_HINT;
}

/* The next multiple of `to`. */
static inline uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

/* ---- variants that several files have ---- */

#define SOURCE                                                                                                         \
    {                                                                                                                  \
        "source", "copy from 16 bytes further on"                                                                      \
    }

/* An address `n` bytes behind a multiple of 16; it may end the context. */
#define OFF(n)                                                                                                         \
    {                                                                                                                  \
        "off-" #n, "an address " #n " past a multiple of 16", .set = "offset=" #n, .only = "offset=0", .faults = true  \
    }

/* A size that is no multiple of 16. */
#define SIZE(n)                                                                                                        \
    {                                                                                                                  \
        "size-" #n, "a size of " #n, .set = "size=" #n, .only = "size=16"                                              \
    }

#endif
// SPDX-License-Identifier: Apache-2.0
