/* Addresses in im2col mode: against a closed form, and by what the mode is for, a convolution as a matrix product. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expected/oracle.h"

static struct tensor_map make(int64_t rank, const char *words)
{
    struct tensor_map map = tensor_map_default(TENSOR_U8, rank);
    char error[200] = "";

    map.mode = TENSOR_MODE_IM2COL;
    if (!tensor_map_set(&map, words, error, sizeof error))
        fail_msg("%s", error);
    return map;
}

struct expectation {
    const struct tensor_map *map;
    const int32_t *corner;
    uint64_t seen;
};

/* Positions of a bounding box along dimension i of the image. */
static int64_t steps(const struct tensor_map *map, int i)
{
    const int64_t extent = (int64_t)map->dims[i + 1] - 1 + map->upper[i] - map->lower[i];

    return extent / (int64_t)map->element_strides[i + 1] + 1;
}

/* The n-th pixel is a number with a digit for each dimension: which step of the box, then the image. */
static void held_to_digits(void *context, const struct tensor_element *e)
{
    struct expectation *x = context;
    const struct tensor_map *map = x->map;
    const int images = (int)map->rank - 1;
    int64_t n = (int64_t)(x->seen / map->channels), radix = 1;
    uint64_t global = map->address;
    bool inside;

    for (int i = 0; i < images - 1; i++) {
        n += (x->corner[i + 1] - map->lower[i]) / (int64_t)map->element_strides[i + 1] * radix;
        radix *= steps(map, i);
    }
    n += x->corner[images] * radix;
    assert_int_equal(e->at[0], x->corner[0] + (int64_t)(x->seen % map->channels));
    inside = e->at[0] >= 0 && (uint64_t)e->at[0] < map->dims[0];
    global += (uint64_t)e->at[0];
    for (int i = 1; i <= images; i++) {
        const int64_t digit = i < images ? n % steps(map, i - 1) : n;
        const int64_t at =
            i < images ? map->lower[i - 1] + digit * map->element_strides[i] + x->corner[TENSOR_RANK_MAX + i - 1]
                       : digit;
        if (i < images)
            n /= steps(map, i - 1);
        assert_int_equal(e->at[i], at);
        inside &= at >= 0 && (uint64_t)at < map->dims[i];
        global += (uint64_t)at * map->strides[i - 1];
    }
    assert_int_equal(e->inside, inside);
    if (inside)
        assert_int_equal(e->global, global);
    assert_int_equal(e->linear, x->seen);
    x->seen++;
}

static void test_addresses(void **state)
{
    static const struct {
        int64_t rank;
        const char *words;
        int32_t corner[TENSOR_CORNER];
    } copies[] = {
        { 3, "dims=64x9x3 strides=64x576 channels=16 pixels=40", { 16 } },
        { 3, "dims=64x9x3 strides=64x576 channels=48 pixels=7 lower=-2 upper=1", { 0, 7, 1, 0, 0, 3 } },
        { 3, "dims=20x9x3 strides=64x576 channels=32 pixels=20 lower=-32 upper=-30", { 16, -32, 0, 0, 0, 255 } },
        { 4,
          "dims=16x8x8x2 strides=16x128x1024 channels=16 pixels=100 lower=-1x-1 upper=-1x-1",
          { 0, -1, -1, 0, 0, 2, 1 } },
        { 4,
          "dims=16x8x7x2 strides=16x128x1024 channels=16 pixels=64 lower=-2x1 upper=3x0 element-strides=1x2x3x1",
          { 0, 2, 4, 1, 0, 1, 3 } },
        { 5,
          "dims=16x5x6x7x2 strides=16x80x480x3360 channels=16 pixels=300 lower=-1x-2x-3 upper=1x0x-1",
          { 0, 3, 2, 1 } },
        { 5,
          "dims=16x5x6x7x2 strides=16x80x480x3360 channels=16 pixels=90 lower=-1x0x-1 upper=0x-1x-1 "
          "element-strides=8x2x1x3x5",
          { 0, 1, 1, 2, 0, 1, 2, 2 } },
    };

    (void)state;
    for (size_t k = 0; k < sizeof copies / sizeof *copies; k++) {
        const struct tensor_map map = make(copies[k].rank, copies[k].words);
        struct expectation x = { .map = &map, .corner = copies[k].corner };
        assert_int_equal(tensor_map_check(&map, NULL, 0), 0);
        tensor_tile_each(&map, copies[k].corner, held_to_digits, &x);
        assert_int_equal(x.seen, tensor_tile_bytes(&map));
        assert_int_equal(x.seen, (uint64_t)map.channels * map.pixels);
    }
}

enum { W = 9, H = 7, C = 16, IMAGES = 2, FILTER = 3, STRIDE = 2, PAD = 1, Q = 5, P = 4, COLUMN = Q * P * IMAGES };

