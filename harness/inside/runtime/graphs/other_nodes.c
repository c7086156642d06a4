/* Nodes of a graph that are no work of their own: graphs within graphs, empty nodes, events, memory, conditions; and
 * nodes of any kind. */
#include "harness/inside/runtime/graphs/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "harness/inside/runtime/copy.h"

static cudaError_t add(CUresult result, cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                       size_t count, struct operation op)
{
    return node_add_made(result, out, graph, after, count, &op);
}

/* ---- graphs within graphs, empty nodes -----------------------------------------------------------------------------
 */

/* A copy of the graph, as it is now. */
static CUresult child_of(const void *child, struct operation *op)
{
    if (!graph_known(child))
        return CUDA_ERROR_INVALID_VALUE;
    *op = (struct operation){ .kind = OPERATION_GRAPH, .graph = graph_clone(child, false) };
    if (!op->graph)
        op->kind = OPERATION_EMPTY;
    return op->graph ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                       size_t count, cudaGraph_t child)
{
    return node_add(child_of, child, out, graph, after, count);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *out)
{
    struct node *n;
    const CUresult result = node_begin(node, OPERATION_GRAPH, out, &n);

    if (result == CUDA_SUCCESS)
        *out = (cudaGraph_t)n->op.graph;
    return runtime_end(result);
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child)
{
    struct node *n = NULL, *blamed;
    CUgraphExecUpdateResult why;
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS && (!graph_known((struct graph *)exec) || !graph_known((struct graph *)child)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        n = graph_copy_of((struct graph *)exec, (struct node *)node);
    if (result == CUDA_SUCCESS && (!n || n->op.kind != OPERATION_GRAPH))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = graph_update(n->op.graph, (struct graph *)child, &why, &blamed);
    return runtime_end(result);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count)
{
    return add(runtime_begin_anyway(), out, graph, after, count, (struct operation){ .kind = OPERATION_EMPTY });
}

/* ---- events --------------------------------------------------------------------------------------------------------
 */

static struct operation event_of(enum operation_kind kind, cudaEvent_t event)
{
    return (struct operation){ .kind = kind, .event = (struct event *)event };
}

/* A call that names an event. */
static CUresult begin_with(cudaEvent_t event)
{
    const CUresult result = runtime_begin_anyway();

    return result == CUDA_SUCCESS && !event_known((struct event *)event) ? CUDA_ERROR_INVALID_VALUE : result;
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                        size_t count, cudaEvent_t event)
{
    return add(begin_with(event), out, graph, after, count, event_of(OPERATION_RECORD, event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                      size_t count, cudaEvent_t event)
{
    return add(begin_with(event), out, graph, after, count, event_of(OPERATION_WAIT, event));
}

static cudaError_t change_event(cudaGraphNode_t node, enum operation_kind kind, cudaEvent_t event)
{
    struct operation op = event_of(kind, event);

    return node_change_made(begin_with(event), NULL, node, &op);
}

static cudaError_t change_event_of(cudaGraphExec_t exec, cudaGraphNode_t node, enum operation_kind kind,
                                   cudaEvent_t event)
{
    struct operation op = event_of(kind, event);

    return node_exec_change_made(begin_with(event), exec, node, &op);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return change_event(node, OPERATION_RECORD, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return change_event(node, OPERATION_WAIT, event);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event)
{
    return change_event_of(exec, node, OPERATION_RECORD, event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event)
{
    return change_event_of(exec, node, OPERATION_WAIT, event);
}

static cudaError_t get_event(cudaGraphNode_t node, enum operation_kind kind, cudaEvent_t *out)
{
    struct node *n;
    const CUresult result = node_begin(node, kind, out, &n);

    if (result == CUDA_SUCCESS)
        *out = (cudaEvent_t)n->op.event;
    return runtime_end(result);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out)
{
    return get_event(node, OPERATION_RECORD, out);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out)
{
    return get_event(node, OPERATION_WAIT, out);
}

/* ---- memory --------------------------------------------------------------------------------------------------------
 */

/* The address is known as soon as the node is. */
static CUresult alloc_of(size_t bytes, void **at, struct operation *op)
{
    uint64_t address;
    const CUresult result = bytes ? memory_new(MEMORY_GRAPH, bytes, 0, &address) : CUDA_ERROR_INVALID_VALUE;

    if (result == CUDA_SUCCESS) {
        *at = (void *)(uintptr_t)address;
        *op = (struct operation){ .kind = OPERATION_ALLOC, .memory = { address, bytes } };
    }
    return result;
}

static CUresult free_of(const void *at, struct operation *op)
{
    const struct memory *m = memory_of((uint64_t)(uintptr_t)at);

    if (!m || m->kind != MEMORY_GRAPH)
        return CUDA_ERROR_INVALID_VALUE;
    *op = (struct operation){ .kind = OPERATION_FREE, .memory = { m->at, m->bytes } };
    return CUDA_SUCCESS;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                     size_t count, struct cudaMemAllocNodeParams *p)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS)
        result = p ? alloc_of(p->bytesize, &p->dptr, &op) : CUDA_ERROR_INVALID_VALUE;
    return node_add_made(result, out, graph, after, count, &op);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *out)
{
    struct node *n;
    const CUresult result = node_begin(node, OPERATION_ALLOC, out, &n);

    if (result == CUDA_SUCCESS) {
        memset(out, 0, sizeof *out);
        out->poolProps.allocType = cudaMemAllocationTypePinned;
        out->poolProps.location.type = cudaMemLocationTypeDevice;
        out->bytesize = n->op.memory.bytes;
        out->dptr = (void *)(uintptr_t)n->op.memory.at;
    }
    return runtime_end(result);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                    void *at)
{
    return node_add(free_of, at, out, graph, after, count);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *out)
{
    struct node *n;
    const CUresult result = node_begin(node, OPERATION_FREE, out, &n);

    if (result == CUDA_SUCCESS)
        memcpy(out, &n->op.memory.at, sizeof(void *));
    return runtime_end(result);
}

/* ---- conditions ----------------------------------------------------------------------------------------------------
 */

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *out, cudaGraph_t graph, unsigned value,
                                             unsigned flags)
{
    CUresult result = runtime_begin();
    uint64_t handle = 0;

    if (result == CUDA_SUCCESS && (!out || !graph_known((struct graph *)graph) || flags > cudaGraphCondAssignDefault))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = graph_condition((struct graph *)graph, value, flags == cudaGraphCondAssignDefault, &handle);
    if (result == CUDA_SUCCESS)
        *out = handle;
    return runtime_end(result);
}

static CUresult condition_of(struct cudaConditionalNodeParams *p, struct operation *op)
{
    struct graph **bodies;

    if (device.error != CUDA_SUCCESS)
        return device.error;
    if (!p->size || (unsigned)p->type > cudaGraphCondTypeSwitch || (p->type == cudaGraphCondTypeIf && p->size > 2) ||
        (p->type == cudaGraphCondTypeWhile && p->size != 1))
        return CUDA_ERROR_INVALID_VALUE;
    bodies = calloc(p->size, sizeof *bodies);
    if (!bodies)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (unsigned i = 0; i < p->size; i++)
        bodies[i] = graph_new();
    op->kind = OPERATION_CONDITION;
    op->condition = (struct condition){ (int)p->type, p->handle, bodies, p->size };
    p->phGraph_out = (cudaGraph_t *)bodies;
    return CUDA_SUCCESS;
}

/* ---- nodes of any kind ----------------------------------------------------------------------------------------------
 */

/* The operation of a description of any kind. Writes what the description gives back: the address of an allocation, the
 * bodies of a conditional node. */
static CUresult node_of(struct cudaGraphNodeParams *p, struct operation *out)
{
    const struct cudaKernelNodeParams kernel = { p->kernel.func,           p->kernel.gridDim,      p->kernel.blockDim,
                                                 p->kernel.sharedMemBytes, p->kernel.kernelParams, p->kernel.extra };
    const struct cudaMemsetParams set = { p->memset.dst,         p->memset.pitch, p->memset.value,
                                          p->memset.elementSize, p->memset.width, p->memset.height };
    const struct cudaHostNodeParams host = { p->host.fn, p->host.userData };

    switch (p->type) {
    case cudaGraphNodeTypeKernel: return node_kernel(&kernel, out);
    case cudaGraphNodeTypeMemcpy: return copy_of_box(&p->memcpy.copyParams, out);
    case cudaGraphNodeTypeMemset: return set_of(&set, out);
    case cudaGraphNodeTypeHost: return node_host(&host, out);
    case cudaGraphNodeTypeGraph: return child_of(p->graph.graph, out);
    case cudaGraphNodeTypeEmpty: *out = (struct operation){ .kind = OPERATION_EMPTY }; return CUDA_SUCCESS;
    case cudaGraphNodeTypeWaitEvent:
        *out = event_of(OPERATION_WAIT, p->eventWait.event);
        return event_known(out->event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case cudaGraphNodeTypeEventRecord:
        *out = event_of(OPERATION_RECORD, p->eventRecord.event);
        return event_known(out->event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case cudaGraphNodeTypeMemAlloc: return alloc_of(p->alloc.bytesize, &p->alloc.dptr, out);
    case cudaGraphNodeTypeMemFree: return free_of(p->free.dptr, out);
    case cudaGraphNodeTypeConditional: return condition_of(&p->conditional, out);
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                                const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *p)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    CUresult result = runtime_begin_anyway();

    (void)edges;
    if (result == CUDA_SUCCESS)
        result = p && graph_known((struct graph *)graph) ? node_of(p, &op) : CUDA_ERROR_INVALID_VALUE;
    return node_add_made(result, out, graph, after, count, &op);
}

/* In toolkit 12 this name has no edges. */
cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *p)
{
    return runtime_is_12() ? cudaGraphAddNode_v2(out, graph, after, NULL, (size_t)(uintptr_t)edges,
                                                 (struct cudaGraphNodeParams *)(uintptr_t)count)
                           : cudaGraphAddNode_v2(out, graph, after, edges, count, p);
}

/* What a node of any kind is to be from now on. Memory and conditions stay as they are; a graph within one, unless it
 * is that of an executable graph. */
static CUresult changed(cudaGraphNode_t node, struct cudaGraphNodeParams *p, bool executable, struct operation *op)
{
    const CUresult result = runtime_begin_anyway();

    if (result != CUDA_SUCCESS)
        return result;
    if (!p || !node_known((struct node *)node))
        return CUDA_ERROR_INVALID_VALUE;
    if (p->type == cudaGraphNodeTypeMemAlloc || p->type == cudaGraphNodeTypeMemFree ||
        p->type == cudaGraphNodeTypeConditional || (p->type == cudaGraphNodeTypeGraph && !executable))
        return CUDA_ERROR_NOT_SUPPORTED;
    return node_of(p, op);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *p)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    const CUresult result = changed(node, p, false, &op);

    return node_change_made(result, NULL, node, &op);
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *p)
{
    struct operation op = { .kind = OPERATION_EMPTY };
    const CUresult result = changed(node, p, true, &op);

    return node_exec_change_made(result, exec, node, &op);
}
// SPDX-License-Identifier: Apache-2.0
