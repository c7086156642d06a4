/* L05: an mbarrier expects bytes, and a bulk copy takes them sixteen at a time. */
#include "harness/lab/lab.h"

enum { TILE = 256, THREADS = 64, PIECE = 16 };

static void prepare(struct lab_launch *l)
{
    const uint32_t tiles = lab_draw(l, 1, 3, 1);
    const uint32_t more = lab_draw(l, 0, TILE - 1, 1);
    /* The first size is one whole tile. In all others an odd number of floats is left for the last CTA. */
    const uint32_t rest = more ? more | 1 : 0;
    const uint32_t n = tiles * TILE + rest;
    const float factor = (float)lab_draw(l, 2, 9, 1);
    const float *in = lab_floats(l, n);
    float *out = lab_room(l, n * sizeof *out);

    for (uint32_t i = 0; i < n; i++)
        out[i] = factor * in[i];
    lab_grid(l, tiles + (rest > 0), 1, 1);
    lab_block(l, THREADS, 1, 1);
    lab_out(l, out, n * sizeof *out, 0);
    lab_in(l, in, n * sizeof *in);
    lab_f32(l, factor);
    lab_u32(l, n);

    lab_at_least(l, LAB_BULK_LOAD_BYTES, n * sizeof *in / PIECE * PIECE,
                 "all whole pieces of 16 bytes must be loaded by bulk copies");
    lab_at_most(l, LAB_LOADS_BYTES, PIECE, "the threads may load the last floats only, fewer than 16 bytes");
    lab_remark(
        l, LAB_BARRIERS, tiles + (rest > 0),
        "one __syncthreads in each CTA is enough, after the init: each thread waits for the bytes at the mbarrier");
}

const struct lab lab_l05 = {
    .id = "L05",
    .folder = "L05-bulk-bytes",
    .file = "bulk.cu",
    .title = "What a bulk copy counts",
    .kernel = "scale",
    .prepare = { prepare },
};
// SPDX-License-Identifier: Apache-2.0
