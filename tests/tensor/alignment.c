/* What a tensor copy asks of its operands: rank, mode, alignment. The conforming forms pass; what each breach does is
 * recorded. */
#include <string.h>

#include "kernels/im2col.h"
#include "kernels/tensor.h"
#include "tests/tensor/box.h"

enum { BARRIER_ROOM = 64 }; /* bytes behind the image */

/* Launches a load; compares the image, or says what a breach left: whether data arrived, whether the barrier was
 * signalled. */
static void launch_load(struct ck *t, const struct box *b, const unsigned char *expected, const char *kernel,
                        const void *args, size_t size)
{
    const enum ck_end end = ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                                              .block = { 128 },
                                                              .smem = b->image_bytes + BARRIER_ROOM,
                                                              .args = args,
                                                              .size = size,
                                                              .may_hang = !ck_conforming(t) });

    if (ck_conforming(t))
        ck_equal(t, b->image, expected);
    else if (end == CK_DONE && ck_timeouts(t) == 0)
        ck_see(t, "%s", memcmp(b->image.host, expected, b->image_bytes) ? "other bytes arrive" : "the box arrives");
    else if (end == CK_DONE)
        ck_see(t, "no signal");
}

static void load(struct ck *t, struct box *b)
{
    const unsigned char *const expected = box_loaded(t, b);
    struct tile_load_args a;

    if (ck_variant(t, "step"))
        box_move_on(b);
    a = box_load_args(t, b);
    launch_load(t, b, expected, "tile_load", &a, sizeof a);
}

/* A store, or a reduction where `add` is set. */
static void store(struct ck *t, struct box *b, bool add)
{
    const unsigned char *const expected = add ? box_added(t, b) : box_stored(t, b);
    enum ck_end end;

    if (ck_variant(t, "step"))
        box_move_on(b);
    end = add ? box_add(t, b) : box_store(t, b);
    if (ck_conforming(t))
        ck_equal(t, b->tensor, expected);
    else if (end == CK_DONE)
        ck_see(t, "%s",
               memcmp(b->tensor.host, expected, b->tensor.size) ? "other bytes are stored" : "the box is stored");
}

/* Ranks count in a circle: the rank behind 5 is 1. */
static uint32_t rank_behind(uint32_t rank, uint32_t by)
{
    return (rank - 1 + by) % 5 + 1;
}

/* An instruction of the map's rank loads the box. */
static void rank_of_instruction(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U8, (int)ck_int(t, "rank"));
    struct box b = box_to_load(t, &map);
    const unsigned char *const expected = box_loaded(t, &b);
    struct tile_load_args a;

    if (ck_variant(t, "step"))
        box_move_on(&b);
    a = box_load_args(t, &b);
    if (ck_variant(t, "one-more"))
        a.rank = rank_behind(a.rank, 1);
    if (ck_variant(t, "two-more"))
        a.rank = rank_behind(a.rank, 2);
    if (ck_variant(t, "two-less"))
        a.rank = rank_behind(a.rank, 3);
    if (ck_variant(t, "one-less"))
        a.rank = rank_behind(a.rank, 4);
    launch_load(t, &b, expected, "tile_load", &a, sizeof a);
}

/* A tiled map goes to a tile load. The breach gives it to an im2col load; the other way round needs an im2col map,
 * which this case does not make. */
static void mode_of_instruction(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U8, (int)ck_int(t, "rank"));
    struct box b = box_to_load(t, &map);
    struct im2col_args a = { .image = b.image.device,
                             .bytes = b.image_bytes,
                             .offset = b.offset,
                             .expect = (uint32_t)tensor_tile_bytes(&map),
                             .rank = (uint32_t)map.rank };

    if (ck_variant(t, "im2col")) {
        memcpy(a.corner, b.corner, sizeof a.corner);
        ck_encode(t, &map, b.tensor, &a.map);
        launch_load(t, &b, box_loaded(t, &b), "im2col_load", &a, sizeof a);
    } else {
        load(t, &b);
    }
}

