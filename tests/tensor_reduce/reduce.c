/* Tensor reductions of one CTA and of many: what elements become, and which ones change. */
#include <stdio.h>
#include <string.h>

#include "kernels/tensor_reduce.h"
#include "tests/bulk_reduce/values.h"
#include "tests/tensor/box.h"

/* ---- operation and type ------------------------------------------------------------------------------------------ */

/* Operations that a map's type has, and what its elements are taken for. */
#define SUMS      "add.u32 add.s32 add.u64 add.f32 add.f16 add.bf16 "
#define ORDERS    "min.u32 min.s32 min.u64 min.s64 min.f16 min.bf16 max.u32 max.s32 max.u64 max.s64 max.f16 max.bf16 "
#define COUNTS    "inc.u32 dec.u32 "
#define BITS      "and.u32 and.u64 or.u32 or.u64 xor.u32 xor.u64"
#define ALL_PAIRS SUMS ORDERS COUNTS BITS
#define SOME      "add.u32 add.f16 max.s64 inc.u32 xor.u64"

static const char *const operations[] = {
#define NAME(op, text) text,
    TENSOR_REDUCTIONS(NAME)
#undef NAME
};

static const enum reduce_type element_types[TENSOR_TYPE_COUNT] = {
    [TENSOR_U32] = REDUCE_U32,  [TENSOR_S32] = REDUCE_S32,      [TENSOR_U64] = REDUCE_U64,
    [TENSOR_S64] = REDUCE_S64,  [TENSOR_F16] = REDUCE_F16,      [TENSOR_BF16] = REDUCE_BF16,
    [TENSOR_F32] = REDUCE_F32,  [TENSOR_F64] = REDUCE_F64,      [TENSOR_F32_FTZ] = REDUCE_F32,
    [TENSOR_TF32] = REDUCE_F32, [TENSOR_TF32_FTZ] = REDUCE_F32,
};

struct pair {
    uint32_t op;
    int64_t type; /* of the map */
    struct reduction reduction;
};

/* The axis `pair`: "add.f16". */
static struct pair pair_of(struct ck *t)
{
    const char *const word = ck_word(t, "pair"), *const dot = strchr(word, '.');
    struct pair p = { 0 };

    while (strncmp(operations[p.op], word, (size_t)(dot - word)) != 0)
        p.op++;
    while (p.type + 1 < TENSOR_TYPE_COUNT && strcmp(tensor_type_name(p.type), dot + 1) != 0)
        p.type++;
    p.reduction = (struct reduction){ (enum reduce_op)p.op, element_types[p.type] };
    return p;
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

struct filling {
    struct box *b;
    unsigned char *old, *by; /* operands for the elements, in the order of the tile */
    unsigned char *expected; /* the tensor's bytes */
    struct reduction r;
    size_t at;
};

/* The element of the tile in shared memory: swizzles keep aligned 8 bytes together. */
static unsigned char *in_image(const struct box *b, const struct tensor_element *e)
{
    return b->image.host + tensor_swizzle(b->map.swizzle, b->offset + e->linear);
}

static void fill_element(void *context, const struct tensor_element *e)
{
    struct filling *f = context;

    memcpy(in_image(f->b, e), f->by + f->at, e->size);
    if (e->inside)
        memcpy(f->b->tensor.host + e->global, f->old + f->at, e->size);
    f->at += e->size;
}

static void expect_element(void *context, const struct tensor_element *e)
{
    const struct filling *f = context;

    if (e->inside)
        oracle_reduce(f->r, f->expected + e->global, in_image(f->b, e), e->size);
}

/* Fills tile and box with operands; returns what the tensor holds after the reduction. */
static unsigned char *fill_box(struct ck *t, struct box *b, struct reduction r, const char *how)
{
    const size_t bytes = tensor_tile_bytes(&b->map);
    struct filling f = { .b = b, .r = r, .old = ck_alloc(t, bytes), .by = ck_alloc(t, bytes) };

    reduce_operands(t, r, how, f.old, f.by, bytes);
    tensor_tile_each(&b->map, b->corner, fill_element, &f);
    ck_changed(t, b->tensor);
    ck_changed(t, b->image);
    f.expected = ck_alloc(t, b->tensor.size);
    memcpy(f.expected, b->tensor.host, b->tensor.size);
    tensor_tile_each(&b->map, b->corner, expect_element, &f);
    return f.expected;
}

static enum ck_end launch(struct ck *t, const struct box *b, uint32_t op, const char *kernel, uint32_t ctas,
                          uint32_t times)
{
    struct tensor_reduce_args a = { .in = b->image.device,
                                    .bytes = b->image_bytes,
                                    .offset = b->offset,
                                    .rank = (uint32_t)b->map.rank,
                                    .op = op,
                                    .times = times };

    memcpy(a.corner, b->corner, sizeof a.corner);
    ck_encode(t, &b->map, b->tensor, &a.map);
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                             .grid = { ctas },
                                             .block = { 128 },
                                             .smem = b->image_bytes,
                                             .args = &a,
                                             .size = sizeof a });
}

