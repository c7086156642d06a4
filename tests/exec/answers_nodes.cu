// What the runtime answers about nodes that are no work of their own, executable graphs and their updates, conditions,
// user objects.
#include "answers.cuh"

__global__ void add_to(int *x, int by)
{
    if (x)
        *x += by;
}

static int host[64];
static int *device;
static cudaStream_t stream;

static void call_back(void *data)
{
    ++*(int *)data;
}

static int number()
{
    int got = -1;

    A(cudaMemcpy(&got, device, sizeof got, cudaMemcpyDeviceToHost));
    return got;
}

static void kind_of(cudaGraphNode_t n)
{
    cudaGraphNodeType type = (cudaGraphNodeType)99;

    A(cudaGraphNodeGetType(n, &type));
    N(type);
}

namespace of_others {
static cudaGraph_t g = NULL, child = NULL, inner = NULL, empty = NULL;
static cudaGraphExec_t x = NULL;
static cudaGraphNode_t n[8] = {}, bad = NULL, within = NULL;
static cudaEvent_t e = NULL, second = NULL, got = NULL;
static cudaHostNodeParams h = {}, had = {};
static cudaMemAllocNodeParams m = {}, was = {};
static void *freed = NULL;
static int calls = 0, more = 0;

static void one()
{
    A(cudaEventCreate(&e));
    A(cudaEventCreate(&second));
    A(cudaGraphCreate(&g, 0));
    A(cudaGraphCreate(&child, 0));
    A(cudaGraphCreate(&empty, 0));
    h.fn = call_back;
    h.userData = &calls;
    A(cudaGraphAddHostNode(&within, child, NULL, 0, &h));
    A(cudaGraphAddHostNode(&n[0], g, NULL, 0, &h));
    A(cudaGraphAddHostNode(&bad, g, NULL, 0, NULL));
    A(cudaGraphHostNodeGetParams(n[0], &had));
    N(had.userData == &calls);
    A(cudaGraphHostNodeGetParams(n[0], NULL));
    A(cudaGraphHostNodeSetParams(n[0], &h));
    h.fn = NULL;
    A(cudaGraphAddHostNode(&bad, g, NULL, 0, &h));
    A(cudaGraphAddChildGraphNode(&n[1], g, NULL, 0, child));
    A(cudaGraphAddChildGraphNode(&bad, g, NULL, 0, NULL));
    A(cudaGraphChildGraphNodeGetGraph(n[1], &inner));
    N(inner != child);
    A(cudaGraphChildGraphNodeGetGraph(n[0], &inner));
    A(cudaGraphChildGraphNodeGetGraph(n[1], NULL));
    A(cudaGraphAddEventRecordNode(&n[2], g, NULL, 0, e));
    A(cudaGraphAddEventRecordNode(&bad, g, NULL, 0, NULL));
    A(cudaGraphAddEventWaitNode(&n[3], g, &n[2], 1, e));
    A(cudaGraphAddEventWaitNode(&bad, g, NULL, 0, NULL));
    A(cudaGraphEventRecordNodeGetEvent(n[2], &got));
    N(got == e);
    A(cudaGraphEventWaitNodeGetEvent(n[3], &got));
    N(got == e);
    A(cudaGraphEventWaitNodeGetEvent(n[2], &got));
    A(cudaGraphEventRecordNodeGetEvent(n[2], NULL));
    A(cudaGraphEventRecordNodeSetEvent(n[2], second));
    A(cudaGraphEventWaitNodeSetEvent(n[3], second));
    A(cudaGraphEventRecordNodeSetEvent(n[3], second));
    A(cudaGraphEventRecordNodeSetEvent(n[2], NULL));
    for (int i = 0; i < 4; i++)
        kind_of(n[i]);
    A(cudaGraphInstantiate(&x, g, 0));
    A(cudaGraphUpload(x, stream));
    A(cudaGraphUpload(NULL, stream));
    A(cudaGraphLaunch(x, stream));
    A(cudaStreamSynchronize(stream));
    N(calls);
    A(cudaEventQuery(second));
    A(cudaGraphExecEventRecordNodeSetEvent(x, n[2], e));
    A(cudaGraphExecEventWaitNodeSetEvent(x, n[3], e));
    h.fn = call_back;
    h.userData = &more;
    A(cudaGraphExecHostNodeSetParams(x, n[0], &h));
    A(cudaGraphExecHostNodeSetParams(x, n[1], &h));
    A(cudaGraphHostNodeSetParams(within, &h));
    A(cudaGraphExecChildGraphNodeSetParams(x, n[1], child));
    A(cudaGraphExecChildGraphNodeSetParams(x, n[1], empty));
    A(cudaGraphExecChildGraphNodeSetParams(x, n[0], child));
    A(cudaGraphExecChildGraphNodeSetParams(x, n[1], NULL));
    A(cudaGraphLaunch(x, stream));
    A(cudaStreamSynchronize(stream));
    N(calls);
    N(more);
    A(cudaGraphExecDestroy(x));
}

static void two()
{
    // memory
    m.poolProps.allocType = cudaMemAllocationTypePinned;
    m.poolProps.location.type = cudaMemLocationTypeDevice;
    m.bytesize = 1000;
    A(cudaGraphAddMemAllocNode(&n[4], g, NULL, 0, &m));
    A(cudaGraphMemAllocNodeGetParams(n[4], &was));
    N(was.bytesize);
    N(was.dptr == m.dptr);
    N(was.poolProps.allocType);
    A(cudaGraphMemAllocNodeGetParams(n[4], NULL));
    A(cudaGraphMemAllocNodeGetParams(n[0], &was));
    A(cudaGraphAddMemFreeNode(&n[5], g, &n[4], 1, m.dptr));
    A(cudaGraphMemFreeNodeGetParams(n[5], &freed));
    N(freed == m.dptr);
    A(cudaGraphMemFreeNodeGetParams(n[4], &freed));
    A(cudaGraphAddMemFreeNode(&bad, g, NULL, 0, device));
    A(cudaGraphAddMemFreeNode(&bad, g, NULL, 0, NULL));
    m.bytesize = 0;
    A(cudaGraphAddMemAllocNode(&bad, g, NULL, 0, &m));
    A(cudaGraphAddMemAllocNode(&bad, g, NULL, 0, NULL));
    A(cudaGraphClone(&inner, g));
    A(cudaGraphDestroyNode(n[5]));
    A(cudaGraphDestroy(g));
    A(cudaGraphDestroy(child));
    A(cudaGraphDestroy(empty));
    A(cudaEventDestroy(e));
    A(cudaEventDestroy(second));
}

} // namespace of_others

