/* Arrays of the runtime: made, asked about, freed. */
#include <string.h>

#include "harness/inside/runtime/copy.h"

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){ x, y, z, w, kind };
}

CUresult format_of(const struct cudaChannelFormatDesc *f, struct emu_texture *out)
{
    static const unsigned char kinds[] = {
        [cudaChannelFormatKindSigned] = EMU_TEXEL_SIGNED,
        [cudaChannelFormatKindUnsigned] = EMU_TEXEL_UNSIGNED,
        [cudaChannelFormatKindFloat] = EMU_TEXEL_FLOAT,
    };
    const int bits[] = { f->x, f->y, f->z, f->w };
    unsigned channels = 0;

    while (channels < 4 && bits[channels])
        channels++;
    for (unsigned i = 0; i < 4; i++)
        if (bits[i] != (i < channels ? f->x : 0))
            return (CUresult)cudaErrorInvalidChannelDescriptor;
    if ((f->x != 8 && f->x != 16 && f->x != 32) || channels == 3 || (f->f == cudaChannelFormatKindFloat && f->x == 8))
        return (CUresult)cudaErrorInvalidChannelDescriptor;
    if (f->f > cudaChannelFormatKindFloat)
        return f->f == cudaChannelFormatKindNone ? (CUresult)cudaErrorInvalidChannelDescriptor
                                                 : say_missing("(arrays of normalised or compressed formats)");
    out->kind = kinds[f->f];
    out->bits = (uint8_t)f->x;
    out->channels = (uint8_t)channels;
    return CUDA_SUCCESS;
}

struct cudaChannelFormatDesc format_from(const struct emu_texture *x)
{
    static const enum cudaChannelFormatKind kinds[] = {
        [EMU_TEXEL_SIGNED] = cudaChannelFormatKindSigned,
        [EMU_TEXEL_UNSIGNED] = cudaChannelFormatKindUnsigned,
        [EMU_TEXEL_FLOAT] = cudaChannelFormatKindFloat,
    };
    const int n = x->channels, bits = x->bits;

    return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, kinds[x->kind]);
}

/* The shape that an extent and flags describe; the depth of a layered array counts its layers. */
static CUresult shape_of(const struct cudaChannelFormatDesc *format, struct cudaExtent box, unsigned flags,
                         unsigned levels, struct emu_texture *out)
{
    enum { KNOWN = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather };
    const CUresult result = format ? format_of(format, out) : CUDA_ERROR_INVALID_VALUE;

    if (result != CUDA_SUCCESS)
        return result;
    if (flags & ~(unsigned)KNOWN)
        return (flags & ~(unsigned)(KNOWN | cudaArraySparse | cudaArrayDeferredMapping))
                   ? CUDA_ERROR_INVALID_VALUE
                   : say_missing("(sparse arrays)");
    /* Of each side, a GPU takes the lower 32 bits, too. */
    out->width = (uint32_t)box.width;
    out->height = (uint32_t)box.height;
    out->levels = levels;
    out->cube = flags & cudaArrayCubemap;
    if (out->cube) {
        if (!box.depth || box.depth % EMU_CUBE_FACES || (!(flags & cudaArrayLayered) && box.depth != EMU_CUBE_FACES))
            return CUDA_ERROR_INVALID_VALUE;
        out->layers = flags & cudaArrayLayered ? (uint32_t)box.depth / EMU_CUBE_FACES : 0;
    } else if (flags & cudaArrayLayered) {
        if (!box.depth)
            return CUDA_ERROR_INVALID_VALUE;
        out->layers = (uint32_t)box.depth;
    } else {
        out->depth = (uint32_t)box.depth;
    }
    return CUDA_SUCCESS;
}

static cudaError_t make(struct array **out, const struct cudaChannelFormatDesc *format, struct cudaExtent box,
                        unsigned levels, unsigned flags, bool mipmapped)
{
    struct emu_texture shape = { 0 };
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = out ? capture_forbids() : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = shape_of(format, box, flags, levels, &shape);
    if (result == CUDA_SUCCESS)
        result = array_new(&shape, flags, mipmapped, out);
    return runtime_end(result);
}

cudaError_t cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format, size_t width, size_t height,
                            unsigned flags)
{
    return make((struct array **)out, format, (struct cudaExtent){ width, height, 0 }, 1, flags, false);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format, struct cudaExtent box,
                              unsigned flags)
{
    return make((struct array **)out, format, box, 1, flags, false);
}

/* More levels than there can be are as many as there can. */
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *out, const struct cudaChannelFormatDesc *format,
                                     struct cudaExtent box, unsigned levels, unsigned flags)
{
    size_t side = box.width > box.height ? box.width : box.height;
    unsigned most = 1;

    if (!(flags & (cudaArrayLayered | cudaArrayCubemap)) && box.depth > side)
        side = box.depth;
    for (; side > 1 && most < EMU_TEXTURE_LEVELS; side /= 2)
        most++;
    return make((struct array **)out, format, box, levels < most ? levels + !levels : most, flags, true);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *out, cudaMipmappedArray_const_t handle, unsigned level)
{
    struct array *a = (struct array *)(uintptr_t)handle;
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = !out                    ? CUDA_ERROR_INVALID_VALUE
                 : !array_known(a, true) ? CUDA_ERROR_INVALID_HANDLE
                                         : array_level(a, level, (struct array **)out);
    return runtime_end(result);
}

static cudaError_t free_one(struct array *a, bool mipmapped)
{
    CUresult result = a ? runtime_begin() : runtime_begin_anyway();

    if (result == CUDA_SUCCESS && a)
        result = array_known(a, mipmapped) ? array_free(a) : CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}

cudaError_t cudaFreeArray(cudaArray_t a)
{
    return free_one((struct array *)a, false);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t a)
{
    return free_one((struct array *)a, true);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *box, unsigned *flags,
                             cudaArray_t handle)
{
    const struct array *a = array_of(handle);
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && !a)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS) {
        if (format)
            *format = format_from(&a->texels);
        if (box)
            *box = (struct cudaExtent){ a->texels.width, a->texels.height,
                                        a->texels.layers || a->texels.cube ? array_planes(a) : a->texels.depth };
        if (flags)
            *flags = a->flags;
    }
    return runtime_end(result);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *out, cudaArray_const_t array)
{
    return out ? cudaArrayGetInfo(out, NULL, NULL, (cudaArray_t)(uintptr_t)array)
               : runtime_end_of(CUDA_ERROR_INVALID_VALUE);
}

static cudaError_t requirements(struct cudaArrayMemoryRequirements *out, const struct array *a, int number)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = !a ? CUDA_ERROR_INVALID_HANDLE : number || !out ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS)
        *out = (struct cudaArrayMemoryRequirements){ .size = emu_texture_bytes(&a->texels), .alignment = 512 };
    return runtime_end(result);
}

cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *out, cudaArray_t array, int number)
{
    return requirements(out, array_of(array), number);
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *out, cudaMipmappedArray_t array,
                                                    int number)
{
    const struct array *a = (const struct array *)array;

    return requirements(out, array_known(a, true) ? a : NULL, number);
}
// SPDX-License-Identifier: Apache-2.0
