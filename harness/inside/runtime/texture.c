/* Texture and surface objects of the runtime. A handle is the machine's; what it was made from is kept beside it. */
#include <stdlib.h>
#include <string.h>

#include "harness/inside/runtime/copy.h"
#include "harness/inside/runtime/old.h"

struct object {
    uint64_t handle;
    bool surface;
    struct cudaResourceDesc from;
    struct cudaTextureDesc how;
    struct cudaResourceViewDesc view;
    struct object *next;
};

static struct object *all;

static struct object *object_of(uint64_t handle, bool surface)
{
    struct object *o = all;

    while (o && (o->handle != handle || o->surface != surface))
        o = o->next;
    return o;
}

static CUresult texels_of(const struct cudaResourceDesc *d, struct emu_texture *out)
{
    const struct array *a;
    CUresult result;

    switch (d->resType) {
    case cudaResourceTypeArray:
        a = array_of(d->res.array.array);
        if (a)
            *out = a->texels;
        return a ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    case cudaResourceTypeMipmappedArray:
        a = (const struct array *)d->res.mipmap.mipmap;
        if (!array_known(a, true))
            return CUDA_ERROR_INVALID_HANDLE;
        *out = a->texels;
        return CUDA_SUCCESS;
    case cudaResourceTypeLinear:
        result = format_of(&d->res.linear.desc, out);
        if (result != CUDA_SUCCESS)
            return result;
        out->at = (uint64_t)(uintptr_t)d->res.linear.devPtr;
        out->width = (uint32_t)(d->res.linear.sizeInBytes / emu_texel_bytes(out));
        break;
    case cudaResourceTypePitch2D:
        result = format_of(&d->res.pitch2D.desc, out);
        if (result != CUDA_SUCCESS)
            return result;
        out->at = (uint64_t)(uintptr_t)d->res.pitch2D.devPtr;
        out->width = (uint32_t)d->res.pitch2D.width;
        out->height = (uint32_t)d->res.pitch2D.height;
        out->pitch = d->res.pitch2D.pitchInBytes;
        if (out->pitch % 32)
            return CUDA_ERROR_INVALID_VALUE;
        break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    out->memory = true;
    out->levels = 1;
    return out->at && out->width && out->at % 512 == 0 && memory_of(out->at) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The machine has one address mode for all dimensions, and borders of 0. */
static CUresult sampler_of(const struct cudaTextureDesc *d, struct emu_texture *out)
{
    const unsigned dimensions = out->depth ? 3 : out->height ? 2 : 1;
    bool border = d->addressMode[0] == cudaAddressModeBorder;

    if (d->readMode == cudaReadModeNormalizedFloat && (out->bits == 32 || out->kind == EMU_TEXEL_FLOAT))
        return (CUresult)cudaErrorInvalidNormSetting;
    if (d->filterMode == cudaFilterModeLinear && d->readMode == cudaReadModeElementType && out->kind != EMU_TEXEL_FLOAT)
        return (CUresult)cudaErrorInvalidFilterSetting; /* integers have no mean */
    for (unsigned i = 0; i < dimensions; i++) {
        if ((unsigned)d->addressMode[i] > cudaAddressModeBorder)
            return CUDA_ERROR_INVALID_VALUE;
        if (d->addressMode[i] != d->addressMode[0])
            return say_missing("(textures with several address modes)");
    }
    for (unsigned i = 0; i < 4 && border; i++)
        if (d->borderColor[i] != 0)
            return say_missing("(textures with a border colour)");
    if (d->sRGB)
        return say_missing("(textures of sRGB)");
    out->as_float = d->readMode == cudaReadModeNormalizedFloat;
    return CUDA_SUCCESS;
}

static void set_sampler(const struct cudaTextureDesc *d, struct emu_texture *out)
{
    out->mode = (uint8_t)d->addressMode[0];
    out->normalized = d->normalizedCoords != 0;
    out->linear = d->filterMode == cudaFilterModeLinear;
    out->linear_levels = d->mipmapFilterMode == cudaFilterModeLinear;
    /* Wrap and mirror are for normalised coordinates: without them, they are clamp. */
    if (!out->normalized && (out->mode == EMU_ADDRESS_WRAP || out->mode == EMU_ADDRESS_MIRROR))
        out->mode = EMU_ADDRESS_CLAMP;
}

static CUresult keep(const struct object *like, const struct emu_texture *x, unsigned long long *out)
{
    struct object *o = malloc(sizeof *o);

    if (!o)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *o = *like;
    o->handle = array_object(x);
    o->next = all;
    if (!o->handle) {
        free(o);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    all = o;
    *out = o->handle;
    return CUDA_SUCCESS;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out, const struct cudaResourceDesc *from,
                                    const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view)
{
    struct object o = { .surface = false };
    struct emu_texture x = { 0 };
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && (!out || !from || !how))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = texels_of(from, &x);
    if (result == CUDA_SUCCESS)
        result = sampler_of(how, &x);
    if (result == CUDA_SUCCESS && view && view->format != cudaResViewFormatNone &&
        (view->width != x.width || view->firstMipmapLevel || view->firstLayer))
        result = say_missing("(resource views of a texture)");
    if (result == CUDA_SUCCESS) {
        set_sampler(how, &x);
        runtime_copy(&o.from, from, sizeof o.from, RESOURCE_OF_12);
        o.how = *how;
        if (view)
            runtime_copy(&o.view, view, sizeof o.view, RESOURCE_VIEW_OF_12);
        result = keep(&o, &x, out);
    }
    return runtime_end(result);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out, const struct cudaResourceDesc *from)
{
    struct object o = { .surface = true };
    struct emu_texture x = { 0 };
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && (!out || !from))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = texels_of(from, &x);
    if (result == CUDA_SUCCESS && from->resType != cudaResourceTypeArray)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        x.surface = true; /* documents ask for an array with cudaArraySurfaceLoadStore; no driver does */
        runtime_copy(&o.from, from, sizeof o.from, RESOURCE_OF_12);
        result = keep(&o, &x, out);
    }
    return runtime_end(result);
}