/* Another operation that the map's type has, with other results for random operands. */
static uint32_t other_op(const struct pair *p)
{
    const uint32_t others[] = {
        [REDUCE_ADD] = reduce_is_float(p->reduction.type) ? REDUCE_MIN : REDUCE_XOR,
        [REDUCE_MIN] = REDUCE_MAX,
        [REDUCE_MAX] = REDUCE_MIN,
        [REDUCE_INC] = REDUCE_DEC,
        [REDUCE_DEC] = REDUCE_INC,
        [REDUCE_AND] = REDUCE_OR,
        [REDUCE_OR] = REDUCE_AND,
        [REDUCE_XOR] = REDUCE_AND,
    };

    return others[p->op];
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

/* Each operation combines the elements of a tile with those of a box whose map has a type for it, in each rank: the
 * results are those of exact arithmetic, and all other bytes of the tensor stay. */
static void by_oracle(struct ck *t)
{
    const struct pair p = pair_of(t);
    const struct tensor_map map = box_map(p.type, (int)ck_int(t, "rank"));
    struct box b = box_to_store(t, &map);
    const unsigned char *expected = fill_box(t, &b, p.reduction, ck_word(t, "operands"));

    if (launch(t, &b, ck_variant(t, "other") ? other_op(&p) : p.op, "tensor_reduce", 1, 1) == CK_DONE)
        ck_equal(t, b.tensor, expected);
}

/* Operation and type are a pair that the documents have. The breaches are other pairs; what the machine does with them
 * is recorded. */
static void legal_pair(struct ck *t)
{
    const struct pair p = pair_of(t);
    const struct tensor_map map = box_map(p.type, 2);
    struct box b = box_to_store(t, &map);
    const unsigned char *expected;

    if (!ck_conforming(t)) {
        if (launch(t, &b, p.op, "tensor_reduce", 1, 1) == CK_DONE)
            ck_see(t, "done");
        return;
    }
    expected = fill_box(t, &b, p.reduction, "random");
    launch(t, &b, ck_variant(t, "other") ? other_op(&p) : p.op, "tensor_reduce", 1, 1);
    ck_equal(t, b.tensor, expected);
}

/* Pairs on which documents disagree, or that their table leaves open: sums of f64, bitwise operations over s32. Seen
 * whether the results are those of exact arithmetic. */
static void open_pair(struct ck *t)
{
    const struct pair p = pair_of(t);
    const struct tensor_map map = box_map(p.type, (int)ck_int(t, "rank"));
    struct box b = box_to_store(t, &map);
    const unsigned char *expected = fill_box(t, &b, p.reduction, ck_word(t, "operands"));

    if (launch(t, &b, p.op, "tensor_reduce", 1, 1) == CK_DONE)
        ck_see(t, "%s", memcmp(b.tensor.host, expected, b.tensor.size) ? "other results" : "exact results");
}

/* Each element of the box meets the element at its own place in the tile, wherever the box is, and nothing else in the
 * tensor changes: not what the element strides of the map leave out, and not the padding behind rows. */
static void element_by_element(struct ck *t)
{
    const struct pair p = pair_of(t);
    struct tensor_map map = box_map(p.type, (int)ck_int(t, "rank"));
    const unsigned char *expected;
    struct box b;

    box_pack(&map, 48);
    for (int i = 1; i < map.rank; i++)
        map.element_strides[i] = (uint32_t)ck_int(t, "stride");
    b = box_to_store(t, &map);
    if (ck_is(t, "corner", "origin"))
        memset(b.corner, 0, sizeof b.corner);
    expected = fill_box(t, &b, p.reduction, "random");
    if (ck_variant(t, "step"))
        box_move_on(&b);
    launch(t, &b, p.op, ck_variant(t, "store") ? "tensor_reduce__store" : "tensor_reduce", 1, 1);
    ck_equal(t, b.tensor, expected);
}

/* The part of the box that hangs over the high side of the tensor, or all of it, is not reduced: the bytes there stay.
 * Rows are a multiple of 16 bytes long. */
static void over_an_edge(struct ck *t)
{
    const struct pair p = pair_of(t);
    struct tensor_map map = box_map(p.type, (int)ck_int(t, "rank"));
    const int dim = (int)ck_int(t, "dim");
    const unsigned char *expected;
    struct box b;

    box_pack(&map, 32);
    b = box_to_store(t, &map);
    box_over(&map, b.corner, dim, ck_word(t, "side"));
    expected = fill_box(t, &b, p.reduction, "random");
    if (ck_variant(t, "wider"))
        box_widen(&b, dim);
    if (ck_variant(t, "inside"))
        memset(b.corner, 0, sizeof b.corner);
    launch(t, &b, p.op, "tensor_reduce", 1, 1);
    ck_equal(t, b.tensor, expected);
}

/* A reduction reads its tile through the swizzle of the map, elements of each size. */
static void through_swizzle(struct ck *t)
{
    const struct pair p = pair_of(t);
    struct tensor_map map = box_map(p.type, (int)ck_int(t, "rank"));
    const uint32_t size = (uint32_t)tensor_type_bytes(map.type, NULL);
    const unsigned char *expected;
    struct box b;

    map.swizzle = ck_is(t, "mode", "32B")   ? TENSOR_SWIZZLE_32B
                  : ck_is(t, "mode", "64B") ? TENSOR_SWIZZLE_64B
                                            : TENSOR_SWIZZLE_128B;
    map.box[0] = tensor_swizzle_span(map.swizzle) / size;
    map.box[1] = 6; /* rows in more than one line of the pattern */
    map.dims[0] = 256 / size;
    box_pack(&map, 0);
    b = box_to_store(t, &map);
    b.offset = 1024;
    b.image_bytes = (uint32_t)(b.offset + 2 * tensor_tile_span(&map) + 1024);
    b.image = ck_input(t, b.image_bytes);
    expected = fill_box(t, &b, p.reduction, "random");
    if (ck_variant(t, "linear"))
        b.map.swizzle = TENSOR_SWIZZLE_NONE;
    launch(t, &b, p.op, "tensor_reduce", 1, 1);
    ck_equal(t, b.tensor, expected);
}

/* Many CTAs reduce into the same box at once, each several times. Each element is updated as one step, so no operand is
 * lost. */
static void many_at_once(struct ck *t)
{
    const struct pair p = pair_of(t);
    const struct tensor_map map = box_map(p.type, (int)ck_int(t, "rank"));
    const uint32_t ctas = (uint32_t)ck_int(t, "ctas"), times = (uint32_t)ck_int(t, "times");
    const uint64_t one = p.type == TENSOR_F32    ? 0x3F800000
                         : p.type == TENSOR_F16  ? 0x3C00
                         : p.type == TENSOR_BF16 ? 0x3F80
                                                 : 15;
    struct box b = box_to_store(t, &map);
    struct filling f = { .b = &b, .r = p.reduction, .expected = ck_alloc(t, b.tensor.size) };

    reduce_repeat(p.reduction.type, b.image.host, one, b.image.size);
    reduce_repeat(p.reduction.type, b.tensor.host, one, b.tensor.size);
    ck_changed(t, b.tensor);
    ck_changed(t, b.image);
    memcpy(f.expected, b.tensor.host, b.tensor.size);
    for (uint32_t n = 0; n < ctas * times; n++)
        tensor_tile_each(&b.map, b.corner, expect_element, &f);
    launch(t, &b, p.op, "tensor_reduce_many", ctas, times - (ck_variant(t, "fewer") ? 1 : 0));
    ck_equal(t, b.tensor, f.expected);
}

/* ---- what documents leave open ----------------------------------------------------------------------------------- */

enum { PAIRS = 8 };

/* What an element holds, and what comes: subnormal operands and results. */
static const uint64_t subnormal_32[PAIRS][2] = {
    { 0x00000001, 0x00000000 }, { 0x00000000, 0x00000001 }, { 0x80000001, 0x80000000 }, { 0x00000001, 0x00000001 },
    { 0x00800000, 0x80400000 }, { 0x007FFFFF, 0x00000001 }, { 0x00400000, 0x00400000 }, { 0x00800000, 0x00800000 },
};
static const uint64_t subnormal_f16[PAIRS][2] = {
    { 0x0001, 0x0000 }, { 0x0000, 0x0001 }, { 0x8001, 0x8000 }, { 0x0001, 0x0001 },
    { 0x0400, 0x8200 }, { 0x03FF, 0x0001 }, { 0x0200, 0x0200 }, { 0x0400, 0x0400 },
};
static const uint64_t subnormal_bf16[PAIRS][2] = {
    { 0x0001, 0x0000 }, { 0x0000, 0x0001 }, { 0x8001, 0x8000 }, { 0x0001, 0x0001 },
    { 0x0080, 0x8040 }, { 0x007F, 0x0001 }, { 0x0040, 0x0040 }, { 0x0080, 0x0080 },
};

/* Sums of subnormal numbers, of maps of each floating type. Seen, as a table of results. */
static void see_subnormal(struct ck *t)
{
    const struct pair p = pair_of(t);
    const size_t size = tensor_type_bytes(p.type, NULL);
    const uint64_t(*pairs)[2] = p.type == TENSOR_F16    ? subnormal_f16
                                : p.type == TENSOR_BF16 ? subnormal_bf16
                                                        : subnormal_32;
    struct tensor_map map = box_map(p.type, 1);
    char text[PAIRS * 20];
    size_t length = 0;
    struct box b;

    map.dims[0] = map.box[0] = PAIRS;
    b = box_to_store(t, &map);
    memset(b.corner, 0, sizeof b.corner);
    for (size_t i = 0; i < PAIRS; i++) {
        memcpy(b.tensor.host + i * size, &pairs[i][0], size);
        memcpy(b.image.host + b.offset + i * size, &pairs[i][1], size);
    }
    ck_changed(t, b.tensor);
    ck_changed(t, b.image);
    if (launch(t, &b, p.op, "tensor_reduce", 1, 1) != CK_DONE)
        return;
    for (size_t i = 0; i < PAIRS; i++) {
        uint64_t out = 0;
        memcpy(&out, b.tensor.host + i * size, size);
        length += (size_t)snprintf(text + length, sizeof text - length, " %llx", (unsigned long long)out);
    }
    ck_see(t, "%s", text + 1);
}

#define ILLEGAL(word)                                                                                                  \
    {                                                                                                                  \
        word, "an operation that the map's type does not have", .set = "pair=" word, .only = "pair=add.u32",           \
                                                                .faults = true                                         \
    }
#define SEEN "what happens is recorded, whatever it is"
#define RANKS                                                                                                          \
    {                                                                                                                  \
        "rank", "1..5"                                                                                                 \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tensor_red_pairs), .run = by_oracle,
      .axes = { { "pair", ALL_PAIRS }, RANKS, { "operands", "random near edges" } },
      .mutants = { { "other", "another operation", .only = "operands=random" } } },
    { CK_RULE(tensor_red_pairs_illegal), .run = legal_pair, .axes = { { "pair", "add.u32 min.s64 xor.u64" } },
      .mutants = { { "other", "another operation" } },
      .breaches = { ILLEGAL("add.s64"), ILLEGAL("and.s64"), ILLEGAL("inc.s32"), ILLEGAL("min.f32"),
                    ILLEGAL("add.u16") } },
    { CK_RULE(tensor_red_pairs_illegal), .name = "more", .run = legal_pair,
      .axes = { { "pair", "add.u32 max.bf16 dec.u32" } }, .mutants = { { "other", "another operation" } },
      .breaches = { ILLEGAL("max.f64"), ILLEGAL("xor.f16"), ILLEGAL("dec.u64"), ILLEGAL("add.u8"),
                    ILLEGAL("or.f32") } },
    { CK_RULE(tensor_red_pairs_open), .run = open_pair,
      .axes = { { "pair", "add.f64 and.s32 or.s32 xor.s32" }, RANKS, { "operands", "random near edges" } },
      .seen_only = true, .no_mutant = SEEN },
    { CK_RULE(tensor_red_add_ftz), .run = see_subnormal,
      .axes = { { "pair", "add.f32 add.f32-ftz add.tf32 add.tf32-ftz" } }, .no_mutant = SEEN },
    { CK_RULE(tensor_red_half_subnormal), .run = see_subnormal, .axes = { { "pair", "add.f16 add.bf16" } },
      .no_mutant = SEEN },
    { CK_RULE(tensor_red_elementwise), .run = element_by_element,
      .axes = { { "pair", SOME }, RANKS, { "corner", "origin inside" }, { "stride", "1 2" } },
      .mutants = { { "step", "start one step further" }, { "store", "store the tile" } } },
    { CK_RULE(tensor_red_oob), .run = over_an_edge,
      .axes = { { "pair", SOME }, RANKS, { "dim", "0..4" }, { "side", "high" } }, .valid = box_dim_in_rank,
      .mutants = { { "wider", "make the tensor one larger in this dimension" } } },
    { CK_RULE(tensor_red_oob), .name = "all", .run = over_an_edge,
      .axes = { { "pair", SOME }, RANKS, { "dim", "0..4" }, { "side", "above" } }, .valid = box_dim_in_rank,
      .mutants = { { "inside", "start the box inside the tensor" } } },
    { CK_RULE(swz_reduce), .name = "types", .run = through_swizzle,
      .axes = { { "pair", "add.f16 min.bf16 add.f32 max.s32 add.u64 xor.u64" },
                { "rank", "2..5" },
                { "mode", "32B 64B 128B" } },
      .mutants = { { "linear", "read the source in natural order" } } },
    { CK_RULE(tensor_red_atomic), .run = many_at_once,
      .axes = { { "pair", "add.u32 add.u64 add.f32 add.f16 add.bf16 inc.u32 dec.u32 xor.u32 max.s64" },
                { "rank", "1 2 4" },
                { "ctas", "2 16" },
                { "times", "1 3" } },
      .mutants = { { "fewer", "each CTA reduces once less", .only = "pair=add.u32/add.f32/add.f16" } } },
    { 0 }
};

const struct ck_suite tensor_reduce_reduce = { "tensor-reduce/reduce", cases };
// SPDX-License-Identifier: Apache-2.0
