/* Tile loads within a cluster: whose memory, whose barrier. */
#include <string.h>

#include "kernels/tensor.h"
#include "tests/tensor/box.h"

/* A cluster of `count` CTAs; each has an image of its own in `images`. */
struct cluster {
    struct box b;
    struct ck_buf images;
    struct tensor_cluster_args a;
    uint32_t count;
};

static struct cluster make_cluster(struct ck *t, int rank)
{
    const struct tensor_map map = box_map(TENSOR_U16, rank);
    struct cluster c = { .b = box_to_load(t, &map), .count = (uint32_t)ck_int(t, "ctas") };

    c.images = ck_output(t, (size_t)c.count * c.b.image_bytes);
    c.a = (struct tensor_cluster_args){
        .out = c.images.device, .bytes = c.b.image_bytes, .offset = c.b.offset, .rank = (uint32_t)rank
    };
    memcpy(c.a.corner, c.b.corner, sizeof c.a.corner);
    return c;
}

static enum ck_end launch(struct ck *t, struct cluster *c, const char *kernel)
{
    ck_encode(t, &c->b.map, c->b.tensor, &c->a.map);
    return ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                             .grid = { c->count },
                                             .cluster = { c->count },
                                             .block = { 128 },
                                             .smem = c->b.image_bytes + 16,
                                             .args = &c->a,
                                             .size = sizeof c->a,
                                             .may_hang = true });
}

/* CTA i has the tile where `has` has bit i, and poison elsewhere. */
static unsigned char *tile_in(struct ck *t, const struct cluster *c, uint32_t has)
{
    unsigned char *images = ck_alloc(t, c->images.size);
    const unsigned char *const one = box_loaded(t, &c->b);

    memset(images, CK_POISON, c->images.size);
    for (uint32_t i = 0; i < c->count; i++)
        if (has >> i & 1)
            memcpy(images + (size_t)i * c->b.image_bytes, one, c->b.image_bytes);
    return images;
}

/* Data and signal go to one CTA of the cluster: axis `to` says which, from the issuer, CTA 1. */
static uint32_t receiver(struct ck *t, uint32_t count)
{
    return ck_is(t, "to", "self") ? 1 : ck_is(t, "to", "last") ? count - 1 : 0;
}

/* A CTA may load a box into the shared memory of any CTA of its cluster, whose barrier the load then signals. */
static void remote(struct ck *t)
{
    struct cluster c = make_cluster(t, (int)ck_int(t, "rank"));
    const uint32_t to = receiver(t, c.count);

    c.a.issuer = 1;
    c.a.to = to;
    c.a.signal = to;
    if (ck_variant(t, "other-cta"))
        c.a.to = (to + 1) % c.count;
    if (ck_variant(t, "issuers-barrier"))
        c.a.signal = c.a.issuer;
    c.a.expect[c.a.signal] = (uint32_t)tensor_tile_bytes(&c.b.map);
    launch(t, &c, "tensor_remote");
    if (!ck_conforming(t)) {
        ck_see(t, "timeouts %x; data %s", ck_timeouts(t),
               memcmp(c.images.host, tile_in(t, &c, 1u << to), c.images.size) ? "elsewhere"
                                                                              : "in the CTA it was sent to");
        return;
    }
    ck_expect(t, "timeouts", ck_timeouts(t), 0);
    ck_equal(t, c.images, tile_in(t, &c, 1u << to));
}

static bool other_than_issuer(struct ck *t)
{
    return !(ck_is(t, "to", "last") && ck_int(t, "ctas") == 2); /* the same as self */
}

static uint32_t mask_of(struct ck *t, uint32_t count)
{
    const uint32_t all = (1u << count) - 1;

    return ck_is(t, "mask", "all")      ? all
           : ck_is(t, "mask", "even")   ? all & 0x5555
           : ck_is(t, "mask", "odd")    ? all & 0xAAAA
           : ck_is(t, "mask", "others") ? all & ~1u
           : ck_is(t, "mask", "self")   ? 1
                                        : 1u << (count - 1);
}

/* A multicast brings the tile to each CTA of its mask and signals the barrier of each; the others keep their bytes. */
static void multicast(struct ck *t)
{
    struct cluster c = make_cluster(t, (int)ck_int(t, "rank"));
    const uint32_t mask = mask_of(t, c.count);

    c.a.issuer = 0;
    c.a.mask = mask;
    if (ck_variant(t, "one-bit-less"))
        c.a.mask &= mask - 1;
    for (uint32_t i = 0; i < c.count; i++)
        c.a.expect[i] = mask >> i & 1 ? (uint32_t)tensor_tile_bytes(&c.b.map) : 0;
    launch(t, &c, "tensor_multicast");
    ck_expect(t, "timeouts", ck_timeouts(t), 0);
    ck_equal(t, c.images, tile_in(t, &c, mask));
}