/* A copy whose coordinate 0 is a multiple of 16 bytes, `steps` times 16, brings the box that starts there. */
static void first_coordinate(struct ck *t)
{
    const bool to_load = ck_is(t, "direction", "load");
    const struct tensor_map map = box_map(box_type(t), 2);
    struct box b = to_load ? box_to_load(t, &map) : box_to_store(t, &map);

    b.corner[0] = (int32_t)(ck_int(t, "steps") * (int64_t)box_step(&map));
    if (ck_variant(t, "one-element"))
        b.corner[0]++;
    if (ck_variant(t, "minus-one"))
        b.corner[0]--;
    if (ck_variant(t, "half"))
        b.corner[0] += (int32_t)box_step(&map) / 2;
    if (to_load)
        load(t, &b);
    else
        store(t, &b, ck_is(t, "direction", "add"));
}

/* A tile may start at any multiple of 128 bytes of shared memory. */
static void shared_address(struct ck *t)
{
    const bool to_load = ck_is(t, "direction", "load");
    const struct tensor_map map = box_map(TENSOR_U32, 2);
    struct box b = to_load ? box_to_load(t, &map) : box_to_store(t, &map);

    b.offset = (uint32_t)ck_int(t, "address");
    if (ck_variant(t, "64"))
        b.offset += 64;
    if (ck_variant(t, "32"))
        b.offset += 32;
    if (ck_variant(t, "8"))
        b.offset += 8;
    if (to_load)
        load(t, &b);
    else
        store(t, &b, ck_is(t, "direction", "add"));
}

/* A load signals a barrier at any multiple of 8 bytes. */
static void barrier_address(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U16, 2);
    struct box b = box_to_load(t, &map);
    const unsigned char *const expected = box_loaded(t, &b);
    struct tensor_barrier_args a = { .out = b.image.device,
                                     .bytes = b.image_bytes,
                                     .offset = b.offset,
                                     .bar = b.image_bytes + (uint32_t)ck_int(t, "shift"),
                                     .expect = (uint32_t)tensor_tile_bytes(&map),
                                     .rank = 2 };

    if (ck_variant(t, "step"))
        box_move_on(&b);
    a.named = a.bar;
    if (ck_variant(t, "4"))
        a.named += 4;
    if (ck_variant(t, "1"))
        a.named += 1;
    memcpy(a.corner, b.corner, sizeof a.corner);
    ck_encode(t, &map, b.tensor, &a.map);
    launch_load(t, &b, expected, "tensor_load_barrier", &a, sizeof a);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_tile_rank_match), .run = rank_of_instruction, .axes = { { "rank", "1..5" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "one-more", "name the next rank in the instruction", .only = "rank=1/3/5", .faults = true },
                    { "two-more", "name the rank after that", .only = "rank=1/3/5", .faults = true },
                    { "two-less", "name a rank that is two off the other way", .only = "rank=1/3/5", .faults = true },
                    { "one-less", "name the rank below", .only = "rank=1/3/5", .faults = true } } },
    { CK_RULE(tensor_tile_mode_match), .run = mode_of_instruction, .axes = { { "rank", "3..5" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "im2col", "give the tiled map to an im2col load", .faults = true } } },
    { CK_RULE(tensor_tile_coord0_align16), .run = first_coordinate,
      .axes = { { "direction", "load store" },
                { "type", "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16" },
                { "steps", "0..2" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "one-element", "start one element further", .only = "steps=1 type=u8/u16/f32/f64",
                      .faults = true },
                    { "minus-one", "start one element before the tensor", .only = "direction=load steps=0 type=u8/f32",
                      .faults = true },
                    { "half", "start 8 bytes further", .only = "steps=0 type=u8", .faults = true } } },
    { CK_RULE(tensor_tile_coord0_align16), .name = "add", .run = first_coordinate,
      .axes = { { "direction", "add" }, { "type", "u32 s32" }, { "steps", "0..2" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "one-element", "start one element further", .only = "steps=1", .faults = true } } },
    { CK_RULE(tensor_smem_align128), .run = shared_address,
      .axes = { { "direction", "load store add" }, { "address", "0 128 256 384 512" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "64", "start at 64 mod 128", .only = "address=128", .faults = true },
                    { "32", "start at 32 mod 128", .only = "address=128", .faults = true },
                    { "8", "start at 8 mod 128", .only = "address=128", .faults = true } } },
    { CK_RULE(tensor_mbar_align8), .run = barrier_address, .axes = { { "shift", "0 8 16 40" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "4", "name a barrier at 4 mod 8", .only = "shift=0", .faults = true },
                    { "1", "name a barrier at 1 mod 8", .only = "shift=0", .faults = true } } },
    { 0 }
};

const struct ck_suite tensor_alignment = { "tensor/alignment", cases };
// SPDX-License-Identifier: Apache-2.0
