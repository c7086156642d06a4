// What the runtime answers about memory: allocations of each kind, what is asked of pointers, copies and sets, advice,
// pools, handles for other processes.
#include "answers.cuh"

__device__ int variable[8];
__constant__ int constant[4];
__managed__ int managed[4];
static char host[1 << 16];
static void *const nothing = NULL;
static void *const low = (void *)64;

static void allocations()
{
    void *p = NULL;
    size_t pitch = 0, unused = 0, total = 0;
    cudaPitchedPtr box = {};

    A(cudaMalloc(&p, 4096));
    A(cudaMemGetInfo(&unused, &total));
    N(total == 150109880320ull);
    N(unused < total);
    A(cudaMemGetInfo(NULL, &total));
    A(cudaMemGetInfo(&unused, NULL));
    A(cudaFreeHost(p));
    A(cudaHostUnregister(p));
    A(cudaFree(p));
    A(cudaFree(nothing));
    A(cudaFreeHost(nothing));
    A(cudaMallocPitch(&p, &pitch, 100, 3));
    N(pitch);
    A(cudaFree(p));
    A(cudaMallocPitch(&p, NULL, 100, 3));
    A(cudaMallocPitch(NULL, &pitch, 100, 3));
    A(cudaMallocPitch(&p, &pitch, (size_t)1 << 63, 3));
    A(cudaMalloc3D(&box, make_cudaExtent(100, 3, 2)));
    N(box.pitch);
    N(box.xsize);
    N(box.ysize);
    A(cudaFree(box.ptr));
    A(cudaMalloc3D(NULL, make_cudaExtent(100, 3, 2)));
    A(cudaMalloc3D(&box, make_cudaExtent((size_t)1 << 63, 3, 2)));
    A(cudaMallocHost(&p, 100));
    A(cudaFree(p));
    A(cudaFreeHost(p));
    A(cudaMallocHost((void **)NULL, 100));
    A(cudaMallocManaged(&p, 100, 77));
    A(cudaMallocManaged(&p, 100, cudaMemAttachSingle));
    p = (void *)1;
    A(cudaMallocManaged(&p, 0));
    N(p == NULL);
    A(cudaMallocManaged(&p, 100, cudaMemAttachHost));
    A(cudaFreeHost(p));
    A(cudaFree(p));
    A(cudaMallocManaged((void **)NULL, 100));
    A(cudaHostAlloc(&p, 100, 64));
    A(cudaHostAlloc((void **)NULL, 100, 0));
}

static void host_memory()
{
    // Of each flag of cudaHostAlloc: what is then asked of the memory.
    static const unsigned flags[] = { 0, cudaHostAllocPortable, cudaHostAllocMapped, cudaHostAllocWriteCombined,
                                      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined };
    void *p = NULL, *at = NULL;
    unsigned got = 99;

    for (unsigned f : flags) {
        printf("flags %u\n", f);
        A(cudaHostAlloc(&p, 100, f));
        A(cudaHostGetFlags(&got, p));
        N(got);
        A(cudaHostGetDevicePointer(&at, p, 0));
        N(at == p);
        A(cudaFreeHost(p));
    }
    A(cudaHostAlloc(&p, 100, 0));
    A(cudaHostGetFlags(NULL, p));
    A(cudaHostGetDevicePointer(NULL, p, 0));
    A(cudaHostGetDevicePointer(&at, p, 1));
    A(cudaHostGetDevicePointer(&at, (char *)p + 8, 0));
    N((char *)at - (char *)p);
    A(cudaFreeHost((char *)p + 8));
    A(cudaFreeHost(p));
    A(cudaHostGetFlags(&got, host));
    A(cudaHostGetDevicePointer(&at, host, 0));
    A(cudaMalloc(&p, 100));
    A(cudaHostGetFlags(&got, p));
    A(cudaHostGetDevicePointer(&at, p, 0));
    A(cudaFree(p));
    A(cudaMallocManaged(&p, 100));
    A(cudaHostGetFlags(&got, p));
    N(got);
    A(cudaFree(p));
    for (unsigned f : { 0u, 1u, 2u, 3u, 8u }) {
        printf("flags %u\n", f);
        A(cudaHostRegister(host, sizeof host, f));
        A(cudaHostGetFlags(&got, host));
        N(got);
        A(cudaHostGetDevicePointer(&at, host, 0));
        A(cudaHostUnregister(host));
    }
    A(cudaHostRegister(host, sizeof host, 77));
    A(cudaHostRegister(host, 0, 0));
    A(cudaHostRegister(nothing, 64, 0));
    A(cudaHostRegister(host, sizeof host, 0));
    A(cudaHostRegister(host + 4096, 4096, 0));
    A(cudaFreeHost(host));
    A(cudaHostUnregister(host + 4096));
    A(cudaHostUnregister(host));
    A(cudaHostUnregister(host));
}

