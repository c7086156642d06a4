/* What may change after wait_group.read: the shared source, and the tensor map. */
#include "expected/oracle.h"
#include "kernels/bulk_group.h"
#include "kernels/bulk_order.h"
#include "tests/bulk/image.h"

enum { BLOCK = 64, OTHER = 0x77777777 };

/* A thread stores from shared memory, and behind wait_group.read the source is overwritten: the store still carries the
 * bytes from before. */
static void overwrite(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");
    const struct ck_buf in = ck_input(t, size + 16);
    const struct ck_buf out = ck_slow_input(t, size);
    const struct bulk_order_args a = { .in = in.device + (ck_variant(t, "source") ? 16 : 0),
                                       .out = out.device,
                                       .size = size,
                                       .fence = FENCE_SHARED_CTA,
                                       .other = OTHER };

    ck_launch(t,
              &(struct ck_launch){
                  .kernel = "bulk_overwrite", .block = { BLOCK }, .smem = size + 128, .args = &a, .size = sizeof a });
    ck_equal_at(t, out, 0, in.host, size);
}

/* A tensor of one dimension and so many boxes of `size` bytes. */
static struct tensor_map boxes(uint32_t size, uint32_t count)
{
    struct tensor_map m = tensor_map_default(TENSOR_U32, 1);

    m.dims[0] = (uint64_t)size / 4 * count;
    m.box[0] = size / 4;
    return m;
}

/* Stores through a map that is replaced behind the wait. `rehearse`: once before, with the same buffers. */
struct replaced {
    struct ck_buf in, first, second;
};

static bool replace_after_stores(struct ck *t, bool rehearse, struct replaced *b)
{
    const uint32_t size = (uint32_t)ck_int(t, "size"), rounds = (uint32_t)ck_int(t, "rounds");
    const uint32_t step = (uint32_t)ck_int(t, "apart");
    const struct tensor_map map = boxes(size, rounds);
    const struct ck_buf place = ck_output(t, (size_t)step * rounds);
    struct bulk_map_args a = {
        .place = place.device, .place_step = step, .size = size, .rounds = rounds, .full = ck_is(t, "wait", "full")
    };

    b->in = ck_input(t, size + 16);
    b->first = ck_output(t, (size_t)size * rounds);
    b->second = ck_output(t, (size_t)size * rounds);
    a.in = b->in.device + (ck_variant(t, "source") ? 16 : 0);
    ck_no_digest(t); /* the maps' bytes hold addresses */
    ck_encode(t, &map, b->first, &a.first);
    ck_encode(t, &map, b->second, &a.second);
    for (int launches = rehearse ? 2 : 1; launches; launches--) {
        memset(b->first.host, CK_POISON, b->first.size);
        memset(b->second.host, CK_POISON, b->second.size);
        ck_changed(t, b->first);
        ck_changed(t, b->second);
        if (ck_launch(t, &(struct ck_launch){ .kernel = "bulk_map_store",
                                              .block = { BLOCK },
                                              .smem = size,
                                              .args = &a,
                                              .size = sizeof a }) != CK_DONE)
            return false;
    }
    return true;
}

/* Stores through a tensor map in global memory, and behind wait_group.read another map takes its place: the stores go
 * where the first map says, since the wait covers the reading of the map too. The breach replaces the map before the
 * wait. The first store through a map in a new context has a case of its own, below. */
static void replaced_after_store(struct ck *t)
{
    const size_t size = (size_t)ck_int(t, "size");
    struct replaced b;

    if (!replace_after_stores(t, true, &b))
        return;
    for (size_t at = 0; at < b.first.size; at += size)
        ck_equal_at(t, b.first, at, b.in.host, size);
    ck_filled(t, b.second, 0, b.second.size, CK_POISON);
}

/* The same as the first store through a map in a context, which is cold: an H200 once left the first tensor as it was,
 * and never again in dozens of tries, so where the bytes went is noted but not compared. */
static void replaced_in_a_new_context(struct ck *t)
{
    struct replaced b;

    if (!replace_after_stores(t, false, &b))
        return;
    ck_see(t, "stored");
    ck_note(t, "%zu bytes through the first map, %zu through the second", touched(b.first.host, b.first.size),
            touched(b.second.host, b.second.size));
}

/* A load through a tensor map, then commit and wait_group.read, then another map takes its place. A group may be said
 * to track the load's reading of the map, though the load names no group: which tensor the bytes came from is recorded.
 */
static void replaced_after_load(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");
    const struct tensor_map map = boxes(size, 1);
    const struct ck_buf first = ck_input(t, size), second = ck_input(t, size);
    const struct ck_buf place = ck_output(t, 128), out = ck_output(t, size);
    struct bulk_map_args a = { .place = place.device, .out = out.device, .size = size, .rounds = 1 };

    ck_no_digest(t); /* the map's bytes hold addresses */
    ck_encode(t, &map, first, &a.first);
    ck_encode(t, &map, second, &a.second);
    if (ck_launch(t, &(struct ck_launch){ .kernel = "bulk_map_load",
                                          .block = { BLOCK },
                                          .smem = size + 64,
                                          .args = &a,
                                          .size = sizeof a }) != CK_DONE)
        return;
    ck_see(t, "%s map",
           !memcmp(out.host, first.host, size)    ? "first"
           : !memcmp(out.host, second.host, size) ? "second"
                                                  : "neither");
}

static const struct ck_case cases[] = {
    { CK_RULE(bulkgrp_read_source), .run = overwrite, .axes = { { "size", "16 256 1024 4096 16384 65536" } },
      .mutants = { SOURCE, { "early", "overwrite before the wait", .kernel = "early", .only = "size=65536" } } },
    { CK_RULE(bulkgrp_read_tensormap), .run = replaced_after_store,
      .axes = { { "size", "16 256 1024" }, { "rounds", "1 8" }, { "apart", "128 2097152" }, { "wait", "read full" } },
      .mutants = { SOURCE },
      .breaches = { { "early", "replace the map before the wait", .kernel = "early", .varies = true } } },
    { CK_RULE(bulkgrp_read_tensormap), .name = "new-context", .run = replaced_in_a_new_context,
      .axes = { { "size", "16" }, { "rounds", "1" }, { "apart", "128" }, { "wait", "read" }, { "try", "1 2" } },
      .faults = true, .seen_only = true, .no_mutant = "what happens is recorded, whatever it is" },
    { CK_RULE(bulkgrp_load_optional), .run = replaced_after_load, .axes = { { "size", "16 1024" } },
      .breaches = { { "early", "neither commit nor wait", .kernel = "early", .varies = true } },
      .no_mutant = "what happens is recorded, whatever it is" },
    { 0 }
};

const struct ck_suite bulk_group_source = { "bulk-group-source", cases };
// SPDX-License-Identifier: Apache-2.0
