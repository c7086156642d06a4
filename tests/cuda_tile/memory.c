/* The memory model of tile kernels on the GPU: calls in their order, blocks that wait for each other, atomics. */
#include <stdio.h>
#include <string.h>

#include "harness/ck.h"

enum { TILE = 8, ROUNDS = 1 << 18 /* of a wait: a tenth of a second */ };

static void run_tile(struct ck *t, const char *kernel, uint32_t blocks, const void *args, size_t size)
{
    ck_launch(t,
              &(struct ck_launch){ .kernel = kernel, .grid = { blocks }, .members = true, .args = args, .size = size });
}

static const char *named(struct ck *t, const char *format, const char *first, const char *second)
{
    enum { NAME = 64 };
    char *const name = ck_alloc(t, NAME);

    snprintf(name, NAME, format, first, second);
    return name;
}

static uint32_t word_at(struct ck_buf b, size_t i)
{
    uint32_t word;

    memcpy(&word, b.host + 4 * i, 4);
    return word;
}

/* ---- one block --------------------------------------------------------------------------------------------------- */

struct chain_args {
    struct ck_head head;
    uint64_t in, out;
    int rounds;
};

/* A tile that is stored, loaded and increased in each round has grown by as much as there were rounds. */
static void chain_grows(struct ck *t)
{
    const struct ck_buf in = ck_input(t, 4 * TILE), out = ck_output(t, 4 * TILE);
    const struct chain_args a = { .in = in.device, .out = out.device, .rounds = (int)ck_int(t, "rounds") };
    uint32_t expected[TILE];

    for (size_t i = 0; i < TILE; i++)
        expected[i] = word_at(in, i) + (uint32_t)a.rounds;
    run_tile(t, named(t, "memory_chain_%s%s", ck_word(t, "by"), ""), 1, &a, sizeof a);
    ck_equal(t, out, expected);
}

struct shift_args {
    struct ck_head head;
    uint64_t array;
    int shift;
};

/* n elements are moved a few places on, inside their own memory: what comes out are the old ones. */
static void shift_moves_old(struct ck *t)
{
    const size_t n = (size_t)ck_int(t, "n"), shift = ck_is(t, "shift", "half") ? n / 2 : (size_t)ck_int(t, "shift");
    const struct ck_buf array = ck_input(t, 8 * n);
    const struct shift_args a = { .array = array.device, .shift = (int)shift };
    unsigned char *const expected = ck_alloc(t, array.size);

    memcpy(expected, array.host, array.size);
    memcpy(expected + 4 * shift, array.host, 4 * n);
    run_tile(t, named(t, "memory_shift_%s%s", ck_is(t, "by", "view") ? "view_" : "", ck_word(t, "n")), 1, &a, sizeof a);
    ck_equal(t, array, expected);
}

/* ---- several blocks ---------------------------------------------------------------------------------------------- */

struct wait_args {
    struct ck_head head;
    uint64_t count, out;
    int rounds, blocks;
};

/* Block 0 waits for all others: they come while it waits. */
static void blocks_go_on(struct ck *t)
{
    const struct ck_buf count = ck_zeroed(t, 4), out = ck_output(t, 4);
    struct wait_args a = { .count = count.device, .out = out.device, .rounds = ROUNDS };
    const uint32_t came = 1;

    a.blocks = (int)ck_int(t, "blocks");
    run_tile(t, "memory_wait", ck_variant(t, "alone") ? 1 : (uint32_t)a.blocks, &a, sizeof a);
    ck_equal(t, out, &came);
}

struct publish_args {
    struct ck_head head;
    uint64_t in, array, flag, out, done;
    int rounds, producer;
};

/* One of two blocks stores a tile and releases a flag, the other one acquires it and copies the tile. */
static void release_publishes(struct ck *t)
{
    const struct ck_buf in = ck_input(t, 4 * TILE), array = ck_zeroed(t, 4 * TILE), flag = ck_zeroed(t, 4);
    const struct ck_buf out = ck_output(t, 4 * TILE), done = ck_output(t, 4);
    const struct publish_args a = { .in = in.device,
                                    .array = array.device,
                                    .flag = flag.device,
                                    .out = out.device,
                                    .done = done.device,
                                    .rounds = ROUNDS,
                                    .producer = (int)ck_int(t, "producer") };
    const uint32_t said = 1;

    run_tile(t, named(t, "memory_publish_%s%s", ck_word(t, "how"), ""), 2, &a, sizeof a);
    ck_equal(t, done, &said);
    ck_equal(t, out, in.host);
}

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

struct element {
    bool is_float, is_signed;
    size_t size;
};

static struct element element_of(struct ck *t)
{
    const char *const name = ck_word(t, "type");

