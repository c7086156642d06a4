/* What lanes of a warp have overwritten of their own memory, so that it can be put back. */
#ifndef COPYCHECK_EMU_MACHINE_OVERWRITTEN_H
#define COPYCHECK_EMU_MACHINE_OVERWRITTEN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/emu/machine/pattern.h"

struct emu_overwritten {
    struct emu_bytes_before {
        unsigned char *at, old[EMU_PATTERN_BYTES];
        unsigned n;
    } * of; /* in the order of writes */
    size_t count, room;
};

/* Bytes are about to be written, EMU_PATTERN_BYTES at most. False: memory is short. */
bool emu_overwritten_keep(struct emu_overwritten *o, unsigned char *at, unsigned n);
/* Puts all of them back; none is kept then. */
void emu_overwritten_back(struct emu_overwritten *o);

#endif
// SPDX-License-Identifier: Apache-2.0
