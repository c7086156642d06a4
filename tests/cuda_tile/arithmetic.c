/* Tiles as values on the GPU: copies, extents, factories, operators. What comes out is computed on the host. */
#include <string.h>

#include "harness/ck.h"

struct unary_args {
    struct ck_head head;
    uint64_t in, out;
};

struct extents_args {
    struct ck_head head;
    uint64_t in, out;
    int rows, columns;
};

struct length_args {
    struct ck_head head;
    uint64_t in, out;
    int n;
};

struct made_args {
    struct ck_head head;
    uint64_t out;
    int value;
};

struct binary_args {
    struct ck_head head;
    uint64_t a, b, out;
};

struct select_args {
    struct ck_head head;
    uint64_t a, b, out;
    int n;
};

static void run_tile(struct ck *t, const char *kernel, const void *args, size_t size)
{
    ck_launch(t, &(struct ck_launch){ .kernel = kernel, .members = true, .args = args, .size = size });
}

/* The name of a kernel: its first words, and the value of an axis. */
static const char *named(struct ck *t, const char *words, const char *axis)
{
    const size_t size = strlen(words) + strlen(ck_word(t, axis)) + 1;
    char *name = ck_alloc(t, size);

    strcat(strcat(name, words), ck_word(t, axis));
    return name;
}

static uint32_t word_at(struct ck_buf b, size_t i)
{
    uint32_t word;

    memcpy(&word, b.host + 4 * i, 4);
    return word;
}

/* b = a, a = a + 1: b has the old elements, a the new ones. */
static void copy_stays(struct ck *t)
{
    const struct ck_buf in = ck_input(t, 32), out = ck_output(t, 64);
    const struct unary_args a = { .in = in.device, .out = out.device };
    uint32_t expected[16];

    for (size_t i = 0; i < 8; i++) {
        expected[i] = word_at(in, i);
        expected[8 + i] = expected[i] + 1;
    }
    run_tile(t, "value_copy", &a, sizeof a);
    ck_equal(t, out, expected);
}

enum { ROWS = 10, COLUMNS = 16, HIGH = 2, WIDE = 4 };

/* Tile (1, 1) of a 10 x 16 array, with each mix of lengths of compile time and of run time: the same elements. */
static void mixed_extents(struct ck *t)
{
    const struct ck_buf in = ck_input(t, ROWS * COLUMNS * 4), out = ck_output(t, HIGH * WIDE * 4);
    struct extents_args a = { .in = in.device, .out = out.device, .rows = ROWS, .columns = COLUMNS };
    uint32_t expected[HIGH * WIDE];

    for (size_t r = 0; r < HIGH; r++)
        for (size_t c = 0; c < WIDE; c++)
            expected[r * WIDE + c] = word_at(in, (HIGH + r) * COLUMNS + WIDE + c);
    if (ck_variant(t, "columns"))
        a.columns = COLUMNS - 1;
    run_tile(t, named(t, "extents_", "extents"), &a, sizeof a);
    ck_equal(t, out, expected);
}

/* A tile of 16 of an array of n elements, whose length is known at run time or is static: n elements, then zeros. */
static void static_or_run_time(struct ck *t)
{
    enum { TILE = 16 };
    const int n = (int)ck_int(t, "n");
    const struct ck_buf in = ck_input(t, TILE * 4), out = ck_output(t, TILE * 4);
    struct length_args a = { .in = in.device, .out = out.device, .n = n };
    uint32_t expected[TILE];

    for (int i = 0; i < TILE; i++)
        expected[i] = i < n ? word_at(in, (size_t)i) : 0;
    if (ck_variant(t, "shorter"))
        a.n = n - 1;
    run_tile(t, ck_is(t, "length", "run") ? "extents_run" : named(t, "extents_", "n"), &a, sizeof a);
    ck_equal(t, out, expected);
}

/* Two tiles of 4 x 8, one below the other, by both spellings of the axis. */
static void two_spellings(struct ck *t)
{
    const struct ck_buf in = ck_input(t, 256), out = ck_output(t, 512);
    const struct unary_args a = { .in = in.device, .out = out.device };
    unsigned char *expected = ck_alloc(t, 512);

    memcpy(expected, in.host, 256);
    memcpy(expected + 256, in.host, 256);
    run_tile(t, "literal_cat", &a, sizeof a);
    ck_equal(t, out, expected);
}

/* iota of 64 elements in one, two and three dimensions: element k in row-major order is k. */
static void iota_counts(struct ck *t)
{
    const struct ck_buf out = ck_output(t, 256);
    struct made_args a = { .out = out.device };
    uint32_t expected[64];

    for (uint32_t i = 0; i < 64; i++)
        expected[i] = i;
    if (ck_variant(t, "one"))
        a.value = 1;
    run_tile(t, named(t, "iota_", "tile"), &a, sizeof a);
    ck_equal(t, out, expected);
}

/* The bits of a small integer in a type of elements: one of 0 to 9, in f16 exact. */
static uint32_t bits_of(const char *type, int value)
{
    static const uint16_t half[] = { 0, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800, 0x4880 };
    const float f = (float)value;
    uint32_t bits = (uint32_t)value;

    if (!strcmp(type, "f32"))
        memcpy(&bits, &f, 4);
    return strcmp(type, "f16") != 0 ? bits : half[value];
}

