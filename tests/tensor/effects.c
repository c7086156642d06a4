/* What changes no result (policies, prefetches, false predicates), and what a program must do to get its result
 * (fences, waits). */
#include <string.h>

#include "kernels/tensor.h"
#include "tests/tensor/box.h"

static void load_as(struct ck *t, const struct box *b, enum tensor_form form, uint32_t expect)
{
    const struct box_told told = box_told(t, b);
    struct tensor_load_args a = { .out = b->image.device,
                                  .bytes = b->image_bytes,
                                  .offset = b->offset,
                                  .expect = expect,
                                  .rank = (uint32_t)b->map.rank,
                                  .form = form };

    memcpy(a.corner, told.corner, sizeof a.corner);
    ck_encode(t, &told.map, b->tensor, &a.map);
    ck_launch(
        t, &(struct ck_launch){
               .kernel = "tensor_load", .block = { 128 }, .smem = b->image_bytes + 16, .args = &a, .size = sizeof a });
}

static void store_as(struct ck *t, const struct box *b, enum tensor_form form)
{
    const struct box_told told = box_told(t, b);
    struct tensor_store_args a = {
        .in = b->image.device, .bytes = b->image_bytes, .offset = b->offset, .rank = (uint32_t)b->map.rank, .form = form
    };

    memcpy(a.corner, told.corner, sizeof a.corner);
    ck_encode(t, &told.map, b->tensor, &a.map);
    ck_launch(t,
              &(struct ck_launch){
                  .kernel = "tensor_store", .block = { 128 }, .smem = b->image_bytes, .args = &a, .size = sizeof a });
}

static void policy(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U32, (int)ck_int(t, "rank"));
    const bool hint = ck_is(t, "policy", "evict-first");

    if (ck_is(t, "copy", "load") || ck_is(t, "copy", "prefetch")) {
        const struct box b = box_to_load(t, &map);
        const enum tensor_form form = ck_is(t, "copy", "load") ? (hint ? TENSOR_HINT : TENSOR_TILE)
                                      : hint                   ? TENSOR_PREFETCH_HINT
                                                               : TENSOR_PREFETCH;
        load_as(t, &b, form, (uint32_t)tensor_tile_bytes(&map));
        ck_equal(t, b.image, box_loaded(t, &b));
    } else {
        const struct box b = box_to_store(t, &map);
        const bool add = ck_is(t, "copy", "add");
        store_as(t, &b, add ? (hint ? TENSOR_ADD_HINT : TENSOR_ADD) : hint ? TENSOR_HINT : TENSOR_TILE);
        ck_equal(t, b.tensor, add ? box_added(t, &b) : box_stored(t, &b));
    }
}

static void predicate_off(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), 2);

    if (ck_is(t, "copy", "load")) {
        const struct box b = box_to_load(t, &map);
        load_as(t, &b, TENSOR_OFF, 0);
        ck_filled(t, b.image, 0, b.image.size, CK_POISON);
    } else {
        const struct box b = box_to_store(t, &map);
        store_as(t, &b, TENSOR_OFF);
        ck_filled(t, b.tensor, 0, b.tensor.size, CK_POISON);
    }
}

/* The shared tile is written by generic stores just before a tensor store reads it. */
static void fenced_store(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    const struct box b = box_to_store(t, &map);

    box_store(t, &b);
    ck_equal(t, b.tensor, box_stored(t, &b));
}

/* Two tiles go to one place, the second after the first has been waited for. */
static void second_store_wins(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    struct box b = box_to_store(t, &map);
    const struct box_told told = box_told(t, &b);
    struct tensor_store_args a = { .bytes = b.image_bytes, .offset = b.offset, .rank = (uint32_t)map.rank };
    const struct ck_buf both = ck_input(t, 2 * (size_t)b.image_bytes);

    a.in = both.device;
    memcpy(a.corner, told.corner, sizeof a.corner);
    memcpy(b.image.host, both.host + b.image_bytes, b.image_bytes); /* what the oracle stores */
    ck_encode(t, &told.map, b.tensor, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "tensor_store_twice",
                                      .block = { 128 },
                                      .smem = 2 * b.image_bytes,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, b.tensor, box_stored(t, &b));
}

#define STEP                                                                                                           \
    {                                                                                                                  \
        "step", "start one step further", .set = "twist=step"                                                          \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tensor_hint_no_effect), .run = policy,
      .axes = { { "rank", "1..5" }, { "copy", "load store add prefetch" }, { "policy", "none evict-first" } },
      .mutants = { STEP } },
    { CK_RULE(tensor_pred_off), .run = predicate_off, .axes = { { "copy", "load store" }, { "type", "u8 f32" } },
      .mutants = { { "on", "let the predicate be true", .kernel = "on" } } },
    { CK_RULE(tensor_store_fence), .run = fenced_store, .axes = { { "rank", "1..5" } }, .mutants = { STEP },
      .breaches = { { "no-fence", "leave out the proxy fence", .kernel = "no_fence", .varies = true } } },
    { CK_RULE(tensor_order_none), .run = second_store_wins, .axes = { { "rank", "1..5" } }, .mutants = { STEP },
      .breaches = { { "no-wait", "issue the second store without waiting for the first", .kernel = "no_wait",
                      .varies = true } } },
    { 0 }
};

const struct ck_suite tensor_effects = { "tensor/effects", cases };
