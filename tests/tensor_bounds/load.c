/* Tile loads over the edges of a tensor: what lies outside arrives as the map's fill. */
#include <stdio.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/ck.h"
#include "kernels/tile.h"

enum { IMAGE = 16384, BARRIER = 1024 };

static const char *const ranks_dims[] = { "", "37", "37x11", "37x11x5", "37x11x5x4", "37x11x5x4x3" };
static const char *const ranks_box[] = { "", "16", "16x4", "16x4x3", "16x4x3x2", "16x4x3x2x2" };

/* A small tensor of the axes' rank and type, none of whose sizes is a multiple of 16 bytes or of the box. */
static struct tensor_map small_map(struct ck *t)
{
    struct tensor_map map = tensor_map_default(TENSOR_U8, ck_int(t, "rank"));
    char words[200], error[200];
    uint64_t pitch;

    snprintf(words, sizeof words, "type=%s", ck_word(t, "type"));
    if (!tensor_map_set(&map, words, error, sizeof error))
        ck_skip(t, "%s", error);
    map = tensor_map_default(map.type, map.rank);
    snprintf(words, sizeof words, "dims=%s box=%s", ranks_dims[map.rank], ranks_box[map.rank]);
    if (!tensor_map_set(&map, words, error, sizeof error))
        ck_skip(t, "%s", error);
    pitch = (map.dims[0] * tensor_type_bytes(map.type, NULL) + 15) / 16 * 16 + 16; /* with padding between rows */
    for (int i = 0; i + 1 < map.rank; i++) {
        map.strides[i] = pitch;
        pitch *= map.dims[i + 1];
    }
    return map;
}

static size_t global_bytes(const struct tensor_map *map)
{
    return map->rank == 1 ? map->dims[0] * tensor_type_bytes(map->type, NULL)
                          : map->strides[map->rank - 2] * map->dims[map->rank - 1];
}

/* Puts the box over the axes' side of their dimension; elsewhere it stays inside. The first coordinate moves by whole
 * 16-byte steps, as tensor.tile.coord0.align16 asks. */
static void corner_over(struct ck *t, const struct tensor_map *map, int32_t corner[5])
{
    const int64_t dim = ck_int(t, "dim");
    const int32_t step = (int32_t)(16 / tensor_type_bytes(map->type, NULL));

    for (int i = 0; i < map->rank; i++) {
        const bool over = i == dim;
        corner[i] = i == 0 ? step : 1;
        if (over && ck_is(t, "side", "low"))
            corner[i] = i == 0 ? -step : -1;
        if (over && ck_is(t, "side", "high"))
            corner[i] = i == 0 ? (int32_t)(map->dims[0] / (uint64_t)step) * step : (int32_t)map->dims[i] - 1;
    }
}

static bool dim_in_rank(struct ck *t)
{
    return ck_int(t, "dim") < ck_int(t, "rank");
}

static void load_over_an_edge(struct ck *t)
{
    const struct tensor_map map = small_map(t);
    const struct ck_buf src = ck_input(t, global_bytes(&map));
    const struct ck_buf tile = ck_output(t, IMAGE);
    unsigned char *expected = ck_alloc(t, IMAGE);
    struct tile_load_args a = { .out = tile.device, .bytes = IMAGE, .rank = (uint32_t)map.rank };

    corner_over(t, &map, a.corner);
    a.expect = (uint32_t)tensor_tile_bytes(&map);
    memset(expected, CK_POISON, IMAGE);
    oracle_tile_load(&map, src.host, a.corner, expected, 0);

    if (ck_is(t, "start", "inside")) /* a mutant: the kernel is told another corner than the oracle */
        a.corner[ck_int(t, "dim")] = 0;
    ck_encode(t, &map, src, &a.map);
    ck_launch(t, &(struct ck_launch){
                     .kernel = "tile_load", .block = { 128 }, .smem = IMAGE + BARRIER, .args = &a, .size = sizeof a });
    ck_equal(t, tile, expected);
}

static const struct ck_case cases[] = {
    { CK_RULE(tensor_tile_oob_load_zero_fill),
      .run = load_over_an_edge,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "side", "high" },
                { "type", "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16" } },
      .valid = dim_in_rank,
      .mutants = { { "inside", "start the box inside the tensor", .set = "start=inside" },
                   { "no-wait", "read before the wait", .kernel = "no_wait" } } },
    { CK_RULE(tensor_tile_oob_load_negative),
      .run = load_over_an_edge,
      .axes = { { "rank", "1..5" },
                { "dim", "0..4" },
                { "side", "low" },
                { "type", "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16" } },
      .valid = dim_in_rank,
      .mutants = { { "inside", "start the box inside the tensor", .set = "start=inside" } } },
    { 0 }
};

const struct ck_suite tensor_bounds_load = { "tensor-bounds/load", cases };
