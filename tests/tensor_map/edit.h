/* What the cases of maps that are edited on the device share: a list of edits, and the load that follows them. */
#ifndef COPYCHECK_TESTS_EDIT_H
#define COPYCHECK_TESTS_EDIT_H

#include "kernels/tmap_replace.h"
#include "tests/tensor/box.h"

void edit_add(struct tmap_replace_args *a, enum tmap_field field, int entry, uint64_t value);
/* Every field of a map whose tensor starts at device address `address`. */
void edit_all(struct tmap_replace_args *a, const struct tensor_map *map, uint64_t address);
/* The number of a type in tensormap.replace; the ISA numbers the types in another order than the driver does. */
uint64_t edit_type_number(int64_t type);
/* The arguments but for the map and the edits; `home` becomes room for a map, and for another one behind it. */
void edit_fill_in(struct ck *t, const struct box *b, struct tmap_replace_args *a);
/* Launches with the edits of `a` and compares the tile. */
void edit_launch(struct ck *t, const struct box *b, struct tmap_replace_args *a, const char *kernel);

#endif
// SPDX-License-Identifier: Apache-2.0
