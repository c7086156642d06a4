/* Where a tensor map may live: parameter, constant and global memory, at any multiple of 64; not in shared memory. */
#include <string.h>

#include "tests/tensor_map/map.h"

static void from_parameter(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);

    m.a.home = 0;
    m.a.prefetch = ck_is(t, "prefetch", "yes");
    maps_launch(t, &m, "tmap_use", 1);
    ck_equal(t, m.images, maps_loaded(t, &m, 0));
}

/* Two places in the parameters, 64 bytes apart mod 128: one of them is at 64 mod 128. */
static void place_in_parameters(struct ck *t)
{
    const struct tensor_map map = box_map(TENSOR_U16, (int)ck_int(t, "rank"));
    const struct box b = box_to_load(t, &map);
    const struct box_told told = box_told(t, &b);
    const struct ck_buf address = ck_zeroed(t, 8);
    struct tmap_place_args a = { .out = b.image.device,
                                 .address = address.device,
                                 .bytes = b.image_bytes,
                                 .offset = b.offset,
                                 .expect = (uint32_t)tensor_tile_bytes(&map),
                                 .rank = (uint32_t)map.rank,
                                 .use_second = ck_is(t, "place", "second") };
    uint64_t at;

    memcpy(a.corner, told.corner, sizeof a.corner);
    ck_encode(t, &told.map, b.tensor, &a.first);
    a.second = a.first;
    ck_no_digest(t); /* the address is the driver's choice */
    ck_launch(t,
              &(struct ck_launch){
                  .kernel = "tmap_place", .block = { 128 }, .smem = b.image_bytes + 16, .args = &a, .size = sizeof a });
    ck_equal(t, b.image, box_loaded(t, &b));
    memcpy(&at, address.host, sizeof at);
    ck_expect(t, "address of the map mod 64", at % 64, 0);
    ck_note(t, "the map was at %u mod 128", (unsigned)(at % 128));
}

/* The host wrote the map; each block acquires it. */
static void from_global(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks");
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), blocks);
    enum ck_end end;

    maps_put(t, &m, ck_is(t, "map", "other") ? &m.a.other : &m.a.map, (uint32_t)ck_int(t, "at"));
    m.a.acquire = TMAP_SYS;
    m.a.prefetch = ck_is(t, "prefetch", "yes");
    end = maps_launch(t, &m, "tmap_use", blocks);
    if (ck_conforming(t))
        ck_equal(t, m.images, maps_loaded(t, &m, 0));
    else if (end == CK_DONE)
        maps_see(t, &m);
}

/* The launch writes the map into a symbol of the kernel's module. */
static void from_constant(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);
    unsigned char bytes[320] = { 0 };

    m.a.at = (uint32_t)ck_int(t, "at");
    m.a.prefetch = ck_is(t, "prefetch", "yes");
    memcpy(bytes + m.a.at, ck_is(t, "map", "other") ? &m.a.other : &m.a.map, TENSOR_MAP_BYTES);
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

/* The device copies the bytes of a parameter to global memory and uses them there. */
static void device_copy(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);
    enum ck_end end;

    m.a.home += (uint64_t)ck_int(t, "at");
    m.a.copy = (uint32_t)ck_int(t, "bytes");
    end = maps_launch(t, &m, "tmap_copy", 1);
    if (ck_conforming(t))
        ck_equal(t, m.images, maps_loaded(t, &m, 0));
    else if (end == CK_DONE)
        maps_see(t, &m);
}

/* The breach uses the copy in shared memory. */
static void from_shared(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);
    const enum ck_end end = maps_launch(t, &m, "tmap_shared", 1);

    if (ck_conforming(t))
        ck_equal(t, m.images, maps_loaded(t, &m, 0));
    else if (end == CK_DONE)
        maps_see(t, &m);
}

/* The parameter is used; a breach copies it to local memory first. */
static void from_local(struct ck *t)
{
    struct maps m = maps_make(t, (int)ck_int(t, "rank"), 1);
    enum ck_end end;

    m.a.home = 0;
    end = maps_launch(t, &m, "tmap_local", 1);
    if (ck_conforming(t))
        ck_equal(t, m.images, maps_loaded(t, &m, 0));
    else if (end == CK_DONE)
        maps_see(t, &m);
}

