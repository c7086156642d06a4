/* The limits of cuTensorMapEncodeTiled: each rule on both sides of its limit, alone and in company. */
#include "expected/oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/maps/maps.h"

static struct tensor_map_fault faults[64];

/* A call: words over the default of a type and rank. */
static size_t check(int64_t type, int64_t rank, const char *words)
{
    struct tensor_map map = tensor_map_default(type, rank);
    char error[200];

    memset(faults, 0, sizeof faults);
    if (!tensor_map_set(&map, words, error, sizeof error))
        fail_msg("%s", error);
    return tensor_map_check(&map, faults, 64);
}

static const struct {
    const char *rule; /* NULL: legal */
    int type, rank;
    const char *words, *argument;
    uint64_t value, nearest;
} calls[] = {
    { NULL, TENSOR_F32, 2, "" },
    { "tmap.tiled.dtype", TENSOR_F32, 2, "type=16", "tensorDataType", 16, 12 },
    { "tmap.tiled.dtype", TENSOR_F32, 2, "type=-1", "tensorDataType", UINT64_MAX, 0 },
    { "tmap.tiled.rank", TENSOR_F32, 2, "rank=0", "tensorRank", 0, 1 },
    { "tmap.tiled.rank", TENSOR_F32, 2, "rank=6", "tensorRank", 6, 5 },
    { "tmap.tiled.rank.interleave", TENSOR_F16, 2, "interleave=16B", "tensorRank", 2, 3 },
    { NULL, TENSOR_F16, 3, "interleave=16B" },
    { "tmap.tiled.gaddr16", TENSOR_F32, 2, "address=0x108", "globalAddress", 0x108, 0x110 },
    { "tmap.tiled.gaddr16", TENSOR_F32, 2, "address=0x107", "globalAddress", 0x107, 0x100 },
    { "tmap.tiled.gaddr16", TENSOR_F32, 2, "address=2^56-1", "globalAddress", (UINT64_C(1) << 56) - 1,
      UINT64_C(1) << 56 },
    { "tmap.tiled.gaddr32.interleave", TENSOR_F16, 3, "interleave=32B swizzle=32B address=16", "globalAddress", 16,
      32 },
    { NULL, TENSOR_F16, 3, "interleave=16B address=16" },
    { "tmap.tiled.gdim.zero", TENSOR_U8, 5, "dims[4]=0", "globalDim[4]", 0, 1 },
    { NULL, TENSOR_U8, 4, "dims[4]=0" },
    { NULL, TENSOR_U8, 3, "dims[0]=2^32" },
    { "tmap.tiled.gdim.max", TENSOR_U8, 3, "dims[0]=2^32+1", "globalDim[0]", UINT64_C(4294967297),
      UINT64_C(4294967296) },
    { "tmap.tiled.gstride16", TENSOR_U8, 3, "strides[1]=8200", "globalStrides[1]", 8200, 8208 },
    { "tmap.tiled.gstride16", TENSOR_U8, 3, "strides[1]=1", "globalStrides[1]", 1, 8192 },
    { "tmap.tiled.gstride32.interleave", TENSOR_U8, 3, "interleave=32B swizzle=32B strides[0]=272", "globalStrides[0]",
      272, 288 },
    { NULL, TENSOR_U8, 3, "strides[0]=2^40-16" },
    { "tmap.tiled.gstride.max", TENSOR_U8, 3, "strides[0]=2^40", "globalStrides[0]", UINT64_C(1) << 40,
      (UINT64_C(1) << 40) - 16 },
    { "tmap.tiled.box.zero", TENSOR_U8, 3, "box[2]=0", "boxDim[2]", 0, 1 },
    { "tmap.tiled.box.max", TENSOR_U8, 3, "box[2]=257", "boxDim[2]", 257, 256 },
    { "tmap.tiled.box.inner16", TENSOR_U8, 3, "box[0]=17", "boxDim[0]", 17, 16 },
    { "tmap.tiled.box.inner16", TENSOR_F64, 3, "box[0]=1", "boxDim[0]", 1, 2 },
    { NULL, TENSOR_F64, 3, "box[0]=256" },
    { "tmap.tiled.estride.zero", TENSOR_U8, 3, "element-strides[1]=0", "elementStrides[1]", 0, 1 },
    { "tmap.tiled.estride.max", TENSOR_U8, 3, "element-strides[2]=9", "elementStrides[2]", 9, 8 },
    { "tmap.tiled.ilv.enum", TENSOR_U8, 3, "interleave=3", "interleave", 3, 2 },
    { "tmap.tiled.ilv32.swizzle", TENSOR_U8, 3, "interleave=32B swizzle=64B", "swizzle", 2, 1 },
    { "tmap.tiled.seen.atom-swizzle", TENSOR_U8, 3, "swizzle=6", "swizzle", 6, 3 },
    { "tmap.tiled.seen.address-57-bits", TENSOR_U8, 3, "address=2^57", "globalAddress", UINT64_C(1) << 57,
      (UINT64_C(1) << 57) - 16 },
    { NULL, TENSOR_U8, 3, "address=2^57-16" },
    { "tmap.tiled.seen.estride0", TENSOR_U8, 3, "element-strides[0]=0", "elementStrides[0]", 0, 1 },
    { "tmap.tiled.seen.estride0", TENSOR_U8, 3, "element-strides[0]=9", "elementStrides[0]", 9, 8 },
    { "tmap.tiled.estride.max", TENSOR_U8, 3, "interleave=16B element-strides[0]=9", "elementStrides[0]", 9, 8 },
    { "tmap.tiled.seen.box-bytes", TENSOR_F32, 3, "box=256,229,1", "boxDim", 234496, 233472 },
    { NULL, TENSOR_F32, 3, "box=256,228,1" },
    { NULL, TENSOR_F32, 3, "box=16,256,256 element-strides=1,8,8" },
    { NULL, TENSOR_F32, 3, "box=256,256,7 element-strides=1,1,8" }, /* divided and rounded down: none */
    { "tmap.tiled.seen.box-bytes", TENSOR_F32, 3, "box=256,256,15 element-strides=1,1,8", "boxDim", 262144, 233472 },
    { "tmap.tiled.seen.inner16-interleave", TENSOR_F16, 3, "interleave=16B box[0]=7", "boxDim[0]", 7, 8 },
    { "tmap.tiled.swz.enum", TENSOR_U8, 3, "swizzle=7", "swizzle", 7, 3 },
    { "tmap.tiled.swz.inner32", TENSOR_F16, 3, "swizzle=32B box[0]=24", "boxDim[0]", 24, 16 },
    { "tmap.tiled.swz.inner64", TENSOR_F32, 3, "swizzle=64B box[0]=20", "boxDim[0]", 20, 16 },
    { "tmap.tiled.swz.inner128", TENSOR_U8, 3, "swizzle=128B box[0]=144", "boxDim[0]", 144, 128 },
    { NULL, TENSOR_U8, 3, "swizzle=128B box[0]=128" },
    { "tmap.tiled.l2.enum", TENSOR_U8, 3, "l2=4", "l2Promotion", 4, 3 },
    { "tmap.tiled.fill.enum", TENSOR_F16, 3, "fill=2", "oobFill", 2, 1 },
    { "tmap.tiled.fill.enum", TENSOR_F16, 3, "fill=-1", "oobFill", UINT64_MAX, 0 },
    { "tmap.tiled.fill.float-only", TENSOR_S32, 3, "fill=nan", "oobFill", 1, 0 },
    { NULL, TENSOR_TF32_FTZ, 3, "fill=nan" },
};

