/* Grids that threads launch, from the making of their parameters' buffer on. */
#include "harness/emu/machine/children.h"

#include <stdlib.h>

#include "harness/base/room.h"
#include "harness/emu/machine/regions.h"

enum { BUFFERS = 8 << 20, ALIGN = 64 };

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
    return r != NULL;
}

uint64_t emu_child_prepare(struct emu *e, const struct emu_child *child)
{
    const uint64_t bytes = (child->entry->param_bytes + ALIGN) / ALIGN * ALIGN;
    struct emu_children *c;
    struct emu_child *all;

    if (!prepare(e))
        return 0;
    c = e->children;
    all = bytes > BUFFERS - c->used ? NULL : ck_room(c->all, c->count, &c->room, 16, sizeof *all);
    if (!all)
        return 0;
    c->all = all;
    all[c->count] = *child;
    all[c->count].buffer = c->at + c->used;
    c->used += bytes;
    return all[c->count++].buffer;
}

bool emu_child_launch(struct emu *e, uint64_t buffer, bool tail)
{
    struct emu_children *c = e->children;
    size_t low = 0, high = c ? c->count : 0;
    struct emu_child *child;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (c->all[middle].buffer < buffer)
            low = middle + 1;
        else
            high = middle;
    }
    child = c && low < c->count ? &c->all[low] : NULL;
    if (!child || child->buffer != buffer || child->params)
        return false;
    child->params = malloc(child->entry->param_bytes + 1);
    child->tail = tail;
    return child->params && emu_region_read(e, child->params, buffer, child->entry->param_bytes);
}

struct emu_children emu_children_take(struct emu *e)
{
    struct emu_children taken = { 0 };

    if (e->children) {
        taken = *e->children;
        *e->children = (struct emu_children){ .at = taken.at };
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
