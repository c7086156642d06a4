/* Streams of the driver API: what the runtime has not. Most of it is in `same`. */
#include <string.h>

#include "harness/inside/driver/driver.h"

/* Whether the handle is that of a stream; takes the device. */
static CUresult begin(CUstream handle, struct stream **out)
{
    const CUresult result = driver_begin_in(handle);

    *out = result == CUDA_SUCCESS ? stream_of(handle) : NULL;
    return result == CUDA_SUCCESS && !*out ? CUDA_ERROR_INVALID_HANDLE : result;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *out)
{
    struct stream *s;
    const CUresult result = begin(stream, &s);

    if (result == CUDA_SUCCESS)
        *out = s->context ? s->context : driver_context();
    return driver_end(result);
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *out, CUgreenCtx *green)
{
    if (green)
        *green = NULL;
    return cuStreamGetCtx(stream, out);
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

/* What comes behind in the stream waits until the host or another stream has written. */
static CUresult wait_value(CUstream stream, CUdeviceptr at, uint64_t value, unsigned bytes, unsigned flags)
{
    struct operation op = { .kind = OPERATION_VALUE, .awaited = { at, value, bytes, flags } };
    struct stream *s;
    CUresult result = begin(stream, &s);

    if (result == CUDA_SUCCESS && (!at || at % bytes || !memory_is_device(at)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && s->capture)
        result = say_missing("(a wait for a value in a graph)");
    if (result == CUDA_SUCCESS)
        result = stream_put(s, &op);
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
    struct stream *s;
    CUresult result = driver_end(begin(stream, &s));

    if (result == CUDA_SUCCESS && (!ops || flags))
        result = CUDA_ERROR_INVALID_VALUE;

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
        default: result = CUDA_ERROR_INVALID_VALUE;
        }
    }
    return result;
}
// SPDX-License-Identifier: Apache-2.0
