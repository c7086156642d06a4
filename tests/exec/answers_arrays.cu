// What the runtime answers about arrays: of each shape and format, copies to and from them, and texture and surface
// objects.
#include "answers.cuh"

static char host[1 << 16];
static char *device;
static cudaStream_t stream;

static void describe(cudaArray_const_t a)
{
    cudaChannelFormatDesc f = { -1, -1, -1, -1, cudaChannelFormatKindNone };
    cudaExtent e = { 99, 99, 99 };
    unsigned flags = 99;

    A(cudaArrayGetInfo(&f, &e, &flags, (cudaArray_t)a));
    printf("    %d %d %d %d kind %d, %zu %zu %zu, flags %u\n", f.x, f.y, f.z, f.w, f.f, e.width, e.height, e.depth,
           flags);
}

// Arrays of each shape: extent, flags.
static void shapes()
{
    static const struct {
        cudaExtent extent;
        unsigned flags;
    } rows[] = {
        { { 8, 0, 0 }, 0 },
        { { 8, 4, 0 }, 0 },
        { { 8, 4, 2 }, 0 },
        { { 0, 4, 2 }, 0 },
        { { 8, 0, 2 }, 0 },
        { { 8, 0, 3 }, cudaArrayLayered },
        { { 8, 4, 3 }, cudaArrayLayered },
        { { 8, 4, 0 }, cudaArrayLayered },
        { { 8, 4, 2048 }, cudaArrayLayered },
        { { 8, 4, 2049 }, cudaArrayLayered },
        { { 32769, 4, 2 }, cudaArrayLayered },
        { { 8, 32769, 2 }, cudaArrayLayered },
        { { 8, 8, 6 }, cudaArrayCubemap },
        { { 8, 4, 6 }, cudaArrayCubemap },
        { { 8, 8, 5 }, cudaArrayCubemap },
        { { 8, 8, 12 }, cudaArrayCubemap },
        { { 8, 8, 0 }, cudaArrayCubemap },
        { { 8, 8, 12 }, cudaArrayCubemap | cudaArrayLayered },
        { { 8, 8, 13 }, cudaArrayCubemap | cudaArrayLayered },
        { { 8, 8, 0 }, cudaArrayCubemap | cudaArrayLayered },
        { { 8, 8, 0 }, cudaArraySurfaceLoadStore },
        { { 8, 8, 0 }, cudaArrayTextureGather },
        { { 8, 8, 0 }, 0x1000 },
        { { 131072, 0, 0 }, 0 },
        { { 131073, 0, 0 }, 0 },
        { { 131072, 65536, 1 }, 0 },
        { { 16385, 2, 2 }, 0 },
        { { 2, 16385, 2 }, 0 },
        { { 2, 2, 16385 }, 0 },
        { { (size_t)1 << 33, 2, 0 }, 0 },
        { { 2, (size_t)1 << 33, 0 }, 0 },
        { { 2, 2, (size_t)1 << 33 }, 0 },
    };
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();

    for (const auto &r : rows) {
        cudaArray_t a = NULL;
        printf("%zu %zu %zu flags %x\n", r.extent.width, r.extent.height, r.extent.depth, r.flags);
        A(cudaMalloc3DArray(&a, &format, r.extent, r.flags));
        if (a)
            describe(a);
        A(cudaFreeArray(a));
    }
}

