/* The driver API without the runtime: each part does something small, and the results are compared here. */
#include <cuda.h>
#include <cudaTypedefs.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void is(CUresult got, CUresult expected, const char *what, int line)
{
    const char *name = "?";

    if (got == expected)
        return;
    cuGetErrorName(got, &name);
    printf("line %d: %s gives %s\n", line, what, name);
    exit(1);
}
#define OK(call)           is(call, CUDA_SUCCESS, #call, __LINE__)
#define FAILS(error, call) is(call, error, #call, __LINE__)
#define HOLDS(what)                                                                                                    \
    if (!(what)) {                                                                                                     \
        printf("line %d: not so: %s\n", __LINE__, #what);                                                              \
        exit(1);                                                                                                       \
    }

/* add adds a number to each element; a second module defines what the first one calls. */
static const char first[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b32 r) more(.param .b32 x);\n"
    ".visible .global .align 4 .u32 count = 5;\n"
    ".visible .const .align 4 .u32 fixed[2] = { 8, 9 };\n"
    ".visible .entry add(.param .u64 p, .param .u32 by)\n{\n"
    ".reg .b64 %a, %b;\n.reg .b32 %i, %x, %y;\n"
    "ld.param.u64 %a, [p];\nld.param.u32 %y, [by];\nmov.u32 %i, %tid.x;\n"
    "mul.wide.u32 %b, %i, 4;\nadd.u64 %a, %a, %b;\nld.global.u32 %x, [%a];\nadd.u32 %x, %x, %y;\n"
    "{\n.param .b32 in;\n.param .b32 out;\nst.param.b32 [in], %x;\n"
    "call (out), more, (in);\nld.param.b32 %x, [out];\n}\n"
    "st.global.u32 [%a], %x;\nret;\n}\n";
static const char second[] = ".version 8.3\n.target sm_90a\n.address_size 64\n"
                             ".extern .global .align 4 .b32 count;\n"
                             ".visible .func (.param .b32 r) more(.param .b32 x)\n{\n.reg .b32 %x, %c;\n"
                             "ld.param.b32 %x, [x];\nld.global.u32 %c, [count];\nadd.u32 %x, %x, %c;\n"
                             "st.param.b32 [r], %x;\nret;\n}\n";

static CUfunction load(CUmodule *module)
{
    CUlinkState link;
    CUfunction f;
    void *image;
    size_t size;

    FAILS(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(module, "this is no PTX"));
    FAILS(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(module, ".version 8.0\n.target sm_90\n.entry f() { bad; }\n"));
    OK(cuLinkCreate(0, NULL, NULL, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)first, sizeof first, "first", 0, NULL, NULL));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)second, sizeof second, "second", 0, NULL, NULL));
    OK(cuLinkComplete(link, &image, &size));
    OK(cuModuleLoadData(module, image));
    OK(cuLinkDestroy(link));
    FAILS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&f, *module, "nothing"));
    OK(cuModuleGetFunction(&f, *module, "add"));
    return f;
}

static void launch(CUfunction f, CUdeviceptr p, uint32_t n, uint32_t by)
{
    void *args[] = { &p, &by };
    struct {
        CUdeviceptr p;
        uint32_t by;
    } block = { p, by };
    size_t size = sizeof block.p + sizeof block.by, offset, bytes;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
    CUlaunchConfig config = { 1, 1, 1, n, 1, 1, 0, NULL, NULL, 0 };

    OK(cuLaunchKernel(f, 1, 1, 1, n, 1, 1, 0, NULL, args, NULL));
    OK(cuLaunchKernel(f, 1, 1, 1, n, 1, 1, 0, NULL, NULL, extra));
    size = sizeof block; /* with the padding behind them it is more than the kernel takes */
    FAILS(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, cuLaunchKernel(f, 1, 1, 1, n, 1, 1, 0, NULL, NULL, extra));
    OK(cuLaunchKernelEx(&config, f, args, NULL));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 2000, 1, 1, 0, NULL, args, NULL));
    OK(cuFuncGetParamInfo(f, 1, &offset, &bytes));
    HOLDS(offset == 8 && bytes == 4);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(f, 2, &offset, &bytes));
}

