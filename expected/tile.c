/* Tile loads and stores, element by element. */
#include "expected/im2col.h"
#include "expected/tile_rows.h"

#include <string.h>

/* What the documents call "a special NaN constant": 0x7FF7 in every 16 bits, observed on an H200. */
static const uint64_t nan_pattern = UINT64_C(0x7FF77FF77FF77FF7);

/* What a load does to the bits of an element. The documents say it by the types' names alone; on an H200 the FTZ types
 * flush nothing, and the TF32 types round. */
enum conversion { KEEP, ROUND_TO_TF32 };

static const enum conversion conversion_on_load[TENSOR_TYPE_COUNT] = {
    [TENSOR_TF32] = ROUND_TO_TF32,
    [TENSOR_TF32_FTZ] = ROUND_TO_TF32,
};

/* Rounds to 10 bits of mantissa, to the nearest value, ties to even. A NaN becomes the positive one of all ones. */
static uint32_t round_to_tf32(uint32_t bits)
{
    const uint32_t dropped = 0x1FFF;

    if ((bits & 0x7FFFFFFF) > 0x7F800000)
        return 0x7FFFFFFF & ~dropped;
    if ((bits & 0x7F800000) == 0x7F800000)
        return bits;
    return (bits + dropped / 2 + (bits >> 13 & 1)) & ~dropped;
}

static void convert(enum conversion how, unsigned char *element)
{
    uint32_t bits;

    if (how == KEEP)
        return;
    memcpy(&bits, element, sizeof bits);
    bits = round_to_tf32(bits);
    memcpy(element, &bits, sizeof bits);
}

void tensor_tile_each(const struct tensor_map *map, const int32_t corner[], tensor_element_fn *visit, void *context)
{
    unsigned per;
    const size_t size = tensor_type_bytes(map->type, &per), slice = tile_slice_bytes(map);
    const size_t rows = tensor_tile_rows(map), pitch = tensor_tile_pitch(map), width = slice ? slice : size;
    const uint32_t columns = tile_count(map, 0) / per, step = tile_step(map, 0);

    if (map->mode == TENSOR_MODE_IM2COL) {
        tensor_im2col_each(map, corner, visit, context);
        return;
    }
    for (size_t r = 0; r < rows; r++) {
        struct tensor_element row = { .size = size };

        tensor_tile_row(map, corner, r, &row);
        for (uint32_t c = 0; c < columns; c++) {
            struct tensor_element e = row;

            e.at[0] = corner[0] + (int64_t)c * step * per;
            e.inside &= e.at[0] >= 0 && (uint64_t)e.at[0] < map->dims[0];
            e.global += (uint64_t)(e.at[0] / per) * width;
            e.linear = r * pitch + c * width;
            for (size_t i = 0; i < width; i += size, e.global += size, e.linear += size)
                visit(context, &e);
        }
    }
}

struct load {
    const struct tensor_map *map;
    const unsigned char *global;
    unsigned char *image;
    uint64_t shared, fill;
};

static void load_element(void *context, const struct tensor_element *e)
{
    const struct load *l = context;
    const size_t size = e->size;
    unsigned char element[16];

    if (!e->inside) {
        memset(element, 0, sizeof element);
        memcpy(element, &l->fill, size < sizeof l->fill ? size : sizeof l->fill);
    } else {
        memcpy(element, l->global + e->global, size);
        convert(conversion_on_load[l->map->type], element);
    }
    if (size <= 8) { /* no swizzle splits aligned 8 bytes */
        memcpy(l->image + tensor_swizzle(l->map->swizzle, l->shared + e->linear), element, size);
        return;
    }
    for (size_t i = 0; i < size; i++)
        l->image[tensor_swizzle(l->map->swizzle, l->shared + e->linear + i)] = element[i];
}

void oracle_tile_load(const struct tensor_map *map, const unsigned char *global, const int32_t corner[],
                      unsigned char *image, uint64_t shared)
{
    struct load l = { .map = map, .global = global, .image = image, .shared = shared };

    l.fill = map->fill == TENSOR_FILL_NAN ? nan_pattern : 0;
    tensor_tile_each(map, corner, load_element, &l);
}

struct store {
    const struct tensor_map *map;
    unsigned char *global;
    const unsigned char *image;
    uint64_t shared;
};

static void store_element(void *context, const struct tensor_element *e)
{
    const struct store *s = context;

    if (!e->inside)
        return;
    for (size_t i = 0; i < e->size; i++)
        s->global[e->global + i] = s->image[tensor_swizzle(s->map->swizzle, s->shared + e->linear + i)];
}

void oracle_tile_store(const struct tensor_map *map, unsigned char *global, const int32_t corner[],
                       const unsigned char *image, uint64_t shared)
{
    struct store s = { .map = map, .global = global, .image = image, .shared = shared };

    tensor_tile_each(map, corner, store_element, &s);
}
// SPDX-License-Identifier: Apache-2.0
