/* What lanes have overwritten of their own memory. */
#include "harness/emu/machine/overwritten.h"

#include <string.h>

#include "harness/base/room.h"

bool emu_overwritten_keep(struct emu_overwritten *o, unsigned char *at, unsigned n)
{
    struct emu_bytes_before *of = ck_room(o->of, o->count, &o->room, 256, sizeof *of);

    if (!of)
        return false;
    o->of = of;
    of[o->count].at = at;
    of[o->count].n = n;
    memcpy(of[o->count].old, at, n);
    o->count++;
    return true;
}

void emu_overwritten_back(struct emu_overwritten *o)
{
    while (o->count) {
        const struct emu_bytes_before *last = &o->of[--o->count];
        memcpy(last->at, last->old, last->n);
    }
}
// SPDX-License-Identifier: Apache-2.0
