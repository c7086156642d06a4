/* L08: ordinary stores fill a tile, and a bulk copy reads it through the other proxy. */
#include "harness/lab/lab.h"

enum { TILE = 256, THREADS = 64 };

static void prepare(struct lab_launch *l)
{
    const uint32_t tiles = lab_draw(l, 2, 5, 1), ctas = lab_draw(l, 1, 2, 1);
    const uint32_t n = tiles * TILE;
    const uint32_t *in = lab_words(l, n);
    uint32_t *out = lab_room(l, n * sizeof *out);

    for (uint32_t i = 0; i < n; i++)
        out[n - 1 - i] = in[i];
    lab_grid(l, ctas, 1, 1);
    lab_block(l, THREADS, 1, 1);
    lab_out(l, out, n * sizeof *out, 0);
    lab_in(l, in, n * sizeof *in);
    lab_u32(l, tiles);

    lab_at_least(l, LAB_BULK_STORE_BYTES, n * sizeof *out, "each tile must be stored by a bulk copy");
    lab_at_most(l, LAB_STORES_BYTES, 0, "the threads must not store into global memory themselves");
    lab_remark(l, LAB_BARRIERS, 2 * tiles,
               "two __syncthreads for each tile are enough: before the copy reads it, and before it is written again");
    lab_remark(l, LAB_PROXY_FENCES, (uint64_t)tiles * THREADS,
               "one proxy fence of each thread for each tile is enough: before the barrier, or of thread 0 behind it");
}

const struct lab lab_l08 = {
    .id = "L08",
    .folder = "L08-other-proxy",
    .file = "mirror.cu",
    .title = "The other proxy",
    .kernel = "mirror",
    .prepare = { prepare },
};
// SPDX-License-Identifier: Apache-2.0
