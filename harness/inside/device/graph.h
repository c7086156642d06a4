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
    struct node *origin; /* of an instantiated graph: the node that it was made from */
    struct node *next;
};

struct graph {
    struct node *first, *last; /* in the order in which they were added */
    size_t count;
    bool instantiated;
    struct graph *next; /* of all graphs */
};

struct graph *graph_new(void);
void graph_free(struct graph *g);
bool graph_known(const struct graph *g);
/* Adds a node behind others; takes what the operation owns. NULL: no memory, or a node before it is not of this graph.
 */
struct node *graph_add(struct graph *g, struct operation *op, struct node *const *after, size_t count);
/* Removes a node and the edges to it. */
void graph_remove(struct node *n);
bool graph_edge(struct node *from, struct node *to);
/* A copy of the graph; `instantiated`: its nodes remember those that they were made from. */
struct graph *graph_clone(const struct graph *g, bool instantiated);
/* The nodes of an instantiated graph that was made from this one; NULL: none. */
struct node *graph_copy_of(const struct graph *g, const struct node *original);
/* Runs all nodes, each behind those that it comes after. */
CUresult graph_run(const struct graph *g);

#endif
