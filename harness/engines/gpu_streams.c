/* A host's calls on a device: streams, events, page-locked memory. */
#include "harness/engines/gpu_streams.h"

#include <string.h>
#include <time.h>

enum { NOT_READY = 600, WITHOUT_TIMING = 2, MEMORY_TYPE = 2, MEMORY_TYPE_HOST = 1 };

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Makes what the steps use before the first of them, so that it is no part of a call's time. */
static cu_result make_all(struct gpu_streams *s, const struct cu_driver *d, const char **call)
{
    cu_result r = 0;

    *call = "cuStreamCreate";
    for (int i = 0; i < CK_STREAMS && !r; i++)
        if (!s->streams[i])
            r = d->cuStreamCreate(&s->streams[i], CU_STREAM_NO_WAIT);
    for (int i = 0; i < CK_EVENTS && !r; i++) {
        *call = "cuEventCreate";
        if (!s->events[i])
            r = d->cuEventCreate(&s->events[i], WITHOUT_TIMING);
    }
    return r;
}

static cu_result copy(const struct cu_driver *d, const struct ck_step *p, cu_stream stream)
{
    switch (p->kind) {
    case CK_STEP_IN:
        return p->waits ? d->cuMemcpyHtoD_v2(p->device, p->host, p->bytes)
                        : d->cuMemcpyHtoDAsync_v2(p->device, p->host, p->bytes, stream);
    case CK_STEP_OUT:
        return p->waits ? d->cuMemcpyDtoH_v2(p->host, p->device, p->bytes)
                        : d->cuMemcpyDtoHAsync_v2(p->host, p->device, p->bytes, stream);
    default:
        return p->waits ? d->cuMemcpyDtoD_v2(p->device, p->from, p->bytes)
                        : d->cuMemcpyDtoDAsync_v2(p->device, p->from, p->bytes, stream);
    }
}

/* The stream of copies that wait is the driver's own, 0: CK_STEP_ASK with `waits` asks it. */
static cu_result ask(const struct cu_driver *d, struct ck_step *p, cu_stream stream)
{
    const cu_result r = d->cuStreamQuery(p->waits ? NULL : stream);

    p->busy = r == NOT_READY;
    return p->busy ? 0 : r;
}

static cu_result do_call(struct gpu_streams *s, const struct cu_driver *d, struct ck_step *p)
{
    cu_stream stream = s->streams[p->stream % CK_STREAMS];
    cu_event event = s->events[p->event % CK_EVENTS];

    switch (p->kind) {
    case CK_STEP_RECORD: return d->cuEventRecord(event, stream);
    case CK_STEP_AFTER: return d->cuStreamWaitEvent(stream, event, 0);
    case CK_STEP_WAIT_STREAM: return d->cuStreamSynchronize(stream);
    case CK_STEP_WAIT_EVENT: return d->cuEventSynchronize(event);
    case CK_STEP_WAIT_DEVICE: return d->cuCtxSynchronize();
    case CK_STEP_ASK: return ask(d, p, stream);
    case CK_STEP_KEEP: memcpy(p->kept, p->host, p->bytes); return 0;
    case CK_STEP_FILL: memset(p->host, p->value, p->bytes); return 0;
    default: return copy(d, p, stream);
    }
}

cu_result gpu_streams_steps(struct gpu_streams *s, const struct cu_driver *d, struct ck_step *steps,
                            const struct ck_device_launch *launches, size_t count, gpu_launch_fn *launch, void *gpu,
                            const char **call, struct ck_outcome *out)
{
    static const char *const names[] = {
        [CK_STEP_IN] = "cuMemcpyHtoD",
        [CK_STEP_OUT] = "cuMemcpyDtoH",
        [CK_STEP_ON] = "cuMemcpyDtoD",
        [CK_STEP_LAUNCH] = "cuLaunchKernelEx",
        [CK_STEP_RECORD] = "cuEventRecord",
        [CK_STEP_AFTER] = "cuStreamWaitEvent",
        [CK_STEP_WAIT_STREAM] = "cuStreamSynchronize",
        [CK_STEP_WAIT_EVENT] = "cuEventSynchronize",
        [CK_STEP_WAIT_DEVICE] = "cuCtxSynchronize",
        [CK_STEP_ASK] = "cuStreamQuery",
        [CK_STEP_KEEP] = "a read of the host",
        [CK_STEP_FILL] = "a write of the host",
    };
    cu_result r = make_all(s, d, call);

    for (size_t i = 0; i < count && !r; i++) {
        const uint64_t start = now();
        *call = names[steps[i].kind];
        if (steps[i].kind != CK_STEP_LAUNCH) {
            r = do_call(s, d, &steps[i]);
        } else if (!launch(gpu, &launches[i], s->streams[steps[i].stream % CK_STREAMS], out)) {
            *call = NULL;
            return 1;
        }
        steps[i].ns = now() - start;
    }
    if (!r) {
        *call = "cuCtxSynchronize";
        r = d->cuCtxSynchronize();
    }
    return r;
}

/* ---- page-locked memory ---- */

void *gpu_streams_pinned(struct gpu_streams *s, const struct cu_driver *d, size_t bytes)
{
    void *p;

    for (int i = 0; i < GPU_PINNED; i++)
        if (!s->pinned[i])
            return s->pinned[i] = d->cuMemHostAlloc(&p, bytes, 0) ? NULL : p;
    return NULL;
}

void gpu_streams_unpin(struct gpu_streams *s, const struct cu_driver *d, const void *p)
{
    for (int i = 0; i < GPU_PINNED; i++)
        if (p && s->pinned[i] == p) {
            d->cuMemFreeHost(s->pinned[i]);
            s->pinned[i] = NULL;
        }
}

void gpu_streams_reset(struct gpu_streams *s, const struct cu_driver *d)
{
    for (int i = 0; i < GPU_PINNED; i++)
        gpu_streams_unpin(s, d, s->pinned[i]);
}

bool gpu_streams_is_pinned(const struct cu_driver *d, const void *p)
{
    unsigned type = 0;

    return !d->cuPointerGetAttribute(&type, MEMORY_TYPE, (cu_deviceptr)(uintptr_t)p) && type == MEMORY_TYPE_HOST;
}
// SPDX-License-Identifier: Apache-2.0
