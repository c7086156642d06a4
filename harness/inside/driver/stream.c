/* Streams and events of the driver API. */
#include <stdlib.h>
#include <string.h>

#include "harness/inside/driver/driver.h"

/* Whether the handle is that of a stream; takes the device. */
static CUresult begin(CUstream handle, struct stream **out)
{
    const CUresult result = driver_begin();

    *out = result == CUDA_SUCCESS ? stream_of(handle) : NULL;
    return result == CUDA_SUCCESS && !*out ? CUDA_ERROR_INVALID_HANDLE : result;
}

CUresult cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && (!out || flags > CU_STREAM_NON_BLOCKING))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *out = (CUstream)stream_new(flags, priority < -5 ? -5 : priority > 0 ? 0 : priority);
        result = *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    return driver_end(result);
}

CUresult cuStreamCreate(CUstream *out, unsigned flags)
{
    return cuStreamCreateWithPriority(out, flags, 0);
}

CUresult cuStreamDestroy(CUstream stream)
{
    const CUresult result = driver_begin();

    return driver_end(result == CUDA_SUCCESS && !stream_free(stream) ? CUDA_ERROR_INVALID_HANDLE : result);
}

CUresult cuStreamSynchronize(CUstream stream)
{
    struct stream *s;
    const CUresult result = begin(stream, &s);

    return driver_end(result == CUDA_SUCCESS ? stream_wait(s) : result);
}

CUresult cuStreamQuery(CUstream stream)
{
    return cuStreamSynchronize(stream);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    struct operation op = { .kind = OPERATION_WAIT, .event = (struct event *)event };
    struct stream *s;
    CUresult result = begin(stream, &s);

    (void)flags;
    if (result == CUDA_SUCCESS)
        result = event ? stream_put(s, &op) : CUDA_ERROR_INVALID_HANDLE;
    return driver_end(result);
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
    struct stream *s;
    const CUresult result = begin(stream, &s);

    if (result == CUDA_SUCCESS)
        *flags = s->flags;
    return driver_end(result);
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    struct stream *s;
    const CUresult result = begin(stream, &s);

    if (result == CUDA_SUCCESS)
        *priority = s->priority;
    return driver_end(result);
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *number)
{
    struct stream *s;
    const CUresult result = begin(stream, &s);

    if (result == CUDA_SUCCESS)
        *number = s->number;
    return driver_end(result);
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice *dev)
{
    struct stream *s;
    const CUresult result = begin(stream, &s);

    if (result == CUDA_SUCCESS)
        *dev = 0;
    return driver_end(result);
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *out)
{
    struct stream *s;
    const CUresult result = begin(stream, &s);

    if (result == CUDA_SUCCESS)
        *out = driver_context();
    return driver_end(result);
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *out, CUgreenCtx *green)
{
    if (green)
        *green = NULL;
    return cuStreamGetCtx(stream, out);
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from)
{
    struct stream *s;
    const CUresult result = begin(to, &s);

    return driver_end(result == CUDA_SUCCESS && !stream_of(from) ? CUDA_ERROR_INVALID_HANDLE : result);
}

/* Attributes of a stream say how it uses caches: there are none here. */
CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID which, const CUstreamAttrValue *value)
{
    struct stream *s;

    (void)which, (void)value;
    return driver_end(begin(stream, &s));
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID which, CUstreamAttrValue *value)
{
    struct stream *s;
    const CUresult result = begin(stream, &s);

    (void)which;
    if (result == CUDA_SUCCESS)
        memset(value, 0, sizeof *value);
    return driver_end(result);
}

/* ---- functions of the host ----------------------------------------------------------------------------------------
 */

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn call, void *data)
{
    struct operation op = { .kind = OPERATION_HOST, .host = { call, data } };
    struct stream *s;
    CUresult result = begin(stream, &s);

    if (result == CUDA_SUCCESS)
        result = call ? stream_put(s, &op) : CUDA_ERROR_INVALID_VALUE;
    return driver_end(result);
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback call, void *data, unsigned flags)
{
    struct stream *s;
    CUresult result = begin(stream, &s);

    if (result == CUDA_SUCCESS && (flags || !call))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && s->capture)
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (result == CUDA_SUCCESS)
        call(stream, CUDA_SUCCESS, data);
    return driver_end(result);
}

/* ---- values -------------------------------------------------------------------------------------------------------
 */

static CUresult write_value(CUstream stream, CUdeviceptr at, uint64_t value, unsigned bytes)
{
    struct stream *s;
    CUresult result = begin(stream, &s);

    if (result == CUDA_SUCCESS && (!at || at % bytes))
        result = CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; result == CUDA_SUCCESS && i < bytes / 4; i++) {
        struct operation op = { .kind = OPERATION_SET,
                                .set = { .to = { (unsigned char *)at + 4 * i, 4, 4 },
                                         .value = (uint32_t)(value >> 32 * i),
                                         .element = 4,
                                         .width = 1,
                                         .height = 1,
                                         .depth = 1 } };
        result = stream_put(s, &op);
    }
    return driver_end(result);
}

