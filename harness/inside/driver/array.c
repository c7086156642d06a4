/* Arrays of the driver API, and copies of boxes, which name them. */
#include "harness/inside/driver/array.h"

#include <string.h>

/* ---- formats ------------------------------------------------------------------------------------------------------
 */

static const struct {
    CUarray_format format;
    uint8_t kind, bits;
} formats[] = {
    { CU_AD_FORMAT_UNSIGNED_INT8, EMU_TEXEL_UNSIGNED, 8 },
    { CU_AD_FORMAT_UNSIGNED_INT16, EMU_TEXEL_UNSIGNED, 16 },
    { CU_AD_FORMAT_UNSIGNED_INT32, EMU_TEXEL_UNSIGNED, 32 },
    { CU_AD_FORMAT_SIGNED_INT8, EMU_TEXEL_SIGNED, 8 },
    { CU_AD_FORMAT_SIGNED_INT16, EMU_TEXEL_SIGNED, 16 },
    { CU_AD_FORMAT_SIGNED_INT32, EMU_TEXEL_SIGNED, 32 },
    { CU_AD_FORMAT_HALF, EMU_TEXEL_FLOAT, 16 },
    { CU_AD_FORMAT_FLOAT, EMU_TEXEL_FLOAT, 32 },
};

CUresult texel_format(CUarray_format format, unsigned channels, struct emu_texture *out)
{
    if (channels != 1 && channels != 2 && channels != 4)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].format == format) {
            out->kind = formats[i].kind;
            out->bits = formats[i].bits;
            out->channels = (uint8_t)channels;
            return CUDA_SUCCESS;
        }
    return say_missing("(arrays of normalised or compressed formats)");
}

static CUarray_format format_of(const struct emu_texture *x)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].kind == x->kind && formats[i].bits == x->bits)
            return formats[i].format;
    return 0;
}

/* ---- arrays -------------------------------------------------------------------------------------------------------
 */

/* Of each side, a GPU takes the lower 32 bits. */
static CUresult create(const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels, bool mipmapped, struct array **out)
{
    struct emu_texture x = { .width = (uint32_t)d->Width, .height = (uint32_t)d->Height, .levels = levels };
    CUresult result = texel_format(d->Format, d->NumChannels, &x);

    if (result != CUDA_SUCCESS)
        return result;
    x.cube = d->Flags & CUDA_ARRAY3D_CUBEMAP;
    if (x.cube) {
        if (!d->Depth || d->Depth % EMU_CUBE_FACES ||
            (!(d->Flags & CUDA_ARRAY3D_LAYERED) && d->Depth != EMU_CUBE_FACES))
            return CUDA_ERROR_INVALID_VALUE;
        x.layers = d->Flags & CUDA_ARRAY3D_LAYERED ? (uint32_t)d->Depth / EMU_CUBE_FACES : 0;
    } else if (d->Flags & CUDA_ARRAY3D_LAYERED) {
        if (!d->Depth)
            return CUDA_ERROR_INVALID_VALUE;
        x.layers = (uint32_t)d->Depth;
    } else {
        x.depth = (uint32_t)d->Depth;
    }
    return array_new(&x, d->Flags, mipmapped, out);
}

CUresult cuArray3DCreate(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        result = out && d ? create(d, 1, false, (struct array **)out) : CUDA_ERROR_INVALID_VALUE;
    return driver_end(result);
}

CUresult cuArrayCreate(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d)
{
    CUDA_ARRAY3D_DESCRIPTOR flat = { 0 };

    if (!d)
        return CUDA_ERROR_INVALID_VALUE;
    flat.Width = d->Width;
    flat.Height = d->Height;
    flat.Format = d->Format;
    flat.NumChannels = d->NumChannels;
    return cuArray3DCreate(out, &flat);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        result = out && d ? create(d, levels + !levels, true, (struct array **)out) : CUDA_ERROR_INVALID_VALUE;
    return driver_end(result);
}

/* NULL is no array. */
static CUresult destroy(void *handle, bool mipmapped)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        result = array_known(handle, mipmapped) ? array_free(handle) : CUDA_ERROR_INVALID_HANDLE;
    return driver_end(result);
}

