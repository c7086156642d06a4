/* Who edits a map, who publishes it, and to whom. */
#include <string.h>

#include "tests/tensor_map/edit.h"

/* A map whose address and one further field are wrong, so that there are two edits. */
static struct box two_edits(struct ck *t, int rank, struct tmap_replace_args *a)
{
    const struct tensor_map right = box_map(TENSOR_U16, rank);
    struct tensor_map wrong = right;
    struct box b = box_to_load(t, &right);

    wrong.address += 64;
    wrong.box[0] /= 2;
    edit_add(a, TMAP_ADDRESS, 0, b.tensor.device + right.address);
    edit_add(a, TMAP_BOX, 0, right.box[0]);
    if (ck_variant(t, "keep"))
        a->count = 0;
    ck_encode(t, &wrong, b.tensor, &a->map);
    return b;
}

static uint32_t editor(struct ck *t, const char *axis)
{
    return (uint32_t)ck_int(t, axis);
}

/* Two threads edit a map, each another field; a barrier lies between them, and one before the copy to global memory. */
static void two_editors(struct ck *t)
{
    struct tmap_replace_args a = { .editors = { editor(t, "first"), editor(t, "second") } };
    const struct box b = two_edits(t, (int)ck_int(t, "rank"), &a);

    edit_launch(t, &b, &a, "tmap_edit_by");
}

static bool two_threads(struct ck *t)
{
    return ck_int(t, "first") != ck_int(t, "second");
}

/* A thread edits a map in global memory, releases and acquires it, and copies by it. */
static void in_place(struct ck *t)
{
    struct tmap_replace_args a = { .generic = ck_is(t, "address", "generic") };
    const struct tensor_map right = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    struct tensor_map wrong = right;
    const struct box b = box_to_load(t, &right);

    wrong.address += 64;
    edit_add(&a, TMAP_ADDRESS, 0, b.tensor.device + (ck_variant(t, "step") ? wrong.address : right.address));
    ck_encode(t, &wrong, b.tensor, &a.map);
    edit_launch(t, &b, &a, "tmap_in_place");
}