static void ask(const char *what, const void *p, const void *base)
{
    cudaPointerAttributes a = {};

    printf("%s\n", what);
    a.device = 55;
    A(cudaPointerGetAttributes(&a, p));
    N(a.type);
    N(a.device);
    if (base) {
        N(a.devicePointer == p);
        N(a.hostPointer == p);
        N(a.hostPointer == nullptr);
    }
}

static void pointers()
{
    void *p = NULL, *symbol = NULL;
    size_t bytes = 0;
    cudaStream_t stream = NULL;

    A(cudaStreamCreate(&stream));
    A(cudaMalloc(&p, 100));
    ask("cudaMalloc", (char *)p + 99, p);
    A(cudaPointerGetAttributes(NULL, p));
    A(cudaFree(p));
    A(cudaMallocManaged(&p, 100));
    ask("cudaMallocManaged", p, p);
    A(cudaFree(p));
    A(cudaMallocHost(&p, 100));
    ask("cudaMallocHost", p, p);
    A(cudaFreeHost(p));
    A(cudaMallocAsync(&p, 100, stream));
    ask("cudaMallocAsync", p, p);
    A(cudaFreeAsync(p, stream));
    A(cudaHostRegister(host, 4096, 0));
    ask("cudaHostRegister", host + 100, host);
    A(cudaHostUnregister(host));
    ask("host", host, host);
    A(cudaGetSymbolAddress(&symbol, variable));
    ask("variable", symbol, symbol);
    A(cudaGetSymbolAddress(&symbol, managed));
    ask("managed variable", symbol, symbol);
    N(symbol == managed);
    A(cudaGetSymbolAddress(&symbol, constant));
    A(cudaGetSymbolAddress(&symbol, host));
    A(cudaGetSymbolAddress(&symbol, (const void *)fault));
    A(cudaGetSymbolSize(&bytes, variable));
    N(bytes);
    A(cudaGetSymbolSize(&bytes, managed));
    N(bytes);
    A(cudaGetSymbolSize(&bytes, constant));
    N(bytes);
    A(cudaGetSymbolSize(&bytes, host));
    A(cudaStreamDestroy(stream));
}

static const cudaMemcpyKind kinds[] = { cudaMemcpyHostToHost,     cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                                        cudaMemcpyDeviceToDevice, cudaMemcpyDefault,      (cudaMemcpyKind)9 };

