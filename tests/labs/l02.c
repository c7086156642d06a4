/* L02: sums of columns, by a pipeline of three stages. */
#include "harness/lab/lab.h"

#include <stddef.h>
#include <stdint.h>

static void column_sums(struct lab_launch *l)
{
    const uint32_t threads = lab_draw(l, 32, 64, 32), rows = lab_draw(l, 1, 2, 1), tiles = lab_draw(l, 4, 6, 1);
    const size_t row = 4 * (size_t)threads * tiles, count = rows * row;
    const float *in = lab_floats(l, count);
    float *sums = lab_room(l, rows * threads * sizeof *sums);

    for (size_t i = 0; i < count; i++)
        sums[i / row * threads + i % threads] += in[i];

    lab_grid(l, rows, 1, 1);
    lab_block(l, threads, 1, 1);
    lab_out(l, sums, rows * threads * sizeof *sums, 0);
    lab_in(l, in, count * sizeof *in);
    lab_u32(l, tiles);
    lab_at_least(l, LAB_CP_ASYNC_BYTES, count * sizeof *in, "each tile must be brought to shared memory by cp.async");
    lab_at_most(l, LAB_LOADS_BYTES, 0, "no thread needs to load from `in` itself: cp.async brings all of it");
    lab_remark(l, LAB_FULL_WAITS, (uint64_t)threads * rows,
               "waits that leave no group in flight: the next tile does not come while the threads work");
    lab_remark(l, LAB_BARRIERS, (uint64_t)tiles * rows, "one __syncthreads() in each round is enough");
}

const struct lab lab_l02 = {
    .id = "L02",
    .folder = "L02-counting-groups",
    .file = "pipeline.cu",
    .title = "Counting groups",
    .kernel = "column_sums",
    .prepare = { column_sums },
};
// SPDX-License-Identifier: Apache-2.0
