/* Tensor copies as instructions: what each is to copy. tensor_land.c carries it out. */
#include <stdlib.h>
#include <string.h>

#include "harness/emu/copies/decoders.h"
#include "harness/emu/copies/deliver.h"
#include "harness/emu/copies/map_object.h"
#include "harness/emu/copies/mbarrier_objects.h"
#include "harness/emu/copies/operand.h"
#include "harness/emu/copies/tensor_land.h"
#include "harness/emu/copies/tile.h"
#include "harness/emu/instructions/alu/reduce.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/watch.h"

enum { POISON = 0xB7 };

struct emu_tensor {
    uint32_t map, coordinates[5], offsets[3], shared, bar, mask; /* slots */
    int64_t map_offset, shared_offset, bar_offset;
    uint16_t shared_space;
    unsigned rank;
    unsigned offset_count;
    bool im2col, loads, reduces;
    bool rows; /* .tile::gather4 or .tile::scatter4: the coordinates are a column and four rows */
    bool pair; /* .cta_group::2: the barrier may be in either CTA of the pair */
    uint16_t op;
};

/* A thread that reads a tile before it has landed sees poison. */
static void poison(struct emu_flight *f)
{
    struct emu_cluster *c = f->thread->cta->cluster;

    for (uint32_t rank = 0; rank < c->cta_count; rank++)
        if (emu_flight_reaches(f, &c->ctas[rank]))
            emu_tile_fill(&f->tile, c->ctas[rank].shared, f->to, POISON);
}

/* What a reduction takes the elements for: PTX ISA, cp.reduce.async.bulk.tensor. */
static uint16_t element_type(int64_t type)
{
    static const uint16_t types[TENSOR_TYPE_COUNT] = {
        [TENSOR_U32] = PTX_u32,     [TENSOR_S32] = PTX_s32,   [TENSOR_U64] = PTX_u64,      [TENSOR_S64] = PTX_s64,
        [TENSOR_F16] = PTX_f16,     [TENSOR_BF16] = PTX_bf16, [TENSOR_F32] = PTX_f32,      [TENSOR_F64] = PTX_f64,
        [TENSOR_F32_FTZ] = PTX_f32, [TENSOR_TF32] = PTX_f32,  [TENSOR_TF32_FTZ] = PTX_f32,
    };

    return type >= 0 && type < TENSOR_TYPE_COUNT ? types[type] : PTX_none;
}

/* Whether a map's type has the operation: what PTX ISA, cp.reduce.async.bulk.tensor, says, and what an H200 does
 * besides (sums of f64, bits of s32). */
static bool has_operation(uint16_t word, int64_t type)
{
    switch (word) {
    case PTX_add: return element_type(type) != PTX_none && type != TENSOR_S64;
    case PTX_min:
    case PTX_max:
        return type == TENSOR_U32 || type == TENSOR_S32 || type == TENSOR_U64 || type == TENSOR_S64 ||
               type == TENSOR_F16 || type == TENSOR_BF16;
    case PTX_inc:
    case PTX_dec: return type == TENSOR_U32;
    default: return type == TENSOR_U32 || type == TENSOR_S32 || type == TENSOR_U64;
    }
}

/* The barrier of a load is in the CTA that receives the tile. */
static void check_signal(struct emu_thread *t, const struct emu_tensor *x, const struct emu_cta *to,
                         const struct emu_cta *bar)
{
    if (x->shared_space == PTX_shared_cta && bar == t->cta)
        return;
    if (x->shared_space == PTX_shared_cta)
        emu_complain(t, &rule_tensor_mbar_cta_dst_remote, NULL, bar->rank, 8,
                     "a load into .shared::cta of rank %u signals an mbarrier of CTA rank %u", t->cta->rank, bar->rank);
    else if (bar != to && !x->pair)
        emu_complain(t, &rule_tensor_mbar_same_cta_as_dst, NULL, bar->rank, 8,
                     "the tile goes to CTA rank %u and the signal to an mbarrier of CTA rank %u", to->rank, bar->rank);
}

