/* Nodes of each kind: added, asked about, changed. The functions of one kind are alike but for the struct that
 * describes it. */
#include "harness/inside/runtime/graphs/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "harness/inside/runtime/copy.h"

cudaError_t node_add(CUresult result, cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                     size_t count, struct operation *op)
{
    struct graph *g = (struct graph *)graph;

    if (result == CUDA_SUCCESS && (!out || !graph_known(g) || g->instantiated || (count && !after)))
        result = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        if (!node_known((struct node *)after[i]) || ((struct node *)after[i])->graph != g)
            result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        struct node *n = graph_add(g, op, (struct node *const *)after, count);
        if (n)
            *out = (cudaGraphNode_t)n;
        else
            result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    operation_free(op);
    return runtime_end(result);
}

cudaError_t node_change(CUresult result, cudaGraphExec_t exec, cudaGraphNode_t node, struct operation *op)
{
    struct graph *g = (struct graph *)exec;
    struct node *n = (struct node *)node;

    if (result == CUDA_SUCCESS && exec && (!graph_known(g) || !g->instantiated))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && exec)
        n = graph_copy_of(g, n);
    if (result == CUDA_SUCCESS)
        result = node_known(n) ? node_set(n, op) : CUDA_ERROR_INVALID_VALUE;
    operation_free(op);
    return runtime_end(result);
}