static void graph(CUfunction f, CUdeviceptr p, uint32_t n, uint32_t by)
{
    void *args[] = { &p, &by };
    CUDA_KERNEL_NODE_PARAMS kernel = { f, 1, 1, 1, n, 1, 1, 0, args, NULL, NULL, NULL };
    CUDA_MEMSET_NODE_PARAMS set = { p, 0, 100, 4, n, 1 };
    CUgraphNode nodes[2];
    CUlaunchAttributeValue cluster = {};
    CUgraphExec exec;
    CUgraph g;
    uint32_t got[32];
    size_t count = 0;

    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddMemsetNode(&nodes[0], g, NULL, 0, &set, NULL));
    OK(cuGraphAddKernelNode(&nodes[1], g, nodes, 1, &kernel));
    OK(cuGraphGetNodes(g, NULL, &count));
    HOLDS(count == 2);
    OK(cuGraphInstantiate(&exec, g, 0));
    by = 1000;
    OK(cuGraphExecKernelNodeSetParams(exec, nodes[1], &kernel));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuMemcpyDtoH(got, p, 4 * n));
    HOLDS(got[0] == 1105 && got[n - 1] == 1105);
    /* A cluster divides the grid. Parameters leave attributes as they are. */
    cluster.clusterDim.x = 2, cluster.clusterDim.y = cluster.clusterDim.z = 1;
    FAILS(CUDA_ERROR_INVALID_CLUSTER_SIZE,
          cuGraphKernelNodeSetAttribute(nodes[1], CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &cluster));
    kernel.gridDimX = 2;
    OK(cuGraphKernelNodeSetParams(nodes[1], &kernel));
    OK(cuGraphKernelNodeSetAttribute(nodes[1], CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &cluster));
    OK(cuGraphKernelNodeSetParams(nodes[1], &kernel));
    kernel.gridDimX = 3;
    FAILS(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuGraphKernelNodeSetParams(nodes[1], &kernel));
    memset(&cluster, 0, sizeof cluster);
    OK(cuGraphKernelNodeGetAttribute(nodes[1], CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &cluster));
    HOLDS(cluster.clusterDim.x == 2);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(g));
}

/* Two pieces of physical memory at addresses that follow one another are one array to a kernel. */
static void virtual_memory(CUfunction f)
{
    CUmemAllocationProp what = { CU_MEM_ALLOCATION_TYPE_PINNED };
    CUmemAccessDesc access = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    CUmemGenericAllocationHandle half[2];
    CUdeviceptr at;
    size_t size;
    uint32_t got[8];

    what.location = access.location;
    OK(cuMemGetAllocationGranularity(&size, &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    OK(cuMemAddressReserve(&at, 2 * size, 0, 0, 0));
    for (int i = 0; i < 2; i++) {
        OK(cuMemCreate(&half[i], size, &what, 0));
        OK(cuMemMap(at + i * size, size, 0, half[i], 0));
        OK(cuMemRelease(half[i]));
    }
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(at, 2 * size));
    OK(cuMemSetAccess(at, 2 * size, &access, 1));
    OK(cuMemsetD32(at + size - 16, 7, 8));
    launch(f, at + size - 16, 8, 1);
    OK(cuMemcpyDtoH(got, at + size - 16, sizeof got));
    for (int i = 0; i < 8; i++)
        HOLDS(got[i] == 7 + 3 * 6);
    OK(cuMemUnmap(at, 2 * size));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(at));
    OK(cuMemAddressFree(at, 2 * size));
}

static void boxes(void)
{
    CUDA_ARRAY_DESCRIPTOR d = { 8, 4, CU_AD_FORMAT_UNSIGNED_INT32, 1 };
    CUDA_MEMCPY2D p = { 0 };
    uint32_t from[4][16], to[4][8];
    CUarray array;

    for (int i = 0; i < 64; i++)
        from[i / 16][i % 16] = (uint32_t)i;
    OK(cuArrayCreate(&array, &d));
    p.srcMemoryType = CU_MEMORYTYPE_HOST;
    p.srcHost = from;
    p.srcPitch = sizeof from[0];
    p.srcXInBytes = 16;
    p.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    p.dstArray = array;
    p.WidthInBytes = 32;
    p.Height = 4;
    OK(cuMemcpy2D(&p));
    memset(&p, 0, sizeof p);
    p.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    p.srcArray = array;
    p.dstMemoryType = CU_MEMORYTYPE_HOST;
    p.dstHost = to;
    p.dstPitch = sizeof to[0];
    p.WidthInBytes = 32;
    p.Height = 4;
    OK(cuMemcpy2D(&p));
    HOLDS(to[0][0] == 4 && to[3][7] == 3 * 16 + 11);
    OK(cuArrayDestroy(array));
}

