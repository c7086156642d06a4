/* Tensor maps as objects in memory: encoded, read, edited, copied.
 *
 * The documents leave the object's bits open, so these are our own. Members are held so that 0 is the least legal
 * value: kernels that make maps on the device begin with 128 zero bytes and replace every field. A check over all
 * bytes tells an object from bytes that nobody encoded, and a whole one from one that was cut or written over. */
#include "harness/emu/copies/map_object.h"

#include <stdio.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/emu/machine/meeting.h"
#include "harness/emu/copies/decoders.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/thread.h"
#include "harness/emu/machine/watch.h"

/* Fields that tensormap.replace has given an object that began as zeros; an array's entries follow its bit. */
enum { SET_ADDRESS = 1, SET_RANK = 2, SET_TYPE = 4, SET_BOX = 8, SET_DIM = 256, SET_STRIDE = 8192 };
enum { ENCODED = 1 << 30, EDITED = 1 << 29 };

struct object {
    uint64_t address;
    uint64_t strides[TENSOR_RANK_MAX - 1];
    uint32_t dims[TENSOR_RANK_MAX]; /* less 1: 2^32 is legal */
    uint16_t box[TENSOR_RANK_MAX];  /* with bit 0 turned, as the element strides */
    uint8_t element_strides[TENSOR_RANK_MAX];
    uint8_t rank; /* less 1 */
    uint8_t type, interleave, swizzle, l2, fill, mode;
    uint8_t unused[2];
    int16_t lower[TENSOR_SPACE_MAX], upper[TENSOR_SPACE_MAX];
    uint16_t channels, pixels;
    uint8_t none[16];
    uint32_t set;
    uint64_t check;
};

_Static_assert(sizeof(struct object) == TENSOR_MAP_BYTES, "an object has 128 bytes");

static uint64_t check_of(const struct object *o)
{
    uint64_t word, h = 0x70616d726f736e74u;

    for (size_t i = 0; i < offsetof(struct object, check); i += sizeof word) {
        memcpy(&word, (const char *)o + i, sizeof word);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return h;
}

static bool all_zero(const struct object *o)
{
    const unsigned char *bytes = (const unsigned char *)o;
    unsigned any = 0;

    for (size_t i = 0; i < sizeof *o; i++)
        any |= bytes[i];
    return !any;
}

void emu_map_object(const struct tensor_map *map, void *object)
{
    struct object o = {
        .address = map->address,
        .rank = (uint8_t)(map->rank - 1),
        .type = (uint8_t)map->type,
        .interleave = (uint8_t)map->interleave,
        .swizzle = (uint8_t)map->swizzle,
        .l2 = (uint8_t)map->l2,
        .fill = (uint8_t)map->fill,
        .mode = (uint8_t)map->mode,
        .channels = (uint16_t)map->channels,
        .pixels = (uint16_t)map->pixels,
        .set = ENCODED,
    };

    for (int64_t i = 0; i < map->rank && i < TENSOR_RANK_MAX; i++) {
        o.dims[i] = (uint32_t)(map->dims[i] - 1);
        o.box[i] = (uint16_t)(map->box[i] ^ 1);
        o.element_strides[i] = (uint8_t)(map->element_strides[i] ^ 1);
        if (i + 1 < map->rank)
            o.strides[i] = map->strides[i];
    }
    for (int i = 0; i < TENSOR_SPACE_MAX; i++) {
        o.lower[i] = (int16_t)map->lower[i];
        o.upper[i] = (int16_t)map->upper[i];
    }
    o.check = check_of(&o);
    memcpy(object, &o, sizeof o);
}

static struct tensor_map map_of(const struct object *o)
{
    struct tensor_map map = {
        .address = o->address,
        .rank = o->rank + 1,
        .type = o->type,
        .interleave = o->interleave,
        .swizzle = o->swizzle,
        .l2 = o->l2,
        .fill = o->fill,
        .mode = o->mode,
        .channels = o->channels,
        .pixels = o->pixels,
    };

    for (int i = 0; i < TENSOR_RANK_MAX; i++) {
        map.dims[i] = o->dims[i] + UINT64_C(1);
        map.box[i] = o->box[i] ^ 1u;
        map.element_strides[i] = o->element_strides[i] ^ 1u;
        if (i + 1 < TENSOR_RANK_MAX)
            map.strides[i] = o->strides[i];
    }
    for (int i = 0; i < TENSOR_SPACE_MAX; i++) {
        map.lower[i] = o->lower[i];
        map.upper[i] = o->upper[i];
    }
    return map;
}

/* A field that every map has and nobody gave to this one, which began as zeros; NULL for none. */
static const char *missing(const struct object *o)
{
    static const struct {
        const char *name;
        uint32_t set;
        int more; /* an array: entries of rank + more */
    } fields[] = { { "global_address", SET_ADDRESS, 0 }, { "rank", SET_RANK, 0 },
                   { "elemtype", SET_TYPE, 0 },          { "box_dim", SET_BOX, 1 },
                   { "global_dim", SET_DIM, 1 },         { "global_stride", SET_STRIDE, 0 } };

    if (o->set & ENCODED)
        return NULL;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const bool array = fields[i].set >= SET_BOX;
        const int rank = o->rank < TENSOR_RANK_MAX ? o->rank : 0;
        const int entries = array ? rank + fields[i].more : 1;
        for (int k = 0; k < entries; k++)
            if (!(o->set & fields[i].set << k))
                return fields[i].name;
    }
    return NULL;
}

