/* Nodes of graphs by the runtime: operations from the structs that describe them. */
#ifndef COPYCHECK_INSIDE_GRAPHS_NODES_H
#define COPYCHECK_INSIDE_GRAPHS_NODES_H

#include "harness/inside/device/graph.h"
#include "harness/inside/runtime/old.h"
#include "harness/inside/runtime/runtime.h"

CUresult kernel_of(const struct cudaKernelNodeParams *p, struct operation *out);
/* The operation that a description of any kind of node stands for. Writes what the description gives back: the address
 * of an allocation, the bodies of a conditional node. */
CUresult node_of(struct graph *g, struct cudaGraphNodeParams *p, struct operation *out);
/* Adds a node, if `result` is success, and ends the call. The operation is freed where that fails. */
cudaError_t node_add(CUresult result, cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                     size_t count, struct operation *op);
/* Gives a node other parameters, if `result` is success, and ends the call. With `exec`, the node's copy in that. */
cudaError_t node_change(CUresult result, cudaGraphExec_t exec, cudaGraphNode_t node, struct operation *op);
/* The node of a handle whose kind is this one; CUDA_ERROR_INVALID_VALUE otherwise. */
CUresult node_find(cudaGraphNode_t handle, enum operation_kind kind, struct node **out);
/* References of a graph to user objects: taken over by a copy of it; given back with it. */
void objects_copy(const struct graph *from, const struct graph *to);
void objects_leave(const struct graph *g);

#endif
