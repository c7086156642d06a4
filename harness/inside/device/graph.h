/* Graphs: operations and which come before which. */
#ifndef COPYCHECK_INSIDE_GRAPH_H
#define COPYCHECK_INSIDE_GRAPH_H

#include "harness/inside/device/stream.h"

struct node {
    struct operation op;
    struct graph *graph;
    struct node **after; /* the nodes that it comes after */
    size_t after_count;
    bool disabled;
    struct node *origin; /* of a copy: the node that it was made from */
    struct node *twin;   /* while its graph is copied: its copy */
    uint64_t run;        /* the last run that it took part in */
    CUlaunchAttributeValue
        attributes[CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING + 1]; /* of a kernel, by their numbers: kept */
    void **args; /* of a kernel: node_args; NULL: not asked for */
    struct node *next;
};

struct graph {
    struct node *first, *last; /* in the order in which they were added */
    size_t count;
    bool instantiated;
    unsigned long long flags; /* of the call that made it an executable graph */
    struct graph *source;     /* of a copy: the graph that it was made from */
    struct graph_condition {
        uint64_t handle;
        uint32_t value;
        bool assign; /* it has this value at the beginning of each launch */
        struct graph_condition *next;
    } * conditions;     /* values that conditional nodes read */
    struct graph *next; /* of all graphs */
};

struct graph *graph_new(void);
void graph_free(struct graph *g);
bool graph_known(const struct graph *g);
bool node_known(const struct node *n);
/* Adds a node behind others; takes what the operation owns. NULL: no memory, or a node before it is not of this graph.
 */
struct node *graph_add(struct graph *g, struct operation *op, struct node *const *after, size_t count);
/* Removes a node and the edges to it. */
void graph_remove(struct node *n);
bool graph_edge(struct node *from, struct node *to);
/* Removes one; false where it is not there. */
bool graph_unedge(struct node *from, struct node *to);
/* The word of a conditional node: its address in *handle. */
CUresult graph_condition(struct graph *g, uint32_t value, bool assign, uint64_t *handle);
/* Whether each of its conditions is that of a node, in it or in a graph within it. */
bool graph_uses_conditions(const struct graph *g);
/* A copy of the graph; `instantiated`: its nodes remember those that they were made from. */
struct graph *graph_clone(const struct graph *g, bool instantiated);
/* The node of a copy that was made from this one, also in graphs within it; NULL: none. */
struct node *graph_copy_of(const struct graph *g, const struct node *original);
/* Runs all nodes, each behind those that it comes after. */
CUresult graph_run(struct graph *g);
/* Gives an executable graph the parameters of another graph of the same shape. CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE
 * where it has another: *why says so, and *node is a node of `from` that is to blame, or NULL. */
CUresult graph_update(struct graph *exec, const struct graph *from, CUgraphExecUpdateResult *why, struct node **node);
/* The address of each parameter of a kernel's node, which has them; NULL: out of memory. */
void **node_args(struct node *n);
/* Takes the parameters of `op`, which is of the same kind, in place of the node's. CUDA_ERROR_INVALID_VALUE: it is not.
 */
CUresult node_set(struct node *n, struct operation *op);

#endif
// SPDX-License-Identifier: Apache-2.0