static void each_rule_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const size_t count = check(calls[i].type, calls[i].rank, calls[i].words);

        if (!calls[i].rule) {
            if (count)
                fail_msg("'%s' breaks %s", calls[i].words, faults[0].rule->id);
            continue;
        }
        if (count != 1 || strcmp(faults[0].rule->id, calls[i].rule) != 0)
            fail_msg("'%s' breaks %zu rules, first %s", calls[i].words, count, count ? faults[0].rule->id : "none");
        assert_string_equal(faults[0].argument, calls[i].argument);
        assert_true(faults[0].value == calls[i].value);
        if (faults[0].nearest != calls[i].nearest)
            fail_msg("'%s': nearest %llu", calls[i].words, (unsigned long long)faults[0].nearest);
        assert_non_null(faults[0].limit);
    }
}

static void all_broken_rules_are_returned(void **state)
{
    (void)state;
    assert_int_equal(check(TENSOR_U8, 2, "address=1 dims=0x0,0 box[0]=7 fill=nan l2=9 swizzle=9"), 7);
    assert_int_equal(check(TENSOR_U8, 3, "dims=0,0,0 strides=1,1 element-strides[1]=0"), 6);
}

static void few_are_stored(void **state)
{
    const struct tensor_map map = { .type = -1, .rank = 9, .address = 1 };

    (void)state;
    memset(faults, 0, sizeof faults);
    assert_true(tensor_map_check(&map, faults, 1) > 2);
    assert_non_null(faults[0].rule);
    assert_null(faults[1].rule);
    assert_true(tensor_map_check(&map, NULL, 0) > 2);
}

