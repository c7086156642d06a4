/* Operations, and graphs of them: either may hold the other. */
#include "harness/inside/device/graph.h"

#include <stdlib.h>
#include <string.h>

#include "harness/inside/device/outside.h"
#include "harness/inside/device/races.h"

static struct graph *all;

/* ---- making and freeing -------------------------------------------------------------------------------------------
 */

struct operation operation_copy(void *to, const void *from, size_t bytes)
{
    struct operation op = { .kind = OPERATION_COPY };

    op.copy.to = (struct rows){ to, bytes, bytes };
    op.copy.from = (struct rows){ (unsigned char *)(uintptr_t)from, bytes, bytes };
    op.copy.width = bytes;
    op.copy.height = op.copy.depth = 1;
    return op;
}

void operation_free(struct operation *op)
{
    if (op->kind == OPERATION_KERNEL)
        free(op->launch.params);
    else if (op->kind == OPERATION_GRAPH)
        graph_free(op->graph);
    else if (op->kind == OPERATION_CONDITION) {
        for (unsigned i = 0; i < op->condition.size; i++)
            graph_free(op->condition.bodies[i]);
        free(op->condition.bodies);
    }
    op->kind = OPERATION_EMPTY;
}

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

/* ---- copying ------------------------------------------------------------------------------------------------------
 */

/* The bodies of a conditional node, copied. */
static void clone_bodies(struct operation *op)
{
    struct graph *const *from = op->condition.bodies;

    op->condition.bodies = calloc(op->condition.size + 1, sizeof *op->condition.bodies);
    if (!op->condition.bodies) {
        op->kind = OPERATION_EMPTY;
        return;
    }
    for (unsigned i = 0; i < op->condition.size; i++)
        op->condition.bodies[i] = graph_clone(from[i], false);
}

struct operation operation_clone(const struct operation *op)
{
    struct operation copy = *op;

