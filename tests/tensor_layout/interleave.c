/* Interleaved tensors: what coordinates, boxes and strides count, and what is signalled. The documents are thin: rules
 * about the layout itself record what a machine does; the others hold whatever the layout is. */
#include <stdio.h>
#include <string.h>

#include "kernels/tensor.h"
#include "tests/tensor/box.h"

enum { ROOM = 16384, WIDE_ROOM = 40960 }; /* of the shared image, bytes; WIDE_ROOM for 32 slices a position */

struct slices {
    struct tensor_map map;
    size_t slice;       /* bytes of one */
    size_t bytes;       /* of the tensor */
    int32_t corner[5];  /* inside the tensor */
    struct ck_buf data; /* the tensor, once it has been made */
    struct ck_buf image;
};

/* 40 positions, and in the dimensions after them 5, 4, 3 and 3; dimension rank-2 counts slices of channels. */
static struct slices make(struct ck *t)
{
    struct slices s = { .map = tensor_map_default(box_type(t), ck_int(t, "rank")),
                        .slice = ck_is(t, "interleave", "16B") ? 16 : 32 };
    uint64_t stride = 40 * s.slice + 32;
    char error[200];

    if (!tensor_map_set(&s.map,
                        s.slice == 16
                            ? "interleave=16B dims=40,5,4,3,3 box[1]=3 box[2]=2 box[3]=2 box[4]=2"
                            : "interleave=32B swizzle=32B dims=40,5,4,3,3 box[1]=3 box[2]=2 box[3]=2 box[4]=2",
                        error, sizeof error))
        ck_skip(t, "%s", error);
    s.map.box[0] = (uint32_t)(32 / tensor_type_bytes(s.map.type, NULL));
    for (int i = 1; i < s.map.rank; i++) {
        s.map.strides[i - 1] = stride;
        stride *= s.map.dims[i];
        s.corner[i] = 1;
    }
    s.bytes = stride;
    return s;
}

/* The tensor's 32-bit words get their own numbers, so that a tile says where it comes from. */
static void number_words(struct slices *s)
{
    for (uint32_t i = 0; i < s->bytes / 4; i++)
        memcpy(s->data.host + 4 * i, &i, 4);
}

/* Loads the box; a device that signals other bytes than the oracle has lets the wait run out. */
static enum ck_end load(struct ck *t, const struct slices *s)
{
    struct tile_load_args a = { .out = s->image.device,
                                .bytes = (uint32_t)s->image.size,
                                .expect = (uint32_t)tensor_tile_bytes(&s->map),
                                .rank = (uint32_t)s->map.rank };

    memcpy(a.corner, s->corner, sizeof a.corner);
    ck_encode(t, &s->map, s->data, &a.map);
    return ck_launch(t, &(struct ck_launch){ .kernel = "tile_load",
                                             .block = { 128 },
                                             .smem = a.bytes + 16,
                                             .args = &a,
                                             .size = sizeof a,
                                             .may_hang = true });
}

/* The byte of the tensor that the 16 bytes at `at` of the image come from. */
static size_t origin(const struct slices *s, size_t at)
{
    uint32_t word;

    memcpy(&word, s->image.host + at, 4);
    return 4 * (size_t)word;
}

static size_t bytes_written(const struct slices *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->image.size; i++)
        n += s->image.host[i] != CK_POISON;
    return n;
}

/* A box of so many in the dimension of slices: records how many bytes arrive for each position. */
static void width(struct ck *t)
{
    struct slices s = make(t);
    const size_t size = tensor_type_bytes(s.map.type, NULL);
    size_t each;

    s.map.box[0] = (uint32_t)(16 / size); /* so few that every slice has room */
    s.map.box[s.map.rank - 2] = (uint32_t)ck_int(t, "along-slices");
    s.data = ck_input(t, s.bytes);
    s.image = ck_output(t, WIDE_ROOM);
    if (load(t, &s) != CK_DONE)
        return;
    each = bytes_written(&s) / s.map.box[0] / s.map.box[s.map.rank - 1];
    ck_see(t, "%zu bytes for each position: %zu channels of %zu bytes", each, each / size, size);
}

