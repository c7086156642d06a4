/* A small tensor, a box in it, and what copies of the box leave. */
#include "tests/tensor/box.h"

#include <string.h>

int64_t box_type(struct ck *t)
{
    int64_t type = 0;

    while (type < TENSOR_TYPE_COUNT && !ck_is(t, "type", tensor_type_name(type)))
        type++;
    return type;
}

uint64_t box_step(const struct tensor_map *map)
{
    return 16 / tensor_type_bytes(map->type, NULL);
}

void box_pack(struct tensor_map *map, size_t extra)
{
    uint64_t pitch = (map->dims[0] * tensor_type_bytes(map->type, NULL) + 15) / 16 * 16 + extra;

    for (int i = 0; i + 1 < map->rank; i++) {
        map->strides[i] = pitch;
        pitch *= map->dims[i + 1];
    }
}

struct tensor_map box_map(int64_t type, int rank)
{
    static const uint32_t dims[] = { 64, 7, 6, 5, 4 }, box[] = { 32, 3, 2, 2, 2 };
    struct tensor_map map = tensor_map_default(type, rank);

    for (int i = 0; i < rank; i++) {
        map.dims[i] = dims[i];
        map.box[i] = box[i];
    }
    map.dims[0] /= tensor_type_bytes(type, NULL);
    map.box[0] /= (uint32_t)tensor_type_bytes(type, NULL);
    box_pack(&map, 0);
    return map;
}

size_t box_extent(const struct tensor_map *map)
{
    size_t bytes = map->dims[0] * tensor_type_bytes(map->type, NULL);

    for (int i = 1; i < map->rank; i++)
        bytes += (map->dims[i] - 1) * map->strides[i - 1];
    return map->address + bytes;
}

bool box_dim_in_rank(struct ck *t)
{
    return ck_int(t, "dim") < ck_int(t, "rank");
}

void box_inside(const struct tensor_map *map, int32_t corner[5])
{
    memset(corner, 0, 5 * sizeof *corner);
    corner[0] = (int32_t)box_step(map);
    for (int i = 1; i < map->rank; i++)
        corner[i] = 1;
}

void box_over(const struct tensor_map *map, int32_t corner[5], int dim, const char *side)
{
    const int32_t size = (int32_t)map->dims[dim], box = (int32_t)map->box[dim];
    const int32_t step = dim == 0 ? (int32_t)box_step(map) : 1; /* dimension 0 moves by 16 bytes */

    if (!strcmp(side, "low"))
        corner[dim] = -step;
    else if (!strcmp(side, "high"))
        corner[dim] = (size - 1) / step * step;
    else if (!strcmp(side, "below"))
        corner[dim] = -(box + step - 1) / step * step;
    else if (!strcmp(side, "above"))
        corner[dim] = (size + step - 1) / step * step;
}

/* 4-byte types that a copy may convert get values that stay as they are: normal, ten mantissa bits. */
static void settle_values(const struct tensor_map *map, struct ck_buf b)
{
    if (map->type != TENSOR_F32_FTZ && map->type != TENSOR_TF32 && map->type != TENSOR_TF32_FTZ)
        return;
    for (size_t i = 0; i + 4 <= b.size; i += 4) {
        uint32_t bits;
        memcpy(&bits, b.host + i, 4);
        bits = (bits & 0x807FE000) | (64 + (bits >> 24 & 0x7F)) << 23;
        memcpy(b.host + i, &bits, 4);
    }
}

static struct box make_box(const struct tensor_map *map)
{
    struct box b = { .map = *map, .offset = BOX_OFFSET };
    struct tensor_map dense = *map;

    for (int i = 0; i < TENSOR_RANK_MAX; i++)
        dense.element_strides[i] = 1;
    b.image_bytes = (uint32_t)((BOX_OFFSET + 2 * tensor_tile_span(&dense) + 256 + 127) / 128 * 128);
    box_inside(map, b.corner);
    return b;
}

static size_t room(const struct tensor_map *map)
{
    return box_extent(map) + (map->rank > 1 ? map->strides[map->rank - 2] : 0) + 64;
}

static struct box from(struct ck *t, const struct tensor_map *map, struct ck_buf tensor)
{
    struct box b = make_box(map);

