/* tensormap.replace and tensormap.cp_fenceproxy: tensor maps edited and copied in memory. */
#include <string.h>

#include "harness/emu/copies/decoders.h"
#include "harness/emu/copies/map_object.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/meeting.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

/* CUtensorMapDataType of the ISA's element types, in their order: PTX ISA, tensormap.replace, Table of .elemtype. */
static const uint8_t element_types[] = {
    TENSOR_U8,       TENSOR_U16,          TENSOR_U32,           TENSOR_S32,          TENSOR_U64,  TENSOR_S64,
    TENSOR_F16,      TENSOR_F32,          TENSOR_F32_FTZ,       TENSOR_F64,          TENSOR_BF16, TENSOR_TF32,
    TENSOR_TF32_FTZ, TENSOR_16U4_ALIGN8B, TENSOR_16U4_ALIGN16B, TENSOR_16U6_ALIGN16B
};

/* The order is that of `fields`. */
enum field { ADDRESS, RANK, BOX, DIM, STRIDE, ELEMENT_STRIDE, TYPE, INTERLEAVE, SWIZZLE, ATOMICITY, FILL };

static const struct {
    uint16_t word;
    bool array;
} fields[] = {
    [ADDRESS] = { PTX_global_address, false },
    [RANK] = { PTX_rank, false },
    [BOX] = { PTX_box_dim, true },
    [DIM] = { PTX_global_dim, true },
    [STRIDE] = { PTX_global_stride, true },
    [ELEMENT_STRIDE] = { PTX_element_stride, true },
    [TYPE] = { PTX_elemtype, false },
    [INTERLEAVE] = { PTX_interleave_layout, false },
    [SWIZZLE] = { PTX_swizzle_mode, false },
    [ATOMICITY] = { PTX_swizzle_atomicity, false },
    [FILL] = { PTX_fill_mode, false },
};

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

/* False where the ISA has no such entry. Values beyond what a member holds become its greatest, which no limit allows.
 */
static bool replace_field(struct emu_map_object *o, enum field field, uint64_t ord, uint64_t value)
{
    const uint32_t bit = 1u << (fields[field].array ? ord : 0);

    if (fields[field].array && ord >= (field == STRIDE ? TENSOR_RANK_MAX - 1u : TENSOR_RANK_MAX))
        return false;
    switch (field) {
    case ADDRESS:
        o->address = value;
        o->set |= MAP_SET_ADDRESS;
        break;
    case RANK:
        o->rank = (uint8_t)at_most(value, TENSOR_RANK_MAX);
        o->set |= MAP_SET_RANK;
        break;
    case BOX:
        o->box[ord] = (uint16_t)(at_most(value, UINT16_MAX) ^ 1);
        o->set |= MAP_SET_BOX * bit;
        break;
    case DIM:
        o->dims[ord] = (uint32_t)value - 1;
        o->set |= MAP_SET_DIM * bit;
        break;
    case STRIDE:
        o->strides[ord] = value;
        o->set |= MAP_SET_STRIDE * bit;
        break;
    case ELEMENT_STRIDE: o->element_strides[ord] = (uint8_t)(at_most(value, UINT8_MAX) ^ 1); break;
    case TYPE:
        o->type = element_types[at_most(value, sizeof element_types - 1)];
        o->set |= MAP_SET_TYPE;
        break;
    case INTERLEAVE: o->interleave = (uint8_t)value; break;
    case SWIZZLE: o->swizzle = (uint8_t)value; break;
    case ATOMICITY: /* 16 bytes, 32, 32 with 8 flipped, 64: of the 128-byte mode */
        if (value)
            o->swizzle = (uint8_t)(TENSOR_SWIZZLE_128B + value);
        break;
    case FILL: o->fill = (uint8_t)value; break;
    }
    return true;
}

