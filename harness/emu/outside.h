/* A launch that waits for somebody outside, while others run on its machine. emu.c includes it. */
#ifndef COPYCHECK_EMU_OUTSIDE_H
#define COPYCHECK_EMU_OUTSIDE_H

#include "harness/emu/machine/state.h"

/* Of a launch: the option `outside` as its user set it. It lives as long as the launch. */
struct emu_outside {
    struct emu *machine;
    bool (*call)(bool got_on, void *state);
    void *state;
};

/* The machine's options are those of a launch that begins. While it waits for somebody outside, the machine is as if it
 * had not begun, so that further launches may run from first to last, or wait as well. */
void emu_outside_begin(struct emu_outside *o, struct emu *e);

#endif
// SPDX-License-Identifier: Apache-2.0
