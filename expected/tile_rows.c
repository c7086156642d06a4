/* The rows of a tile: how many there are, how far apart they lie, and where each one begins. */
#include "expected/tile_rows.h"

/* An interleaved tensor (NC/8HWC8 and the like) is made of slices of 16 or 32 bytes that hold some channels of one
 * position each. The documents do not say which argument counts what. On an H200, dimension 0 counts positions one
 * slice apart, dimension rank-2 counts slices of channels, and one slice of channels is loaded whatever the box says
 * there. 0: not interleaved. */
size_t tile_slice_bytes(const struct tensor_map *map)
{
    return map->interleave == TENSOR_INTERLEAVE_16B ? 16 : map->interleave == TENSOR_INTERLEAVE_32B ? 32 : 0;
}

uint32_t tile_step(const struct tensor_map *map, int i)
{
    return i == 0 && !tile_slice_bytes(map) ? 1 : map->element_strides[i];
}

uint32_t tile_count(const struct tensor_map *map, int i)
{
    const uint32_t step = tile_step(map, i);

    if (tile_slice_bytes(map) && i == map->rank - 2)
        return 1;
    return (map->box[i] + step - 1) / step;
}

size_t tensor_tile_rows(const struct tensor_map *map)
{
    size_t rows = 1;

    if (map->mode == TENSOR_MODE_IM2COL)
        return map->pixels;
    for (int i = 1; i < map->rank; i++)
        rows *= tile_count(map, i);
    return rows;
}

static size_t row_bytes(const struct tensor_map *map)
{
    unsigned per;
    const size_t size = tensor_type_bytes(map->type, &per);

    if (map->mode == TENSOR_MODE_IM2COL)
        return (size_t)map->channels * size / per;
    return tile_slice_bytes(map) ? tile_count(map, 0) * tile_slice_bytes(map) : (size_t)map->box[0] * size / per;
}

/* The documents do not say what happens to a box that is narrower than the swizzle's span; an H200 gives each row the
 * whole span and writes only its first bytes. */
size_t tensor_tile_pitch(const struct tensor_map *map)
{
    const size_t row = row_bytes(map), span = tile_slice_bytes(map) ? 0 : tensor_swizzle_span(map->swizzle);

    return row < span ? span : row;
}

size_t tensor_tile_bytes(const struct tensor_map *map)
{
    return tensor_tile_rows(map) * row_bytes(map);
}

size_t tensor_tile_span(const struct tensor_map *map)
{
    return (tensor_tile_rows(map) - 1) * tensor_tile_pitch(map) + row_bytes(map);
}

struct tensor_map tensor_gather4(const struct tensor_map *map)
{
    struct tensor_map m = *map;

    m.mode = TENSOR_MODE_ROWS;
    m.box[1] = 4;
    m.element_strides[1] = 1;
    return m;
}

/* Row `index` of the tile, counting dimension 1 fastest: its coordinates except that of dimension 0, and the global
 * offset of the element at 0 there. Coordinates are 64-bit here: they do not wrap. */
void tensor_tile_row(const struct tensor_map *map, const int32_t corner[], size_t index, struct tensor_element *e)
{
    e->inside = true;
    e->global = map->address;
    for (int i = 1; i < map->rank; i++) {
        const uint32_t n = tile_count(map, i);
        const int64_t at = map->mode == TENSOR_MODE_ROWS ? corner[1 + index % n]
                                                         : corner[i] + (int64_t)(index % n) * tile_step(map, i);

        index /= n;
        e->at[i] = at;
        e->inside &= at >= 0 && (uint64_t)at < map->dims[i];
        e->global += (uint64_t)at * map->strides[i - 1];
    }
}
// SPDX-License-Identifier: Apache-2.0
