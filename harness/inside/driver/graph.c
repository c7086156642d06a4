/* Nodes of graphs whose descriptions are the driver API's own: kernels, copies, sets. What both APIs share is in
 * `same`.
 */
#include <string.h>

#include "harness/inside/driver/array.h"
#include "harness/inside/runtime/graphs/nodes.h"

/* ---- descriptions -------------------------------------------------------------------------------------------------
 */

static CUresult kernel(const CUDA_KERNEL_NODE_PARAMS *p, struct operation *out)
{
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

static CUresult copy(const CUDA_MEMCPY3D *p, struct operation *out)
{
    return p ? box_copy(p, out) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult set(const CUDA_MEMSET_NODE_PARAMS *p, struct operation *out)
{
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

/* The runtime's functions end the call that began here. */
static CUresult add(CUresult result, CUgraphNode *out, CUgraph graph, const CUgraphNode *after, size_t count,
                    struct operation *op)
{
    return (CUresult)node_add(result, out, graph, after, count, op);
}

CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *p)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    const CUresult result = driver_begin();

    return add(result == CUDA_SUCCESS ? kernel(p, &op) : result, out, graph, after, count, &op);
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after, size_t count,
                              const CUDA_MEMCPY3D *p, CUcontext context)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    const CUresult result = driver_begin();

    (void)context;
    return add(result == CUDA_SUCCESS ? copy(p, &op) : result, out, graph, after, count, &op);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *after, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    const CUresult result = driver_begin();

    (void)context;
    return add(result == CUDA_SUCCESS ? set(p, &op) : result, out, graph, after, count, &op);
}

/* Any kind: the descriptions of the others are the runtime's, byte for byte. */
CUresult cuGraphAddNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *after, const CUgraphEdgeData *edges,
                           size_t count, CUgraphNodeParams *p)
{
    CUDA_KERNEL_NODE_PARAMS k;

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
        return cuGraphAddMemsetNode(out, graph, after, count,
                                    &(CUDA_MEMSET_NODE_PARAMS){ .dst = p->memset.dst,
                                                                .pitch = p->memset.pitch,
                                                                .value = p->memset.value,
                                                                .elementSize = p->memset.elementSize,
                                                                .width = p->memset.width,
                                                                .height = p->memset.height },
                                    NULL);
    default:
        return (CUresult)cudaGraphAddNode_v2(out, graph, after, (const cudaGraphEdgeData *)edges, count,
                                             (struct cudaGraphNodeParams *)p);
    }
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *out, CUgraph graph, CUcontext context, unsigned value,
                                        unsigned flags)
{
    (void)context;
    return (CUresult)cudaGraphConditionalHandleCreate((cudaGraphConditionalHandle *)out, graph, value, flags);
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
        static void *args[4096]; /* addresses of the node's own parameters, until the next such call */
        const struct ptx_function *entry = function_entry(l->function);
        for (uint32_t i = 0; i < entry->n_params && i < sizeof args / sizeof *args; i++)
            args[i] = l->params + module_ptx(l->function->module)->variables[entry->params + i].offset;
        *out = (CUDA_KERNEL_NODE_PARAMS){ .func = (CUfunction)l->function,
                                          .gridDimX = l->grid[0],
                                          .gridDimY = l->grid[1],
                                          .gridDimZ = l->grid[2],
                                          .blockDimX = l->block[0],
                                          .blockDimY = l->block[1],
                                          .blockDimZ = l->block[2],
                                          .sharedMemBytes = l->smem,
                                          .kernelParams = args };
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

static CUresult change(CUresult result, CUgraphExec exec, CUgraphNode node, struct operation *op)
{
    return (CUresult)node_change(result, exec, node, op);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    const CUresult result = driver_begin();

    return change(result == CUDA_SUCCESS ? kernel(p, &op) : result, exec, node, &op);
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p)
{
    return cuGraphExecKernelNodeSetParams(NULL, node, p);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *p, CUcontext context)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    const CUresult result = driver_begin();

    (void)context;
    return change(result == CUDA_SUCCESS ? copy(p, &op) : result, exec, node, &op);
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *p)
{
    return cuGraphExecMemcpyNodeSetParams(NULL, node, p, NULL);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p,
                                        CUcontext context)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    const CUresult result = driver_begin();

    (void)context;
    return change(result == CUDA_SUCCESS ? set(p, &op) : result, exec, node, &op);
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p)
{
    return cuGraphExecMemsetNodeSetParams(NULL, node, p, NULL);
}
