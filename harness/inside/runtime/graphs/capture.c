/* Capture of streams by the runtime. */
#include "harness/inside/device/graph.h"
#include "harness/inside/runtime/old.h"
#include "harness/inside/runtime/runtime.h"

static CUresult begin_with(cudaStream_t stream, struct stream **s)
{
    const CUresult result = runtime_begin();

    *s = stream_of((CUstream)stream);
    return result == CUDA_SUCCESS && !*s ? CUDA_ERROR_INVALID_HANDLE : result;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    struct stream *s;
    CUresult result = begin_with(stream, &s);

    if (result == CUDA_SUCCESS)
        result = capture_begin(s, (CUstreamCaptureMode)mode, NULL, NULL, 0);
    return runtime_end(result);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t count, enum cudaStreamCaptureMode mode)
{
    struct graph *g = (struct graph *)graph;
    struct stream *s;
    CUresult result = begin_with(stream, &s);

    (void)edges;
    if (result == CUDA_SUCCESS && (!graph_known(g) || (count && !after)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = capture_begin(s, (CUstreamCaptureMode)mode, g, (struct node *const *)after, count);
    return runtime_end(result);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *out)
{
    struct stream *s;
    CUresult result = begin_with(stream, &s);

    if (result == CUDA_SUCCESS)
        result = capture_end(s, (struct graph **)out);
    return runtime_end(result);
}

static enum cudaStreamCaptureStatus status_of(const struct stream *s)
{
    return !s->capture  ? cudaStreamCaptureStatusNone
           : s->invalid ? cudaStreamCaptureStatusInvalidated
                        : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    struct stream *s;
    CUresult result = begin_with(stream, &s);

    if (result == CUDA_SUCCESS && !status)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *status = status_of(s);
    return runtime_end(result);
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **last,
                                        const cudaGraphEdgeData **edges, size_t *count)
{
    struct stream *s;
    CUresult result = begin_with(stream, &s);

    if (result == CUDA_SUCCESS && !status)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *status = status_of(s);
        if (*status == cudaStreamCaptureStatusActive) {
            if (id)
                *id = s->captures;
            if (graph)
                *graph = (cudaGraph_t)s->capture;
            if (last)
                *last = (const cudaGraphNode_t *)s->last;
            if (edges)
                *edges = NULL;
            if (count)
                *count = s->last_count;
        }
    }
    return runtime_end(result);
}

/* In toolkit 12 this name has the first three arguments alone. */
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **last, const cudaGraphEdgeData **edges,
                                     size_t *count)
{
    return runtime_is_12() ? cudaStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL)
                           : cudaStreamGetCaptureInfo_v3(stream, status, id, graph, last, edges, count);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **last,
                                        size_t *count)
{
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, last, NULL, count);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *after,
                                                   const cudaGraphEdgeData *edges, size_t count, unsigned flags)
{
    struct stream *s;
    CUresult result = begin_with(stream, &s);

    (void)edges;
    if (result == CUDA_SUCCESS)
        result = flags > cudaStreamSetCaptureDependencies || (count && !after) ? CUDA_ERROR_INVALID_VALUE
                 : !s->capture || s->invalid                                   ? CUDA_ERROR_ILLEGAL_STATE
                                             : capture_set_last(s, (struct node *const *)after, count,
                                                                flags != cudaStreamSetCaptureDependencies);
    return runtime_end(result);
}

/* In toolkit 12 this name has no edges. */
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after,
                                                const cudaGraphEdgeData *edges, size_t count, unsigned flags)
{
    return runtime_is_12()
               ? cudaStreamUpdateCaptureDependencies_v2(stream, after, NULL, (size_t)(uintptr_t)edges, (unsigned)count)
               : cudaStreamUpdateCaptureDependencies_v2(stream, after, edges, count, flags);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    CUresult result = runtime_begin_anyway();

    if (result == CUDA_SUCCESS && (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        capture_exchange_mode((CUstreamCaptureMode *)mode);
    return runtime_end(result);
}
// SPDX-License-Identifier: Apache-2.0
