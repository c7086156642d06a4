/* Tensor prefetches: nothing changes. */
#include <string.h>

#include "kernels/tensor_reduce.h"
#include "tests/tensor/box.h"

/* A prefetch of a box, inside the tensor, over an edge or outside it, changes neither the tensor nor shared memory, and
 * signals no barrier. */
static void no_effect(struct ck *t)
{
    const int rank = (int)ck_int(t, "rank"), dim = rank - 1;
    const struct tensor_map map = box_map(box_type(t), rank);
    struct box b = box_to_load(t, &map);
    const struct ck_buf flag = ck_output(t, 4);
    unsigned char *before = ck_alloc(t, b.tensor.size), *poison = ck_alloc(t, b.image.size);
    struct tensor_prefetch_args a = { .out = b.image.device,
                                      .flag = flag.device,
                                      .bytes = b.image_bytes,
                                      .rank = (uint32_t)rank,
                                      .hint = (uint32_t)ck_int(t, "hint") };
    uint32_t over;

    memcpy(before, b.tensor.host, b.tensor.size);
    memset(poison, CK_POISON, b.image.size);
    if (!ck_is(t, "side", "inside"))
        box_over(&map, b.corner, dim, ck_word(t, "side"));
    memcpy(a.corner, b.corner, sizeof a.corner);
    ck_encode(t, &b.map, b.tensor, &a.map);
    ck_launch(
        t,
        &(struct ck_launch){
            .kernel = "tensor_prefetch", .block = { 128 }, .smem = b.image_bytes + 16, .args = &a, .size = sizeof a });
    memcpy(&over, flag.host, sizeof over);
    ck_expect(t, "phase over", over, 0);
    ck_equal(t, b.image, poison);
    ck_equal(t, b.tensor, before);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_pf_no_effect), .run = no_effect,
      .axes = { { "rank", "1..5" },
                { "type", "u8 f16 f32 u64" },
                { "side", "inside low high below above" },
                { "hint", "0 1" } },
      .mutants = { { "load", "load the box", .kernel = "load", .only = "type=f16" } } },
    { 0 }
};

const struct ck_suite tensor_reduce_prefetch = { "tensor-reduce/prefetch", cases };
// SPDX-License-Identifier: Apache-2.0
