/* Grids that threads launch, from the making of their parameters' buffer on. */
#include "harness/emu/machine/children.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/base/sorted.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/written.h"

enum { BUFFERS = 8 << 20, ALIGN = 64 };

/* At the beginning of the region. */
static const char no_error[ALIGN] = "no error";

/* The buffers' region, made at the first launch: by then the clusters take turns, so that the list of regions may
 * change. */
static bool prepare(struct emu *e)
{
    const struct emu_region *r;

    if (!e->children)
        e->children = calloc(1, sizeof *e->children);
    if (!e->children || e->children->at)
        return e->children != NULL;
    r = emu_region_add(e, BUFFERS, ALIGN, "launch parameters");
    e->children->at = r ? r->at : 0;
    e->children->used = sizeof no_error;
    return r && emu_region_write(e, r->at, no_error, sizeof no_error);
}

/* A further place in the list. */
static struct emu_child *next(struct emu_children *c)
{
    struct emu_child *all = ck_room(c->all, c->count, &c->room, 16, sizeof *all);

    if (!all)
        return NULL;
    c->all = all;
    return &all[c->count];
}

uint64_t emu_child_prepare(struct emu *e, const struct emu_child *child)
{
    const uint64_t bytes = (child->entry->param_bytes + ALIGN) / ALIGN * ALIGN;
    struct emu_children *c;
    struct emu_child *place;

    if (!prepare(e))
        return 0;
    c = e->children;
    place = bytes > BUFFERS - c->used ? NULL : next(c);
    if (!place)
        return 0;
    *place = *child;
    place->buffer = c->at + c->used;
    c->used += bytes;
    c->count++;
    return place->buffer;
}

bool emu_child_is_buffer(const struct emu *e, uint64_t address)
{
    return e->children && address - e->children->at < BUFFERS;
}

bool emu_child_copy(struct emu *e, const struct emu_child *copy)
{
    struct emu_child *place = prepare(e) && e->children->used <= BUFFERS - ALIGN ? next(e->children) : NULL;

    if (!place)
        return false;
    *place = *copy;
    place->buffer = e->children->at + e->children->used; /* the list is in order of these */
    e->children->used += ALIGN;
    e->children->count++;
    return true;
}

bool emu_child_move(struct emu *e, const struct emu_child *copy)
{
    unsigned char chunk[4096];
    bool fine = true;

    memset(chunk, copy->value, sizeof chunk);
    for (uint64_t done = 0, n; done < copy->bytes && fine; done += n) {
        n = copy->bytes - done < sizeof chunk ? copy->bytes - done : sizeof chunk;
        fine = (!copy->from || emu_region_read(e, chunk, copy->from + done, n)) &&
               emu_region_write(e, copy->to + done, chunk, n);
    }
    if (copy->from && fine)
        emu_written_copy(e, copy->to, copy->from, copy->bytes);
    return fine;
}

uint64_t emu_child_no_error(struct emu *e)
{
    return prepare(e) ? e->children->at : 0;
}

static uint64_t buffer_of(const void *child)
{
    return ((const struct emu_child *)child)->buffer;
}

struct emu_child *emu_child_launch(struct emu *e, uint64_t buffer, bool tail)
{
    struct emu_children *c = e->children;
    const size_t i = c ? ck_sorted_from(c->all, c->count, sizeof *c->all, buffer_of, buffer) : 0;
    struct emu_child *child = c && i < c->count ? &c->all[i] : NULL;

    if (!child || child->buffer != buffer || child->params || !child->entry)
        return NULL;
    child->params = malloc(child->entry->param_bytes + 1);
    child->tail = tail;
    return child->params && emu_region_read(e, child->params, buffer, child->entry->param_bytes) ? child : NULL;
}

struct emu_children emu_children_take(struct emu *e)
{
    struct emu_children taken = { 0 };

    if (e->children) {
        taken = *e->children;
        *e->children = (struct emu_children){ .at = taken.at, .used = sizeof no_error };
    }
    return taken;
}

void emu_children_end(struct emu_children *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->all[i].params);
    free(c->all);
    *c = (struct emu_children){ 0 };
}

void emu_children_free(struct emu *e)
{
    if (e->children)
        emu_children_end(e->children);
    free(e->children);
    e->children = NULL;
}
// SPDX-License-Identifier: Apache-2.0
