/* A batch of images, a column of pixels in it, and what a copy of it leaves. */
#include "tests/im2col/column.h"

#include <string.h>

enum { CHANNEL_BYTES = 64 };

void column_pack(struct tensor_map *map)
{
    map->strides[0] = (map->dims[0] * tensor_type_bytes(map->type, NULL) + 15) / 16 * 16;
    for (int i = 1; i + 1 < map->rank; i++)
        map->strides[i] = map->strides[i - 1] * map->dims[i];
}

struct column column_make(int64_t type, int rank)
{
    static const uint64_t space[] = { 7, 6, 5 };
    struct column c = { .map = tensor_map_default(type, rank) };
    struct tensor_map *const map = &c.map;
    const size_t size = tensor_type_bytes(type, NULL);

    map->mode = TENSOR_MODE_IM2COL;
    map->dims[0] = CHANNEL_BYTES / size;
    map->channels = (uint32_t)(map->dims[0] / 2);
    map->pixels = 40;
    for (int i = 1; i + 1 < rank && i <= 3; i++)
        map->dims[i] = space[i - 1];
    map->dims[rank - 1] = 3;
    column_pack(map);
    c.corner[1] = 1;
    return c;
}

int32_t column_last(const struct tensor_map *map, int dim)
{
    const int32_t step = (int32_t)map->element_strides[dim], first = map->lower[dim - 1];
    const int32_t end = (int32_t)map->dims[dim] - 1 + map->upper[dim - 1];

    return first + (end - first) / step * step;
}

size_t column_extent(const struct tensor_map *map, uint64_t images)
{
    return map->strides[map->rank - 2] * images;
}

size_t column_image(const struct tensor_map *map)
{
    return COLUMN_OFFSET + tensor_tile_span(map) + COLUMN_GUARD;
}

struct im2col_args column_args(struct ck *t, const struct column *c, struct ck_buf tensor, struct ck_buf image)
{
    struct im2col_args a = { .image = image.device,
                             .bytes = (uint32_t)image.size,
                             .offset = COLUMN_OFFSET,
                             .expect = (uint32_t)tensor_tile_bytes(&c->map),
                             .rank = (uint32_t)c->map.rank };

    memcpy(a.corner, c->corner, sizeof a.corner);
    for (int i = 0; i < TENSOR_SPACE_MAX; i++)
        a.offsets[i] = (uint16_t)c->corner[TENSOR_RANK_MAX + i];
    ck_encode(t, &c->map, tensor, &a.map);
    return a;
}

void column_launch(struct ck *t, const char *kernel, const struct im2col_args *a)
{
    ck_launch(t, &(struct ck_launch){
                     .kernel = kernel, .block = { 128 }, .smem = a->bytes + 16, .args = a, .size = sizeof *a });
}

void column_load(struct ck *t, const struct column *right, const struct column *given)
{
    const uint64_t images = right->map.dims[right->map.rank - 1];
    const struct ck_buf tensor = ck_input(t, column_extent(&right->map, images + 2));
    const struct ck_buf image = ck_output(t, column_image(&right->map));
    unsigned char *want = ck_alloc(t, image.size);
    struct im2col_args a;

    memset(want, CK_POISON, image.size);
    oracle_tile_load(&right->map, tensor.host, right->corner, want, COLUMN_OFFSET);
    a = column_args(t, given, tensor, image);
    if (ck_variant(t, "expect"))
        a.expect += 16;
    column_launch(t, "im2col_load", &a);
    ck_equal(t, image, want);
}

void column_store(struct ck *t, const struct column *right, const struct column *given)
{
    const uint64_t images = right->map.dims[right->map.rank - 1];
    const struct ck_buf tensor = ck_output(t, column_extent(&right->map, images + 2));
    const struct ck_buf image = ck_input(t, column_image(&right->map));
    unsigned char *want = ck_alloc(t, tensor.size);
    struct im2col_args a;

    memset(want, CK_POISON, tensor.size);
    oracle_tile_store(&right->map, want, right->corner, image.host, COLUMN_OFFSET);
    a = column_args(t, given, tensor, image);
    column_launch(t, "im2col_store", &a);
    ck_equal(t, tensor, want);
}

bool column_dim_in_rank(struct ck *t)
{
    return ck_int(t, "dim") <= ck_int(t, "rank") - 2;
}
// SPDX-License-Identifier: Apache-2.0