static cudaError_t destroy(uint64_t handle, bool surface)
{
    CUresult result = runtime_begin();
    struct object **at = &all;

    while (*at && ((*at)->handle != handle || (*at)->surface != surface))
        at = &(*at)->next;
    if (result == CUDA_SUCCESS && *at) {
        struct object *o = *at;
        *at = o->next;
        free(o);
    } else if (result == CUDA_SUCCESS && handle) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    return runtime_end(result);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle)
{
    return destroy(handle, false);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle)
{
    return destroy(handle, true);
}

/* ---- what objects were made from ----------------------------------------------------------------------------------
 */

static cudaError_t describe(uint64_t handle, bool surface, size_t offset, size_t bytes, size_t bytes_of_12, void *out)
{
    CUresult result = runtime_begin();
    const struct object *o = object_of(handle, surface);

    if (result == CUDA_SUCCESS)
        result = o && out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        runtime_copy(out, (const char *)o + offset, bytes, bytes_of_12);
    return runtime_end(result);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out, cudaTextureObject_t handle)
{
    return describe(handle, false, offsetof(struct object, from), sizeof *out, RESOURCE_OF_12, out);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, cudaTextureObject_t handle)
{
    return describe(handle, false, offsetof(struct object, how), sizeof *out, sizeof *out, out);
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *out, cudaTextureObject_t handle)
{
    return describe(handle, false, offsetof(struct object, view), sizeof *out, RESOURCE_VIEW_OF_12, out);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out, cudaSurfaceObject_t handle)
{
    return describe(handle, true, offsetof(struct object, from), sizeof *out, RESOURCE_OF_12, out);
}
// SPDX-License-Identifier: Apache-2.0
