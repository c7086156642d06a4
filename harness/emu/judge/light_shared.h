/* What several have, and nobody changes while they do: its first member is how many have it, a uint32_t. */
#ifndef COPYCHECK_EMU_JUDGE_LIGHT_SHARED_H
#define COPYCHECK_EMU_JUDGE_LIGHT_SHARED_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One more has it; NULL is nothing. */
static inline void *light_share(void *of)
{
    if (of)
        ++*(uint32_t *)of;
    return of;
}

/* One has it no longer: NULL. */
static inline void *light_unshare(void *of)
{
    if (of && !--*(uint32_t *)of)
        free(of);
    return NULL;
}

/* What nobody else has, of these bytes, in place of what one has; all 0 in place of nothing. NULL: memory is short, and
 * it is gone. */
static inline void *light_own(void *of, size_t bytes)
{
    void *own;

    if (of && *(uint32_t *)of == 1)
        return of;
    own = of ? malloc(bytes) : calloc(1, bytes);
    if (own && of)
        memcpy(own, of, bytes);
    if (own)
        *(uint32_t *)own = 1;
    light_unshare(of);
    return own;
}

#endif
// SPDX-License-Identifier: Apache-2.0
