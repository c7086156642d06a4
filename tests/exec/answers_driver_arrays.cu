// What the driver answers about arrays, copies of boxes, texture and surface objects.
#include "answers_driver.cuh"

#include <unistd.h>

static char host[1 << 16];
static CUdeviceptr device;
static CUstream stream;
static CUarray const no_array = NULL;
enum : size_t { PAGE = 2 << 20 };

static CUDA_ARRAY3D_DESCRIPTOR shape(size_t w, size_t h, size_t d, CUarray_format f, unsigned channels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR s = {};

    s.Width = w;
    s.Height = h;
    s.Depth = d;
    s.Format = f;
    s.NumChannels = channels;
    s.Flags = flags;
    return s;
}

static void arrays()
{
    static const CUarray_format formats[] = { CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_UNSIGNED_INT16,
                                              CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT8,
                                              CU_AD_FORMAT_SIGNED_INT16,   CU_AD_FORMAT_SIGNED_INT32,
                                              CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT };
    static const CUDA_ARRAY3D_DESCRIPTOR shapes[] = {
        shape(8, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0),
        shape(8, 4, 2, CU_AD_FORMAT_FLOAT, 2, 0),
        shape(8, 4, 3, CU_AD_FORMAT_FLOAT, 4, CUDA_ARRAY3D_LAYERED),
        shape(8, 4, 0, CU_AD_FORMAT_FLOAT, 4, CUDA_ARRAY3D_LAYERED),
        shape(8, 8, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP),
        shape(8, 8, 5, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP),
        shape(8, 8, 12, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP),
        shape(8, 8, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP),
        shape(8, 8, 12, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED),
        shape(8, 8, 0, CU_AD_FORMAT_FLOAT, 3, 0),
        shape(0, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0),
        shape((size_t)1 << 33, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0),
        shape(1, (size_t)1 << 33, 0, CU_AD_FORMAT_FLOAT, 1, 0),
        shape(1, 1, (size_t)1 << 33, CU_AD_FORMAT_FLOAT, 1, 0),
    };
    CUDA_ARRAY_DESCRIPTOR flat = {}, got = {};
    CUDA_ARRAY3D_DESCRIPTOR d, read = {};
    CUmipmappedArray m = NULL;
    CUarray a = NULL, level = NULL;

    for (CUarray_format f : formats) {
        printf("format %d\n", f);
        flat.Width = 8;
        flat.Height = 4;
        flat.Format = f;
        flat.NumChannels = 2;
        a = NULL;
        D(cuArrayCreate(&a, &flat));
        D(cuArrayGetDescriptor(&got, a));
        N(got.Format);
        N(got.NumChannels);
        D(cuArrayDestroy(a));
    }
    for (const CUDA_ARRAY3D_DESCRIPTOR &s : shapes) {
        printf("%zu %zu %zu, %u channels, flags %u\n", s.Width, s.Height, s.Depth, s.NumChannels, s.Flags);
        a = NULL;
        read = {};
        D(cuArray3DCreate(&a, &s));
        if (!a)
            continue;
        D(cuArray3DGetDescriptor(&read, a));
        printf("    %zu %zu %zu, %u channels, flags %u\n", read.Width, read.Height, read.Depth, read.NumChannels,
               read.Flags);
        D(cuArrayDestroy(a));
    }
    d = shapes[1];
    D(cuArray3DCreate(NULL, &d));
    D(cuArray3DCreate(&a, NULL));
    D(cuArrayCreate(&a, NULL));
    D(cuArrayCreate(NULL, &flat));
    D(cuArray3DGetDescriptor(&read, no_array));
    D(cuArrayGetDescriptor(&got, no_array));
    D(cuArrayDestroy(no_array));
    D(cuMipmappedArrayCreate(&m, &d, 2));
    D(cuMipmappedArrayGetLevel(&level, m, 1));
    D(cuArray3DGetDescriptor(&read, level));
    N(read.Width);
    D(cuMipmappedArrayGetLevel(&level, m, 2));
    D(cuMipmappedArrayDestroy(m));
    D(cuMipmappedArrayCreate(&m, &d, 0));
    D(cuMipmappedArrayDestroy(m = NULL));
    D(cuMipmappedArrayCreate(NULL, &d, 1));
    D(cuMipmappedArrayCreate(&m, NULL, 1));
}

