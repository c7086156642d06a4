/* A map that has changed is acquired before it is used again. What happens without that is recorded: machines differ
 * from run to run. */
#include "tests/tensor_map/map.h"

/* A thread uses a map, edits it, releases and acquires it and uses it again: the second copy goes by the edited map. */
static void edit(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 2);

    m.a.acquire = ck_is(t, "scope", "sys") ? TMAP_SYS : ck_is(t, "scope", "cluster") ? TMAP_CLUSTER : TMAP_GPU;
    maps_judge(t, &m, 2, maps_launch(t, &m, "tmap_edit", 1));
}

/* The host changes the map between two launches: a kernel that acquires it at .sys scope copies by the new one. */
static void host_edits(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);

    maps_put(t, &m, &m.a.map, 0);
    if (maps_launch(t, &m, "tmap_global", 1) != CK_DONE)
        return;
    if (ck_conforming(t))
        ck_equal(t, m.images, maps_loaded(t, &m, 0));
    maps_put(t, &m, ck_variant(t, "same-map") ? &m.a.map : &m.a.other, 0);
    maps_judge(t, &m, 1, maps_launch(t, &m, "tmap_global", 1));
}

/* One acquire is enough for many copies through a map that nobody edits. */
static void many_loads(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);

    m.a.loads = (uint32_t)ck_int(t, "loads");
    maps_put(t, &m, &m.a.map, 0);
    maps_launch(t, &m, "tmap_many", 1);
    ck_equal(t, m.images, maps_loaded(t, &m, 0));
}

/* One block edits a map, and each block that acquires it copies by the edited one; in each, another thread than the one
 * that acquired issues the copy. */
static void blocks(struct ck *t)
{
    const uint32_t count = (uint32_t)ck_int(t, "blocks");
    struct maps m = maps_make(t, 2, count);
    const struct ck_buf flags = ck_zeroed(t, 64);

    m.a.flags = flags.device;
    m.a.acquire = ck_is(t, "scope", "sys") ? TMAP_SYS : TMAP_GPU;
    maps_put(t, &m, &m.a.map, 0);
    maps_judge(t, &m, UINT64_MAX, maps_launch(t, &m, "tmap_blocks", count));
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_proxy_map), .run = edit, .axes = { { "rank", "1..5" }, { "scope", "gpu" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "no-fence", "leave out release and acquire", .kernel = "no_fence", .varies = true } } },
    { CK_RULE(tensor_map_stable), .run = edit, .axes = { { "rank", "1..5" }, { "scope", "gpu" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "early-edit", "edit the map before the copy has completed", .kernel = "early_edit",
                      .varies = true } } },
    { CK_RULE(tmap_host_acquire_sys), .run = host_edits, .axes = { { "rank", "1..5" } },
      .mutants = { { "same-map", "write the same map again" } },
      .breaches = { { "no-fence", "leave out the acquire", .kernel = "no_fence", .varies = true } } },
    { CK_RULE(tmap_acquire_once), .run = many_loads, .axes = { { "rank", "1..5" }, { "loads", "2 100" } },
      .mutants = { { "edit-between", "edit the map half way", .kernel = "edit_between" } } },
    { CK_RULE(tmap_acquire_per_block), .run = blocks, .axes = { { "blocks", "2 16 64" }, { "scope", "gpu" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "one-block", "acquire in the first block only", .kernel = "one_block", .varies = true } } },
    { CK_RULE(tmap_acquire_scope), .run = blocks, .axes = { { "blocks", "2 16 64" }, { "scope", "gpu sys" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "cta-scope", "acquire at cta scope", .kernel = "cta_scope", .varies = true } } },
    { CK_RULE(tmap_acquire_scope), .name = "one-thread", .run = edit,
      .axes = { { "rank", "2" }, { "scope", "cluster gpu sys" } }, .mutants = { { "step", "start one step further" } },
      .breaches = { { "cta-scope", "release and acquire at cta scope", .kernel = "cta_scope", .varies = true } } },
    { CK_RULE(tmap_prefetch_no_effect), .name = "no-fence", .run = edit,
      .axes = { { "rank", "1..5" }, { "scope", "gpu" } }, .mutants = { { "step", "start one step further" } },
      .breaches = { { "prefetch-only", "prefetch the edited map in place of the fences", .kernel = "prefetch_only",
                      .varies = true } } },
    { 0 }
};

const struct ck_suite tensor_map_acquire = { "tensor-map/acquire", cases };
// SPDX-License-Identifier: Apache-2.0