static void tensor_map(CUdeviceptr p)
{
    alignas(64) CUtensorMap map;
    cuuint64_t dims[] = { 8, 4 }, strides[] = { 32 };
    cuuint32_t box[] = { 8, 4 }, steps[] = { 1, 1 };
    PFN_cuGetProcAddress_v12000 get = cuGetProcAddress;
    decltype(&cuTensorMapEncodeTiled) encode;
    CUdriverProcAddressQueryResult found;

    OK(get("cuTensorMapEncodeTiled", (void **)&encode, 12000, 0, &found));
    OK(encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)p, dims, strides, box, steps,
              CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    OK(cuTensorMapReplaceAddress(&map, (void *)(p + 16)));
    strides[0] = 20;
    FAILS(CUDA_ERROR_INVALID_VALUE, encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)p, dims, strides, box,
                                           steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    OK(get("cuNothing", (void **)&encode, 12000, 0, &found));
    HOLDS(found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && !encode);
}

// Streams that wait for what is written later: by the host, by another stream, and by one call that does several
// things.
static void values(CUstream s, CUdeviceptr p)
{
    CUstreamBatchMemOpParams both[2] = {};
    volatile cuuint32_t *host;
    cuuint32_t out[2] = { 0, 0 };
    CUstream other;

    OK(cuMemHostAlloc((void **)&host, 4, 0));
    *host = 0;
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    OK(cuStreamWriteValue32(s, p, 1, 0));
    OK(cuStreamWaitValue32(s, (CUdeviceptr)host, 5, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuStreamWriteValue32(s, p, 2, 0));
    FAILS(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
    OK(cuMemcpyDtoHAsync(out, p, 4, other));
    OK(cuStreamSynchronize(other));
    HOLDS(out[0] == 1);
    *host = 6;
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH(out, p, 4));
    HOLDS(out[0] == 2);
    both[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
    both[0].waitValue.address = p + 8;
    both[0].waitValue.value64 = 1ull << 40;
    both[0].waitValue.flags = CU_STREAM_WAIT_VALUE_AND;
    both[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    both[1].writeValue.address = p;
    both[1].writeValue.value = 3;
    OK(cuMemsetD8(p + 8, 0, 8));
    OK(cuStreamBatchMemOp(s, 2, both, 0));
    FAILS(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
    OK(cuStreamWriteValue64(other, p + 8, 3ull << 40, 0));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH(out, p, 4));
    HOLDS(out[0] == 3);
    OK(cuStreamWriteValue32(s, p, 77, 0));
    OK(cuStreamDestroy(other));
    OK(cuMemFreeHost((void *)host));
}

static void streams(CUdeviceptr p)
{
    CUstream s;
    CUevent e[2];
    float ms;

    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e[0], 0));
    OK(cuEventCreate(&e[1], 0));
    OK(cuEventRecord(e[0], s));
    OK(cuStreamWriteValue32(s, p, 77, 0));
    OK(cuStreamWaitValue32(s, p, 77, CU_STREAM_WAIT_VALUE_EQ));
    values(s, p);
    OK(cuEventRecord(e[1], s));
    OK(cuStreamSynchronize(s));
    OK(cuEventElapsedTime(&ms, e[0], e[1]));
    HOLDS(ms > 0);
    OK(cuStreamDestroy(s));
}

/* A stream and an event belong to a context: with none current, what names one works; libcu++'s streams and buffers
 * count on it. */
static void without_a_context(CUcontext context)
{
    CUmemLocation here = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
    CUmemoryPool pool, same;
    CUcontext now;
    CUstream s;
    CUevent e;
    CUdeviceptr p, q;
    uint32_t got[2] = { 0, 0 };
    float ms;

    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, CU_EVENT_DEFAULT));
    OK(cuCtxPopCurrent(&now));
    HOLDS(now == context);
    OK(cuMemGetDefaultMemPool(&pool, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
    OK(cuMemGetMemPool(&same, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
    HOLDS(pool && same == pool);
    OK(cuMemSetMemPool(&here, CU_MEM_ALLOCATION_TYPE_PINNED, pool));
    OK(cuStreamGetCtx(s, &now));
    HOLDS(now == context);
    OK(cuCtxGetCurrent(&now));
    HOLDS(!now);
    OK(cuMemAllocFromPoolAsync(&p, 8, pool, s));
    OK(cuMemAllocAsync(&q, 8, s));
    OK(cuMemsetD32Async(p, 7, 2, s));
    OK(cuMemcpyAsync(q, p, 8, s));
    OK(cuMemcpyDtoHAsync(got, q, 8, s));
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(s, e, 0));
    OK(cuEventSynchronize(e));
    OK(cuEventElapsedTime(&ms, e, e));
    OK(cuStreamSynchronize(s));
    HOLDS(got[0] == 7 && got[1] == 7);
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuStreamSynchronize(0));
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuMemAllocAsync(&q, 8, 0));
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyAsync(q, p, 8, CU_STREAM_LEGACY));
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuEventCreate(&e, CU_EVENT_DEFAULT));
    OK(cuMemFreeAsync(q, s));
    OK(cuMemFreeAsync(p, s));
    OK(cuEventDestroy(e));
    OK(cuStreamDestroy(s));
    OK(cuCtxPushCurrent(context));
}

