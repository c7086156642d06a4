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

static void node_free(struct node *n)
{
    operation_free(&n->op);
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

struct node *graph_copy_of(const struct graph *g, const struct node *original)
{
    struct node *n = g->first;

    while (n && n->origin != original)
        n = n->next;
    return n;
}

struct graph *graph_clone(const struct graph *g, bool instantiated)
{
    struct graph *copy = graph_new();
    bool fine = copy != NULL;

    for (struct node *n = g->first; n && fine; n = n->next) {
        struct operation op = operation_clone(&n->op);
        struct node *twin = graph_add(copy, &op, NULL, 0);
        fine = twin != NULL;
        if (fine)
            twin->origin = n;
    }
    for (struct node *n = g->first; n && fine; n = n->next)
        for (size_t i = 0; i < n->after_count && fine; i++)
            fine = graph_edge(graph_copy_of(copy, n->after[i]), graph_copy_of(copy, n));
    if (!fine && copy) {
        graph_free(copy);
        return NULL;
    }
    if (copy)
        copy->instantiated = instantiated;
    return copy;
}

/* Whether all that a node comes after is among the first `done` of the order. */
static bool is_ready(const struct node *n, struct node *const *order, size_t done)
{
    for (size_t i = 0; i < n->after_count; i++) {
        size_t k = 0;
        while (k < done && order[k] != n->after[i])
            k++;
        if (k == done)
            return false;
    }
    return true;
}

CUresult graph_run(const struct graph *g)
{
    struct node **order = malloc((g->count + 1) * sizeof(struct node *));
    CUresult result = order ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    size_t done = 0;

    while (done < g->count && result == CUDA_SUCCESS) {
        const size_t before = done;
        for (struct node *n = g->first; n && result == CUDA_SUCCESS; n = n->next) {
            size_t k = 0;
            while (k < done && order[k] != n)
                k++;
            if (k < done || !is_ready(n, order, done))
                continue;
            order[done++] = n;
            if (!n->disabled)
                result = operation_run(&n->op);
        }
        if (done == before)
            result = CUDA_ERROR_INVALID_VALUE; /* a circle */
    }
    free(order);
    return result;
}