    return (struct element){ *name == 'f', *name == 's', !strcmp(name + 1, "32") ? 4 : 8 };
}

/* An element of the array before the kernel: numbers on both sides of zero. */
static int64_t first_value(size_t i)
{
    return 3 * (int64_t)i - 10;
}

static int64_t combined(const char *op, struct element e, int64_t a, int64_t b)
{
    const uint64_t mask = e.size == 4 ? 0xffffffff : ~0ull;
    const bool less = e.is_signed || e.is_float ? a < b : ((uint64_t)a & mask) < ((uint64_t)b & mask);

    return !strcmp(op, "add")   ? a + b
           : !strcmp(op, "sub") ? a - b
           : !strcmp(op, "and") ? a & b
           : !strcmp(op, "or")  ? a | b
           : !strcmp(op, "xor") ? a ^ b
           : !strcmp(op, "max") ? (less ? b : a)
                                : (less ? a : b);
}

static void put(unsigned char *bytes, struct element e, size_t i, int64_t value)
{
    const double d = (double)value;
    const float f = (float)value;

    memcpy(bytes + i * e.size,
           !e.is_float   ? (const void *)&value
           : e.size == 4 ? (const void *)&f
                         : (const void *)&d,
           e.size);
}

struct atomic_args {
    struct ck_head head;
    uint64_t array;
    int same;
};

/* Each block combines its number with each of 8 elements, or eight times with the first one: all of it counts. */
static void all_count(struct ck *t)
{
    const struct element e = element_of(t);
    const char *const op = ck_word(t, "op");
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    const struct ck_buf array = ck_zeroed(t, TILE * e.size);
    const struct atomic_args a = { .array = array.device, .same = ck_is(t, "to", "one") };
    unsigned char *const expected = ck_alloc(t, array.size);

    for (size_t i = 0; i < TILE; i++) {
        int64_t value = first_value(i);

        put(array.host, e, i, value);
        for (uint32_t b = 1; b <= blocks && (!a.same || i == 0); b++)
            for (int k = 0; k < (a.same ? TILE : 1); k++)
                value = combined(op, e, value, b);
        put(expected, e, i, value);
    }
    ck_changed(t, array);
    run_tile(t, named(t, "memory_%s_%s", op, ck_word(t, "type")), ck_variant(t, "more") ? blocks + 1 : blocks, &a,
             sizeof a);
    ck_equal(t, array, expected);
}

struct view_args {
    struct ck_head head;
    uint64_t array;
    int n, count;
};

/* Blocks combine their numbers with all elements of an array through a view; the last tile hangs over its end, and the
 * elements there stay as they are. */
static void own_elements(struct ck *t)
{
    enum { ELEMENTS = 32 };
    const struct element e = element_of(t);
    const char *const op = ck_word(t, "op");
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    const struct ck_buf array = ck_zeroed(t, ELEMENTS * e.size);
    struct view_args a = { .array = array.device, .n = (int)ck_int(t, "n") };
    unsigned char *const expected = ck_alloc(t, array.size);

    for (size_t i = 0; i < ELEMENTS; i++) {
        int64_t value = first_value(i % 4);

        put(array.host, e, i, value);
        for (uint32_t b = 1; b <= blocks && (int)i < a.n; b++)
            value = combined(op, e, value, b);
        put(expected, e, i, value);
    }
    ck_changed(t, array);
    if (ck_variant(t, "longer"))
        a.n++;
    a.count = (a.n + TILE - 1) / TILE;
    if (ck_variant(t, "fewer"))
        a.count--;
    run_tile(t, named(t, "memory_view_%s_%s", op, ck_word(t, "type")), blocks, &a, sizeof a);
    ck_equal(t, array, expected);
}

struct copy_args {
    struct ck_head head;
    uint64_t in, out;
    int n;
};

/* n elements are copied by atomic loads and stores of a view, a block for each tile; nothing behind them is. */
static void view_copies(struct ck *t)
{
    enum { ELEMENTS = 40 };
    const struct ck_buf in = ck_input(t, 4 * ELEMENTS), out = ck_output(t, 4 * ELEMENTS);
    struct copy_args a = { .in = in.device, .out = out.device, .n = (int)ck_int(t, "n") };
    unsigned char *const expected = ck_alloc(t, out.size);
    const uint32_t blocks = (uint32_t)(a.n + TILE - 1) / TILE;

    memset(expected, CK_POISON, out.size);
    memcpy(expected, in.host, 4 * (size_t)a.n);
    if (ck_variant(t, "shorter"))
        a.n--;
    run_tile(t, "memory_view_copy", blocks, &a, sizeof a);
    ck_equal(t, out, expected);
}