/* Moving a refused argument to the nearest legal value must cure that fault. */
static void nearest_values_are_legal(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        static const struct {
            const char *cuda, *word;
        } name[] = { { "globalDim", "dims" },
                     { "globalStrides", "strides" },
                     { "boxDim", "box" },
                     { "elementStrides", "element-strides" },
                     { "globalAddress", "address" } };
        char words[300];

        if (!calls[i].rule)
            continue;
        for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
            const size_t n = strlen(name[k].cuda);

            if (strncmp(calls[i].argument, name[k].cuda, n) != 0 || !strcmp(calls[i].argument, "boxDim"))
                continue;
            snprintf(words, sizeof words, "%s %s%s=%llu", calls[i].words, name[k].word, calls[i].argument + n,
                     (unsigned long long)calls[i].nearest);
            assert_int_equal(check(calls[i].type, calls[i].rank, words), 0);
        }
    }
}

/* Gives the argument that a fault names the value that the fault names. */
static void follow(struct tensor_map *m, const struct tensor_map_fault *f)
{
    const char *bracket = strchr(f->argument, '[');
    const int i = bracket ? bracket[1] - '0' : 0;
    const struct {
        const char *name;
        uint64_t *wide;
        uint32_t *narrow;
        int64_t *enumerator;
    } arguments[] = { { "tensorDataType", .enumerator = &m->type },
                      { "tensorRank", .enumerator = &m->rank },
                      { "interleave", .enumerator = &m->interleave },
                      { "swizzle", .enumerator = &m->swizzle },
                      { "l2Promotion", .enumerator = &m->l2 },
                      { "oobFill", .enumerator = &m->fill },
                      { "globalAddress", .wide = &m->address },
                      { "globalDim", .wide = &m->dims[i] },
                      { "globalStrides", .wide = &m->strides[i] },
                      { "boxDim", .narrow = &m->box[i] },
                      { "elementStrides", .narrow = &m->element_strides[i] } };

    for (size_t k = 0; k < sizeof arguments / sizeof *arguments; k++) {
        const size_t n = strlen(arguments[k].name);
        if (strncmp(f->argument, arguments[k].name, n) != 0)
            continue;
        if (arguments[k].wide)
            *arguments[k].wide = f->nearest;
        else if (arguments[k].narrow)
            *arguments[k].narrow = (uint32_t)f->nearest;
        else
            *arguments[k].enumerator = (int64_t)f->nearest;
        return;
    }
    fail_msg("no argument '%s'", f->argument);
}

/* Of random calls: what a fault names is legal for its argument by all of its rules, and a stride holds its row. */
static void whoever_follows_is_right(void **state)
{
    static struct tensor_map_fault then[64];
    uint64_t random = 1;
    size_t followed = 0;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        struct tensor_map map, cured;
        size_t count, left;

        map_random(&random, &map);
        if (i % 4 == 0)
            map.strides[i / 4 % 4] = random >> 8 & 0xFFF; /* often less than a row */
        count = tensor_map_check(&map, faults, 64);
        for (size_t k = 0; k < count && k < 64; k++) {
            if (!strcmp(faults[k].argument, "boxDim")) /* a box of so many bytes: no one argument's */
                continue;
            if (tensor_type_is_packed(map.type) &&
                (!strcmp(faults[k].argument, "swizzle") || !strcmp(faults[k].argument, "boxDim[0]")))
                continue; /* interleave 32B leaves no swizzle, a narrow swizzle no box */
            cured = map;
            follow(&cured, &faults[k]);
            left = tensor_map_check(&cured, then, 64);
            for (size_t j = 0; j < left && j < 64; j++)
                if (!strcmp(then[j].argument, faults[k].argument))
                    fail_msg("%s: %s was %llu, is %llu and breaks %s", faults[k].rule->id, faults[k].argument,
                             (unsigned long long)faults[k].value, (unsigned long long)faults[k].nearest,
                             then[j].rule->id);
            assert_true(faults[k].nearest >= faults[k].holds);
            followed++;
        }
    }
    assert_true(followed > 10000);
}