static void formats()
{
    static const cudaChannelFormatDesc rows[] = {
        { 8, 0, 0, 0, cudaChannelFormatKindSigned },   { 16, 0, 0, 0, cudaChannelFormatKindSigned },
        { 32, 32, 0, 0, cudaChannelFormatKindSigned }, { 8, 8, 8, 8, cudaChannelFormatKindUnsigned },
        { 16, 16, 0, 0, cudaChannelFormatKindFloat },  { 32, 32, 32, 32, cudaChannelFormatKindFloat },
        { 8, 0, 0, 0, cudaChannelFormatKindFloat },    { 64, 0, 0, 0, cudaChannelFormatKindUnsigned },
        { 32, 32, 32, 0, cudaChannelFormatKindFloat }, { 0, 0, 0, 0, cudaChannelFormatKindFloat },
        { 0, 32, 0, 0, cudaChannelFormatKindFloat },   { 8, 8, 0, 8, cudaChannelFormatKindUnsigned },
        { 32, 0, 0, 0, cudaChannelFormatKindNone },
    };

    for (const auto &r : rows) {
        cudaArray_t a = NULL;
        cudaChannelFormatDesc got = {};
        printf("%d %d %d %d kind %d\n", r.x, r.y, r.z, r.w, r.f);
        A(cudaMallocArray(&a, &r, 16, 8));
        if (a) {
            A(cudaGetChannelDesc(&got, a));
            N(got.x == r.x && got.y == r.y && got.z == r.z && got.w == r.w && got.f == r.f);
        }
        A(cudaFreeArray(a));
    }
    cudaArray_t a = NULL;
    A(cudaMallocArray(NULL, &rows[0], 16, 8));
    A(cudaMallocArray(&a, NULL, 16, 8));
    A(cudaFreeArray(a));
    A(cudaMallocArray(&a, &rows[0], 16, 8));
    A(cudaGetChannelDesc(NULL, a));
    A(cudaArrayGetInfo(NULL, NULL, NULL, a));
    A(cudaFreeArray(a));
}

static void levels()
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMipmappedArray_t m = NULL;
    cudaArray_t level = NULL;

    A(cudaMallocMipmappedArray(&m, &format, make_cudaExtent(16, 8, 0), 3));
    for (unsigned k = 0; k < 5; k++) {
        printf("level %u\n", k);
        level = NULL;
        A(cudaGetMipmappedArrayLevel(&level, m, k));
        if (level)
            describe(level);
    }
    A(cudaGetMipmappedArrayLevel(NULL, m, 0));
    A(cudaGetMipmappedArrayLevel(&level, NULL, 0));
    A(cudaFreeMipmappedArray(m));
    m = NULL;
    A(cudaMallocMipmappedArray(&m, &format, make_cudaExtent(16, 8, 4), 30));
    for (unsigned k = 0; k < 6; k++) {
        printf("level %u\n", k);
        level = NULL;
        A(cudaGetMipmappedArrayLevel(&level, m, k));
        if (level)
            describe(level);
    }
    A(cudaFreeMipmappedArray(m));
    m = NULL;
    A(cudaMallocMipmappedArray(&m, &format, make_cudaExtent(4, 4, 64), 30));
    A(cudaFreeMipmappedArray(m));
    A(cudaMallocMipmappedArray(&m, &format, make_cudaExtent(16, 8, 3), 2, cudaArrayLayered));
    A(cudaGetMipmappedArrayLevel(&level, m, 1));
    if (level)
        describe(level);
    A(cudaFreeMipmappedArray(m));
    m = NULL;
    A(cudaMallocMipmappedArray(&m, &format, make_cudaExtent(16, 8, 0), 0));
    A(cudaFreeMipmappedArray(m));
    A(cudaMallocMipmappedArray(NULL, &format, make_cudaExtent(16, 8, 0), 1));
    A(cudaFreeMipmappedArray(NULL));
    A(cudaFreeArray(NULL));
}

static cudaMemcpy3DParms box_of(cudaArray_t from, cudaArray_t to, cudaExtent extent)
{
    cudaMemcpy3DParms p = {};

    p.srcArray = from;
    p.dstArray = to;
    if (!from)
        p.srcPtr = make_cudaPitchedPtr(host, 64, 64, 8);
    if (!to)
        p.dstPtr = make_cudaPitchedPtr(device, 64, 64, 8);
    p.extent = extent;
    p.kind = cudaMemcpyDefault;
    return p;
}

