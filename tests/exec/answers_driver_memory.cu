// What the driver answers about memory: allocations, pointers, advice, copies and sets, virtual memory.
#include "answers_driver.cuh"

#include <unistd.h>

static char host[1 << 16];
static CUdeviceptr device;
static CUstream stream;
enum : size_t { PAGE = 2 << 20 };

static void allocations()
{
    CUdeviceptr p = 0, base = 0;
    size_t pitch = 0, bytes = 0, total = 0;
    void *h = NULL;
    unsigned flags = 99;

    D(cuMemAlloc(&p, 0));
    D(cuMemAlloc(NULL, 64));
    D(cuMemAlloc(&p, (size_t)1 << 50));
    D(cuMemAlloc(&p, 100));
    D(cuMemGetAddressRange(&base, &bytes, p + 99));
    N(base == p);
    N(bytes);
    D(cuMemGetAddressRange(NULL, &bytes, p));
    D(cuMemGetAddressRange(&base, NULL, p));
    D(cuMemGetAddressRange(&base, &bytes, 64));
    D(cuMemGetInfo(&bytes, &total));
    N(total == 150109880320ull);
    D(cuMemFree(p));
    D(cuMemFree(0));
    for (unsigned element : { 1u, 4u, 8u, 16u, 32u }) {
        printf("element %u\n", element);
        p = 0;
        D(cuMemAllocPitch(&p, &pitch, 100, 3, element));
        D(cuMemFree(p));
    }
    D(cuMemAllocPitch(&p, NULL, 100, 3, 4));
    for (unsigned f : { 0u, 1u, 2u, 4u, 7u }) {
        printf("flags %u\n", f);
        p = 0;
        D(cuMemAllocManaged(&p, 100, f));
        D(cuMemFree(p));
    }
    D(cuMemAllocHost(&h, 100));
    D(cuMemHostGetFlags(&flags, h));
    N(flags);
    D(cuMemHostGetDevicePointer(&p, h, 0));
    N(p == (CUdeviceptr)h);
    D(cuMemHostGetDevicePointer(&p, h, 1));
    D(cuMemHostGetDevicePointer(NULL, h, 0));
    D(cuMemHostGetFlags(NULL, h));
    D(cuMemFreeHost(h));
    D(cuMemAllocHost(&h, 0));
    D(cuMemHostAlloc(&h, 100, CU_MEMHOSTALLOC_WRITECOMBINED));
    D(cuMemHostGetFlags(&flags, h));
    N(flags);
    D(cuMemFreeHost(h));
    D(cuMemHostGetFlags(&flags, host));
    D(cuMemHostGetDevicePointer(&p, host, 0));
    D(cuMemHostGetFlags(&flags, (void *)device));
    D(cuMemHostRegister(host, sizeof host, CU_MEMHOSTREGISTER_DEVICEMAP));
    D(cuMemHostRegister(host, sizeof host, 0));
    D(cuMemHostGetFlags(&flags, host));
    N(flags);
    D(cuMemHostUnregister(host));
    D(cuMemHostUnregister(host));
    D(cuMemHostRegister(NULL, 4096, 0));
    D(cuMemHostRegister(host, 0, 0));
}

static void ask(const char *what, CUdeviceptr p, bool ours)
{
    unsigned long long value[4];

    printf("%s\n", what);
    for (int a = 0; a < 24; a++) {
        printf("attribute %d\n", a);
        memset(value, 0, sizeof value);
        D(cuPointerGetAttribute(value, (CUpointer_attribute)a, p));
        // no addresses, no numbers that count allocations
        if (a == CU_POINTER_ATTRIBUTE_DEVICE_POINTER || a == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
            a == CU_POINTER_ATTRIBUTE_HOST_POINTER || a == CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR)
            N(value[0] == p);
        else if (a == CU_POINTER_ATTRIBUTE_CONTEXT)
            N(value[0] == (unsigned long long)context);
        else if (a != CU_POINTER_ATTRIBUTE_BUFFER_ID && a != CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID &&
                 a != CU_POINTER_ATTRIBUTE_P2P_TOKENS && a != CU_POINTER_ATTRIBUTE_MAPPING_SIZE)
            N(value[0]);
    }
    (void)ours;
}

