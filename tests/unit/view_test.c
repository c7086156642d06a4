/* The model of tile-space accesses: the examples of the documents, and the tensor copy that does the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "expected/random.h"
#include "expected/view.h"
#include "harness/maps/maps.h"

static struct view_access access_of(const char *extents, const char *strides, const char *tile, const char *index)
{
    struct view_access v = { .type = VIEW_U8 };
    char error[100];

    assert_true(view_list_read(extents, &v.extents, error, sizeof error));
    assert_true(view_list_read(strides, &v.strides, error, sizeof error));
    assert_true(view_list_read(tile, &v.tile, error, sizeof error));
    assert_true(view_list_read(index, &v.index, error, sizeof error));
    return v;
}

/* The API reference's examples: a partition view of a 4 x 8 array, and a strided view of rows of ten. */
static void documented_examples(void **state)
{
    struct view_access v = access_of("4,8", "8,1", "2,2", "1,2");
    unsigned char array[100], tile[4];

    (void)state;
    for (size_t i = 0; i < sizeof array; i++)
        array[i] = (unsigned char)i;
    view_load(&v, array, tile);
    assert_memory_equal(tile, ((unsigned char[]){ 20, 21, 28, 29 }), 4);
    v = access_of("10,10", "10,1", "2,2", "0,1");
    v.steps = (struct view_list){ 2, { 3, 4 } };
    view_load(&v, array, tile);
    assert_memory_equal(tile, ((unsigned char[]){ 4, 5, 14, 15 }), 4);
    v = access_of("10", "1", "4", "2");
    view_load(&v, array, tile);
    assert_memory_equal(tile, ((unsigned char[]){ 8, 9, 0, 0 }), 4);
}

/* How many tiles there are: the guide's figure, and the lengths that the specification gives for strided views. */
static void tiles_are_counted(void **state)
{
    struct view_access v = access_of("10,16", "16,1", "2,4", "0,0");

    (void)state;
    assert_int_equal(view_tiles(&v, 0), 5);
    assert_int_equal(view_tiles(&v, 1), 4);
    v = access_of("16,8", "8,1", "2,2", "0,0");
    v.steps = (struct view_list){ 2, { 3, 1 } };
    assert_int_equal(view_tiles(&v, 0), 6);
    assert_int_equal(view_tiles(&v, 1), 8);
}

