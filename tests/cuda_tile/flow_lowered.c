/* What control flow of tile kernels is lowered to, with tensor copies: boxes in branches and in loops. */
#include <string.h>

#include "expected/oracle.h"
#include "harness/ck.h"
#include "kernels/tile_flow.h"

#define LOWERED .name = "lowered", .needs = "sm_90, PTX 8.0"

/* The loop's boxes, and what must come: the boxes that are loaded, and their sum. */
struct ring {
    struct tile_ring_args a;
    struct ck_buf in, boxes, sum;
    uint32_t *expected, of[RING_WIDTH];
};

static struct ring ring_of(struct ck *t, uint32_t count, uint32_t loaded, uint32_t stages)
{
    struct ring r = { .a = { .count = count, .loaded = loaded, .stages = stages } };
    struct tensor_map map = tensor_map_default(TENSOR_U32, 1);

    r.in = ck_input(t, (size_t)(count + 1) * RING_BYTES);
    r.boxes = ck_output(t, r.in.size);
    r.sum = ck_output(t, RING_BYTES);
    r.expected = ck_alloc(t, r.boxes.size);
    memset(r.expected, CK_POISON, r.boxes.size);
    for (uint32_t i = 0; i < count * RING_WIDTH; i++) {
        uint32_t value = 0;

        if (loaded >> i / RING_WIDTH & 1)
            memcpy(&value, r.in.host + 4 * (size_t)i, 4);
        r.expected[i] = value;
        r.of[i % RING_WIDTH] += value;
    }
    map.dims[0] = (uint64_t)(count + 1) * RING_WIDTH;
    map.box[0] = RING_WIDTH;
    ck_encode(t, &map, r.in, &r.a.map);
    r.a.boxes = r.boxes.device;
    r.a.sum = r.sum.device;
    return r;
}

static void expect_ring(struct ck *t, const struct ring *r)
{
    ck_launch(t, &(struct ck_launch){ .kernel = "tile_ring",
                                      .block = { RING_WIDTH },
                                      .smem = (1 + RING_STAGES) * RING_BYTES,
                                      .args = &r->a,
                                      .size = sizeof r->a });
    ck_equal(t, r->boxes, r->expected);
    ck_equal(t, r->sum, r->of);
}

/* The first boxes are loaded, zeros stand for the others; the threads of the CTA wait in all rounds alike. */
static void loads_in_branch(struct ck *t)
{
    const uint32_t loading = (uint32_t)ck_int(t, "loading");
    const struct ring r = ring_of(t, 6, (1u << loading) - 1, 2);

    expect_ring(t, &r);
}

/* A loop over the boxes, with one or several of them under way: each box and the sum of all are the same. */
static void loops_over_boxes(struct ck *t)
{
    struct ring r = ring_of(t, (uint32_t)ck_int(t, "boxes"), 0xffffffff, (uint32_t)ck_int(t, "stages"));

    if (ck_variant(t, "more"))
        r.a.count++;
    expect_ring(t, &r);
}

/* A box that is loaded, waited for and stored a few elements further on moves the old elements. */
static void shifts_old(struct ck *t)
{
    const uint32_t width = (uint32_t)ck_int(t, "n"), shift = (uint32_t)ck_int(t, "shift");
    const struct ck_buf array = ck_input(t, 2 * 4 * (size_t)width);
    struct tile_shift_args a = { .width = width, .shift = (int32_t)shift };
    struct tensor_map map = tensor_map_default(TENSOR_U32, 1);
    unsigned char *const expected = ck_alloc(t, array.size);

    memcpy(expected, array.host, array.size);
    memcpy(expected + 4 * (size_t)shift, array.host, 4 * (size_t)width);
    map.dims[0] = 2 * width;
    map.box[0] = ck_variant(t, "halves") ? width / 2 : width;
    ck_encode(t, &map, array, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = ck_variant(t, "halves") ? "tile_shift__halves" : "tile_shift",
                                      .block = { 32 },
                                      .smem = 128 + 4 * width,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, array, expected);
}

#define NO_WAIT                                                                                                        \
    {                                                                                                                  \
        "no-wait", "read a box without waiting for it", .kernel = "no_wait"                                            \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tile_cf_tile_from_branch), LOWERED, .run = loads_in_branch, .axes = { { "loading", "0..5" } },
      .mutants = { { "all", "load all boxes", .kernel = "all" } } },
    { CK_RULE(tile_cf_loop_tiles), LOWERED, .run = loops_over_boxes,
      .axes = { { "boxes", "0..9 31" }, { "stages", "1..8" } }, .mutants = { { "more", "add one box more" } } },
    { CK_RULE(tile_cf_irange_not_semantic), LOWERED, .run = loops_over_boxes,
      .axes = { { "boxes", "7 16" }, { "stages", "1 2 3 4 8" } },
      .mutants = { { "more", "add one box more" },
                   { "no-wait", "read a box without waiting for it", .kernel = "no_wait", .only = "stages=1/2",
                     .survives = "a box of this size may have come by the time that it is read" } } },
    { CK_RULE(tile_mem_whole_load_first), LOWERED, .run = shifts_old,
      .axes = { { "n", "16 32 128 256" }, { "shift", "4 8 12" } },
      .mutants = { { "no-wait", "store without waiting for the load", .kernel = "no_wait" },
                   { "halves", "load the second half when the first one is stored" } } },
    { 0 },
};

const struct ck_suite suite_cuda_tile_flow_lowered = { "cuda_tile_flow_lowered", cases };
// SPDX-License-Identifier: Apache-2.0
