/* Texture and surface objects of the driver API: their descriptions become those of the runtime, which makes them. */
#include <string.h>

#include "harness/inside/driver/array.h"
#include "harness/inside/runtime/runtime.h"

static CUresult channels_of(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *out)
{
    static const enum cudaChannelFormatKind kinds[] = { [EMU_TEXEL_UNSIGNED] = cudaChannelFormatKindUnsigned,
                                                        [EMU_TEXEL_SIGNED] = cudaChannelFormatKindSigned,
                                                        [EMU_TEXEL_FLOAT] = cudaChannelFormatKindFloat };
    struct emu_texture x = { 0 };
    const CUresult result = texel_format(format, channels, &x);

    if (result == CUDA_SUCCESS)
        *out = (struct cudaChannelFormatDesc){ x.bits, channels > 1 ? x.bits : 0, channels > 2 ? x.bits : 0,
                                               channels > 2 ? x.bits : 0, kinds[x.kind] };
    return result;
}

static CUresult resource_of(const CUDA_RESOURCE_DESC *d, struct cudaResourceDesc *out)
{
    *out = (struct cudaResourceDesc){ 0 };
    switch (d->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        out->resType = cudaResourceTypeArray;
        out->res.array.array = (cudaArray_t)d->res.array.hArray;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        out->resType = cudaResourceTypeMipmappedArray;
        out->res.mipmap.mipmap = (cudaMipmappedArray_t)d->res.mipmap.hMipmappedArray;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
        out->resType = cudaResourceTypeLinear;
        out->res.linear.devPtr = (void *)d->res.linear.devPtr;
        out->res.linear.sizeInBytes = d->res.linear.sizeInBytes;
        return channels_of(d->res.linear.format, d->res.linear.numChannels, &out->res.linear.desc);
    case CU_RESOURCE_TYPE_PITCH2D:
        out->resType = cudaResourceTypePitch2D;
        out->res.pitch2D.devPtr = (void *)d->res.pitch2D.devPtr;
        out->res.pitch2D.width = d->res.pitch2D.width;
        out->res.pitch2D.height = d->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = d->res.pitch2D.pitchInBytes;
        return channels_of(d->res.pitch2D.format, d->res.pitch2D.numChannels, &out->res.pitch2D.desc);
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* Whether texels are floating-point numbers: integers are read as fractions unless CU_TRSF_READ_AS_INTEGER is set. */
static bool is_float(const struct cudaResourceDesc *d)
{
    switch (d->resType) {
    case cudaResourceTypeArray: return ((const struct array *)d->res.array.array)->texels.kind == EMU_TEXEL_FLOAT;
    case cudaResourceTypeMipmappedArray:
        return ((const struct array *)d->res.mipmap.mipmap)->texels.kind == EMU_TEXEL_FLOAT;
    case cudaResourceTypeLinear: return d->res.linear.desc.f == cudaChannelFormatKindFloat;
    default: return d->res.pitch2D.desc.f == cudaChannelFormatKindFloat;
    }
}

static bool is_wide(const struct cudaResourceDesc *d)
{
    switch (d->resType) {
    case cudaResourceTypeArray: return ((const struct array *)d->res.array.array)->texels.bits == 32;
    case cudaResourceTypeMipmappedArray: return ((const struct array *)d->res.mipmap.mipmap)->texels.bits == 32;
    case cudaResourceTypeLinear: return d->res.linear.desc.x == 32;
    default: return d->res.pitch2D.desc.x == 32;
    }
}

static bool is_there(const struct cudaResourceDesc *d)
{
    if (d->resType == cudaResourceTypeArray)
        return array_known((const struct array *)d->res.array.array, false);
    if (d->resType == cudaResourceTypeMipmappedArray)
        return array_known((const struct array *)d->res.mipmap.mipmap, true);
    return true;
}

CUresult cuTexObjectCreate(CUtexObject *out, const CUDA_RESOURCE_DESC *from, const CUDA_TEXTURE_DESC *how,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct cudaResourceDesc resource = { 0 };
    struct cudaTextureDesc texture = { 0 };
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && (!out || !from || !how))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = resource_of(from, &resource);
    if (result == CUDA_SUCCESS && !is_there(&resource))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && view && view->format != CU_RES_VIEW_FORMAT_NONE)
        result = say_missing("(resource views of a texture)");
    if (result == CUDA_SUCCESS) {
        for (int i = 0; i < 3; i++)
            texture.addressMode[i] = (enum cudaTextureAddressMode)how->addressMode[i];
        texture.filterMode = (enum cudaTextureFilterMode)how->filterMode;
        texture.readMode = how->flags & CU_TRSF_READ_AS_INTEGER || is_float(&resource) || is_wide(&resource)
                               ? cudaReadModeElementType
                               : cudaReadModeNormalizedFloat;
        texture.sRGB = !!(how->flags & CU_TRSF_SRGB);
        memcpy(texture.borderColor, how->borderColor, sizeof texture.borderColor);
        texture.normalizedCoords = !!(how->flags & CU_TRSF_NORMALIZED_COORDINATES);
        texture.maxAnisotropy = how->maxAnisotropy;
        texture.mipmapFilterMode = (enum cudaTextureFilterMode)how->mipmapFilterMode;
        texture.mipmapLevelBias = how->mipmapLevelBias;
        texture.minMipmapLevelClamp = how->minMipmapLevelClamp;
        texture.maxMipmapLevelClamp = how->maxMipmapLevelClamp;
        driver_before_runtime();
        result = (CUresult)cudaCreateTextureObject((cudaTextureObject_t *)out, &resource, &texture, NULL);
    }
    return driver_end(result);
}

CUresult cuSurfObjectCreate(CUsurfObject *out, const CUDA_RESOURCE_DESC *from)
{
    struct cudaResourceDesc resource = { 0 };
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && (!out || !from || from->resType != CU_RESOURCE_TYPE_ARRAY))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = resource_of(from, &resource);
    if (result == CUDA_SUCCESS && !is_there(&resource))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        driver_before_runtime();
        result = (CUresult)cudaCreateSurfaceObject((cudaSurfaceObject_t *)out, &resource);
    }
    return driver_end(result);
}
// SPDX-License-Identifier: Apache-2.0
