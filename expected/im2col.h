/* What tile.c asks of im2col.c. */
#ifndef COPYCHECK_IM2COL_H
#define COPYCHECK_IM2COL_H

#include "expected/oracle.h"

/* tensor_tile_each of a map in im2col mode. */
void tensor_im2col_each(const struct tensor_map *map, const int32_t corner[], tensor_element_fn *visit, void *context);

#endif
// SPDX-License-Identifier: Apache-2.0
