// What the runtime answers about graphs: their edges, nodes of kernels, copies and sets.
#include "answers.cuh"

__global__ void add_to(int *x, int by)
{
    if (x)
        *x += by;
}

__device__ int variable[8];
static int host[64];
static int *device;
static cudaStream_t stream;

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

namespace of_edges {
static cudaGraph_t g = NULL, second = NULL, clone = NULL;
static cudaGraphNode_t n[4] = {}, list[8] = {}, more[8] = {}, found = NULL;
static cudaGraphEdgeData data[8];
static size_t count = 0;

static void one()
{
    A(cudaGraphCreate(&g, 0));
    A(cudaGraphCreate(&second, 0));
    A(cudaGraphCreate(NULL, 0));
    A(cudaGraphCreate(&clone, 1));
    for (int i = 0; i < 3; i++)
        A(cudaGraphAddEmptyNode(&n[i], g, i ? &n[i - 1] : NULL, i > 0));
    A(cudaGraphAddEmptyNode(&n[3], second, NULL, 0));
    A(cudaGraphAddEmptyNode(NULL, g, NULL, 0));
    A(cudaGraphAddEmptyNode(&found, NULL, NULL, 0));
    A(cudaGraphAddEmptyNode(&found, g, NULL, 1));
    A(cudaGraphAddEmptyNode(&found, g, &n[3], 1));
    kind_of(n[0]);
    A(cudaGraphNodeGetType(n[0], NULL));
    A(cudaGraphGetNodes(g, NULL, &count));
    N(count);
    A(cudaGraphGetNodes(g, list, NULL));
    A(cudaGraphGetNodes(NULL, list, &count));
    for (count = 1; count < 6; count += 2) {
        printf("room for %zu\n", count);
        size_t room = count;
        A(cudaGraphGetNodes(g, list, &room));
        N(room);
        room = count;
        A(cudaGraphGetRootNodes(g, list, &room));
        N(room);
        room = count;
        A(cudaGraphGetEdges(g, list, more, data, &room));
        N(room);
        room = count;
        A(cudaGraphGetEdges(g, list, more, NULL, &room));
        N(room);
        room = count;
        A(cudaGraphNodeGetDependencies(n[1], list, data, &room));
        N(room);
        N(list[0] == n[0]);
        room = count;
        A(cudaGraphNodeGetDependentNodes(n[1], list, data, &room));
        N(room);
        N(list[0] == n[2]);
    }
    A(cudaGraphGetRootNodes(g, NULL, &count));
    N(count);
    A(cudaGraphGetEdges(g, NULL, NULL, NULL, &count));
    N(count);
    A(cudaGraphGetEdges(g, list, NULL, NULL, &count));
    A(cudaGraphNodeGetDependencies(n[2], NULL, NULL, &count));
    N(count);
    A(cudaGraphNodeGetDependencies(NULL, NULL, NULL, &count));
    A(cudaGraphNodeGetDependencies(n[2], NULL, NULL, NULL));
    A(cudaGraphNodeGetDependentNodes(n[2], NULL, NULL, &count));
    N(count);
    A(cudaGraphAddDependencies(g, &n[0], &n[2], NULL, 1));
    A(cudaGraphAddDependencies(g, &n[0], &n[2], NULL, 1));
    A(cudaGraphAddDependencies(g, &n[0], &n[3], NULL, 1));
    A(cudaGraphAddDependencies(g, NULL, &n[2], NULL, 1));
    A(cudaGraphAddDependencies(g, &n[0], NULL, NULL, 1));
    A(cudaGraphAddDependencies(g, NULL, NULL, NULL, 0));
    A(cudaGraphAddDependencies(NULL, &n[0], &n[2], NULL, 1));
    A(cudaGraphGetEdges(g, NULL, NULL, NULL, &count));
    N(count);
    A(cudaGraphRemoveDependencies(g, &n[1], &n[2], NULL, 1));
    A(cudaGraphRemoveDependencies(g, &n[1], &n[2], NULL, 1));
}

static void two()
{
    A(cudaGraphGetEdges(g, NULL, NULL, NULL, &count));
    N(count);
    A(cudaGraphClone(&clone, g));
    A(cudaGraphClone(NULL, g));
    A(cudaGraphClone(&clone, NULL));
    A(cudaGraphNodeFindInClone(&found, n[1], clone));
    kind_of(found);
    A(cudaGraphNodeFindInClone(&found, n[3], clone));
    A(cudaGraphNodeFindInClone(NULL, n[1], clone));
    A(cudaGraphNodeFindInClone(&found, NULL, clone));
    A(cudaGraphDestroyNode(n[0]));
    A(cudaGraphGetNodes(g, NULL, &count));
    N(count);
    A(cudaGraphDestroyNode(n[2]));
    A(cudaGraphDestroyNode(NULL));
    A(cudaGraphDebugDotPrint(g, "/there/is/no/such/folder/graph.dot", 0));
    A(cudaGraphDebugDotPrint(g, NULL, 0));
    A(cudaGraphDestroy(g));
    A(cudaGraphDestroy(second));
    A(cudaGraphDestroy(clone));
    A(cudaGraphDestroy(NULL));
}

} // namespace of_edges

