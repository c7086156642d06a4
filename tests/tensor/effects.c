/* What changes no result (policies, prefetches, false predicates), and what a program must do to get its result
 * (fences, waits). */
#include <string.h>

#include "tests/tensor/box.h"

/* The kernel that makes this copy, with a cache policy or without one. */
static const char *kernel_of(const char *copy, bool hint)
{
    if (!strcmp(copy, "load"))
        return hint ? "tensor_load_hint" : "tile_load";
    if (!strcmp(copy, "prefetch"))
        return hint ? "tensor_load_prefetched_hint" : "tensor_load_prefetched";
    if (!strcmp(copy, "add"))
        return hint ? "tensor_add_hint" : "tensor_add";
    return hint ? "tensor_store_hint" : "tile_store";
}

/* A copy with a cache policy, or after a prefetch, brings the bytes of one without. */
static void policy(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U32, (int)ck_int(t, "rank"));
    const char *const kernel = kernel_of(ck_word(t, "copy"), ck_is(t, "policy", "evict-first"));
    const bool to_load = ck_is(t, "copy", "load") || ck_is(t, "copy", "prefetch");
    struct box b = to_load ? box_to_load(t, &map) : box_to_store(t, &map);
    const unsigned char *const expected = to_load                   ? box_loaded(t, &b)
                                          : ck_is(t, "copy", "add") ? box_added(t, &b)
                                                                    : box_stored(t, &b);

    if (ck_variant(t, "step"))
        box_move_on(&b);
    if (to_load)
        box_load_by(t, &b, kernel);
    else
        box_store_by(t, &b, kernel);
    ck_equal(t, to_load ? b.image : b.tensor, expected);
}

/* A copy whose predicate is false writes nothing and signals nothing. */
static void predicate_off(struct ck *t)
{
    const struct tensor_map map = box_map(box_type(t), 2);

    if (ck_is(t, "copy", "load")) {
        const struct box b = box_to_load(t, &map);
        box_load_by(t, &b, "tensor_load_off");
        ck_filled(t, b.image, 0, b.image.size, CK_POISON);
    } else {
        const struct box b = box_to_store(t, &map);
        box_store_by(t, &b, "tensor_store_off");
        ck_filled(t, b.tensor, 0, b.tensor.size, CK_POISON);
    }
}

/* A tile that generic stores have written, and a proxy fence has followed, is stored as it was written. */
static void fenced_store(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    struct box b = box_to_store(t, &map);
    const unsigned char *const expected = box_stored(t, &b);

    if (ck_variant(t, "step"))
        box_move_on(&b);
    box_store(t, &b);
    ck_equal(t, b.tensor, expected);
}

/* Two tiles go to one place, the second after the first has been waited for: the second is found there. */
static void second_store_wins(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    struct box b = box_to_store(t, &map);
    const struct ck_buf both = ck_input(t, 2 * (size_t)b.image_bytes);
    struct tile_store_args a = {
        .in = both.device, .bytes = b.image_bytes, .offset = b.offset, .rank = (uint32_t)map.rank
    };
    const unsigned char *expected;

    memcpy(b.image.host, both.host + b.image_bytes, b.image_bytes); /* the second is what the oracle stores */
    expected = box_stored(t, &b);
    if (ck_variant(t, "step"))
        box_move_on(&b);
    memcpy(a.corner, b.corner, sizeof a.corner);
    ck_encode(t, &map, b.tensor, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "tensor_store_twice",
                                      .block = { 128 },
                                      .smem = 2 * b.image_bytes,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, b.tensor, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_hint_no_effect), .run = policy,
      .axes = { { "rank", "1..5" }, { "copy", "load store add prefetch" }, { "policy", "none evict-first" } },
      .mutants = { { "step", "start one step further" } } },
    { CK_RULE(tensor_pred_off), .run = predicate_off, .axes = { { "copy", "load store" }, { "type", "u8 f32" } },
      .mutants = { { "on", "let the predicate be true", .kernel = "on" } } },
    { CK_RULE(tensor_store_fence), .run = fenced_store, .axes = { { "rank", "1..5" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "no-fence", "leave out the proxy fence", .kernel = "no_fence", .varies = true } } },
    { CK_RULE(tensor_order_none), .run = second_store_wins, .axes = { { "rank", "1..5" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "no-wait", "issue the second store without waiting for the first", .kernel = "no_wait",
                      .varies = true } } },
    { 0 }
};

const struct ck_suite tensor_effects = { "tensor/effects", cases };
// SPDX-License-Identifier: Apache-2.0
