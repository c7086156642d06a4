/* The engine tile-VERSION: a toolkit's compiler of CUDA Tile C++, one process for each source. */
#ifndef COPYCHECK_TILE_H
#define COPYCHECK_TILE_H

#include "harness/engines/engine.h"

enum { CK_TILE_OLDEST = 133 }; /* the first toolkit that knows sm_90 as a tile target: 13.3 */

/* Fills in *out, not yet open, for the nvcc and tileiras of the toolkit in `folder`. False, with one line in `error`,
 * where it has none, or is older than 13.3. */
bool ck_tile_engine(const char *folder, struct ck_engine *out, char *error, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
