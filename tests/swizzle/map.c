/* What the swizzle cases share. */
#include "tests/swizzle/map.h"

#include <stdio.h>

#include "kernels/tile.h"

static void set(struct ck *t, struct tensor_map *map, const char *name, const char *value)
{
    char words[80], error[200];

    snprintf(words, sizeof words, "%s=%s", name, value);
    if (!tensor_map_set(map, words, error, sizeof error))
        ck_skip(t, "%s", error);
}

struct tensor_map swizzled_map(struct ck *t)
{
    static const uint32_t rows[TENSOR_RANK_MAX + 1][TENSOR_RANK_MAX] = {
        [1] = { 1 }, [2] = { 1, 19 }, [3] = { 1, 5, 3 }, [4] = { 1, 5, 3, 2 }, [5] = { 1, 3, 3, 2, 2 },
    };
    struct tensor_map map = { 0 };
    uint64_t stride;
    size_t size;

    set(t, &map, "type", ck_word(t, "type"));
    map = tensor_map_default(map.type, ck_int(t, "rank"));
    set(t, &map, "swizzle", ck_word(t, "mode"));
    size = tensor_type_bytes(map.type, NULL);
    map.box[0] = (uint32_t)((tensor_swizzle_span(map.swizzle) ? tensor_swizzle_span(map.swizzle) : 128) / size);
    map.dims[0] = 3 * map.box[0];
    stride = map.dims[0] * size + 16;
    for (int i = 1; i < map.rank; i++) {
        map.box[i] = rows[map.rank][i];
        map.dims[i] = map.box[i] + 2;
        map.strides[i - 1] = stride;
        stride *= map.dims[i];
    }
    return map;
}

size_t swizzled_bytes(const struct tensor_map *map)
{
    if (map->rank == 1)
        return map->dims[0] * tensor_type_bytes(map->type, NULL);
    return map->strides[map->rank - 2] * map->dims[map->rank - 1];
}

void swizzled_corner(const struct tensor_map *map, int32_t corner[TENSOR_RANK_MAX])
{
    for (int i = 0; i < map->rank; i++)
        corner[i] = i == 0 ? (int32_t)map->box[0] : 1;
}

uint32_t swizzled_offset(struct ck *t)
{
    return ck_int(t, "rank") == 1 ? 896 : 0; /* a single row on the pattern's first line would not move */
}

void swizzled_load(struct ck *t, const struct tensor_map *map, struct ck_buf src, struct ck_buf image,
                   const int32_t corner[TENSOR_RANK_MAX], uint32_t offset)
{
    struct tile_load_args a = { .out = image.device,
                                .bytes = IMAGE,
                                .offset = offset,
                                .expect = (uint32_t)tensor_tile_bytes(map),
                                .rank = (uint32_t)map->rank };

    for (int i = 0; i < map->rank; i++)
        a.corner[i] = corner[i];
    ck_encode(t, map, src, &a.map);
    ck_launch(t, &(struct ck_launch){
                     .kernel = "tile_load", .block = { 128 }, .smem = IMAGE + BARRIER, .args = &a, .size = sizeof a });
}

void swizzled_store(struct ck *t, const struct tensor_map *map, struct ck_buf dst, struct ck_buf in,
                    const int32_t corner[TENSOR_RANK_MAX], uint32_t offset)
{
    struct tile_store_args a = { .in = in.device, .bytes = IMAGE, .offset = offset, .rank = (uint32_t)map->rank };

    for (int i = 0; i < map->rank; i++)
        a.corner[i] = corner[i];
    ck_encode(t, map, dst, &a.map);
    ck_launch(t, &(struct ck_launch){
                     .kernel = "tile_store", .block = { 128 }, .smem = IMAGE + BARRIER, .args = &a, .size = sizeof a });
}
// SPDX-License-Identifier: Apache-2.0
