/* What may change after wait_group.read: the shared source, and the tensor map. */
#include "expected/oracle.h"
#include "kernels/bulk_group.h"
#include "kernels/bulk_order.h"
#include "tests/bulk/image.h"

enum { BLOCK = 64, OTHER = 0x77777777 };

/* The source is overwritten behind the wait; the bytes stored are those from before. */
static void overwrite(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");
    const struct ck_buf in = ck_input(t, size + 16);
    const struct ck_buf out = ck_slow_input(t, size);
    const struct bulk_order_args a = { .in = in.device + (broken_by(t, "source") ? 16 : 0),
                                       .out = out.device,
                                       .size = size,
                                       .fence = FENCE_SHARED_CTA,
                                       .other = OTHER };

    ck_launch(t,
              &(struct ck_launch){
                  .kernel = "bulk_overwrite", .block = { BLOCK }, .smem = size + 128, .args = &a, .size = sizeof a });
    ck_equal_at(t, out, 0, in.host, size);
}

/* A tensor of one dimension that is one box of `size` bytes. */
static struct tensor_map one_box(uint32_t size)
{
    struct tensor_map m = tensor_map_default(TENSOR_U32, 1);

    m.dims[0] = size / 4;
    m.box[0] = size / 4;
    return m;
}

/* The store goes where the first map says, though the second has taken its place by then. */
static void replaced_after_store(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");
    const struct tensor_map map = one_box(size);
    const struct ck_buf in = ck_input(t, size + 16);
    const struct ck_buf first = ck_output(t, size), second = ck_output(t, size);
    const struct ck_buf place = ck_output(t, 128);
    struct bulk_map_args a = { .map = place.device, .in = in.device + (broken_by(t, "source") ? 16 : 0), .size = size };

    ck_no_digest(t); /* the map's bytes hold addresses */
    ck_encode(t, &map, first, &a.first);
    ck_encode(t, &map, second, &a.second);
    if (ck_launch(t,
                  &(struct ck_launch){
                      .kernel = "bulk_map_store", .block = { BLOCK }, .smem = size, .args = &a, .size = sizeof a }) !=
        CK_DONE)
        return;
    ck_equal_at(t, first, 0, in.host, size);
    ck_filled(t, second, 0, size, CK_POISON);
}

/* Whether the load came from the first map's tensor or the second's. */
static void replaced_after_load(struct ck *t)
{
    const uint32_t size = (uint32_t)ck_int(t, "size");
    const struct tensor_map map = one_box(size);
    const struct ck_buf first = ck_input(t, size), second = ck_input(t, size);
    const struct ck_buf place = ck_output(t, 128), out = ck_output(t, size);
    struct bulk_map_args a = { .map = place.device, .out = out.device, .size = size };

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

#define SOURCE                                                                                                         \
    {                                                                                                                  \
        "source", "store what lies 16 bytes further on", .set = "break=source"                                         \
    }

static const struct ck_case cases[] = {
    { CK_RULE(bulkgrp_read_source), .run = overwrite, .axes = { { "size", "16 256 1024 4096 16384 65536" } },
      .mutants = { SOURCE, { "early", "overwrite before the wait", .kernel = "early", .only = "size=65536" } } },
    { CK_RULE(bulkgrp_read_tensormap), .run = replaced_after_store, .axes = { { "size", "16 64 256 1024" } },
      .mutants = { SOURCE },
      .breaches = { { "early", "replace the map before the wait", .kernel = "early", .varies = true } } },
    { CK_RULE(bulkgrp_load_optional), .run = replaced_after_load, .axes = { { "size", "16 1024" } },
      .breaches = { { "early", "neither commit nor wait", .kernel = "early", .varies = true } },
      .no_mutant = "what happens is recorded, whatever it is" },
    { 0 }
};

const struct ck_suite bulk_group_source = { "bulk-group-source", cases };