static void edges()
{
    of_edges::one();
    of_edges::two();
}

namespace of_kernels {
static cudaGraph_t g = NULL;
static cudaGraphExec_t x = NULL;
static cudaGraphNode_t n = NULL, second = NULL, empty = NULL;
static cudaKernelNodeParams p = {}, got = {};
static cudaLaunchAttributeValue value = {};
static int by = 2;
static unsigned enabled = 9;
static size_t bytes = 12;
static struct {
    int *x;
    int by;
} packed;
static void *args[] = { &device, &by };
static void *extra[] = { (void *)1, &packed, (void *)2, &bytes, NULL };

static void one()
{
    packed = { device, 5 };
    A(cudaMemset(device, 0, 64));
    A(cudaGraphCreate(&g, 0));
    p.func = (void *)add_to;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = args;
    A(cudaGraphAddKernelNode(&n, g, NULL, 0, &p));
    A(cudaGraphAddKernelNode(&second, g, &n, 1, &p));
    A(cudaGraphAddEmptyNode(&empty, g, NULL, 0));
    A(cudaGraphAddKernelNode(&second, g, NULL, 0, NULL));
    p.func = (void *)host;
    A(cudaGraphAddKernelNode(&second, g, NULL, 0, &p));
    p.func = (void *)add_to;
    p.kernelParams = NULL;
    A(cudaGraphKernelNodeSetParams(n, &p));
    A(cudaGraphKernelNodeGetParams(n, &got));
    N(got.func == (void *)add_to);
    N(got.gridDim.x);
    N(got.blockDim.x);
    if (got.kernelParams)
        N(*(int *)got.kernelParams[1]);
    A(cudaGraphKernelNodeGetParams(empty, &got));
    A(cudaGraphKernelNodeGetParams(n, NULL));
    A(cudaGraphKernelNodeSetParams(empty, &p));
    A(cudaGraphKernelNodeSetParams(NULL, &p));
    p.extra = extra;
    A(cudaGraphKernelNodeSetParams(n, &p));
    A(cudaGraphInstantiate(&x, g, 0));
    A(cudaGraphLaunch(x, stream));
    A(cudaStreamSynchronize(stream));
    N(number());
    p.extra = NULL;
    p.kernelParams = args;
    by = 100;
    A(cudaGraphExecKernelNodeSetParams(x, n, &p));
    A(cudaGraphExecKernelNodeSetParams(x, empty, &p));
    A(cudaGraphExecKernelNodeSetParams(NULL, n, &p));
    A(cudaGraphNodeSetEnabled(x, second, 0));
    A(cudaGraphNodeGetEnabled(x, second, &enabled));
    N(enabled);
    A(cudaGraphNodeGetEnabled(x, n, &enabled));
    N(enabled);
    A(cudaGraphNodeGetEnabled(x, n, NULL));
    A(cudaGraphNodeGetEnabled(x, empty, &enabled));
    A(cudaGraphNodeSetEnabled(x, NULL, 0));
    A(cudaGraphLaunch(x, stream));
    A(cudaStreamSynchronize(stream));
    N(number());
    for (int a = 0; a < 18; a++) {
        printf("attribute %d\n", a);
        value = {};
        A(cudaGraphKernelNodeGetAttribute(n, (cudaLaunchAttributeID)a, &value));
        if (a != 4 && a != 15)
            A(cudaGraphKernelNodeSetAttribute(n, (cudaLaunchAttributeID)a, &value));
    }
    value = {};
    value.clusterDim.x = value.clusterDim.y = value.clusterDim.z = 1;
    A(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeClusterDimension, &value));
    A(cudaGraphKernelNodeGetAttribute(n, cudaLaunchAttributeClusterDimension, &value));
    N(value.clusterDim.x);
    value = {};
    value.priority = -1;
    A(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributePriority, &value));
}

