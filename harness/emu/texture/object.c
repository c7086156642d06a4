/* Texture and surface objects of a machine. */
#include "harness/emu/texture/object.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"
#include "harness/emu/machine/findings.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/thread.h"

/* emu->textures. */
struct emu_textures {
    struct emu_texture *all;
    size_t count, room;
};

unsigned emu_texel_bytes(const struct emu_texture *x)
{
    return x->bits / 8u * x->channels;
}

static uint32_t halved(uint32_t n, uint32_t level)
{
    return n >> level ? n >> level : 1;
}

struct emu_extents emu_texture_extents(const struct emu_texture *x, uint32_t level)
{
    return (struct emu_extents){ halved(x->width, level), halved(x->height, level), halved(x->depth, level) };
}

static uint64_t row_bytes(const struct emu_texture *x, uint32_t level)
{
    return x->pitch ? x->pitch : (uint64_t)emu_texel_bytes(x) * halved(x->width, level);
}

static uint64_t slice_bytes(const struct emu_texture *x, uint32_t level)
{
    const struct emu_extents n = emu_texture_extents(x, level);

    return row_bytes(x, level) * n.height * n.depth;
}

static uint64_t level_bytes(const struct emu_texture *x, uint32_t level)
{
    return slice_bytes(x, level) * (x->layers ? x->layers : 1) * (x->cube ? EMU_CUBE_FACES : 1);
}

uint64_t emu_texture_bytes(const struct emu_texture *x)
{
    uint64_t bytes = 0;

    for (uint32_t level = 0; level < x->levels; level++)
        bytes += level_bytes(x, level);
    return bytes;
}

uint64_t emu_texel_at(const struct emu_texture *x, uint32_t level, uint32_t slice, uint32_t column, uint32_t row,
                      uint32_t plane)
{
    const struct emu_extents n = emu_texture_extents(x, level);
    uint64_t at = x->at + slice * slice_bytes(x, level) + ((uint64_t)plane * n.height + row) * row_bytes(x, level) +
                  (uint64_t)column * emu_texel_bytes(x);

    for (uint32_t l = 0; l < level; l++)
        at += level_bytes(x, l);
    return at;
}

uint64_t emu_texture_add(struct emu *e, const struct emu_texture *x)
{
    struct emu_textures *list = e->textures ? e->textures : calloc(1, sizeof *list);
    struct emu_texture *all;

    e->textures = list;
    all = list ? ck_room(list->all, list->count, &list->room, 16, sizeof *all) : NULL;
    if (!all)
        return 0;
    list->all = all;
    all[list->count++] = *x;
    return list->count;
}

void emu_textures_free(struct emu *e)
{
    if (e->textures)
        free(e->textures->all);
    free(e->textures);
    e->textures = NULL;
}

/* The handle that a .texref or .surfref variable holds, or the one that is given. */
static uint64_t handle_of(struct emu *e, uint64_t handle)
{
    const struct emu_textures *list = e->textures;
    const struct emu_region *variable = list && handle <= list->count ? NULL : emu_region_of(e, handle);

    if (variable && variable->variable && handle == variable->at && variable->size == sizeof handle)
        memcpy(&handle, variable->bytes, sizeof handle);
    return handle;
}

static const struct emu_texture *find(const struct emu *e, uint64_t handle)
{
    const struct emu_textures *list = e->textures;

    return list && handle && handle <= list->count ? &list->all[handle - 1] : NULL;
}

const struct emu_texture *emu_texture_find(struct emu *e, uint64_t handle)
{
    const struct emu_texture *x = find(e, handle_of(e, handle));

    return x && !x->surface ? x : NULL;
}

const struct emu_texture *emu_texture_of(struct emu_thread *t, uint64_t handle, bool surface)
{
    struct emu *e = emu_machine_of(t);
    const struct emu_texture *x;
    const char *what = surface ? "a surface object" : "a texture object";

    handle = handle_of(e, handle);
    x = find(e, handle);
    if (!x)
        emu_bad_access(t, &rule_access_texture_handle, handle, 0, "0x%llx is no handle of %s",
                       (unsigned long long)handle, what);
    if (x->surface != surface)
        emu_bad_access(t, &rule_access_texture_handle, handle, 0, "handle %llu is of %s, not of %s",
                       (unsigned long long)handle, surface ? "a texture object" : "a surface object", what);
    return x;
}
// SPDX-License-Identifier: Apache-2.0