/* full, zeros and ones: eight elements of the value, eight of 0, eight of 1. */
static void full_of_one_value(struct ck *t)
{
    const char *type = ck_word(t, "type");
    const size_t size = !strcmp(type, "u8") ? 1 : !strcmp(type, "f16") ? 2 : 4;
    const int values[] = { (int)ck_int(t, "value"), 0, 1 };
    const struct ck_buf out = ck_output(t, 24 * size);
    struct made_args a = { .out = out.device, .value = values[0] };
    unsigned char *expected = ck_alloc(t, 24 * size);

    for (size_t i = 0; i < 24; i++) {
        const uint32_t bits = bits_of(type, values[i / 8]);
        memcpy(expected + i * size, &bits, size);
    }
    if (ck_variant(t, "next"))
        a.value++;
    run_tile(t, named(t, "full_", "type"), &a, sizeof a);
    ck_equal(t, out, expected);
}

/* A load through eight pointers to one element: eight times that element. */
static void one_pointer(struct ck *t)
{
    const struct ck_buf in = ck_input(t, 32), out = ck_output(t, 32);
    const struct unary_args a = { .in = in.device, .out = out.device };
    uint32_t expected[8];

    for (size_t i = 0; i < 8; i++)
        expected[i] = word_at(in, 0);
    run_tile(t, "full_pointer", &a, sizeof a);
    ck_equal(t, out, expected);
}

/* a + b, a - b and a * b of 16 elements, in int (modulo 2^32) and float (small integers, so all results are exact). */
static void each_element(struct ck *t)
{
    const bool real = ck_is(t, "type", "f32");
    struct ck_buf in = ck_input(t, 128);
    const struct ck_buf out = ck_output(t, 192);
    const struct unary_args a = { .in = in.device, .out = out.device };
    unsigned char expected[192];

    for (size_t i = 0; real && i < 32; i++) {
        const float value = (float)(int)(word_at(in, i) % 2001) - 1000;
        memcpy(in.host + 4 * i, &value, 4);
    }
    ck_changed(t, in);
    for (size_t i = 0; i < 16; i++) {
        const uint32_t x = word_at(in, i), y = word_at(in, 16 + i);
        uint32_t results[] = { x + y, x - y, x * y };
        float u, v;

        memcpy(&u, &x, 4);
        memcpy(&v, &y, 4);
        const float reals[] = { u + v, u - v, u * v };
        for (size_t k = 0; k < 3; k++)
            memcpy(expected + 64 * k + 4 * i, real ? (const void *)&reals[k] : (const void *)&results[k], 4);
    }
    run_tile(t, named(t, "operators_", "type"), &a, sizeof a);
    ck_equal(t, out, expected);
}

/* x of 8 x 2 and y of 4 x 1 x 2: element (i, j, k) of the sum is x(j, k) + y(i, 0, k). */
static void broadcast_from_the_right(struct ck *t)
{
    const struct ck_buf x = ck_input(t, 64), y = ck_input(t, 36), out = ck_output(t, 256);
    struct binary_args a = { .a = x.device, .b = y.device, .out = out.device };
    uint32_t expected[64];

    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 8; j++)
            for (size_t k = 0; k < 2; k++)
                expected[(i * 8 + j) * 2 + k] = word_at(x, j * 2 + k) + word_at(y, i * 2 + k);
    if (ck_variant(t, "next"))
        a.b += 4;
    run_tile(t, "broadcast_sum", &a, sizeof a);
    ck_equal(t, out, expected);
}

/* iota is compared with 2.0, 3.5 and 4: the int elements are converted, and compared exactly. */
static void compare_with_real(struct ck *t)
{
    const struct ck_buf out = ck_output(t, 96);
    struct made_args a = { .out = out.device };
    uint32_t expected[24];

    for (uint32_t i = 0; i < 8; i++) {
        expected[i] = i == 2;
        expected[8 + i] = i <= 3;
        expected[16 + i] = i == 4;
    }
    if (ck_variant(t, "one"))
        a.value = 1;
    run_tile(t, "compare_common", &a, sizeof a);
    ck_equal(t, out, expected);
}

/* Two tiles of a small type are added, and the sum is made int: it has wrapped. */
static void small_sums_wrap(struct ck *t)
{
    const bool wide = ck_is(t, "type", "s16"), sign = !ck_is(t, "type", "u8");
    const size_t size = wide ? 2 : 1;
    const struct ck_buf in = ck_input(t, 32 * size), out = ck_output(t, 64);
    const struct unary_args a = { .in = in.device, .out = out.device };
    uint32_t expected[16];

    /* The first pair wraps: 100 + 100 in 8 bits with a sign, 200 + 200 without, 30000 + 30000 in 16 bits. */
    const int16_t first = wide ? 30000 : sign ? 100 : 200;
    memcpy(in.host, &first, size);
    memcpy(in.host + 16 * size, &first, size);
    ck_changed(t, in);
    for (size_t i = 0; i < 16; i++) {
        uint16_t x = 0, y = 0;

        memcpy(&x, in.host + i * size, size);
        memcpy(&y, in.host + (16 + i) * size, size);
        const uint16_t sum = (uint16_t)(x + y);
        expected[i] = wide ? (uint32_t)(int16_t)sum : sign ? (uint32_t)(int8_t)sum : (uint8_t)sum;
    }
    run_tile(t, named(t, "small_sum_", "type"), &a, sizeof a);
    ck_equal(t, out, expected);
}

