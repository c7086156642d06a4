/* Interleaved tensors (NC/8HWC8 and the like) with each swizzle. The documents do not say which argument is about what:
 * the oracle has what an H200 did, and these cases record whether a machine still does it. */
#include <stdio.h>
#include <string.h>

#include "kernels/tile.h"
#include "tests/swizzle/map.h"

/* A small interleaved tensor: dimension 0 counts slices, dimension rank-2 slices of channels. */
static struct tensor_map interleaved_map(struct ck *t)
{
    struct tensor_map map = { 0 };
    const uint64_t slice = ck_is(t, "interleave", "16B") ? 16 : 32;
    char words[160], error[200];
    uint64_t stride;

    snprintf(words, sizeof words, "type=%s", ck_word(t, "type"));
    if (!tensor_map_set(&map, words, error, sizeof error))
        ck_skip(t, "%s", error);
    map = tensor_map_default(map.type, ck_int(t, "rank"));
    snprintf(words, sizeof words, "interleave=%s swizzle=%s dims=9,5,4,3,3 box[1]=3 box[2]=2 box[3]=2 box[4]=2",
             ck_word(t, "interleave"), ck_word(t, "mode"));
    if (!tensor_map_set(&map, words, error, sizeof error))
        ck_skip(t, "%s", error);
    map.box[0] = (uint32_t)(32 / tensor_type_bytes(map.type, NULL)); /* the driver asks for whole 16 bytes */
    stride = map.dims[0] * slice + 32;
    for (int i = 1; i < map.rank; i++) {
        map.strides[i - 1] = stride;
        stride *= map.dims[i];
    }
    return map;
}

/* Coordinates of dimension 0 count slices, so that they need no step of 16 bytes. */
static void place_corner(struct ck *t, const struct tensor_map *map, int32_t corner[TENSOR_RANK_MAX])
{
    for (int i = 0; i < map->rank; i++) {
        corner[i] = i == 0 ? 0 : 1;
        if (ck_is(t, "corner", "low"))
            corner[i] = -1;
        if (ck_is(t, "corner", "high"))
            corner[i] = (int32_t)map->dims[i] - 1;
    }
    if (ck_is(t, "corner", "odd"))
        corner[0] = 1;
}

/* A load of an interleaved box: records whether slices arrive as the oracle has them. */
static void load(struct ck *t)
{
    const struct tensor_map map = interleaved_map(t);
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map)), image = ck_output(t, IMAGE);
    struct tile_load_args a = { .out = image.device, .bytes = IMAGE, .offset = 128, .rank = (uint32_t)map.rank };
    unsigned char *want = ck_alloc(t, IMAGE);
    enum ck_end end;

    place_corner(t, &map, a.corner);
    a.expect = (uint32_t)tensor_tile_bytes(&map);
    memset(want, CK_POISON, IMAGE);
    oracle_tile_load(&map, src.host, a.corner, want, a.offset);
    ck_encode(t, &map, src, &a.map);
    end = ck_launch(t, &(struct ck_launch){ .kernel = "tile_load",
                                            .block = { 128 },
                                            .smem = IMAGE + BARRIER,
                                            .args = &a,
                                            .size = sizeof a,
                                            .may_hang = true });
    if (end != CK_DONE)
        return;
    ck_see(t, "%s, %s", memcmp(image.host, want, IMAGE) != 0 ? "another image" : "slices as the oracle has them",
           ck_timeouts(t) ? "other bytes signalled" : "slices signalled");
}

/* A store of an interleaved box: records whether slices are written as the oracle has them. */
static void store(struct ck *t)
{
    const struct tensor_map map = interleaved_map(t);
    const struct ck_buf image = ck_input(t, IMAGE), dst = ck_output(t, swizzled_bytes(&map));
    unsigned char *want = ck_alloc(t, dst.size);
    int32_t corner[TENSOR_RANK_MAX];

    place_corner(t, &map, corner);
    memset(want, CK_POISON, dst.size);
    oracle_tile_store(&map, want, corner, image.host, 128);
    swizzled_store(t, &map, dst, image, corner, 128);
    ck_see(t, "%s", memcmp(dst.host, want, dst.size) != 0 ? "another tensor" : "slices as the oracle has them");
}

/* Interleave 32B goes with every mode on the driver at hand, but only 32B is documented. */
static bool documented(struct ck *t)
{
    return ck_is(t, "interleave", "16B") || ck_is(t, "mode", "32B");
}

static const struct ck_case cases[] = {
    { CK_RULE(swz_seen_interleave), .run = load,
      .axes = { { "interleave", "16B 32B" },
                { "mode", "none 32B 64B 128B" },
                { "rank", "3..5" },
                { "type", "u8 f16 f32" },
                { "corner", "inside low high" } },
      .valid = documented, .seen_only = true },
    { CK_RULE(swz_seen_interleave), .name = "store", .run = store,
      .axes = { { "interleave", "16B 32B" },
                { "mode", "none 32B 64B 128B" },
                { "rank", "3..5" },
                { "type", "u8 f16" },
                { "corner", "inside high" } },
      .valid = documented, .seen_only = true },
    { CK_RULE(swz_seen_interleave), .name = "undocumented-swizzle", .run = load,
      .axes = { { "interleave", "32B" },
                { "mode", "none 64B 128B" },
                { "rank", "3..5" },
                { "type", "u8 f16 f32" },
                { "corner", "inside high" } },
      .seen_only = true },
    { CK_RULE(swz_seen_interleave), .name = "odd", .run = load,
      .axes = { { "interleave", "16B 32B" },
                { "mode", "32B" },
                { "rank", "3" },
                { "type", "u8 f16 f32" },
                { "corner", "odd" } },
      .faults = true, .seen_only = true },
    { CK_RULE(swz_seen_interleave_bytes), .run = load,
      .axes = { { "interleave", "16B 32B" },
                { "mode", "32B" },
                { "rank", "3..5" },
                { "type", "u16 u64 bf16" },
                { "corner", "inside" } },
      .seen_only = true },
    { 0 },
};

const struct ck_suite swizzle_interleave = { "swizzle/interleave", cases };
// SPDX-License-Identifier: Apache-2.0