// Copies with each direction, from and to each kind of memory.
static void copies()
{
    static char more[4096];
    void *at[5] = { host, more };
    cudaStream_t stream = NULL;

    A(cudaStreamCreate(&stream));
    A(cudaMalloc(&at[2], 4096));
    A(cudaMallocManaged(&at[3], 4096));
    A(cudaMallocHost(&at[4], 4096));
    A(cudaMemset(at[2], 3, 4096));
    for (int to = 0; to < 5; to++)
        for (int from = 1; from < 5; from++)
            for (cudaMemcpyKind kind : kinds) {
                printf("%d from %d, kind %d\n", to, from, kind);
                A(cudaMemcpy(at[to], at[from], 64, kind));
                A(cudaMemcpyAsync(at[to], at[from], 64, kind, stream));
                A(cudaMemcpy2D(at[to], 64, at[from], 64, 32, 4, kind));
                A(cudaMemcpy2DAsync(at[to], 64, at[from], 64, 32, 4, kind, stream));
            }
    void *const d = at[2];
    A(cudaMemcpy(nothing, d, 4, cudaMemcpyDefault));
    A(cudaMemcpy(d, nothing, 4, cudaMemcpyDefault));
    A(cudaMemcpy(d, host, 4097, cudaMemcpyHostToDevice));
    A(cudaMemcpy(host, d, 4097, cudaMemcpyDeviceToHost));
    A(cudaMemcpyPeer(d, 0, (char *)d + 64, 0, 64));
    A(cudaMemcpyPeer(d, 9, (char *)d + 64, 0, 64));
    A(cudaMemcpyPeer(d, 0, (char *)d + 64, 9, 64));
    A(cudaMemcpyPeerAsync(d, 0, (char *)d + 64, 0, 64, stream));
    A(cudaMemcpyPeerAsync(d, 9, (char *)d + 64, 0, 64, stream));
    A(cudaMemcpyPeerAsync(d, 0, (char *)d + 64, 9, 64, stream));
    A(cudaMemcpy2D(host, 16, d, 64, 32, 4, cudaMemcpyDeviceToHost));
    A(cudaMemcpy2D(host, 64, d, 16, 32, 4, cudaMemcpyDeviceToHost));
    A(cudaMemcpy2D(host, 64, d, 64, 0, 4, cudaMemcpyDeviceToHost));
    A(cudaMemcpy2D(host, 64, d, 64, 32, 0, cudaMemcpyDeviceToHost));
    A(cudaMemcpy2DAsync(host, 16, d, 64, 32, 4, cudaMemcpyDeviceToHost, stream));
    for (cudaMemcpyKind kind : kinds) {
        printf("kind %d\n", kind);
        A(cudaMemcpyToSymbol(variable, host, 8, 4, kind));
        A(cudaMemcpyFromSymbol(host, variable, 8, 4, kind));
        A(cudaMemcpyToSymbolAsync(variable, host, 8, 4, kind, stream));
        A(cudaMemcpyFromSymbolAsync(host, variable, 8, 4, kind, stream));
        A(cudaStreamSynchronize(stream));
    }
    A(cudaMemcpyToSymbol(variable, d, 8, 0, cudaMemcpyDeviceToDevice));
    A(cudaMemcpyFromSymbol(d, variable, 8, 0, cudaMemcpyDeviceToDevice));
    A(cudaMemcpyToSymbol(host, more, 8));
    A(cudaMemcpyFromSymbol(more, host, 8));
    A(cudaMemcpyToSymbol(variable, host, 8, 40));
    A(cudaMemcpyFromSymbol(host, variable, 40));
    A(cudaMemcpyToSymbol(constant, host, 16));
    A(cudaMemcpyFromSymbol(host, managed, 16));
    A(cudaFree(at[2]));
    A(cudaFree(at[3]));
    A(cudaFreeHost(at[4]));
    A(cudaStreamDestroy(stream));
}

