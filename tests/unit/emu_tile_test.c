/* Tiles in runs of bytes against the oracle's element by element: random maps, corners and places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/copies/tile.h"

enum { GLOBAL = 1 << 16, SHARED = 1 << 16, MAPS = 1000 };

static uint64_t state = 1;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static const int64_t types[] = { TENSOR_U8,  TENSOR_U16,  TENSOR_F32,      TENSOR_U64,  TENSOR_F16,
                                 TENSOR_F64, TENSOR_TF32, TENSOR_TF32_FTZ, TENSOR_BF16, TENSOR_S32 };

/* A map within GLOBAL bytes at `address`; not every one of them could be encoded, which does not matter here. */
static struct tensor_map random_map(uint64_t address)
{
    const int64_t type = types[draw(sizeof types / sizeof *types)], rank = 1 + draw(5);
    struct tensor_map map = tensor_map_default(type, rank);
    const uint64_t size = tensor_type_bytes(type, NULL);
    uint64_t stride;

    map.address = address;
    map.swizzle = draw(TENSOR_SWIZZLE_COUNT);
    map.fill = tensor_type_is_float(type) && draw(2) ? TENSOR_FILL_NAN : TENSOR_FILL_NONE;
    for (int i = 0; i < rank; i++) {
        map.dims[i] = 1 + draw(i ? 5 : 40);
        map.box[i] = 1 + draw(i ? 4 : 32);
        map.element_strides[i] = i ? 1 + draw(2) : 1;
    }
    map.box[0] = map.box[0] * size % 16 ? (uint32_t)(16 / size) * (1 + draw(4)) : map.box[0];
    stride = draw(2) ? map.dims[0] * size : (map.dims[0] * size + 15) / 16 * 16 + 16 * draw(2);
    for (int i = 0; i + 1 < rank; i++) {
        map.strides[i] = stride;
        stride *= map.dims[i + 1];
    }
    return map;
}

static struct emu_tile tile_at(const struct tensor_map *map, const int32_t corner[])
{
    struct emu_tile t;

    memset(&t, 0xA5, sizeof t);
    t.map = *map;
    t.size = emu_tile_size(map);
    memcpy(t.corner, corner, sizeof t.corner);
    emu_tile_place(&t);
    return t;
}

static void add_outside(void *context, const struct tensor_element *e)
{
    *(uint64_t *)context += e->inside ? 0 : e->size;
}

static void test_runs(void **context)
{
    unsigned char *global = malloc(2 * GLOBAL), *image = malloc(4 * SHARED);
    uint64_t sides[2] = { 0 }, kept[EMU_TILE_ROWS + 1] = { 0 };

    (void)context;
    assert_true(global && image);
    unsigned char *const a = image, *const b = image + SHARED, *const linear = image + 2 * SHARED;
    for (unsigned n = 0; n < MAPS; n++) {
        struct tensor_map map = random_map((uint64_t)(uintptr_t)global);
        const uint64_t shared = draw(8) * 128;
        int32_t corner[TENSOR_CORNER] = { 0 };
        for (int i = 0; i < map.rank; i++)
            corner[i] = (int32_t)draw((uint32_t)map.dims[i] + map.box[i] + 2) - (int32_t)map.box[i] - 1;
        const struct emu_tile tile = tile_at(&map, corner);
        uint64_t outside = 0;
        tensor_tile_each(&map, corner, add_outside, &outside);
        assert_int_equal(emu_tile_outside(&tile), outside);
        kept[tile.kept]++;
        for (unsigned i = 0; i < GLOBAL; i++)
            global[i] = (unsigned char)(draw(255) + 1);
        memset(a, 0xA5, 2 * SHARED);
        oracle_tile_load(&map, NULL, corner, a, shared);
        emu_tile_load(&tile, b, shared);
        if (memcmp(a, b, SHARED) != 0)
            fail_msg("map %u: another tile is loaded", n);
        /* What a fill writes is what a load writes: whatever was there before. */
        memset(b, 0x5A, SHARED);
        oracle_tile_load(&map, NULL, corner, b, shared);
        memset(linear, 0x5A, SHARED);
        emu_tile_fill(&tile, linear, shared, 0x11);
        for (unsigned i = 0; i < SHARED; i++)
            if ((linear[i] == 0x11) != (a[i] == b[i]))
                fail_msg("map %u: byte %u is filled or is not", n, i);
        /* Back to two copies of the memory. */
        for (unsigned i = 0; i < SHARED; i++)
            a[i] = (unsigned char)draw(256);
        memcpy(global + GLOBAL, global, GLOBAL);
        oracle_tile_store(&map, NULL, corner, a, shared);
        memcpy(b, global, GLOBAL);
        memcpy(global, global + GLOBAL, GLOBAL);
        emu_tile_read(&tile, a, shared, linear);
        emu_tile_store(&tile, linear);
        if (memcmp(b, global, GLOBAL) != 0)
            fail_msg("map %u: another tile is stored", n);
        sides[memcmp(global, global + GLOBAL, GLOBAL) != 0]++;
    }
    for (unsigned i = 0; i <= EMU_TILE_ROWS; i++)
        assert_true(kept[i] > MAPS / 50);
    assert_true(sides[0] > MAPS / 50 && sides[1] > MAPS / 10); /* outside altogether, and not */
    free(global);
    free(image);
}

/* A gather is four loads of one row, each a pitch behind the one before. */
static void test_rows(void **context)
{
    unsigned char *global = malloc(2 * GLOBAL), *image = malloc(2 * SHARED);

    (void)context;
    assert_true(global && image);
    for (unsigned n = 0; n < MAPS; n++) {
        struct tensor_map map = random_map((uint64_t)(uintptr_t)global), four;
        int32_t corner[TENSOR_CORNER] = { 0 };
        if (map.rank != 2)
            continue;
        map.box[1] = map.element_strides[1] = 1;
        map.swizzle = TENSOR_SWIZZLE_NONE; /* a row's pattern goes by its address, which one row alone has not */
        four = tensor_gather4(&map);
        for (int i = 0; i < 5; i++)
            corner[i] = (int32_t)draw(i ? 9 : 60) - (i ? 2 : 10);
        for (unsigned i = 0; i < 2 * GLOBAL; i++)
            global[i] = (unsigned char)(draw(255) + 1);
        memset(image, 0xA5, 2 * SHARED);
        const struct emu_tile tile = tile_at(&four, corner);
        emu_tile_load(&tile, image, 256);
        assert_int_equal(tensor_tile_bytes(&four), 4 * tensor_tile_bytes(&map));
        for (unsigned r = 0; r < 4; r++)
            oracle_tile_load(&map, NULL, (const int32_t[]){ corner[0], corner[1 + r], 0, 0, 0, 0, 0, 0 },
                             image + SHARED, 256 + r * tensor_tile_pitch(&map));
        if (memcmp(image, image + SHARED, SHARED) != 0)
            fail_msg("map %u: other rows are gathered", n);
    }
    free(global);
    free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_runs), cmocka_unit_test(test_rows) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
