/* Memory that clusters give back when they end, for those that begin. */
#include "harness/emu/machine/spare.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 1024 };

void *emu_spare_take(struct emu_spare *spare, size_t bytes)
{
    for (unsigned i = spare->n; i-- > 0;) {
        void *const at = spare->pieces[i].at;
        if (spare->pieces[i].bytes != bytes)
            continue;
        spare->n--;
        spare->bytes -= bytes;
        memmove(&spare->pieces[i], &spare->pieces[i + 1], (spare->n - i) * sizeof *spare->pieces);
        return at;
    }
    return aligned_alloc(ALIGN, bytes / ALIGN * ALIGN + ALIGN);
}

void *emu_spare_zeros(struct emu_spare *spare, size_t bytes)
{
    void *const at = emu_spare_take(spare, bytes);

    if (at)
        memset(at, 0, bytes);
    return at;
}

void emu_spare_give(struct emu_spare *spare, void *piece, size_t bytes)
{
    if (!piece)
        return;
    if (spare->n == EMU_SPARE_PIECES || bytes > EMU_SPARE_BYTES - spare->bytes) {
        free(piece);
        return;
    }
    spare->pieces[spare->n++] = (struct emu_piece){ piece, bytes };
    spare->bytes += bytes;
}

void emu_spare_trim(struct emu_spare *spare, size_t most)
{
    unsigned gone = 0;

    while (spare->bytes > most) {
        free(spare->pieces[gone].at);
        spare->bytes -= spare->pieces[gone++].bytes;
    }
    spare->n -= gone;
    memmove(spare->pieces, spare->pieces + gone, gone ? spare->n * sizeof *spare->pieces : 0);
}

void emu_spare_free(struct emu_spare *spare)
{
    while (spare->n)
        free(spare->pieces[--spare->n].at);
    spare->bytes = 0;
}
// SPDX-License-Identifier: Apache-2.0
