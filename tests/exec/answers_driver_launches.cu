// What the driver answers about kernels, their launches, streams, tensor maps and graphs.
#include "answers_driver.cuh"

#include <unistd.h>

static int host[64];
static CUdeviceptr device;
static CUstream stream;
static CUfunction add;

static void functions()
{
    static const int values[] = { -2, -1, 0, 1, 50, 100, 101, 1 << 20 };
    CUfunction f = NULL, bounded = NULL;
    int n = 0, grid = 0, block = 0;
    size_t bytes = 0;
    CUfunctionLoadingState loaded = CU_FUNCTION_LOADING_STATE_UNLOADED;

    D(cuModuleGetFunction(&f, module, "add"));
    D(cuModuleGetFunction(&bounded, module, "shared"));
    for (int a = 0; a < 17; a++) {
        printf("attribute %d\n", a);
        n = 9;
        D(cuFuncGetAttribute(&n, (CUfunction_attribute)a, bounded));
        if (a != CU_FUNC_ATTRIBUTE_NUM_REGS && a != CU_FUNC_ATTRIBUTE_CACHE_MODE_CA)
            N(n);
        for (int v : values)
            D(cuFuncSetAttribute(bounded, (CUfunction_attribute)a, v));
    }
    D(cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
    D(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    N(n);
    D(cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1));
    D(cuFuncSetSharedMemConfig(f, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
    D(cuFuncLoad(f));
    D(cuFuncIsLoaded(&loaded, f));
    N(loaded);
    D(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 128, 0));
    N(n);
    D(cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, f, 128, 0));
    D(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 0, 0));
    D(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, f, 128, 100 << 10, 1));
    N(n);
    D(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0));
    N(block);
    D(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 128));
    N(block);
    D(cuOccupancyMaxPotentialBlockSize(
        &grid, &block, f, [](int threads) { return (size_t)threads * 64; }, 0, 0));
    N(block);
    D(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, f, NULL, 0, 0, 1));
    N(block);
    D(cuOccupancyMaxPotentialBlockSize(&grid, NULL, f, NULL, 0, 0));
    D(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, f, 2, 128));
    N(bytes);
    D(cuOccupancyAvailableDynamicSMemPerBlock(NULL, f, 2, 128));
}