static void pointers()
{
    CUdeviceptr p = 0;
    void *h = NULL;
    unsigned type = 9, managed = 9, on = 1;
    int ordinal = 9;
    void *at = &type;
    CUpointer_attribute which[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_HOST_POINTER };
    void *out[] = { &type, &managed, &ordinal, &at };

    ask("cuMemAlloc", device, true);
    D(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
    ask("cuMemAllocManaged", p, true);
    D(cuMemFree(p));
    D(cuMemAllocHost(&h, 4096));
    ask("cuMemAllocHost", (CUdeviceptr)h, true);
    D(cuMemFreeHost(h));
    D(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)host));
    D(cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
    D(cuPointerGetAttributes(4, which, out, device));
    N(type);
    N(managed);
    N(ordinal);
    N(at == NULL);
    D(cuPointerGetAttributes(4, which, out, (CUdeviceptr)host));
    N(type);
    N(managed);
    N(ordinal);
    D(cuPointerGetAttributes(4, NULL, out, device));
    D(cuPointerGetAttributes(4, which, NULL, device));
    D(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device));
    D(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
    D(cuPointerSetAttribute(NULL, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device));
    D(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)host));
}

static void advice()
{
    CUdeviceptr m = 0;
    CUmemLocation where = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
    int out[4] = { 9, 9, 9, 9 };
    void *to[2] = { &out[0], &out[1] };
    size_t sizes[2] = { 4, 4 }, first[1] = { 0 }, bytes[1] = { 1 << 16 };
    CUmem_range_attribute two[2] = { CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION };

    D(cuMemAllocManaged(&m, 1 << 16, CU_MEM_ATTACH_GLOBAL));
    for (int a = 0; a < 10; a++) {
        printf("attribute %d\n", a);
        out[0] = 9;
        D(cuMemRangeGetAttribute(out, 4, (CUmem_range_attribute)a, m, 1 << 16));
        N(out[0]);
    }
    D(cuMemRangeGetAttribute(out, 8, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, m, 1 << 16));
    N(out[1]);
    D(cuMemRangeGetAttribute(out, 2, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, m, 1 << 16));
    D(cuMemRangeGetAttribute(NULL, 4, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, m, 1 << 16));
    D(cuMemRangeGetAttribute(out, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, 0));
    D(cuMemRangeGetAttribute(out, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, device, 4096));
    D(cuMemRangeGetAttributes(to, sizes, two, 2, m, 4096));
    D(cuMemRangeGetAttributes(NULL, sizes, two, 2, m, 4096));
    D(cuMemRangeGetAttributes(to, NULL, two, 2, m, 4096));
    D(cuMemRangeGetAttributes(to, sizes, NULL, 2, m, 4096));
    for (int a = 0; a < 9; a++) {
        printf("advice %d\n", a);
        D(cuMemAdvise(m, 1 << 16, (CUmem_advise)a, where));
    }
    D(cuMemAdvise(m, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, where));
    D(cuMemAdvise(device, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, where));
    D(cuMemPrefetchAsync(m, 1 << 16, where, 0, stream));
    D(cuMemPrefetchAsync(m, 1 << 16, where, 1, stream));
    D(cuMemPrefetchAsync(m, 0, where, 0, stream));
    D(cuMemPrefetchAsync(device, 4096, where, 0, stream));
    D(cuMemPrefetchBatchAsync(&m, bytes, 1, &where, first, 1, 0, stream));
    D(cuStreamAttachMemAsync(stream, m, 0, CU_MEM_ATTACH_SINGLE));
    D(cuStreamAttachMemAsync(stream, m, 0, CU_MEM_ATTACH_GLOBAL));
    D(cuStreamAttachMemAsync(stream, m, 0, 77));
    D(cuStreamAttachMemAsync(stream, device, 0, CU_MEM_ATTACH_GLOBAL));
    D(cuStreamSynchronize(stream));
    D(cuMemFree(m));
}

