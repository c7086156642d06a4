/* An im2col load to several CTAs of a cluster. */
#include <string.h>

#include "tests/im2col/column.h"

/* Which CTAs: all, every other one from the first or second on, or the last alone. */
static uint32_t mask_of(struct ck *t, uint32_t count)
{
    const uint32_t all = (1u << count) - 1;

    return ck_is(t, "mask", "even")   ? all & 0x5555
           : ck_is(t, "mask", "odd")  ? all & 0xAAAA
           : ck_is(t, "mask", "last") ? 1u << (count - 1)
                                      : all;
}

/* Each CTA of the mask has the column and the signal; the others keep their poison. */
static void multicast(struct ck *t)
{
    const uint32_t count = (uint32_t)ck_int(t, "ctas"), mask = mask_of(t, count);
    const struct column right = column_make(TENSOR_U16, (int)ck_int(t, "rank"));
    struct column given = right;
    const struct ck_buf tensor = ck_input(t, column_extent(&right.map, 3));
    const size_t size = column_image(&right.map);
    const struct ck_buf images = ck_output(t, count * size);
    unsigned char *want = ck_alloc(t, images.size);
    struct im2col_args a;

    memset(want, CK_POISON, images.size);
    for (uint32_t i = 0; i < count; i++)
        if (mask >> i & 1)
            oracle_tile_load(&right.map, tensor.host, right.corner, want + i * size, COLUMN_OFFSET);
    if (ck_variant(t, "step"))
        given.corner[1]++;
    a = column_args(t, &given, tensor, images);
    a.bytes = (uint32_t)size;
    a.ctas = (uint16_t)mask;
    a.waiting = mask;
    a.hint = ck_is(t, "hint", "yes");
    if (ck_variant(t, "one"))
        a.ctas = 1;
    ck_launch(t, &(struct ck_launch){ .kernel = "im2col_multicast",
                                      .grid = { count },
                                      .cluster = { count },
                                      .block = { 128 },
                                      .smem = a.bytes + 16,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, images, want);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_i2c_multicast), .run = multicast,
      .axes = { { "rank", "3..5" }, { "ctas", "2 4 8" }, { "mask", "all even odd last" }, { "hint", "no yes" } },
      .mutants = { { "step", "start one position further" },
                   { "one", "a mask of the first CTA alone", .only = "rank=3 ctas=2 mask=all hint=no" } } },
    { 0 }
};

const struct ck_suite im2col_cluster = { "im2col/cluster", cases };
// SPDX-License-Identifier: Apache-2.0