/* The map that the instruction names, of its rank and mode. */
static const struct emu_map_kept *map_of(struct emu_thread *t, const struct emu_tensor *x)
{
    const uint64_t at = t->r[x->map] + (uint64_t)x->map_offset;
    const struct emu_map_kept *kept = emu_map_at(t, at);
    const struct tensor_map *map = &kept->map;

    if (map->rank != (int64_t)x->rank)
        emu_bad_access(t, &rule_tensor_tile_rank_match, at, TENSOR_MAP_BYTES,
                       "a %uD instruction with a map of rank %lld", x->rank, (long long)map->rank);
    if (map->mode != (x->im2col ? TENSOR_MODE_IM2COL : TENSOR_MODE_TILED))
        emu_bad_access(t, &rule_tensor_tile_mode_match, at, TENSOR_MAP_BYTES, "%s copy with %s map",
                       x->im2col ? "an im2col" : "a tile", map->mode == TENSOR_MODE_IM2COL ? "an im2col" : "a tiled");
    if (x->rows && map->box[1] != 1)
        emu_bad_access(t, &rule_tensor_g4_box1, at, TENSOR_MAP_BYTES,
                       "a gather4 or scatter4 copy with a map whose box is %u rows high", map->box[1]);
    return kept;
}

static void prefetch(struct emu_thread *t, const struct emu_op *op)
{
    map_of(t, op->tensor);
}

/* Where the tile is in shared memory, and the mbarrier that a load signals. */
static void place_operands(struct emu_thread *t, const struct emu_tensor *x, struct emu_flight *f)
{
    emu_operand_place(t,
                      &(struct emu_operand){ .what = x->loads ? "destination" : "source",
                                             .space = x->shared_space,
                                             .address = t->r[x->shared] + (uint64_t)x->shared_offset,
                                             .bytes = f->tile.size.span,
                                             .align = 128,
                                             .access = x->loads ? EMU_WRITE : EMU_READ,
                                             .aligned = &rule_tensor_smem_align128,
                                             .inside = x->loads ? &rule_bulk_range_dst : &rule_bulk_range_src,
                                             .own = &rule_tensor_dst_cta_own },
                      &f->to_cta, &f->to);
    f->from_cta = f->to_cta;
    f->from = f->to;
    if (x->bar != EMU_NO) {
        emu_operand_place(t,
                          &(struct emu_operand){ .what = "mbarrier",
                                                 .space = PTX_shared_cluster,
                                                 .address = t->r[x->bar] + (uint64_t)x->bar_offset,
                                                 .bytes = EMU_MBARRIER_BYTES,
                                                 .align = EMU_MBARRIER_BYTES,
                                                 .access = EMU_ATOMIC,
                                                 .aligned = &rule_tensor_mbar_align8,
                                                 .inside = &rule_mbarrier_init_generic_window },
                          &f->bar_cta, &f->bar);
        if (x->mask == EMU_NO)
            check_signal(t, x, f->to_cta, f->bar_cta);
    }
    if (x->mask != EMU_NO)
        emu_operand_mask(t, (uint16_t)t->r[x->mask]);
}

/* What a column of pixels owes beyond a tile: PTX ISA, Im2col mode: Bounding Box; Restriction on Tensor Copy
 * instructions. */
static void check_column(struct emu_thread *t, const struct emu_tensor *x, const struct emu_flight *f)
{
    const struct tensor_map *map = &f->tile.map;
    const int32_t offset_max = x->rank == 3 ? 65535 : x->rank == 4 ? 255 : 31;

    for (unsigned i = 0; i < x->rank && !x->loads; i++)
        if (f->tile.corner[i] < 0)
            emu_bad_access(t, &rule_tensor_i2c_store_corners, f->to, 0,
                           "an im2col_no_offs store whose coordinate %u is %d", i, f->tile.corner[i]);
    for (unsigned i = 1; i + 1 < x->rank; i++) {
        const int32_t at = f->tile.corner[i], offset = f->tile.corner[TENSOR_RANK_MAX + i - 1];
        const int64_t last = (int64_t)map->dims[i] - 1 + map->upper[i - 1];

        if (!x->loads && (map->lower[i - 1] < 0 || map->upper[i - 1] > 0))
            emu_bad_access(t, &rule_tensor_i2c_store_corners, f->to, 0,
                           "an im2col_no_offs store with a map whose corners are %d and %d in dimension %u",
                           map->lower[i - 1], map->upper[i - 1], i);
        if (at < map->lower[i - 1] || at > last)
            emu_bad_access(t, &rule_tensor_i2c_base_in_box, f->to, 0,
                           "coordinate %u is %d, outside the bounding box from %d to %lld", i, at, map->lower[i - 1],
                           (long long)last);
        if (offset > offset_max)
            emu_bad_access(t, &rule_tensor_i2c_offset_range, f->to, 0,
                           "im2col offset %u is %d, more than %d at rank %u", i - 1, offset, offset_max, x->rank);
    }
}

