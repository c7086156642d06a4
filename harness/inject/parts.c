/* A launch of a graph in parts, for the kernel of it that is wanted: first each node that need not wait for this
 * kernel, then the kernel alone, then what waits for it. A kernel in a graph that is a node lies within such parts
 * itself. */
#include "harness/inject/inject.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/sorted.h"

enum {
    DEEP = 8, /* graphs in graphs */
    PARTS = 2 * DEEP + 1
};

/* A graph's nodes, and its edges by where they begin. */
struct edge {
    size_t from, to;
};
struct shape {
    CUgraphNode *nodes; /* by handle */
    struct edge *edges;
    size_t count, edge_count;
};

struct part {
    CUgraph graph;
    CUgraphExec exec;
};

struct parts {
    const struct inject_graph *of;
    CUgraphNode path[DEEP]; /* the kernel is the last one; those before are graphs around it */
    size_t deep;
    struct part all[PARTS];
    size_t count, wanted; /* which one the kernel is */
    CUgraphNode kernel;   /* in that part */
};

/* ---- what a graph is made of --------------------------------------------------------------------------------------
 */

static int by_handle(const void *a, const void *b)
{
    const CUgraphNode x = *(const CUgraphNode *)a, y = *(const CUgraphNode *)b;

    return (x > y) - (x < y);
}

