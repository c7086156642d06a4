/* A toolkit's compiler of CUDA Tile as an engine: nvcc, whose last part is tileiras. */
#include "harness/engines/tile.h"

#include <stdio.h>

#include "harness/engines/nvcc.h"

static bool tile_speaks(const struct ck_engine *e, enum ck_language language)
{
    (void)e;
    return language == CK_TILE_CPP;
}

static const struct ck_engine_ops tile_ops = {
    .open = ck_nvcc_open,
    .close = ck_nvcc_close,
    .speaks = tile_speaks,
    .compile = ck_nvcc_compile,
};

bool ck_tile_engine(const char *folder, struct ck_engine *out, char *error, size_t size)
{
    if (!ck_nvcc_with(folder, "bin/tileiras", out, error, size))
        return false;
    if (out->toolkit < CK_TILE_OLDEST) {
        snprintf(error, size, "toolkit %d.%d does not compile tile kernels for sm_90: 13.3 and newer do",
                 out->toolkit / 10, out->toolkit % 10);
        return false;
    }
    out->ops = &tile_ops;
    snprintf(out->name, sizeof out->name, "tile-%d.%d", out->toolkit / 10, out->toolkit % 10);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