static void copies()
{
    CUdeviceptr to[2] = { device, device + 64 }, from[2] = { device + 128, device + 192 };
    size_t bytes[2] = { 16, 16 }, first[1] = { 0 };
    CUmemcpyAttributes how = {};
    short got[8] = {};

    how.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    D(cuMemsetD8(device, 1, 4096));
    D(cuMemcpy(device, device + 64, 64));
    D(cuMemcpyAsync(device, device + 64, 64, stream));
    D(cuMemcpyHtoD(device, host, 64));
    D(cuMemcpyHtoDAsync(device, host, 64, stream));
    D(cuMemcpyDtoH(host, device, 64));
    D(cuMemcpyDtoHAsync(host, device, 64, stream));
    D(cuMemcpyDtoD(device, device + 64, 64));
    D(cuMemcpyDtoDAsync(device, device + 64, 64, stream));
    D(cuMemcpyPeer(device, context, device + 64, context, 64));
    D(cuMemcpyPeerAsync(device, context, device + 64, context, 64, stream));
    D(cuMemcpyHtoD(device, host, (1 << 16) + 1));
    D(cuMemcpyDtoH(host, device + 64, 1 << 16));
    D(cuMemcpyHtoD(device, host, 0));
    D(cuMemcpyBatchAsync(to, from, bytes, 2, &how, first, 1, stream));
    D(cuMemcpyBatchAsync(NULL, from, bytes, 2, &how, first, 1, stream));
    D(cuMemcpyBatchAsync(to, NULL, bytes, 2, &how, first, 1, stream));
    D(cuMemcpyBatchAsync(to, from, NULL, 2, &how, first, 1, stream));
    D(cuMemcpyBatchAsync(to, from, bytes, 0, &how, first, 1, stream));
    D(cuStreamSynchronize(stream));
    D(cuMemsetD8(device, 7, 4));
    D(cuMemsetD16(device + 4, 0x102, 2));
    D(cuMemsetD32(device + 8, 5, 1));
    D(cuMemsetD16(device + 1, 5, 1));
    D(cuMemsetD32(device + 2, 5, 1));
    D(cuMemsetD8Async(device + 12, 7, 4, stream));
    D(cuMemsetD16Async(device + 16, 7, 2, stream));
    D(cuMemsetD32Async(device + 20, 7, 1, stream));
    D(cuMemsetD2D8(device + 64, 16, 9, 4, 3));
    D(cuMemsetD2D16(device + 128, 16, 9, 4, 3));
    D(cuMemsetD2D32(device + 192, 16, 9, 4, 3));
    D(cuMemsetD2D8Async(device + 256, 16, 9, 4, 3, stream));
    D(cuMemsetD2D16Async(device + 320, 16, 9, 4, 3, stream));
    D(cuMemsetD2D32Async(device + 384, 16, 9, 4, 3, stream));
    D(cuMemsetD2D16(device, 15, 9, 4, 3));
    D(cuMemsetD2D32(device, 18, 9, 4, 3));
    D(cuMemsetD2D32(device, 18, 9, 4, 1));
    D(cuMemsetD8(device, 7, (1 << 16) + 1));
    D(cuMemsetD8(0, 7, 4));
    D(cuMemsetD8(device, 7, 0));
    D(cuStreamSynchronize(stream));
    D(cuMemcpyDtoH(got, device + 128, sizeof got));
    N(got[3]);
    D(cuMemcpyDtoH(got, device + 320, sizeof got));
    N(got[3]);
}

