/* Tile loads through each swizzle: the pattern is a function of the shared address, whatever the type, the rank or the
 * place of the buffer. */
#include <string.h>

#include "tests/swizzle/map.h"

/* The map for the expectation: its swizzle is what the axis `formula` names, or that of the map itself. */
static struct tensor_map expected_map(struct ck *t, const struct tensor_map *map)
{
    struct tensor_map expected = *map;

    for (int64_t mode = 0; mode < TENSOR_SWIZZLE_COUNT; mode++)
        if (ck_is(t, "formula", tensor_swizzle_name(mode)))
            expected.swizzle = mode;
    return expected;
}

/* A load puts each 16 bytes of the tile where the formula of its mode says; the poison around the tile stays. */
static void by_formula(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t), expected = expected_map(t, &map);
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map));
    const struct ck_buf image = ck_output(t, IMAGE);
    unsigned char *want = ck_alloc(t, IMAGE);
    int32_t corner[TENSOR_RANK_MAX];

    swizzled_corner(&map, corner);
    memset(want, CK_POISON, IMAGE);
    oracle_tile_load(&expected, src.host, corner, want, swizzled_offset(t));
    swizzled_load(t, &map, src, image, corner, swizzled_offset(t));
    ck_equal(t, image, want);
}

/* The pattern depends on the shared address alone, so a tile at any multiple of 128 bytes starts in the midst of it.
 * The mutants expect the pattern to start with the buffer. */
static void at_offset(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t);
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map));
    const struct ck_buf image = ck_output(t, IMAGE);
    const uint32_t offset = (uint32_t)ck_int(t, "offset");
    const bool relative = ck_variant(t, "relative") || ck_variant(t, "elsewhere");
    unsigned char *want = ck_alloc(t, IMAGE + 2048);
    int32_t corner[TENSOR_RANK_MAX];

    swizzled_corner(&map, corner);
    memset(want, CK_POISON, IMAGE + 2048);
    if (relative) /* built at 0 and moved */
        oracle_tile_load(&map, src.host, corner, want + offset, 0);
    else
        oracle_tile_load(&map, src.host, corner, want, offset);
    swizzled_load(t, &map, src, image, corner, offset);
    ck_equal(t, image, want);
}

/* The same, said in the manual's other way: with y counting 128-byte lines from the buffer's start and x the 16-byte
 * cells of a line, cell x is found at ((y + dst / 128) % n) ^ x; n is 8, 4 or 2. */
static void by_base_offset(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t);
    struct tensor_map linear = map;
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map));
    const struct ck_buf image = ck_output(t, IMAGE);
    const uint32_t offset = (uint32_t)ck_int(t, "offset"), n = (uint32_t)ck_int(t, "n");
    unsigned char *plain = ck_alloc(t, IMAGE), *want = ck_alloc(t, IMAGE);
    int32_t corner[TENSOR_RANK_MAX];

    swizzled_corner(&map, corner);
    linear.swizzle = TENSOR_SWIZZLE_NONE;
    memset(plain, CK_POISON, IMAGE);
    memset(want, CK_POISON, IMAGE);
    oracle_tile_load(&linear, src.host, corner, plain, 0);
    for (uint32_t y = 0; y * 128 + offset < IMAGE; y++)
        for (uint32_t x = 0; x < 8; x++)
            memcpy(want + offset + y * 128 + (((y + offset / 128) % n) ^ x) * 16, plain + y * 128 + x * 16, 16);
    swizzled_load(t, &map, src, image, corner, offset);
    ck_equal(t, image, want);
}

/* A swizzle moves 16 bytes at a time and leaves their order alone: the source repeats 16 different bytes, and each 16
 * bytes of the tile hold them in that order. */
static void atoms_intact(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t);
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map));
    const struct ck_buf image = ck_output(t, IMAGE);
    const unsigned turn = ck_variant(t, "turned") ? 15 : 0;
    int32_t corner[TENSOR_RANK_MAX];
    uint64_t torn = 0, whole = 0;

    for (size_t i = 0; i < src.size; i++)
        src.host[i] = (unsigned char)(0x10 + i % 16);
    ck_changed(t, src);
    swizzled_corner(&map, corner);
    swizzled_load(t, &map, src, image, corner, swizzled_offset(t));
    for (size_t slot = 0; slot < IMAGE; slot += 16) {
        unsigned in_order = 0, poison = 0;

        for (unsigned i = 0; i < 16; i++) {
            in_order += image.host[slot + i] == 0x10 + (i ^ turn);
            poison += image.host[slot + i] == CK_POISON;
        }
        whole += in_order == 16;
        torn += in_order != 16 && poison != 16;
    }
    ck_expect(t, "16-byte slots out of order", torn, 0);
    ck_expect(t, "16-byte slots in order", whole, tensor_tile_bytes(&map) / 16);
}

