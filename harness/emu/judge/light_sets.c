/* Sets of warps, in place of the number of a thread in a record: of several warps it says which. */
#include <stdlib.h>

#include "harness/emu/judge/light_records.h"

enum { PLACES = 2 * LIGHT_SETS_MOST };

struct light_sets {
    uint32_t count;
    uint32_t warps[LIGHT_SETS_MOST]; /* bits */
    uint16_t places[PLACES];         /* hashed by bits: a set's index plus 1; 0: none */
};

uint32_t light_set_warps(const struct light *l, uint32_t who)
{
    if (who == LIGHT_MANY)
        return UINT32_MAX;
    return who >= LIGHT_SETS ? l->sets->warps[who - LIGHT_SETS] : 1u << light_warp_of(who);
}

uint32_t light_set_of(struct light *l, uint32_t by, uint32_t who)
{
    struct light_sets *s = l->sets;
    uint32_t warps, k;

    if (by == LIGHT_MANY || who == LIGHT_MANY || (by >= LIGHT_BARS && by < LIGHT_SETS))
        return LIGHT_MANY;
    if (!s)
        s = l->sets = calloc(1, sizeof *s);
    if (!s)
        return LIGHT_MANY;
    warps = light_set_warps(l, by) | light_set_warps(l, who);
    for (k = warps * 0x9E3779B9u % PLACES; s->places[k]; k = (k + 1) % PLACES)
        if (s->warps[s->places[k] - 1] == warps)
            return LIGHT_SETS + s->places[k] - 1;
    if (s->count == LIGHT_SETS_MOST)
        return LIGHT_MANY;
    s->warps[s->count++] = warps;
    s->places[k] = (uint16_t)s->count;
    return LIGHT_SETS + s->count - 1;
}
// SPDX-License-Identifier: Apache-2.0
