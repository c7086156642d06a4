/* Tile-space loads: what a partition view returns. */
#include <string.h>

#include "harness/ck.h"

enum { ROWS = 10, COLUMNS = 16, HIGH = 2, WIDE = 4 };

struct view_args {
    struct ck_head head;
    uint64_t in, out;
    int rows, columns, row, column;
};

/* Every tile of a 10 by 16 array is loaded: row r, column c of tile (i, j) is the array's element (2i + r, 4j + c). */
static void tile_at_index(struct ck *t)
{
    const struct ck_buf in = ck_input(t, ROWS * COLUMNS * 4), out = ck_output(t, HIGH * WIDE * 4);
    struct view_args a = { .in = in.device, .out = out.device, .rows = ROWS, .columns = COLUMNS };
    float *expected = ck_alloc(t, HIGH * WIDE * 4);

    a.row = (int)ck_int(t, "row");
    a.column = (int)ck_int(t, "column");
    for (int r = 0; r < HIGH; r++)
        memcpy(expected + r * WIDE, in.host + ((a.row * HIGH + r) * COLUMNS + a.column * WIDE) * 4, WIDE * 4);
    if (ck_variant(t, "next"))
        a.column = (a.column + 1) % (COLUMNS / WIDE);
    ck_launch(t, &(struct ck_launch){ .kernel = "view_load_2x4", .members = true, .args = &a, .size = sizeof a });
    ck_equal(t, out, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(tile_load_identity), .run = tile_at_index, .axes = { { "row", "0..4" }, { "column", "0..3" } },
      .mutants = { { "next", "load the next tile of the row" } } },
    { 0 },
};

const struct ck_suite suite_cuda_tile_view = { "cuda_tile_view", cases };
// SPDX-License-Identifier: Apache-2.0
