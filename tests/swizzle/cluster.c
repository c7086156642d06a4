/* Swizzled boxes that reach several CTAs, or are added to global memory. */
#include <string.h>

#include "kernels/swizzle.h"
#include "tests/swizzle/map.h"

/* A multicast writes the tile of each CTA in the pattern of its shared address, which is the same in every CTA. */
static void multicast(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t);
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas"), offset = (uint32_t)ck_int(t, "offset");
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map));
    const struct ck_buf images = ck_output(t, ctas * IMAGE);
    unsigned char *want = ck_alloc(t, ctas * IMAGE + 2048);
    struct swizzle_multicast_args a = { .out = images.device,
                                        .bytes = IMAGE,
                                        .offset = offset,
                                        .expect = (uint32_t)tensor_tile_bytes(&map),
                                        .ctas = ctas };

    swizzled_corner(&map, a.corner);
    memset(want, CK_POISON, ctas * IMAGE + 2048);
    for (uint32_t c = 0; c < ctas; c++) {
        const uint32_t shift = ck_variant(t, "by-rank") ? 128 * c : 0; /* a line of the pattern for each CTA */
        oracle_tile_load(&map, src.host, a.corner, want + c * IMAGE - shift, offset + shift);
    }
    ck_encode(t, &map, src, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "swizzle_multicast",
                                      .grid = { ctas },
                                      .cluster = { ctas },
                                      .block = { 128 },
                                      .smem = IMAGE + BARRIER,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, images, want);
}

/* A reduction reads its tile through the pattern, and adds each element at its own place. */
static void reduce(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t);
    const struct ck_buf image = ck_input(t, IMAGE), dst = ck_input(t, swizzled_bytes(&map));
    const uint32_t offset = (uint32_t)ck_int(t, "offset");
    unsigned char *want = ck_alloc(t, dst.size), *addend = ck_alloc(t, dst.size);
    struct tensor_map read = map;
    struct swizzle_reduce_args a = { .in = image.device, .bytes = IMAGE, .offset = offset };

    swizzled_corner(&map, a.corner);
    if (ck_variant(t, "linear"))
        read.swizzle = TENSOR_SWIZZLE_NONE;
    oracle_tile_store(&read, addend, a.corner, image.host, offset);
    for (size_t i = 0; i + 4 <= dst.size; i += 4) {
        uint32_t x, y;
        memcpy(&x, dst.host + i, 4);
        memcpy(&y, addend + i, 4);
        x += y;
        memcpy(want + i, &x, 4);
    }
    ck_encode(t, &map, dst, &a.map);
    ck_launch(
        t, &(struct ck_launch){
               .kernel = "swizzle_reduce", .block = { 128 }, .smem = IMAGE + BARRIER, .args = &a, .size = sizeof a });
    ck_equal(t, dst, want);
}

static const struct ck_case cases[] = {
    { CK_RULE(swz_multicast), .run = multicast,
      .axes = { { "mode", "none 32B 64B 128B" },
                { "ctas", "2 4" },
                { "offset", "0 128 640" },
                { "type", "f16" },
                { "rank", "2" } },
      .mutants = { { "by-rank", "expect the pattern to move on with each CTA", .only = "mode=32B/64B/128B" } } },
    { CK_RULE(swz_reduce), .run = reduce,
      .axes = { { "mode", "none 32B 64B 128B" }, { "offset", "0 128 896" }, { "type", "u32 s32" }, { "rank", "2" } },
      .mutants = { { "linear", "read the source in natural order", .only = "mode=32B/64B/128B" } } },
    { 0 }
};

const struct ck_suite swizzle_cluster = { "swizzle/cluster", cases };
// SPDX-License-Identifier: Apache-2.0