static void others()
{
    of_others::one();
    of_others::two();
}

static cudaMemcpy3DParms line(void *to, void *from, size_t bytes)
{
    cudaMemcpy3DParms p = {};

    p.srcPtr = make_cudaPitchedPtr(from, bytes, bytes, 1);
    p.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
    p.extent = make_cudaExtent(bytes, 1, 1);
    p.kind = cudaMemcpyDefault;
    return p;
}

static void any()
{
    // Nodes of any kind through one call.
    static const cudaGraphNodeType types[] = {
        cudaGraphNodeTypeKernel,   cudaGraphNodeTypeMemcpy,  cudaGraphNodeTypeMemset,      cudaGraphNodeTypeHost,
        cudaGraphNodeTypeGraph,    cudaGraphNodeTypeEmpty,   cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,
        cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemFree, (cudaGraphNodeType)77,
    };
    cudaGraph_t g = NULL, child = NULL;
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t n[11] = {}, bad = NULL;
    cudaEvent_t e = NULL;
    void *allocated = NULL;
    int by = 1, calls = 0;
    void *args[] = { &device, &by };
    cudaGraphNodeParams all[11] = {};

    A(cudaEventCreate(&e));
    A(cudaGraphCreate(&g, 0));
    A(cudaGraphCreate(&child, 0));
    for (int i = 0; i < 11; i++) {
        cudaGraphNodeParams p = {};
        printf("type %d\n", types[i]);
        p.type = types[i];
        A(cudaGraphAddNode(&n[i], g, i ? &n[i - 1] : NULL, NULL, i > 0, &p)); // without what it needs
        n[i] = NULL;
        switch (i) {
        case 0:
            p.kernel.func = (void *)add_to;
            p.kernel.gridDim = p.kernel.blockDim = dim3(1);
            p.kernel.kernelParams = args;
            break;
        case 1: p.memcpy.copyParams = line(host, device, 8); break;
        case 2:
            p.memset.dst = device;
            p.memset.elementSize = 4;
            p.memset.width = p.memset.height = 1;
            break;
        case 3:
            p.host.fn = call_back;
            p.host.userData = &calls;
            break;
        case 4: p.graph.graph = child; break;
        case 6: p.eventRecord.event = e; break;
        case 7: p.eventWait.event = e; break;
        case 8:
            p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
            p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
            p.alloc.bytesize = 64;
            break;
        case 9: p.free.dptr = allocated; break;
        }
        A(cudaGraphAddNode(&n[i], g, i ? &n[i - 1] : NULL, NULL, i > 0, &p));
        if (i == 8)
            allocated = p.alloc.dptr;
        all[i] = p;
    }
    A(cudaGraphAddNode(&bad, g, NULL, NULL, 0, NULL));
    A(cudaGraphAddNode(&bad, NULL, NULL, NULL, 0, &all[5]));
    A(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 10; i++) {
        printf("type %d\n", types[i]);
        A(cudaGraphNodeSetParams(n[i], &all[i]));
        A(cudaGraphExecNodeSetParams(x, n[i], &all[i]));
    }
    A(cudaGraphNodeSetParams(n[0], NULL));
    A(cudaGraphNodeSetParams(n[0], &all[1]));
    A(cudaGraphExecNodeSetParams(x, n[0], &all[1]));
    A(cudaGraphLaunch(x, stream));
    A(cudaStreamSynchronize(stream));
    N(calls);
    A(cudaGraphExecDestroy(x));
    A(cudaGraphDestroy(g));
    A(cudaGraphDestroy(child));
    A(cudaEventDestroy(e));
}