CUresult cuArrayDestroy(CUarray a)
{
    return destroy(a, false);
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray a)
{
    return destroy(a, true);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray handle)
{
    const struct array *a = (const struct array *)handle;
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && !array_known(a, false))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        *out = (CUDA_ARRAY3D_DESCRIPTOR){ .Width = a->texels.width,
                                          .Height = a->texels.height,
                                          .Depth = a->texels.depth
                                                       ? a->texels.depth
                                                       : (a->texels.cube ? EMU_CUBE_FACES : 1) *
                                                             (a->texels.layers ? a->texels.layers : a->texels.cube),
                                          .Format = format_of(&a->texels),
                                          .NumChannels = a->texels.channels,
                                          .Flags = a->flags };
    return driver_end(result);
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *out, CUarray handle)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    const CUresult result = cuArray3DGetDescriptor(&d, handle);

    if (result == CUDA_SUCCESS)
        *out = (CUDA_ARRAY_DESCRIPTOR){ d.Width, d.Height, d.Format, d.NumChannels };
    return result;
}

/* ---- boxes --------------------------------------------------------------------------------------------------------
 */

/* One side of the copy of a box. */
struct side {
    size_t x, y, z;
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t pitch, height;
};

static CUresult rows_of(const struct side *s, const CUDA_MEMCPY3D *p, struct rows *out)
{
    const size_t pitch = s->pitch ? s->pitch : p->WidthInBytes + s->x,
                 height = s->height ? s->height : p->Height + s->y;
    unsigned char *at;

    switch (s->type) {
    case CU_MEMORYTYPE_ARRAY:
        if (!array_known((const struct array *)s->array, false))
            return CUDA_ERROR_INVALID_VALUE;
        *out = array_rows((const struct array *)s->array, s->x, s->y, s->z, p->WidthInBytes, p->Height, p->Depth);
        return out->at ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_MEMORYTYPE_HOST: at = (unsigned char *)(uintptr_t)s->host; break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: at = (unsigned char *)s->device; break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    if (!at || pitch < p->WidthInBytes + s->x || (p->Depth > 1 && height < p->Height + s->y))
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct rows){ at + s->z * pitch * height + s->y * pitch + s->x, pitch, pitch * height };
    return CUDA_SUCCESS;
}

CUresult box_copy(const CUDA_MEMCPY3D *p, struct operation *out)
{
    const struct side from = { p->srcXInBytes, p->srcY,     p->srcZ,     p->srcMemoryType, p->srcHost,
                               p->srcDevice,   p->srcArray, p->srcPitch, p->srcHeight };
    const struct side to = { p->dstXInBytes, p->dstY,     p->dstZ,     p->dstMemoryType, p->dstHost,
                             p->dstDevice,   p->dstArray, p->dstPitch, p->dstHeight };
    CUresult result;

    *out = (struct operation){ .kind = OPERATION_COPY };
    out->copy.width = p->WidthInBytes;
    out->copy.height = p->Height;
    out->copy.depth = p->Depth;
    if (!p->WidthInBytes || !p->Height || !p->Depth)
        return CUDA_SUCCESS;
    result = rows_of(&from, p, &out->copy.from);
    return result == CUDA_SUCCESS ? rows_of(&to, p, &out->copy.to) : result;
}

static CUresult copy(const CUDA_MEMCPY3D *p, CUstream stream, bool waits)
{
    CUresult result = driver_begin_in(stream);
    struct operation op;

    if (result == CUDA_SUCCESS)
        result = p ? box_copy(p, &op) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = waits ? driver_put_and_wait(&op) : driver_put(stream, &op);
    return driver_end(result);
}

