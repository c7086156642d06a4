/* The 128-byte object that represents a tensor map in memory: what encode calls make, tensor copies read and
 * tensormap.replace edits.
 *
 * The documents leave the object's bits open, so these are our own. Members are kept so that 0 is the least legal
 * value: kernels that make maps on the device begin with 128 zero bytes and replace every field. A check over all bytes
 * tells an object from bytes that nobody encoded, and a whole one from one that was cut or overwritten. */
#ifndef COPYCHECK_EMU_COPIES_MAP_OBJECT_H
#define COPYCHECK_EMU_COPIES_MAP_OBJECT_H

#include "harness/emu/copies/tile.h"
#include "harness/emu/machine/state.h"

/* Fields that tensormap.replace has given an object that began as zeros; an array's entries follow its bit. */
enum {
    MAP_SET_ADDRESS = 1,
    MAP_SET_RANK = 2,
    MAP_SET_TYPE = 4,
    MAP_SET_BOX = 8,
    MAP_SET_DIM = 256,
    MAP_SET_STRIDE = 8192
};
enum { MAP_ENCODED = 1 << 30, MAP_EDITED = 1 << 29 };

struct emu_map_object {
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

_Static_assert(sizeof(struct emu_map_object) == TENSOR_MAP_BYTES, "an object has 128 bytes");

/* The check over all bytes but the check's own; whether all bytes are 0. */
uint64_t emu_map_check(const struct emu_map_object *o);
bool emu_map_zero(const struct emu_map_object *o);
/* Ends the grid where the address of an object is not a multiple of 64. */
void emu_map_check_align(struct emu_thread *t, uint64_t address);

/* What the last objects that a cluster's copies read represent: their bytes, and what was made of them. */
struct emu_map_kept {
    struct emu_map_object object;
    struct tensor_map map;
    struct emu_tile_size size;
};

/* The map that the object at this generic address represents, until the next one is read. An object that is misplaced
 * (tmap.align, tmap.space.shared), that nobody encoded, that was cut or changed since (tmap.size), or that
 * tensormap.replace left outside the encoder's limits ends the grid. */
const struct emu_map_kept *emu_map_at(struct emu_thread *t, uint64_t address);

/* Puts the object of a legal map into 128 bytes: equal maps make equal objects. Also in emu.h. */
void emu_map_encode_object(const struct tensor_map *map, void *object);
/* The map that the 128 bytes represent. False, with a line that says why, where they are not an object. */
bool emu_map_decode(const void *object, struct tensor_map *map, char *why, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
