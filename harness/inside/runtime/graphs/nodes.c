/* Nodes of each kind: added, asked about, changed. The functions of one kind are alike but for the struct that
 * describes it. */
#include "harness/inside/runtime/graphs/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "harness/inside/runtime/copy.h"

cudaError_t node_add_made(CUresult result, cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
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

/* Cluster and the like are attributes: other parameters leave them as they are. */
static void keep_attributes(struct operation *op, const struct node *n)
{
    if (op->kind != OPERATION_KERNEL || n->op.kind != OPERATION_KERNEL)
        return;
    memcpy(op->launch.cluster, n->op.launch.cluster, sizeof op->launch.cluster);
    op->launch.cooperative = n->op.launch.cooperative;
}

cudaError_t node_change_made(CUresult result, cudaGraphExec_t exec, cudaGraphNode_t node, struct operation *op)
{
    struct graph *g = (struct graph *)exec;
    struct node *n = (struct node *)node;

    if (result == CUDA_SUCCESS && exec && (!graph_known(g) || !g->instantiated))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && exec)
        n = graph_copy_of(g, n);
    if (result == CUDA_SUCCESS && !node_known(n))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        keep_attributes(op, n);
        result = op->kind == OPERATION_KERNEL && !launch_has_fine_clusters(&op->launch)
                     ? CUDA_ERROR_INVALID_CLUSTER_SIZE
                     : node_set(n, op);
    }
    operation_free(op);
    return runtime_end(result);
}

CUresult node_find(cudaGraphNode_t handle, enum operation_kind kind, struct node **out)
{
    *out = (struct node *)handle;
    return node_known(*out) && (*out)->op.kind == kind ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

cudaError_t node_add(node_maker *make, const void *description, cudaGraphNode_t *out, cudaGraph_t graph,
                     const cudaGraphNode_t *after, size_t count)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS)
        result = make(description, &op);
    return node_add_made(result, out, graph, after, count, &op);
}

cudaError_t node_change(node_maker *make, const void *description, cudaGraphExec_t exec, cudaGraphNode_t node)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS)
        result = make(description, &op);
    return node_change_made(result, exec, node, &op);
}

cudaError_t node_exec_change_made(CUresult result, cudaGraphExec_t exec, cudaGraphNode_t node, struct operation *op)
{
    return node_change_made(result == CUDA_SUCCESS && !exec ? CUDA_ERROR_INVALID_VALUE : result, exec, node, op);
}

cudaError_t node_exec_change(node_maker *make, const void *description, cudaGraphExec_t exec, cudaGraphNode_t node)
{
    return exec ? node_change(make, description, exec, node) : runtime_end_of(CUDA_ERROR_INVALID_VALUE);
}

bool node_is_memory(const struct node *n)
{
    return n->op.kind == OPERATION_ALLOC || n->op.kind == OPERATION_FREE;
}

CUresult node_begin(cudaGraphNode_t handle, enum operation_kind kind, const void *out, struct node **n)
{
    const CUresult result = runtime_begin_anyway();

    if (result != CUDA_SUCCESS)
        return result;
    return out ? node_find(handle, kind, n) : CUDA_ERROR_INVALID_VALUE;
}

/* ---- kernels -------------------------------------------------------------------------------------------------------
 */