namespace of_virtual_memory {
static CUmemAllocationProp p = {};
static CUmemGenericAllocationHandle h = 0, second = 0, third = 0;
static CUmemAccessDesc access = {};
static CUdeviceptr at = 0, other = 0;
static size_t grain = 0;
static unsigned long long flags = 9;
static int fd = -1, number = 5, got = 0;

static void one()
{
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    D(cuMemGetAllocationGranularity(&grain, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    N(grain);
    D(cuMemGetAllocationGranularity(&grain, &p, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    N(grain);
    D(cuMemGetAllocationGranularity(NULL, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    D(cuMemGetAllocationGranularity(&grain, NULL, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    D(cuMemCreate(&h, 2 * PAGE, &p, 0));
    D(cuMemCreate(&second, PAGE, &p, 0));
    D(cuMemCreate(NULL, PAGE, &p, 0));
    D(cuMemCreate(&third, PAGE, NULL, 0));
    D(cuMemCreate(&third, PAGE, &p, 1));
    D(cuMemCreate(&third, 0, &p, 0));
    D(cuMemCreate(&third, 4096, &p, 0));
    p.location.id = 7;
    D(cuMemCreate(&third, PAGE, &p, 0));
    p.location.id = 0;
    p.type = CU_MEM_ALLOCATION_TYPE_INVALID;
    D(cuMemCreate(&third, PAGE, &p, 0));
    D(cuMemGetAllocationGranularity(&grain, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    D(cuMemGetAllocationPropertiesFromHandle(&p, h));
    N(p.type);
    N(p.location.type);
    D(cuMemGetAllocationPropertiesFromHandle(NULL, h));
    D(cuMemAddressReserve(&at, 4 * PAGE, 0, 0, 0));
    D(cuMemAddressReserve(&other, 2 * PAGE, 8 * PAGE, 0, 0));
    N(other % (8 * PAGE));
    D(cuMemAddressReserve(NULL, PAGE, 0, 0, 0));
    D(cuMemAddressReserve(&at, 0, 0, 0, 0));
    D(cuMemAddressReserve(&at, 4096, 0, 0, 0));
    D(cuMemAddressReserve(&at, PAGE, 3, 0, 0));
    D(cuMemAddressReserve(&at, PAGE, 0, 0, 1));
    D(cuMemMap(at, 2 * PAGE, 0, h, 0));
    D(cuMemMap(at, 2 * PAGE, 0, h, 0));
    D(cuMemMap(at + PAGE, PAGE, 0, second, 0));
    D(cuMemMap(at + 2 * PAGE, PAGE, 0, second, 1));
    D(cuMemMap(at + 2 * PAGE, 0, 0, second, 0));
    D(cuMemMap(at + 2 * PAGE, 4096, 0, second, 0));
    D(cuMemMap(at + 2 * PAGE, 2 * PAGE, 0, second, 0));
    D(cuMemMap(at + 3 * PAGE, PAGE, PAGE, h, 0));
    D(cuMemMap(at + 2 * PAGE, PAGE, 0, second, 0));
    D(cuMemGetAccess(&flags, &p.location, at));
    N(flags);
    access.location = p.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    D(cuMemSetAccess(at, 4 * PAGE, &access, 1));
    D(cuMemSetAccess(at, 4 * PAGE, NULL, 1));
    D(cuMemSetAccess(at, 4 * PAGE, &access, 0));
    D(cuMemSetAccess(at, 0, &access, 1));
    D(cuMemSetAccess(at, 8 * PAGE, &access, 1));
    access.location.id = 7;
    D(cuMemSetAccess(at, 4 * PAGE, &access, 1));
    access.location.id = 0;
    D(cuMemGetAccess(&flags, &p.location, at));
    N(flags);
    D(cuMemGetAccess(NULL, &p.location, at));
    D(cuMemGetAccess(&flags, &p.location, (CUdeviceptr)host));
    // the second page of the first handle is there twice
    D(cuMemcpyHtoD(at + PAGE, &number, 4));
    D(cuMemcpyDtoH(&got, at + 3 * PAGE, 4));
}

static void two()
{
    N(got);
    D(cuMemRetainAllocationHandle(&third, (void *)(at + PAGE)));
    N(third == h);
    D(cuMemRelease(third));
    D(cuMemRetainAllocationHandle(&third, host));
    D(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    D(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1));
    D(cuMemExportToShareableHandle(NULL, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    D(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_WIN32, 0));
    N(fd >= 0);
    D(cuMemImportFromShareableHandle(&third, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    D(cuMemImportFromShareableHandle(&third, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_WIN32));
    D(cuMemImportFromShareableHandle(NULL, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    D(cuMemMap(other, 2 * PAGE, 0, third, 0));
    D(cuMemSetAccess(other, 2 * PAGE, &access, 1));
    got = 0;
    D(cuMemcpyDtoH(&got, other + PAGE, 4));
    N(got);
    close(fd);
    D(cuMemUnmap(other, PAGE));
    D(cuMemUnmap(other, 2 * PAGE));
    D(cuMemUnmap(other, 2 * PAGE));
    D(cuMemUnmap(other, 0));
    D(cuMemRelease(third));
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    D(cuMemSetAccess(at + 2 * PAGE, PAGE, &access, 1));
    D(cuMemGetAccess(&flags, &p.location, at + 2 * PAGE));
    N(flags);
    D(cuMemcpyHtoD(at, &number, 4));
    D(cuMemUnmap(at + 2 * PAGE, PAGE));
    D(cuMemAddressFree(at, 4 * PAGE));
    D(cuMemUnmap(at, 2 * PAGE));
    D(cuMemUnmap(at + 3 * PAGE, PAGE));
    D(cuMemRelease(h));
    D(cuMemRelease(second));
    D(cuMemAddressFree(at, 2 * PAGE));
    D(cuMemAddressFree(at, 4 * PAGE));
    D(cuMemAddressFree(other, 2 * PAGE));
    D(cuMemAddressFree(other, 2 * PAGE));
}

} // namespace of_virtual_memory

static void virtual_memory()
{
    of_virtual_memory::one();
    of_virtual_memory::two();
}

int main(int argc, char **argv)
{
    static void (*const parts[])() = { allocations, pointers, advice, copies, virtual_memory };

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
