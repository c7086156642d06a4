/* A small tensor, a box in it, and what copies of the box leave. */
#include "tests/tensor/box.h"

#include <string.h>

#include "kernels/tensor.h"
#include "kernels/tile.h"

int64_t box_type(struct ck *t)
{
    for (int64_t type = 0; type < TENSOR_TYPE_COUNT; type++)
        if (ck_is(t, "type", tensor_type_name(type)))
            return type;
    return TENSOR_U8;
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
    for (int i = 0; i < 5; i++)
        corner[i] = i >= map->rank ? 0 : i == 0 ? (int32_t)box_step(map) : 1;
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

struct box box_to_load(struct ck *t, const struct tensor_map *map)
{
    struct box b = make_box(map);

    b.tensor = ck_is(t, "memory", "slow") ? ck_slow_input(t, room(map)) : ck_input(t, room(map));
    b.image = ck_output(t, b.image_bytes);
    settle_values(map, b.tensor);
    return b;
}

struct box box_to_store(struct ck *t, const struct tensor_map *map)
{
    struct box b = make_box(map);

    b.tensor = ck_output(t, room(map));
    b.image = ck_input(t, b.image_bytes);
    settle_values(map, b.image);
    return b;
}

struct box_told box_told(struct ck *t, const struct box *b)
{
    struct box_told told = { .map = b->map };
    struct tensor_map *const m = &told.map;
    const int last = (int)m->rank - 1;

    memcpy(told.corner, b->corner, sizeof told.corner);
    if (ck_is(t, "twist", "step"))
        told.corner[last] += last ? 1 : (int32_t)box_step(m);
    if (ck_is(t, "twist", "inside"))
        memset(told.corner, 0, sizeof told.corner);
    if (ck_is(t, "twist", "reverse"))
        for (int i = 0; i <= last; i++)
            told.corner[i] = b->corner[last - i];
    if (ck_is(t, "twist", "wider")) {
        const int64_t dim = ck_int(t, "dim");
        m->dims[dim] = dim ? m->dims[dim] + 1 : (m->dims[0] / box_step(m) + 1) * box_step(m);
    }
    if (ck_is(t, "twist", "tall"))
        m->box[last] += last ? 1 : (uint32_t)box_step(m);
    if (ck_is(t, "twist", "wide"))
        m->box[0] += (uint32_t)box_step(m);
    if (ck_is(t, "twist", "pitch"))
        box_pack(m, 0);
    if (ck_is(t, "twist", "dense"))
        for (int i = 0; i <= last; i++)
            m->element_strides[i] = 1;
    if (ck_is(t, "twist", "zero"))
        m->fill = TENSOR_FILL_NONE;
    return told;
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

enum ck_end box_load(struct ck *t, const struct box *b)
{
    const struct box_told told = box_told(t, b);
    struct tile_load_args a = { .out = b->image.device,
                                .bytes = b->image_bytes,
                                .offset = b->offset,
                                .expect = (uint32_t)tensor_tile_bytes(&told.map),
                                .rank = (uint32_t)told.map.rank };

    memcpy(a.corner, told.corner, sizeof a.corner);
    ck_encode(t, &told.map, b->tensor, &a.map);
    return ck_launch(
        t, &(struct ck_launch){
               .kernel = "tile_load", .block = { 128 }, .smem = b->image_bytes + 16, .args = &a, .size = sizeof a });
}

enum ck_end box_store(struct ck *t, const struct box *b)
{
    const struct box_told told = box_told(t, b);
    struct tile_store_args a = {
        .in = b->image.device, .bytes = b->image_bytes, .offset = b->offset, .rank = (uint32_t)told.map.rank
    };

    memcpy(a.corner, told.corner, sizeof a.corner);
    ck_encode(t, &told.map, b->tensor, &a.map);
    return ck_launch(
        t, &(struct ck_launch){
               .kernel = "tile_store", .block = { 128 }, .smem = b->image_bytes, .args = &a, .size = sizeof a });
}

enum ck_end box_add(struct ck *t, const struct box *b)
{
    const struct box_told told = box_told(t, b);
    struct tensor_store_args a = { .in = b->image.device,
                                   .bytes = b->image_bytes,
                                   .offset = b->offset,
                                   .rank = (uint32_t)told.map.rank,
                                   .form = TENSOR_ADD };

    memcpy(a.corner, told.corner, sizeof a.corner);
    ck_encode(t, &told.map, b->tensor, &a.map);
    return ck_launch(
        t, &(struct ck_launch){
               .kernel = "tensor_store", .block = { 128 }, .smem = b->image_bytes, .args = &a, .size = sizeof a });
}
