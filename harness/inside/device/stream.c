/* Streams and operations. */
#include "harness/inside/device/stream.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/inside/device/graph.h"

static struct stream normal; /* the default stream */
static struct stream *all;
static uint64_t numbers;

double device_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- operations ---------------------------------------------------------------------------------------------------
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
    op->kind = OPERATION_EMPTY;
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
    }
    return copy;
}

static CUresult run_copy(const struct operation *op)
{
    CUresult result = CUDA_SUCCESS;

    for (size_t z = 0; z < op->copy.depth && result == CUDA_SUCCESS; z++)
        for (size_t y = 0; y < op->copy.height && result == CUDA_SUCCESS; y++)
            result = memory_copy(op->copy.to.at + z * op->copy.to.slice + y * op->copy.to.pitch,
                                 op->copy.from.at + z * op->copy.from.slice + y * op->copy.from.pitch, op->copy.width);
    return result;
}

static CUresult run_set(const struct operation *op)
{
    CUresult result = CUDA_SUCCESS;

    for (size_t z = 0; z < op->set.depth && result == CUDA_SUCCESS; z++)
        for (size_t y = 0; y < op->set.height && result == CUDA_SUCCESS; y++)
            result = memory_set(op->set.to.at + z * op->set.to.slice + y * op->set.to.pitch, &op->set.value,
                                op->set.element, op->set.width);
    return result;
}

CUresult operation_run(const struct operation *op)
{
    switch (op->kind) {
    case OPERATION_KERNEL: return launch_run(&op->launch);
    case OPERATION_COPY: return run_copy(op);
    case OPERATION_SET: return run_set(op);
    case OPERATION_HOST: op->host.call(op->host.data); return CUDA_SUCCESS;
    case OPERATION_RECORD:
        op->event->recorded = true;
        op->event->at = device_clock();
        return CUDA_SUCCESS;
    case OPERATION_GRAPH: return graph_run(op->graph);
    case OPERATION_FREE: return memory_free(op->memory.at, false);
    case OPERATION_EMPTY:
    case OPERATION_ALLOC:
    case OPERATION_WAIT: return CUDA_SUCCESS; /* what it waits for has taken place */
    }
    return CUDA_ERROR_INVALID_VALUE;
}

/* ---- streams ------------------------------------------------------------------------------------------------------
 */

struct stream *stream_of(CUstream handle)
{
    if (!handle || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD)
        return &normal;
    for (struct stream *s = all; s; s = s->next)
        if (s == (struct stream *)handle)
            return s;
    return NULL;
}

struct stream *stream_new(unsigned flags, int priority)
{
    struct stream *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    *s = (struct stream){ .flags = flags, .priority = priority, .number = ++numbers, .next = all };
    all = s;
    return s;
}

bool stream_free(CUstream handle)
{
    for (struct stream **at = &all; *at; at = &(*at)->next)
        if (*at == (struct stream *)handle) {
            struct stream *s = *at;
            *at = s->next;
            free(s->last);
            free(s);
            return true;
        }
    return false;
}

bool stream_any_captures(void)
{
    for (const struct stream *s = all; s; s = s->next)
        if (s->capture && s->mode != CU_STREAM_CAPTURE_MODE_RELAXED)
            return true;
    return false;
}

/* The node that an operation becomes in the graph that its stream captures. */
static CUresult capture(struct stream *s, struct operation *op)
{
    struct node *n;

    if (op->kind == OPERATION_RECORD) { /* an edge, no node */
        struct node **after = malloc((s->last_count + 1) * sizeof(struct node *));
        if (!after)
            return CUDA_ERROR_OUT_OF_MEMORY;
        memcpy(after, s->last, s->last_count * sizeof(struct node *));
        free(op->event->after);
        op->event->after = after;
        op->event->after_count = s->last_count;
        op->event->capture = s->capture;
        return CUDA_SUCCESS;
    }
    n = graph_add(s->capture, op, s->last, s->last_count);
    if (!n)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!s->last)
        s->last = malloc(sizeof(struct node *));
    if (!s->last)
        return CUDA_ERROR_OUT_OF_MEMORY;
    s->last[0] = n;
    s->last_count = 1;
    return CUDA_SUCCESS;
}

/* A stream that waits for an event of a capture joins it, and what it does next comes after those nodes too. */
static CUresult join(struct stream *s, const struct event *e)
{
    struct node **last;

    if (s->capture && s->capture != e->capture)
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    s->capture = e->capture;
    last = realloc(s->last, (s->last_count + e->after_count + 1) * sizeof(struct node *));
    if (!last)
        return CUDA_ERROR_OUT_OF_MEMORY;
    s->last = last;
    memcpy(s->last + s->last_count, e->after, e->after_count * sizeof(struct node *));
    s->last_count += e->after_count;
    return CUDA_SUCCESS;
}

CUresult stream_put(struct stream *s, struct operation *op)
{
    CUresult result;

    if (op->kind == OPERATION_WAIT && op->event->capture)
        return join(s, op->event);
    if (s->capture)
        return capture(s, op);
    if (s == &normal && stream_any_captures())
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    result = operation_run(op);
    operation_free(op);
    return result;
}

CUresult stream_wait(struct stream *s)
{
    if (s ? s->capture != NULL : stream_any_captures())
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    say_printed();
    return device.error;
}