static void executables()
{
    cudaGraph_t g = NULL, other = NULL, child = NULL;
    cudaGraphExec_t x = NULL;
    cudaGraphNode_t n[3] = {}, m[3] = {}, bad = NULL;
    cudaGraphInstantiateParams p = {};
    cudaGraphExecUpdateResultInfo info = {};
    cudaHostNodeParams h = { call_back, host };
    unsigned long long flags = 99;

    A(cudaGraphCreate(&g, 0));
    A(cudaGraphCreate(&other, 0));
    A(cudaGraphCreate(&child, 0));
    A(cudaGraphAddHostNode(&n[0], g, NULL, 0, &h));
    A(cudaGraphAddEmptyNode(&n[1], g, &n[0], 1));
    A(cudaGraphAddChildGraphNode(&n[2], g, &n[1], 1, child));
    for (unsigned long long f : { 0ull, 1ull, 2ull, 8ull, 16ull, 1024ull }) {
        printf("flags %llu\n", f);
        x = NULL;
        A(cudaGraphInstantiate(&x, g, f));
        if (x) {
            A(cudaGraphExecGetFlags(x, &flags));
            N(flags);
            A(cudaGraphExecDestroy(x));
        }
    }
    A(cudaGraphInstantiate(NULL, g, 0));
    A(cudaGraphInstantiate(&x, NULL, 0));
    p.flags = 8;
    A(cudaGraphInstantiateWithParams(&x, g, &p));
    N(p.result_out);
    A(cudaGraphInstantiateWithParams(NULL, g, &p));
    A(cudaGraphExecGetFlags(x, &flags));
    N(flags);
    A(cudaGraphExecGetFlags(x, NULL));
    A(cudaGraphExecGetFlags(NULL, &flags));
    A(cudaGraphExecUpdate(x, g, &info));
    N(info.result);
    A(cudaGraphExecUpdate(x, g, NULL));
    A(cudaGraphExecUpdate(x, NULL, &info));
    A(cudaGraphExecUpdate(NULL, g, &info));
    // another kind of node, other edges, another number, another graph within
    A(cudaGraphAddEmptyNode(&m[0], other, NULL, 0));
    A(cudaGraphExecUpdate(x, other, &info));
    N(info.result);
    A(cudaGraphAddEmptyNode(&m[1], other, &m[0], 1));
    A(cudaGraphAddChildGraphNode(&m[2], other, &m[1], 1, child));
    A(cudaGraphExecUpdate(x, other, &info));
    N(info.result);
    A(cudaGraphDestroy(other));
    A(cudaGraphCreate(&other, 0));
    A(cudaGraphAddHostNode(&m[0], other, NULL, 0, &h));
    A(cudaGraphAddEmptyNode(&m[1], other, NULL, 0));
    A(cudaGraphAddChildGraphNode(&m[2], other, &m[1], 1, child));
    A(cudaGraphExecUpdate(x, other, &info));
    N(info.result);
    A(cudaGraphDestroy(other));
    A(cudaGraphAddEmptyNode(&bad, child, NULL, 0));
    A(cudaGraphCreate(&other, 0));
    A(cudaGraphAddHostNode(&m[0], other, NULL, 0, &h));
    A(cudaGraphAddEmptyNode(&m[1], other, &m[0], 1));
    A(cudaGraphAddChildGraphNode(&m[2], other, &m[1], 1, child));
    A(cudaGraphExecUpdate(x, other, &info));
    N(info.result);
    A(cudaGraphLaunch(NULL, stream));
    A(cudaGraphExecDestroy(x));
    A(cudaGraphExecDestroy(NULL));
    A(cudaGraphDestroy(g));
    A(cudaGraphDestroy(other));
    A(cudaGraphDestroy(child));
}

