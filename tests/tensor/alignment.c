/* What a tensor copy asks of its operands: rank, mode, alignment. The conforming forms pass; what each breach does is
 * recorded. */
#include <string.h>

#include "kernels/tensor.h"
#include "kernels/tile.h"
#include "tests/tensor/box.h"

enum { BARRIER_ROOM = 64 };

/* What a breach left: whether data arrived, whether the barrier was signalled. */
static void see_load(struct ck *t, const struct box *b, enum ck_end end)
{
    const unsigned char *const expected = box_loaded(t, b);

    if (end == CK_DONE && ck_timeouts(t) == 0)
        ck_see(t, "%s", memcmp(b->image.host, expected, b->image_bytes) ? "other bytes arrive" : "the box arrives");
    else if (end == CK_DONE)
        ck_see(t, "no signal");
}

/* A load with the barrier at another place, or of another rank than the map. */
static void load(struct ck *t, struct box *b, uint32_t rank, uint32_t bar_shift)
{
    const struct box_told told = box_told(t, b);
    struct tile_load_args a = { .out = b->image.device,
                                .bytes = b->image_bytes,
                                .offset = b->offset,
                                .expect = (uint32_t)tensor_tile_bytes(&told.map),
                                .rank = rank,
                                .bar_shift = bar_shift };
    enum ck_end end;

    memcpy(a.corner, told.corner, sizeof a.corner);
    ck_encode(t, &told.map, b->tensor, &a.map);
    end = ck_launch(t, &(struct ck_launch){ .kernel = "tile_load",
                                            .block = { 128 },
                                            .smem = b->image_bytes + BARRIER_ROOM,
                                            .args = &a,
                                            .size = sizeof a,
                                            .may_hang = !ck_conforming(t) });
    if (ck_conforming(t))
        ck_equal(t, b->image, box_loaded(t, b));
    else
        see_load(t, b, end);
}

/* A store, or a reduction with direction=add. */
static void store(struct ck *t, struct box *b)
{
    const bool add = ck_is(t, "direction", "add");
    const enum ck_end end = add ? box_add(t, b) : box_store(t, b);
    const unsigned char *const expected = add ? box_added(t, b) : box_stored(t, b);

    if (ck_conforming(t))
        ck_equal(t, b->tensor, expected);
    else if (end == CK_DONE)
        ck_see(t, "%s",
               memcmp(b->tensor.host, expected, b->tensor.size) ? "other bytes are stored" : "the box is stored");
}

static void rank_of_instruction(struct ck *t)
{
    const int rank = (int)ck_int(t, "rank");
    const struct tensor_map map = box_map(TENSOR_U8, rank);
    struct box b = box_to_load(t, &map);

    load(t, &b, (uint32_t)((rank - 1 + ck_int(t, "instruction")) % 5 + 1), 0);
}

/* The breach gives a tiled map to an im2col instruction; the other way round needs an im2col map, which this call
 * does not make. */
static void mode_of_instruction(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U8, (int)ck_int(t, "rank"));
    const struct box b = box_to_load(t, &map);
    const struct box_told told = box_told(t, &b);
    struct tensor_load_args a = { .out = b.image.device,
                                  .bytes = b.image_bytes,
                                  .offset = b.offset,
                                  .expect = (uint32_t)tensor_tile_bytes(&told.map),
                                  .rank = (uint32_t)map.rank,
                                  .form = ck_is(t, "mode", "im2col") ? TENSOR_IM2COL : TENSOR_TILE };
    enum ck_end end;

    memcpy(a.corner, told.corner, sizeof a.corner);
    ck_encode(t, &told.map, b.tensor, &a.map);
    end = ck_launch(t, &(struct ck_launch){ .kernel = "tensor_load",
                                            .block = { 128 },
                                            .smem = b.image_bytes + 16,
                                            .args = &a,
                                            .size = sizeof a,
                                            .may_hang = !ck_conforming(t) });
    if (ck_conforming(t))
        ck_equal(t, b.image, box_loaded(t, &b));
    else
        see_load(t, &b, end);
}