CUresult node_kernel(const void *description, struct operation *out)
{
    const struct cudaKernelNodeParams *p = description;
    struct launch *l = &out->launch;
    const void *block = NULL;
    size_t bytes = 0;
    CUresult result = p ? runtime_function(p->func, &l->function) : CUDA_ERROR_INVALID_VALUE;

    if (result != CUDA_SUCCESS || device.error != CUDA_SUCCESS)
        return result != CUDA_SUCCESS ? result : device.error;
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
    return node_add(node_kernel, p, out, graph, after, count);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    return node_change(node_kernel, p, NULL, node);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *p)
{
    return node_exec_change(node_kernel, p, exec, node);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *p)
{
    struct node *n;
    const CUresult result = node_begin(node, OPERATION_KERNEL, p, &n);

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

static CUresult box(const void *p, struct operation *out)
{
    return copy_of_box(p, out);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *p)
{
    return node_add(box, p, out, graph, after, count);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *p)
{
    return node_change(box, p, NULL, node);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *p)
{
    return node_exec_change(box, p, exec, node);
}

/* Arrays are named by where their texels are: that is how the node has them. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *p)
{
    struct node *n;
    const CUresult result = node_begin(node, OPERATION_COPY, p, &n);

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

struct line {
    void *to;
    const void *from;
    size_t bytes;
    enum cudaMemcpyKind kind;
};

static CUresult line(const void *description, struct operation *out)
{
    const struct line *l = description;
    const CUresult result = l->to && l->from ? copy_direction(l->kind) : CUDA_ERROR_INVALID_VALUE;

    if (result == CUDA_SUCCESS)
        *out = operation_copy(l->to, l->from, l->bytes);
    return result;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                     size_t count, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return node_add(line, &(struct line){ to, from, bytes, kind }, out, graph, after, count);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                           enum cudaMemcpyKind kind)
{
    return node_change(line, &(struct line){ to, from, bytes, kind }, NULL, node);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *from,
                                               size_t bytes, enum cudaMemcpyKind kind)
{
    return node_exec_change(line, &(struct line){ to, from, bytes, kind }, exec, node);
}

/* A copy to or from a variable; `other` is the other side. */
struct symbol {
    const void *symbol;
    void *other;
    size_t bytes, offset;
    bool to_symbol;
};

static CUresult symbol_copy(const void *description, struct operation *out)
{
    const struct symbol *s = description;

    return copy_of_symbol(s->symbol, s->other, s->bytes, s->offset, s->to_symbol, out);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                           size_t count, const void *symbol, const void *from, size_t bytes,
                                           size_t offset, enum cudaMemcpyKind kind)
{
    (void)kind;
    return node_add(symbol_copy, &(struct symbol){ symbol, (void *)(uintptr_t)from, bytes, offset, true }, out, graph,
                    after, count);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                             size_t count, void *to, const void *symbol, size_t bytes, size_t offset,
                                             enum cudaMemcpyKind kind)
{
    (void)kind;
    return node_add(symbol_copy, &(struct symbol){ symbol, to, bytes, offset, false }, out, graph, after, count);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *from,
                                                 size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    (void)kind;
    return node_change(symbol_copy, &(struct symbol){ symbol, (void *)(uintptr_t)from, bytes, offset, true }, NULL,
                       node);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to, const void *symbol, size_t bytes,
                                                   size_t offset, enum cudaMemcpyKind kind)
{
    (void)kind;
    return node_change(symbol_copy, &(struct symbol){ symbol, to, bytes, offset, false }, NULL, node);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
                                                     const void *from, size_t bytes, size_t offset,
                                                     enum cudaMemcpyKind kind)
{
    (void)kind;
    return node_exec_change(symbol_copy, &(struct symbol){ symbol, (void *)(uintptr_t)from, bytes, offset, true }, exec,
                            node);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                                       const void *symbol, size_t bytes, size_t offset,
                                                       enum cudaMemcpyKind kind)
{
    (void)kind;
    return node_exec_change(symbol_copy, &(struct symbol){ symbol, to, bytes, offset, false }, exec, node);
}

/* ---- sets ----------------------------------------------------------------------------------------------------------
 */

static CUresult set(const void *p, struct operation *out)
{
    return set_of(p, out);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *p)
{
    return node_add(set, p, out, graph, after, count);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *p)
{
    return node_change(set, p, NULL, node);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *p)
{
    return node_exec_change(set, p, exec, node);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *p)
{
    struct node *n;
    const CUresult result = node_begin(node, OPERATION_SET, p, &n);

    if (result == CUDA_SUCCESS)
        *p = (struct cudaMemsetParams){ n->op.set.to.at,   n->op.set.to.pitch, n->op.set.value,
                                        n->op.set.element, n->op.set.width,    n->op.set.height };
    return runtime_end(result);
}

/* ---- functions of the host -----------------------------------------------------------------------------------------
 */

CUresult node_host(const void *description, struct operation *out)
{
    const struct cudaHostNodeParams *p = description;

    if (!p || !p->fn)
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct operation){ .kind = OPERATION_HOST, .host = { p->fn, p->userData } };
    return CUDA_SUCCESS;
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *p)
{
    return node_add(node_host, p, out, graph, after, count);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *p)
{
    return node_change(node_host, p, NULL, node);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *p)
{
    return node_exec_change(node_host, p, exec, node);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *p)
{
    struct node *n;
    const CUresult result = node_begin(node, OPERATION_HOST, p, &n);

    if (result == CUDA_SUCCESS)
        *p = (struct cudaHostNodeParams){ n->op.host.call, n->op.host.data };
    return runtime_end(result);
}
// SPDX-License-Identifier: Apache-2.0