int main(int argc, char **)
{
    CUdevice dev;
    CUcontext context, now;
    CUmodule module;
    CUfunction f;
    CUdeviceptr p, count, fixed, base;
    CUmemorytype type;
    uint32_t got[32];
    size_t bytes;
    int major;

    FAILS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&dev, 0));
    OK(cuInit(0));
    FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&dev, 1));
    OK(cuDeviceGet(&dev, 0));
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev));
    FAILS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4));
    OK(cuDevicePrimaryCtxRetain(&context, dev));
    OK(cuCtxPushCurrent(context));
    OK(cuCtxGetCurrent(&now));
    HOLDS(now == context && major == 9);
    OK(cuMemAlloc(&p, sizeof got));
    OK(cuMemsetD32(p, 1, 32));
    if (argc > 1) { // a stream waits, and nobody writes
        OK(cuStreamWaitValue32(0, p, 2, CU_STREAM_WAIT_VALUE_EQ));
        FAILS(CUDA_ERROR_LAUNCH_TIMEOUT, cuStreamSynchronize(0));
        return 0;
    }
    f = load(&module);
    launch(f, p, 32, 2);
    OK(cuMemcpyDtoH(got, p, sizeof got));
    HOLDS(got[0] == 1 + 3 * 7 && got[31] == got[0]);
    OK(cuModuleGetGlobal(&count, &bytes, module, "count"));
    HOLDS(bytes == 4);
    OK(cuModuleGetGlobal(&fixed, &bytes, module, "fixed"));
    HOLDS(bytes == 8);
    OK(cuMemcpyHtoD(fixed + 4, got, 4));
    OK(cuMemcpyDtoH(got + 1, fixed, 8));
    HOLDS(got[1] == 8 && got[2] == got[0]);
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(fixed + 4, got, 8));
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, count));
    HOLDS(type == CU_MEMORYTYPE_DEVICE);
    OK(cuMemGetAddressRange(&base, &bytes, fixed + 4));
    HOLDS(base == fixed && bytes == 8);
    graph(f, p, 32, 2);
    virtual_memory(f);
    boxes();
    tensor_map(p);
    streams(p);
    without_a_context(context);
    OK(cuModuleUnload(module));
    FAILS(CUDA_ERROR_INVALID_HANDLE, cuModuleGetGlobal(&count, &bytes, module, "count"));
    OK(cuMemFree(p));
    FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
    OK(cuCtxPopCurrent(&now));
    OK(cuDevicePrimaryCtxRelease(dev));
    puts("all as it should be");
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
