/* Events of the runtime. */
#include "harness/inside/device/stream.h"
#include "harness/inside/runtime/old.h"
#include "harness/inside/runtime/runtime.h"

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    CUresult result = runtime_begin();
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

    if (result == CUDA_SUCCESS &&
        (!out || (flags & ~known) || ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming))))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *out = (cudaEvent_t)event_new(flags);
        result = *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    return runtime_end(result);
}

cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    return cudaEventCreateWithFlags(out, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && !event_known((struct event *)event))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        event_free((struct event *)event);
    return runtime_end(result);
}

/* An event goes into a stream. Flag cudaEventRecordExternal makes a node of it where the stream captures: here, too,
 * the nodes that follow come behind it. */
static cudaError_t put(enum operation_kind kind, cudaEvent_t event, cudaStream_t stream)
{
    struct operation op = { .kind = kind, .event = (struct event *)event };
    CUresult result = runtime_begin();
    struct stream *s = stream_of((CUstream)stream);

    if (result == CUDA_SUCCESS)
        result = s && event_known(op.event) ? stream_put(s, &op) : CUDA_ERROR_INVALID_HANDLE;
    return runtime_end(result);
}

/* An event from outside of a graph is only for a stream that captures one. */
static bool captures(cudaStream_t stream)
{
    const struct stream *s = stream_of((CUstream)stream);

    return s && s->capture;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    return flags > cudaEventRecordExternal                         ? runtime_end_of(CUDA_ERROR_INVALID_VALUE)
           : flags == cudaEventRecordExternal && !captures(stream) ? runtime_end_of(CUDA_ERROR_ILLEGAL_STATE)
                                                                   : put(OPERATION_RECORD, event, stream);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return put(OPERATION_RECORD, event, stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    return flags > cudaEventWaitExternal                         ? runtime_end_of(CUDA_ERROR_INVALID_VALUE)
           : flags == cudaEventWaitExternal && !captures(stream) ? runtime_end_of(CUDA_ERROR_ILLEGAL_STATE)
                                                                 : put(OPERATION_WAIT, event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = event_wait((struct event *)event);
    return runtime_end(result);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = event_query((struct event *)event);
    return runtime_end(result);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = ms ? event_between((struct event *)start, (struct event *)end, ms) : CUDA_ERROR_INVALID_VALUE;
    return runtime_end(result);
}

cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    return cudaEventElapsedTime(ms, start, end);
}
// SPDX-License-Identifier: Apache-2.0
