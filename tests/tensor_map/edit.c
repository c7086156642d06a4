/* Edits of a map on the device, and the load that follows them. */
#include "tests/tensor_map/edit.h"

#include <string.h>

void edit_add(struct tmap_replace_args *a, enum tmap_field field, int entry, uint64_t value)
{
    a->edits[a->count].field = (uint32_t)field;
    a->edits[a->count].entry = (uint32_t)entry;
    a->edits[a->count].value = value;
    a->count++;
}

uint64_t edit_type_number(int64_t type)
{
    static const int64_t numbers[] = { TENSOR_U8,   TENSOR_U16,  TENSOR_U32,     TENSOR_S32,     TENSOR_U64,
                                       TENSOR_S64,  TENSOR_F16,  TENSOR_F32,     TENSOR_F32_FTZ, TENSOR_F64,
                                       TENSOR_BF16, TENSOR_TF32, TENSOR_TF32_FTZ };
    uint64_t n = 0;

    while (n < 12 && numbers[n] != type)
        n++;
    return n;
}

void edit_all(struct tmap_replace_args *a, const struct tensor_map *map, uint64_t address)
{
    edit_add(a, TMAP_ADDRESS, 0, address);
    edit_add(a, TMAP_RANK, 0, (uint64_t)map->rank - 1);
    edit_add(a, TMAP_TYPE, 0, edit_type_number(map->type));
    edit_add(a, TMAP_INTERLEAVE, 0, (uint64_t)map->interleave);
    edit_add(a, TMAP_SWIZZLE, 0, (uint64_t)map->swizzle);
    edit_add(a, TMAP_FILL, 0, (uint64_t)map->fill);
    for (int i = 0; i < map->rank; i++) {
        edit_add(a, TMAP_DIM, i, map->dims[i]);
        edit_add(a, TMAP_BOX, i, map->box[i]);
        edit_add(a, TMAP_ELEMENT_STRIDE, i, map->element_strides[i]);
        if (i + 1 < map->rank)
            edit_add(a, TMAP_STRIDE, i, map->strides[i]);
    }
}

void edit_fill_in(struct ck *t, const struct box *b, struct tmap_replace_args *a)
{
    const struct ck_buf home = ck_input(t, 256); /* no output: a map holds an address, which differs from run to run */

    memset(home.host, 0, home.size);
    a->home = home.device;
    a->out = b->image.device;
    a->bytes = b->image_bytes;
    a->offset = b->offset;
    a->expect = (uint32_t)tensor_tile_bytes(&b->map);
    a->rank = (uint32_t)b->map.rank;
    memcpy(a->corner, b->corner, sizeof a->corner);
}

void edit_launch(struct ck *t, const struct box *b, struct tmap_replace_args *a, const char *kernel)
{
    edit_fill_in(t, b, a);
    ck_launch(t, &(struct ck_launch){
                     .kernel = kernel, .block = { 128 }, .smem = b->image_bytes + 144, .args = a, .size = sizeof *a });
    ck_equal(t, b->image, box_loaded(t, b));
}
// SPDX-License-Identifier: Apache-2.0