static void sets()
{
    unsigned char *d = NULL;
    cudaStream_t stream = NULL;
    cudaPitchedPtr box = {};

    memset(host, 0, 64);
    A(cudaStreamCreate(&stream));
    A(cudaMalloc(&d, 4096));
    A(cudaMemset(d, 0, 4096));
    A(cudaMemset2D(d, 16, 7, 8, 4));
    A(cudaMemset2DAsync(d + 64, 16, 0x107, 8, 4, stream));
    A(cudaMemset2D(d, 4, 7, 8, 4));
    A(cudaMemset2D(d, 4, 7, 8, 1));
    A(cudaMemset2D(d, 1024, 7, 8, 5));
    A(cudaMemset2D(d, 1024, 7, 0, 5));
    A(cudaMemset2D(d, 1024, 7, 5, 0));
    A(cudaMemset2D(host, 16, 7, 8, 4));
    A(cudaMemset2D(nothing, 16, 7, 8, 4));
    A(cudaMemsetAsync(d, 1, 4, stream));
    A(cudaMemsetAsync(low, 1, 4, stream));
    A(cudaMemset(d, 1, 4097));
    A(cudaMemset(d, 1, 0));
    A(cudaMalloc3D(&box, make_cudaExtent(10, 4, 3)));
    A(cudaMemset3D(box, 5, make_cudaExtent(10, 4, 3)));
    A(cudaMemset3DAsync(box, 6, make_cudaExtent(5, 4, 3), stream));
    A(cudaMemset3D(box, 5, make_cudaExtent(10, 4, 4)));
    A(cudaMemset3D(box, 5, make_cudaExtent(0, 4, 3)));
    A(cudaStreamSynchronize(stream));
    if (box.ptr && d) {
        A(cudaMemcpy(host, box.ptr, 10, cudaMemcpyDeviceToHost));
        N(host[0]);
        N(host[5]);
        A(cudaMemcpy(host, d, 128, cudaMemcpyDeviceToHost));
        N(host[0]);
        N(host[12]);
        N(host[71]);
        N(host[72]);
    }
    A(cudaFree(box.ptr));
    A(cudaFree(d));
    A(cudaStreamDestroy(stream));
}