/* A tensor that is loaded as bytes and as another type leaves equal images. The data are normal floats that no type
 * rounds. */
static void as_bytes(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t);
    const size_t size = tensor_type_bytes(map.type, NULL);
    struct tensor_map bytes = map;
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map));
    const struct ck_buf image = ck_output(t, IMAGE), byte_image = ck_output(t, IMAGE);
    int32_t corner[TENSOR_RANK_MAX];

    for (size_t i = 0; i < src.size / 4; i++) {
        const uint32_t word = 0x20000000u + ((uint32_t)i << 13);
        memcpy(src.host + 4 * i, &word, 4);
    }
    ck_changed(t, src);
    swizzled_corner(&map, corner);
    swizzled_load(t, &map, src, image, corner, swizzled_offset(t));
    bytes.type = TENSOR_U8;
    bytes.dims[0] *= size;
    bytes.box[0] *= (uint32_t)size;
    corner[0] *= (int32_t)size;
    if (ck_variant(t, "moved"))
        corner[0] += 16;
    swizzled_load(t, &bytes, src, byte_image, corner, swizzled_offset(t));
    ck_equal(t, image, byte_image.host);
}

/* A box that hangs over the low or the high edge in all dimensions: its fill lies where the pattern puts it. */
static void over_edges(struct ck *t)
{
    struct tensor_map map = swizzled_map(t), expected;
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map));
    const struct ck_buf image = ck_output(t, IMAGE);
    const int32_t step = (int32_t)(16 / tensor_type_bytes(map.type, NULL));
    const bool low = ck_is(t, "side", "low");
    unsigned char *want = ck_alloc(t, IMAGE);
    int32_t corner[TENSOR_RANK_MAX];

    map.dims[0] -= 1;
    for (int i = 0; i < map.rank; i++) {
        const int32_t by = i == 0 ? step : 1;
        corner[i] = low ? -by : (int32_t)map.dims[i] / by * by - (i == 0 ? 0 : 2); /* two rows inside */
    }
    expected = map;
    if (ck_variant(t, "linear"))
        expected.swizzle = TENSOR_SWIZZLE_NONE;
    memset(want, CK_POISON, IMAGE);
    oracle_tile_load(&expected, src.host, corner, want, swizzled_offset(t));
    swizzled_load(t, &map, src, image, corner, swizzled_offset(t));
    ck_equal(t, image, want);
}

/* The pattern runs through a box of several planes as through one linear image; the mutant starts the pattern anew at
 * each plane. */
static void across_planes(struct ck *t)
{
    const struct tensor_map map = swizzled_map(t);
    struct tensor_map linear = map;
    const struct ck_buf src = ck_input(t, swizzled_bytes(&map));
    const struct ck_buf image = ck_output(t, IMAGE);
    const uint32_t span = tensor_swizzle_span(map.swizzle), plane = span * map.box[1];
    unsigned char *plain = ck_alloc(t, IMAGE), *want = ck_alloc(t, IMAGE + 2048);
    int32_t corner[TENSOR_RANK_MAX];

    swizzled_corner(&map, corner);
    linear.swizzle = TENSOR_SWIZZLE_NONE;
    memset(want, CK_POISON, IMAGE + 2048);
    oracle_tile_load(&linear, src.host, corner, plain, 0);
    for (uint32_t a = 0; a < tensor_tile_bytes(&map); a++) {
        const uint32_t start = ck_variant(t, "restart") ? a / plane * plane : 0;
        want[start + tensor_swizzle(map.swizzle, a - start)] = plain[a];
    }
    swizzled_load(t, &map, src, image, corner, 0);
    ck_equal(t, image, want);
}

