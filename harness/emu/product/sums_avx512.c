/* Sums of products for processors with AVX-512. */
#include "harness/emu/product/sums.h"

#ifdef SUMS_AVX2
#pragma GCC optimize("O3")
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
#include "harness/emu/product/sums_loops.h"
#include "harness/emu/product/wide_loops.h"
#include "harness/emu/product/tile_loops.h"
#include "harness/emu/product/wide_tile.h"
#include "harness/emu/product/tile_ways.h"

const struct sums_loops sums_avx512 = { "AVX-512", 16,     &sums_avx2, convert,  ready,    finish,
                                        turn,      floats, widen,      wide_row, integers, tile };
#endif
// SPDX-License-Identifier: Apache-2.0
