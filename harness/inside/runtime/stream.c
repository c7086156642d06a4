/* Streams and events of the runtime. */
#include <stdlib.h>

#include "harness/inside/device/stream.h"
#include "harness/inside/runtime/runtime.h"

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS) {
        *out = (cudaStream_t)stream_new(flags, priority);
        result = *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    return runtime_end(result);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    return cudaStreamCreateWithPriority(out, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    return cudaStreamCreateWithPriority(out, 0, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && !stream_free((CUstream)stream))
        result = CUDA_ERROR_INVALID_HANDLE;
    return runtime_end(result);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    CUresult result = runtime_begin();
    struct stream *s = stream_of((CUstream)stream);

    if (result == CUDA_SUCCESS)
        result = s ? stream_wait(s) : CUDA_ERROR_INVALID_HANDLE;
    return runtime_end(result);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    struct operation op = { .kind = OPERATION_WAIT, .event = (struct event *)event };
    CUresult result = runtime_begin();
    struct stream *s = stream_of((CUstream)stream);

    (void)flags;
    if (result == CUDA_SUCCESS)
        result = s && event ? stream_put(s, &op) : CUDA_ERROR_INVALID_HANDLE;
    return runtime_end(result);
}

cudaError_t cudaDeviceSynchronize(void)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = stream_wait(NULL);
    return runtime_end(result);
}

/* ---- events -------------------------------------------------------------------------------------------------------
 */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS) {
        struct event *e = calloc(1, sizeof *e);
        if (e)
            e->flags = flags;
        *out = (cudaEvent_t)e;
        result = e ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
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

    if (result == CUDA_SUCCESS) {
        struct event *e = (struct event *)event;
        if (e)
            free(e->after);
        free(e);
    }
    return runtime_end(result);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    struct operation op = { .kind = OPERATION_RECORD, .event = (struct event *)event };
    CUresult result = runtime_begin();
    struct stream *s = stream_of((CUstream)stream);

    (void)flags;
    if (result == CUDA_SUCCESS)
        result = s && event ? stream_put(s, &op) : CUDA_ERROR_INVALID_HANDLE;
    return runtime_end(result);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = event ? stream_wait(NULL) : CUDA_ERROR_INVALID_HANDLE;
    return runtime_end(result);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return cudaEventSynchronize(event);
}

/* At least half a microsecond: programs divide by it. */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    const struct event *a = (const struct event *)start, *b = (const struct event *)end;
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && (!a || !b || !a->recorded || !b->recorded))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS) {
        const double ms_between = (b->at - a->at) * 1e3;
        *ms = (float)(ms_between < 0.0005 ? 0.0005 : ms_between);
    }
    return runtime_end(result);
}
