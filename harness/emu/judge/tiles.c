/* Reads of swizzled tiles as if they were not: asked for by an option, since nothing says which element a read means.
 *
 * A program that reads elements in order, by lanes of a warp or one after the other, meets them at addresses in equal
 * steps where a tile is not swizzled. In a swizzled one the addresses of elements in order are not in equal steps,
 * unless all lie in one 16-byte piece or in lines that the pattern treats alike. So a read whose addresses go in equal
 * steps, and whose elements, the pattern undone, do not, looks like one that takes the tile for unswizzled. A sum, or a
 * copy of the whole image, may mean it so. If the elements would go in equal steps with a pattern of offsets in the
 * tile, the reader has undone that one, and not the one of the shared address; and if they would with the pattern of
 * another swizzle, it has undone that. */
#include "harness/emu/judge/tiles.h"

#include <stdio.h>
#include <stdlib.h>

#include "expected/oracle.h"
#include "harness/base/room.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/machine/findings.h"
#include "harness/maps/maps.h"

enum { VISITS = 8, GATHERS = 1024, LEAST = 4, LEAST_BY_OTHER = 8, LEAST_OF_RUN = 8, LINE_BYTES = 128 };

/* A tile that is in shared memory as its load left it. */
struct tile {
    uint32_t rank, at, bytes;
    uint32_t load, thread; /* instruction that issued it, and who */
    uint8_t swizzle;
};

/* The addresses that an instruction of a warp reads of tiles of one load: each lane's first few. */
struct gather {
    uint32_t at, first; /* instruction; the warp's first thread */
    uint32_t bytes;     /* that a lane reads at a time */
    struct tile of;
    uint8_t visits[EMU_WARP];
    uint32_t address[VISITS][EMU_WARP];
};

struct order_tiles {
    struct tile *tiles;
    size_t count, room;
    struct gather *gathers;
    size_t gather_count, gather_room;
};

struct order_tiles *order_tiles_new(void)
{
    return calloc(1, sizeof(struct order_tiles));
}

void order_tiles_free(struct order_tiles *tiles)
{
    if (!tiles)
        return;
    free(tiles->tiles);
    free(tiles->gathers);
    free(tiles);
}

static struct tile *tile_at(struct order_tiles *x, uint32_t rank, uint64_t address, uint64_t n)
{
    for (size_t i = 0; i < x->count; i++)
        if (x->tiles[i].rank == rank && address < x->tiles[i].at + x->tiles[i].bytes && address + n > x->tiles[i].at)
            return &x->tiles[i];
    return NULL;
}

static void overwritten(struct order_tiles *x, uint32_t rank, uint64_t address, uint64_t n)
{
    for (struct tile *t = tile_at(x, rank, address, n); t; t = tile_at(x, rank, address, n)) {
        x->count--;
        *t = x->tiles[x->count];
    }
}

void order_tiles_copy(struct order *o, const struct order_flight *f, uint64_t address, uint64_t n)
{
    struct order_tiles *x = o->tiles;

    for (uint32_t rank = 0; rank < o->cluster->cta_count; rank++) {
        struct tile *tiles;
        if (!(f->into >> rank & 1))
            continue;
        overwritten(x, rank, address, n);
        if (!f->tensor || f->swizzle == TENSOR_SWIZZLE_NONE)
            continue;
        tiles = ck_room(x->tiles, x->count, &x->room, 16, sizeof *tiles);
        if (!tiles) {
            o->failed = true;
            return;
        }
        x->tiles = tiles;
        tiles[x->count++] = (struct tile){ .rank = rank,
                                           .at = (uint32_t)address,
                                           .bytes = f->tile_bytes,
                                           .load = f->at,
                                           .thread = f->thread,
                                           .swizzle = f->swizzle };
    }
}

static struct gather *gather_of(struct order *o, const struct emu_thread *t, const struct tile *of, uint32_t bytes)
{
    struct order_tiles *x = o->tiles;
    const uint32_t at = (uint32_t)(t->pc[-1].source - o->module->instructions);
    const uint32_t first = order_number(o, t) - t->lane;
    struct gather *g;