/* Where the tile begins in the tensor: coordinates in elements, and the offsets of im2col after them. */
static void place_corner(struct emu_thread *t, const struct emu_tensor *x, struct emu_flight *f)
{
    const unsigned count = x->rows ? 5 : x->rank;

    for (unsigned i = 0; i < count; i++)
        f->tile.corner[i] = (int32_t)t->r[x->coordinates[i]];
    for (unsigned i = 0; i < x->offset_count; i++)
        f->tile.corner[TENSOR_RANK_MAX + i] = (uint16_t)t->r[x->offsets[i]];
    if (!f->tile.map.interleave) {
        unsigned per;
        const size_t size = tensor_type_bytes(f->tile.map.type, &per);
        const int64_t bytes = f->tile.corner[0] * (int64_t)size / per;
        if (bytes % 16)
            emu_bad_access(t, &rule_tensor_tile_coord0_align16, f->to, 0,
                           "coordinate 0 is %d, %lld bytes, not a multiple of 16", f->tile.corner[0], (long long)bytes);
    }
    if (x->im2col)
        check_column(t, x, f);
    for (unsigned i = 0; !x->loads && !x->im2col && i < count; i++)
        if (f->tile.corner[i] < 0)
            emu_bad_access(t, x->rows ? &rule_tensor_g4_scatter_nonneg : &rule_tensor_tile_oob_store_negative, f->to, 0,
                           "a tile %s coordinate %u is %d", x->reduces ? "reduction whose" : "store whose", i,
                           f->tile.corner[i]);
}

static void tensor(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_watch *watch = emu_watch_all(t);
    const struct emu_tensor *x = op->tensor;
    const uint64_t map_at = t->r[x->map] + (uint64_t)x->map_offset;
    const struct emu_map_kept *kept = map_of(t, x);
    const struct tensor_map *map = &kept->map;
    struct emu_flight *f;

    if (!x->loads && map->swizzle == TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B)
        emu_complain(t, &rule_swz_flip_load_only, NULL, map_at, TENSOR_MAP_BYTES, "a tile %s with a map of swizzle %s",
                     x->reduces ? "reduction" : "store", tensor_swizzle_name(map->swizzle));
    if (x->im2col && map->interleave) /* no document says which dimension counts what */
        emu_unsupported(t, op->source);
    f = emu_fly(t, op, x->loads ? EMU_TENSOR_LOAD : EMU_TENSOR_STORE);
    f->tile.map = x->rows ? tensor_gather4(map) : *map;
    f->tile.size = x->rows ? emu_tile_size(&f->tile.map) : kept->size;
    place_operands(t, x, f);
    place_corner(t, x, f);
    emu_tile_place(&f->tile);
    f->size = f->tile.size.bytes;
    f->op = x->op;
    if (x->mask != EMU_NO)
        f->multicast = (uint16_t)t->r[x->mask];
    if (!x->loads) {
        f->group = EMU_BULK_GROUP;
        f->group_number = emu_groups_open(t, EMU_BULK_GROUP);
        f->type = x->reduces ? element_type(f->tile.map.type) : PTX_none;
        if (x->reduces && !has_operation(f->op, f->tile.map.type))
            emu_bad_access(t, &rule_tensor_red_pairs_illegal, map_at, TENSOR_MAP_BYTES,
                           "a reduction that elements of type %s do not have", tensor_type_name(f->tile.map.type));
    }
    emu_flight_issued(f);
    emu_tensor_prior(f);
    if (watch)
        watch->copy_map(t, f, map_at);
    if (x->loads)
        poison(f);
    emu_flight_off(f);
}

