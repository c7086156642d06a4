/* A toolkit's compiler of CUDA Tile as an engine: nvcc, whose last part is tileiras. */
#include "harness/engines/tile.h"

#include <stdio.h>
#include <string.h>

#include "harness/engines/nvcc.h"

/* ---- what nvcc writes ----------------------------------------------------------------------------------------- */

/* The place of the next ELF file for a GPU (its e_machine is 190) at or after `from`, or `bytes`. */
static size_t next_image(const unsigned char *object, size_t bytes, size_t from)
{
    static const unsigned char magic[] = { 0x7f, 'E', 'L', 'F' };

    for (size_t i = from; i + 64 <= bytes; i++)
        if (!memcmp(object + i, magic, sizeof magic) && object[i + 18] == 190 && !object[i + 19])
            return i;
    return bytes;
}

void ck_tile_images(const unsigned char *object, size_t bytes, char *names, size_t size)
{
    static const char mark[] = "__CUDA_TILEIR"; /* a symbol of every tile image */
    bool tile = false, simt = false;

    for (size_t at = next_image(object, bytes, 0), next; at < bytes; at = next) {
        next = next_image(object, bytes, at + 1);
        if (memmem(object + at, next - at, mark, sizeof mark - 1))
            tile = true;
        else
            simt = true;
    }
    snprintf(names, size, "%s%s%s", simt ? "simt" : "", simt && tile ? " " : "", tile ? "tile" : "");
}

/* ---- the engine ----------------------------------------------------------------------------------------------- */

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
