/* Tensor maps as objects in memory: encoded and read. */
#include "harness/emu/copies/map_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/emu/copies/flight.h"
#include "harness/emu/machine/address.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/thread.h"

uint64_t emu_map_check(const struct emu_map_object *o)
{
    uint64_t word, h = 0x70616d726f736e74u;

    for (size_t i = 0; i < offsetof(struct emu_map_object, check); i += sizeof word) {
        memcpy(&word, (const char *)o + i, sizeof word);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return h;
}

bool emu_map_zero(const struct emu_map_object *o)
{
    const unsigned char *bytes = (const unsigned char *)o;
    unsigned any = 0;

    for (size_t i = 0; i < sizeof *o; i++)
        any |= bytes[i];
    return !any;
}

void emu_map_encode_object(const struct tensor_map *map, void *object)
{
    struct emu_map_object o = {
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
        .set = MAP_ENCODED,
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
    o.check = emu_map_check(&o);
    memcpy(object, &o, sizeof o);
}

static struct tensor_map map_of(const struct emu_map_object *o)
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
static const char *missing(const struct emu_map_object *o)
{
    static const struct {
        const char *name;
        uint32_t set;
        int more; /* an array: entries of rank + more */
    } fields[] = { { "global_address", MAP_SET_ADDRESS, 0 }, { "rank", MAP_SET_RANK, 0 },
                   { "elemtype", MAP_SET_TYPE, 0 },          { "box_dim", MAP_SET_BOX, 1 },
                   { "global_dim", MAP_SET_DIM, 1 },         { "global_stride", MAP_SET_STRIDE, 0 } };

    if (o->set & MAP_ENCODED)
        return NULL;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const bool array = fields[i].set >= MAP_SET_BOX;
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
    struct emu_map_object o;

    memcpy(&o, object, sizeof o);
    if (emu_map_zero(&o)) {
        snprintf(why, size, "128 zero bytes, which are not a tensor map");
        return false;
    }
    if (o.check != emu_map_check(&o)) {
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

void emu_map_check_align(struct emu_thread *t, uint64_t address)
{
    char where[140];

    if (address % 64 == 0)
        return;
    emu_spot_words(t, PTX_none, address, where, sizeof where);
    emu_bad_access(t, &rule_tmap_align, address, TENSOR_MAP_BYTES, "a tensor map at %s, not a multiple of 64", where);
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

/* Where the object at this address is kept: a copy's maps lie one behind the other. */
static struct emu_map_kept *place_of(struct emu_thread *t, uint64_t address)
{
    enum { KEPT = 4 };
    struct emu_flights *list = emu_flights_of(t->cta->cluster);

    if (list && !list->maps)
        list->maps = calloc(KEPT, sizeof *list->maps);
    if (!list || !list->maps)
        emu_starve(t, "a tensor map");
    return &list->maps[address / TENSOR_MAP_BYTES % KEPT];
}

/* Maps are read from memory each time, and what is made of the bytes is kept until they are others. */
const struct emu_map_kept *emu_map_at(struct emu_thread *t, uint64_t address)
{
    struct emu_map_kept *kept = place_of(t, address);
    struct tensor_map map;
    struct emu_cta *cta = NULL;
    struct emu_map_object o;
    const void *bytes;
    char why[200];

    emu_map_check_align(t, address);
    if (address >= EMU_LOCAL_WINDOW && address < EMU_SHARED_WINDOW)
        emu_bad_access(t, &rule_tmap_space_local, address, sizeof o, "a tensor map in local memory");
    bytes = emu_bytes(t, PTX_none, address, sizeof o, 1, EMU_READ, NULL, &cta);
    if (cta)
        emu_bad_access(t, &rule_tmap_space_shared, address, sizeof o, "a tensor map in shared memory");
    if (kept->map.rank && memcmp(&kept->object, bytes, sizeof o) == 0)
        return kept;
    memcpy(&o, bytes, sizeof o);
    if (!emu_map_decode(&o, &map, why, sizeof why))
        emu_bad_access(t, &rule_tmap_size, address, sizeof o, "%s", why);
    if (o.set & MAP_EDITED)
        check_edited(t, address, &map);
    *kept = (struct emu_map_kept){ o, map, emu_tile_size(&map) };
    return kept;
}
// SPDX-License-Identifier: Apache-2.0