/* A stride that is less than its row: the row's size, and the value that holds it. */
static void strides_hold_their_rows(void **state)
{
    static const struct {
        int64_t type;
        int rank;
        const char *words;
        uint64_t nearest, holds;
    } strides[] = {
        { TENSOR_F32, 2, "dims=100,64 strides=100", 400, 400 },
        { TENSOR_F32, 2, "dims=100,64 strides=410", 416, 0 },
        { TENSOR_F32, 2, "dims=100,64 strides=401", 400, 0 },
        { TENSOR_F16, 2, "dims=33,64 strides=65", 80, 66 },
        { TENSOR_U8, 3, "dims=100,10,4 strides=112,1000", 1120, 1120 },
        { TENSOR_U8, 3, "dims=100,10,4 strides=112,1130", 1136, 0 },
        { TENSOR_F64, 3, "dims=2^32,10,4 strides=1,16", 34359738368, 34359738368 },
        { TENSOR_U8, 3, "interleave=16B dims=100,10,4 strides=17,112", 16, 0 }, /* slices */
    };

    (void)state;
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        if (!check(strides[i].type, strides[i].rank, strides[i].words))
            fail_msg("'%s' is legal", strides[i].words);
        if (faults[0].nearest != strides[i].nearest || faults[0].holds != strides[i].holds)
            fail_msg("'%s': %llu, holds %llu", strides[i].words, (unsigned long long)faults[0].nearest,
                     (unsigned long long)faults[0].holds);
    }
}

/* What the documents forbid and driver 580 accepts is returned, and does not refuse. */
static void tolerated_rules(void **state)
{
    struct tensor_map map = tensor_map_default(TENSOR_F16, 3);

    (void)state;
    map.interleave = TENSOR_INTERLEAVE_32B;
    map.swizzle = TENSOR_SWIZZLE_64B;
    assert_int_equal(tensor_map_check(&map, faults, 64), 1);
    assert_true(faults[0].tolerated);
    assert_true(tensor_map_accepted(&map));
    map.l2 = 4;
    assert_int_equal(tensor_map_check(&map, faults, 64), 2);
    assert_false(tensor_map_accepted(&map));
    map.l2 = 0;
    map.swizzle = TENSOR_SWIZZLE_32B;
    assert_int_equal(tensor_map_check(&map, faults, 64), 0);
    assert_true(tensor_map_accepted(&map));
}

/* Each rule of the packed types, in company of the one that this device has no such types. */
static void packed_types(void **state)
{
    static const struct {
        const char *rule;
        int type;
        const char *words;
        uint64_t nearest;
    } packed[] = {
        { "tmap.tiled.gaddr32.packed", TENSOR_16U4_ALIGN16B, "address=16", 32 },
        { "tmap.tiled.gdim.mult128", TENSOR_16U6_ALIGN16B, "dims[0]=192", 256 },
        { "tmap.tiled.gdim.mult128", TENSOR_16U6_ALIGN16B, "dims[0]=1", 128 },
        { "tmap.tiled.gdim.even", TENSOR_16U4_ALIGN8B, "dims[0]=33", 34 },
        { "tmap.tiled.gstride32.packed", TENSOR_16U6_ALIGN16B, "strides[0]=272", 288 },
        { "tmap.tiled.box.packed128", TENSOR_16U4_ALIGN16B, "box[0]=64", 128 },
        { "tmap.tiled.box.inner16", TENSOR_16U4_ALIGN8B, "box[0]=33", 32 },
        { "tmap.tiled.u6.interleave", TENSOR_16U6_ALIGN16B, "interleave=16B", 0 },
        { "tmap.tiled.u6.swizzle", TENSOR_16U6_ALIGN16B, "swizzle=5", 3 },
        { "tmap.tiled.u4.swizzle", TENSOR_16U4_ALIGN16B, "swizzle=6", 3 },
        { "tmap.tiled.fill.packed", TENSOR_16U4_ALIGN8B, "fill=nan", 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        const size_t count = check(packed[i].type, 3, packed[i].words);
        bool own = false;

        for (size_t k = 0; k < count; k++)
            if (!strcmp(faults[k].rule->id, packed[i].rule)) {
                own = true;
                assert_true(faults[k].nearest == packed[i].nearest);
            }
        if (!own)
            fail_msg("'%s' does not break %s", packed[i].words, packed[i].rule);
        assert_string_equal(faults[0].rule->id, "tmap.tiled.seen.packed-types");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_alone),          cmocka_unit_test(all_broken_rules_are_returned),
        cmocka_unit_test(few_are_stored),           cmocka_unit_test(nearest_values_are_legal),
        cmocka_unit_test(whoever_follows_is_right), cmocka_unit_test(strides_hold_their_rows),
        cmocka_unit_test(tolerated_rules),          cmocka_unit_test(packed_types),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
