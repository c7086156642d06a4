/* The 128-byte object that stands for a tensor map in memory: what encode calls make, tensor copies read and
 * tensormap.replace edits. */
#ifndef COPYCHECK_EMU_COPIES_MAP_OBJECT_H
#define COPYCHECK_EMU_COPIES_MAP_OBJECT_H

#include "expected/tensor_map.h"
#include "harness/emu/machine/state.h"

/* The map that the object at this generic address stands for. An object that is misplaced (tmap.align,
 * tmap.space.shared), that nobody encoded, that was cut or changed since (tmap.size), or that tensormap.replace left
 * outside the encoder's limits ends the grid. */
struct tensor_map emu_map_at(struct emu_thread *t, uint64_t address);

/* Puts the object of a legal map into 128 bytes: equal maps make equal objects. Also in emu.h. */
void emu_map_object(const struct tensor_map *map, void *object);
/* What the 128 bytes stand for. False, with a line that says why, where they are no object. */
bool emu_map_decode(const void *object, struct tensor_map *map, char *why, size_t size);

#endif
