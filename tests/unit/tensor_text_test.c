/* Tensor maps from words. */
#include "expected/oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct tensor_map map;
static char error[200];

static bool set(const char *words)
{
    error[0] = '\0';
    return tensor_map_set(&map, words, error, sizeof error);
}

static void every_argument(void **state)
{
    (void)state;
    assert_true(set("type=bf16 rank=3 address=0x100 dims=64x32x7 strides=256x8192 box=8,4,2 element-strides=1x2x3 "
                    "interleave=16B swizzle=128B l2=256B fill=nan"));
    assert_int_equal(map.type, TENSOR_BF16);
    assert_int_equal(map.rank, 3);
    assert_int_equal(map.address, 0x100);
    assert_int_equal(map.dims[2], 7);
    assert_int_equal(map.strides[1], 8192);
    assert_int_equal(map.box[1], 4);
    assert_int_equal(map.element_strides[2], 3);
    assert_int_equal(map.interleave, TENSOR_INTERLEAVE_16B);
    assert_int_equal(map.swizzle, TENSOR_SWIZZLE_128B);
    assert_int_equal(map.l2, TENSOR_L2_256B);
    assert_int_equal(map.fill, TENSOR_FILL_NAN);
}

static void numbers(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } number[] = {
        { "dims[1]=0x10", 16 },
        { "dims[1]=2^32", UINT64_C(1) << 32 },
        { "dims[1]=2^40-16", (UINT64_C(1) << 40) - 16 },
        { "dims[1]=2^64-1", UINT64_MAX },
        { "dims[1]=2^3+2^2-1", 11 },
        { "dims[1]=-1", UINT64_MAX },
        { "dims[1]=0^0", 1 },
        { "dims[1]=1^999", 1 },
        { "dims[1]=18446744073709551615", UINT64_MAX },
    };

    (void)state;
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        assert_true(set(number[i].text));
        assert_true(map.dims[1] == number[i].value);
    }
}

static void one_entry(void **state)
{
    (void)state;
    assert_true(set("dims=1x2x3x4x5 dims[4]=9 strides[3]=48 box[0]=7 element-strides[1]=8"));
    assert_int_equal(map.dims[0], 1);
    assert_int_equal(map.dims[4], 9);
    assert_int_equal(map.strides[3], 48);
    assert_int_equal(map.box[0], 7);
    assert_int_equal(map.element_strides[1], 8);
}

static void enumerators(void **state)
{
    (void)state;
    for (int64_t i = 0; i < TENSOR_TYPE_COUNT; i++) {
        char words[80];

        snprintf(words, sizeof words, "type=%s", tensor_type_name(i));
        assert_true(set(words));
        assert_int_equal(map.type, i);
    }
    for (int64_t i = 0; i < TENSOR_SWIZZLE_COUNT; i++) {
        char words[80];

        snprintf(words, sizeof words, "swizzle=%s", tensor_swizzle_name(i));
        assert_true(set(words));
        assert_int_equal(map.swizzle, i);
    }
    assert_true(set("type=CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B"));
    assert_int_equal(map.type, TENSOR_16U4_ALIGN8B);
    assert_true(set("type=TFLOAT32_FTZ swizzle=-1 fill=none l2=4 interleave=32b"));
    assert_int_equal(map.type, TENSOR_TF32_FTZ);
    assert_int_equal(map.swizzle, -1);
    assert_int_equal(map.fill, TENSOR_FILL_NONE);
    assert_int_equal(map.l2, 4);
    assert_int_equal(map.interleave, TENSOR_INTERLEAVE_32B);
    assert_null(tensor_type_name(16));
    assert_null(tensor_type_name(-1));
    assert_null(tensor_interleave_name(3));
    assert_null(tensor_l2_name(4));
    assert_null(tensor_fill_name(2));
    assert_string_equal(tensor_l2_name(2), "128B");
    assert_string_equal(tensor_fill_name(0), "zero");
    assert_string_equal(tensor_interleave_name(1), "16B");
}

static void errors_name_the_word(void **state)
{
    static const struct {
        const char *words, *word, *why;
    } wrong[] = {
        { "rank=2 dims", "'dims'", "name=value" },
        { "rank=2 dim=4", "'dim=4'", "no such argument" },
        { "dims=", "'dims='", "no value" },
        { "dims=5xq", "'dims=5xq'", "a number is missing" },
        { "dims=5;6", "'dims=5;6'", "not understood" },
        { "dims=1x2x3x4x5x6", "'dims=1x2x3x4x5x6'", "more than 5" },
        { "strides=1x2x3x4x5", "'strides=1x2x3x4x5'", "more than 4" },
        { "dims[5]=1", "'dims[5]=1'", "more than 5" },
        { "dims[x]=1", "'dims[x]=1'", "one digit" },
        { "dims[1]=1x2", "'dims[1]=1x2'", "not understood" },
        { "rank[1]=1", "'rank[1]=1'", "no index" },
        { "rank=2x3", "'rank=2x3'", "not understood" },
        { "rank=", "'rank='", "no value" },
        { "box=2^32", "'box=2^32'", "32 bits" },
        { "dims=2^65", "'dims=2^65'", "2^64" },
        { "dims=2^64", "'dims=2^64'", "64 bits" },
        { "dims=2^64+2^64", "'dims=2^64+2^64'", "2^64" },
        { "dims=99999999999999999999", "'dims=99999999999999999999'", "2^64-1" },
        { "dims=2^", "'dims=2^'", "missing" },
        { "dims=-", "'dims=-'", "missing" },
        { "swizzle=96B", "'swizzle=96B'", "no such name" },
        { "swizzle=banana", "'swizzle=banana'", "no such name" },
        { "swizzle=-", "'swizzle=-'", "missing" },
        { "type=f128", "'type=f128'", "no such name" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(set(wrong[i].words));
        if (!strstr(error, wrong[i].word) || !strstr(error, wrong[i].why))
            fail_msg("%s: %s", wrong[i].words, error);
    }
    assert_false(tensor_map_set(&map, "x", NULL, 0));
    assert_true(set(""));
    assert_true(set("  \t rank=2\n"));
}

static void defaults_are_legal(void **state)
{
    (void)state;
    for (int64_t type = 0; type < TENSOR_U8 + 13; type++)
        for (int64_t rank = 1; rank <= 5; rank++) {
            const struct tensor_map m = tensor_map_default(type, rank);

            assert_int_equal(tensor_map_check(&m, NULL, 0), 0);
        }
    assert_int_equal(tensor_map_default(99, 9).box[0], 16);
}

static void sizes(void **state)
{
    unsigned per;

    (void)state;
    assert_int_equal(tensor_type_bytes(TENSOR_F64, &per), 8);
    assert_int_equal(per, 1);
    assert_int_equal(tensor_type_bytes(TENSOR_16U6_ALIGN16B, &per), 12);
    assert_int_equal(per, 16);
    assert_int_equal(tensor_type_bytes(77, &per), 0);
    assert_int_equal(per, 1);
    assert_int_equal(tensor_type_bytes(TENSOR_U16, NULL), 2);
    assert_true(tensor_type_is_float(TENSOR_TF32));
    assert_false(tensor_type_is_float(TENSOR_U32));
    assert_true(tensor_type_is_packed(TENSOR_16U4_ALIGN8B));
    assert_false(tensor_type_is_packed(TENSOR_U8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_argument),
        cmocka_unit_test(numbers),
        cmocka_unit_test(one_entry),
        cmocka_unit_test(enumerators),
        cmocka_unit_test(errors_name_the_word),
        cmocka_unit_test(defaults_are_legal),
        cmocka_unit_test(sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