namespace of_boxes {
static CUDA_ARRAY3D_DESCRIPTOR d = shape(8, 4, 2, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
static CUDA_ARRAY_DESCRIPTOR line = { 64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1 };
static CUarray a = NULL, b = NULL, row = NULL, second = NULL;
static CUDA_MEMCPY3D p = {};
static CUDA_MEMCPY2D q = {};

static void one()
{
    D(cuArray3DCreate(&a, &d));
    d.Depth = 0;
    D(cuArray3DCreate(&b, &d));
    D(cuArrayCreate(&row, &line));
    D(cuArrayCreate(&second, &line));
    for (int k = 0; k < 1024; k++)
        host[k] = (char)k;
    p.srcMemoryType = CU_MEMORYTYPE_HOST;
    p.srcHost = host;
    p.srcPitch = 32;
    p.srcHeight = 4;
    p.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    p.dstArray = a;
    p.WidthInBytes = 32;
    p.Height = 4;
    p.Depth = 2;
    D(cuMemcpy3D(&p));
    D(cuMemcpy3DAsync(&p, stream));
    p.Depth = 3;
    D(cuMemcpy3D(&p));
    p.Depth = 2;
    p.srcPitch = 16;
    D(cuMemcpy3D(&p));
    p.srcPitch = 32;
    p.srcHeight = 2;
    D(cuMemcpy3D(&p));
    p.srcHeight = 4;
    p.srcHost = NULL;
    D(cuMemcpy3D(&p));
    p.srcHost = host;
    p.dstArray = NULL;
    D(cuMemcpy3D(&p));
    p.dstArray = a;
    p.srcMemoryType = (CUmemorytype)9;
    D(cuMemcpy3D(&p));
    D(cuMemcpy3D(NULL));
    p = {};
    p.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    p.srcArray = a;
    p.srcXInBytes = 8;
    p.srcY = 1;
    p.srcZ = 1;
    p.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    p.dstDevice = device;
    p.WidthInBytes = 8;
    p.Height = 2;
    p.Depth = 1;
    D(cuMemcpy3D(&p));
    p.WidthInBytes = 0;
    D(cuMemcpy3D(&p));
    p.WidthInBytes = 8;
    p.Height = 0;
    D(cuMemcpy3D(&p));
    p.Height = 1;
    p.Depth = 0;
    D(cuMemcpy3D(&p));
    D(cuMemcpyDtoH(host + 4096, device, 16));
    N(host[4096]);
    N(host[4104]);
    q.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    q.srcDevice = device;
    q.srcPitch = 32;
}

static void two()
{
    q.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    q.dstArray = b;
    q.WidthInBytes = 32;
    q.Height = 4;
    D(cuMemsetD8(device, 3, 4096));
    D(cuMemcpy2D(&q));
    D(cuMemcpy2DUnaligned(&q));
    D(cuMemcpy2DAsync(&q, stream));
    q.Height = 5;
    D(cuMemcpy2D(&q));
    D(cuMemcpy2D(NULL));
    D(cuMemcpy2DAsync(NULL, stream));
    D(cuMemcpy2DUnaligned(NULL));
    D(cuMemcpyHtoA(row, 0, host, 64));
    D(cuMemcpyHtoAAsync(row, 0, host, 64, stream));
    D(cuMemcpyAtoH(host + 2048, row, 8, 16));
    D(cuMemcpyAtoHAsync(host + 2048, row, 8, 16, stream));
    D(cuMemcpyDtoA(row, 0, device, 64));
    D(cuMemcpyAtoD(device, row, 0, 64));
    D(cuMemcpyAtoA(second, 8, row, 0, 16));
    D(cuMemcpyHtoA(row, 8, host, 64));
    D(cuMemcpyAtoH(host, row, 8, 64));
    D(cuMemcpyHtoA(no_array, 0, host, 64));
    D(cuStreamSynchronize(stream));
    D(cuMemcpyAtoH(host + 2048, second, 8, 16));
    N(host[2048]);
    D(cuArrayDestroy(a));
    D(cuArrayDestroy(b));
    D(cuArrayDestroy(row));
    D(cuArrayDestroy(second));
}

} // namespace of_boxes

static void boxes()
{
    of_boxes::one();
    of_boxes::two();
}

static void textures()
{
    CUDA_ARRAY3D_DESCRIPTOR d = shape(8, 8, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, CUDA_ARRAY3D_SURFACE_LDST);
    CUDA_RESOURCE_DESC from = {};
    CUDA_TEXTURE_DESC how = {};
    CUarray a = NULL, f = NULL;
    CUmipmappedArray m = NULL;
    CUtexObject t = 0;
    CUsurfObject s = 0;

    D(cuArray3DCreate(&a, &d));
    d.Format = CU_AD_FORMAT_FLOAT;
    D(cuArray3DCreate(&f, &d));
    D(cuMipmappedArrayCreate(&m, &d, 2));
    from.resType = CU_RESOURCE_TYPE_ARRAY;
    for (int flags = 0; flags < 4; flags++)
        for (CUarray array : { a, f, no_array }) {
            printf("flags %d, %s\n", flags, array ? array == a ? "bytes" : "floats" : "none");
            from.res.array.hArray = array;
            how.flags = (unsigned)flags;
            t = 0;
            D(cuTexObjectCreate(&t, &from, &how, NULL));
            D(cuTexObjectDestroy(t));
            s = 0;
            D(cuSurfObjectCreate(&s, &from));
            D(cuSurfObjectDestroy(s));
        }
    from.res.array.hArray = a;
    D(cuTexObjectCreate(NULL, &from, &how, NULL));
    D(cuTexObjectCreate(&t, NULL, &how, NULL));
    D(cuTexObjectCreate(&t, &from, NULL, NULL));
    D(cuSurfObjectCreate(NULL, &from));
    D(cuSurfObjectCreate(&s, NULL));
    from = {};
    from.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    from.res.mipmap.hMipmappedArray = m;
    D(cuTexObjectCreate(&t, &from, &how, NULL));
    D(cuSurfObjectCreate(&s, &from));
    D(cuTexObjectDestroy(t));
    for (CUarray_format format : { CU_AD_FORMAT_FLOAT, CU_AD_FORMAT_SIGNED_INT32, CU_AD_FORMAT_UNSIGNED_INT8 })
        for (unsigned channels = 1; channels < 5; channels++) {
            printf("format %d, %u channels\n", format, channels);
            from = {};
            from.resType = CU_RESOURCE_TYPE_LINEAR;
            from.res.linear.devPtr = device;
            from.res.linear.format = format;
            from.res.linear.numChannels = channels;
            from.res.linear.sizeInBytes = 512;
            how.flags = 0;
            t = 0;
            D(cuTexObjectCreate(&t, &from, &how, NULL));
            D(cuTexObjectDestroy(t));
            from = {};
            from.resType = CU_RESOURCE_TYPE_PITCH2D;
            from.res.pitch2D.devPtr = device;
            from.res.pitch2D.format = format;
            from.res.pitch2D.numChannels = channels;
            from.res.pitch2D.width = 8;
            from.res.pitch2D.height = 4;
            from.res.pitch2D.pitchInBytes = 512;
            t = 0;
            D(cuTexObjectCreate(&t, &from, &how, NULL));
            D(cuTexObjectDestroy(t));
        }
    from.resType = (CUresourcetype)9;
    D(cuTexObjectCreate(&t, &from, &how, NULL));
    D(cuArrayDestroy(a));
    D(cuArrayDestroy(f));
    D(cuMipmappedArrayDestroy(m));
}

int main(int argc, char **argv)
{
    static void (*const parts[])() = { arrays, boxes, textures };

    begin_of_driver(argc, argv);
    D(cuMemAlloc(&device, 1 << 16));
    D(cuStreamCreate(&stream, 0));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_wanted(argc, argv, i))
            parts[i]();
    D(cuMemFree(device));
    D(cuStreamDestroy(stream));
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