    for (size_t i = 0; i < x->gather_count; i++) {
        g = &x->gathers[i];
        if (g->at == at && g->first == first && g->of.load == of->load)
            return g;
    }
    if (x->gather_count == GATHERS)
        return NULL;
    g = ck_room(x->gathers, x->gather_count, &x->gather_room, 16, sizeof *g);
    if (!g) {
        o->failed = true;
        return NULL;
    }
    x->gathers = g;
    g += x->gather_count++;
    *g = (struct gather){ .at = at, .first = first, .bytes = bytes, .of = *of };
    return g;
}

void order_tiles_access(struct order *o, const struct emu_thread *t, const struct emu_cta *cta, uint64_t address,
                        uint64_t n, bool writes)
{
    const struct tile *tile = tile_at(o->tiles, cta->rank, address, n);
    struct gather *g;

    if (!tile)
        return;
    if (writes) {
        overwritten(o->tiles, cta->rank, address, n);
        return;
    }
    g = gather_of(o, t, tile, (uint32_t)n);
    if (g && g->visits[t->lane] < VISITS)
        g->address[g->visits[t->lane]++][t->lane] = (uint32_t)address;
}

static bool equal_steps(const uint32_t *address, unsigned n)
{
    const int64_t step = (int64_t)address[1] - address[0];

    for (unsigned i = 2; i < n; i++)
        if ((int64_t)address[i] - address[i - 1] != step)
            return false;
    return true;
}

/* As what a tile is read where it should be undone by its pattern: as if there were none; by the pattern of offsets in
 * it, which is another one where it does not start where the pattern repeats; by the pattern of another swizzle. */
enum reading { AS_SWIZZLED, AS_NATURAL, BY_OFFSET, BY_32B, BY_64B, BY_128B };

static const uint8_t swizzle_of[] = {
    [BY_32B] = TENSOR_SWIZZLE_32B, [BY_64B] = TENSOR_SWIZZLE_64B, [BY_128B] = TENSOR_SWIZZLE_128B
};

/* By which other pattern these addresses are of elements in equal steps. */
static enum reading by_other(const struct tile *tile, const uint32_t *address, unsigned n)
{
    uint32_t element[EMU_WARP];

    for (enum reading how = BY_32B; how <= BY_128B && n >= LEAST_BY_OTHER; how++) {
        for (unsigned i = 0; i < n; i++)
            element[i] = (uint32_t)tensor_swizzle(swizzle_of[how], address[i]);
        if (swizzle_of[how] != tile->swizzle && equal_steps(element, n))
            return how;
    }
    return AS_SWIZZLED;
}

/* How these reads look whose elements, by the tile's pattern, do not go in equal steps. */
static enum reading looks(const struct tile *tile, const uint32_t *address, unsigned n)
{
    uint32_t element[EMU_WARP] = { 0 }, offset[EMU_WARP] = { 0 };

    if (n < LEAST)
        return AS_SWIZZLED;
    for (unsigned i = 0; i < n; i++) {
        element[i] = (uint32_t)tensor_swizzle(tile->swizzle, address[i]);
        offset[i] = (uint32_t)tensor_swizzle(tile->swizzle, address[i] - tile->at);
    }
    if (equal_steps(element, n))
        return AS_SWIZZLED;
    return equal_steps(address, n) ? AS_NATURAL : equal_steps(offset, n) ? BY_OFFSET : by_other(tile, address, n);
}

/* All of them, the first half or quarter, as ldmatrix takes rows from eight lanes each; or every second, fourth or
 * eighth: lanes may cover a matrix in rows. Keeps those that look so, and says how many. */
static enum reading some_look(const struct tile *tile, uint32_t *address, unsigned *n)
{
    enum reading how = looks(tile, address, *n);

    for (unsigned part = *n / 2; how == AS_SWIZZLED && part >= LEAST_OF_RUN; part /= 2) {
        how = looks(tile, address, part);
        if (how != AS_SWIZZLED)
            *n = part;
    }
    while (how == AS_SWIZZLED && *n / 2 >= LEAST) {
        *n /= 2;
        for (unsigned i = 0; i < *n; i++)
            address[i] = address[2 * i];
        how = looks(tile, address, *n);
    }
    return how;
}

