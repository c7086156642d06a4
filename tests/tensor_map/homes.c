/* Where a tensor map may live: parameter, constant and global memory, at any multiple of 64; not in shared memory. */
#include <string.h>

#include "tests/tensor_map/map.h"

/* A copy goes by a map that is a kernel parameter, whether the map is prefetched first or not. */
static void from_parameter(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);

    m.a.prefetch = ck_is(t, "prefetch", "yes");
    maps_launch(t, &m, "tmap_param", 1);
    ck_equal(t, m.images, maps_loaded(t, &m, 0));
}

/* A map in the parameters may lie at any multiple of 64: of two places that are 64 bytes apart mod 128, one is at 64
 * mod 128. */
static void place_in_parameters(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    struct box b = box_to_load(t, &map);
    const unsigned char *const expected = box_loaded(t, &b);
    const struct ck_buf address = ck_zeroed(t, 8);
    struct tmap_place_args a = { .out = b.image.device,
                                 .address = address.device,
                                 .bytes = b.image_bytes,
                                 .offset = b.offset,
                                 .expect = (uint32_t)tensor_tile_bytes(&map),
                                 .rank = (uint32_t)map.rank,
                                 .use_second = ck_is(t, "place", "second") };
    uint64_t at;

    if (ck_variant(t, "step"))
        box_move_on(&b);
    memcpy(a.corner, b.corner, sizeof a.corner);
    ck_encode(t, &map, b.tensor, &a.first);
    a.second = a.first;
    ck_no_digest(t); /* the address is the driver's choice */
    ck_launch(t,
              &(struct ck_launch){
                  .kernel = "tmap_place", .block = { 128 }, .smem = b.image_bytes + 16, .args = &a, .size = sizeof a });
    ck_equal(t, b.image, expected);
    memcpy(&at, address.host, sizeof at);
    ck_expect(t, "address of the map mod 64", at % 64, 0);
    ck_note(t, "the map was at %u mod 128", (unsigned)(at % 128));
}

/* A copy goes by a map that the host wrote to global memory; each block acquires it first. */
static void from_global(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), blocks);
    uint32_t at = (uint32_t)ck_int(t, "at");

    if (ck_variant(t, "32"))
        at += 32;
    if (ck_variant(t, "16"))
        at += 16;
    if (ck_variant(t, "8"))
        at += 8;
    maps_put(t, &m, ck_variant(t, "other-map") ? &m.a.other : &m.a.map, at);
    m.a.prefetch = ck_is(t, "prefetch", "yes");
    maps_judge(t, &m, 0, maps_launch(t, &m, "tmap_global", blocks));
}

/* A copy goes by a map in constant memory, which the launch writes into a symbol of the kernel's module. */
static void from_constant(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);
    unsigned char bytes[TMAP_CONSTANT_BYTES] = { 0 };

    m.a.at = (uint32_t)ck_int(t, "at");
    m.a.prefetch = ck_is(t, "prefetch", "yes");
    memcpy(bytes + m.a.at, ck_variant(t, "other-map") ? &m.a.other : &m.a.map, TENSOR_MAP_BYTES);
    ck_launch(t, &(struct ck_launch){ .kernel = "tmap_const",
                                      .block = { 128 },
                                      .smem = m.b.image_bytes + 16,
                                      .args = &m.a,
                                      .size = sizeof m.a,
                                      .constant = "constant_maps",
                                      .constant_bytes = bytes,
                                      .constant_size = sizeof bytes });
    ck_equal(t, m.images, maps_loaded(t, &m, 0));
}

/* A map is its 128 bytes: a copy of a parameter's bytes that the device makes in global memory is a map there. */
static void device_copy(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);

    m.a.home += (uint64_t)ck_int(t, "at");
    m.a.copy = TENSOR_MAP_BYTES;
    if (ck_variant(t, "two-words"))
        m.a.copy = 16;
    if (ck_variant(t, "half"))
        m.a.copy = 64;
    if (ck_variant(t, "32"))
        m.a.home += 32;
    maps_judge(t, &m, 0, maps_launch(t, &m, "tmap_copy", 1));
}

/* A map may be kept in shared memory while copies go by the parameter; the breach uses the copy in shared memory. */
static void from_shared(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);

    maps_judge(t, &m, 0, maps_launch(t, &m, "tmap_shared", 1));
}

/* A copy goes by the parameter itself; the breach copies the parameter to local memory first, and uses that. */
static void from_local(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);

    maps_judge(t, &m, 0, maps_launch(t, &m, "tmap_local", 1));
}

/* What loads, stores and additions of all blocks leave: the first third of the rows is copied to the second and added
 * to the last. Sizes are in bytes. */
static void copy_and_add(unsigned char *bytes, size_t third)
{
    memcpy(bytes + third, bytes, third);
    for (size_t i = 0; i < third; i += 4) {
        uint32_t x, y;
        memcpy(&x, bytes + i, 4);
        memcpy(&y, bytes + 2 * third + i, 4);
        y += x;
        memcpy(bytes + 2 * third + i, &y, 4);
    }
}

