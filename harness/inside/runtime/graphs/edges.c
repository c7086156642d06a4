/* Nodes and edges of a graph, as lists. A call without a place for the list gives how many there are; with one that is
 * larger than the list, the rest of it is NULL. */
#include <stdio.h>
#include <string.h>

#include "harness/inside/runtime/graphs/nodes.h"

struct list {
    cudaGraphNode_t *first, *second; /* NULL: only how many */
    cudaGraphEdgeData *edges;
    size_t count, room;
};

static void put(struct list *l, const struct node *first, const struct node *second)
{
    if (l->count < l->room) {
        if (l->first)
            l->first[l->count] = (cudaGraphNode_t)(uintptr_t)first;
        if (l->second)
            l->second[l->count] = (cudaGraphNode_t)(uintptr_t)second;
        if (l->edges)
            memset(&l->edges[l->count], 0, sizeof *l->edges);
    }
    l->count++;
}

/* Ends a call that has made a list. */
static cudaError_t end(CUresult result, struct list *l, size_t *count)
{
    if (result == CUDA_SUCCESS) {
        for (size_t i = l->count; i < l->room && l->first; i++)
            l->first[i] = NULL;
        for (size_t i = l->count; i < l->room && l->second; i++)
            l->second[i] = NULL;
        *count = l->first && l->count > l->room ? l->room : l->count;
    }
    return runtime_end(result);
}

static CUresult begin(const void *handle, bool is_known, const size_t *count)
{
    const CUresult result = runtime_begin_anyway();

    return result == CUDA_SUCCESS && (!handle || !is_known || !count) ? CUDA_ERROR_INVALID_VALUE : result;
}

/* All nodes, or those that come after none. */
static cudaError_t get_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count, bool only_roots)
{
    const struct graph *g = (struct graph *)graph;
    struct list l = { .first = nodes, .room = nodes && count ? *count : 0 };
    const CUresult result = begin(g, graph_known(g), count);

    for (const struct node *n = result == CUDA_SUCCESS ? g->first : NULL; n; n = n->next)
        if (!only_roots || !n->after_count)
            put(&l, n, NULL);
    return end(result, &l, count);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return get_nodes(graph, nodes, count, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return get_nodes(graph, nodes, count, true);
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *edges, size_t *count)
{
    const struct graph *g = (struct graph *)graph;
    struct list l = { from, to, edges, 0, from && to && count ? *count : 0 };
    const CUresult result = begin(g, graph_known(g) && !from == !to, count);

    for (const struct node *n = result == CUDA_SUCCESS ? g->first : NULL; n; n = n->next)
        for (size_t i = 0; i < n->after_count; i++)
            put(&l, n->after[i], n);
    return end(result, &l, count);
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *out, cudaGraphEdgeData *edges,
                                            size_t *count)
{
    const struct node *n = (struct node *)node;
    struct list l = { out, NULL, edges, 0, out && count ? *count : 0 };
    const CUresult result = begin(n, node_known(n), count);

    for (size_t i = 0; result == CUDA_SUCCESS && i < n->after_count; i++)
        put(&l, n->after[i], NULL);
    return end(result, &l, count);
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *out, cudaGraphEdgeData *edges,
                                              size_t *count)
{
    const struct node *n = (struct node *)node;
    struct list l = { out, NULL, edges, 0, out && count ? *count : 0 };
    const CUresult result = begin(n, node_known(n), count);

    for (const struct node *k = result == CUDA_SUCCESS ? n->graph->first : NULL; k; k = k->next)
        for (size_t i = 0; i < k->after_count; i++)
            if (k->after[i] == n)
                put(&l, k, NULL);
    return end(result, &l, count);
}

static bool is_edge(const struct node *from, const struct node *to)
{
    for (size_t i = 0; i < to->after_count; i++)
        if (to->after[i] == from)
            return true;
    return false;
}

static cudaError_t change(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count,
                          bool adds)
{
    const struct graph *g = (struct graph *)graph;
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS && (!graph_known(g) || g->instantiated || (count && (!from || !to))))
        result = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        struct node *a = (struct node *)from[i], *b = (struct node *)to[i];
        if (!node_known(a) || !node_known(b) || a->graph != g || b->graph != g || is_edge(a, b) == adds)
            result = CUDA_ERROR_INVALID_VALUE;
        else if (adds ? !graph_edge(a, b) : !graph_unedge(a, b))
            result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    return runtime_end(result);
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edges, size_t count)
{
    (void)edges;
    return change(graph, from, to, count, true);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edges, size_t count)
{
    (void)edges;
    return change(graph, from, to, count, false);
}