/* Coordinate 0 is `steps` times 16 bytes, and in the breach `elements` more. */
static void first_coordinate(struct ck *t)
{
    const bool to_load = ck_is(t, "direction", "load");
    const struct tensor_map map = box_map(box_type(t), 2);
    struct box b = to_load ? box_to_load(t, &map) : box_to_store(t, &map);

    b.corner[0] = (int32_t)(ck_int(t, "steps") * (int64_t)box_step(&map));
    if (!ck_conforming(t))
        b.corner[0] += ck_is(t, "more", "half") ? (int32_t)box_step(&map) / 2 : (int32_t)ck_int(t, "more");
    if (to_load)
        load(t, &b, 2, 0);
    else
        store(t, &b);
}

static void shared_address(struct ck *t)
{
    const bool to_load = ck_is(t, "direction", "load");
    const struct tensor_map map = box_map(TENSOR_U32, 2);
    struct box b = to_load ? box_to_load(t, &map) : box_to_store(t, &map);

    b.offset = (uint32_t)(ck_int(t, "address") + ck_int(t, "more"));
    if (to_load)
        load(t, &b, 2, 0);
    else
        store(t, &b);
}

static void barrier_address(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U16, 2);
    struct box b = box_to_load(t, &map);

    load(t, &b, 2, (uint32_t)ck_int(t, "shift"));
}

#define STEP                                                                                                           \
    {                                                                                                                  \
        "step", "start one step further", .set = "twist=step"                                                          \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tensor_tile_rank_match), .run = rank_of_instruction,
      .axes = { { "rank", "1..5" }, { "instruction", "0" } }, .mutants = { STEP },
      .breaches = { { "one-more", "name the next rank in the instruction", .set = "instruction=1", .faults = true },
                    { "two-more", "name the rank after that", .set = "instruction=2", .faults = true },
                    { "two-less", "name a rank that is two off the other way", .set = "instruction=3", .faults = true },
                    { "one-less", "name the rank below", .set = "instruction=4", .faults = true } } },
    { CK_RULE(tensor_tile_mode_match), .run = mode_of_instruction, .axes = { { "rank", "3..5" }, { "mode", "tile" } },
      .mutants = { STEP },
      .breaches = { { "im2col", "give the tiled map to an im2col load", .set = "mode=im2col", .faults = true } } },
    { CK_RULE(tensor_tile_coord0_align16), .run = first_coordinate,
      .axes = { { "direction", "load store" },
                { "type", "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16" },
                { "steps", "0..2" } },
      .mutants = { STEP },
      .breaches = { { "one-element", "start one element further", .set = "more=1",
                      .only = "steps=1 type=u8/u16/f32/f64", .faults = true },
                    { "minus-one", "start one element before the tensor", .set = "more=-1",
                      .only = "direction=load steps=0 type=u8/f32", .faults = true },
                    { "half", "start 8 bytes further", .set = "more=half", .only = "steps=0 type=u8",
                      .faults = true } } },
    { CK_RULE(tensor_tile_coord0_align16), .name = "add", .run = first_coordinate,
      .axes = { { "direction", "add" }, { "type", "u32 s32" }, { "steps", "0..2" } }, .mutants = { STEP },
      .breaches = { { "one-element", "start one element further", .set = "more=1", .only = "steps=1",
                      .faults = true } } },
    { CK_RULE(tensor_smem_align128), .run = shared_address,
      .axes = { { "direction", "load store add" }, { "address", "0 128 256 384 512" }, { "more", "0" } },
      .mutants = { STEP },
      .breaches = { { "64", "start at 64 mod 128", .set = "more=64", .only = "address=128", .faults = true },
                    { "32", "start at 32 mod 128", .set = "more=32", .only = "address=128", .faults = true },
                    { "16", "start at 16 mod 128", .set = "more=16", .only = "address=128", .faults = true },
                    { "8", "start at 8 mod 128", .set = "more=8", .only = "address=128", .faults = true } } },
    { CK_RULE(tensor_mbar_align8), .run = barrier_address, .axes = { { "shift", "0 8 16 40" } }, .mutants = { STEP },
      .breaches = { { "4", "name a barrier at 4 mod 8", .set = "shift=4", .kernel = "bar_aside", .only = "shift=0",
                      .faults = true },
                    { "1", "name a barrier at 1 mod 8", .set = "shift=1", .kernel = "bar_aside", .only = "shift=0",
                      .faults = true } } },
    { 0 }
};

const struct ck_suite tensor_alignment = { "tensor/alignment", cases };