static void advice()
{
    static const cudaMemRangeAttribute which[] = { cudaMemRangeAttributeReadMostly,
                                                   cudaMemRangeAttributePreferredLocation,
                                                   cudaMemRangeAttributeAccessedBy,
                                                   cudaMemRangeAttributeLastPrefetchLocation,
                                                   cudaMemRangeAttributePreferredLocationType,
                                                   cudaMemRangeAttributePreferredLocationId,
                                                   cudaMemRangeAttributeLastPrefetchLocationType,
                                                   cudaMemRangeAttributeLastPrefetchLocationId,
                                                   (cudaMemRangeAttribute)99 };
    char *m = NULL, *d = NULL;
    cudaStream_t stream = NULL;
    cudaMemLocation gpu = { cudaMemLocationTypeDevice, 0 };
    int out[4] = { 9, 9, 9, 9 };

    A(cudaStreamCreate(&stream));
    A(cudaMallocManaged(&m, 1 << 16));
    A(cudaMalloc(&d, 4096));
    for (cudaMemRangeAttribute a : which) {
        printf("attribute %d\n", a);
        out[0] = out[1] = 9;
        A(cudaMemRangeGetAttribute(out, 4, a, m, 1 << 16));
        N(out[0]);
    }
    A(cudaMemRangeGetAttribute(out, 8, cudaMemRangeAttributeAccessedBy, m, 1 << 16));
    N(out[1]);
    A(cudaMemRangeGetAttribute(out, 3, cudaMemRangeAttributeReadMostly, m, 1 << 16));
    A(cudaMemRangeGetAttribute(out, 2, cudaMemRangeAttributeAccessedBy, m, 1 << 16));
    A(cudaMemRangeGetAttribute(NULL, 4, cudaMemRangeAttributeReadMostly, m, 1 << 16));
    A(cudaMemRangeGetAttribute(out, 4, cudaMemRangeAttributeReadMostly, m, 0));
    A(cudaMemRangeGetAttribute(out, 4, cudaMemRangeAttributeReadMostly, d, 4096));
    A(cudaMemRangeGetAttribute(out, 4, cudaMemRangeAttributeReadMostly, m, 1 << 30));
    void *to[2] = { &out[0], &out[1] };
    size_t sizes[2] = { 4, 4 };
    cudaMemRangeAttribute two[2] = { cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation };
    A(cudaMemRangeGetAttributes(to, sizes, two, 2, m, 4096));
    A(cudaMemRangeGetAttributes(to, sizes, two, 0, m, 4096));
    A(cudaMemRangeGetAttributes(NULL, sizes, two, 2, m, 4096));
    A(cudaMemRangeGetAttributes(to, NULL, two, 2, m, 4096));
    A(cudaMemRangeGetAttributes(to, sizes, NULL, 2, m, 4096));
    for (int a = 0; a < 9; a++) {
        printf("advice %d\n", a);
        A(cudaMemAdvise(m, 1 << 16, (cudaMemoryAdvise)a, gpu));
    }
    A(cudaMemAdvise(m, 0, cudaMemAdviseSetReadMostly, gpu));
    A(cudaMemAdvise(d, 4096, cudaMemAdviseSetReadMostly, gpu));
    A(cudaMemAdvise(host, 4096, cudaMemAdviseSetReadMostly, gpu));
    A(cudaMemPrefetchAsync(m, 1 << 16, gpu, 0, stream));
    A(cudaMemPrefetchAsync(m, 1 << 16, gpu, 1, stream));
    A(cudaMemPrefetchAsync(m, 0, gpu, 0, stream));
    A(cudaMemPrefetchAsync(d, 4096, gpu, 0, stream));
    void *list[1] = { m };
    size_t bytes[1] = { 1 << 16 }, first[1] = { 0 };
    A(cudaMemPrefetchBatchAsync(list, bytes, 1, &gpu, first, 1, 0, stream));
    A(cudaMemPrefetchBatchAsync(NULL, bytes, 1, &gpu, first, 1, 0, stream));
    A(cudaMemPrefetchBatchAsync(list, NULL, 1, &gpu, first, 1, 0, stream));
    A(cudaMemPrefetchBatchAsync(list, bytes, 0, &gpu, first, 1, 0, stream));
    A(cudaMemDiscardBatchAsync(list, bytes, 1, 0, stream));
    A(cudaMemDiscardAndPrefetchBatchAsync(list, bytes, 1, &gpu, first, 1, 0, stream));
    A(cudaStreamAttachMemAsync(stream, m, 0, cudaMemAttachSingle));
    A(cudaStreamAttachMemAsync(stream, m, 1 << 16, cudaMemAttachGlobal));
    A(cudaStreamAttachMemAsync(stream, m, 0, cudaMemAttachHost));
    A(cudaStreamAttachMemAsync(stream, m, 0, 77));
    A(cudaStreamAttachMemAsync(stream, m + 64, 64, cudaMemAttachGlobal));
    A(cudaStreamAttachMemAsync(stream, m, 64, cudaMemAttachGlobal));
    A(cudaStreamAttachMemAsync(stream, d, 0, cudaMemAttachGlobal));
    A(cudaStreamAttachMemAsync(stream, host, 0, cudaMemAttachGlobal));
    A(cudaStreamSynchronize(stream));
    A(cudaFree(m));
    A(cudaFree(d));
    A(cudaStreamDestroy(stream));
}

