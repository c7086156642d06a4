/* L2 promotion: how much the L2 cache fetches at a time changes no byte. */
#include <string.h>

#include "tests/tensor/box.h"

/* The kernel that makes this copy, with a cache policy or without one. */
static const char *kernel_of(struct ck *t, bool hint)
{
    if (ck_is(t, "copy", "load"))
        return hint ? "tensor_load_hint" : "tile_load";
    if (ck_is(t, "copy", "prefetch"))
        return hint ? "tensor_load_prefetched_hint" : "tensor_load_prefetched";
    if (ck_is(t, "copy", "add"))
        return hint ? "tensor_add_hint" : "tensor_add";
    return hint ? "tensor_store_hint" : "tile_store";
}

/* A copy by a map with this promotion, with a cache policy or without one, leaves what the oracle has, which knows
 * neither. */
static void copy(struct ck *t)
{
    struct tensor_map map = box_map(box_type(t), (int)ck_int(t, "rank"));
    const bool loads = ck_is(t, "copy", "load") || ck_is(t, "copy", "prefetch"), adds = ck_is(t, "copy", "add");
    const char *const kernel = kernel_of(t, ck_is(t, "policy", "evict-first"));
    const unsigned char *expected;
    size_t first = 16; /* byte of the box in the tensor */
    struct box b;

    for (int64_t l2 = TENSOR_L2_NONE; l2 <= TENSOR_L2_256B; l2++)
        if (ck_is(t, "promotion", tensor_l2_name(l2)))
            map.l2 = l2;
    b = loads ? box_to_load(t, &map) : box_to_store(t, &map);
    expected = loads ? box_loaded(t, &b) : adds ? box_added(t, &b) : box_stored(t, &b);
    for (int i = 1; i < map.rank; i++)
        first += map.strides[i - 1];
    if (ck_variant(t, "flip"))
        *(loads ? b.tensor.host + first : b.image.host + b.offset) ^= 2;
    if (loads)
        box_load_by(t, &b, kernel);
    else
        box_store_by(t, &b, kernel);
    ck_equal(t, loads ? b.image : b.tensor, expected);
}

#define PROMOTIONS "none 64B 128B 256B"

static const struct ck_case cases[] = { { CK_RULE(l2_promotion_no_effect), .run = copy,
                                          .axes = { { "promotion", PROMOTIONS },
                                                    { "rank", "1..5" },
                                                    { "copy", "load store prefetch" },
                                                    { "type", "u8 u16 s32 u64 f16 f32 f64 bf16" },
                                                    { "policy", "=none" } },
                                          .mutants = { { "flip", "flip a bit of the source" } } },
                                        { CK_RULE(l2_promotion_no_effect), .name = "reduction", .run = copy,
                                          .axes = { { "promotion", PROMOTIONS },
                                                    { "rank", "1..5" },
                                                    { "copy", "=add" },
                                                    { "type", "u32 s32" },
                                                    { "policy", "=none" } },
                                          .mutants = { { "flip", "flip a bit of the source" } } },
                                        { CK_RULE(l2_hint_and_promotion), .run = copy,
                                          .axes = { { "promotion", PROMOTIONS },
                                                    { "rank", "1..5" },
                                                    { "copy", "load store add prefetch" },
                                                    { "type", "u32 s32" },
                                                    { "policy", "=evict-first" } },
                                          .mutants = { { "flip", "flip a bit of the source" } } },
                                        { 0 } };

const struct ck_suite tensor_layout_promotion = { "tensor-layout/promotion", cases };
// SPDX-License-Identifier: Apache-2.0