static int by_begin(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

static size_t number_of(const struct shape *s, CUgraphNode node)
{
    const CUgraphNode *at = bsearch(&node, s->nodes, s->count, sizeof node, by_handle);

    return at ? (size_t)(at - s->nodes) : s->count;
}

static void shape_free(struct shape *s)
{
    free(s->nodes);
    free(s->edges);
    *s = (struct shape){ 0 };
}

/* A driver from before edges had data has no second version of this function. */
static CUresult edges_of(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *n)
{
    CUresult (*before)(CUgraph, CUgraphNode *, CUgraphNode *, size_t *);

    if (inject_real("cuGraphGetEdges_v2"))
        return INJECT_REAL(cuGraphGetEdges_v2, "cuGraphGetEdges_v2")(graph, from, to, data, n);
    *(void **)&before = inject_own("cuGraphGetEdges");
    return before(graph, from, to, n);
}

static bool read_edges(CUgraph graph, struct shape *s)
{
    size_t n = 0;
    CUgraphNode *ends;
    CUgraphEdgeData *data;
    bool fine;

    if (edges_of(graph, NULL, NULL, NULL, &n) != CUDA_SUCCESS)
        return false;
    ends = calloc(2 * n + 1, sizeof *ends);
    data = calloc(n + 1, sizeof *data);
    s->edges = calloc(n + 1, sizeof *s->edges);
    fine = ends && data && s->edges && (!n || edges_of(graph, ends, ends + n, data, &n) == CUDA_SUCCESS);
    for (size_t i = 0; fine && i < n; i++)
        s->edges[i] = (struct edge){ number_of(s, ends[i]), number_of(s, ends[n + i]) };
    s->edge_count = fine ? n : 0;
    free(ends);
    free(data);
    if (fine)
        qsort(s->edges, n, sizeof *s->edges, by_begin);
    return fine;
}

static bool shape_read(CUgraph graph, struct shape *s)
{
    *s = (struct shape){ 0 };
    if (INJECT_REAL(cuGraphGetNodes, "cuGraphGetNodes")(graph, NULL, &s->count) != CUDA_SUCCESS)
        return false;
    s->nodes = calloc(s->count + 1, sizeof(CUgraphNode));
    if (!s->nodes ||
        (s->count && INJECT_REAL(cuGraphGetNodes, "cuGraphGetNodes")(graph, s->nodes, &s->count) != CUDA_SUCCESS)) {
        shape_free(s);
        return false;
    }
    qsort(s->nodes, s->count, sizeof(CUgraphNode), by_handle);
    if (!read_edges(graph, s)) {
        shape_free(s);
        return false;
    }
    return true;
}

static uint64_t edge_from(const void *edge)
{
    return ((const struct edge *)edge)->from;
}

/* Puts into `list` the node's followers that `left`, the edges that each node still waits for, then lets go; without
 * `left`, each that `seen` does not have yet. */
static size_t follow(const struct shape *s, size_t node, size_t *left, bool *seen, size_t *list, size_t n)
{
    for (size_t e = ck_sorted_from(s->edges, s->edge_count, sizeof *s->edges, edge_from, node);
         e < s->edge_count && s->edges[e].from == node; e++) {
        const size_t to = s->edges[e].to;
        if (left ? !--left[to] : !seen[to]) {
            list[n++] = to;
            if (seen)
                seen[to] = true;
        }
    }
    return n;
}

/* The numbers of all nodes, each behind those that it waits for; malloc'd. */
static size_t *in_order(const struct shape *s)
{
    size_t *list = calloc(s->count + 1, sizeof *list), *left = calloc(s->count + 1, sizeof *left), n = 0;

    for (size_t e = 0; left && e < s->edge_count; e++)
        left[s->edges[e].to]++;
    for (size_t i = 0; list && left && i < s->count; i++)
        if (!left[i])
            list[n++] = i;
    for (size_t i = 0; list && left && i < n; i++)
        n = follow(s, list[i], left, NULL, list, n);
    free(left);
    if (list && n == s->count)
        return list;
    free(list);
    return NULL;
}

/* Which nodes wait for this one; malloc'd. */
static bool *behind(const struct shape *s, size_t node)
{
    size_t *list = calloc(s->count + 1, sizeof *list), n = 0;
    bool *seen = calloc(s->count + 1, sizeof *seen);

    if (list && seen) {
        n = follow(s, node, NULL, seen, list, n);
        for (size_t i = 0; i < n; i++)
            n = follow(s, list[i], NULL, seen, list, n);
    }
    free(list);
    return seen;
}

/* ---- the kernel that is wanted ------------------------------------------------------------------------------------
 */

static bool is_off(const struct inject_graph *g, CUgraphNode node)
{
    for (size_t i = 0; i < g->off_count; i++)
        if (g->off[i] == node)
            return true;
    return false;
}

static bool choose_in(struct parts *p, CUgraph graph);

/* Whether it is this node, or in it. */
static bool chooses(struct parts *p, CUgraphNode node)
{
    CUDA_KERNEL_NODE_PARAMS params = { 0 };
    CUgraphNodeType type;
    CUgraph child;
    bool found = false;

    if (INJECT_REAL(cuGraphNodeGetType, "cuGraphNodeGetType")(node, &type) != CUDA_SUCCESS || is_off(p->of, node))
        return false;
    p->path[p->deep] = node;
    if (type == CU_GRAPH_NODE_TYPE_KERNEL &&
        INJECT_REAL(cuGraphKernelNodeGetParams_v2, "cuGraphKernelNodeGetParams_v2")(node, &params) == CUDA_SUCCESS)
        return inject_chooses(params.func ? (const void *)params.func : (const void *)params.kern);
    if (type == CU_GRAPH_NODE_TYPE_GRAPH && p->deep + 1 < DEEP &&
        INJECT_REAL(cuGraphChildGraphNodeGetGraph, "cuGraphChildGraphNodeGetGraph")(node, &child) == CUDA_SUCCESS) {
        p->deep++;
        found = choose_in(p, child);
        p->deep -= !found;
    }
    return found;
}

static bool choose_in(struct parts *p, CUgraph graph)
{
    struct shape s;
    size_t *order;
    bool found = false;

    if (!shape_read(graph, &s))
        return false;
    order = in_order(&s);
    for (size_t i = 0; order && i < s.count && !found; i++)
        found = chooses(p, s.nodes[order[i]]);
    free(order);
    shape_free(&s);
    return found;
}

/* ---- the parts ----------------------------------------------------------------------------------------------------
 */

enum which { BEFORE, SELF, BEHIND };

static bool belongs(enum which w, bool self, bool waits)
{
    return w == SELF ? self : !self && waits == (w == BEHIND);
}

/* Adds a copy of the graph with these nodes alone. Of a graph without them there is none. */
static bool add(struct parts *p, CUgraph graph, const struct shape *s, size_t at, const bool *waits, enum which w)
{
    struct part *part = &p->all[p->count];
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++)
        kept += belongs(w, i == at, waits[i]);
    if (!kept)
        return true;
    p->count++;
    if (INJECT_REAL(cuGraphClone, "cuGraphClone")(&part->graph, graph) != CUDA_SUCCESS)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        CUgraphNode own;
        if (INJECT_REAL(cuGraphNodeFindInClone, "cuGraphNodeFindInClone")(&own, s->nodes[i], part->graph) !=
            CUDA_SUCCESS)
            return false;
        if (w == SELF && i == at)
            p->kernel = own;
        if (!belongs(w, i == at, waits[i]) &&
            INJECT_REAL(cuGraphDestroyNode, "cuGraphDestroyNode")(own) != CUDA_SUCCESS)
            return false;
    }
    if (INJECT_REAL(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags")(&part->exec, part->graph, 0) !=
        CUDA_SUCCESS)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        CUgraphNode own;
        if (is_off(p->of, s->nodes[i]) && belongs(w, i == at, waits[i]) &&
            (INJECT_REAL(cuGraphNodeFindInClone, "cuGraphNodeFindInClone")(&own, s->nodes[i], part->graph) !=
                 CUDA_SUCCESS ||
             INJECT_REAL(cuGraphNodeSetEnabled, "cuGraphNodeSetEnabled")(part->exec, own, 0) != CUDA_SUCCESS))
            return false;
    }
    return true;
}