static cudaGraphNodeParams condition(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                     unsigned size)
{
    cudaGraphNodeParams p = {};

    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = size;
    return p;
}

// A body adds to the number: 1, 10, 100 of the first, second, third.
static void fill(const cudaGraphNodeParams &p, unsigned bodies)
{
    int by = 1;
    void *args[] = { &device, &by };
    cudaKernelNodeParams k = {};
    cudaGraphNode_t n;

    k.func = (void *)add_to;
    k.gridDim = k.blockDim = dim3(1);
    k.kernelParams = args;
    for (unsigned i = 0; i < bodies && p.conditional.phGraph_out; i++, by *= 10)
        A(cudaGraphAddKernelNode(&n, p.conditional.phGraph_out[i], NULL, 0, &k));
}

static void conditions()
{
    static const struct {
        cudaGraphConditionalNodeType type;
        unsigned size, value;
    } rows[] = {
        { cudaGraphCondTypeIf, 1, 1 },     { cudaGraphCondTypeIf, 1, 0 },
        { cudaGraphCondTypeIf, 2, 0 },     { cudaGraphCondTypeSwitch, 3, 2 },
        { cudaGraphCondTypeSwitch, 3, 3 }, { cudaGraphCondTypeSwitch, 1, 0 },
        { cudaGraphCondTypeIf, 3, 0 },     { cudaGraphCondTypeIf, 0, 0 },
        { cudaGraphCondTypeWhile, 2, 0 },  { (cudaGraphConditionalNodeType)9, 1, 0 },
    };

    for (const auto &r : rows) {
        cudaGraph_t g = NULL, clone = NULL;
        cudaGraphExec_t x = NULL;
        cudaGraphNode_t n = NULL;
        cudaGraphConditionalHandle handle = 0;
        printf("type %d, size %u, value %u\n", r.type, r.size, r.value);
        A(cudaMemset(device, 0, 64));
        A(cudaGraphCreate(&g, 0));
        A(cudaGraphConditionalHandleCreate(&handle, g, r.value, cudaGraphCondAssignDefault));
        cudaGraphNodeParams p = condition(handle, r.type, r.size);
        A(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
        if (n) {
            fill(p, r.size);
            kind_of(n);
            A(cudaGraphClone(&clone, g));
            A(cudaGraphNodeSetParams(n, &p));
            A(cudaGraphInstantiate(&x, g, 0));
            A(cudaGraphLaunch(x, stream));
            A(cudaStreamSynchronize(stream));
            N(number());
            A(cudaGraphExecDestroy(x));
        }
        A(cudaGraphDestroy(g));
    }
    cudaGraph_t g = NULL;
    cudaGraphConditionalHandle handle = 0;
    A(cudaGraphCreate(&g, 0));
    A(cudaGraphConditionalHandleCreate(NULL, g, 0, 0));
    A(cudaGraphConditionalHandleCreate(&handle, NULL, 0, 0));
    A(cudaGraphConditionalHandleCreate(&handle, g, 0, 7));
    A(cudaGraphDestroy(g));
}

static void objects()
{
    cudaUserObject_t o = NULL, second = NULL;
    cudaGraph_t g = NULL, clone = NULL;
    cudaGraphExec_t x = NULL;
    int gone = 0, more = 0;

    A(cudaGraphCreate(&g, 0));
    A(cudaUserObjectCreate(&o, &gone, call_back, 1, cudaUserObjectNoDestructorSync));
    A(cudaUserObjectCreate(&second, &more, call_back, 2, cudaUserObjectNoDestructorSync));
    A(cudaUserObjectCreate(NULL, &gone, call_back, 1, cudaUserObjectNoDestructorSync));
    A(cudaUserObjectCreate(&o, &gone, NULL, 1, cudaUserObjectNoDestructorSync));
    A(cudaUserObjectCreate(&o, &gone, call_back, 0, cudaUserObjectNoDestructorSync));
    A(cudaUserObjectCreate(&o, &gone, call_back, 1, 0));
    A(cudaUserObjectRetain(o, 2));
    A(cudaUserObjectRetain(o, 0));
    A(cudaUserObjectRetain(NULL, 1));
    A(cudaUserObjectRelease(o, 1));
    A(cudaUserObjectRelease(o, 0));
    A(cudaUserObjectRelease(NULL, 1));
    A(cudaGraphRetainUserObject(g, o, 1, 0));
    A(cudaGraphRetainUserObject(g, second, 2, cudaGraphUserObjectMove));
    A(cudaGraphRetainUserObject(g, o, 0, 0));
    A(cudaGraphRetainUserObject(g, o, 1, 8));
    A(cudaGraphRetainUserObject(NULL, o, 1, 0));
    A(cudaGraphRetainUserObject(g, NULL, 1, 0));
    A(cudaGraphReleaseUserObject(g, second, 1));
    A(cudaGraphReleaseUserObject(g, NULL, 1));
    A(cudaGraphReleaseUserObject(g, o, 0));
    A(cudaGraphClone(&clone, g));
    A(cudaGraphInstantiate(&x, g, 0));
    A(cudaGraphDestroy(g));
    A(cudaGraphDestroy(clone));
    N(more);
    A(cudaGraphExecDestroy(x));
    A(cudaUserObjectRelease(o, 2));
    A(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    static void (*const parts[])() = { others, any, executables, conditions, objects };

    begin_of_answers(argc, argv);
    A(cudaStreamCreate(&stream));
    A(cudaMalloc(&device, 4096));
    A(cudaMemset(device, 0, 4096));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_wanted(argc, argv, i))
            parts[i]();
    A(cudaFree(device));
    A(cudaStreamDestroy(stream));
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
