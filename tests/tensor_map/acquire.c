/* A map that has changed is acquired before it is used again. What happens without that is recorded: machines differ
 * from run to run. */
#include <string.h>

#include "tests/tensor_map/map.h"

/* Uses a map, edits it, uses it again: image 0 shows the map before, image 1 after. */
static void edit(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 2);
    enum ck_end end;

    m.a.acquire = ck_is(t, "scope", "sys") ? TMAP_SYS : ck_is(t, "scope", "cluster") ? TMAP_CLUSTER : TMAP_GPU;
    end = maps_launch(t, &m, "tmap_edit", 1);
    if (ck_conforming(t))
        ck_equal(t, m.images, maps_loaded(t, &m, 2));
    else if (end == CK_DONE)
        maps_see(t, &m);
}

/* The host changes the map between two launches. */
static void host_edits(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);
    enum ck_end end;

    m.a.acquire = TMAP_SYS;
    maps_put(t, &m, &m.a.map, 0);
    if (maps_launch(t, &m, "tmap_use", 1) != CK_DONE)
        return;
    if (ck_conforming(t))
        ck_equal(t, m.images, maps_loaded(t, &m, 0));
    maps_put(t, &m, ck_is(t, "map", "other") ? &m.a.map : &m.a.other, 0);
    end = maps_launch(t, &m, "tmap_use", 1);
    if (ck_conforming(t))
        ck_equal(t, m.images, maps_loaded(t, &m, 1));
    else if (end == CK_DONE)
        maps_see(t, &m);
}

/* One acquire, many copies. The mutant edits the map half way. */
static void many_loads(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);

    m.a.loads = (uint32_t)ck_int(t, "loads");
    m.a.acquire = TMAP_SYS;
    maps_put(t, &m, &m.a.map, 0);
    maps_launch(t, &m, "tmap_use", 1);
    ck_equal(t, m.images, maps_loaded(t, &m, 0));
}

/* One block edits, all acquire; in each, another thread than the one that acquired issues the copy. */
static void blocks(struct ck *t)
{
    const uint32_t count = (uint32_t)ck_int(t, "blocks");
    struct maps m = maps_make(t, 2, count);
    const struct ck_buf flags = ck_zeroed(t, 64);
    enum ck_end end;

    m.a.flags = flags.device;
    m.a.acquire = ck_is(t, "scope", "sys") ? TMAP_SYS : TMAP_GPU;
    maps_put(t, &m, &m.a.map, 0);
    end = maps_launch(t, &m, "tmap_blocks", count);
    if (ck_conforming(t))
        ck_equal(t, m.images, maps_loaded(t, &m, UINT64_MAX));
    else if (end == CK_DONE)
        maps_see(t, &m);
}

#define STEP                                                                                                           \
    {                                                                                                                  \
        "step", "start one step further", .set = "twist=step"                                                          \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tensor_proxy_map), .run = edit, .axes = { { "rank", "1..5" }, { "scope", "gpu" } }, .mutants = { STEP },
      .breaches = { { "no-fence", "leave out release and acquire", .kernel = "no_fence", .varies = true } } },
    { CK_RULE(tensor_map_stable), .run = edit, .axes = { { "rank", "1..5" }, { "scope", "gpu" } }, .mutants = { STEP },
      .breaches = { { "early-edit", "edit the map before the copy has completed", .kernel = "early_edit",
                      .varies = true } } },
    { CK_RULE(tmap_host_acquire_sys), .run = host_edits, .axes = { { "rank", "1..5" } },
      .mutants = { { "same-map", "write the same map again", .set = "map=other" } },
      .breaches = { { "no-fence", "leave out the acquire", .kernel = "no_fence", .varies = true } } },
    { CK_RULE(tmap_acquire_once), .run = many_loads, .axes = { { "rank", "1..5" }, { "loads", "2 100" } },
      .mutants = { { "edit-between", "edit the map half way", .kernel = "edit_between" } } },
    { CK_RULE(tmap_acquire_per_block), .run = blocks, .axes = { { "blocks", "2 16 64" }, { "scope", "gpu" } },
      .mutants = { STEP },
      .breaches = { { "one-block", "acquire in the first block only", .kernel = "one_block", .varies = true } } },
    { CK_RULE(tmap_acquire_scope), .run = blocks, .axes = { { "blocks", "2 16 64" }, { "scope", "gpu sys" } },
      .mutants = { STEP },
      .breaches = { { "cta-scope", "acquire at cta scope", .kernel = "cta_scope", .varies = true } } },
    { CK_RULE(tmap_acquire_scope), .name = "one-thread", .run = edit,
      .axes = { { "rank", "2" }, { "scope", "cluster gpu sys" } }, .mutants = { STEP },
      .breaches = { { "cta-scope", "release and acquire at cta scope", .kernel = "cta_scope", .varies = true } } },
    { CK_RULE(tmap_prefetch_no_effect), .name = "no-fence", .run = edit,
      .axes = { { "rank", "1..5" }, { "scope", "gpu" } }, .mutants = { STEP },
      .breaches = { { "prefetch-only", "prefetch the edited map in place of the fences", .kernel = "prefetch_only",
                      .varies = true } } },
    { 0 }
};

const struct ck_suite tensor_map_acquire = { "tensor-map/acquire", cases };
