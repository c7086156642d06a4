// Launches of graphs, each made or changed in another way, for what `copycheck capture` keeps of their kernels. The
// argument is the way's number; the program prints what the last kernel left.
//
// first, second and last are one kernel: it adds a number to the word that it finds where a pointer leads. first puts
// its sum where second reads, and second and last into the same word: a capture of second that were not taken between
// the two holds another one's bytes.
#include "captured.h"

#include <cstdio>
#include <cstdlib>

static const char kernels[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                              ".visible .entry add(.param .u64 in, .param .u32 by, .param .u64 out)\n{\n"
                              ".reg .b64 %a, %b;\n.reg .b32 %x, %y;\n"
                              "ld.param.u64 %a, [in];\nld.param.u32 %y, [by];\nld.param.u64 %b, [out];\n"
                              "ld.global.u64 %a, [%a];\nld.global.u32 %x, [%a];\nadd.u32 %x, %x, %y;\n"
                              "st.global.u32 [%b], %x;\nret;\n}\n"
                              ".visible .entry none()\n{\nret;\n}\n";

static CUdeviceptr in, middle, out, to_in, to_middle;
static CUfunction add, none;

struct arguments {
    CUdeviceptr in;
    unsigned by;
    CUdeviceptr out;
    void *params[3];
    arguments(CUdeviceptr from, unsigned by, CUdeviceptr out)
        : in(from), by(by), out(out), params{ &in, &this->by, &this->out }
    {
    }
};

static CUDA_KERNEL_NODE_PARAMS node_of(arguments &a)
{
    CUDA_KERNEL_NODE_PARAMS p = {};

    p.func = add;
    p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    p.kernelParams = a.params;
    return p;
}

static CUgraphNode nodes[3];

// Adds first and second, or one of them, in a row.
static void add_two(CUgraph g, bool with_first, unsigned by)
{
    arguments a(to_in, 20, middle), b(to_middle, by, out);
    const CUDA_KERNEL_NODE_PARAMS first = node_of(a), second = node_of(b);

    if (with_first)
        OK(cuGraphAddKernelNode(&nodes[0], g, NULL, 0, &first));
    OK(cuGraphAddKernelNode(&nodes[1], g, nodes, with_first, &second));
}

static void add_last(CUgraph g, CUgraphNode behind)
{
    arguments c(to_in, 3, out);
    const CUDA_KERNEL_NODE_PARAMS last = node_of(c);

    OK(cuGraphAddKernelNode(&nodes[2], g, &behind, 1, &last));
}

static CUgraph by_hand(unsigned by)
{
    CUgraph g;

    OK(cuGraphCreate(&g, 0));
    add_two(g, true, by);
    add_last(g, nodes[1]);
    return g;
}

// second is in a graph that is a node.
static CUgraph with_child()
{
    CUgraph g, child;
    CUgraphNode node;

    OK(cuGraphCreate(&g, 0));
    OK(cuGraphCreate(&child, 0));
    add_two(child, true, 30);
    OK(cuGraphAddChildGraphNode(&node, g, NULL, 0, child));
    OK(cuGraphDestroy(child));
    add_last(g, node);
    return g;
}

static void launch_in(CUstream s, arguments a)
{
    OK(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, s, a.params, NULL));
}

// The launches of one stream; a kernel that runs beside it while it is captured must not end the capture.
static CUgraph of_stream(CUstream s, bool per_thread)
{
    CUgraph g;
    CUstream other;

    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    if (per_thread)
        s = CU_STREAM_PER_THREAD;
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    launch_in(s, arguments(to_in, 20, middle));
    OK(cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, other, NULL, NULL));
    launch_in(s, arguments(to_middle, 30, out));
    launch_in(s, arguments(to_in, 3, out));
    OK(cuStreamEndCapture(s, &g));
    return g;
}

static CUgraphExec made(CUgraph g)
{
    CUgraphExec exec;

    OK(cuGraphInstantiate(&exec, g, 0));
    return exec;
}

// By functions that cuGetProcAddress finds.
static CUgraphExec made_by_found(CUgraph g)
{
    CUgraphExec exec;
    CUresult (*make)(CUgraphExec *, CUgraph, unsigned long long);

    OK(cuGetProcAddress("cuGraphInstantiate", (void **)&make, 13000, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
    OK(make(&exec, g, 0));
    return exec;
}

static CUgraphExec changed(int way)
{
    arguments b(to_middle, 30, out);
    const CUDA_KERNEL_NODE_PARAMS second = node_of(b);
    const unsigned before = 25;
    const CUgraph g = by_hand(20);
    const CUgraphExec exec = made(g);
    CUgraphExecUpdateResultInfo about;

    switch (way) {
    case 4: OK(cuGraphExecKernelNodeSetParams(exec, nodes[1], &second)); break;
    case 5: OK(cuGraphExecUpdate(exec, by_hand(30), &about)); break;
    case 6: // the first one does nothing; it does something again, and nothing
        OK(cuGraphExecKernelNodeSetParams(exec, nodes[1], &second));
        OK(cuMemcpyHtoD(middle, &before, sizeof before));
        OK(cuGraphNodeSetEnabled(exec, nodes[0], 0));
        OK(cuGraphNodeSetEnabled(exec, nodes[0], 1));
        OK(cuGraphNodeSetEnabled(exec, nodes[0], 0));
        break;
    }
    return exec;
}

int main(int argc, char **argv)
{
    const int way = argc > 1 ? atoi(argv[1]) : 0;
    CUcontext context;
    CUmodule m;
    CUstream stream;
    CUgraphExec exec = NULL;
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {};
    unsigned got = 0, five = 5;

    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&m, kernels));
    OK(cuModuleGetFunction(&add, m, "add"));
    OK(cuModuleGetFunction(&none, m, "none"));
    OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    for (CUdeviceptr *p : { &in, &middle, &out, &to_in, &to_middle }) {
        OK(cuMemAlloc(p, 64));
        OK(cuMemsetD8(*p, 0, 64));
    }
    OK(cuMemcpyHtoD(in, &five, sizeof five));
    OK(cuMemcpyHtoD(to_in, &in, sizeof in));
    OK(cuMemcpyHtoD(to_middle, &middle, sizeof middle));
    switch (way) {
    case 0: exec = made(by_hand(30)); break;
    case 1: exec = made(of_stream(stream, false)); break;
    case 2: exec = made(with_child()); break;
    case 3: exec = made_by_found(by_hand(30)); break;
    case 4:
    case 5:
    case 6: exec = changed(way); break;
    case 7: OK(cuGraphInstantiateWithParams(&exec, by_hand(30), &params)); break;
    case 8: exec = made(of_stream(stream, true)); break;
    }
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(&got, out, sizeof got));
    printf("%u\n", got);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