/* out[image][p][q] = sum over r, s, c of in[image][p * stride + r - pad][q * stride + s - pad][c] * filter[r][s][c]. */
static void test_convolution(void **state)
{
    static unsigned char in[IMAGES][H][W][C], column[COLUMN][C];
    const struct tensor_map map = make(4, "dims=16x9x7x2 strides=16x144x1008 channels=16 pixels=40 lower=-1x-1 "
                                          "upper=-1x-1 element-strides=1x2x2x1");
    int64_t product[COLUMN] = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof in; i++)
        (&in[0][0][0][0])[i] = (unsigned char)(i * 37 + i / 5);
    for (int r = 0; r < FILTER; r++)
        for (int s = 0; s < FILTER; s++) {
            const int32_t corner[TENSOR_CORNER] = { 0, -1, -1, 0, 0, s, r };
            memset(column, 0xEE, sizeof column);
            oracle_tile_load(&map, (unsigned char *)in, corner, (unsigned char *)column, 0);
            for (int m = 0; m < COLUMN; m++)
                for (int c = 0; c < C; c++)
                    product[m] += column[m][c] * (r * 50 + s * 7 + c);
        }
    for (int m = 0; m < COLUMN; m++) {
        int64_t direct = 0;
        for (int r = 0; r < FILTER; r++)
            for (int s = 0; s < FILTER; s++) {
                const int y = m / Q % P * STRIDE + r - PAD, x = m % Q * STRIDE + s - PAD;
                for (int c = 0; c < C && x >= 0 && x < W && y >= 0 && y < H; c++)
                    direct += in[m / (Q * P)][y][x][c] * (r * 50 + s * 7 + c);
            }
        assert_int_equal(product[m], direct);
    }
}

/* Columns of images of 4 x 4 pixels, counted from 1, that Triton's tutorial on the mode holds a Hopper to; 0 is fill.
 */
static void test_columns(void **state)
{
    static const struct {
        const char *words;
        int32_t corner[TENSOR_CORNER];
        unsigned char pixels[16];
    } columns[] = {
        { "lower=0x0 upper=0x0", { 0 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 } },
        { "lower=-1x-1 upper=-1x-1", { 0, -1, -1 }, { 0, 0, 0, 0, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11 } },
        { "lower=-1x-1 upper=-1x-1",
          { 0, -1, -1, 0, 0, 1, 1 },
          { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 } },
        { "lower=0x0 upper=0x0", { 0, 3, 1 }, { 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 } },
    };
    unsigned char tensor[2 * 16 * 16], image[16 * 16];

    (void)state;
    for (size_t i = 0; i < sizeof tensor; i++)
        tensor[i] = (unsigned char)(i / 16 + 1);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        struct tensor_map map = make(4, "dims=16x4x4x2 strides=16x64x256 channels=16 pixels=16");
        char error[200];
        assert_true(tensor_map_set(&map, columns[k].words, error, sizeof error));
        memset(image, 0xEE, sizeof image);
        oracle_tile_load(&map, tensor, columns[k].corner, image, 0);
        for (int i = 0; i < 16 * 16; i++)
            assert_int_equal(image[i], columns[k].pixels[i / 16]);
    }
}

static void test_limits(void **state)
{
    static const struct {
        int64_t rank;
        const char *words, *rule; /* NULL: legal */
    } calls[] = {
        { 3, "lower=-32768 upper=32767", NULL },
        { 3, "lower=-32769", "tmap.im2col.corners" },
        { 3, "upper=32768", "tmap.im2col.corners" },
        { 4, "lower=-128x127 upper=127x127", NULL },
        { 4, "lower=0x-129", "tmap.im2col.corners" },
        { 5, "lower=-16x-16x-16 upper=15x15x15", NULL },
        { 5, "upper=0x16x0", "tmap.im2col.corners" },
        { 2, "", "tmap.im2col.rank" },
        { 3, "channels=256", NULL },
        { 3, "channels=0", "tmap.im2col.channels" },
        { 3, "channels=24", "tmap.im2col.channels16" },
        { 3, "channels=257", "tmap.im2col.channels" },
        { 3, "pixels=1024", NULL },
        { 3, "pixels=0", "tmap.im2col.pixels" },
        { 3, "pixels=1025", "tmap.im2col.pixels" },
        { 3, "dims=64x5x1 lower=2 upper=-2", NULL },
        { 3, "dims=64x5x1 lower=3 upper=-2", "tmap.im2col.area" },
        { 3, "channels=64 swizzle=64B", NULL },
        { 3, "channels=80 swizzle=64B", "tmap.im2col.swizzle" },
        { 3, "box=9999x0x0", NULL },
        { 3, "strides[0]=8", "tmap.tiled.gstride16" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        const struct tensor_map map = make(calls[k].rank, calls[k].words);
        struct tensor_map_fault fault = { 0 };
        const size_t n = tensor_map_check(&map, &fault, 1);
        if (n != (calls[k].rule != NULL) || (n && strcmp(fault.rule->id, calls[k].rule) != 0))
            fail_msg("%s: %zu faults, %s", calls[k].words, n, n ? fault.rule->id : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_addresses), cmocka_unit_test(test_convolution),
                                        cmocka_unit_test(test_columns), cmocka_unit_test(test_limits) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