static void batches()
{
    char *d = NULL;
    cudaStream_t stream = NULL;
    cudaMemcpyAttributes how = {};
    size_t bytes[2] = { 16, 16 }, first[1] = { 0 }, second[1] = { 1 };

    how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    A(cudaStreamCreate(&stream));
    A(cudaMalloc(&d, 4096));
    A(cudaMemset(d, 3, 4096));
    void *to[2] = { d, d + 64 };
    const void *from[2] = { d + 128, d + 192 };
    void *hole[2] = { d, NULL };
    A(cudaMemcpyBatchAsync(to, from, bytes, 2, &how, first, 1, stream));
    A(cudaMemcpyBatchAsync((void **)NULL, from, bytes, 2, &how, first, 1, stream));
    A(cudaMemcpyBatchAsync(to, (const void **)NULL, bytes, 2, &how, first, 1, stream));
    A(cudaMemcpyBatchAsync(to, from, NULL, 2, &how, first, 1, stream));
    A(cudaMemcpyBatchAsync(to, from, bytes, 0, &how, first, 1, stream));
    A(cudaMemcpyBatchAsync(to, from, bytes, 2, NULL, first, 1, stream));
    A(cudaMemcpyBatchAsync(to, from, bytes, 2, &how, NULL, 1, stream));
    A(cudaMemcpyBatchAsync(to, from, bytes, 2, &how, first, 0, stream));
    A(cudaMemcpyBatchAsync(to, from, bytes, 2, &how, first, 3, stream));
    A(cudaMemcpyBatchAsync(to, from, bytes, 2, &how, second, 1, stream));
    A(cudaMemcpyBatchAsync(hole, from, bytes, 2, &how, first, 1, stream));
    A(cudaMemcpyBatchAsync(to, from, bytes, 2, &how, first, 1, NULL));
    A(cudaStreamSynchronize(stream));
    A(cudaFree(d));
    A(cudaStreamDestroy(stream));
}

namespace of_pools {
static cudaMemPool_t pool = NULL, other = NULL, standard = NULL;
static cudaMemPoolProps how = {};
static cudaMemLocation gpu = { cudaMemLocationTypeDevice, 0 }, far = { cudaMemLocationTypeDevice, 7 };
static cudaStream_t stream = NULL;
static void *p = NULL, *q = NULL;
static unsigned long long value = 0;

static void one()
{
    how.allocType = cudaMemAllocationTypePinned;
    how.location = gpu;
    A(cudaStreamCreate(&stream));
    A(cudaDeviceGetDefaultMemPool(&standard, 0));
    A(cudaDeviceGetDefaultMemPool(&standard, 3));
    A(cudaDeviceGetDefaultMemPool(NULL, 0));
    A(cudaDeviceGetMemPool(&other, 0));
    N(other == standard);
    A(cudaDeviceGetMemPool(&other, -1));
    A(cudaMemPoolCreate(&pool, &how));
    A(cudaMemPoolCreate(NULL, &how));
    A(cudaMemPoolCreate(&other, NULL));
    how.location = far;
    A(cudaMemPoolCreate(&other, &how));
    how.location = gpu;
    how.allocType = cudaMemAllocationTypeInvalid;
    A(cudaMemPoolCreate(&other, &how));
    for (int a = 0; a < 10; a++) {
        printf("attribute %d\n", a);
        value = 0;
        A(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)a, &value));
        N(value);
    }
    A(cudaMallocFromPoolAsync(&p, 5000, pool, stream));
    A(cudaMallocFromPoolAsync(&q, 100, pool, stream));
    A(cudaMallocFromPoolAsync(NULL, 100, pool, stream));
    A(cudaMallocFromPoolAsync(&q, 0, pool, stream));
    A(cudaStreamSynchronize(stream));
    for (int a = 4; a < 9; a++) {
        printf("attribute %d\n", a);
        A(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)a, &value));
        N(a == 7 || a == 8 ? value >= 5100 : value);
    }
    A(cudaFreeAsync(p, stream));
    A(cudaStreamSynchronize(stream));
    for (int a = 1; a < 10; a++) {
        printf("attribute %d\n", a);
        value = 1;
        A(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)a, &value));
        value = 0;
        A(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)a, &value));
    }
    A(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemHigh, NULL));
    A(cudaMemPoolTrimTo(pool, 0));
    A(cudaMemPoolTrimTo(pool, 1 << 20));
    cudaMemAccessDesc access[2] = { { gpu, cudaMemAccessFlagsProtReadWrite },
                                    { far, cudaMemAccessFlagsProtReadWrite } };
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    A(cudaMemPoolSetAccess(pool, access, 1));
    A(cudaMemPoolSetAccess(pool, access, 2));
    A(cudaMemPoolSetAccess(pool, access, 0));
    A(cudaMemPoolSetAccess(pool, NULL, 1));
    access[0].flags = cudaMemAccessFlagsProtNone;
    A(cudaMemPoolSetAccess(pool, access, 1));
    A(cudaMemPoolGetAccess(&flags, pool, &gpu));
    N(flags);
    A(cudaMemPoolGetAccess(NULL, pool, &gpu));
    A(cudaMemPoolGetAccess(&flags, pool, NULL));
    A(cudaMemGetDefaultMemPool(&other, &gpu, cudaMemAllocationTypePinned));
    N(other == standard);
    A(cudaMemGetMemPool(&other, &gpu, cudaMemAllocationTypePinned));
    N(other == standard);
}

