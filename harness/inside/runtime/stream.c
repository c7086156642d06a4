/* Streams of the runtime, and functions of the host in them. */
#include <stdlib.h>
#include <string.h>

#include "harness/inside/driver/driver.h"
#include "harness/inside/runtime/old.h"
#include "harness/inside/runtime/runtime.h"

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS && (!out || flags > cudaStreamNonBlocking))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        /* A priority beyond the range is the nearest one in it. */
        priority = priority > 0 ? 0 : priority < STREAM_GREATEST_PRIORITY ? STREAM_GREATEST_PRIORITY : priority;
        *out = (cudaStream_t)stream_new(flags, priority);
        result = *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (result == CUDA_SUCCESS)
        ((struct stream *)*out)->context = driver_context();
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
    CUresult result = runtime_begin();
    struct stream *s = stream_of((CUstream)stream);

    if (result == CUDA_SUCCESS)
        result = s ? stream_query(s) : CUDA_ERROR_INVALID_HANDLE;
    return runtime_end(result);
}

/* ---- what a stream is ----------------------------------------------------------------------------------------------
 */

/* A call that asks a stream for something, and where that goes. */
static CUresult begin_with(cudaStream_t stream, const void *out, struct stream **s)
{
    const CUresult result = runtime_begin();

    *s = stream_of((CUstream)stream);
    if (result != CUDA_SUCCESS)
        return result;
    return !*s ? CUDA_ERROR_INVALID_HANDLE : out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    struct stream *s;
    const CUresult result = begin_with(stream, priority, &s);

    if (result == CUDA_SUCCESS)
        *priority = s->priority;
    return runtime_end(result);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    struct stream *s;
    const CUresult result = begin_with(stream, flags, &s);

    if (result == CUDA_SUCCESS)
        *flags = s->flags;
    return runtime_end(result);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    struct stream *s;
    const CUresult result = begin_with(stream, id, &s);

    if (result == CUDA_SUCCESS)
        *id = s->number;
    return runtime_end(result);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *number)
{
    struct stream *s;
    const CUresult result = begin_with(stream, number, &s);

    if (result == CUDA_SUCCESS)
        *number = 0;
    return runtime_end(result);
}

/* Attributes that streams have: bits by their numbers. */
static bool is_of_stream(cudaLaunchAttributeID which)
{
    const unsigned known = 1u << cudaLaunchAttributeAccessPolicyWindow |
                           1u << cudaLaunchAttributeSynchronizationPolicy | 1u << cudaLaunchAttributePriority |
                           1u << cudaLaunchAttributeMemSyncDomainMap | 1u << cudaLaunchAttributeMemSyncDomain;

    return (unsigned)which < 32 && known >> which & 1;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID which, cudaLaunchAttributeValue *value)
{
    struct stream *s;
    CUresult result = begin_with(stream, value, &s);

    if (result == CUDA_SUCCESS && !is_of_stream(which))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        memcpy(value, &s->attributes[which], sizeof *value);
        if (which == cudaLaunchAttributePriority)
            value->priority = s->priority;
        else if (which == cudaLaunchAttributeSynchronizationPolicy && !value->syncPolicy)
            value->syncPolicy = (enum cudaSynchronizationPolicy) - 1; /* not set: as an H200 says it */
    }
    return runtime_end(result);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID which,
                                   const cudaLaunchAttributeValue *value)
{
    struct stream *s;
    CUresult result = begin_with(stream, value, &s);

    if (result == CUDA_SUCCESS && !is_of_stream(which))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        memcpy(&s->attributes[which], value, sizeof *value);
        if (which == cudaLaunchAttributePriority)
            s->priority = value->priority;
    }
    return runtime_end(result);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    struct stream *s;
    const CUresult result = begin_with(to, stream_of((CUstream)from), &s);

    if (result == CUDA_SUCCESS)
        memcpy(s->attributes, stream_of((CUstream)from)->attributes, sizeof s->attributes);
    return runtime_end(result);
}

/* ---- functions of the host ------------------------------------------------------------------------------------------
 */

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    struct operation op = { .kind = OPERATION_HOST, .host = { function, data } };
    struct stream *s;
    CUresult result = begin_with(stream, (const void *)(uintptr_t)function, &s);

    if (result == CUDA_SUCCESS)
        result = stream_put(s, &op);
    return runtime_end(result);
}

struct callback {
    cudaStreamCallback_t function;
    cudaStream_t stream;
    void *data;
};

static void call_back(void *data)
{
    const struct callback *c = data;

    c->function(c->stream, (cudaError_t)device.error, c->data);
    free(data);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned flags)
{
    struct callback *c = malloc(sizeof *c);
    struct operation op = { .kind = OPERATION_HOST, .host = { call_back, c } };
    struct stream *s;
    CUresult result = begin_with(stream, (const void *)(uintptr_t)function, &s);
    bool put = false;

    if (result == CUDA_SUCCESS && flags)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !c)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS && s->capture)
        result = capture_break(s->capture);
    if (result == CUDA_SUCCESS) {
        *c = (struct callback){ function, stream, data };
        result = stream_put(s, &op);
        put = result == CUDA_SUCCESS;
    }
    if (!put)
        free(c);
    return runtime_end(result);
}
// SPDX-License-Identifier: Apache-2.0