/* Many blocks load, store and reduce through one map at once. */
static void one_map_for_all(struct ck *t)
{
    const uint32_t blocks = (uint32_t)ck_int(t, "blocks"), rows = 4, row = 128;
    struct tensor_map map = tensor_map_default(TENSOR_U32, 2);
    struct tmap_reuse_args a = { .rows = rows, .bytes = rows * row, .skip = ck_is(t, "twist", "skip") };
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
    memcpy(expected + (size_t)blocks * rows * row, expected, (size_t)blocks * rows * row);
    for (size_t i = 0; i < (size_t)blocks * rows * row; i += 4) {
        uint32_t x, y;
        memcpy(&x, expected + i, 4);
        memcpy(&y, expected + 2 * (size_t)blocks * rows * row + i, 4);
        y += x;
        memcpy(expected + 2 * (size_t)blocks * rows * row + i, &y, 4);
    }
    ck_encode(t, &map, tensor, &a.map);
    ck_launch(t, &(struct ck_launch){ .kernel = "tmap_reuse",
                                      .grid = { blocks },
                                      .block = { 32 },
                                      .smem = a.bytes + 16,
                                      .args = &a,
                                      .size = sizeof a });
    ck_equal(t, tensor, expected);
}

#define STEP                                                                                                           \
    {                                                                                                                  \
        "step", "start one step further", .set = "twist=step"                                                          \
    }
#define OTHER                                                                                                          \
    {                                                                                                                  \
        "other-map", "put the map of another tensor there", .set = "map=other"                                         \
    }

static const struct ck_case cases[] = {
    { CK_RULE(tmap_space_param), .run = from_parameter, .axes = { { "rank", "1..5" }, { "prefetch", "no" } },
      .mutants = { STEP } },
    { CK_RULE(tmap_space_const), .run = from_constant,
      .axes = { { "rank", "1..5" }, { "at", "0 64 128" }, { "prefetch", "no yes" } }, .mutants = { OTHER } },
    { CK_RULE(tmap_space_global), .run = from_global,
      .axes = { { "rank", "1..5" }, { "blocks", "1 2 64" }, { "at", "0" }, { "prefetch", "no" } }, .mutants = { OTHER },
      .breaches = { { "no-fence", "use it without an acquire", .kernel = "no_fence", .only = "rank=2",
                      .varies = true } } },
    { CK_RULE(tmap_size), .run = device_copy, .axes = { { "rank", "1..5" }, { "at", "0" }, { "bytes", "128" } },
      .mutants = { { "two-words", "copy two of the sixteen quadwords", .set = "bytes=16", .faults = true } },
      .breaches = { { "half", "copy the first half of the map, before zeros", .set = "bytes=64" } } },
    { CK_RULE(tmap_align), .run = from_global,
      .axes = { { "rank", "2" }, { "blocks", "1" }, { "at", "0 64 128 192 256 320" }, { "prefetch", "no" } },
      .mutants = { OTHER },
      .breaches = { { "32", "put it at 32 mod 64", .set = "at=32", .only = "at=0", .faults = true },
                    { "16", "put it at 16 mod 64", .set = "at=16", .only = "at=0", .faults = true },
                    { "8", "put it at 8 mod 64", .set = "at=8", .only = "at=0", .faults = true } } },
    { CK_RULE(tmap_align), .name = "device-copy", .run = device_copy,
      .axes = { { "rank", "2" }, { "at", "0 64 128 192" }, { "bytes", "128" } }, .mutants = { STEP },
      .breaches = { { "32", "put it at 32 mod 64", .set = "at=32", .only = "at=0", .faults = true } } },
    { CK_RULE(tmap_align), .name = "param", .run = place_in_parameters,
      .axes = { { "rank", "1..5" }, { "place", "first second" } }, .mutants = { STEP } },
    { CK_RULE(tmap_space_shared), .run = from_shared, .axes = { { "rank", "1..5" } }, .mutants = { STEP },
      .breaches = { { "use", "use the copy in shared memory", .kernel = "use", .only = "rank=1/2", .faults = true } } },
    { CK_RULE(tmap_space_local), .run = from_local, .axes = { { "rank", "1 2" } }, .mutants = { STEP },
      .breaches = { { "local", "use a copy in local memory", .kernel = "local", .only = "rank=2", .faults = true } } },
    { CK_RULE(tmap_prefetch_no_effect), .run = from_parameter, .axes = { { "rank", "1..5" }, { "prefetch", "no yes" } },
      .mutants = { STEP } },
    { CK_RULE(tmap_prefetch_no_effect), .name = "global", .run = from_global,
      .axes = { { "rank", "1..5" }, { "blocks", "1 64" }, { "at", "0 64" }, { "prefetch", "no yes" } },
      .mutants = { OTHER } },
    { CK_RULE(tmap_reuse), .run = one_map_for_all, .axes = { { "blocks", "1 2 8 64 256" } },
      .mutants = { { "skip", "load one row further down", .set = "twist=skip" } } },
    { 0 }
};

const struct ck_suite tensor_map_homes = { "tensor-map/homes", cases };
