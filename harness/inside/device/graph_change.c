/* Graphs: their edges, the nodes of their copies, their updates. */
#include "harness/inside/device/graph.h"

#include <stdlib.h>
#include <string.h>

bool graph_unedge(struct node *from, struct node *to)
{
    for (size_t i = 0; i < to->after_count; i++)
        if (to->after[i] == from) {
            memmove(&to->after[i], &to->after[i + 1], (to->after_count - i - 1) * sizeof(struct node *));
            to->after_count--;
            return true;
        }
    return false;
}

CUresult graph_condition(struct graph *g, uint32_t value, bool assign, uint64_t *handle)
{
    struct graph_condition *c = calloc(1, sizeof *c);
    CUresult result = c ? memory_new(MEMORY_GRAPH, sizeof value, 0, handle) : CUDA_ERROR_OUT_OF_MEMORY;

    if (result != CUDA_SUCCESS) {
        free(c);
        return result;
    }
    *c = (struct graph_condition){ *handle, value, assign, g->conditions };
    g->conditions = c;
    emu_write(device.machine, *handle, &value, sizeof value);
    return CUDA_SUCCESS;
}

/* The graphs within a node. */
static size_t within(const struct node *n, struct graph ***out)
{
    struct operation *op = (struct operation *)(uintptr_t)&n->op;

    if (op->kind == OPERATION_GRAPH) {
        *out = &op->graph;
        return 1;
    }
    *out = op->kind == OPERATION_CONDITION ? op->condition.bodies : NULL;
    return op->kind == OPERATION_CONDITION ? op->condition.size : 0;
}

static bool has_condition(const struct graph *g, uint64_t handle)
{
    for (const struct node *n = g->first; n; n = n->next) {
        struct graph **inner;
        const size_t count = within(n, &inner);
        if (n->op.kind == OPERATION_CONDITION && n->op.condition.handle == handle)
            return true;
        for (size_t i = 0; i < count; i++)
            if (has_condition(inner[i], handle))
                return true;
    }
    return false;
}

bool graph_uses_conditions(const struct graph *g)
{
    const struct graph_condition *c = g->conditions;

    while (c && has_condition(g, c->handle))
        c = c->next;
    return !c;
}

struct node *graph_copy_of(const struct graph *g, const struct node *original)
{
    for (struct node *n = g->first; n; n = n->next) {
        struct graph **inner;
        const size_t count = within(n, &inner);
        if (n->origin == original)
            return n;
        for (size_t i = 0; i < count; i++) {
            struct node *found = graph_copy_of(inner[i], original);
            if (found)
                return found;
        }
    }
    return NULL;
}

void **node_args(struct node *n)
{
    const struct launch *l = &n->op.launch;
    const struct ptx_function *entry = function_entry(l->function);
    void **args = malloc((entry->n_params + 1) * sizeof *args);

    for (uint32_t i = 0; args && i < entry->n_params; i++)
        args[i] = l->params + module_ptx(l->function->module)->variables[entry->params + i].offset;
    free(n->args);
    n->args = args;
    return args;
}

CUresult node_set(struct node *n, struct operation *op)
{
    if (n->op.kind != op->kind) {
        operation_free(op);
        return CUDA_ERROR_INVALID_VALUE;
    }
    operation_free(&n->op);
    n->op = *op;
    op->kind = OPERATION_EMPTY;
    return CUDA_SUCCESS;
}

/* Whether nodes of the same place in two graphs are alike: how many come before, and which. */
static bool has_edges_of(const struct node *copy, const struct node *n)
{
    for (size_t i = 0; i < n->after_count; i++) {
        size_t k = 0;
        while (k < copy->after_count && copy->after[k] != n->after[i]->twin)
            k++;
        if (k == copy->after_count)
            return false;
    }
    return copy->after_count == n->after_count;
}

/* What differs between two graphs, node by node in the order in which they were added. */
static CUgraphExecUpdateResult compare(struct graph *exec, const struct graph *from, struct node **node)
{
    struct node *n, *k;

    *node = NULL;
    if (exec->count != from->count)
        return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    for (n = from->first, k = exec->first; n; n = n->next, k = k->next)
        n->twin = k;
    for (n = from->first, k = exec->first; n; n = n->next, k = k->next) {
        struct graph **a, **b;
        const size_t count = within(n, &a), others = within(k, &b);
        *node = n;
        if (n->op.kind != k->op.kind)
            return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
        if (!has_edges_of(k, n) || others != count)
            return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        for (size_t i = 0; i < count && i < others; i++) {
            const CUgraphExecUpdateResult inner = compare(b[i], a[i], node);
            if (inner != CU_GRAPH_EXEC_UPDATE_SUCCESS)
                return inner;
        }
    }
    *node = NULL;
    return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

static void take(struct graph *exec, const struct graph *from)
{
    struct node *k = exec->first;

    exec->source = (struct graph *)(uintptr_t)from;
    for (const struct node *n = from->first; n; n = n->next, k = k->next) {
        struct graph **a, **b;
        const size_t count = within(n, &a), others = within(k, &b);
        k->origin = (struct node *)(uintptr_t)n;
        for (size_t i = 0; i < count && i < others; i++)
            take(b[i], a[i]);
        if (!count) {
            struct operation op = operation_clone(&n->op);
            node_set(k, &op);
        }
    }
}

CUresult graph_update(struct graph *exec, const struct graph *from, CUgraphExecUpdateResult *why, struct node **node)
{
    *why = compare(exec, from, node);
    if (*why != CU_GRAPH_EXEC_UPDATE_SUCCESS)
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    take(exec, from);
    return CUDA_SUCCESS;
}
// SPDX-License-Identifier: Apache-2.0
