/* Copies in im2col mode, element by element.
 *
 * A tensor is a batch of images: its dimensions are the channels, then W, H, D (as many as the rank has), then the
 * images. A copy takes `pixels` positions, starting at its coordinates, and `channels` elements of each. Positions
 * advance along W by the element stride. At the end of the bounding box they go back to its start and advance the next
 * dimension; after the last dimension comes the next image. The bounding box reaches from the lower corner to the
 * tensor's last element moved by the upper corner. At the end the offsets of a load are added to each position. PTX
 * ISA, "Im2col Mode"; cuda.h, cuTensorMapEncodeIm2col. */
#include "expected/oracle.h"

#include "expected/im2col.h"

/* Moves to the next position within the bounding box. */
static void advance(const struct tensor_map *map, int64_t at[])
{
    const int images = (int)map->rank - 1;

    for (int i = 1; i < images; i++) {
        at[i] += map->element_strides[i];
        if (at[i] <= (int64_t)map->dims[i] - 1 + map->upper[i - 1])
            return;
        at[i] = map->lower[i - 1];
    }
    at[images]++;
}

void tensor_im2col_each(const struct tensor_map *map, const int32_t corner[], tensor_element_fn *visit, void *context)
{
    const size_t size = tensor_type_bytes(map->type, NULL), pitch = tensor_tile_pitch(map);
    const int images = (int)map->rank - 1;
    int64_t at[TENSOR_RANK_MAX] = { 0 };

    for (int i = 0; i <= images; i++)
        at[i] = corner[i];
    for (uint32_t p = 0; p < map->pixels; p++, advance(map, at)) {
        struct tensor_element e = { .inside = true, .size = size, .global = map->address };

        for (int i = 1; i <= images; i++) {
            e.at[i] = at[i] + (i < images ? corner[TENSOR_RANK_MAX + i - 1] : 0);
            e.inside &= e.at[i] >= 0 && (uint64_t)e.at[i] < map->dims[i];
            e.global += (uint64_t)e.at[i] * map->strides[i - 1];
        }
        for (uint32_t c = 0; c < map->channels; c++) {
            struct tensor_element one = e;

            one.at[0] = at[0] + c;
            one.inside &= one.at[0] >= 0 && (uint64_t)one.at[0] < map->dims[0];
            one.global += (uint64_t)one.at[0] * size;
            one.linear = p * pitch + c * size;
            visit(context, &one);
        }
    }
}
// SPDX-License-Identifier: Apache-2.0