static void launches()
{
    CUfunction exact = NULL, bounded = NULL;
    int by = 3, got = 0;
    void *args[] = { &device, &by };
    struct {
        CUdeviceptr p;
        int by;
    } packed = { device, 4 };
    size_t bytes = sizeof packed;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                      CU_LAUNCH_PARAM_END };
    void *odd[] = { (void *)7, &packed, CU_LAUNCH_PARAM_END };
    CUlaunchConfig c = {};
    CUlaunchAttribute at[1] = {};
    CUevent e = NULL;

    D(cuModuleGetFunction(&add, module, "add"));
    D(cuModuleGetFunction(&exact, module, "exact"));
    D(cuModuleGetFunction(&bounded, module, "shared"));
    D(cuMemsetD8(device, 0, 64));
    D(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, args, NULL));
    D(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, NULL, extra));
    D(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, args, extra));
    D(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, NULL, odd));
    D(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    static const unsigned sizes[][3] = { { 0, 1, 1 },     { 1, 0, 1 },    { 1, 1, 0 },  { 1, 65536, 1 },
                                         { 1, 1, 65536 }, { 1025, 1, 1 }, { 1, 1, 65 }, { 1, 2, 1 } };
    for (const auto &s : sizes) {
        printf("%u %u %u\n", s[0], s[1], s[2]);
        D(cuLaunchKernel(exact, 1, 1, 1, s[0], s[1], s[2], 0, stream, NULL, NULL));
        D(cuLaunchKernel(bounded, s[0], s[1], s[2], 1, 1, 1, 0, stream, NULL, NULL));
        D(cuLaunchKernel(bounded, 1, 1, 1, s[0], s[1], s[2], 0, stream, NULL, NULL));
    }
    D(cuLaunchKernel(exact, 1, 1, 1, 32, 2, 1, 0, stream, NULL, NULL));
    D(cuLaunchKernel(bounded, 1, 1, 1, 129, 1, 1, 0, stream, NULL, NULL));
    D(cuLaunchKernel(bounded, 1, 1, 1, 128, 1, 1, 45057, stream, NULL, NULL));
    D(cuLaunchCooperativeKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, args));
    c.gridDimX = c.gridDimY = c.gridDimZ = c.blockDimX = c.blockDimY = c.blockDimZ = 1;
    c.hStream = stream;
    c.attrs = at;
    c.numAttrs = 1;
    D(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    at[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    at[0].value.cooperative = 1;
    D(cuLaunchKernelEx(&c, add, args, NULL));
    at[0].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
    at[0].value.programmaticEvent.event = e;
    at[0].value.programmaticEvent.flags = 0;
    at[0].value.programmaticEvent.triggerAtBlockStart = 0;
    D(cuLaunchKernelEx(&c, add, args, NULL));
    at[0].id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
    at[0].value.launchCompletionEvent.event = e;
    at[0].value.launchCompletionEvent.flags = 0;
    D(cuLaunchKernelEx(&c, add, args, NULL));
    D(cuLaunchKernelEx(NULL, add, args, NULL));
    D(cuEventSynchronize(e));
    D(cuMemcpyDtoH(&got, device, 4));
    N(got);
    D(cuOccupancyMaxActiveClusters(&got, add, &c));
    D(cuOccupancyMaxActiveClusters(NULL, add, &c));
    D(cuOccupancyMaxPotentialClusterSize(&got, add, &c));
    N(got);
    D(cuOccupancyMaxPotentialClusterSize(NULL, add, &c));
    D(cuEventDestroy(e));
}

static void streams()
{
    CUcontext c = NULL;
    CUgreenCtx green = (CUgreenCtx)1;
    CUstreamBatchMemOpParams ops[6] = {};
    unsigned got[4] = {};
    CUstream s = NULL;
    CUevent e = NULL;
    unsigned flags = 9;
    CUdeviceptr p = 0;
    float ms = -1;
    CUmemoryPool pool = NULL;

    D(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    D(cuStreamCreate(NULL, 0));
    D(cuStreamCreate(&s, 77));
    D(cuStreamGetFlags(s, &flags));
    N(flags);
    D(cuStreamQuery(s));
    D(cuEventCreate(&e, 0));
    D(cuEventRecord(e, s));
    D(cuStreamWaitEvent(stream, e, 0));
    D(cuEventElapsedTime(&ms, e, e));
    D(cuEventQuery(e));
    D(cuEventDestroy(e));
    D(cuStreamDestroy(s));
    D(cuStreamDestroy(NULL));
    D(cuDeviceGetDefaultMemPool(&pool, gpu));
    D(cuMemAllocAsync(&p, 64, stream));
    D(cuMemFreeAsync(p, stream));
    D(cuStreamSynchronize(stream));
    D(cuStreamGetCtx(stream, &c));
    N(c == context);
    D(cuStreamGetCtx_v2(stream, &c, &green));
    N(green == NULL);
    D(cuStreamGetCtx_v2(stream, &c, NULL));
    D(cuMemsetD8(device, 0, 64));
    D(cuStreamWriteValue32(stream, device, 5, 0));
    D(cuStreamWriteValue32(stream, device + 2, 5, 0));
    D(cuStreamWriteValue32(stream, 0, 5, 0));
    D(cuStreamWriteValue64(stream, device + 8, 7, 0));
    D(cuStreamWriteValue64(stream, device + 4, 7, 0));
    for (unsigned f : { 0u, 1u, 2u, 3u }) {
        printf("flags %u\n", f);
        D(cuStreamWaitValue32(stream, device, f == 3 ? ~7u : 5, f));
        D(cuStreamWaitValue64(stream, device + 8, f == 3 ? ~15ull : 7, f));
    }
    D(cuStreamWaitValue32(stream, device + 2, 5, 0));
    D(cuStreamWaitValue32(stream, 0, 5, 0));
    D(cuStreamWaitValue32(stream, (CUdeviceptr)host, 5, 0));
    ops[0].operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    ops[0].writeValue.address = device + 16;
    ops[0].writeValue.value64 = 9;
    ops[1].operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    ops[1].waitValue.address = device + 16;
    ops[1].waitValue.value = 9;
    ops[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    ops[2].operation = CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES;
    ops[3].operation = CU_STREAM_MEM_OP_BARRIER;
    D(cuStreamBatchMemOp(stream, 2, ops, 0));
    D(cuStreamBatchMemOp(stream, 1, ops + 3, 0));
    D(cuStreamBatchMemOp(stream, 2, NULL, 0));
    D(cuStreamBatchMemOp(stream, 2, ops, 1));
    ops[4].operation = (CUstreamBatchMemOpType)77;
    D(cuStreamBatchMemOp(stream, 1, ops + 4, 0));
    D(cuStreamSynchronize(stream));
    D(cuMemcpyDtoH(got, device + 16, 4));
    N(got[0]);
}

static void tensor_maps()
{
    alignas(64) static CUtensorMap maps[2];
    CUtensorMap *const map = maps, *const odd = (CUtensorMap *)((char *)maps + 16);
    const cuuint64_t dims[5] = { 64, 32, 16, 8, 4 }, strides[4] = { 256, 8192, 131072, 1048576 };
    const cuuint32_t box[5] = { 32, 8, 1, 1, 1 }, steps[5] = { 1, 1, 1, 1, 1 };
    const int lower[3] = { 0, 0, 0 }, upper[3] = { 0, 0, 0 };

#define TILED(out, rank, at, dims, strides, box, steps)                                                                \
    D(cuTensorMapEncodeTiled(out, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, (void *)(at), dims, strides, box, steps,      \
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,                                \
                             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
    TILED(map, 2, device, dims, strides, box, steps);
    TILED(map, 5, device, dims, strides, box, steps);
    TILED(map, 1, device, dims, NULL, box, steps);
    TILED(map, 0, device, dims, strides, box, steps);
    TILED(map, 6, device, dims, strides, box, steps);
    TILED(NULL, 2, device, dims, strides, box, steps);
    TILED(odd, 2, device, dims, strides, box, steps);
    TILED(map, 2, device, NULL, strides, box, steps);
    TILED(map, 2, device, dims, NULL, box, steps);
    TILED(map, 2, device, dims, strides, NULL, steps);
    TILED(map, 2, device, dims, strides, box, NULL);
    TILED(map, 2, device + 4, dims, strides, box, steps);
    TILED(map, 2, 0, dims, strides, box, steps);
    TILED(map, 2, device, dims, strides, box, steps);
    D(cuTensorMapReplaceAddress(map, (void *)(device + 256)));
    D(cuTensorMapReplaceAddress(map, (void *)(device + 4)));
    D(cuTensorMapReplaceAddress(NULL, (void *)device));
    D(cuTensorMapReplaceAddress(odd, (void *)device));
#define IM2COL(out, rank, dims, strides, lower, upper, steps)                                                          \
    D(cuTensorMapEncodeIm2col(out, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, (void *)device, dims, strides, lower, upper, \
                              16, 32, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,                \
                              CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
    for (unsigned rank = 2; rank < 7; rank++)
        IM2COL(map, rank, dims, strides, lower, upper, steps);
    IM2COL(NULL, 4, dims, strides, lower, upper, steps);
    IM2COL(map, 4, NULL, strides, lower, upper, steps);
    IM2COL(map, 4, dims, strides, NULL, upper, steps);
    IM2COL(map, 4, dims, strides, lower, NULL, steps);
    IM2COL(map, 4, dims, strides, lower, upper, NULL);
    for (unsigned mode = 0; mode < 3; mode++)
        D(cuTensorMapEncodeIm2colWide(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, (void *)device, dims, strides, 0, 0, 16,
                                      32, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapIm2ColWideMode)mode,
                                      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
}

namespace of_graphs {
static CUgraph g = NULL;
static CUgraphExec x = NULL;
static CUgraphNode n[6] = {}, bad = NULL;
static CUgraphConditionalHandle handle = 0;
static int by = 5, got = 0;
static void *args[] = { &device, &by };
static CUDA_KERNEL_NODE_PARAMS k = {}, was = {};
static CUDA_MEMSET_NODE_PARAMS s = {}, set = {};
static CUDA_MEMCPY3D c = {};
static CUgraphNodeParams any = {};
static CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;

static void one()
{
    D(cuModuleGetFunction(&add, module, "add"));
    k.func = add;
    k.gridDimX = k.gridDimY = k.gridDimZ = k.blockDimX = k.blockDimY = k.blockDimZ = 1;
    k.kernelParams = args;
    D(cuMemsetD8(device, 0, 64));
    D(cuGraphCreate(&g, 0));
    s.dst = device;
    s.elementSize = 4;
    s.value = 100;
    s.width = s.height = 1;
    D(cuGraphAddMemsetNode(&n[0], g, NULL, 0, &s, context));
    D(cuGraphAddMemsetNode(&bad, g, NULL, 0, NULL, context));
    s.elementSize = 3;
    D(cuGraphAddMemsetNode(&bad, g, NULL, 0, &s, context));
    s.elementSize = 4;
    D(cuGraphAddKernelNode(&n[1], g, n, 1, &k));
    D(cuGraphAddKernelNode(&bad, g, NULL, 0, NULL));
    k.kernelParams = NULL;
    D(cuGraphAddKernelNode(&bad, g, NULL, 0, &k));
    k.kernelParams = args;
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = device;
    c.dstMemoryType = CU_MEMORYTYPE_HOST;
    c.dstHost = host;
    c.WidthInBytes = 16;
    c.Height = c.Depth = 1;
    D(cuGraphAddMemcpyNode(&n[2], g, n + 1, 1, &c, context));
    D(cuGraphAddMemcpyNode(&bad, g, NULL, 0, NULL, context));
    D(cuGraphKernelNodeGetParams(n[1], &was));
    N(was.gridDimX);
    N(was.func == add);
    D(cuGraphKernelNodeGetParams(n[0], &was));
    D(cuGraphMemsetNodeGetParams(n[0], &set));
    N(set.value);
    N(set.elementSize);
    D(cuGraphMemsetNodeGetParams(n[1], &set));
    D(cuGraphKernelNodeSetParams(n[1], &k));
    D(cuGraphMemsetNodeSetParams(n[0], &s));
    D(cuGraphMemcpyNodeSetParams(n[2], &c));
    D(cuGraphNodeGetType(n[1], &type));
    N(type);
    D(cuGraphInstantiate(&x, g, 0));
    D(cuGraphLaunch(x, stream));
    D(cuStreamSynchronize(stream));
    N(host[0]);
    by = 7;
    s.value = 200;
    D(cuGraphExecKernelNodeSetParams(x, n[1], &k));
    D(cuGraphExecMemsetNodeSetParams(x, n[0], &s, context));
    D(cuGraphExecMemcpyNodeSetParams(x, n[2], &c, context));
    D(cuGraphLaunch(x, stream));
    D(cuStreamSynchronize(stream));
    N(host[0]);
    any.type = CU_GRAPH_NODE_TYPE_KERNEL;
    any.kernel.func = add;
    any.kernel.gridDimX = any.kernel.gridDimY = any.kernel.gridDimZ = 1;
    any.kernel.blockDimX = any.kernel.blockDimY = any.kernel.blockDimZ = 1;
    any.kernel.kernelParams = args;
    D(cuGraphAddNode(&n[3], g, n + 2, NULL, 1, &any));
    any = {};
    any.type = CU_GRAPH_NODE_TYPE_MEMCPY;
    any.memcpy.copyParams = c;
}

static void two()
{
    any.memcpy.copyCtx = context;
    D(cuGraphAddNode(&n[4], g, n + 3, NULL, 1, &any));
    any = {};
    any.type = CU_GRAPH_NODE_TYPE_MEMSET;
    any.memset.dst = device;
    any.memset.elementSize = 1;
    any.memset.width = any.memset.height = 1;
    any.memset.ctx = context;
    D(cuGraphAddNode(&n[5], g, n + 4, NULL, 1, &any));
    any = {};
    any.type = CU_GRAPH_NODE_TYPE_EMPTY;
    D(cuGraphAddNode(&bad, g, NULL, NULL, 0, &any));
    D(cuGraphAddNode(&bad, g, NULL, NULL, 0, NULL));
    D(cuGraphConditionalHandleCreate(&handle, g, context, 0, 0));
    D(cuGraphExecDestroy(x));
    D(cuGraphInstantiate(&x, g, 0));
    D(cuGraphLaunch(x, stream));
    D(cuStreamSynchronize(stream));
    N(host[0]);
    D(cuMemcpyDtoH(&got, device, 4));
    N(got);
    D(cuGraphExecDestroy(x));
    D(cuGraphDestroy(g));
}

} // namespace of_graphs

static void graphs()
{
    of_graphs::one();
    of_graphs::two();
}

int main(int argc, char **argv)
{
    static void (*const parts[])() = { functions, launches, streams, tensor_maps, graphs };

    begin_of_driver(argc, argv);
    D(cuMemAlloc(&device, 1 << 16));
    D(cuStreamCreate(&stream, 0));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_wanted(argc, argv, i))
            parts[i]();
    D(cuMemFree(device));
    D(cuStreamDestroy(stream));
    D(cuDevicePrimaryCtxRelease(gpu));
    D(cuDevicePrimaryCtxRelease(gpu));
    D(cuDevicePrimaryCtxReset(gpu));
    D(cuDevicePrimaryCtxReset(99));
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