/* ---- names that have no edges in toolkit 12: the argument behind is then in the place of the edges ------------------
 */

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edges, size_t count)
{
    return change(graph, from, to, runtime_is_12() ? (size_t)(uintptr_t)edges : count, true);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edges, size_t count)
{
    return change(graph, from, to, runtime_is_12() ? (size_t)(uintptr_t)edges : count, false);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges,
                              size_t *count)
{
    return runtime_is_12() ? cudaGraphGetEdges_v2(graph, from, to, NULL, (size_t *)(void *)edges)
                           : cudaGraphGetEdges_v2(graph, from, to, edges, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *out, cudaGraphEdgeData *edges,
                                         size_t *count)
{
    return runtime_is_12() ? cudaGraphNodeGetDependencies_v2(node, out, NULL, (size_t *)(void *)edges)
                           : cudaGraphNodeGetDependencies_v2(node, out, edges, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *out, cudaGraphEdgeData *edges,
                                           size_t *count)
{
    return runtime_is_12() ? cudaGraphNodeGetDependentNodes_v2(node, out, NULL, (size_t *)(void *)edges)
                           : cudaGraphNodeGetDependentNodes_v2(node, out, edges, count);
}

/* ---- single nodes ---------------------------------------------------------------------------------------------------
 */

static const struct {
    enum cudaGraphNodeType type;
    const char *name;
} types[] = {
    [OPERATION_EMPTY] = { cudaGraphNodeTypeEmpty, "empty" },
    [OPERATION_KERNEL] = { cudaGraphNodeTypeKernel, "kernel" },
    [OPERATION_COPY] = { cudaGraphNodeTypeMemcpy, "memcpy" },
    [OPERATION_SET] = { cudaGraphNodeTypeMemset, "memset" },
    [OPERATION_HOST] = { cudaGraphNodeTypeHost, "host" },
    [OPERATION_RECORD] = { cudaGraphNodeTypeEventRecord, "event record" },
    [OPERATION_WAIT] = { cudaGraphNodeTypeWaitEvent, "event wait" },
    [OPERATION_GRAPH] = { cudaGraphNodeTypeGraph, "graph" },
    [OPERATION_ALLOC] = { cudaGraphNodeTypeMemAlloc, "mem alloc" },
    [OPERATION_FREE] = { cudaGraphNodeTypeMemFree, "mem free" },
    [OPERATION_CONDITION] = { cudaGraphNodeTypeConditional, "conditional" },
};

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS && (!type || !node_known((struct node *)node)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *type = types[((struct node *)node)->op.kind].type;
    return runtime_end(result);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS)
        result = node_known((struct node *)node) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && node_is_memory((struct node *)node))
        result = CUDA_ERROR_NOT_SUPPORTED; /* others rely on its address */
    if (result == CUDA_SUCCESS)
        graph_remove((struct node *)node);
    return runtime_end(result);
}

