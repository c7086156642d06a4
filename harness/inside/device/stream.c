/* Streams and operations. */
#include "harness/inside/device/stream.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/inside/device/graph.h"
#include "harness/inside/device/pool.h"
#include "harness/inside/device/races.h"

static struct stream normal;     /* the default stream */
static struct stream per_thread; /* that of each thread: one for all of them */
static struct stream *all;
static struct event *events;
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
    else if (op->kind == OPERATION_CONDITION) {
        for (unsigned i = 0; i < op->condition.size; i++)
            graph_free(op->condition.bodies[i]);
        free(op->condition.bodies);
    }
    op->kind = OPERATION_EMPTY;
}

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

CUresult operation_run(const struct operation *op)
{
    switch (op->kind) {
    case OPERATION_KERNEL: return launch_run(&op->launch);
    case OPERATION_COPY: return run_copy(op);
    case OPERATION_SET: return run_set(op);
    case OPERATION_HOST: run_host(op); return CUDA_SUCCESS;
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

/* ---- streams ------------------------------------------------------------------------------------------------------
 */

struct stream *stream_of(CUstream handle)
{
    if (!handle || handle == CU_STREAM_LEGACY)
        return &normal;
    if (handle == CU_STREAM_PER_THREAD)
        return &per_thread;
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

bool stream_is_default(const struct stream *s)
{
    return s == &normal;
}

void stream_each(void (*each)(struct stream *s, void *state), void *state)
{
    each(&per_thread, state);
    for (struct stream *s = all; s; s = s->next)
        each(s, state);
}

CUresult stream_put(struct stream *s, struct operation *op)
{
    CUresult result;

    if (s->capture)
        result = s->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : capture_put(s, op);
    else if (op->kind == OPERATION_WAIT && op->event->capture)
        result = capture_join(s, op->event);
    else if (s == &normal)
        result = capture_of_default();
    else
        result = CUDA_SUCCESS;
    if (result == CUDA_SUCCESS && !s->capture) {
        if (op->kind == OPERATION_RECORD)
            op->event->capture = NULL;
        result = operation_run(op);
    }
    operation_free(op);
    return result;
}

CUresult stream_launch_graph(struct stream *s, struct graph *exec)
{
    struct operation op = { .kind = OPERATION_GRAPH };
    CUresult result;

    if (s->capture) {
        op.graph = graph_clone(exec, false);
        return op.graph ? stream_put(s, &op) : CUDA_ERROR_OUT_OF_MEMORY;
    }
    result = stream_is_default(s) ? capture_of_default() : CUDA_SUCCESS;
    return result == CUDA_SUCCESS ? graph_run(exec) : result;
}

CUresult stream_wait(struct stream *s)
{
    CUresult result = CUDA_SUCCESS;

    if (s && s->capture)
        result = capture_break(s);
    else if (!s)
        result = capture_forbids();
    if (result != CUDA_SUCCESS)
        return result;
    say_printed();
    races_synchronised();
    pools_trim();
    return device.error;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

struct event *event_new(unsigned flags)
{
    struct event *e = calloc(1, sizeof *e);

    if (!e)
        return NULL;
    e->flags = flags;
    e->next = events;
    events = e;
    return e;
}

bool event_known(const struct event *e)
{
    const struct event *k = events;

    while (k && k != e)
        k = k->next;
    return k != NULL;
}

void event_free(struct event *e)
{
    for (struct event **at = &events; *at; at = &(*at)->next)
        if (*at == e) {
            *at = e->next;
            free(e->after);
            free(e);
            return;
        }
}

void event_leave(const struct graph *g)
{
    for (struct event *e = events; e; e = e->next)
        if (e->capture == g) {
            e->capture = NULL;
            e->after_count = 0;
        }
}

CUresult event_wait(const struct event *e)
{
    if (!event_known(e))
        return CUDA_ERROR_INVALID_HANDLE;
    if (e->capture)
        return CUDA_ERROR_CAPTURED_EVENT;
    say_printed();
    races_synchronised();
    return device.error;
}

CUresult event_between(const struct event *from, const struct event *to, float *ms)
{
    enum { WITHOUT_TIME = CU_EVENT_DISABLE_TIMING };
    double between;

    if (!event_known(from) || !event_known(to) || ((from->flags | to->flags) & WITHOUT_TIME) || !from->recorded ||
        !to->recorded)
        return CUDA_ERROR_INVALID_HANDLE;
    between = (to->at - from->at) * 1e3;
    *ms = (float)(between >= 0 && between < 0.0005 ? 0.0005 : between); /* programs divide by it */
    return CUDA_SUCCESS;
}