/* A load one step further along one dimension: records how far its tile's first slice moves in the tensor. */
static void step(struct ck *t)
{
    const int dim = (int)ck_int(t, "dim");
    struct slices s = make(t);
    int32_t by = dim == 0 ? (int32_t)s.map.box[0] / 2 : 1;
    size_t from, to;

    s.data = ck_input(t, s.bytes);
    s.image = ck_output(t, ROOM);
    number_words(&s);
    if (load(t, &s) != CK_DONE)
        return;
    from = origin(&s, 0);
    s.corner[dim] += by;
    if (load(t, &s) != CK_DONE)
        return;
    to = origin(&s, 0);
    if (dim == 0 && to - from == (size_t)by * s.slice)
        ck_see(t, "a slice for each position");
    else if (dim > 0 && to - from == s.map.strides[dim - 1])
        ck_see(t, "globalStrides[%d]", dim - 1);
    else
        ck_see(t, "%zu bytes", to - from);
}

/* An element stride of dimension 0: records which position the second slice of the tile comes from, and how many bytes
 * arrive in all. */
static void stride_of_positions(struct ck *t)
{
    struct slices s = make(t);
    size_t apart;

    s.map.element_strides[0] = (uint32_t)ck_int(t, "stride");
    s.data = ck_input(t, s.bytes);
    s.image = ck_output(t, ROOM);
    number_words(&s);
    if (load(t, &s) != CK_DONE)
        return;
    apart = origin(&s, s.slice) - origin(&s, 0);
    ck_see(t, "%zu bytes from slice to slice, %s", apart,
           ck_timeouts(t) ? "other bytes signalled" : "the box divided by the stride is signalled");
}

/* A load and a store of the same box: its slices are back at their places, and the rest of the tensor is poison. */
static void there_and_back(struct ck *t)
{
    struct slices s = make(t);
    const struct ck_buf dst = ck_output(t, s.bytes);
    unsigned char *const plain = ck_alloc(t, ROOM), *const want = ck_alloc(t, s.bytes);
    struct tile_store_args a = { .bytes = ROOM, .rank = (uint32_t)s.map.rank };

    s.data = ck_input(t, s.bytes);
    s.image = ck_output(t, ROOM);
    memset(want, CK_POISON, s.bytes);
    oracle_tile_load(&s.map, s.data.host, s.corner, plain, 0);
    oracle_tile_store(&s.map, want, s.corner, plain, 0);
    load(t, &s);
    if (ck_variant(t, "step"))
        s.corner[s.map.rank - 1]++;
    memcpy(a.corner, s.corner, sizeof a.corner);
    a.in = s.image.device;
    ck_encode(t, &s.map, dst, &a.map);
    ck_launch(
        t, &(struct ck_launch){ .kernel = "tile_store", .block = { 128 }, .smem = ROOM, .args = &a, .size = sizeof a });
    ck_equal(t, dst, want);
}

/* The last slice has only some channels, zeros behind them: its channels and the zeros arrive. */
static void padded_slice(struct ck *t)
{
    struct slices s = make(t);
    const size_t used = (size_t)ck_int(t, "channels") * tensor_type_bytes(s.map.type, NULL);
    unsigned char *const want = ck_alloc(t, ROOM);

    s.corner[s.map.rank - 2] = (int32_t)s.map.dims[s.map.rank - 2] - 1;
    s.data = ck_input(t, s.bytes);
    s.image = ck_output(t, ROOM);
    for (size_t i = 0; i < s.bytes; i++) /* slices lie at multiples of their size: pad them all */
        if (i % s.slice >= used)
            s.data.host[i] = 0;
    memset(want, CK_POISON, ROOM);
    oracle_tile_load(&s.map, s.data.host, s.corner, want, 0);
    for (size_t i = 0; ck_variant(t, "unpadded") && i < s.bytes; i++)
        if (i % s.slice >= used)
            s.data.host[i] = 0x5B;
    load(t, &s);
    ck_equal(t, s.image, want);
}