static void two()
{
    A(cudaMemSetMemPool(&gpu, cudaMemAllocationTypePinned, pool));
    A(cudaDeviceGetMemPool(&other, 0));
    N(other == pool);
    A(cudaDeviceSetMemPool(0, standard));
    A(cudaDeviceSetMemPool(4, standard));
    A(cudaDeviceSetMemPool(0, pool));
    A(cudaMemPoolDestroy(pool));
    A(cudaDeviceGetMemPool(&other, 0));
    N(other == standard);
    A(cudaMemPoolDestroy(standard));
    A(cudaFreeAsync(q, stream));
    A(cudaFreeAsync(host, stream));
    A(cudaFreeAsync(nothing, stream));
    A(cudaMallocAsync(&p, 64, stream));
    A(cudaMallocAsync(NULL, 64, stream));
    A(cudaMallocAsync(&q, 0, stream));
    A(cudaFree(p));
    A(cudaMalloc(&p, 64));
    A(cudaFreeAsync(p, stream));
    A(cudaStreamSynchronize(stream));
    for (int a = 0; a < 5; a++) {
        printf("attribute %d\n", a);
        value = 5;
        A(cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)a, &value));
        N(value);
        value = 0;
        A(cudaDeviceSetGraphMemAttribute(0, (cudaGraphMemAttributeType)a, &value));
    }
    A(cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &value));
    A(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, NULL));
    A(cudaDeviceSetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &value));
    A(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, NULL));
    A(cudaDeviceGraphMemTrim(0));
    A(cudaDeviceGraphMemTrim(1));
    A(cudaStreamDestroy(stream));
}

} // namespace of_pools

static void pools()
{
    of_pools::one();
    of_pools::two();
}

static void processes()
{
    cudaIpcMemHandle_t memory = {};
    cudaIpcEventHandle_t event = {};
    cudaEvent_t e = NULL, plain = NULL, opened = NULL;
    void *p = NULL, *at = NULL;

    A(cudaMalloc(&p, 4096));
    A(cudaIpcGetMemHandle(&memory, p));
    A(cudaIpcGetMemHandle(&memory, host));
    A(cudaIpcOpenMemHandle(&at, memory, cudaIpcMemLazyEnablePeerAccess));
    A(cudaIpcCloseMemHandle(p));
    A(cudaEventCreateWithFlags(&e, cudaEventInterprocess | cudaEventDisableTiming));
    A(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
    A(cudaIpcGetEventHandle(&event, e));
    A(cudaIpcGetEventHandle(&event, plain));
    A(cudaIpcGetEventHandle(&event, NULL));
    A(cudaIpcGetEventHandle(&event, e));
    A(cudaIpcOpenEventHandle(&opened, event));
    A(cudaEventDestroy(e));
    A(cudaEventDestroy(plain));
    A(cudaFree(p));
}

int main(int argc, char **argv)
{
    static void (*const parts[])() = { allocations, host_memory, pointers, copies,   sets,
                                       advice,      batches,     pools,    processes };

    begin_of_answers(argc, argv);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_wanted(argc, argv, i))
            parts[i]();
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
