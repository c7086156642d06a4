/* L01: tiles are brought by cp.async and written back to front. */
#include "harness/lab/lab.h"

#include <stddef.h>
#include <stdint.h>

static void reverse(struct lab_launch *l)
{
    const uint32_t threads = lab_draw(l, 64, 128, 32), tiles = lab_draw(l, 1, 3, 1);
    const size_t size = 4 * (size_t)threads, count = size * tiles;
    const float *in = lab_floats(l, count);
    float *expected = lab_room(l, count * sizeof *expected);

    for (size_t i = 0; i < count; i++)
        expected[i] = in[i / size * size + (size - 1 - i % size)];

    lab_grid(l, tiles, 1, 1);
    lab_block(l, threads, 1, 1);
    lab_out(l, expected, count * sizeof *expected, 0);
    lab_look(l, "The whole tile is to be reversed: a thread writes floats that other threads have copied.");
    lab_in(l, in, count * sizeof *in);
    lab_at_least(l, LAB_CP_ASYNC_BYTES, count * sizeof *in, "the tile must be brought to shared memory by cp.async");
    lab_at_most(l, LAB_LOADS_BYTES, 0, "no thread needs to load from `in` itself: cp.async brings all of it");
    lab_remark(l, LAB_BARRIERS, tiles, "one __syncthreads() a tile is enough");
}

const struct lab lab_l01 = {
    .id = "L01",
    .folder = "L01-first-copy",
    .file = "reverse.cu",
    .title = "The first asynchronous copy",
    .kernel = "reverse",
    .prepare = { reverse },
};
// SPDX-License-Identifier: Apache-2.0
