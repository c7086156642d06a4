/* Tile loads and stores against expectations written out by hand, and against digests of an H200. */
#include "expected/oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { IMAGE = 49152, REGION = 1 << 20, POISON = 0xEE };

static unsigned char region[REGION], image[IMAGE], other[REGION];

static struct tensor_map make(int64_t type, int64_t rank, const char *words)
{
    struct tensor_map map = tensor_map_default(type, rank);
    char error[200];

    if (!tensor_map_set(&map, words, error, sizeof error))
        fail_msg("%s", error);
    return map;
}

static int fill_region(void **state)
{
    (void)state;
    for (uint64_t g = 0; g < REGION; g++)
        region[g] = (unsigned char)((g * UINT64_C(0x9E3779B97F4A7C15)) >> 56);
    return 0;
}

static void load(const struct tensor_map *map, const int32_t *corner, uint64_t shared)
{
    memset(image, POISON, sizeof image);
    oracle_tile_load(map, region, corner, image, shared);
}

static void inside_box(void **state)
{
    const struct tensor_map map = make(TENSOR_U8, 2, "dims=64x8 strides=80 box=16x3 address=32");
    const int32_t corner[] = { 16, 2 };

    (void)state;
    assert_int_equal(tensor_tile_bytes(&map), 48);
    assert_int_equal(tensor_tile_span(&map), 48);
    load(&map, corner, 128);
    for (size_t r = 0; r < 3; r++)
        assert_memory_equal(image + 128 + 16 * r, region + 32 + 80 * (2 + r) + 16, 16);
    assert_int_equal(image[127], POISON);
    assert_int_equal(image[128 + 48], POISON);
}

static void fills(void **state)
{
    static const unsigned char zero[16];
    struct tensor_map map = make(TENSOR_F16, 2, "dims=9x2 strides=32 box=8x2");
    const int32_t high[] = { 8, 1 }, low[] = { -8, -1 };

    (void)state;
    load(&map, high, 0);
    assert_memory_equal(image, region + 32 + 16, 2);
    assert_memory_equal(image + 2, zero, 14);
    assert_memory_equal(image + 16, zero, 16);
    map.fill = TENSOR_FILL_NAN;
    load(&map, low, 0);
    for (size_t i = 0; i < 32; i += 2) {
        assert_int_equal(image[i], 0xF7);
        assert_int_equal(image[i + 1], 0x7F);
    }
}

static void far_coordinates_do_not_wrap(void **state)
{
    static const int32_t corners[][3] = { { INT32_MIN, 0, 0 }, { INT32_MAX - 15, 0, 0 }, { 0, INT32_MAX, 0 },
                                          { 0, INT32_MIN, 0 }, { 0, 0, INT32_MAX },      { 0, 0, INT32_MIN } };
    const struct tensor_map map = make(TENSOR_U8, 3, "dims=64x4x4 strides=64x256 box=16x2x2 element-strides=1x2x2");
    static const unsigned char zero[16];

    (void)state;
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        load(&map, corners[i], 0);
        assert_memory_equal(image, zero, 16);
    }
}

static void element_strides(void **state)
{
    const struct tensor_map map = make(TENSOR_U32, 3, "dims=64x16x9 strides=256x4096 box=4x7x5 element-strides=8x3x4");
    const int32_t corner[] = { 4, 2, 1 };

    (void)state;
    assert_int_equal(tensor_tile_bytes(&map), 16 * 3 * 2); /* the first element stride is ignored */
    load(&map, corner, 0);
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < 3; y++)
            assert_memory_equal(image + 16 * (y + 3 * z), region + 16 + 256 * (2 + 3 * y) + 4096 * (1 + 4 * z), 16);
}

