/* Nodes of graphs whose descriptions are the driver API's own: kernels, copies, sets. What both APIs share is in
 * `same`.
 */
#include <string.h>

#include "harness/inside/driver/array.h"
#include "harness/inside/runtime/graphs/nodes.h"

/* ---- descriptions -------------------------------------------------------------------------------------------------
 */

static CUresult kernel(const void *description, struct operation *out)
{
    const CUDA_KERNEL_NODE_PARAMS *p = description;
    struct launch *l = &out->launch;
    CUresult result;

    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct operation){ .kind = OPERATION_KERNEL };
    *l = (struct launch){ .grid = { p->gridDimX, p->gridDimY, p->gridDimZ },
                          .block = { p->blockDimX, p->blockDimY, p->blockDimZ },
                          .smem = p->sharedMemBytes };
    result = driver_function(p->func ? (const void *)p->func : (const void *)p->kern, &l->function);
    return result == CUDA_SUCCESS ? driver_params(l, p->kernelParams, p->extra) : result;
}

static CUresult copy(const void *p, struct operation *out)
{
    return p ? box_copy(p, out) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult set(const void *description, struct operation *out)
{
    const CUDA_MEMSET_NODE_PARAMS *p = description;

    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct operation){ .kind = OPERATION_SET,
                               .set = { .to = { (unsigned char *)p->dst, p->pitch, p->pitch * p->height },
                                        .value = p->value,
                                        .element = p->elementSize,
                                        .width = p->width,
                                        .height = p->height,
                                        .depth = 1 } };
    return CUDA_SUCCESS;
}

/* ---- adding -------------------------------------------------------------------------------------------------------
 */

/* The runtime's function ends the call that began here. */
static CUresult add(node_maker *make, const void *description, CUgraphNode *out, CUgraph graph,
                    const CUgraphNode *after, size_t count)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        result = make(description, &op);
    return (CUresult)node_add_made(result, out, graph, after, count, &op);
}

CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *p)
{
    return add(kernel, p, out, graph, after, count);
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after, size_t count,
                              const CUDA_MEMCPY3D *p, CUcontext context)
{
    (void)context;
    return add(copy, p, out, graph, after, count);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context)
{
    (void)context;
    return add(set, p, out, graph, after, count);
}

/* Any kind: the descriptions of the others are the runtime's, byte for byte. */
CUresult cuGraphAddNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *after, const CUgraphEdgeData *edges,
                           size_t count, CUgraphNodeParams *p)
{
    CUDA_KERNEL_NODE_PARAMS k;
    CUDA_MEMSET_NODE_PARAMS m;
    CUresult result;

    switch (p ? p->type : CU_GRAPH_NODE_TYPE_EMPTY) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        k = (CUDA_KERNEL_NODE_PARAMS){
            .func = p->kernel.func,
            .gridDimX = p->kernel.gridDimX,
            .gridDimY = p->kernel.gridDimY,
            .gridDimZ = p->kernel.gridDimZ,
            .blockDimX = p->kernel.blockDimX,
            .blockDimY = p->kernel.blockDimY,
            .blockDimZ = p->kernel.blockDimZ,
            .sharedMemBytes = p->kernel.sharedMemBytes,
            .kernelParams = p->kernel.kernelParams,
            .extra = p->kernel.extra,
            .kern = p->kernel.kern,
        };
        return cuGraphAddKernelNode(out, graph, after, count, &k);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return cuGraphAddMemcpyNode(out, graph, after, count, &p->memcpy.copyParams, p->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        m = (CUDA_MEMSET_NODE_PARAMS){
            .dst = p->memset.dst,
            .pitch = p->memset.pitch,
            .value = p->memset.value,
            .elementSize = p->memset.elementSize,
            .width = p->memset.width,
            .height = p->memset.height,
        };
        return cuGraphAddMemsetNode(out, graph, after, count, &m, NULL);
    default:
        result = driver_before_runtime();
        return result != CUDA_SUCCESS
                   ? result
                   : (CUresult)cudaGraphAddNode_v2(out, graph, after, (const cudaGraphEdgeData *)edges, count,
                                                   (struct cudaGraphNodeParams *)p);
    }
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *out, CUgraph graph, CUcontext context, unsigned value,
                                        unsigned flags)
{
    const CUresult result = driver_before_runtime_in_context(NULL, NULL);

    (void)context;
    return result != CUDA_SUCCESS
               ? result
               : (CUresult)cudaGraphConditionalHandleCreate((cudaGraphConditionalHandle *)out, graph, value, flags);
}

/* ---- asking and changing ------------------------------------------------------------------------------------------
 */

CUresult cuGraphKernelNodeGetParams(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS *out)
{
    struct node *n;
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        result = node_find(handle, OPERATION_KERNEL, &n);
    if (result == CUDA_SUCCESS) {
        const struct launch *l = &n->op.launch;
        *out = (CUDA_KERNEL_NODE_PARAMS){ .func = (CUfunction)l->function,
                                          .gridDimX = l->grid[0],
                                          .gridDimY = l->grid[1],
                                          .gridDimZ = l->grid[2],
                                          .blockDimX = l->block[0],
                                          .blockDimY = l->block[1],
                                          .blockDimZ = l->block[2],
                                          .sharedMemBytes = l->smem,
                                          .kernelParams = node_args(n) };
    }
    return driver_end(result);
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode handle, CUDA_MEMSET_NODE_PARAMS *out)
{
    struct node *n;
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        result = node_find(handle, OPERATION_SET, &n);
    if (result == CUDA_SUCCESS)
        *out = (CUDA_MEMSET_NODE_PARAMS){ .dst = (CUdeviceptr)n->op.set.to.at,
                                          .pitch = n->op.set.to.pitch,
                                          .value = n->op.set.value,
                                          .elementSize = n->op.set.element,
                                          .width = n->op.set.width,
                                          .height = n->op.set.height };
    return driver_end(result);
}

static CUresult changed(node_maker *make, const void *description, struct operation *op)
{
    const CUresult result = driver_begin();

    *op = (struct operation){ .kind = OPERATION_EMPTY };
    return result == CUDA_SUCCESS ? make(description, op) : result;
}

static CUresult change(node_maker *make, const void *description, CUgraphNode node)
{
    struct operation op;
    const CUresult result = changed(make, description, &op);

    return (CUresult)node_change_made(result, NULL, node, &op);
}

static CUresult change_of(node_maker *make, const void *description, CUgraphExec exec, CUgraphNode node)
{
    struct operation op;
    const CUresult result = changed(make, description, &op);

    return (CUresult)node_exec_change_made(result, exec, node, &op);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p)
{
    return change_of(kernel, p, exec, node);
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p)
{
    return change(kernel, p, node);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *p, CUcontext context)
{
    (void)context;
    return change_of(copy, p, exec, node);
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *p)
{
    return change(copy, p, node);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p,
                                        CUcontext context)
{
    (void)context;
    return change_of(set, p, exec, node);
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p)
{
    return change(set, p, node);
}
// SPDX-License-Identifier: Apache-2.0
