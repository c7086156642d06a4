/* L09: bulk stores through one buffer; the groups that are waited for belong to the thread that issued them. */
#include "harness/lab/lab.h"

enum { TILE = 128 }; /* floats of a tile, and threads */

static void prepare(struct lab_launch *l)
{
    const uint32_t tiles = lab_draw(l, 3, 7, 1), n = tiles * TILE;
    const float *in = lab_floats(l, n);
    float *out = lab_room(l, n * sizeof *out);

    for (uint32_t i = 0; i < n; i++)
        out[i] = in[i] * in[i] * in[i];
    lab_block(l, TILE, 1, 1);
    lab_in(l, in, n * sizeof *in);
    lab_out(l, out, n * sizeof *out, 0);
    lab_u32(l, tiles);

    lab_at_least(l, LAB_BULK_STORE_BYTES, n * sizeof *out, "each tile must be stored by a bulk copy");
    lab_remark(l, LAB_BARRIERS, 2 * tiles + 1,
               "two barriers a round are enough: one before the store, one behind the wait for it");
    lab_remark(
        l, LAB_GROUP_WAITS, tiles + 1,
        "one wait a tile is enough, by the thread that has issued its store: a thread that has issued nothing has "
        "no groups to wait for");
}

const struct lab lab_l09 = {
    .id = "L09",
    .folder = "L09-whose-group",
    .file = "groups.cu",
    .title = "Whose group is it?",
    .kernel = "cube",
    .prepare = { prepare },
};
// SPDX-License-Identifier: Apache-2.0
