// Conditional nodes: a loop whose kernel counts down, and a choice.
#include "expect.cuh"

__global__ void step(cudaGraphConditionalHandle handle, int *left, int *steps)
{
    ++*steps;
    cudaGraphSetConditional(handle, --*left > 0);
}

__global__ void set(int *to, int value)
{
    *to = value;
}

int main()
{
    int *left, *steps, now, five = 5, seven = 7;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle loop, choice;
    cudaGraphNode_t begin, node, inner;
    cudaGraphNodeParams p = {};

    FINE(cudaMalloc(&left, 4));
    FINE(cudaMalloc(&steps, 4));
    FINE(cudaMemset(steps, 0, 4));
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
    FINE(cudaGraphConditionalHandleCreate(&choice, graph, 0, cudaGraphCondAssignDefault));
    void *set_args[] = { &left, &five };
    cudaKernelNodeParams kernel = { (void *)set, dim3(1), dim3(1), 0, set_args, NULL };
    FINE(cudaGraphAddKernelNode(&begin, graph, NULL, 0, &kernel));
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = loop;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 1;
    FINE(cudaGraphAddNode(&node, graph, &begin, NULL, 1, &p));
    void *step_args[] = { &loop, &left, &steps };
    kernel = { (void *)step, dim3(1), dim3(1), 0, step_args, NULL };
    FINE(cudaGraphAddKernelNode(&inner, p.conditional.phGraph_out[0], NULL, 0, &kernel));
    p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = choice;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 2;
    FINE(cudaGraphAddNode(&inner, graph, &node, NULL, 1, &p));
    set_args[1] = &seven;
    kernel = { (void *)set, dim3(1), dim3(1), 0, set_args, NULL };
    FINE(cudaGraphAddKernelNode(&inner, p.conditional.phGraph_out[1], NULL, 0, &kernel));
    FINE(cudaGraphInstantiate(&exec, graph, 0));
    FINE(cudaGraphLaunch(exec, 0));
    FINE(cudaGraphLaunch(exec, 0));
    FINE(cudaMemcpy(&now, steps, 4, cudaMemcpyDeviceToHost));
    EXPECT(now == 10);
    FINE(cudaMemcpy(&now, left, 4, cudaMemcpyDeviceToHost));
    EXPECT(now == 7);
    return end_of_test();
}
// SPDX-License-Identifier: Apache-2.0
