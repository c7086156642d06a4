/* What the cases of the bulk families share. */
#ifndef COPYCHECK_BULK_IMAGE_H
#define COPYCHECK_BULK_IMAGE_H

#include <string.h>

#include "harness/ck.h"

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

static inline uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

#endif
