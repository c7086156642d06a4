// Graphs of the runtime: captured, built node by node, changed, updated, cloned; memory nodes; errors of captures.
#include "expect.cuh"

__global__ void add(int *number, int what)
{
    *number += what;
}

__global__ void twice(int *number)
{
    *number *= 2;
}

static int *number;

static int value()
{
    int now = 0;

    FINE(cudaMemcpy(&now, number, sizeof now, cudaMemcpyDeviceToHost));
    return now;
}

static int calls;

static void CUDART_CB count(void *)
{
    calls++;
}

static void captured()
{
    cudaStream_t first, second;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    size_t nodes = 0, edges = 0;

    FINE(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    FINE(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    FINE(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    FINE(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    FINE(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    FINE(cudaMemsetAsync(number, 0, 4, first));
    add<<<1, 1, 0, first>>>(number, 3);
    FINE(cudaEventRecord(fork, first));
    FINE(cudaStreamWaitEvent(second, fork));
    twice<<<1, 1, 0, second>>>(number);
    FINE(cudaEventRecord(join, second));
    FINE(cudaStreamWaitEvent(first, join));
    FINE(cudaLaunchHostFunc(first, count, NULL));
    FINE(cudaStreamIsCapturing(second, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    FINE(cudaStreamEndCapture(first, &graph));
    FINE(cudaGraphGetNodes(graph, NULL, &nodes));
    FINE(cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges));
    EXPECT(nodes == 4 && edges >= 3);
    FINE(cudaGraphInstantiate(&exec, graph, 0));
    FINE(cudaMemset(number, 1, 4));
    FINE(cudaGraphLaunch(exec, first));
    FINE(cudaGraphLaunch(exec, first));
    FINE(cudaStreamSynchronize(first));
    EXPECT(value() == 6 && calls == 2);
    FINE(cudaGraphExecDestroy(exec));
    FINE(cudaGraphDestroy(graph));
    GIVES(cudaGraphDestroy(graph), cudaErrorInvalidValue);
    // Into a graph that is there: it need not be asked for.
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaStreamBeginCaptureToGraph(first, graph, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, first>>>(number, 3);
    FINE(cudaStreamEndCapture(first, NULL));
    FINE(cudaGraphGetNodes(graph, NULL, &nodes));
    EXPECT(nodes == 1);
    FINE(cudaGraphDestroy(graph));
    // A capture that a call breaks, and one whose fork is not joined.
    FINE(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    GIVES(cudaStreamSynchronize(first), cudaErrorStreamCaptureUnsupported);
    GIVES(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT(graph == NULL);
    FINE(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    GIVES(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed), cudaErrorIllegalState);
    FINE(cudaEventRecord(fork, first));
    FINE(cudaStreamWaitEvent(second, fork));
    add<<<1, 1, 0, second>>>(number, 3);
    GIVES(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
    GIVES(cudaStreamEndCapture(first, &graph), cudaErrorIllegalState);
    GIVES(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
    cudaGetLastError();
}

static void built()
{
    cudaGraph_t graph, other;
    cudaGraphExec_t exec;
    cudaGraphNode_t zero, plus, times, nodes[8], inner;
    cudaGraphExecUpdateResultInfo why;
    int three = 3, five = 5;
    void *plus_args[] = { &number, &three }, *times_args[] = { &number };
    cudaMemsetParams set = { number, 4, 0, 4, 1, 1 };
    cudaKernelNodeParams kernel = { (void *)add, dim3(1), dim3(1), 0, plus_args, NULL }, got;
    cudaGraphNodeType type;
    size_t n = 8;

    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphAddMemsetNode(&zero, graph, NULL, 0, &set));
    FINE(cudaGraphAddKernelNode(&plus, graph, &zero, 1, &kernel));
    kernel = { (void *)twice, dim3(1), dim3(1), 0, times_args, NULL };
    FINE(cudaGraphAddKernelNode(&times, graph, NULL, 0, &kernel));
    FINE(cudaGraphAddDependencies(graph, &plus, &times, NULL, 1));
    GIVES(cudaGraphAddDependencies(graph, &plus, &times, NULL, 1), cudaErrorInvalidValue);
    FINE(cudaGraphGetNodes(graph, nodes, &n));
    EXPECT(n == 3 && nodes[0] == zero && nodes[3] == NULL);
    FINE(cudaGraphNodeGetType(zero, &type));
    EXPECT(type == cudaGraphNodeTypeMemset);
    FINE(cudaGraphKernelNodeGetParams(plus, &got));
    EXPECT(got.func == (void *)add && *(int *)got.kernelParams[1] == 3);
    FINE(cudaGraphInstantiate(&exec, graph, 0));
    FINE(cudaGraphLaunch(exec, 0));
    EXPECT(value() == 6);
    plus_args[1] = &five;
    kernel = { (void *)add, dim3(1), dim3(1), 0, plus_args, NULL };
    FINE(cudaGraphExecKernelNodeSetParams(exec, plus, &kernel));
    FINE(cudaGraphLaunch(exec, 0));
    EXPECT(value() == 10);
    FINE(cudaGraphNodeSetEnabled(exec, times, 0));
    FINE(cudaGraphLaunch(exec, 0));
    EXPECT(value() == 5);
    FINE(cudaGraphClone(&other, graph));
    FINE(cudaGraphNodeFindInClone(&inner, plus, other));
    FINE(cudaGraphKernelNodeSetParams(inner, &kernel));
    FINE(cudaGraphExecUpdate(exec, other, &why));
    FINE(cudaGraphLaunch(exec, 0));
    EXPECT(value() == 5 && why.result == cudaGraphExecUpdateSuccess);
    FINE(cudaGraphAddEmptyNode(&inner, other, NULL, 0));
    GIVES(cudaGraphExecUpdate(exec, other, &why), cudaErrorGraphExecUpdateFailure);
    EXPECT(why.result == cudaGraphExecUpdateErrorTopologyChanged);
    FINE(cudaGraphDestroy(other));
    // As a part of another graph, twice.
    FINE(cudaGraphCreate(&other, 0));
    FINE(cudaGraphAddChildGraphNode(&inner, other, NULL, 0, graph));
    FINE(cudaGraphAddKernelNode(&times, other, &inner, 1, &kernel));
    FINE(cudaGraphExecDestroy(exec));
    FINE(cudaGraphInstantiate(&exec, other, 0));
    FINE(cudaGraphLaunch(exec, 0));
    EXPECT(value() == 11);
    FINE(cudaGraphExecDestroy(exec));
    FINE(cudaGraphDestroy(other));
    FINE(cudaGraphDestroy(graph));
    cudaGetLastError();
}

static void with_memory()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t alloc, set, copy, release;
    cudaMemAllocNodeParams p = {};
    cudaMemsetParams bytes;

    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location = { cudaMemLocationTypeDevice, 0 };
    p.bytesize = 64;
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &p));
    bytes = { p.dptr, 64, 7, 4, 1, 1 };
    FINE(cudaGraphAddMemsetNode(&set, graph, &alloc, 1, &bytes));
    FINE(cudaGraphAddMemcpyNode1D(&copy, graph, &set, 1, number, p.dptr, 4, cudaMemcpyDefault));
    FINE(cudaGraphAddMemFreeNode(&release, graph, &copy, 1, p.dptr));
    FINE(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        FINE(cudaGraphLaunch(exec, 0));
    EXPECT(value() == 7);
    FINE(cudaGraphExecDestroy(exec));
    GIVES(cudaGraphDestroyNode(release), cudaErrorNotSupported);
    FINE(cudaGraphDestroy(graph));
    // the host frees in place of the graph: the graph can be launched again
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &p));
    FINE(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        FINE(cudaGraphLaunch(exec, 0));
        FINE(cudaDeviceSynchronize());
        FINE(cudaFree(p.dptr));
    }
    FINE(cudaGraphExecDestroy(exec));
    FINE(cudaGraphDestroy(graph));
}

int main()
{
    FINE(cudaMalloc(&number, 4));
    captured();
    built();
    with_memory();
    FINE(cudaFree(number));
    return end_of_test();
}
// SPDX-License-Identifier: Apache-2.0
