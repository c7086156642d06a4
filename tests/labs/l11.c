/* L11: a copy to both blocks of a cluster, and the other block's shared memory. */
#include "harness/lab/lab.h"

enum { PIECE = 64, BLOCKS = 2 }; /* samples of a cluster, and threads of a block; blocks of a cluster */

static void prepare(struct lab_launch *l)
{
    const uint32_t pieces = lab_draw(l, 1, 4, 1), n = pieces * PIECE;
    const float *fade = lab_floats(l, n), *left = lab_floats(l, n), *right = lab_floats(l, n);
    float *mixed = lab_room(l, n * sizeof *mixed);

    for (uint32_t i = 0; i < n; i++)
        mixed[i] = fade[i] * left[i] + fade[i] * right[i];
    lab_grid(l, BLOCKS * pieces, 1, 1);
    lab_cluster(l, BLOCKS);
    lab_block(l, PIECE, 1, 1);
    lab_in(l, fade, n * sizeof *fade);
    lab_in(l, left, n * sizeof *left);
    lab_in(l, right, n * sizeof *right);
    lab_out(l, mixed, n * sizeof *mixed, 0);

    lab_at_least(l, LAB_MULTICASTS, pieces, "each piece of `fade` must be loaded by one copy to both blocks");
    lab_at_least(l, LAB_REMOTE_BYTES, n * sizeof *mixed,
                 "one of the blocks must read what the other one has in its shared memory");
    lab_at_most(l, LAB_LOADS_BYTES, BLOCKS * n * sizeof *left, "the threads load the channels only, not `fade`");
    lab_remark(
        l, LAB_CLUSTER_BARRIERS, 3 * pieces,
        "three barriers of the cluster are enough: before the copy, before the other block's memory is read, and "
        "before that block ends");
}

const struct lab lab_l11 = {
    .id = "L11",
    .folder = "L11-cluster",
    .file = "cluster.cu",
    .title = "Two blocks, one copy",
    .kernel = "mix",
    .prepare = { prepare },
};
// SPDX-License-Identifier: Apache-2.0