/* [map, {coordinates}] */
static bool decode_map(const struct ptx_module *m, const struct ptx_operand *o, struct emu_op *op, struct emu_tensor *x)
{
    const struct ptx_operand *inside = &m->operands[o->first], *coordinates = inside + 1;

    if (o->kind != PO_tensor || o->count < 2 || coordinates->kind != PO_vector)
        return false;
    op->space = PTX_none;
    emu_address(inside, op, &x->map, &x->map_offset);
    emu_settle_later(&x->map);
    x->rank = coordinates->count < 5 ? coordinates->count : 5;
    for (unsigned k = 0; k < x->rank; k++) {
        x->coordinates[k] = emu_slot(&m->operands[coordinates->first + k], PTX_s32);
        emu_settle_later(&x->coordinates[k]);
    }
    x->rank = x->rows ? 2 : x->rank;
    return true;
}

emu_handler *emu_decode_tensor(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const uint16_t mode = ptx_word_of(m, i, PC_mode);
    struct emu_tensor *x;
    const struct ptx_operand *offsets;
    unsigned next;

    if (i->op != OP_cp_async_bulk_tensor && i->op != OP_cp_reduce_async_bulk_tensor &&
        i->op != OP_cp_async_bulk_prefetch_tensor)
        return NULL;
    if (mode != PTX_none && mode != PTX_tile && mode != PTX_im2col && mode != PTX_im2col_no_offs &&
        mode != PTX_tile_gather4 && mode != PTX_tile_scatter4)
        return NULL;
    x = emu_kept(sizeof *x);
    if (!x)
        return NULL;
    *x = (struct emu_tensor){ .bar = EMU_NO, .mask = EMU_NO };
    x->im2col = mode == PTX_im2col || mode == PTX_im2col_no_offs;
    x->rows = mode == PTX_tile_gather4 || mode == PTX_tile_scatter4;
    if (i->op == OP_cp_async_bulk_prefetch_tensor) {
        op->d = op->a = op->b = op->c = EMU_NO;
        op->tensor = x;
        return decode_map(m, ptx_operand(m, i, 0), op, x) ? prefetch : NULL;
    }
    x->loads = i->space[0] != PTX_global;
    x->pair = ptx_has(m, i, PTX_cta_group_2);
    x->reduces = i->op == OP_cp_reduce_async_bulk_tensor;
    x->op = x->reduces ? alu_atom_word(m, i) : PTX_none;
    x->shared_space = x->loads ? i->space[0] : i->space[1];
    emu_address(ptx_operand(m, i, x->loads ? 0 : 1), op, &x->shared, &x->shared_offset);
    if (!decode_map(m, ptx_operand(m, i, x->loads ? 1 : 0), op, x))
        return NULL;
    next = 2;
    if (x->loads)
        emu_address(ptx_operand(m, i, next++), op, &x->bar, &x->bar_offset);
    if (mode == PTX_im2col) {
        offsets = ptx_operand(m, i, next++);
        x->offset_count = offsets->kind == PO_vector && offsets->count <= TENSOR_SPACE_MAX ? offsets->count : 0;
        for (unsigned k = 0; k < x->offset_count; k++) {
            x->offsets[k] = emu_slot(&m->operands[offsets->first + k], PTX_u16);
            emu_settle_later(&x->offsets[k]);
        }
    }
    if (ptx_has(m, i, PTX_multicast_cluster))
        x->mask = emu_slot(ptx_operand(m, i, next++), PTX_b16);
    emu_settle_later(&x->shared);
    emu_settle_later(&x->bar);
    emu_settle_later(&x->mask);
    op->d = op->a = op->b = op->c = EMU_NO;
    op->tensor = x;
    return tensor;
}
// SPDX-License-Identifier: Apache-2.0
