/* Arrays. */
#include "harness/inside/device/array.h"

#include <stdlib.h>
#include <string.h>

static struct array *all;

/* The sides of what one device can have: CUDA C++ Programming Guide, Compute Capabilities. */
static bool is_possible(const struct emu_texture *x)
{
    enum { LINE = 131072, PLANE = 65536, SPACE = 16384, NARROW = 8192, DEEP = 32768, LAYERED = 32768, LAYERS = 2048 };

    if (!x->width || !x->levels || x->levels > EMU_TEXTURE_LEVELS || (x->bits != 8 && x->bits != 16 && x->bits != 32) ||
        (x->channels != 1 && x->channels != 2 && x->channels != 4) || (x->kind == EMU_TEXEL_FLOAT && x->bits == 8))
        return false;
    if (x->depth)
        return x->height && !x->layers && !x->cube &&
               ((x->width <= SPACE && x->height <= SPACE && x->depth <= SPACE) ||
                (x->width <= NARROW && x->height <= NARROW && x->depth <= DEEP));
    if (x->cube)
        return x->width == x->height && x->width <= LAYERED && x->layers * EMU_CUBE_FACES <= LAYERS;
    if (x->layers)
        return x->width <= LAYERED && x->height <= LAYERED && x->layers <= LAYERS;
    return x->width <= LINE && x->height <= PLANE;
}

static struct array *add(const struct emu_texture *texels, unsigned flags)
{
    struct array *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->texels = *texels;
    a->flags = flags;
    a->next = all;
    all = a;
    return a;
}

CUresult array_new(const struct emu_texture *shape, unsigned flags, bool mipmapped, struct array **out)
{
    struct emu_texture texels = *shape;
    CUresult result;

    *out = NULL;
    if (!is_possible(shape))
        return CUDA_ERROR_INVALID_VALUE;
    result = memory_new(MEMORY_ARRAY, emu_texture_bytes(shape), flags, &texels.at);
    if (result != CUDA_SUCCESS)
        return result;
    *out = add(&texels, flags);
    if (!*out) {
        memory_free(texels.at, false);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    (*out)->mipmapped = mipmapped;
    return CUDA_SUCCESS;
}

bool array_known(const struct array *a, bool mipmapped)
{
    for (const struct array *k = all; k; k = k->next)
        if (k == a)
            return a->mipmapped == mipmapped;
    return false;
}

static void drop(const struct array *a)
{
    for (struct array **at = &all; *at; at = &(*at)->next)
        if (*at == a) {
            *at = a->next;
            break;
        }
}

CUresult array_free(struct array *a)
{
    CUresult result;

    if (a->whole)
        return CUDA_ERROR_INVALID_VALUE;
    result = memory_free(a->texels.at, false);
    for (int i = 0; i < EMU_TEXTURE_LEVELS; i++)
        if (a->levels[i]) {
            drop(a->levels[i]);
            free(a->levels[i]);
        }
    drop(a);
    free(a);
    return result;
}

void array_forget(void)
{
    while (all) {
        struct array *a = all;
        all = a->next;
        free(a);
    }
}

CUresult array_level(struct array *whole, unsigned level, struct array **out)
{
    const struct emu_texture *x = &whole->texels;
    struct emu_texture texels = *x;
    const struct emu_extents n = emu_texture_extents(x, level);

    *out = NULL;
    if (level >= x->levels)
        return CUDA_ERROR_INVALID_VALUE;
    if (!whole->levels[level]) {
        texels.width = n.width;
        texels.height = x->height ? n.height : 0;
        texels.depth = x->depth ? n.depth : 0;
        texels.levels = 1;
        texels.at = emu_texel_at(x, level, 0, 0, 0, 0);
        whole->levels[level] = add(&texels, whole->flags);
        if (whole->levels[level])
            whole->levels[level]->whole = whole;
    }
    *out = whole->levels[level];
    return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

size_t array_row_bytes(const struct array *a)
{
    return (size_t)a->texels.width * emu_texel_bytes(&a->texels);
}

size_t array_height(const struct array *a)
{
    return a->texels.height ? a->texels.height : 1;
}

size_t array_planes(const struct array *a)
{
    const struct emu_texture *x = &a->texels;

    return x->depth ? x->depth : (size_t)(x->layers ? x->layers : 1) * (x->cube ? EMU_CUBE_FACES : 1);
}

struct rows array_rows(const struct array *a, size_t x, size_t y, size_t z, size_t width, size_t height, size_t depth)
{
    const size_t row = array_row_bytes(a), rows = array_height(a), planes = array_planes(a);
    struct rows out = { NULL, row, row * rows };

    if (x <= row && width <= row - x && y <= rows && height <= rows - y && z <= planes && depth <= planes - z)
        out.at = (unsigned char *)(uintptr_t)a->texels.at + (z * rows + y) * row + x;
    return out;
}

uint64_t array_object(const struct emu_texture *x)
{
    return emu_texture(device.machine, x);
}
// SPDX-License-Identifier: Apache-2.0