/* The parts of a graph around the kernel that the path from this depth on leads to. */
static bool take_apart(struct parts *p, CUgraph graph, size_t depth)
{
    struct shape s;
    bool *waits, fine;
    size_t at;
    CUgraph child;

    if (!shape_read(graph, &s))
        return false;
    at = number_of(&s, p->path[depth]);
    waits = behind(&s, at);
    fine = waits && at < s.count && add(p, graph, &s, at, waits, BEFORE);
    if (fine && depth < p->deep)
        fine = INJECT_REAL(cuGraphChildGraphNodeGetGraph, "cuGraphChildGraphNodeGetGraph")(s.nodes[at], &child) ==
                   CUDA_SUCCESS &&
               take_apart(p, child, depth + 1);
    else if (fine) {
        p->wanted = p->count;
        fine = add(p, graph, &s, at, waits, SELF);
    }
    fine = fine && add(p, graph, &s, at, waits, BEHIND);
    free(waits);
    shape_free(&s);
    return fine;
}

/* Graphs that still run go when they have run. */
static void let_go(struct parts *p)
{
    for (size_t i = 0; i < p->count; i++) {
        if (p->all[i].exec)
            INJECT_REAL(cuGraphExecDestroy, "cuGraphExecDestroy")(p->all[i].exec);
        if (p->all[i].graph)
            INJECT_REAL(cuGraphDestroy, "cuGraphDestroy")(p->all[i].graph);
    }
}

/* ---- the launch ---------------------------------------------------------------------------------------------------
 */

/* The launch that the kernel's node is. */
static bool of_node(CUgraphNode node, struct inject_launch *l)
{
    CUDA_KERNEL_NODE_PARAMS p = { 0 };
    CUkernelNodeAttrValue value;
    CUresult (*get)(CUgraphNode, CUkernelNodeAttrID, CUkernelNodeAttrValue *) =
        INJECT_REAL(cuGraphKernelNodeGetAttribute, "cuGraphKernelNodeGetAttribute");

    if (INJECT_REAL(cuGraphKernelNodeGetParams_v2, "cuGraphKernelNodeGetParams_v2")(node, &p) != CUDA_SUCCESS)
        return false;
    *l = (struct inject_launch){ .function = p.func ? (const void *)p.func : (const void *)p.kern,
                                 .grid = { p.gridDimX, p.gridDimY, p.gridDimZ },
                                 .block = { p.blockDimX, p.blockDimY, p.blockDimZ },
                                 .smem = p.sharedMemBytes,
                                 .params = p.kernelParams,
                                 .extra = p.extra };
    memset(&value, 0, sizeof value);
    if (get(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value) == CUDA_SUCCESS) {
        l->cluster[0] = value.clusterDim.x;
        l->cluster[1] = value.clusterDim.y;
        l->cluster[2] = value.clusterDim.z;
    }
    memset(&value, 0, sizeof value);
    if (get(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value) == CUDA_SUCCESS)
        l->cooperative = value.cooperative != 0;
    return true;
}

static CUresult run(struct parts *p, CUstream stream, inject_graph_launch *launch)
{
    CUresult result = CUDA_SUCCESS;
    struct inject_launch l;
    bool taken = false;

    for (size_t i = 0; i < p->count && result == CUDA_SUCCESS; i++) {
        if (i == p->wanted && of_node(p->kernel, &l))
            taken = inject_take(&l);
        else if (i == p->wanted)
            inject_leave("its parameters cannot be read");
        result = launch(p->all[i].exec, stream);
        if (i == p->wanted && taken)
            inject_behind();
        else if (i < p->wanted && result != CUDA_SUCCESS)
            inject_leave("what comes before it in its graph could not be launched");
    }
    return result;
}

CUresult inject_launch_parts(const struct inject_graph *g, CUstream stream, inject_graph_launch *launch)
{
    struct parts p = { .of = g };
    CUresult result;

    if (!choose_in(&p, g->copy))
        return launch(g->exec, stream);
    if (g->unclear || !take_apart(&p, g->copy, 0)) {
        inject_leave(g->unclear ? g->unclear : "its graph cannot be taken apart");
        result = launch(g->exec, stream);
    } else {
        result = run(&p, stream, launch);
    }
    let_go(&p);
    return result;
}
// SPDX-License-Identifier: Apache-2.0