/* ---- two kernels ------------------------------------------------------------------------------------------------- */

struct increase_args {
    struct ck_head head;
    uint64_t array;
};

/* A tile kernel and a SIMT kernel, in any order, each add 1 to the elements. */
static void kernels_follow(struct ck *t)
{
    const struct ck_buf array = ck_input(t, 4 * TILE);
    const struct increase_args a = { .array = array.device };
    const char *const order = ck_word(t, "order");
    uint32_t expected[TILE];

    for (size_t i = 0; i < TILE; i++)
        expected[i] = word_at(array, i) + (uint32_t)strlen(order);
    for (const char *p = order + (ck_variant(t, "fewer") ? 1 : 0); *p; p++)
        if (*p == 't')
            run_tile(t, "memory_increase", 1, &a, sizeof a);
        else
            ck_launch(
                t, &(struct ck_launch){ .kernel = "tile_increase", .block = { TILE }, .args = &a, .size = sizeof a });
    ck_equal(t, array, expected);
}

#define EARLY(what)                                                                                                    \
    {                                                                                                                  \
        "early", what, .kernel = "early"                                                                               \
    }
#define MORE                                                                                                           \
    {                                                                                                                  \
        "more", "launch one block more"                                                                                \
    }
#define INTEGERS "s32 u32 s64 u64"
#define OPS      "add sub and or xor max min"

static const struct ck_case cases[] = {
    { CK_RULE(tile_mem_call_order), .run = chain_grows,
      .axes = { { "by", "view pointers turns" }, { "rounds", "2..16" } },
      .mutants = { EARLY("load each tile before it is stored") } },
    { CK_RULE(tile_mem_whole_load_first), .run = shift_moves_old,
      .axes = { { "by", "pointers view" }, { "n", "16 128 1024" }, { "shift", "1 2 3 4 5 7 half" } },
      .mutants = { { "single", "move the elements one after the other", .kernel = "single" } } },

    { CK_RULE(tile_mem_one_thread), .run = blocks_go_on, .axes = { { "blocks", "2 3 4 8 16 64 132" } },
      .mutants = { { "alone", "launch block 0 only" } } },
    { CK_RULE(tile_mem_publish), .run = release_publishes,
      .axes = { { "how", "store_device store_system add_release add_acq_rel exchange" }, { "producer", "0 1" } },
      .mutants = { EARLY("release the flag long before the tile is stored") } },

    { CK_RULE(tile_mem_atomic_per_element), .run = all_count,
      .axes = { { "op", "add sub" },
                { "type", INTEGERS " f32 f64" },
                { "to", "each one" },
                { "blocks", "1 2 16 132" } },
      .mutants = { MORE } },
    { CK_RULE(tile_mem_atomic_per_element), .name = "plain", .run = all_count,
      .axes = { { "op", "=add" }, { "type", "=s32" }, { "to", "=one" }, { "blocks", "1..8" } },
      .mutants = { { "plain", "load, add and store", .kernel = "plain" } } },
    { CK_RULE(tile_mem_atomic_per_element), .name = "bits", .run = all_count,
      .axes = { { "op", "and or xor max min" }, { "type", INTEGERS }, { "to", "each one" }, { "blocks", "1 2 5 16" } },
      .no_mutant = "the kernels of add and sub have one; a further number may leave the bits as they are" },

    { CK_RULE(tile_mem_view_reduction), .run = own_elements,
      .axes = { { "op", "add sub" },
                { "type", INTEGERS " f32 f64" },
                { "n", "1 7 8 9 16 23 24 31" },
                { "blocks", "1 2 16" } },
      .mutants = { { "longer", "let the array be one element longer" }, { "fewer", "leave the last tile out" } } },
    { CK_RULE(tile_mem_view_reduction), .name = "bits", .run = own_elements,
      .axes = { { "op", "and or xor max min" }, { "type", INTEGERS }, { "n", "7 8 9 31" }, { "blocks", "1 5" } },
      .no_mutant = "the kernels of add and sub have two; a number may leave the bits as they are" },
    { CK_RULE(tile_mem_view_atomic_access), .name = "run", .run = view_copies, .axes = { { "n", "1..33" } },
      .mutants = { { "shorter", "let the array be one element shorter", .only = "n=12" } } },

    { CK_RULE(tile_mem_kernel_boundary), .run = kernels_follow, .axes = { { "order", "ts st tt tst sts ttss" } },
      .mutants = { { "fewer", "leave the first kernel out" } } },
    { 0 },
};

const struct ck_suite suite_cuda_tile_memory = { "cuda_tile_memory", cases };
// SPDX-License-Identifier: Apache-2.0