/* What to do instead of these reads, `step` bytes apart. */
static void remedy(struct emu_finding *f, const struct tile *tile, enum reading how, int step)
{
    const char *mask = tile->swizzle == TENSOR_SWIZZLE_32B    ? "0x10"
                       : tile->swizzle == TENSOR_SWIZZLE_64B  ? "0x30"
                       : tile->swizzle == TENSOR_SWIZZLE_128B ? "0x70"
                                                              : NULL;

    if (how == BY_OFFSET)
        snprintf(f->remedy, sizeof f->remedy, "align the tile to %d bytes, or take the pattern from the shared address",
                 tile->swizzle == TENSOR_SWIZZLE_32B   ? 256
                 : tile->swizzle == TENSOR_SWIZZLE_64B ? 512
                                                       : 1024);
    else if (mask)
        snprintf(
            f->remedy, sizeof f->remedy, "find what would be at address a without swizzle at a ^ (a >> 3 & %s)%s", mask,
            (step > 16 || step < -16) && step % 16 ? ": pieces of 16 bytes change places, what is in a piece does not"
                                                   : "");
    else
        snprintf(f->remedy, sizeof f->remedy, "%s",
                 "find what would be at address a without swizzle at its place in the pattern");
}

/* `lane` read at address[0]; who reads at the `n` addresses is said in words. */
static void report(struct order *o, const struct gather *g, enum reading how, const uint32_t *address, unsigned n,
                   unsigned lane, const char *who)
{
    struct emu_finding f = { .rule = &rule_swz_reader_as_writer };
    const uint64_t key = 1ull << 62 | (uint64_t)g->of.rank << 32 | address[0], line = address[0] & ~(LINE_BYTES - 1u);
    const uint64_t end = (uint64_t)g->of.at + g->of.bytes;
    const char *wrong = "equal steps, and the tile there was loaded";
    char other[80];

    if (how == BY_OFFSET) {
        f.also[0] = &rule_swz_absolute_address;
        wrong = "equal steps if the pattern is taken from the offset in the tile, which was loaded";
    }
    if (how >= BY_32B) {
        snprintf(other, sizeof other, "equal steps by the pattern of swizzle %s, and the tile there was loaded",
                 tensor_swizzle_name(swizzle_of[how]));
        wrong = other;
    }
    order_place_of(o, g->first + lane, g->at, key, g->bytes, &f.here);
    order_place_of(o, g->of.thread, g->of.load, key, 0, &f.there);
    if (emu_filed(o->cluster->grid, f.rule, f.here.at, f.there.at))
        return;
    snprintf(
        f.message, sizeof f.message,
        "%u %s of the warp of thread %u,%u,%u of CTA %u,%u,%u (line %u) read at %u, %u, %u ...: %s with swizzle %s "
        "(line %u) at %u, so these are not elements in order",
        n, who, f.here.tid[0], f.here.tid[1], f.here.tid[2], f.here.ctaid[0], f.here.ctaid[1], f.here.ctaid[2],
        f.here.at ? f.here.at->line : 0, address[0], address[1], address[2], wrong, tensor_swizzle_name(g->of.swizzle),
        f.there.at ? f.there.at->line : 0, g->of.at);
    remedy(&f, &g->of, how, (int)(address[1] - address[0]));
    if (how == AS_NATURAL)
        ck_swizzle_pair(f.table, sizeof f.table, g->of.swizzle, TENSOR_SWIZZLE_NONE, line, end - line);
    emu_file(o->cluster->grid, &f);
}

void order_tiles_end(struct order *o)
{
    for (size_t i = 0; i < o->tiles->gather_count; i++) {
        const struct gather *g = &o->tiles->gathers[i];
        uint32_t address[EMU_WARP];
        enum reading how;
        for (unsigned visit = 0; visit < VISITS; visit++) { /* the lanes, at each of their turns */
            unsigned n = 0, first = EMU_WARP;
            for (unsigned lane = 0; lane < EMU_WARP; lane++)
                if (visit < g->visits[lane]) {
                    first = n ? first : lane;
                    address[n++] = g->address[visit][lane];
                }
            how = some_look(&g->of, address, &n);
            if (how != AS_SWIZZLED)
                report(o, g, how, address, n, first, "lanes");
        }
        for (unsigned lane = 0; lane < EMU_WARP; lane++) { /* each lane, turn after turn */
            for (unsigned visit = 0; visit < g->visits[lane]; visit++)
                address[visit] = g->address[visit][lane];
            how = looks(&g->of, address, g->visits[lane]);
            if (how != AS_SWIZZLED)
                report(o, g, how, address, g->visits[lane], lane, "turns of a lane");
        }
    }
}
// SPDX-License-Identifier: Apache-2.0