/* Each CTA multicasts one row to all CTAs: all have the whole tile, at the end of one phase. */
static void slices(struct ck *t)
{
    const uint32_t count = (uint32_t)ck_int(t, "ctas"), row = 128;
    struct tensor_map slice = tensor_map_default(TENSOR_U8, 2), whole;
    struct cluster c;

    slice.dims[0] = 256;
    slice.dims[1] = 32;
    slice.box[0] = row;
    slice.box[1] = 1;
    box_pack(&slice, 0);
    whole = slice;
    whole.box[1] = count;
    c = make_cluster(t, 2);
    c.b = box_to_load(t, &whole);
    c.images = ck_output(t, (size_t)count * c.b.image_bytes);
    c.a.out = c.images.device;
    c.a.bytes = c.b.image_bytes;
    memcpy(c.a.corner, c.b.corner, sizeof c.a.corner);
    c.a.mask = (1u << count) - 1;
    c.a.slice_step = 1;
    c.a.slice_bytes = row;
    for (uint32_t i = 0; i < count; i++)
        c.a.expect[i] = ck_variant(t, "one-slice") ? row : row * count;
    c.b.map = slice;
    launch(t, &c, "tensor_slices");
    c.b.map = whole;
    ck_expect(t, "timeouts", ck_timeouts(t), 0);
    ck_equal(t, c.images, tile_in(t, &c, c.a.mask));
}

/* A load to .shared::cta fills the issuer's own memory and signals its own barrier; the breaches name another CTA's. */
static void own_cta(struct ck *t)
{
    struct cluster c = make_cluster(t, (int)ck_int(t, "rank"));
    const uint32_t issuer = ck_is(t, "issuer", "first") ? 0 : c.count - 1, other = c.count - 1 - issuer;
    const uint32_t has = 1u << issuer;

    c.a.issuer = issuer;
    c.a.to = ck_variant(t, "other-data") ? other : issuer;
    c.a.signal = ck_variant(t, "other-barrier") ? other : issuer;
    c.a.expect[issuer] = (uint32_t)tensor_tile_bytes(&c.b.map);
    if (ck_variant(t, "step"))
        c.a.corner[c.a.rank - 1] += c.a.rank > 1 ? 1 : (int32_t)box_step(&c.b.map);
    if (launch(t, &c, "tensor_cluster_cta") != CK_DONE)
        return;
    if (!ck_conforming(t)) {
        ck_see(t, "timeouts %x; data %s", ck_timeouts(t),
               !memcmp(c.images.host, tile_in(t, &c, has), c.images.size)           ? "in the issuer"
               : !memcmp(c.images.host, tile_in(t, &c, 1u << other), c.images.size) ? "in the other CTA"
                                                                                    : "in neither");
        return;
    }
    ck_expect(t, "timeouts", ck_timeouts(t), 0);
    ck_equal(t, c.images, tile_in(t, &c, has));
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_dst_cluster_any), .run = remote,
      .axes = { { "rank", "1..5" }, { "ctas", "2 4 8 16" }, { "to", "first self last" } }, .valid = other_than_issuer,
      .mutants = { { "other-cta", "send the data to the next CTA" } } },
    { CK_RULE(tensor_mbar_same_cta_as_dst), .run = remote,
      .axes = { { "rank", "2" }, { "ctas", "2 4 8" }, { "to", "first" } },
      .mutants = { { "other-cta", "send the data to the next CTA" } },
      .breaches = { { "issuers-barrier", "signal the barrier of the issuer" } } },
    { CK_RULE(tensor_mc_data_and_signal), .run = multicast,
      .axes = { { "rank", "1..5" }, { "ctas", "2 4 8 16" }, { "mask", "all even odd others self last" } },
      .mutants = { { "one-bit-less", "clear the lowest bit of the mask", .only = "mask=all" } } },
    { CK_RULE(tensor_mc_slices), .run = slices, .axes = { { "ctas", "2 4 8 16" } },
      .mutants = { { "one-slice", "expect the bytes of one slice" } } },
    { CK_RULE(tensor_dst_cta_own), .run = own_cta,
      .axes = { { "rank", "1..5" }, { "ctas", "2 4" }, { "issuer", "first last" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "other-data", "name the shared memory of another CTA", .only = "rank=2" } } },
    { CK_RULE(tensor_mbar_cta_dst_remote), .run = own_cta,
      .axes = { { "rank", "2" }, { "ctas", "2 4" }, { "issuer", "first last" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "other-barrier", "name the barrier of another CTA" } } },
    { 0 }
};

const struct ck_suite tensor_cluster = { "tensor/cluster", cases };
// SPDX-License-Identifier: Apache-2.0
