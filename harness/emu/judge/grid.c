/* What the clusters of a grid have in common: the copies that were issued, and the locations of global memory through
 * which threads synchronise. It outlives each cluster: a later cluster may conflict with one that has ended. */
#include "harness/emu/judge/grid.h"

#include <stdlib.h>

#include "harness/emu/judge/idle.h"
#include "harness/emu/judge/known.h"
#include "harness/emu/judge/objects.h"

/* Copies of clusters that have ended are kept up to so many: they count as known then. */
enum { KEPT_FLIGHTS = 1 << 20 };

/* ---- copies ------------------------------------------------------------------------------------------------------ */

static void free_chunk(struct order_flight **chunk)
{
    for (uint32_t i = 0; *chunk && i < FLIGHT_CHUNK; i++)
        free((*chunk)[i].bars);
    free(*chunk);
    *chunk = NULL;
}

struct order_flight *order_flight_at(const struct order *o, uint32_t number)
{
    const struct order_grid *g = o->grid;
    struct order_flight *chunk = number / FLIGHT_CHUNK < g->chunk_count ? g->chunks[number / FLIGHT_CHUNK] : NULL;

    return chunk ? &chunk[number % FLIGHT_CHUNK] : NULL;
}

struct order_flight *order_flight_mine(const struct order *o, uint32_t i)
{
    return order_flight_at(o, o->chunks[i / FLIGHT_CHUNK] * FLIGHT_CHUNK + i % FLIGHT_CHUNK);
}

/* A chunk of flights in the grid that belongs to this cluster. */
static bool new_chunk(struct order *o)
{
    struct order_grid *g = o->grid;

    if (g->chunk_count == g->chunk_room) {
        const uint32_t room = g->chunk_room ? g->chunk_room * 2 : 64;
        struct order_flight **more =
            room < RECORD_FLIGHT / FLIGHT_CHUNK ? realloc(g->chunks, room * sizeof(void *)) : NULL;
        if (!more)
            return false;
        g->chunks = more;
        g->chunk_room = room;
    }
    if (o->flight_count / FLIGHT_CHUNK == o->chunk_room) {
        const uint32_t room = o->chunk_room ? o->chunk_room * 2 : 8;
        uint32_t *more = realloc(o->chunks, room * sizeof *more);
        if (!more)
            return false;
        o->chunks = more;
        o->chunk_room = room;
    }
    g->chunks[g->chunk_count] = calloc(FLIGHT_CHUNK, sizeof **g->chunks);
    if (!g->chunks[g->chunk_count])
        return false;
    o->chunks[o->flight_count / FLIGHT_CHUNK] = g->chunk_count++;
    return true;
}

struct order_flight *order_flight_new(struct order *o, uint32_t *number)
{
    if (o->flight_count % FLIGHT_CHUNK == 0 && !new_chunk(o)) {
        o->failed = true;
        return NULL;
    }
    *number = o->chunks[o->flight_count / FLIGHT_CHUNK] * FLIGHT_CHUNK + o->flight_count % FLIGHT_CHUNK;
    o->flight_count++;
    return order_flight_at(o, *number);
}

/* The cluster has ended: its copies stay as long as there is room for them. */
void order_flights_end(struct order *o)
{
    struct order_grid *g = o->grid;
    const uint32_t chunks = (o->flight_count + FLIGHT_CHUNK - 1) / FLIGHT_CHUNK;
    const bool keep = g->kept + chunks * FLIGHT_CHUNK <= KEPT_FLIGHTS;

    if (keep)
        g->kept += chunks * FLIGHT_CHUNK;
    for (uint32_t i = 0; i < chunks && !keep; i++)
        free_chunk(&g->chunks[o->chunks[i]]);
    free(o->chunks);
}

/* Where the location of this key is, or would be: at most half of the room is taken. */
static struct order_flag *flag_slot(const struct order_flags *flags, uint64_t key)
{
    uint64_t h = (key ^ key >> 29) * 0x9E3779B97F4A7C15u >> 32;

    while (flags->of[h & (flags->room - 1)].key && flags->of[h & (flags->room - 1)].key != key)
        h++;
    return &flags->of[h & (flags->room - 1)];
}

static bool more_flags(struct order_flags *flags)
{
    struct order_flags more = { .count = flags->count, .room = flags->room ? flags->room * 2 : 64 };

    more.of = calloc(more.room, sizeof *more.of);
    if (!more.of)
        return false;
    for (uint32_t i = 0; i < flags->room; i++)
        if (flags->of[i].key)
            *flag_slot(&more, flags->of[i].key) = flags->of[i];
    free(flags->of);
    *flags = more;
    return true;
}

struct order_flag *order_flag(struct order *o, struct order_flags *flags, uint64_t key, bool make)
{
    struct order_flag *f;

    if (make && flags->count * 2 >= flags->room && !more_flags(flags)) {
        o->failed = true;
        return NULL;
    }
    f = flags->room ? flag_slot(flags, key) : NULL;
    if (f && !f->key && make) {
        f->key = key;
        f->writer = PTX_NO;
        f->object.flag = true;
        f->object.global = !order_is_shared(key);
        flags->count++;
    }
    return f && f->key ? f : NULL;
}

void order_flags_free(struct order_flags *flags)
{
    for (uint32_t i = 0; i < flags->room; i++) {
        order_object_free(&flags->of[i].object);
        order_idle_drop(&flags->of[i]);
    }
    free(flags->of);
    *flags = (struct order_flags){ 0 };
}

void order_flights_free(struct order_grid *g)
{
    for (uint32_t i = 0; i < g->chunk_count; i++)
        free_chunk(&g->chunks[i]);
    free(g->chunks);
}
// SPDX-License-Identifier: Apache-2.0
