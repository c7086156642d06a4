/* Graphs. */
#include "harness/inside/device/graph.h"

#include <stdlib.h>
#include <string.h>

static struct graph *all;

struct graph *graph_new(void)
{
    struct graph *g = calloc(1, sizeof *g);

    if (g) {
        g->next = all;
        all = g;
    }
    return g;
}

bool graph_known(const struct graph *g)
{
    const struct graph *k = all;

    while (k && k != g)
        k = k->next;
    return k != NULL;
}

bool node_known(const struct node *n)
{
    for (const struct graph *g = all; g; g = g->next)
        for (const struct node *k = g->first; k; k = k->next)
            if (k == n)
                return true;
    return false;
}

static void node_free(struct node *n)
{
    operation_free(&n->op);
    free(n->args);
    free(n->after);
    free(n);
}

void graph_free(struct graph *g)
{
    for (struct graph **at = &all; *at; at = &(*at)->next)
        if (*at == g) {
            *at = g->next;
            while (g->first) {
                struct node *n = g->first;
                g->first = n->next;
                node_free(n);
            }
            while (g->conditions) {
                struct graph_condition *c = g->conditions;
                g->conditions = c->next;
                free(c);
            }
            free(g);
            return;
        }
}

bool graph_edge(struct node *from, struct node *to)
{
    struct node **after = realloc(to->after, (to->after_count + 1) * sizeof(struct node *));

    if (!after)
        return false;
    to->after = after;
    to->after[to->after_count++] = from;
    return true;
}

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

struct node *graph_add(struct graph *g, struct operation *op, struct node *const *after, size_t count)
{
    struct node *n = calloc(1, sizeof *n);

    if (!n)
        return NULL;
    n->graph = g;
    for (size_t i = 0; i < count; i++)
        if (after[i]->graph != g || !graph_edge(after[i], n)) {
            free(n->after);
            free(n);
            return NULL;
        }
    n->op = *op;
    op->kind = OPERATION_EMPTY;
    if (g->last)
        g->last->next = n;
    else
        g->first = n;
    g->last = n;
    g->count++;
    return n;
}

void graph_remove(struct node *gone)
{
    struct graph *g = gone->graph;
    struct node *before = NULL;

    for (struct node *n = g->first; n; n = n->next) {
        size_t kept = 0;
        for (size_t i = 0; i < n->after_count; i++)
            if (n->after[i] != gone)
                n->after[kept++] = n->after[i];
        n->after_count = kept;
        if (n->next == gone)
            before = n;
    }
    if (before)
        before->next = gone->next;
    else
        g->first = gone->next;
    if (g->last == gone)
        g->last = before;
    g->count--;
    node_free(gone);
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

static bool clone_conditions(const struct graph *from, struct graph *to)
{
    for (const struct graph_condition *c = from->conditions; c; c = c->next) {
        struct graph_condition *copy = malloc(sizeof *copy);
        if (!copy)
            return false;
        *copy = *c;
        copy->next = to->conditions;
        to->conditions = copy;
    }
    return true;
}

struct graph *graph_clone(const struct graph *g, bool instantiated)
{
    struct graph *copy = graph_new();
    bool fine = copy && clone_conditions(g, copy);

    for (struct node *n = g->first; n && fine; n = n->next) {
        struct operation op = operation_clone(&n->op);
        struct node *twin = graph_add(copy, &op, NULL, 0);
        fine = twin != NULL;
        if (fine) {
            twin->origin = n;
            memcpy(twin->attributes, n->attributes, sizeof n->attributes);
            n->twin = twin;
        }
    }
    for (struct node *n = g->first; n && fine; n = n->next)
        for (size_t i = 0; i < n->after_count && fine; i++)
            fine = graph_edge(n->after[i]->twin, n->twin);
    if (!fine && copy) {
        graph_free(copy);
        return NULL;
    }
    if (copy) {
        copy->instantiated = instantiated;
        copy->source = (struct graph *)(uintptr_t)g;
    }
    return copy;
}

/* Whether all that a node comes after have taken part in this run. */
static bool is_ready(const struct node *n, uint64_t run)
{
    for (size_t i = 0; i < n->after_count; i++)
        if (n->after[i]->run != run)
            return false;
    return true;
}

CUresult graph_run(struct graph *g)
{
    static uint64_t runs;
    const uint64_t run = ++runs;
    CUresult result = CUDA_SUCCESS;
    size_t done = 0;

    for (const struct graph_condition *c = g->conditions; c; c = c->next)
        if (c->assign)
            emu_write(device.machine, c->handle, &c->value, sizeof c->value);
    while (done < g->count && result == CUDA_SUCCESS) {
        const size_t before = done;
        for (struct node *n = g->first; n && result == CUDA_SUCCESS; n = n->next) {
            if (n->run == run || !is_ready(n, run))
                continue;
            n->run = run;
            done++;
            if (!n->disabled)
                result = operation_run(&n->op);
        }
        if (done == before)
            result = CUDA_ERROR_INVALID_VALUE; /* a circle */
    }
    return result;
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
        const size_t count = within(n, &a);
        *node = n;
        if (n->op.kind != k->op.kind)
            return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
        if (!has_edges_of(k, n) || within(k, &b) != count)
            return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        for (size_t i = 0; i < count; i++) {
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
        const size_t count = within(n, &a);
        k->origin = (struct node *)(uintptr_t)n;
        within(k, &b);
        for (size_t i = 0; i < count; i++)
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