    b.tensor = tensor;
    b.image = ck_output(t, b.image_bytes);
    settle_values(map, b.tensor);
    return b;
}

struct box box_to_load(struct ck *t, const struct tensor_map *map)
{
    return from(t, map, ck_input(t, room(map)));
}

struct box box_to_load_late(struct ck *t, const struct tensor_map *map)
{
    return from(t, map, ck_slow_input(t, room(map)));
}

struct box box_to_store(struct ck *t, const struct tensor_map *map)
{
    struct box b = make_box(map);

    b.tensor = ck_output(t, room(map));
    b.image = ck_input(t, b.image_bytes);
    settle_values(map, b.image);
    return b;
}

void box_move_on(struct box *b)
{
    if (b->map.rank == 1)
        b->corner[0] += (int32_t)box_step(&b->map);
    else
        b->corner[b->map.rank - 1]++;
}

void box_widen(struct box *b, int dim)
{
    const uint64_t step = dim == 0 ? box_step(&b->map) : 1;

    b->map.dims[dim] = (b->map.dims[dim] / step + 1) * step;
}

unsigned char *box_loaded(struct ck *t, const struct box *b)
{
    unsigned char *image = ck_alloc(t, b->image_bytes);

    memset(image, CK_POISON, b->image_bytes);
    oracle_tile_load(&b->map, b->tensor.host, b->corner, image, b->offset);
    return image;
}

unsigned char *box_stored(struct ck *t, const struct box *b)
{
    unsigned char *bytes = ck_alloc(t, b->tensor.size);

    memset(bytes, CK_POISON, b->tensor.size);
    oracle_tile_store(&b->map, bytes, b->corner, b->image.host, b->offset);
    return bytes;
}

unsigned char *box_added(struct ck *t, const struct box *b)
{
    unsigned char *before = ck_alloc(t, b->tensor.size), *stored = ck_alloc(t, b->tensor.size);

    memset(before, CK_POISON, b->tensor.size);
    memset(stored, 0, b->tensor.size);
    oracle_tile_store(&b->map, stored, b->corner, b->image.host, b->offset);
    for (size_t i = 0; i + 4 <= b->tensor.size; i += 4) {
        uint32_t x, y;
        memcpy(&x, before + i, 4);
        memcpy(&y, stored + i, 4);
        x += y;
        memcpy(before + i, &x, 4);
    }
    return before;
}

struct tile_load_args box_load_args(struct ck *t, const struct box *b)
{
    struct tile_load_args a = { .out = b->image.device,
                                .bytes = b->image_bytes,
                                .offset = b->offset,
                                .expect = (uint32_t)tensor_tile_bytes(&b->map),
                                .rank = (uint32_t)b->map.rank };

    memcpy(a.corner, b->corner, sizeof a.corner);
    ck_encode(t, &b->map, b->tensor, &a.map);
    return a;
}

enum ck_end box_load_by(struct ck *t, const struct box *b, const char *kernel)
{
    const struct tile_load_args a = box_load_args(t, b);

    return ck_launch(
        t, &(struct ck_launch){
               .kernel = kernel, .block = { 128 }, .smem = b->image_bytes + 16, .args = &a, .size = sizeof a });
}

enum ck_end box_store_by(struct ck *t, const struct box *b, const char *kernel)
{
    struct tile_store_args a = {
        .in = b->image.device, .bytes = b->image_bytes, .offset = b->offset, .rank = (uint32_t)b->map.rank
    };

    memcpy(a.corner, b->corner, sizeof a.corner);
    ck_encode(t, &b->map, b->tensor, &a.map);
    return ck_launch(t, &(struct ck_launch){
                            .kernel = kernel, .block = { 128 }, .smem = b->image_bytes, .args = &a, .size = sizeof a });
}

enum ck_end box_load(struct ck *t, const struct box *b)
{
    return box_load_by(t, b, "tile_load");
}

enum ck_end box_store(struct ck *t, const struct box *b)
{
    return box_store_by(t, b, "tile_store");
}

enum ck_end box_add(struct ck *t, const struct box *b)
{
    return box_store_by(t, b, "tensor_add");
}
// SPDX-License-Identifier: Apache-2.0