static void boxes()
{
    const cudaChannelFormatDesc words = cudaCreateChannelDesc<int>(), bytes = cudaCreateChannelDesc<char>();
    cudaArray_t a = NULL, b = NULL, c = NULL;
    cudaMemcpy3DParms p;
    cudaMemcpy3DPeerParms peer = {};

    A(cudaMalloc3DArray(&a, &words, make_cudaExtent(8, 4, 2)));
    A(cudaMalloc3DArray(&b, &words, make_cudaExtent(8, 4, 2)));
    A(cudaMalloc3DArray(&c, &bytes, make_cudaExtent(32, 4, 2)));
    for (int k = 0; k < (int)sizeof host; k++)
        host[k] = (char)k;
    p = box_of(NULL, a, make_cudaExtent(8, 4, 2));
    A(cudaMemcpy3D(&p));
    p = box_of(a, b, make_cudaExtent(8, 4, 2));
    A(cudaMemcpy3DAsync(&p, stream));
    p = box_of(b, NULL, make_cudaExtent(8, 4, 2));
    A(cudaMemcpy3D(&p));
    A(cudaMemcpy(host + 8192, device, 1024, cudaMemcpyDeviceToHost));
    N(!memcmp(host, host + 8192, 32));
    N(!memcmp(host + 64, host + 8192 + 64, 32));
    N(!memcmp(host + 512, host + 8192 + 512, 32));
    p = box_of(a, c, make_cudaExtent(8, 4, 2));
    A(cudaMemcpy3D(&p));
    p = box_of(a, b, make_cudaExtent(9, 4, 2));
    A(cudaMemcpy3D(&p));
    p = box_of(a, b, make_cudaExtent(8, 5, 2));
    A(cudaMemcpy3D(&p));
    p = box_of(a, b, make_cudaExtent(8, 4, 3));
    A(cudaMemcpy3D(&p));
    p = box_of(a, b, make_cudaExtent(4, 2, 1));
    p.srcPos = make_cudaPos(4, 2, 1);
    p.dstPos = make_cudaPos(4, 2, 1);
    A(cudaMemcpy3D(&p));
    p.srcPos = make_cudaPos(5, 2, 1);
    A(cudaMemcpy3D(&p));
    p.srcPos = make_cudaPos(4, 3, 1);
    A(cudaMemcpy3D(&p));
    p.srcPos = make_cudaPos(4, 2, 2);
    A(cudaMemcpy3D(&p));
    p.srcPos = make_cudaPos(9, 5, 3);
    A(cudaMemcpy3D(&p));
    p = box_of(NULL, a, make_cudaExtent(8, 4, 2));
    p.srcPtr.pitch = 16;
    A(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(8, 1, 1);
    A(cudaMemcpy3D(&p));
    p.srcPtr.ptr = NULL;
    A(cudaMemcpy3D(&p));
    p = box_of(NULL, a, make_cudaExtent(8, 4, 2));
    p.kind = (cudaMemcpyKind)9;
    A(cudaMemcpy3D(&p));
    p = box_of(NULL, a, make_cudaExtent(0, 4, 2));
    A(cudaMemcpy3D(&p));
    p = box_of(a, NULL, make_cudaExtent(8, 4, 2));
    p.srcPtr = make_cudaPitchedPtr(host, 64, 64, 8);
    A(cudaMemcpy3D(&p));
    A(cudaMemcpy3D(NULL));
    p = box_of(NULL, NULL, make_cudaExtent(8, 4, 2));
    A(cudaMemcpy3D(&p));
    peer.srcPtr = make_cudaPitchedPtr(device, 64, 64, 8);
    peer.dstPtr = make_cudaPitchedPtr(device + 4096, 64, 64, 8);
    peer.extent = make_cudaExtent(8, 4, 2);
    A(cudaMemcpy3DPeer(&peer));
    A(cudaMemcpy3DPeerAsync(&peer, stream));
    peer.srcDevice = 5;
    A(cudaMemcpy3DPeer(&peer));
    peer.srcDevice = 0;
    peer.dstDevice = 5;
    A(cudaMemcpy3DPeerAsync(&peer, stream));
    A(cudaMemcpy3DPeer(NULL));
    A(cudaStreamSynchronize(stream));
    A(cudaFreeArray(a));
    A(cudaFreeArray(b));
    A(cudaFreeArray(c));
}

static void planes()
{
    static const cudaMemcpyKind kinds[] = { cudaMemcpyHostToHost,     cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                                            cudaMemcpyDeviceToDevice, cudaMemcpyDefault,      (cudaMemcpyKind)9 };
    const cudaChannelFormatDesc words = cudaCreateChannelDesc<int>();
    cudaArray_t a = NULL, b = NULL;

    A(cudaMallocArray(&a, &words, 8, 4));
    A(cudaMallocArray(&b, &words, 8, 4));
    for (cudaMemcpyKind kind : kinds) {
        printf("kind %d\n", kind);
        A(cudaMemcpy2DToArray(a, 0, 0, host, 32, 32, 4, kind));
        A(cudaMemcpy2DToArrayAsync(a, 0, 0, device, 32, 32, 4, kind, stream));
        A(cudaMemcpy2DFromArray(host, 32, a, 0, 0, 32, 4, kind));
        A(cudaMemcpy2DFromArrayAsync(device, 32, a, 0, 0, 32, 4, kind, stream));
        A(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 32, 4, kind));
        A(cudaMemcpyToArray(a, 0, 0, host, 64, kind));
        A(cudaMemcpyToArrayAsync(a, 0, 0, device, 64, kind, stream));
        A(cudaMemcpyFromArray(host, a, 0, 0, 64, kind));
        A(cudaMemcpyFromArrayAsync(device, a, 0, 0, 64, kind, stream));
        A(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, 64, kind));
        A(cudaStreamSynchronize(stream));
    }
    A(cudaMemcpy2DToArray(a, 8, 1, host, 16, 24, 2, cudaMemcpyHostToDevice));
    A(cudaMemcpy2DToArray(a, 8, 1, host, 24, 24, 4, cudaMemcpyHostToDevice));
    A(cudaMemcpy2DToArray(a, 16, 1, host, 24, 24, 2, cudaMemcpyHostToDevice));
    A(cudaMemcpy2DFromArray(host, 16, a, 8, 1, 24, 2, cudaMemcpyDeviceToHost));
    A(cudaMemcpy2DFromArray(host, 16, a, 8, 1, 24, 1, cudaMemcpyDeviceToHost));
    A(cudaMemcpy2DArrayToArray(b, 16, 0, a, 0, 0, 32, 1, cudaMemcpyDeviceToDevice));
    A(cudaMemcpyToArray(a, 16, 3, host, 16, cudaMemcpyHostToDevice));
    A(cudaMemcpyToArray(a, 16, 3, host, 17, cudaMemcpyHostToDevice));
    A(cudaMemcpyToArray(a, 16, 4, host, 4, cudaMemcpyHostToDevice));
    A(cudaMemcpyToArray(a, 48, 0, host, 4, cudaMemcpyHostToDevice));
    A(cudaMemcpyToArray(a, 16, 0, host, 32, cudaMemcpyHostToDevice));
    A(cudaMemcpyToArray(a, 0, 0, NULL, 4, cudaMemcpyHostToDevice));
    A(cudaMemcpyFromArray(host, a, 16, 0, 32, cudaMemcpyDeviceToHost));
    A(cudaFreeArray(a));
    A(cudaFreeArray(b));
}

