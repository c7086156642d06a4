/* Tile stores through each swizzle undo the pattern. */
#include <string.h>

#include "kernels/swizzle.h"
#include "tests/swizzle/map.h"

/* A tile that is loaded and stored by the same map comes back, and nothing else is written. */
static void load_and_store(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t);
    struct tensor_map store = map;
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map));
    const struct ck_buf dst = ck_output(t, swizzled_bytes(&map));
    const struct ck_buf image = ck_output(t, IMAGE);
    unsigned char *linear_image = ck_alloc(t, IMAGE), *want = ck_alloc(t, dst.size);
    struct tensor_map linear = map;
    int32_t corner[TENSOR_RANK_MAX];

    if (ck_variant(t, "linear"))
        store.swizzle = TENSOR_SWIZZLE_NONE;
    linear.swizzle = TENSOR_SWIZZLE_NONE;
    swizzled_corner(&map, corner);
    memset(want, CK_POISON, dst.size);
    oracle_tile_load(&linear, src.host, corner, linear_image, 0);
    oracle_tile_store(&linear, want, corner, linear_image, 0);
    swizzled_load(t, &map, src, image, corner, swizzled_offset(t));
    swizzled_store(t, &store, dst, image, corner, swizzled_offset(t));
    ck_equal(t, dst, want);
}

/* An image that was written through the formula by hand is stored in natural order. */
static void write_and_store(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t);
    const struct ck_buf image = ck_input(t, IMAGE);
    const struct ck_buf dst = ck_output(t, swizzled_bytes(&map));
    const uint32_t offset = (uint32_t)ck_int(t, "offset");
    const bool linear = ck_variant(t, "linear");
    unsigned char *want = ck_alloc(t, dst.size), *plain = ck_alloc(t, IMAGE);
    struct tensor_map natural = map;
    int32_t corner[TENSOR_RANK_MAX];

    natural.swizzle = TENSOR_SWIZZLE_NONE;
    swizzled_corner(&map, corner);
    memcpy(plain, image.host, IMAGE);
    for (uint64_t a = offset; a < offset + tensor_tile_bytes(&map); a++)
        image.host[linear ? a : tensor_swizzle(map.swizzle, a)] = plain[a];
    ck_changed(t, image);
    memset(want, CK_POISON, dst.size);
    oracle_tile_store(&natural, want, corner, plain, offset);
    swizzled_store(t, &map, dst, image, corner, offset);
    ck_equal(t, dst, want);
}

/* A box that one kernel loads and stores by two maps of the same swizzle comes back; in the breaches the second map has
 * another swizzle, and what arrives is recorded. */
static void through(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t);
    struct tensor_map out = map, natural = map;
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map)), dst = ck_output(t, swizzled_bytes(&map));
    struct swizzle_through_args a = { .bytes = IMAGE,
                                      .offset = (uint32_t)ck_int(t, "offset"),
                                      .expect = (uint32_t)tensor_tile_bytes(&map) };
    unsigned char *plain = ck_alloc(t, IMAGE), *want = ck_alloc(t, dst.size);

    natural.swizzle = TENSOR_SWIZZLE_NONE;
    if (ck_variant(t, "linear"))
        out.swizzle = TENSOR_SWIZZLE_NONE;
    if (ck_variant(t, "other")) { /* rows of that mode are no longer than 32 bytes: the start of each row is stored */
        out.swizzle = TENSOR_SWIZZLE_32B;
        out.box[0] = (uint32_t)(32 / tensor_type_bytes(map.type, NULL));
        natural.box[0] = out.box[0];
    }
    swizzled_corner(&map, a.corner);
    memset(want, CK_POISON, dst.size);
    oracle_tile_load(&natural, src.host, a.corner, plain, 0);
    oracle_tile_store(&natural, want, a.corner, plain, 0);
    if (ck_variant(t, "later"))
        a.corner[1]++;
    ck_encode(t, &map, src, &a.in);
    ck_encode(t, &out, dst, &a.out);
    ck_launch(
        t, &(struct ck_launch){
               .kernel = "swizzle_through", .block = { 32 }, .smem = IMAGE + BARRIER, .args = &a, .size = sizeof a });
    if (ck_conforming(t))
        ck_equal(t, dst, want);
    else
        ck_see(t, "%s", memcmp(dst.host, want, dst.size) ? "other bytes arrive" : "as conforming");
}

static const struct ck_case cases[] = {
    { CK_RULE(swz_store_inverse), .run = load_and_store,
      .axes = { { "mode", "none 32B 64B 128B" }, { "rank", "1..5" }, { "type", "u8 f16 f32 f64" } },
      .mutants = { { "linear", "store through a map without swizzle", .only = "mode=32B/64B/128B" } } },
    { CK_RULE(swz_store_formula), .run = write_and_store,
      .axes = { { "mode", MODES }, { "offset", "128 384 896 1024" }, { "rank", "2 3" }, { "type", "u8 f16 f64" } },
      .mutants = { { "linear", "write the image in natural order" } } },
    { CK_RULE(swz_reader_as_writer), .run = through,
      .axes = { { "mode", "none 32B 64B 128B" }, { "offset", "0 384" }, { "rank", "2" }, { "type", "u8 f16" } },
      .mutants = { { "later", "load from a corner one row further on" } },
      .breaches = { { "linear", "store through a map without swizzle", .only = "mode=32B/64B/128B" },
                    { "other", "store through a map with swizzle 32B", .only = "mode=64B/128B" } } },
    { 0 }
};

const struct ck_suite swizzle_store = { "swizzle/store", cases };
// SPDX-License-Identifier: Apache-2.0