static void answers(void **state)
{
    static const struct {
        enum view_type type;
        enum view_padding padding;
        const char *extents, *strides, *tile, *index;
        enum view_answer answer;
        const char *rule;
    } rows[] = {
        { VIEW_F32, VIEW_ZERO, "10,16", "16,1", "2,4", "4,3", VIEW_DEFINED, NULL },
        { VIEW_F32, VIEW_ZERO, "10,16", "16,1", "2,4", "5,3", VIEW_UNDEFINED, "tile.oob.all-outside-load" },
        { VIEW_F32, VIEW_ZERO, "9,16", "16,1", "2,4", "4,3", VIEW_DEFINED, NULL },
        { VIEW_F32, VIEW_UNMASKED, "9,16", "16,1", "2,4", "4,3", VIEW_UNDEFINED, "tile.oob.unmasked-load-ub" },
        { VIEW_F32, VIEW_UNMASKED, "9,16", "16,1", "2,4", "3,3", VIEW_DEFINED, NULL },
        { VIEW_F32, VIEW_ZERO, "10,16", "16,1", "2,4", "-1,3", VIEW_UNDEFINED, "tile.oob.no-low-side" },
        { VIEW_F32, VIEW_ZERO, "0,16", "16,1", "2,4", "0,0", VIEW_UNDEFINED, "tile.oob.all-outside-load" },
        { VIEW_F32, VIEW_ZERO, "10,16", "-16,1", "2,4", "0,0", VIEW_UNDEFINED, "tile.span.negative-stride" },
        { VIEW_F32, VIEW_ZERO, "10,16", "0,0", "2,4", "0,0", VIEW_DEFINED, NULL },
        { VIEW_U8, VIEW_ZERO, "3", "9223372036854775807", "2", "0", VIEW_DEFINED, NULL },
        { VIEW_U8, VIEW_ZERO, "3", "9223372036854775807", "2", "1", VIEW_UNDEFINED, "tile.view.offset-overflow" },
        { VIEW_U8, VIEW_ZERO, "9223372036854775807", "1", "4", "2305843009213693951", VIEW_DEFINED, NULL },
        { VIEW_F32, VIEW_ZERO, "10,16", "16,1", "3,4", "0,0", VIEW_REFUSED, "tile.shape.pow2" },
        { VIEW_F32, VIEW_ZERO, "10,16", "16,1", "0,4", "0,0", VIEW_REFUSED, "tile.shape.pow2" },
        { VIEW_F32, VIEW_ZERO, "10,16", "16,1", "-4,4", "0,0", VIEW_REFUSED, "tile.shape.pow2" },
        { VIEW_U8, VIEW_ZERO, "16", "1", "16777216", "0", VIEW_DEFINED, NULL },
        { VIEW_U8, VIEW_ZERO, "16", "1", "33554432", "0", VIEW_REFUSED, "tile.shape.count-max" },
        { VIEW_U8, VIEW_ZERO, "16,16", "16,1", "4096,8192", "0,0", VIEW_REFUSED, "tile.shape.count-max" },
        { VIEW_F32, VIEW_ZERO, "16", "1", "4194304", "0", VIEW_DEFINED, NULL },
        { VIEW_F32, VIEW_ZERO, "16", "1", "8388608", "0", VIEW_REFUSED, "tile.shape.count-max" },
        { VIEW_F32, VIEW_ZERO, "10,16", "16,1", "4", "0,0", VIEW_REFUSED, "tile.view.rank-match" },
        { VIEW_F32, VIEW_ZERO, "", "", "", "", VIEW_REFUSED, "tile.view.rank-match" },
        { VIEW_F32, VIEW_ZERO, "10,16", "16", "4,4", "0,0", VIEW_REFUSED, "tile.span.layout-strided" },
        { VIEW_F32, VIEW_ZERO, "10,16", "16,1", "4,4", "0", VIEW_REFUSED, "tile.load.index-count" },
        { VIEW_S32, VIEW_NEGATIVE_ZERO, "8", "1", "4", "0", VIEW_REFUSED, "tile.oob.padding-float-only" },
        { VIEW_U8, VIEW_NAN, "8", "1", "4", "0", VIEW_REFUSED, "tile.oob.padding-float-only" },
        { VIEW_E4M3, VIEW_NEGATIVE_INF, "8", "1", "4", "0", VIEW_REFUSED, "tile.oob.padding-e4m3" },
        { VIEW_E5M2, VIEW_NEGATIVE_INF, "8", "1", "4", "0", VIEW_DEFINED, NULL },
        { VIEW_E4M3, VIEW_NAN, "8", "1", "4", "9", VIEW_UNDEFINED, "tile.oob.all-outside-load" },
        { VIEW_F16, VIEW_ZERO, "1,1,1,1,1,1,1", "1,1,1,1,1,1,1", "1,1,1,1,1,1,1", "0,0,0,0,0,0,0", VIEW_DEFINED, NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct view_access v = access_of(rows[i].extents, rows[i].strides, rows[i].tile, rows[i].index);
        struct view_reason why;

        v.type = rows[i].type;
        v.padding = rows[i].padding;
        assert_int_equal(view_check(&v, &why), rows[i].answer);
        if (rows[i].rule) {
            assert_string_equal(why.rule, rows[i].rule);
            assert_non_null(ck_rule_find(why.rule));
        } else {
            assert_null(why.rule);
        }
    }
}

static void steps_are_checked(void **state)
{
    struct view_access v = access_of("8,8", "8,1", "2,2", "0,0");
    struct view_reason why;

    (void)state;
    v.steps = (struct view_list){ 2, { 1, 0 } };
    assert_int_equal(view_check(&v, &why), VIEW_REFUSED);
    assert_string_equal(why.rule, "tile.strided.positive");
    v.steps = (struct view_list){ 1, { 1 } };
    assert_int_equal(view_check(&v, &why), VIEW_REFUSED);
    v.steps = (struct view_list){ 2, { 7, 9 } };
    assert_int_equal(view_check(&v, &why), VIEW_DEFINED);
    v.index.of[0] = 1;
    assert_int_equal(view_check(&v, &why), VIEW_DEFINED);
    v.index.of[0] = 2;
    assert_int_equal(view_check(&v, &why), VIEW_UNDEFINED);
}

static void overlapping_places(void **state)
{
    struct view_access v = access_of("4,4", "4,1", "4,4", "0,0");

    (void)state;
    assert_false(view_overlaps(&v));
    v.strides.of[0] = 3;
    assert_true(view_overlaps(&v));
    v.extents.of[1] = 3; /* the fourth column is outside */
    assert_false(view_overlaps(&v));
    v.strides.of[0] = 0;
    assert_true(view_overlaps(&v));
}

/* What an H200 left. */
static void padding_bits(void **state)
{
    static const struct {
        enum view_type type;
        uint64_t minus_zero, inf, minus_inf, nan;
    } rows[] = {
        { VIEW_F16, 0x8000, 0x7C00, 0xFC00, 0x7E00 },
        { VIEW_BF16, 0x8000, 0x7F80, 0xFF80, 0x7FC0 },
        { VIEW_F32, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000 },
        { VIEW_F64, 0x8000000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000 },
        { VIEW_E5M2, 0x80, 0x7C, 0xFC, 0x7E },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(view_padding_bits(rows[i].type, VIEW_ZERO), 0);
        assert_int_equal(view_padding_bits(rows[i].type, VIEW_NEGATIVE_ZERO), rows[i].minus_zero);
        assert_int_equal(view_padding_bits(rows[i].type, VIEW_POSITIVE_INF), rows[i].inf);
        assert_int_equal(view_padding_bits(rows[i].type, VIEW_NEGATIVE_INF), rows[i].minus_inf);
        assert_int_equal(view_padding_bits(rows[i].type, VIEW_NAN), rows[i].nan);
        assert_true(view_is_nan(rows[i].type, rows[i].nan | rows[i].minus_zero));
        assert_false(view_is_nan(rows[i].type, rows[i].minus_inf));
    }
    assert_int_equal(view_padding_bits(VIEW_E4M3, VIEW_NEGATIVE_ZERO), 0x80);
    assert_int_equal(view_padding_bits(VIEW_E4M3, VIEW_NAN), 0x7F);
    assert_true(view_is_nan(VIEW_E4M3, 0xFF));
    assert_false(view_is_nan(VIEW_E4M3, 0x7E));
    assert_false(view_is_nan(VIEW_U8, 0x7F));
}

/* ---- the tensor copy that does the same -------------------------------------------------------------------------- */

enum { REGION = 1 << 16, IMAGE = 1 << 15, LOWERED = 2000 };

static uint64_t state_of_random = 1;

static int64_t below(uint32_t n)
{
    return splitmix64_below(&state_of_random, n);
}

/* A small random access that a tensor copy can often do. */
static struct view_access random_access(void)
{
    static const enum view_type types[] = { VIEW_U8,  VIEW_U16, VIEW_S32, VIEW_U64,
                                            VIEW_F16, VIEW_F32, VIEW_F64, VIEW_E4M3 };
    struct view_access v = { .type = types[below(8)], .padding = below(4) ? VIEW_ZERO : VIEW_UNMASKED };
    const int rank = 1 + (int)below(5);
    int64_t stride = 1;

    v.extents.count = v.strides.count = v.tile.count = v.index.count = rank;
    for (int i = rank - 1; i >= 0; i--) {
        const int64_t step = i == rank - 1 ? 16 : 1;
        v.tile.of[i] = i == rank - 1 ? INT64_C(16) << below(3) : INT64_C(1) << below(3);
        v.extents.of[i] = 1 + below(i == rank - 1 ? 80 : 5);
        v.strides.of[i] = stride;
        stride = (stride * v.extents.of[i] + step - 1) / step * step + below(2) * 16;
        v.index.of[i] = below((uint32_t)((v.extents.of[i] - 1) / v.tile.of[i]) + 1);
    }
    if (!below(4)) {
        v.steps.count = rank;
        for (int i = 0; i < rank; i++) {
            v.steps.of[i] = i == rank - 1 ? 16 * (1 + below(3)) : 1 + below(5);
            v.index.of[i] = below((uint32_t)((v.extents.of[i] - 1) / v.steps.of[i]) + 1);
        }
    }
    return v;
}

static void compare(const struct view_access *v, const struct tensor_map *map, const int32_t *corner)
{
    static unsigned char array[REGION], stored[2][REGION], image[IMAGE], tile[IMAGE];
    const size_t bytes = view_elements(v) * view_type_bytes(v->type);

    assert_int_equal(bytes, tensor_tile_bytes(map));
    for (size_t i = 0; i < REGION; i++)
        array[i] = (unsigned char)(splitmix64(i) >> 7);
    view_load(v, array, tile);
    oracle_tile_load(map, array, corner, image, 0);
    assert_memory_equal(tile, image, bytes);
    memset(stored, 0xA5, sizeof stored);
    view_store(v, stored[0], tile);
    oracle_tile_store(map, stored[1], corner, tile, 0);
    assert_memory_equal(stored[0], stored[1], REGION);
}

/* Random accesses: where a tensor copy can do the same, the oracle of tensor copies says the same. */
static void two_formulations_agree(void **state)
{
    unsigned lowered = 0;

    (void)state;
    for (unsigned i = 0; lowered < LOWERED; i++) {
        const struct view_access v = random_access();
        int32_t corner[TENSOR_CORNER];
        struct tensor_map map;

        assert_true(i < 20 * LOWERED);
        if (!view_lower(&v, &map, corner) || tensor_tile_bytes(&map) > IMAGE ||
            v.strides.of[0] * v.extents.of[0] * 8 > REGION)
            continue;
        lowered++;
        compare(&v, &map, corner);
    }
}

static void what_has_no_tensor_copy(void **state)
{
    static const char *const rows[][4] = {
        { "8,8", "16,2", "2,4", "0,0" },      /* the last dimension is not dense */
        { "8,8", "10,1", "2,4", "0,0" },      /* rows are no multiple of 16 bytes apart */
        { "8,8", "0,1", "2,4", "0,0" },       /* rows lie upon each other */
        { "8,8", "16,1", "2,2", "0,0" },      /* the box is narrower than 16 bytes */
        { "8,800", "800,1", "2,512", "0,0" }, /* the box is wider than 256 */
        { "8,8", "16,1", "2,4", "4,0" },      /* wholly outside: undefined */
        { "1,1,1,1,1,8", "8,8,8,8,8,1", "1,1,1,1,1,4", "0,0,0,0,0,0" },
    };
    struct view_access v = access_of("8,8", "16,1", "2,4", "0,0");
    int32_t corner[TENSOR_CORNER];
    struct tensor_map map;

    (void)state;
    v.type = VIEW_F32;
    assert_true(view_lower(&v, &map, corner));
    v.padding = VIEW_NAN;
    assert_true(view_lower(&v, &map, corner));
    assert_int_equal(map.fill, TENSOR_FILL_NAN);
    v.padding = VIEW_NEGATIVE_INF;
    assert_false(view_lower(&v, &map, corner));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        v = access_of(rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
        v.type = VIEW_F32;
        assert_false(view_lower(&v, &map, corner));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documented_examples),
        cmocka_unit_test(tiles_are_counted),
        cmocka_unit_test(answers),
        cmocka_unit_test(steps_are_checked),
        cmocka_unit_test(overlapping_places),
        cmocka_unit_test(padding_bits),
        cmocka_unit_test(two_formulations_agree),
        cmocka_unit_test(what_has_no_tensor_copy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