namespace of_textures {
static const cudaChannelFormatDesc words = cudaCreateChannelDesc<int>(), bytes = cudaCreateChannelDesc<uchar4>(),
                                   floats = cudaCreateChannelDesc<float>();
static cudaChannelFormatDesc three = { 8, 8, 8, 0, cudaChannelFormatKindUnsigned };
static cudaArray_t a = NULL, f = NULL;
static cudaMipmappedArray_t m = NULL;
static cudaTextureObject_t t = 0;
static cudaSurfaceObject_t s = 0;
static cudaResourceDesc from = {}, got = {};
static cudaTextureDesc how = {}, had = {};
static cudaResourceViewDesc view = {};

static void one()
{
    A(cudaMallocArray(&a, &bytes, 16, 8, cudaArraySurfaceLoadStore));
    A(cudaMallocArray(&f, &floats, 16, 8));
    A(cudaMallocMipmappedArray(&m, &words, make_cudaExtent(16, 8, 0), 2));
    from.resType = cudaResourceTypeArray;
    from.res.array.array = a;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
    A(cudaGetTextureObjectResourceDesc(&got, t));
    N(got.resType == cudaResourceTypeArray && got.res.array.array == a);
    A(cudaGetTextureObjectTextureDesc(&had, t));
    N(had.addressMode[0]);
    N(had.filterMode);
    N(had.readMode);
    N(had.normalizedCoords);
    N(had.maxAnisotropy);
    A(cudaGetTextureObjectResourceViewDesc(&view, t));
    N(view.format);
    N(view.width);
    A(cudaGetTextureObjectResourceDesc(NULL, t));
    A(cudaDestroyTextureObject(t));
    A(cudaCreateTextureObject(NULL, &from, &how, NULL));
    A(cudaCreateTextureObject(&t, NULL, &how, NULL));
    for (int mode = 0; mode < 6; mode++)
        for (int filter = 0; filter < 2; filter++)
            for (int read = 0; read < 2; read++) {
                printf("address %d, filter %d, read %d\n", mode, filter, read);
                how = {};
                how.addressMode[0] = how.addressMode[1] = (cudaTextureAddressMode)mode;
                how.filterMode = (cudaTextureFilterMode)filter;
                how.readMode = (cudaTextureReadMode)read;
                t = 0;
                from.res.array.array = a;
                A(cudaCreateTextureObject(&t, &from, &how, NULL));
                A(cudaDestroyTextureObject(t));
                t = 0;
                from.res.array.array = f;
                A(cudaCreateTextureObject(&t, &from, &how, NULL));
                A(cudaDestroyTextureObject(t));
            }
    how = {};
    from.resType = cudaResourceTypeMipmappedArray;
    from.res.mipmap.mipmap = m;
    t = 0;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
    A(cudaDestroyTextureObject(t));
    A(cudaCreateSurfaceObject(&s, &from));
    from.resType = (cudaResourceType)9;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
    from = {};
    from.resType = cudaResourceTypeLinear;
    from.res.linear.devPtr = device;
    from.res.linear.desc = words;
    from.res.linear.sizeInBytes = 1024;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
    A(cudaGetTextureObjectResourceDesc(&got, t));
    N(got.res.linear.sizeInBytes);
    A(cudaDestroyTextureObject(t));
    how.readMode = cudaReadModeNormalizedFloat;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
    how = {};
    from.res.linear.sizeInBytes = 1024;
    from.res.linear.devPtr = NULL;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
}

static void two()
{
    from.res.linear.devPtr = device;
    from.res.linear.desc = three;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
    from = {};
    from.resType = cudaResourceTypePitch2D;
    from.res.pitch2D.devPtr = device;
    from.res.pitch2D.desc = floats;
    from.res.pitch2D.width = 8;
    from.res.pitch2D.height = 4;
    from.res.pitch2D.pitchInBytes = 64;
    t = 0;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
    A(cudaDestroyTextureObject(t));
    puts("a pitch of 48 bytes");
    from.res.pitch2D.pitchInBytes = 48;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
    from.res.pitch2D.pitchInBytes = 64;
    puts("32 texels in 64 bytes");
    from.res.pitch2D.width = 32;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
    from.res.pitch2D.width = 8;
    from.res.pitch2D.height = 4;
    from.res.pitch2D.desc = three;
    A(cudaCreateTextureObject(&t, &from, &how, NULL));
    A(cudaCreateSurfaceObject(&s, &from));
    from = {};
    from.resType = cudaResourceTypeArray;
    from.res.array.array = a;
    A(cudaCreateSurfaceObject(&s, &from));
    A(cudaGetSurfaceObjectResourceDesc(&got, s));
    N(got.res.array.array == a);
    A(cudaDestroySurfaceObject(s));
    A(cudaCreateSurfaceObject(NULL, &from));
    A(cudaCreateSurfaceObject(&s, NULL));
    A(cudaDestroySurfaceObject(0));
    A(cudaFreeArray(a));
    A(cudaFreeArray(f));
    A(cudaFreeMipmappedArray(m));
}

} // namespace of_textures

static void textures()
{
    of_textures::one();
    of_textures::two();
}

int main(int argc, char **argv)
{
    static void (*const parts[])() = { shapes, formats, levels, boxes, planes, textures };

    begin_of_answers(argc, argv);
    A(cudaStreamCreate(&stream));
    A(cudaMalloc(&device, 1 << 16));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_wanted(argc, argv, i))
            parts[i]();
    A(cudaFree(device));
    A(cudaStreamDestroy(stream));
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
