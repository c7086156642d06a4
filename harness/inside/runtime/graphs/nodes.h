/* Nodes of graphs by the runtime: operations from the structs that describe them. */
#ifndef COPYCHECK_INSIDE_GRAPHS_NODES_H
#define COPYCHECK_INSIDE_GRAPHS_NODES_H

#include "harness/inside/device/graph.h"
#include "harness/inside/runtime/old.h"
#include "harness/inside/runtime/runtime.h"

/* Makes an operation of what describes a node: each such function knows the type of its description. */
typedef CUresult node_maker(const void *description, struct operation *out);
node_maker node_kernel; /* of a struct cudaKernelNodeParams */
node_maker node_host;   /* of a struct cudaHostNodeParams */

/* A call that adds a node, from its beginning to its end. */
cudaError_t node_add(node_maker *make, const void *description, cudaGraphNode_t *out, cudaGraph_t graph,
                     const cudaGraphNode_t *after, size_t count);
/* A call that gives a node other parameters. With `exec`, the node's copy in that. */
cudaError_t node_change(node_maker *make, const void *description, cudaGraphExec_t exec, cudaGraphNode_t node);
/* The same of calls that have begun and made the operation, if `result` is success: their ends. The operation is freed
 * where that fails. */
cudaError_t node_add_made(CUresult result, cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                          size_t count, struct operation *op);
cudaError_t node_change_made(CUresult result, cudaGraphExec_t exec, cudaGraphNode_t node, struct operation *op);
/* Of calls that change a node in an executable graph: there has to be one. */
cudaError_t node_exec_change(node_maker *make, const void *description, cudaGraphExec_t exec, cudaGraphNode_t node);
cudaError_t node_exec_change_made(CUresult result, cudaGraphExec_t exec, cudaGraphNode_t node, struct operation *op);
/* Whether a node allocates or frees. */
bool node_is_memory(const struct node *n);
/* Begins a call that asks a node of this kind for something, which goes to `out`. */
CUresult node_begin(cudaGraphNode_t handle, enum operation_kind kind, const void *out, struct node **n);
/* The node of a handle whose kind is this one; CUDA_ERROR_INVALID_VALUE otherwise. */
CUresult node_find(cudaGraphNode_t handle, enum operation_kind kind, struct node **out);
/* References of a graph to user objects: taken over by a copy of it; given back with it. */
void objects_copy(const struct graph *from, const struct graph *to);
void objects_leave(const struct graph *g);

#endif
// SPDX-License-Identifier: Apache-2.0