CUresult node_find(cudaGraphNode_t handle, enum operation_kind kind, struct node **out)
{
    *out = (struct node *)handle;
    return node_known(*out) && (*out)->op.kind == kind ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Writes what describes a node; `result` is that of finding it. */
#define ADD(make)          node_add(result == CUDA_SUCCESS ? (make) : result, out, graph, after, count, &op)
#define CHANGE(exec, make) node_change(result == CUDA_SUCCESS ? (make) : result, exec, node, &op)
#define BEGIN                                                                                                          \
    struct operation op = { .kind = OPERATION_EMPTY };                                                                 \
    const CUresult result = runtime_begin()

/* ---- kernels -------------------------------------------------------------------------------------------------------
 */

CUresult kernel_of(const struct cudaKernelNodeParams *p, struct operation *out)
{
    struct launch *l = &out->launch;
    const void *block = NULL;
    size_t bytes = 0;
    CUresult result = p ? runtime_function(p->func, &l->function) : CUDA_ERROR_INVALID_VALUE;

    if (result != CUDA_SUCCESS)
        return result;
    for (void **e = p->extra; e && e[0]; e += 2)
        if (e[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            block = e[1];
        else if (e[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *(const size_t *)e[1];
    memcpy(l->grid, (uint32_t[]){ p->gridDim.x, p->gridDim.y, p->gridDim.z }, sizeof l->grid);
    memcpy(l->block, (uint32_t[]){ p->blockDim.x, p->blockDim.y, p->blockDim.z }, sizeof l->block);
    l->smem = p->sharedMemBytes;
    out->kind = OPERATION_KERNEL;
    result = launch_params(l->function, p->kernelParams, block, bytes, &l->params);
    if (result != CUDA_SUCCESS)
        out->kind = OPERATION_EMPTY;
    return result;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                   const struct cudaKernelNodeParams *p)
{
    BEGIN;
    return ADD(kernel_of(p, &op));
}

/* Cluster and the like are attributes: other parameters leave them as they are. */
static cudaError_t change_kernel(cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    struct node *n;
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = node_find(node, OPERATION_KERNEL, &n);
    if (result == CUDA_SUCCESS)
        result = kernel_of(p, &op);
    if (result == CUDA_SUCCESS) {
        memcpy(op.launch.cluster, n->op.launch.cluster, sizeof op.launch.cluster);
        op.launch.cooperative = n->op.launch.cooperative;
    }
    return node_change(result, exec, node, &op);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    return change_kernel(NULL, node, p);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *p)
{
    return change_kernel(exec, node, p);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *p)
{
    struct node *n;
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = p ? node_find(node, OPERATION_KERNEL, &n) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        const struct launch *l = &n->op.launch;
        *p = (struct cudaKernelNodeParams){ .func = (void *)(uintptr_t)runtime_host_of(l->function),
                                            .gridDim = { l->grid[0], l->grid[1], l->grid[2] },
                                            .blockDim = { l->block[0], l->block[1], l->block[2] },
                                            .sharedMemBytes = l->smem,
                                            .kernelParams = node_args(n) };
    }
    return runtime_end(result);
}

/* ---- copies --------------------------------------------------------------------------------------------------------
 */

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *p)
{
    BEGIN;
    return ADD(copy_of_box(p, &op));
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *p)
{
    BEGIN;
    return CHANGE(NULL, copy_of_box(p, &op));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *p)
{
    BEGIN;
    return CHANGE(exec, copy_of_box(p, &op));
}

/* Arrays are named by where their texels are: that is how the node has them. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *p)
{
    struct node *n;
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = p ? node_find(node, OPERATION_COPY, &n) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        const struct rows *from = &n->op.copy.from, *to = &n->op.copy.to;
        const size_t width = n->op.copy.width;
        *p = (struct cudaMemcpy3DParms){
            .srcPtr = { from->at, from->pitch, width, from->pitch ? from->slice / from->pitch : 0 },
            .dstPtr = { to->at, to->pitch, width, to->pitch ? to->slice / to->pitch : 0 },
            .extent = { width, n->op.copy.height, n->op.copy.depth },
            .kind = cudaMemcpyDefault,
        };
    }
    return runtime_end(result);
}

static CUresult line_of(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, struct operation *op)
{
    const CUresult result = to && from ? copy_direction(kind) : CUDA_ERROR_INVALID_VALUE;

    if (result == CUDA_SUCCESS)
        *op = operation_copy(to, from, bytes);
    return result;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                     size_t count, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    BEGIN;
    return ADD(line_of(to, from, bytes, kind, &op));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                           enum cudaMemcpyKind kind)
{
    BEGIN;
    return CHANGE(NULL, line_of(to, from, bytes, kind, &op));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *from,
                                               size_t bytes, enum cudaMemcpyKind kind)
{
    BEGIN;
    return CHANGE(exec, line_of(to, from, bytes, kind, &op));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                           size_t count, const void *symbol, const void *from, size_t bytes,
                                           size_t offset, enum cudaMemcpyKind kind)
{
    BEGIN;
    (void)kind;
    return ADD(copy_of_symbol(symbol, (void *)(uintptr_t)from, bytes, offset, true, &op));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                             size_t count, void *to, const void *symbol, size_t bytes, size_t offset,
                                             enum cudaMemcpyKind kind)
{
    BEGIN;
    (void)kind;
    return ADD(copy_of_symbol(symbol, to, bytes, offset, false, &op));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *from,
                                                 size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    BEGIN;
    (void)kind;
    return CHANGE(NULL, copy_of_symbol(symbol, (void *)(uintptr_t)from, bytes, offset, true, &op));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to, const void *symbol, size_t bytes,
                                                   size_t offset, enum cudaMemcpyKind kind)
{
    BEGIN;
    (void)kind;
    return CHANGE(NULL, copy_of_symbol(symbol, to, bytes, offset, false, &op));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
                                                     const void *from, size_t bytes, size_t offset,
                                                     enum cudaMemcpyKind kind)
{
    BEGIN;
    (void)kind;
    return CHANGE(exec, copy_of_symbol(symbol, (void *)(uintptr_t)from, bytes, offset, true, &op));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                                       const void *symbol, size_t bytes, size_t offset,
                                                       enum cudaMemcpyKind kind)
{
    BEGIN;
    (void)kind;
    return CHANGE(exec, copy_of_symbol(symbol, to, bytes, offset, false, &op));
}

/* ---- sets ----------------------------------------------------------------------------------------------------------
 */

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *p)
{
    BEGIN;
    return ADD(set_of(p, &op));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *p)
{
    BEGIN;
    return CHANGE(NULL, set_of(p, &op));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *p)
{
    BEGIN;
    return CHANGE(exec, set_of(p, &op));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *p)
{
    struct node *n;
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = p ? node_find(node, OPERATION_SET, &n) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *p = (struct cudaMemsetParams){ n->op.set.to.at,   n->op.set.to.pitch, n->op.set.value,
                                        n->op.set.element, n->op.set.width,    n->op.set.height };
    return runtime_end(result);
}

/* ---- functions of the host -----------------------------------------------------------------------------------------
 */

static CUresult host_of(const struct cudaHostNodeParams *p, struct operation *op)
{
    if (!p || !p->fn)
        return CUDA_ERROR_INVALID_VALUE;
    *op = (struct operation){ .kind = OPERATION_HOST, .host = { p->fn, p->userData } };
    return CUDA_SUCCESS;
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *p)
{
    BEGIN;
    return ADD(host_of(p, &op));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *p)
{
    BEGIN;
    return CHANGE(NULL, host_of(p, &op));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *p)
{
    BEGIN;
    return CHANGE(exec, host_of(p, &op));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *p)
{
    struct node *n;
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = p ? node_find(node, OPERATION_HOST, &n) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *p = (struct cudaHostNodeParams){ n->op.host.call, n->op.host.data };
    return runtime_end(result);
}
