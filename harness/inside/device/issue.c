/* What is put into streams, and what waits for them. */
#include "harness/inside/device/early.h"
#include "harness/inside/device/graph.h"
#include "harness/inside/device/later.h"
#include "harness/inside/device/pool.h"
#include "harness/inside/device/races.h"

/* Whether the host waits for a copy although it is put into a stream: CUDA Runtime API, API synchronization behavior,
 * Asynchronous, of memory of the host that is not page-locked. */
static bool is_waited_for(const struct operation *op)
{
    return op->kind == OPERATION_COPY && !memory_is_device((uint64_t)(uintptr_t)op->copy.to.at);
}

CUresult stream_put(struct stream *s, struct operation *op)
{
    const bool waits = is_waited_for(op);
    CUresult result;

    if (s->capture && op->kind == OPERATION_KERNEL)
        op->launch.dependent = false; /* launches of a graph are compared with none */
    if (s->capture)
        result = s->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : capture_put(s, op);
    else if (op->kind == OPERATION_WAIT && op->event->capture)
        result = capture_join(s, op->event);
    else if (stream_is_default(s))
        result = capture_of_default();
    else
        result = CUDA_SUCCESS;
    if (result == CUDA_SUCCESS && !s->capture) {
        const bool behind = early_behind_launch(s, op->kind == OPERATION_KERNEL);
        if (op->kind == OPERATION_KERNEL)
            op->launch.dependent &= behind;
        if (op->kind == OPERATION_RECORD)
            op->event->capture = NULL;
        result = later_put(s, op);
        if (waits)
            later_wait(s);
        return result;
    }
    operation_free(op);
    return result;
}

CUresult stream_launch_graph(struct stream *s, struct graph *exec)
{
    CUresult result;

    if (s->capture)
        return capture_break(s->capture);
    result = stream_is_default(s) ? capture_of_default() : CUDA_SUCCESS;
    early_waited(); /* what follows is compared with none of its launches */
    return result == CUDA_SUCCESS ? later_put_graph(s, exec) : result;
}

CUresult stream_wait(struct stream *s)
{
    CUresult result = CUDA_SUCCESS;

    if (s && s->capture)
        result = capture_break(s->capture);
    else if (!s)
        result = capture_break_all();
    if (result != CUDA_SUCCESS)
        return result;
    later_wait(s);
    say_printed();
    races_synchronised();
    pools_trim();
    return device.error;
}

CUresult stream_wait_to_copy(void)
{
    const CUresult result = capture_forbids();

    return result == CUDA_SUCCESS ? stream_wait(stream_of(NULL)) : result;
}

CUresult stream_query(struct stream *s)
{
    return !s->capture && later_is_left(s) ? CUDA_ERROR_NOT_READY : stream_wait(s);
}

CUresult event_query(const struct event *e)
{
    return event_known(e) && !e->capture && later_is_event_left(e) ? CUDA_ERROR_NOT_READY : event_wait(e);
}

CUresult event_wait(const struct event *e)
{
    if (!event_known(e))
        return CUDA_ERROR_INVALID_HANDLE;
    if (e->capture) {
        capture_break(e->capture);
        return CUDA_ERROR_CAPTURED_EVENT;
    }
    later_wait_event(e);
    say_printed();
    races_synchronised();
    return device.error;
}

/* ---- memory -------------------------------------------------------------------------------------------------------
 */

CUresult pool_alloc(struct pool *p, struct stream *s, uint64_t bytes, uint64_t *at)
{
    struct operation op = { .kind = OPERATION_ALLOC, .memory = { .bytes = bytes } };
    CUresult result;

    if (!bytes)
        return CUDA_ERROR_INVALID_VALUE;
    result = memory_new(s->capture ? MEMORY_GRAPH : MEMORY_POOL, bytes, 0, at);
    if (result != CUDA_SUCCESS)
        return result;
    op.memory.at = *at;
    if (!s->capture)
        memory_join_pool(*at, p);
    return stream_put(s, &op);
}

CUresult pool_release(struct stream *s, uint64_t at)
{
    struct operation op = { .kind = OPERATION_FREE, .memory = { .at = at } };
    const struct memory *m = memory_of(at);

    if (!at)
        return CUDA_SUCCESS;
    if (!m)
        memory_look_freed(at, "cudaFreeAsync");
    if (!m || m->at != at || (m->kind != MEMORY_DEVICE && m->kind != MEMORY_POOL && m->kind != MEMORY_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    return stream_put(s, &op);
}
// SPDX-License-Identifier: Apache-2.0