    if (op->kind == OPERATION_KERNEL) {
        const size_t bytes = function_entry(op->launch.function)->param_bytes;
        copy.launch.params = malloc(bytes + 1);
        if (copy.launch.params)
            memcpy(copy.launch.params, op->launch.params, bytes);
        else
            copy.kind = OPERATION_EMPTY;
    } else if (op->kind == OPERATION_GRAPH) {
        copy.graph = graph_clone(op->graph, false);
    } else if (op->kind == OPERATION_CONDITION) {
        clone_bodies(&copy);
    }
    return copy;
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
        operation_free(&op); /* where the node has not taken it */
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

/* ---- running ------------------------------------------------------------------------------------------------------
 */

/* Whether nothing of what is copied has been written: a part alone may be the padding of rows, or not be used. */
static bool is_unwritten(const struct operation *op)
{
    for (size_t z = 0; z < op->copy.depth; z++)
        for (size_t y = 0; y < op->copy.height; y++)
            if (memory_has_value((uint64_t)(uintptr_t)op->copy.from.at + z * op->copy.from.slice +
                                     y * op->copy.from.pitch,
                                 op->copy.width))
                return false;
    return op->copy.width && op->copy.height && op->copy.depth;
}

/* Whether all rows are of the first one's allocation: else nothing is written at all. */
static bool is_possible(const struct rows *r, size_t bytes, size_t height, size_t depth)
{
    return !bytes || !height || !depth ||
           memory_is_whole((uint64_t)(uintptr_t)r->at, (depth - 1) * r->slice + (height - 1) * r->pitch + bytes);
}

static CUresult run_copy(const struct operation *op)
{
    const size_t width = op->copy.width, height = op->copy.height, depth = op->copy.depth;
    CUresult result =
        is_possible(&op->copy.to, width, height, depth) && is_possible(&op->copy.from, width, height, depth)
            ? CUDA_SUCCESS
            : CUDA_ERROR_INVALID_VALUE;

    if (result == CUDA_SUCCESS && is_unwritten(op))
        memory_say_unwritten((uint64_t)(uintptr_t)op->copy.to.at, (uint64_t)(uintptr_t)op->copy.from.at);
    for (size_t z = 0; z < op->copy.depth && result == CUDA_SUCCESS; z++)
        for (size_t y = 0; y < op->copy.height && result == CUDA_SUCCESS; y++)
            result = memory_copy(op->copy.to.at + z * op->copy.to.slice + y * op->copy.to.pitch,
                                 op->copy.from.at + z * op->copy.from.slice + y * op->copy.from.pitch, op->copy.width);
    return result;
}

static CUresult run_set(const struct operation *op)
{
    CUresult result = is_possible(&op->set.to, op->set.width * op->set.element, op->set.height, op->set.depth)
                          ? CUDA_SUCCESS
                          : CUDA_ERROR_INVALID_VALUE;

    for (size_t z = 0; z < op->set.depth && result == CUDA_SUCCESS; z++)
        for (size_t y = 0; y < op->set.height && result == CUDA_SUCCESS; y++)
            result = memory_set(op->set.to.at + z * op->set.to.slice + y * op->set.to.pitch, &op->set.value,
                                op->set.element, op->set.width);
    return result;
}

static CUresult run_condition(const struct condition *c)
{
    uint32_t value;
    CUresult result = CUDA_SUCCESS;

    if (!emu_read(device.machine, &value, c->handle, sizeof value))
        return CUDA_ERROR_INVALID_VALUE;
    if (c->kind == CU_GRAPH_COND_TYPE_IF)
        return value ? graph_run(c->bodies[0]) : c->size > 1 ? graph_run(c->bodies[1]) : CUDA_SUCCESS;
    if (c->kind != CU_GRAPH_COND_TYPE_WHILE)
        return value < c->size ? graph_run(c->bodies[value]) : CUDA_SUCCESS;
    while (value && result == CUDA_SUCCESS && device.error == CUDA_SUCCESS) {
        result = graph_run(c->bodies[0]);
        emu_read(device.machine, &value, c->handle, sizeof value);
    }
    return result;
}

/* A function of the host may wait for other threads, and these for the device. */
static void run_host(const struct operation *op)
{
    unsigned held;

    races_synchronised(); /* what was issued before it has ended */
    held = device_release();
    op->host.call(op->host.data);
    device_retake(held);
}

/* Whether the value in memory is what a stream waits for. */
static bool is_value_there(const struct operation *op)
{
    const uint64_t value = op->awaited.value, bits = op->awaited.bytes == 4 ? UINT32_MAX : UINT64_MAX;
    uint64_t now = 0;

    memcpy(&now, (const void *)op->awaited.at, op->awaited.bytes);
    switch (op->awaited.flags & 3) {
    case CU_STREAM_WAIT_VALUE_GEQ:
        return op->awaited.bytes == 4 ? (int32_t)((uint32_t)now - (uint32_t)value) >= 0 : (int64_t)(now - value) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ: return now == (value & bits);
    case CU_STREAM_WAIT_VALUE_AND: return now & value;
    default: return ~(now | value) & bits;
    }
}

/* The host or another stream writes it. */
static CUresult wait_for_value(const struct operation *op)
{
    while (memory_of(op->awaited.at))
        if (is_value_there(op))
            return CUDA_SUCCESS;
        else if (!outside_wait())
            break;
    say_host("deadlock.spin", false,
             "cuStreamWaitValue%u: a stream waits for memory at 0x%llx, and nobody writes there", 8 * op->awaited.bytes,
             (unsigned long long)op->awaited.at);
    return CUDA_ERROR_LAUNCH_TIMEOUT;
}

bool operation_is_alone(const struct operation *op)
{
    switch (op->kind) {
    case OPERATION_KERNEL: return launch_is_alone(&op->launch);
    case OPERATION_HOST:
    case OPERATION_VALUE:
    case OPERATION_CONDITION: return false;
    case OPERATION_GRAPH:
        for (const struct node *n = op->graph->first; n; n = n->next)
            if (!operation_is_alone(&n->op))
                return false;
        return true;
    default: return true;
    }
}

CUresult operation_run(const struct operation *op)
{
    switch (op->kind) {
    case OPERATION_KERNEL: return launch_run(&op->launch);
    case OPERATION_COPY: return run_copy(op);
    case OPERATION_SET: return run_set(op);
    case OPERATION_HOST: run_host(op); return CUDA_SUCCESS;
    case OPERATION_VALUE: return wait_for_value(op);
    case OPERATION_RECORD:
        op->event->recorded = true;
        op->event->at = device_clock();
        return CUDA_SUCCESS;
    case OPERATION_GRAPH: return graph_run(op->graph);
    case OPERATION_CONDITION: return run_condition(&op->condition);
    case OPERATION_FREE: return memory_rest(op->memory.at, true);
    case OPERATION_ALLOC: return memory_rest(op->memory.at, false);
    case OPERATION_EMPTY:
    case OPERATION_WAIT: return CUDA_SUCCESS; /* what it waits for has taken place */
    }
    return CUDA_ERROR_INVALID_VALUE;
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
// SPDX-License-Identifier: Apache-2.0