bool emu_map_decode(const void *object, struct tensor_map *map, char *why, size_t size)
{
    struct object o;

    memcpy(&o, object, sizeof o);
    if (all_zero(&o)) {
        snprintf(why, size, "128 zero bytes, which are no tensor map");
        return false;
    }
    if (o.check != check_of(&o)) {
        snprintf(why, size, "128 bytes that no encode call made, or that were changed or copied in part since");
        return false;
    }
    if (missing(&o)) {
        snprintf(why, size, "a tensor map made on the device whose %s was not set for each of its %u dimensions",
                 missing(&o), o.rank + 1u);
        return false;
    }
    *map = map_of(&o);
    return true;
}

static void check_align(struct emu_thread *t, uint64_t address)
{
    if (address % 64)
        emu_bad_access(t, &rule_tmap_align, address, TENSOR_MAP_BYTES, "a tensor map at 0x%llx, no multiple of 64",
                       (unsigned long long)address);
}

/* What tensormap.replace made has to keep the encoder's limits. */
static void check_edited(struct emu_thread *t, uint64_t address, const struct tensor_map *map)
{
    struct tensor_map_fault faults[16];
    const size_t n = tensor_map_check(map, faults, 16);

    for (size_t i = 0; i < n && i < 16; i++)
        if (!faults[i].tolerated)
            emu_bad_access(t, faults[i].rule, address, TENSOR_MAP_BYTES,
                           "tensormap.replace gave a map a %s of %llu; it has to be %s", faults[i].argument,
                           (unsigned long long)faults[i].value, faults[i].limit);
}

struct tensor_map emu_map_at(struct emu_thread *t, uint64_t address)
{
    struct tensor_map map;
    struct emu_cta *cta = NULL;
    struct object o;
    char why[200];

    check_align(t, address);
    if (address >= EMU_LOCAL_WINDOW && address < EMU_SHARED_WINDOW)
        emu_bad_access(t, &rule_tmap_space_local, address, sizeof o, "a tensor map in local memory");
    memcpy(&o, emu_bytes(t, PTX_none, address, sizeof o, 1, EMU_READ, NULL, &cta), sizeof o);
    if (cta)
        emu_bad_access(t, &rule_tmap_space_shared, address, sizeof o, "a tensor map in shared memory");
    if (!emu_map_decode(&o, &map, why, sizeof why))
        emu_bad_access(t, &rule_tmap_size, address, sizeof o, "%s", why);
    if (o.set & EDITED)
        check_edited(t, address, &map);
    return map;
}

/* ---- tensormap.replace ------------------------------------------------------------------------------------------- */

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
static bool replace_field(struct object *o, enum field field, uint64_t ord, uint64_t value)
{
    const uint32_t bit = 1u << (fields[field].array ? ord : 0);

    if (fields[field].array && ord >= (field == STRIDE ? TENSOR_RANK_MAX - 1u : TENSOR_RANK_MAX))
        return false;
    switch (field) {
    case ADDRESS:
        o->address = value;
        o->set |= SET_ADDRESS;
        break;
    case RANK:
        o->rank = (uint8_t)at_most(value, TENSOR_RANK_MAX);
        o->set |= SET_RANK;
        break;
    case BOX:
        o->box[ord] = (uint16_t)(at_most(value, UINT16_MAX) ^ 1);
        o->set |= SET_BOX * bit;
        break;
    case DIM:
        o->dims[ord] = (uint32_t)value - 1;
        o->set |= SET_DIM * bit;
        break;
    case STRIDE:
        o->strides[ord] = value;
        o->set |= SET_STRIDE * bit;
        break;
    case ELEMENT_STRIDE: o->element_strides[ord] = (uint8_t)(at_most(value, UINT8_MAX) ^ 1); break;
    case TYPE:
        o->type = element_types[at_most(value, sizeof element_types - 1)];
        o->set |= SET_TYPE;
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
    struct object o;

    check_align(t, address);
    bytes = emu_bytes(t, op->space, address, sizeof o, 1, EMU_WRITE, &at, &cta);
    if (emu_watched(t, cta))
        emu_watch_of(t)->access(t, cta ? PTX_shared : PTX_global, cta, cta ? at : address, sizeof o, EMU_WRITE);
    memcpy(&o, bytes, sizeof o);
    if (!all_zero(&o) && o.check != check_of(&o))
        emu_bad_access(t, &rule_tmap_size, address, sizeof o,
                       "tensormap.replace on 128 bytes that are no tensor map: no encode call made them, or they were "
                       "changed or copied in part since");
    if (o.mode == TENSOR_MODE_IM2COL)
        emu_bad_access(t, &rule_tensor_tile_mode_match, address, sizeof o, "tensormap.replace.tile on an im2col map");
    o.set |= EDITED;
    if (!replace_field(&o, op->map.field, op->map.entry, t->r[op->b]))
        emu_bad_access(t, NULL, address, sizeof o, "tensormap.replace of entry %u, which a tensor map has not",
                       op->map.entry);
    o.check = check_of(&o);
    memcpy(bytes, &o, sizeof o);
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
    if (watch)
        watch->meet(met, n);
    check_align(t, to);
    check_align(t, from);
    bytes = emu_bytes(t, PTX_shared_cta, from, sizeof object, 1, EMU_READ, &at, &cta);
    if (emu_watched(t, cta))
        emu_watch_of(t)->access(t, PTX_shared, cta, at, sizeof object, EMU_READ);
    memcpy(object, bytes, sizeof object);
    bytes = emu_bytes(t, PTX_global, to, sizeof object, 1, EMU_WRITE, NULL, NULL);
    if (watch)
        watch->access(t, PTX_global, NULL, to, sizeof object, EMU_WRITE);
    memcpy(bytes, object, sizeof object);
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