/* The phase completes with the bytes of the slices, and leaves the next one clean. */
static void signalled(struct ck *t)
{
    struct slices s = make(t);
    struct tensor_count_args a = { .bytes = ROOM, .rank = (uint32_t)s.map.rank, .loads = 1 };
    unsigned char *const want = ck_alloc(t, ROOM);

    for (int i = 0; i < s.map.rank && ck_is(t, "corner", "high"); i++)
        s.corner[i] = i == 0 ? 32 : (int32_t)s.map.dims[i] - 1;
    s.data = ck_input(t, s.bytes);
    s.image = ck_output(t, ROOM);
    memset(want, CK_POISON, ROOM);
    oracle_tile_load(&s.map, s.data.host, s.corner, want, 0);
    a.out = s.image.device;
    a.expect = (uint32_t)tensor_tile_bytes(&s.map);
    if (ck_variant(t, "less"))
        a.expect -= (uint32_t)s.slice;
    if (ck_variant(t, "more"))
        a.expect += (uint32_t)s.slice;
    memcpy(a.corner[0], s.corner, sizeof a.corner[0]);
    ck_encode(t, &s.map, s.data, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "tensor_count",
                                      .block = { 128 },
                                      .smem = ROOM + 16,
                                      .args = &a,
                                      .size = sizeof a,
                                      .may_hang = true });
    ck_expect(t, "timeouts", ck_timeouts(t), 0);
    ck_equal(t, s.image, want);
}

static bool has_pad(struct ck *t)
{
    const struct slices s = make(t);

    return (size_t)ck_int(t, "channels") * tensor_type_bytes(s.map.type, NULL) < s.slice;
}

#define BOTH                                                                                                           \
    {                                                                                                                  \
        "interleave", "16B 32B"                                                                                        \
    }
#define TYPES "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16"

static const struct ck_case cases[] = {
    { CK_RULE(ilv_names), .run = width,
      .axes = { BOTH, { "rank", "=3" }, { "along-slices", "1 2 3 4 8 9 16 17 32" }, { "type", "u8 f16 f32 f64" } },
      .seen_only = true },
    { CK_RULE(ilv_16_load), .run = step,
      .axes = { { "interleave", "=16B" }, { "rank", "3..5" }, { "dim", "0..4" }, { "type", TYPES } },
      .valid = box_dim_in_rank, .seen_only = true },
    { CK_RULE(ilv_32_load), .run = step,
      .axes = { { "interleave", "=32B" }, { "rank", "3..5" }, { "dim", "0..4" }, { "type", TYPES } },
      .valid = box_dim_in_rank, .seen_only = true },
    { CK_RULE(ilv_store), .run = there_and_back, .axes = { BOTH, { "rank", "3..5" }, { "type", TYPES } },
      .mutants = { { "step", "store one further in the last dimension" } } },
    { CK_RULE(ilv_pad_channels), .run = padded_slice,
      .axes = { BOTH, { "rank", "3..5" }, { "channels", "1 2 3 5 7 8 15 16 31" }, { "type", "u8 f16 f32" } },
      .valid = has_pad, .mutants = { { "unpadded", "fill the rest of each slice with another byte" } } },
    { CK_RULE(ilv_estride0), .run = stride_of_positions,
      .axes = { BOTH, { "rank", "3..5" }, { "stride", "1..8" }, { "type", "u8 f16" } }, .seen_only = true },
    { CK_RULE(ilv_tx), .run = signalled,
      .axes = { BOTH, { "rank", "3..5" }, { "corner", "inside high" }, { "type", TYPES } },
      .mutants = { { "less", "expect a slice less" }, { "more", "expect a slice more" } } },
    { 0 }
};

const struct ck_suite tensor_layout_interleave = { "tensor-layout/interleave", cases };
// SPDX-License-Identifier: Apache-2.0
