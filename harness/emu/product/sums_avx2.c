/* Sums of products for processors with AVX2. */
#include "harness/emu/product/sums.h"

#ifdef SUMS_AVX2
#pragma GCC optimize("O3")
#pragma GCC target("avx2,fma")
#include "harness/emu/product/sums_loops.h"
#include "harness/emu/product/wide_loops.h"
#include "harness/emu/product/tile_loops.h"
#include "harness/emu/product/wide_tile.h"
#include "harness/emu/product/tile_ways.h"

const struct sums_loops sums_avx2 = { "AVX2", 8,      &sums_plain, convert,  ready,    finish,
                                      turn,   floats, widen,       wide_row, integers, tile };
#endif
// SPDX-License-Identifier: Apache-2.0