/* As the dot language: a box for each node, with its kind, and an arrow for each edge. */
static void draw(FILE *to, const struct graph *g)
{
    fprintf(to, "digraph dot {\n");
    for (const struct node *n = g->first; n; n = n->next) {
        fprintf(to, "\"%p\" [shape=box, label=\"%s", (const void *)n, types[n->op.kind].name);
        if (n->op.kind == OPERATION_KERNEL)
            fprintf(to, "\\n%s", function_entry(n->op.launch.function)->name);
        fprintf(to, "\"];\n");
        for (size_t i = 0; i < n->after_count; i++)
            fprintf(to, "\"%p\" -> \"%p\";\n", (const void *)n->after[i], (const void *)n);
    }
    fprintf(to, "}\n");
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
    const struct graph *g = (struct graph *)graph;
    CUresult result = runtime_begin_anyway();
    FILE *to;

    (void)flags;
    if (result == CUDA_SUCCESS && (!path || !graph_known(g)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        to = fopen(path, "w");
        if (to)
            draw(to, g);
        if (!to || fclose(to))
            result = CUDA_ERROR_OPERATING_SYSTEM;
    }
    return runtime_end(result);
}

/* ---- attributes of kernels ------------------------------------------------------------------------------------------
 */

/* Those that nodes of kernels have, as an H200 answers: bits by their numbers. */
enum {
    ATTRIBUTES = 1u << cudaLaunchAttributeAccessPolicyWindow | 1u << cudaLaunchAttributeCooperative |
                 1u << cudaLaunchAttributeClusterDimension |
                 1u << cudaLaunchAttributeClusterSchedulingPolicyPreference | 1u << cudaLaunchAttributePriority |
                 1u << cudaLaunchAttributeMemSyncDomainMap | 1u << cudaLaunchAttributeMemSyncDomain |
                 1u << cudaLaunchAttributeDeviceUpdatableKernelNode |
                 1u << cudaLaunchAttributePreferredSharedMemoryCarveout,
    ONLY_SET = 1u << cudaLaunchAttributeNvlinkUtilCentricScheduling
};

static CUresult find(cudaGraphNode_t node, cudaLaunchAttributeID which, unsigned known, const void *value,
                     struct node **out)
{
    const CUresult result = runtime_begin_anyway();

    if (result != CUDA_SUCCESS)
        return result;
    if (!value || (unsigned)which >= 32 || !(known >> which & 1))
        return CUDA_ERROR_INVALID_VALUE;
    return node_find(node, OPERATION_KERNEL, out);
}

/* Whether a kernel may have such clusters. */
static bool may_have(const struct launch *l, const cudaLaunchAttributeValue *value)
{
    struct launch with = *l;

    memcpy(with.cluster, &value->clusterDim, sizeof with.cluster);
    return launch_has_fine_clusters(&with);
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID which,
                                            const cudaLaunchAttributeValue *value)
{
    struct node *n;
    CUresult result = find(node, which, ATTRIBUTES | ONLY_SET, value, &n);

    if (result == CUDA_SUCCESS && which == cudaLaunchAttributeClusterDimension && !may_have(&n->op.launch, value))
        result = CUDA_ERROR_INVALID_CLUSTER_SIZE;
    if (result == CUDA_SUCCESS) {
        struct launch *l = &n->op.launch;
        memcpy(&n->attributes[which], value, sizeof *value);
        if (which == cudaLaunchAttributeCooperative)
            l->cooperative = value->cooperative;
        else if (which == cudaLaunchAttributeClusterDimension)
            memcpy(l->cluster, &value->clusterDim, sizeof l->cluster);
    }
    return runtime_end(result);
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID which,
                                            cudaLaunchAttributeValue *value)
{
    struct node *n;
    const CUresult result = find(node, which, ATTRIBUTES, value, &n);

    if (result == CUDA_SUCCESS) {
        const struct launch *l = &n->op.launch;
        memcpy(value, &n->attributes[which], sizeof *value);
        if (which == cudaLaunchAttributeCooperative)
            value->cooperative = l->cooperative;
        else if (which == cudaLaunchAttributeClusterDimension)
            memcpy(&value->clusterDim, l->cluster, sizeof l->cluster);
    }
    return runtime_end(result);
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
    struct node *a, *b;
    CUresult result = find(to, cudaLaunchAttributePriority, ATTRIBUTES, to, &a);

    if (result == CUDA_SUCCESS)
        result = node_find(from, OPERATION_KERNEL, &b);
    if (result == CUDA_SUCCESS) {
        memcpy(a->attributes, b->attributes, sizeof a->attributes);
        memcpy(a->op.launch.cluster, b->op.launch.cluster, sizeof a->op.launch.cluster);
        a->op.launch.cooperative = b->op.launch.cooperative;
    }
    return runtime_end(result);
}
// SPDX-License-Identifier: Apache-2.0
