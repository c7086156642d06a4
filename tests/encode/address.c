/* cuTensorMapReplaceAddress: what it changes, and which addresses it takes. */
#include <string.h>

#include "tests/im2col/column.h"
#include "tests/tensor/box.h"

/* The map of one tensor, moved to another one of the same shape: a load brings the other one's tile. */
static void moved_box(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    const struct box first = box_to_load(t, &map);
    struct box b = box_to_load(t, &map);
    struct tile_load_args a = box_load_args(t, &first);
    const unsigned char *const want = box_loaded(t, &b);

    if (!ck_variant(t, "keep"))
        ck_expect(t, "code", (uint64_t)ck_replace_address(t, &a.map, b.tensor.device + map.address), 0);
    a.out = b.image.device;
    ck_launch(t,
              &(struct ck_launch){
                  .kernel = "tile_load", .block = { 128 }, .smem = b.image_bytes + 16, .args = &a, .size = sizeof a });
    ck_equal(t, b.image, want);
}

/* The same of an im2col map. */
static void moved_column(struct ck *t)
{
    const struct column c = column_make(box_type(t), (int)ck_int(t, "rank"));
    const size_t size = column_extent(&c.map, 3);
    const struct ck_buf first = ck_input(t, size), second = ck_input(t, size);
    const struct ck_buf image = ck_output(t, column_image(&c.map));
    unsigned char *want = ck_alloc(t, image.size);
    struct im2col_args a = column_args(t, &c, first, image);

    memset(want, CK_POISON, image.size);
    oracle_tile_load(&c.map, second.host, c.corner, want, COLUMN_OFFSET);
    if (!ck_variant(t, "keep"))
        ck_expect(t, "code", (uint64_t)ck_replace_address(t, &a.map, second.device), 0);
    column_launch(t, "im2col_load", &a);
    ck_equal(t, image, want);
}

/* An address is accepted if the encode call would have accepted it: a multiple of 16, or of 32. */
static void alignment(struct ck *t)
{
    const uint64_t unit = ck_is(t, "interleave", "32B") ? 32 : 16;
    struct tensor_map map = tensor_map_default(TENSOR_F16, ck_int(t, "rank"));
    uint64_t address = 0x10000 + (uint64_t)ck_int(t, "offset");
    struct ck_tmap object;
    long code;

    map.address = 0x20000;
    map.interleave = unit == 32                      ? TENSOR_INTERLEAVE_32B
                     : ck_is(t, "interleave", "16B") ? TENSOR_INTERLEAVE_16B
                                                     : TENSOR_INTERLEAVE_NONE;
    map.swizzle = unit == 32 ? TENSOR_SWIZZLE_32B : TENSOR_SWIZZLE_NONE;
    if (ck_is(t, "mode", "im2col"))
        map.mode = TENSOR_MODE_IM2COL;
    if (!ck_expect(t, "code of the encode call", (uint64_t)ck_encode_call(t, &map, &object, 0), 0))
        return;
    if (ck_variant(t, "by-half"))
        address += unit / 2;
    code = ck_replace_address(t, &object, address);
    ck_expect(t, "refused", code != 0, (0x10000 + (uint64_t)ck_int(t, "offset")) % unit != 0);
}

/* With interleave 32B cuda.h asks for a multiple of 32; the driver at hand may be content with 16. */
static void alignment_32(struct ck *t)
{
    struct tensor_map map = tensor_map_default(TENSOR_F16, ck_int(t, "rank"));
    struct ck_tmap object;

    map.address = 0x20000;
    map.interleave = TENSOR_INTERLEAVE_32B;
    map.swizzle = TENSOR_SWIZZLE_32B;
    if (ck_is(t, "mode", "im2col"))
        map.mode = TENSOR_MODE_IM2COL;
    if (!ck_expect(t, "code of the encode call", (uint64_t)ck_encode_call(t, &map, &object, 0), 0))
        return;
    ck_see(t, "%s", ck_replace_address(t, &object, 0x10000 + (uint64_t)ck_int(t, "offset")) ? "refused" : "accepted");
}

static bool not_half_of_32(struct ck *t)
{
    return !ck_is(t, "interleave", "32B") || ck_int(t, "offset") % 32 != 16;
}

/* A map object that lies anywhere in host memory. */
static void object_at(struct ck *t)
{
    const struct tensor_map map = tensor_map_default(TENSOR_F32, 2);
    _Alignas(128) unsigned char room[512];
    struct ck_tmap object;

    ck_encode_call(t, &map, &object, 0);
    memcpy(room + ck_int(t, "offset"), &object, sizeof object);
    ck_see(t, "%s", ck_replace_address(t, room + ck_int(t, "offset"), 0x10000) ? "refused" : "accepted");
}

#define TYPES "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16"

static const struct ck_case cases[] = {
    { CK_RULE(tmap_raddr_only_address), .run = moved_box, .axes = { { "rank", "1..5" }, { "type", TYPES } },
      .mutants = { { "keep", "replace nothing" } } },
    { CK_RULE(tmap_raddr_only_address), .name = "im2col", .run = moved_column,
      .axes = { { "rank", "3..5" }, { "type", TYPES } }, .mutants = { { "keep", "replace nothing" } } },
    { CK_RULE(tmap_raddr_align), .run = alignment,
      .axes = { { "rank", "3..5" },
                { "mode", "tile im2col" },
                { "interleave", "none 16B 32B" },
                { "offset", "0 1 2 4 8 15 16 24 32 40 48 64 4080 4096" } },
      .valid = not_half_of_32,
      .mutants = { { "by-half", "half a unit further", .only = "interleave=none/16B offset=0/32/64/4096" } } },
    { CK_RULE(tmap_raddr_align), .name = "interleave-32B", .run = alignment_32,
      .axes = { { "rank", "3..5" }, { "mode", "tile im2col" }, { "offset", "16 48 80 4080" } }, .seen_only = true },
    { CK_RULE(tmap_raddr_obj_align), .run = object_at, .axes = { { "offset", "0 1 2 4 8 16 32 48 64 96 128 192" } },
      .seen_only = true },
    { 0 }
};

const struct ck_suite encode_address = { "encode/address", cases };
// SPDX-License-Identifier: Apache-2.0
