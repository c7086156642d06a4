/* How many bytes a tile load signals: the phase completes with exactly the number, and leaves the next one clean. */
#include <string.h>

#include "kernels/tensor.h"
#include "tests/tensor/box.h"

/* Launches tensor_count for one load of the box, expecting `expect` bytes; returns the timeouts. */
static uint32_t count(struct ck *t, const struct box *b, uint32_t expect)
{
    struct tensor_count_args a = { .out = b->image.device,
                                   .bytes = b->image_bytes,
                                   .expect = expect,
                                   .rank = (uint32_t)b->map.rank,
                                   .loads = 1,
                                   .offset = { b->offset } };

    memcpy(a.corner[0], b->corner, sizeof a.corner[0]);
    ck_encode(t, &b->map, b->tensor, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "tensor_count",
                                      .block = { 128 },
                                      .smem = b->image_bytes + 16,
                                      .args = &a,
                                      .size = sizeof a,
                                      .may_hang = true });
    return ck_timeouts(t);
}

/* A load of each type and rank signals the bytes of its box. */
static void whole_box(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    const struct box b = box_to_load(t, &map);
    uint32_t expect = (uint32_t)tensor_tile_bytes(&map);

    if (ck_variant(t, "less"))
        expect -= 16;
    if (ck_variant(t, "more"))
        expect += 16;
    ck_expect(t, "timeouts", count(t, &b, expect), 0);
    ck_equal(t, b.image, box_loaded(t, &b));
}

/* Part or all of the box lies outside the tensor: records whether the load signals the bytes of the full box. */
static void outside(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U32, (int)ck_int(t, "rank"));
    struct box b = box_to_load(t, &map);
    uint32_t timeouts;

    for (int i = 0; i < map.rank; i++)
        if (ck_is(t, "dim", "all") || ck_is(t, "dim", i == 0 ? "first" : i + 1 == map.rank ? "last" : ""))
            box_over(&map, b.corner, i, ck_word(t, "side"));
    timeouts = count(t, &b, (uint32_t)tensor_tile_bytes(&map));
    ck_see(t, "%s",
           timeouts == 0   ? "the full box is signalled"
           : timeouts == 1 ? "fewer bytes are signalled"
                           : "more bytes are signalled");
    ck_equal(t, b.image, box_loaded(t, &b));
}

static bool dims_differ(struct ck *t)
{
    return ck_int(t, "rank") > 1 || ck_is(t, "dim", "first");
}

/* A load with element strides signals the bytes of the elements that it takes. */
static void strided(struct ck *t)
{
    struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank")), dense;
    uint32_t expect;
    struct box b;

    map.box[1] = 7;
    dense = map;
    map.element_strides[map.rank - 1] = (uint32_t)ck_int(t, "stride");
    map.element_strides[1] = (uint32_t)ck_int(t, "stride");
    b = box_to_load(t, &map);
    expect = (uint32_t)tensor_tile_bytes(&map);
    if (ck_variant(t, "less"))
        expect -= 16;
    if (ck_variant(t, "whole-box"))
        expect = (uint32_t)tensor_tile_bytes(&dense);
    ck_expect(t, "timeouts", count(t, &b, expect), 0);
    ck_equal(t, b.image, box_loaded(t, &b));
}

/* Several tile loads and a bulk copy may count on one phase, which completes with the last of their bytes. */
static void several(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U8, 3);
    const uint32_t tile = (uint32_t)tensor_tile_bytes(&map), loads = (uint32_t)ck_int(t, "loads");
    const uint32_t bulk = (uint32_t)ck_int(t, "bulk"), pitch = (tile + 127) / 128 * 128;
    const uint32_t bytes = TENSOR_LOADS * pitch + 512;
    const struct ck_buf tensor = ck_input(t, box_extent(&map)), from = ck_input(t, 512), out = ck_output(t, bytes);
    unsigned char *expected = ck_alloc(t, bytes);
    struct tensor_count_args a = { .out = out.device,
                                   .bytes = bytes,
                                   .expect = loads * tile + bulk,
                                   .rank = 3,
                                   .loads = loads,
                                   .bulk_from = from.device,
                                   .bulk_bytes = bulk,
                                   .bulk_offset = TENSOR_LOADS * pitch };

    memset(expected, CK_POISON, bytes);
    for (uint32_t i = 0; i < loads; i++) {
        box_inside(&map, a.corner[i]);
        a.corner[i][1] = (int32_t)i;
        a.offset[i] = i * pitch;
        oracle_tile_load(&map, tensor.host, a.corner[i], expected, a.offset[i]);
    }
    memcpy(expected + a.bulk_offset, from.host, bulk);
    if (ck_variant(t, "one-less"))
        a.expect -= tile;
    ck_encode(t, &map, tensor, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "tensor_count",
                                      .block = { 128 },
                                      .smem = bytes + 16,
                                      .args = &a,
                                      .size = sizeof a,
                                      .may_hang = true });
    ck_expect(t, "timeouts", ck_timeouts(t), 0);
    ck_equal(t, out, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_tx_full_box), .run = whole_box,
      .axes = { { "rank", "1..5" }, { "type", "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz" } },
      .mutants = { { "less", "expect 16 bytes less" }, { "more", "expect 16 bytes more" } } },
    { CK_RULE(tensor_tx_oob_counts), .run = outside,
      .axes = { { "rank", "1..5" }, { "dim", "first last all" }, { "side", "low high below above" } },
      .valid = dims_differ },
    { CK_RULE(tensor_tx_strided), .run = strided, .axes = { { "rank", "2..4" }, { "stride", "1..8" } },
      .mutants = { { "less", "expect 16 bytes less" },
                   { "whole-box", "expect the bytes of the box without strides", .only = "stride=2/3/4/5/6/7/8" } } },
    { CK_RULE(tensor_tx_many), .run = several, .axes = { { "loads", "1..4" }, { "bulk", "0 16 512" } },
      .mutants = { { "one-less", "expect one tile less" } } },
    { 0 }
};

const struct ck_suite tensor_signal = { "tensor/signal", cases };
// SPDX-License-Identifier: Apache-2.0