static const struct ck_case cases[] = {
    { CK_RULE(swz_none_identity), .run = by_formula,
      .axes = { { "mode", "none" }, { "rank", "1..5" }, { "type", TYPES }, { "formula", "=same" } },
      .mutants = { { "32B", "expect SWIZZLE_32B", .set = "formula=32B" } } },
    { CK_RULE(swz_32b_formula), .run = by_formula,
      .axes = { { "mode", "32B" }, { "rank", "1..5" }, { "type", TYPES }, { "formula", "=same" } },
      .mutants = { { "linear", "expect no swizzle", .set = "formula=none" },
                   { "64B", "expect SWIZZLE_64B", .set = "formula=64B" } } },
    { CK_RULE(swz_64b_formula), .run = by_formula,
      .axes = { { "mode", "64B" }, { "rank", "1..5" }, { "type", TYPES }, { "formula", "=same" } },
      .mutants = { { "linear", "expect no swizzle", .set = "formula=none" },
                   { "32B", "expect SWIZZLE_32B", .set = "formula=32B" } } },
    { CK_RULE(swz_128b_formula), .run = by_formula,
      .axes = { { "mode", "128B" }, { "rank", "1..5" }, { "type", TYPES }, { "formula", "=same" } },
      .mutants = { { "linear", "expect no swizzle", .set = "formula=none" },
                   { "64B", "expect SWIZZLE_64B", .set = "formula=64B" } } },
    { CK_RULE(swz_atom32_formula), .run = by_formula,
      .axes = { { "mode", "128B-atom-32B" }, { "rank", "1..5" }, { "type", "u8 f16 f32" }, { "formula", "=same" } },
      .mutants = { { "16B", "expect 16-byte atoms", .set = "formula=128B" } } },
    { CK_RULE(swz_atom32flip_formula), .run = by_formula,
      .axes = { { "mode", "128B-atom-32B-flip-8B" },
                { "rank", "1..5" },
                { "type", "u8 f16 f32" },
                { "formula", "=same" } },
      .mutants = { { "no-flip", "expect no flip", .set = "formula=128B-atom-32B" } } },
    { CK_RULE(swz_atom64_formula), .run = by_formula,
      .axes = { { "mode", "128B-atom-64B" }, { "rank", "1..5" }, { "type", "u8 f16 f32" }, { "formula", "=same" } },
      .mutants = { { "32B", "expect 32-byte atoms", .set = "formula=128B-atom-32B" } } },
    { CK_RULE(swz_absolute_address), .run = at_offset,
      .axes = { { "mode", MODES },
                { "offset", "0 128 256 384 512 640 768 896" },
                { "rank", "2 3" },
                { "type", "u8 f16" } },
      .mutants = { { "relative", "expect the pattern to start with the buffer", .only = "offset=128/384/640/896" } } },
    { CK_RULE(swz_base_offset_128), .run = by_base_offset,
      .axes = { { "mode", "128B" },
                { "offset", "0 128 256 384 512 640 768 896" },
                { "n", "=8" },
                { "rank", "2" },
                { "type", "f16 f32" } },
      .mutants = { { "n", "take the line modulo 4", .set = "n=4" } } },
    { CK_RULE(swz_base_offset_64), .run = by_base_offset,
      .axes = { { "mode", "64B" },
                { "offset", "0 128 256 384 512 640 768 896" },
                { "n", "=4" },
                { "rank", "2" },
                { "type", "f16 f32" } },
      .mutants = { { "n", "take the line modulo 2", .set = "n=2" } } },
    { CK_RULE(swz_base_offset_32), .run = by_base_offset,
      .axes = { { "mode", "32B" },
                { "offset", "0 128 256 384 512 640 768 896" },
                { "n", "=2" },
                { "rank", "2" },
                { "type", "f16 f32" } },
      .mutants = { { "n", "leave the line out", .set = "n=1" } } },
    { CK_RULE(swz_align_128_suffices), .run = at_offset,
      .axes = { { "mode", "none 32B 64B 128B" },
                { "offset", "128 640 1152 3200" },
                { "rank", "1..5" },
                { "type", "u8" } },
      .mutants = { { "elsewhere", "expect the pattern to start with the buffer", .only = "mode=32B/64B/128B" } } },
    { CK_RULE(swz_atom_intact), .run = atoms_intact,
      .axes = { { "mode", "none 32B 64B 128B" }, { "rank", "1..5" }, { "type", "u8 f64" } },
      .mutants = { { "turned", "expect the bytes of an atom in reverse" } } },
    { CK_RULE(swz_type_independent), .run = as_bytes,
      .axes = { { "mode", "none 32B 64B 128B" },
                { "rank", "2" },
                { "type", "u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz" } },
      .mutants = { { "moved", "take other bytes" } } },
    { CK_RULE(swz_oob), .run = over_edges,
      .axes = { { "mode", MODES }, { "rank", "1..5" }, { "side", "low high" }, { "type", "u8 f16 f64" } },
      .mutants = { { "linear", "look for the fill at linear places" } } },
    { CK_RULE(swz_rank), .run = across_planes, .axes = { { "mode", MODES }, { "rank", "3..5" }, { "type", "u8 f32" } },
      .mutants = { { "restart", "start the pattern anew at each plane" } } },
    { 0 }
};

const struct ck_suite swizzle_load = { "swizzle/load", cases };
// SPDX-License-Identifier: Apache-2.0