/* Whether the value at an address is what a stream waits for. It comes only from operations that were issued before:
 * one that is issued later, or the host, can release no stream here. */
static CUresult wait_value(CUstream stream, CUdeviceptr at, uint64_t value, unsigned bytes, unsigned flags)
{
    struct stream *s;
    CUresult result = begin(stream, &s);
    uint64_t now = 0;
    int64_t ahead;
    bool there;

    if (result == CUDA_SUCCESS && (!at || at % bytes || !memory_of(at)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_end(result);
    memcpy(&now, (const void *)at, bytes);
    ahead = bytes == 4 ? (int32_t)((uint32_t)now - (uint32_t)value) : (int64_t)(now - value);
    switch (flags & 3) {
    case CU_STREAM_WAIT_VALUE_GEQ: there = ahead >= 0; break;
    case CU_STREAM_WAIT_VALUE_EQ: there = !ahead; break;
    case CU_STREAM_WAIT_VALUE_AND: there = now & value; break;
    default: there = ~(now | value) & (bytes == 4 ? UINT32_MAX : UINT64_MAX); break;
    }
    if (s->capture || !there) {
        say_line("cuStreamWaitValue%u: the stream would wait for what is done later, which this device cannot",
                 8 * bytes);
        result = CUDA_ERROR_NOT_SUPPORTED;
    }
    return driver_end(result);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned flags)
{
    (void)flags;
    return write_value(stream, at, value, 4);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr at, cuuint64_t value, unsigned flags)
{
    (void)flags;
    return write_value(stream, at, value, 8);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned flags)
{
    return wait_value(stream, at, value, 4, flags);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr at, cuuint64_t value, unsigned flags)
{
    return wait_value(stream, at, value, 8, flags);
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams *ops, unsigned flags)
{
    CUresult result = ops && !flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;

    for (unsigned i = 0; i < count && result == CUDA_SUCCESS; i++) {
        const CUstreamBatchMemOpParams *op = &ops[i];
        switch (op->operation) {
        case CU_STREAM_MEM_OP_WAIT_VALUE_32:
            result = wait_value(stream, op->waitValue.address, op->waitValue.value, 4, op->waitValue.flags);
            break;
        case CU_STREAM_MEM_OP_WAIT_VALUE_64:
            result = wait_value(stream, op->waitValue.address, op->waitValue.value64, 8, op->waitValue.flags);
            break;
        case CU_STREAM_MEM_OP_WRITE_VALUE_32:
            result = write_value(stream, op->writeValue.address, op->writeValue.value, 4);
            break;
        case CU_STREAM_MEM_OP_WRITE_VALUE_64:
            result = write_value(stream, op->writeValue.address, op->writeValue.value64, 8);
            break;
        case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        case CU_STREAM_MEM_OP_BARRIER: break; /* all before has taken place */
        default: result = CUDA_ERROR_NOT_SUPPORTED;
        }
    }
    return result;
}

/* ---- events -------------------------------------------------------------------------------------------------------
 */

CUresult cuEventCreate(CUevent *out, unsigned flags)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && !out)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        struct event *e = calloc(1, sizeof *e);
        if (e)
            e->flags = flags;
        *out = (CUevent)e;
        result = e ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    return driver_end(result);
}

CUresult cuEventDestroy(CUevent event)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && !event)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS) {
        free(((struct event *)event)->after);
        free(event);
    }
    return driver_end(result);
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
    struct operation op = { .kind = OPERATION_RECORD, .event = (struct event *)event };
    struct stream *s;
    CUresult result = begin(stream, &s);

    (void)flags;
    if (result == CUDA_SUCCESS)
        result = event ? stream_put(s, &op) : CUDA_ERROR_INVALID_HANDLE;
    return driver_end(result);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return cuEventRecordWithFlags(event, stream, 0);
}

CUresult cuEventSynchronize(CUevent event)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS)
        result = event ? stream_wait(NULL) : CUDA_ERROR_INVALID_HANDLE;
    return driver_end(result);
}

CUresult cuEventQuery(CUevent event)
{
    return cuEventSynchronize(event);
}

/* At least half a microsecond: programs divide by it. */
CUresult cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end)
{
    const struct event *a = (const struct event *)start, *b = (const struct event *)end;
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS &&
        (!a || !b || !a->recorded || !b->recorded || (a->flags | b->flags) & CU_EVENT_DISABLE_TIMING))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS) {
        const double between = (b->at - a->at) * 1e3;
        *ms = (float)(between < 0.0005 ? 0.0005 : between);
    }
    return driver_end(result);
}