/* op->d: the object; op->b: the value. */
static void replace(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t address = t->r[op->d] + (uint64_t)op->offset;
    struct emu_cta *cta = NULL;
    unsigned char *bytes;
    uint64_t at = 0;
    struct emu_map_object o;

    emu_map_check_align(t, address);
    bytes = emu_bytes(t, op->space, address, sizeof o, 1, EMU_WRITE, &at, &cta);
    if (emu_watched(t, cta))
        emu_watch_of(t)->access(t, cta ? PTX_shared : PTX_global, cta, cta ? at : address, sizeof o, EMU_WRITE);
    memcpy(&o, bytes, sizeof o);
    if (!emu_map_zero(&o) && o.check != emu_map_check(&o))
        emu_bad_access(
            t, &rule_tmap_size, address, sizeof o,
            "tensormap.replace on 128 bytes that are not a tensor map: no encode call made them, or they were "
            "changed or copied in part since");
    if (o.mode == TENSOR_MODE_IM2COL)
        emu_bad_access(t, &rule_tmap_rep_mode, address, sizeof o, "tensormap.replace.tile on an im2col map");
    o.set |= MAP_EDITED;
    if (!replace_field(&o, op->map.field, op->map.entry, t->r[op->b]))
        emu_bad_access(t, NULL, address, sizeof o, "tensormap.replace of entry %u, which a tensor map does not have",
                       op->map.entry);
    o.check = emu_map_check(&o);
    memcpy(bytes, &o, sizeof o);
    emu_act(t, cta);
}

/* tensormap.cp_fenceproxy: the warp copies an object from shared to global memory, then fences. */
static void copy_and_fence(struct emu_thread *t, const struct emu_op *op)
{
    const uint64_t to = t->r[op->d] + (uint64_t)op->offset, from = t->r[op->a] + (uint64_t)op->map.from_offset;
    const struct emu_watch *watch = emu_watch_all(t);
    unsigned char object[TENSOR_MAP_BYTES], *bytes;
    struct emu_thread *met[EMU_WARP];
    struct emu_cta *cta = NULL;
    struct emu_meeting m;
    uint32_t n = 0;
    uint64_t at = 0;

    if (!emu_warp_meet(t, op, 0xffffffffu, 0, 0, &m))
        return;
    for (uint32_t i = 0; i < EMU_WARP; i++)
        if (m.lane[i])
            met[n++] = m.lane[i];
    if (n < EMU_WARP && t->index - t->lane + n < t->cta->thread_count)
        emu_complain(t, &rule_tmap_cpf_warp, &rule_warp_aligned, m.mask, 0,
                     "tensormap.cp_fenceproxy needs all threads of its warp; only lanes 0x%08x are there", m.mask);
    emu_map_check_align(t, to);
    emu_map_check_align(t, from);
    bytes = emu_bytes(t, PTX_shared_cta, from, sizeof object, 1, EMU_READ, &at, &cta);
    for (uint32_t i = 0; i < n && emu_watched(t, cta); i++) { /* that all execute it orders nothing before it */
        met[i]->pc += met[i] != t;
        emu_watch_of(t)->access(met[i], PTX_shared, cta, at, sizeof object, EMU_READ);
        met[i]->pc -= met[i] != t;
    }
    memcpy(object, bytes, sizeof object);
    if (watch)
        watch->meet(met, n);
    bytes = emu_bytes(t, PTX_global, to, sizeof object, 1, EMU_WRITE, NULL, NULL);
    if (watch)
        watch->access(t, PTX_global, NULL, to, sizeof object, EMU_WRITE);
    memcpy(bytes, object, sizeof object);
    emu_act(t, NULL);
    for (uint32_t i = 0; watch && i < n; i++)
        watch->proxy_fence(met[i], op->source, 0);
    if (watch)
        watch->meet(met, n);
    emu_warp_release(t, &m);
}

emu_handler *emu_decode_tensormap(const struct ptx_module *m, const struct ptx_instruction *i, struct emu_op *op)
{
    const unsigned last = i->n_operands - 1u;
    uint16_t field = 0;

    if (i->op == OP_tensormap_cp_fenceproxy) {
        op->space = PTX_shared_cta;
        emu_address(ptx_operand(m, i, 1), op, &op->a, &op->map.from_offset);
        op->space = PTX_global;
        emu_address(ptx_operand(m, i, 0), op, &op->d, &op->offset);
        return copy_and_fence;
    }
    if (i->op != OP_tensormap_replace)
        return NULL;
    op->space = i->space[0];
    emu_address(ptx_operand(m, i, 0), op, &op->d, &op->offset);
    while (field < sizeof fields / sizeof *fields && !ptx_has(m, i, fields[field].word))
        field++;
    if (field == sizeof fields / sizeof *fields)
        return NULL;
    op->map.field = field;
    op->b = emu_slot(ptx_operand(m, i, last), PTX_b64);
    op->map.entry = fields[field].array ? (uint32_t)ptx_operand(m, i, 1)->value : 0;
    return replace;
}
// SPDX-License-Identifier: Apache-2.0
