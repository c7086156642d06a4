/* Swizzle where the documents are silent or disagree: what a machine does is recorded. */
#include <stdio.h>
#include <string.h>

#include "kernels/tile.h"
#include "tests/swizzle/map.h"

/* A map whose rows are `inner` bytes, below the mode's span. */
static struct tensor_map narrow_map(struct ck *t)
{
    struct tensor_map map = swizzled_map(t);

    map.box[0] = (uint32_t)(ck_int(t, "inner") / (int64_t)tensor_type_bytes(map.type, NULL));
    return map;
}

static bool narrower(struct ck *t)
{
    const int64_t span = ck_is(t, "mode", "32B") ? 32 : ck_is(t, "mode", "64B") ? 64 : 128;

    return ck_int(t, "inner") < span;
}

/* Fills `want` with rows `pitch` bytes apart, each byte at its swizzled place. */
static void narrow_rows(const struct tensor_map *map, const unsigned char *linear, uint32_t offset, size_t pitch,
                        unsigned char *want)
{
    const size_t row = map->box[0] * tensor_type_bytes(map->type, NULL), rows = tensor_tile_bytes(map) / row;

    memset(want, CK_POISON, IMAGE);
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < row; i++)
            want[tensor_swizzle(map->swizzle, offset + r * pitch + i)] = linear[r * row + i];
}

/* A load of a box whose rows are narrower than the pattern: records how far apart the rows arrive, and how many bytes
 * are signalled. */
static void narrow_box(struct ck *t)
{
    const struct tensor_map map = narrow_map(t);
    struct tensor_map plain = map;
    const size_t span = tensor_swizzle_span(map.swizzle), row = (size_t)ck_int(t, "inner");
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map)), image = ck_output(t, IMAGE);
    struct tile_load_args a = { .out = image.device, .bytes = IMAGE, .rank = (uint32_t)map.rank };
    unsigned char *linear = ck_alloc(t, IMAGE), *want = ck_alloc(t, IMAGE);
    const char *pitch = "otherwise";

    plain.swizzle = TENSOR_SWIZZLE_NONE;
    oracle_tile_load(&plain, src.host, a.corner, linear, 0);
    a.expect = (uint32_t)tensor_tile_bytes(&plain);
    ck_encode(t, &map, src, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "tile_load",
                                      .block = { 128 },
                                      .smem = IMAGE + BARRIER,
                                      .args = &a,
                                      .size = sizeof a,
                                      .may_hang = true });
    narrow_rows(&map, linear, 0, span, want);
    if (!memcmp(image.host, want, IMAGE))
        pitch = "a span apart";
    narrow_rows(&map, linear, 0, row, want);
    if (!memcmp(image.host, want, IMAGE))
        pitch = "packed";
    ck_see(t, "rows %s, %s", pitch, ck_timeouts(t) ? "other bytes signalled" : "bytes of the elements signalled");
}

/* A store of such a box: records how far apart in the image its rows are read. */
static void narrow_store(struct ck *t)
{
    const struct tensor_map map = narrow_map(t);
    struct tensor_map plain = map;
    const size_t span = tensor_swizzle_span(map.swizzle), row = (size_t)ck_int(t, "inner");
    const struct ck_buf image = ck_input(t, IMAGE), dst = ck_output(t, swizzled_bytes(&map));
    const int32_t corner[TENSOR_RANK_MAX] = { 0 };
    unsigned char *linear = ck_alloc(t, IMAGE), *want = ck_alloc(t, dst.size);
    const char *pitch = "otherwise";

    plain.swizzle = TENSOR_SWIZZLE_NONE;
    swizzled_store(t, &map, dst, image, corner, 0);
    for (int k = 0; k < 2; k++) {
        const size_t apart = k ? row : span;

        for (size_t i = 0; i < tensor_tile_bytes(&plain); i++)
            linear[i] = image.host[tensor_swizzle(map.swizzle, i / row * apart + i % row)];
        memset(want, CK_POISON, dst.size);
        oracle_tile_store(&plain, want, corner, linear, 0);
        if (!memcmp(dst.host, want, dst.size))
            pitch = k ? "packed" : "a span apart";
    }
    ck_see(t, "rows %s", pitch);
}

/* A swizzled load of a tensor that starts at a multiple of 16 bytes, but not of 128: records whether that changes
 * the image. */
static void global_address(struct ck *t)
{
    struct tensor_map map = swizzled_map(t);
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map) + 128), image = ck_output(t, IMAGE);
    unsigned char *want = ck_alloc(t, IMAGE);
    int32_t corner[TENSOR_RANK_MAX];

    map.address = (uint64_t)ck_int(t, "address");
    swizzled_corner(&map, corner);
    memset(want, CK_POISON, IMAGE);
    oracle_tile_load(&map, src.host, corner, want, 0);
    swizzled_load(t, &map, src, image, corner, 0);
    ck_see(t, "%s", memcmp(image.host, want, IMAGE) ? "another image" : "as at a multiple of 128");
}

static const struct ck_case cases[] = {
    { CK_RULE(swz_inner_less), .run = narrow_box,
      .axes = { { "mode", MODES }, { "inner", "16 32 48 64 80 96 112" }, { "rank", "2..5" }, { "type", "u8 f16" } },
      .valid = narrower, .seen_only = true },
    { CK_RULE(swz_inner_less), .name = "store", .run = narrow_store,
      .axes = { { "mode", MODES }, { "inner", "16 32 48 64 80 96 112" }, { "rank", "2 3" }, { "type", "u8" } },
      .valid = narrower, .seen_only = true },
    { CK_RULE(swz_global_align), .run = global_address,
      .axes = { { "mode", MODES }, { "address", "16 32 48 64 112" }, { "rank", "2" }, { "type", "f16" } },
      .seen_only = true },
    { 0 }
};

const struct ck_suite swizzle_seen = { "swizzle/seen", cases };
// SPDX-License-Identifier: Apache-2.0