/* One block edits and publishes a map; each block that learned of it through a flag, and acquires it, copies by it. */
static void publish(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    struct tmap_replace_args a = { 0 };
    struct box b = two_edits(t, (int)ck_int(t, "rank"), &a);
    const struct ck_buf images = ck_output(t, (size_t)blocks * b.image_bytes), flag = ck_zeroed(t, 64);
    const unsigned char *const one = box_loaded(t, &b);
    unsigned char *want = ck_alloc(t, images.size);

    for (uint32_t i = 0; i < blocks; i++)
        memcpy(want + (size_t)i * b.image_bytes, one, b.image_bytes);
    edit_fill_in(t, &b, &a);
    a.out = images.device;
    a.flag = flag.device;
    ck_launch(t, &(struct ck_launch){ .kernel = "tmap_publish",
                                      .grid = { blocks },
                                      .block = { 128 },
                                      .smem = b.image_bytes + 144,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, images, want);
}

/* The copy of a map's 128 bytes, wherever they lie in shared memory, arrives whole, and nothing around it changes. */
static void copy_out(struct ck *t)
{
    static const char *const scopes[] = { "cta", "cluster", "gpu", "sys" };
    const struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    const size_t at = (size_t)ck_int(t, "at");
    const struct ck_buf tensor = ck_input(t, box_extent(&map)), home = ck_input(t, 512);
    unsigned char *want = ck_alloc(t, home.size);
    struct tmap_copy_out_args a = { .home = home.device + at, .from = (uint32_t)ck_int(t, "from") };

    while (a.scope < 3 && !ck_is(t, "scope", scopes[a.scope]))
        a.scope++;
    ck_encode(t, &map, tensor, &a.map);
    memcpy(want, home.host, home.size);
    memcpy(want + at, &a.map, sizeof a.map);
    a.shift = ck_variant(t, "shift") ? 16 : 0;
    ck_launch(t, &(struct ck_launch){
                     .kernel = "tmap_copy_out", .block = { 32 }, .smem = 1024, .args = &a, .size = sizeof a });
    ck_equal(t, home, want);
}

/* Tile maps alone are edited: the breach edits the address of an im2col map. */
static void tile_map(struct ck *t)
{
    struct tmap_replace_args a = { 0 };
    const struct tensor_map right = box_map(TENSOR_U16, 3);
    struct tensor_map wrong = right;
    const struct box b = box_to_load(t, &right);

    wrong.address += (uint64_t)ck_int(t, "by");
    edit_add(&a, TMAP_ADDRESS, 0, b.tensor.device + (ck_variant(t, "keep") ? wrong.address : right.address));
    if (ck_variant(t, "im2col")) {
        wrong.mode = TENSOR_MODE_IM2COL;
        wrong.channels = right.box[0];
        wrong.pixels = 6;
    }
    ck_encode(t, &wrong, b.tensor, &a.map);
    edit_launch(t, &b, &a, "tmap_replace");
}

static const struct ck_case cases[] = {
    { CK_RULE(tmap_rep_weak_1024), .run = two_editors,
      .axes = { { "rank", "1..5" }, { "first", "0 1 31 32 127" }, { "second", "0 1 31 32 127" } }, .valid = two_threads,
      .mutants = { { "keep", "replace nothing" } },
      .breaches = { { "at-once", "no barrier between the two threads", .kernel = "at_once", .only = "rank=2",
                      .varies = true } } },
    { CK_RULE(tmap_rep_local_order), .run = two_editors,
      .axes = { { "rank", "1..5" }, { "first", "0 32" }, { "second", "33 64 127" } },
      .mutants = { { "keep", "replace nothing" } },
      .breaches = { { "no-barrier", "no barrier before the copy", .kernel = "no_barrier", .only = "rank=2",
                      .varies = true } } },
    { CK_RULE(tmap_rep_mode), .run = tile_map, .axes = { { "by", "16 64 128" } },
      .mutants = { { "keep", "leave the address as it is" } },
      .breaches = { { "im2col", "a map in im2col mode", .only = "by=64", .faults = true } } },
    { CK_RULE(tmap_cpf_copies), .run = copy_out,
      .axes = { { "rank", "1 3 5" },
                { "at", "0 128 256 384" },
                { "from", "0 128 256 384" },
                { "scope", "cta cluster gpu sys" } },
      .mutants = { { "shift", "put the map's bytes elsewhere" } } },
    { CK_RULE(tmap_cpf_warp), .run = copy_out,
      .axes = { { "rank", "1..5" }, { "at", "0" }, { "from", "0" }, { "scope", "cta cluster gpu sys" } },
      .mutants = { { "shift", "put the map's bytes elsewhere" } },
      .breaches = { { "half", "half of the warp returns before", .kernel = "half", .only = "rank=2",
                      .varies = true } } },
    /* A map's address is a multiple of 64; a later header aligns the type to 128. */
    { CK_RULE(tmap_cpf_copies), .name = "at-64", .run = copy_out,
      .axes = { { "rank", "2" }, { "at", "64 192" }, { "from", "0 64" }, { "scope", "gpu" } }, .seen_only = true,
      .faults = true },
    { CK_RULE(tmap_cpf_release), .run = publish, .axes = { { "rank", "1..5" }, { "blocks", "1 2 8 32 64" } },
      .mutants = { { "keep", "replace nothing" } } },
    { CK_RULE(tmap_fence_in_place), .run = in_place, .axes = { { "rank", "1..5" }, { "address", "global generic" } },
      .mutants = { { "step", "set the address that it had" } } },
    { CK_RULE(tmap_fence_range), .run = in_place, .axes = { { "rank", "1..5" }, { "address", "global" } },
      .mutants = { { "step", "set the address that it had" } },
      .breaches = { { "neighbour", "acquire the 128 bytes behind the map", .kernel = "neighbour", .varies = true } } },
    { CK_RULE(tmap_fence_not_async), .run = in_place, .axes = { { "rank", "1..5" }, { "address", "global" } },
      .mutants = { { "step", "set the address that it had" } },
      .breaches = { { "async", "fence.proxy.async in place of release and acquire", .kernel = "async_fence",
                      .varies = true } } },
    { 0 }
};

const struct ck_suite tensor_map_publish = { "tensor-map/publish", cases };
// SPDX-License-Identifier: Apache-2.0