static void two()
{
    A(cudaGraphKernelNodeCopyAttributes(second, n));
    A(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributePriority, &value));
    N(value.priority);
    A(cudaGraphKernelNodeCopyAttributes(empty, n));
    A(cudaGraphKernelNodeCopyAttributes(second, empty));
    A(cudaGraphKernelNodeSetAttribute(empty, cudaLaunchAttributePriority, &value));
    A(cudaGraphExecDestroy(x));
    A(cudaGraphDestroy(g));
}

} // namespace of_kernels

static void kernels()
{
    of_kernels::one();
    of_kernels::two();
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

namespace of_copies {
static cudaGraph_t g = NULL;
static cudaGraphExec_t x = NULL;
static cudaGraphNode_t n[6] = {}, bad = NULL;
static cudaMemcpy3DParms p, got;
static cudaMemsetParams s = {}, had = {};

static void one()
{
    p = line(device, host, 16);
    host[0] = 11, host[1] = 22;
    A(cudaGraphCreate(&g, 0));
    A(cudaGraphAddMemcpyNode(&n[0], g, NULL, 0, &p));
    A(cudaGraphAddMemcpyNode(&bad, g, NULL, 0, NULL));
    A(cudaGraphMemcpyNodeGetParams(n[0], &got));
    N(got.extent.width);
    N(got.srcPtr.ptr == host);
    N(got.dstPtr.ptr == device);
    A(cudaGraphMemcpyNodeGetParams(n[0], NULL));
    p = line(device, host, 32);
    A(cudaGraphMemcpyNodeSetParams(n[0], &p));
    A(cudaGraphMemcpyNodeSetParams(n[0], NULL));
    A(cudaGraphAddMemcpyNode1D(&n[1], g, &n[0], 1, host + 32, device, 16, cudaMemcpyDeviceToHost));
    A(cudaGraphAddMemcpyNode1D(&bad, g, NULL, 0, NULL, device, 16, cudaMemcpyDeviceToHost));
    A(cudaGraphAddMemcpyNode1D(&bad, g, NULL, 0, host, NULL, 16, cudaMemcpyDeviceToHost));
    A(cudaGraphAddMemcpyNode1D(&bad, g, NULL, 0, host, device, 16, (cudaMemcpyKind)9));
    A(cudaGraphMemcpyNodeSetParams1D(n[1], host + 32, device, 8, cudaMemcpyDeviceToHost));
    A(cudaGraphMemcpyNodeSetParams1D(n[1], NULL, device, 8, cudaMemcpyDeviceToHost));
    A(cudaGraphAddMemcpyNodeToSymbol(&n[2], g, &n[1], 1, variable, host, 8, 4, cudaMemcpyHostToDevice));
    A(cudaGraphAddMemcpyNodeToSymbol(&bad, g, NULL, 0, variable, host, 40, 0, cudaMemcpyHostToDevice));
    A(cudaGraphAddMemcpyNodeToSymbol(&bad, g, NULL, 0, host, host, 4, 0, cudaMemcpyHostToDevice));
    A(cudaGraphAddMemcpyNodeFromSymbol(&n[3], g, &n[2], 1, host + 40, variable, 8, 4, cudaMemcpyDeviceToHost));
    A(cudaGraphAddMemcpyNodeFromSymbol(&bad, g, NULL, 0, host + 40, variable, 8, 28, cudaMemcpyDeviceToHost));
    A(cudaGraphMemcpyNodeSetParamsToSymbol(n[2], variable, host, 12, 4, cudaMemcpyHostToDevice));
    A(cudaGraphMemcpyNodeSetParamsFromSymbol(n[3], host + 40, variable, 12, 4, cudaMemcpyDeviceToHost));
    s.dst = device + 8;
    s.elementSize = 2;
    s.value = 0x10203;
    s.width = 4;
    s.height = 1;
    A(cudaGraphAddMemsetNode(&n[4], g, &n[3], 1, &s));
    A(cudaGraphMemsetNodeGetParams(n[4], &had));
    N(had.elementSize);
    N(had.width);
    N(had.dst == device + 8);
    A(cudaGraphMemsetNodeGetParams(n[4], NULL));
    A(cudaGraphMemsetNodeGetParams(n[0], &had));
    A(cudaGraphAddMemsetNode(&bad, g, NULL, 0, NULL));
    s.elementSize = 3;
    A(cudaGraphAddMemsetNode(&bad, g, NULL, 0, &s));
    s.elementSize = 4;
    s.height = 2;
    s.pitch = 8;
    A(cudaGraphAddMemsetNode(&bad, g, NULL, 0, &s));
    s.height = 1;
    s.dst = NULL;
    A(cudaGraphAddMemsetNode(&bad, g, NULL, 0, &s));
    s.dst = device + 8;
    A(cudaGraphMemsetNodeSetParams(n[4], &s));
    A(cudaGraphMemsetNodeSetParams(n[4], NULL));
    A(cudaGraphInstantiateWithFlags(&x, g, 0));
    A(cudaGraphLaunch(x, stream));
    A(cudaStreamSynchronize(stream));
    N(host[32]);
    N(host[33]);
    N(host[40]);
    N(host[41]);
    p = line(device, host + 1, 32);
    A(cudaGraphExecMemcpyNodeSetParams(x, n[0], &p));
    A(cudaGraphExecMemcpyNodeSetParams1D(x, n[1], host + 48, device, 8, cudaMemcpyDeviceToHost));
    A(cudaGraphExecMemcpyNodeSetParamsToSymbol(x, n[2], variable, host + 1, 8, 0, cudaMemcpyHostToDevice));
    A(cudaGraphExecMemcpyNodeSetParamsFromSymbol(x, n[3], host + 50, variable, 8, 0, cudaMemcpyDeviceToHost));
}

static void two()
{
    s.value = 7;
    A(cudaGraphExecMemsetNodeSetParams(x, n[4], &s));
    A(cudaGraphLaunch(x, stream));
    A(cudaStreamSynchronize(stream));
    N(host[48]);
    N(host[50]);
    A(cudaMemcpy(host, device, 64, cudaMemcpyDeviceToHost));
    N(host[8]);
    N(host[11]);
    A(cudaGraphExecDestroy(x));
    A(cudaGraphDestroy(g));
}

} // namespace of_copies

static void copies()
{
    of_copies::one();
    of_copies::two();
}

int main(int argc, char **argv)
{
    static void (*const parts[])() = { edges, kernels, copies };

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