/* Many blocks load, store and reduce through one map at once, and each copy does what it does alone. */
static void one_map_for_all(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks"), rows = 4, row = 128;
    struct tensor_map map = tensor_map_default(TENSOR_U32, 2);
    struct tmap_reuse_args a = { .rows = rows, .bytes = rows * row, .skip = ck_variant(t, "skip") };
    struct ck_buf tensor;
    unsigned char *expected;

    map.dims[0] = row / 4;
    map.dims[1] = 3 * (uint64_t)blocks * rows + 1;
    map.box[0] = row / 4;
    map.box[1] = rows;
    box_pack(&map, 0);
    tensor = ck_output(t, box_extent(&map));
    expected = ck_alloc(t, tensor.size);
    for (size_t i = 0; i < tensor.size; i++)
        tensor.host[i] = (unsigned char)(ck_random(t) >> 32);
    memcpy(expected, tensor.host, tensor.size);
    copy_and_add(expected, (size_t)blocks * rows * row);
    ck_encode(t, &map, tensor, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "tmap_reuse",
                                      .grid = { blocks },
                                      .block = { 32 },
                                      .smem = a.bytes + 16,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, tensor, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(tmap_space_param), .run = from_parameter, .axes = { { "rank", "1..5" }, { "prefetch", "no" } },
      .mutants = { { "step", "start one step further" } } },
    { CK_RULE(tmap_space_const), .run = from_constant,
      .axes = { { "rank", "1..5" }, { "at", "0 64 128" }, { "prefetch", "no yes" } },
      .mutants = { { "other-map", "put the map of another tensor there" } } },
    { CK_RULE(tmap_space_global), .run = from_global,
      .axes = { { "rank", "1..5" }, { "blocks", "1 2 64" }, { "at", "0" }, { "prefetch", "no" } },
      .mutants = { { "other-map", "put the map of another tensor there" } },
      .breaches = { { "no-fence", "use it without an acquire", .kernel = "no_fence", .only = "rank=2",
                      .varies = true } } },
    { CK_RULE(tmap_size), .run = device_copy, .axes = { { "rank", "1..5" }, { "at", "0" } },
      .mutants = { { "two-words", "copy two of the sixteen quadwords", .faults = true } },
      .breaches = { { "half", "copy the first half of the map, before zeros" } } },
    { CK_RULE(tmap_align), .run = from_global,
      .axes = { { "rank", "2" }, { "blocks", "1" }, { "at", "0 64 128 192 256 320" }, { "prefetch", "no" } },
      .mutants = { { "other-map", "put the map of another tensor there" } },
      .breaches = { { "32", "put it at 32 mod 64", .only = "at=0", .faults = true },
                    { "16", "put it at 16 mod 64", .only = "at=0", .faults = true },
                    { "8", "put it at 8 mod 64", .only = "at=0", .faults = true } } },
    { CK_RULE(tmap_align), .name = "device-copy", .run = device_copy,
      .axes = { { "rank", "2" }, { "at", "0 64 128 192" } }, .mutants = { { "step", "start one step further" } },
      .breaches = { { "32", "put it at 32 mod 64", .only = "at=0", .faults = true } } },
    { CK_RULE(tmap_align), .name = "param", .run = place_in_parameters,
      .axes = { { "rank", "1..5" }, { "place", "first second" } },
      .mutants = { { "step", "start one step further" } } },
    { CK_RULE(tmap_space_shared), .run = from_shared, .axes = { { "rank", "1..5" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "use", "use the copy in shared memory", .kernel = "use", .only = "rank=1/2", .faults = true } } },
    { CK_RULE(tmap_space_local), .run = from_local, .axes = { { "rank", "1 2" } },
      .mutants = { { "step", "start one step further" } },
      .breaches = { { "local", "use a copy in local memory", .kernel = "local", .only = "rank=2", .faults = true } } },
    { CK_RULE(tmap_prefetch_no_effect), .run = from_parameter, .axes = { { "rank", "1..5" }, { "prefetch", "no yes" } },
      .mutants = { { "step", "start one step further" } } },
    { CK_RULE(tmap_prefetch_no_effect), .name = "global", .run = from_global,
      .axes = { { "rank", "1..5" }, { "blocks", "1 64" }, { "at", "0 64" }, { "prefetch", "no yes" } },
      .mutants = { { "other-map", "put the map of another tensor there" } } },
    { CK_RULE(tmap_reuse), .run = one_map_for_all, .axes = { { "blocks", "1 2 8 64 256" } },
      .mutants = { { "skip", "load one row further down" } } },
    { 0 }
};

const struct ck_suite tensor_map_homes = { "tensor-map/homes", cases };
// SPDX-License-Identifier: Apache-2.0
