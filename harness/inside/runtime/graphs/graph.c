/* Graphs of the runtime: made, asked about, instantiated, updated, launched. */
#include <stdlib.h>
#include <string.h>

#include "harness/inside/runtime/graphs/nodes.h"

/* ---- graphs --------------------------------------------------------------------------------------------------------
 */

static CUresult begin_with(const void *graph, bool instantiated)
{
    const struct graph *g = graph;
    const CUresult result = runtime_begin_anyway();

    return result == CUDA_SUCCESS && (!graph_known(g) || g->instantiated != instantiated) ? CUDA_ERROR_INVALID_VALUE
                                                                                          : result;
}

cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned flags)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS && (!out || flags))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *out = (cudaGraph_t)graph_new();
        result = *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    return runtime_end(result);
}

static cudaError_t destroy(void *graph, bool instantiated)
{
    const CUresult result = begin_with(graph, instantiated);

    if (result == CUDA_SUCCESS) {
        objects_leave(graph);
        graph_free(graph);
    }
    return runtime_end(result);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return destroy(graph, false);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return destroy(exec, true);
}

/* Whether a graph, or one within it, has a node of this kind. */
static bool has(const struct graph *g, enum operation_kind kind)
{
    for (const struct node *n = g->first; n; n = n->next)
        if (n->op.kind == kind || (n->op.kind == OPERATION_GRAPH && has(n->op.graph, kind)))
            return true;
    return false;
}

static CUresult copy(struct graph *from, bool instantiated, struct graph **out)
{
    *out = graph_clone(from, instantiated);
    if (!*out)
        return CUDA_ERROR_OUT_OF_MEMORY;
    objects_copy(from, *out);
    return CUDA_SUCCESS;
}

cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t graph)
{
    CUresult result = begin_with(graph, false);

    if (result == CUDA_SUCCESS && !out)
        result = CUDA_ERROR_INVALID_VALUE;
    /* Memory nodes and conditions belong to one graph. */
    if (result == CUDA_SUCCESS &&
        (has((struct graph *)graph, OPERATION_ALLOC) || has((struct graph *)graph, OPERATION_FREE) ||
         has((struct graph *)graph, OPERATION_CONDITION)))
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS)
        result = copy((struct graph *)graph, false, (struct graph **)out);
    return runtime_end(result);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t node, cudaGraph_t clone)
{
    CUresult result = begin_with(clone, false);
    struct node *found;

    if (result == CUDA_SUCCESS && (!out || !node_known((struct node *)node)))
        result = CUDA_ERROR_INVALID_VALUE;
    found = result == CUDA_SUCCESS ? graph_copy_of((struct graph *)clone, (struct node *)node) : NULL;
    if (result == CUDA_SUCCESS && !found)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *out = (cudaGraphNode_t)found;
    return runtime_end(result);
}

/* ---- executable graphs ---------------------------------------------------------------------------------------------
 */

static CUresult instantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    enum {
        KNOWN = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority,
        TOLD = cudaGraphInstantiateFlagAutoFreeOnLaunch |
               cudaGraphInstantiateFlagDeviceLaunch /* of cudaGraphExecGetFlags */
    };
    CUresult result;

    if (device.error != CUDA_SUCCESS)
        return device.error;
    if (!out || flags & ~(unsigned long long)KNOWN)
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        return say_missing("cudaGraphInstantiate (for launches by the device)");
    if (!graph_uses_conditions((struct graph *)graph))
        return CUDA_ERROR_INVALID_VALUE;
    result = copy((struct graph *)graph, true, (struct graph **)out);
    if (result == CUDA_SUCCESS)
        ((struct graph *)*out)->flags = flags & TOLD;
    return result;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    CUresult result = begin_with(graph, false);

    if (result == CUDA_SUCCESS && (flags & cudaGraphInstantiateFlagUpload))
        result = CUDA_ERROR_INVALID_VALUE; /* no stream is given to upload in */
    if (result == CUDA_SUCCESS)
        result = instantiate(out, graph, flags);
    return runtime_end(result);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    return cudaGraphInstantiate(out, graph, flags);
}

cudaError_t cudaGraphInstantiate_v12000(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    return cudaGraphInstantiate(out, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t graph, cudaGraphInstantiateParams *p)
{
    enum { HANDLE_UNUSED = 5 }; /* the headers of earlier toolkits lack the name */
    CUresult result = begin_with(graph, false);
    const bool unused = result == CUDA_SUCCESS && !graph_uses_conditions((struct graph *)graph);

    if (result == CUDA_SUCCESS)
        result = p ? instantiate(out, graph, p->flags) : CUDA_ERROR_INVALID_VALUE;
    if (p) {
        p->errNode_out = NULL;
        p->result_out = result == CUDA_SUCCESS ? cudaGraphInstantiateSuccess
                        : unused               ? (cudaGraphInstantiateResult)HANDLE_UNUSED
                                               : cudaGraphInstantiateError;
    }
    return runtime_end(result);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    CUresult result = begin_with(exec, true);

    if (result == CUDA_SUCCESS && !flags)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *flags = ((struct graph *)exec)->flags;
    return runtime_end(result);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
    CUgraphExecUpdateResult why = CU_GRAPH_EXEC_UPDATE_ERROR;
    struct node *node = NULL;
    CUresult result = begin_with(exec, true);

    if (result == CUDA_SUCCESS && !graph_known((struct graph *)graph))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = graph_update((struct graph *)exec, (struct graph *)graph, &why, &node);
    if (info)
        *info = (cudaGraphExecUpdateResultInfo){ (enum cudaGraphExecUpdateResult)why, (cudaGraphNode_t)node, NULL };
    return runtime_end(result);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    CUresult result = begin_with(exec, true);

    if (result == CUDA_SUCCESS)
        result = stream_of((CUstream)stream) ? device.error : CUDA_ERROR_INVALID_HANDLE;
    return runtime_end(result);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    struct stream *s = stream_of((CUstream)stream);
    CUresult result = begin_with(exec, true);

    if (result == CUDA_SUCCESS)
        result = s ? device.error : CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        result = stream_launch_graph(s, (struct graph *)exec);
    return runtime_end(result);
}

static cudaError_t set_enabled(cudaGraphExec_t exec, cudaGraphNode_t node, bool set, unsigned *enabled)
{
    CUresult result = begin_with(exec, true);
    struct node *n = NULL;

    if (result == CUDA_SUCCESS) {
        n = enabled ? graph_copy_of((struct graph *)exec, (struct node *)node) : NULL;
        if (!n || (n->op.kind != OPERATION_KERNEL && n->op.kind != OPERATION_COPY && n->op.kind != OPERATION_SET))
            result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS && set)
        n->disabled = !*enabled;
    if (result == CUDA_SUCCESS)
        *enabled = !n->disabled;
    return runtime_end(result);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled)
{
    return set_enabled(exec, node, true, &enabled);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled)
{
    return set_enabled(exec, node, false, enabled);
}
// SPDX-License-Identifier: Apache-2.0
