/* A tile that one copy laid out in shared memory by its map's swizzle, and another takes out by that of its own. */
#include "harness/emu/judge/swizzle.h"

#include <stdio.h>

#include "expected/oracle.h"
#include "harness/emu/judge/grid.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/machine/findings.h"
#include "harness/maps/maps.h"

enum { PIECE = 16 };

/* Bytes that both tiles take in. */
static void both(const struct order_flight *a, const struct order_flight *b, uint64_t *first, uint64_t *end)
{
    const uint64_t a_end = (uint64_t)a->tile + a->tile_bytes, b_end = (uint64_t)b->tile + b->tile_bytes;

    *first = (a->tile > b->tile ? a->tile : b->tile) & ~(uint64_t)(PIECE - 1);
    *end = a_end < b_end ? a_end : b_end;
}

void order_swizzle_meet(const struct order_access *x, uint32_t writer)
{
    const struct order_flight *w = order_flight_at(x->o, writer), *r = order_flight_at(x->o, x->flight);
    uint64_t at, end;

    if (*x->laid || !w || !r || !w->tensor || w->swizzle == r->swizzle)
        return;
    both(w, r, &at, &end);
    for (; at < end && !*x->laid; at += PIECE) /* a short tile may not reach to where the patterns differ */
        if (tensor_swizzle(w->swizzle, at) != tensor_swizzle(r->swizzle, at))
            *x->laid = 1 + writer;
}

void order_swizzle_report(struct order *o, struct emu_thread *t, const struct order_flight *reader,
                          const struct order_flight *writer)
{
    struct emu_finding f = { .rule = &rule_swz_reader_as_writer };
    uint64_t first, end, wrong;

    both(writer, reader, &first, &end);
    order_place_of(o, reader->thread, reader->at, order_shared_key(t->cta, first), end - first, &f.here);
    order_place_of(o, writer->thread, writer->at, order_shared_key(t->cta, first), end - first, &f.there);
    if (emu_filed(o->cluster->grid, f.rule, f.here.at, f.there.at))
        return;
    wrong = ck_swizzle_pair(f.table, sizeof f.table, writer->swizzle, reader->swizzle, first, end - first);
    snprintf(f.message, sizeof f.message,
             "bytes %llu to %llu of shared memory hold a tile that was loaded with swizzle %s (line %u), and a %s "
             "with swizzle %s reads them (line %u): %llu of %llu pieces of 16 bytes from the wrong places",
             (unsigned long long)first, (unsigned long long)end - 1, tensor_swizzle_name(writer->swizzle),
             f.there.at ? f.there.at->line : 0, reader->kind == COPY_WGMMA ? "wgmma" : "copy",
             tensor_swizzle_name(reader->swizzle), f.here.at ? f.here.at->line : 0, (unsigned long long)wrong,
             (unsigned long long)((end - first + PIECE - 1) / PIECE));
    emu_file(o->cluster->grid, &f);
}
// SPDX-License-Identifier: Apache-2.0
