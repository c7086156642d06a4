/* Grids that threads of a grid launch, and copies that they put into streams: CUDA's dynamic parallelism. A launch only
 * notes such a grid; it runs when the grid that launched it has ended, which is one of the times at which a device may
 * run it. */
#ifndef COPYCHECK_EMU_MACHINE_CHILDREN_H
#define COPYCHECK_EMU_MACHINE_CHILDREN_H

#include "harness/emu/machine/state.h"

struct emu_child {
    const struct ptx_function *entry;
    uint32_t grid[3], block[3], smem; /* CTAs, threads, bytes */
    uint64_t buffer;                  /* address of its parameters, while the launch is prepared */
    unsigned char *params;            /* what they were at the launch, entry->param_bytes; NULL: not launched yet */
    bool tail;                        /* it begins when all else that its parent launched has ended */
    void *order;                      /* the judge's own */
    /* Where there is no entry: a copy of `bytes` bytes, or a fill with `value` where `from` is 0. */
    uint64_t to, from, bytes;
    uint8_t value;
};

/* In order of their buffers' making. */
struct emu_children {
    struct emu_child *all;
    size_t count, room;
    uint64_t at, used; /* the region that holds the buffers, 0: none yet; bytes taken */
};

/* A buffer for a grid's parameters in global memory: its address, 0 where there is no room. */
uint64_t emu_child_prepare(struct emu *e, const struct emu_child *child);
/* Whether the address lies where these buffers do, which are given out again when a grid's children run. */
bool emu_child_is_buffer(const struct emu *e, uint64_t address);
/* Launches the grid of this buffer: its place in the list, until the next one is prepared. NULL where there is none
 * that waits to be launched. */
struct emu_child *emu_child_launch(struct emu *e, uint64_t buffer, bool tail);

/* Puts a copy or a fill behind what was launched; false where there is no room. */
bool emu_child_copy(struct emu *e, const struct emu_child *copy);
/* Carries it out; false where the bytes do not lie in one allocation. */
bool emu_child_move(struct emu *e, const struct emu_child *copy);
/* The address of the text "no error"; 0 where there is no room. */
uint64_t emu_child_no_error(struct emu *e);

/* What has been launched since the last call; emu_children_end frees the list and its parameters. */
struct emu_children emu_children_take(struct emu *e);
void emu_children_end(struct emu_children *c);
void emu_children_free(struct emu *e);

#endif
// SPDX-License-Identifier: Apache-2.0
