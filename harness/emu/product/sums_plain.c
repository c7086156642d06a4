/* Sums of products for any processor. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "harness/emu/product/sums_loops.h"
#include "harness/emu/product/wide_loops.h"
#include "harness/emu/product/tile_loops.h"
#include "harness/emu/product/wide_tile.h"
#include "harness/emu/product/tile_ways.h"

const struct sums_loops sums_plain = { "plain C", 4,      NULL,  convert,  ready,    finish,
                                       turn,      floats, widen, wide_row, integers, tile };
// SPDX-License-Identifier: Apache-2.0
