/* Capture: operations of a stream become nodes of a graph. */
#include <stdlib.h>
#include <string.h>

#include "harness/inside/device/graph.h"

/* What this thread's calls may do while a stream captures: cudaThreadExchangeStreamCaptureMode. */
static _Thread_local CUstreamCaptureMode own_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
static uint64_t captures;

void capture_exchange_mode(CUstreamCaptureMode *mode)
{
    const CUstreamCaptureMode before = own_mode;

    own_mode = *mode;
    *mode = before;
}

/* ---- calls that captures forbid ---------------------------------------------------------------------------------- */

static void look_forbidden(struct stream *s, void *found)
{
    if (!s->capture || s->mode == CU_STREAM_CAPTURE_MODE_RELAXED || own_mode == CU_STREAM_CAPTURE_MODE_RELAXED)
        return;
    if (!pthread_equal(s->thread, pthread_self()) &&
        (s->mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL || own_mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL))
        return;
    s->invalid = true;
    *(bool *)found = true;
}

CUresult capture_forbids(void)
{
    bool found = false;

    stream_each(look_forbidden, &found);
    return found ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

static void break_graph(struct stream *s, void *graph)
{
    if (s->capture == graph)
        s->invalid = true;
}

CUresult capture_break(const struct graph *g)
{
    stream_each(break_graph, (void *)(uintptr_t)g);
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

static void break_any(struct stream *s, void *found)
{
    s->invalid = s->capture != NULL;
    *(bool *)found |= s->invalid;
}

CUresult capture_break_all(void)
{
    bool found = false;

    stream_each(break_any, &found);
    return found ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

static void look_blocking(struct stream *s, void *found)
{
    if (!s->capture || (s->flags & CU_STREAM_NON_BLOCKING))
        return;
    s->invalid = true;
    *(bool *)found = true;
}

CUresult capture_of_default(void)
{
    bool found = false;

    stream_each(look_blocking, &found);
    return found ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

CUresult capture_set_last(struct stream *s, struct node *const *after, size_t count, bool add)
{
    const size_t before = add ? s->last_count : 0;
    struct node **last = realloc(s->last, (before + count + 1) * sizeof(struct node *));

    if (!last)
        return CUDA_ERROR_OUT_OF_MEMORY;
    s->last = last;
    s->last_count = before;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < s->last_count && s->last[k] != after[i])
            k++;
        if (k == s->last_count)
            s->last[s->last_count++] = after[i];
    }
    return CUDA_SUCCESS;
}

CUresult capture_join(struct stream *s, const struct event *e)
{
    if (s->capture && s->capture != e->capture) {
        capture_break(s->capture);
        capture_break(e->capture);
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
    if (stream_is_default(s))
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    if (!s->capture) {
        s->capture = e->capture;
        s->invalid = s->origin = false;
        s->last_count = 0;
        s->mode = CU_STREAM_CAPTURE_MODE_RELAXED; /* the stream that began the capture has its mode */
        s->captures = captures;
    }
    return capture_set_last(s, e->after, e->after_count, true);
}

/* An event of a capture is edges, no node. */
static CUresult record(const struct stream *s, struct event *e)
{
    struct node **after = malloc((s->last_count + 1) * sizeof(struct node *));

    if (!after)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (s->last_count)
        memcpy(after, s->last, s->last_count * sizeof(struct node *));
    free(e->after);
    e->after = after;
    e->after_count = s->last_count;
    e->capture = s->capture;
    return CUDA_SUCCESS;
}

CUresult capture_put(struct stream *s, struct operation *op)
{
    struct node *n;

    if (op->kind == OPERATION_RECORD)
        return record(s, op->event);
    if (op->kind == OPERATION_WAIT && !op->event->capture) { /* of work that no capture knows */
        capture_break(s->capture);
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    if (op->kind == OPERATION_WAIT)
        return capture_join(s, op->event);
    n = graph_add(s->capture, op, s->last, s->last_count);
    return n ? capture_set_last(s, &n, 1, false) : CUDA_ERROR_OUT_OF_MEMORY;
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

CUresult capture_begin(struct stream *s, CUstreamCaptureMode mode, struct graph *into, struct node *const *after,
                       size_t count)
{
    if (stream_is_default(s))
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (s->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    if ((unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    s->capture = into ? into : graph_new();
    if (!s->capture)
        return CUDA_ERROR_OUT_OF_MEMORY;
    s->given = into != NULL;
    s->mode = mode;
    s->thread = pthread_self();
    s->origin = true;
    s->invalid = false;
    s->captures = ++captures;
    return capture_set_last(s, after, count, false);
}

/* Marks the nodes that a node comes after, and itself. */
static void mark(struct node *n, uint64_t run)
{
    if (n->run == run)
        return;
    n->run = run;
    for (size_t i = 0; i < n->after_count; i++)
        mark(n->after[i], run);
}

struct ending {
    struct graph *graph;
    bool unjoined;
};

/* A stream that has joined: whether what it did last comes before what the first one did last. */
static void look_joined(struct stream *s, void *state)
{
    struct ending *e = state;

    if (s->capture != e->graph)
        return;
    for (size_t i = 0; i < s->last_count; i++)
        e->unjoined = e->unjoined || s->last[i]->run != UINT64_MAX;
    s->capture = NULL;
    s->last_count = 0;
}

CUresult capture_end(struct stream *s, struct graph **out)
{
    struct ending e = { .graph = s->capture };
    CUresult result = s->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;

    if (out)
        *out = NULL;
    if (!s->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (!s->origin) {
        capture_break(s->capture);
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    if (s->mode != CU_STREAM_CAPTURE_MODE_RELAXED && !pthread_equal(s->thread, pthread_self()))
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    for (size_t i = 0; i < s->last_count; i++)
        mark(s->last[i], UINT64_MAX);
    stream_each(look_joined, &e);
    for (struct node *n = e.graph->first; n; n = n->next)
        n->run = 0;
    event_leave(e.graph);
    if (result == CUDA_SUCCESS && e.unjoined)
        result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    if (result == CUDA_SUCCESS && !out && !s->given)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && out)
        *out = e.graph;
    else if (result != CUDA_SUCCESS && !s->given)
        graph_free(e.graph);
    return result;
}
// SPDX-License-Identifier: Apache-2.0