static CUDA_MEMCPY3D flat(const CUDA_MEMCPY2D *p)
{
    return (CUDA_MEMCPY3D){ .srcXInBytes = p->srcXInBytes,
                            .srcY = p->srcY,
                            .srcMemoryType = p->srcMemoryType,
                            .srcHost = p->srcHost,
                            .srcDevice = p->srcDevice,
                            .srcArray = p->srcArray,
                            .srcPitch = p->srcPitch,
                            .dstXInBytes = p->dstXInBytes,
                            .dstY = p->dstY,
                            .dstMemoryType = p->dstMemoryType,
                            .dstHost = p->dstHost,
                            .dstDevice = p->dstDevice,
                            .dstArray = p->dstArray,
                            .dstPitch = p->dstPitch,
                            .WidthInBytes = p->WidthInBytes,
                            .Height = p->Height,
                            .Depth = 1 };
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *p)
{
    const CUDA_MEMCPY3D box = p ? flat(p) : (CUDA_MEMCPY3D){ 0 };

    return p ? copy(&box, NULL, true) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *p)
{
    return cuMemcpy2D(p);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *p, CUstream stream)
{
    const CUDA_MEMCPY3D box = p ? flat(p) : (CUDA_MEMCPY3D){ 0 };

    return p ? copy(&box, stream, false) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *p)
{
    return copy(p, NULL, true);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *p, CUstream stream)
{
    return copy(p, stream, false);
}

/* ---- bytes of an array's first row --------------------------------------------------------------------------------
 */

struct end {
    bool in_array;
    CUarray array;
    uint64_t at; /* an address in memory, or the offset in the array, in bytes */
};

static struct end in_array(CUarray array, size_t at)
{
    return (struct end){ true, array, at };
}

static struct end in_memory(uint64_t at)
{
    return (struct end){ .at = at };
}

/* As the documents have it, of one-dimensional arrays: in others, rows follow one another. */
static CUresult copy_row(struct end to, struct end from, size_t bytes, CUstream stream, bool waits)
{
    struct operation op = operation_copy((void *)to.at, (void *)from.at, bytes);
    struct end *ends[] = { &to, &from };
    struct rows *rows[] = { &op.copy.to, &op.copy.from };
    CUresult result = driver_begin_in(stream);

    for (int i = 0; i < 2 && result == CUDA_SUCCESS; i++) {
        const struct array *a = (const struct array *)ends[i]->array;
        if (!ends[i]->in_array)
            result = ends[i]->at ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        else if (!array_known(a, false) || ends[i]->at + bytes > array_row_bytes(a) * array_height(a))
            result = CUDA_ERROR_INVALID_VALUE;
        else
            rows[i]->at = (unsigned char *)a->texels.at + ends[i]->at;
    }
    if (result == CUDA_SUCCESS)
        result = waits ? driver_put_and_wait(&op) : driver_put(stream, &op);
    return driver_end(result);
}

CUresult cuMemcpyHtoA(CUarray to, size_t at, const void *from, size_t bytes)
{
    return copy_row(in_array(to, at), in_memory((uintptr_t)from), bytes, NULL, true);
}

CUresult cuMemcpyHtoAAsync(CUarray to, size_t at, const void *from, size_t bytes, CUstream stream)
{
    return copy_row(in_array(to, at), in_memory((uintptr_t)from), bytes, stream, false);
}

CUresult cuMemcpyAtoH(void *to, CUarray from, size_t at, size_t bytes)
{
    return copy_row(in_memory((uintptr_t)to), in_array(from, at), bytes, NULL, true);
}

CUresult cuMemcpyAtoHAsync(void *to, CUarray from, size_t at, size_t bytes, CUstream stream)
{
    return copy_row(in_memory((uintptr_t)to), in_array(from, at), bytes, stream, false);
}

CUresult cuMemcpyDtoA(CUarray to, size_t at, CUdeviceptr from, size_t bytes)
{
    return copy_row(in_array(to, at), in_memory(from), bytes, NULL, true);
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t at, size_t bytes)
{
    return copy_row(in_memory(to), in_array(from, at), bytes, NULL, true);
}

CUresult cuMemcpyAtoA(CUarray to, size_t to_at, CUarray from, size_t from_at, size_t bytes)
{
    return copy_row(in_array(to, to_at), in_array(from, from_at), bytes, NULL, true);
}
// SPDX-License-Identifier: Apache-2.0