static void narrow_rows_stand_a_span_apart(void **state)
{
    const struct tensor_map map = make(TENSOR_U8, 2, "dims=256x32 strides=256 box=48x4 swizzle=128B");
    const int32_t corner[] = { 0, 0 };

    (void)state;
    assert_int_equal(tensor_tile_pitch(&map), 128);
    assert_int_equal(tensor_tile_bytes(&map), 192);
    assert_int_equal(tensor_tile_span(&map), 3 * 128 + 48);
    load(&map, corner, 0);
    for (uint64_t r = 0; r < 4; r++)
        for (uint64_t c = 0; c < 3; c++)
            assert_memory_equal(image + tensor_swizzle(map.swizzle, 128 * r + 16 * c), region + 256 * r + 16 * c, 16);
    assert_int_equal(image[48], POISON);
}

/* Bits in, bits of a TF32 load out. */
static void tf32_rounds(void **state)
{
    static const uint32_t bits[][2] = {
        { 0x3F800000, 0x3F800000 }, { 0x3F801000, 0x3F800000 }, { 0x3F803000, 0x3F804000 }, { 0x3F801001, 0x3F802000 },
        { 0x3FFFFFFF, 0x40000000 }, { 0x7F7FFFFF, 0x7F800000 }, { 0x7F800000, 0x7F800000 }, { 0xFF800000, 0xFF800000 },
        { 0x7F800001, 0x7FFFE000 }, { 0x00000001, 0x00000000 }, { 0x80000001, 0x80000000 }, { 0x007FFFFF, 0x00800000 },
        { 0xBF801001, 0xBF802000 }, { 0xFFC12345, 0x7FFFE000 }, { 0xBF801000, 0xBF800000 },
    };
    enum { N = sizeof bits / sizeof *bits };
    struct tensor_map map = make(TENSOR_TF32, 1, "dims=16 box=16");
    const int32_t corner[] = { 0 };

    (void)state;
    for (size_t i = 0; i < N; i++)
        memcpy(other + 4 * i, &bits[i][0], 4);
    for (int pass = 0; pass < 3; pass++) {
        map.type = pass == 0 ? TENSOR_TF32 : pass == 1 ? TENSOR_TF32_FTZ : TENSOR_F32_FTZ;
        oracle_tile_load(&map, other, corner, image, 0);
        for (size_t i = 0; i < N; i++) {
            uint32_t got;

            memcpy(&got, image + 4 * i, 4);
            assert_int_equal(got, bits[i][pass < 2]);
        }
    }
}

static void stores(void **state)
{
    const struct tensor_map map = make(TENSOR_U16, 2, "dims=20x5 strides=64 box=8x3 swizzle=32B fill=zero address=64");
    const int32_t inside[] = { 8, 1 }, over[] = { 16, 4 }, low[] = { -8, -1 };

    (void)state;
    load(&map, inside, 256);
    memset(other, POISON, sizeof other);
    oracle_tile_store(&map, other, inside, image, 256);
    for (size_t r = 0; r < 3; r++)
        assert_memory_equal(other + 64 + 64 * (1 + r) + 16, region + 64 + 64 * (1 + r) + 16, 16);
    assert_int_equal(other[64 + 64 + 15], POISON);
    assert_int_equal(other[64 + 64 + 32], POISON);
    memset(other, POISON, sizeof other);
    memset(image, 0x11, sizeof image);
    oracle_tile_store(&map, other, over, image, 0);
    assert_int_equal(other[64 + 4 * 64 + 39], 0x11);
    assert_int_equal(other[64 + 4 * 64 + 40], POISON); /* dims[0] ends inside 16 bytes */
    assert_int_equal(other[64 + 5 * 64 + 32], POISON);
    memset(other, POISON, sizeof other);
    oracle_tile_store(&map, other, low, image, 0);
    for (size_t i = 64; i < 1024; i++)
        assert_int_equal(other[i], POISON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inside_box),
        cmocka_unit_test(fills),
        cmocka_unit_test(far_coordinates_do_not_wrap),
        cmocka_unit_test(element_strides),
        cmocka_unit_test(narrow_rows_stand_a_span_apart),
        cmocka_unit_test(tf32_rounds),
        cmocka_unit_test(stores),
    };

    return cmocka_run_group_tests(tests, fill_region, NULL);
}