/* In each row of 4 x 8, the first n elements are a's, the others b's. */
static void select_by_mask(struct ck *t)
{
    const size_t n = (size_t)ck_int(t, "n");
    const struct ck_buf x = ck_input(t, 128), y = ck_input(t, 128), out = ck_output(t, 128);
    const struct select_args a = { .a = x.device, .b = y.device, .out = out.device, .n = (int)n };
    uint32_t expected[32];

    for (size_t i = 0; i < 32; i++)
        expected[i] = word_at(i % 8 < n ? x : y, i);
    run_tile(t, "select_below", &a, sizeof a);
    ck_equal(t, out, expected);
}

/* transpose of 8 x 8 and 2 x 4 x 8 swaps the first two axes; permute (2, 0, 1) makes axis 2 the first. */
static void axes_move(struct ck *t)
{
    const bool permute = ck_is(t, "kernel", "permute_3"), three = !ck_is(t, "kernel", "transpose_2");
    const struct ck_buf in = ck_input(t, 256), out = ck_output(t, 256);
    const struct unary_args a = { .in = in.device, .out = out.device };
    uint32_t expected[64];

    for (size_t i = 0; i < 64; i++) {
        const size_t flat = i % 8 * 8 + i / 8;                       /* (i, j) to (j, i) */
        const size_t swapped = i % 32 / 8 * 16 + i / 32 * 8 + i % 8; /* (i, j, k) to (j, i, k) */
        const size_t moved = i % 8 * 8 + i / 32 * 4 + i % 32 / 8;    /* (i, j, k) to (k, i, j) */

        expected[!three ? flat : permute ? moved : swapped] = word_at(in, i);
    }
    run_tile(t, ck_word(t, "kernel"), &a, sizeof a);
    ck_equal(t, out, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(tile_value_copy), .run = copy_stays,
      .mutants = { { "alias", "let the copy be a reference", .kernel = "alias" } } },
    { CK_RULE(tile_extents_mixed), .run = mixed_extents,
      .axes = { { "extents", "static_static static_run run_static run_run" } },
      .mutants = { { "columns", "say one column fewer at run time", .only = "extents=static_run/run_run" } } },
    { CK_RULE(tile_extents_static_vs_runtime), .run = static_or_run_time,
      .axes = { { "length", "run static" }, { "n", "1 5 13 16" } },
      .mutants = { { "shorter", "say one element fewer at run time", .only = "length=run n=5/13/16" } } },
    { CK_RULE(tile_lit_same_as_template), .run = two_spellings,
      .mutants = { { "other-axis", "put them together along the other axis", .kernel = "other_axis" } } },

    { CK_RULE(tile_make_iota), .run = iota_counts,
      .axes = { { "tile", "s32_64 s32_8x8 s32_4x2x8 s8_2x32 u16_64 s64_32x2" } },
      .mutants = { { "one", "add 1 to each element" } } },
    { CK_RULE(tile_make_full), .run = full_of_one_value,
      .axes = { { "type", "s32 f32 f16 u8" }, { "value", "0 1 2 3 8" } },
      .mutants = { { "next", "give the elements another value" } } },
    { CK_RULE(tile_make_full_pointer), .run = one_pointer,
      .mutants = { { "iota", "point to eight elements", .kernel = "iota" } } },

    { CK_RULE(tile_op_elementwise), .run = each_element, .axes = { { "type", "s32 f32" } },
      .mutants = { { "swapped", "subtract the other way round", .kernel = "swapped" } } },
    { CK_RULE(tile_op_broadcast), .run = broadcast_from_the_right,
      .mutants = { { "next", "read the second tile one element later" } } },
    { CK_RULE(tile_op_compare_common), .run = compare_with_real,
      .mutants = { { "one", "add 1 to each element before the comparison" } } },
    { CK_RULE(tile_op_no_promotion), .run = small_sums_wrap, .axes = { { "type", "s8 u8 s16" } },
      .mutants = { { "wide", "convert to int before the addition", .kernel = "wide" } } },
    { CK_RULE(tile_op_select), .run = select_by_mask, .axes = { { "n", "0..8" } },
      .mutants = { { "swapped", "exchange the two tiles", .kernel = "swapped" } } },
    { CK_RULE(tile_op_transpose), .run = axes_move, .axes = { { "kernel", "transpose_2 transpose_3 permute_3" } },
      .mutants = { { "same", "store the tile as it was", .kernel = "same" } } },
    { 0 },
};

const struct ck_suite suite_cuda_tile_arithmetic = { "cuda_tile_arithmetic", cases };
// SPDX-License-Identifier: Apache-2.0
