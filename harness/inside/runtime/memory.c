/* Memory of the runtime: allocated, freed, registered, asked about. */
#include <string.h>

#include "harness/inside/device/later.h"
#include "harness/inside/device/races.h"
#include "harness/inside/device/stream.h"
#include "harness/inside/runtime/runtime.h"

enum { PITCH = 512 }; /* bytes that cudaMallocPitch rounds a row up to */

/* A call that fails leaves NULL, as on an H200: also one that has these flags, and knows only those. */
static cudaError_t allocate(enum memory_kind kind, void **out, size_t bytes, unsigned flags, bool known)
{
    CUresult result = runtime_begin();
    uint64_t at = 0;

    if (result == CUDA_SUCCESS)
        result = out && known ? capture_forbids() : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && bytes)
        result = memory_new(kind, bytes, flags, &at);
    if (out)
        *out = result == CUDA_SUCCESS ? (void *)(uintptr_t)at : NULL;
    return runtime_end(result);
}

cudaError_t cudaMalloc(void **out, size_t bytes)
{
    return allocate(MEMORY_DEVICE, out, bytes, 0, true);
}

cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
    return allocate(MEMORY_MANAGED, out, bytes, flags, flags == cudaMemAttachGlobal || flags == cudaMemAttachHost);
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    return allocate(MEMORY_HOST, out, bytes, 0, true);
}

cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;

    return allocate(MEMORY_HOST, out, bytes, flags, !(flags & ~known));
}

cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
    if (!pitch || width > SIZE_MAX / 2)
        return runtime_end_of(pitch ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE);
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return allocate(MEMORY_DEVICE, out, *pitch * height, 0, true);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent box)
{
    const size_t pitch = (box.width + PITCH - 1) / PITCH * PITCH;
    void *at = NULL;
    cudaError_t error;

    if (!out || box.width > SIZE_MAX / 2)
        return runtime_end_of(CUDA_ERROR_INVALID_VALUE);
    error = allocate(MEMORY_DEVICE, &at, pitch * box.height * box.depth, 0, true);
    if (error == cudaSuccess)
        *out = (struct cudaPitchedPtr){ at, pitch, box.width, box.height };
    return error;
}

/* Frees memory of the kinds that a call is for. */
static cudaError_t release(void *at, unsigned kinds, const char *call)
{
    CUresult result = runtime_begin();
    const struct memory *m;

    if (result == CUDA_SUCCESS && at)
        result = capture_forbids();
    if (result == CUDA_SUCCESS && at)
        later_wait(NULL); /* as a device does that frees: other threads free memory meanwhile, and the list moves */
    m = at ? memory_of((uint64_t)(uintptr_t)at) : NULL;
    if (result == CUDA_SUCCESS && at && m && !(kinds >> m->kind & 1))
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && at)
        result = memory_rest((uint64_t)(uintptr_t)at, true);
    if (result != CUDA_SUCCESS && at && !m)
        memory_look_freed((uint64_t)(uintptr_t)at, call);
    if (result == CUDA_SUCCESS && at) { /* it waits for the device */
        say_printed();
        races_synchronised();
    }
    return runtime_end(result);
}

cudaError_t cudaFree(void *at)
{
    return release(at, 1u << MEMORY_DEVICE | 1u << MEMORY_MANAGED | 1u << MEMORY_POOL | 1u << MEMORY_GRAPH, "cudaFree");
}

cudaError_t cudaFreeHost(void *at)
{
    return release(at, 1u << MEMORY_HOST, "cudaFreeHost");
}

/* ---- host memory ------------------------------------------------------------------------------------------------- */

cudaError_t cudaHostRegister(void *at, size_t bytes, unsigned flags)
{
    const unsigned known =
        cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = flags & ~known ? CUDA_ERROR_INVALID_VALUE
                                : memory_register(at, bytes, flags & ~(unsigned)cudaHostRegisterReadOnly);
    return runtime_end(result);
}

cudaError_t cudaHostUnregister(void *at)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = memory_free((uint64_t)(uintptr_t)at, true);
    return runtime_end(result);
}

static bool is_host(const struct memory *m)
{
    return m && (m->kind == MEMORY_HOST || m->kind == MEMORY_REGISTERED);
}

static bool is_managed(const struct memory *m)
{
    return m && m->kind == MEMORY_MANAGED;
}

cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags)
{
    CUresult result = runtime_begin();
    const struct memory *m = memory_of((uint64_t)(uintptr_t)host);

    if (result == CUDA_SUCCESS && (!out || flags || (!is_host(m) && !is_managed(m))))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *out = host;
    return runtime_end(result);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    CUresult result = runtime_begin();
    const struct memory *m = memory_of((uint64_t)(uintptr_t)host);

    if (result == CUDA_SUCCESS && (!flags || (!is_host(m) && !is_managed(m))))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *flags = (is_host(m) ? m->flags : 0) | cudaHostAllocMapped;
    return runtime_end(result);
}

cudaError_t cudaMemGetInfo(size_t *unused, size_t *total)
{
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS) {
        const uint64_t used = memory_used();
        if (total)
            *total = DEVICE_MEMORY;
        if (unused)
            *unused = used < DEVICE_MEMORY ? DEVICE_MEMORY - used : 0;
    }
    return runtime_end(result);
}

/* ---- what a pointer is ---------------------------------------------------------------------------------------------
 */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *pointer)
{
    CUresult result = runtime_begin_anyway();
    const struct memory *m = memory_of((uint64_t)(uintptr_t)pointer);

    if (result == CUDA_SUCCESS && !out)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        void *const at = (void *)(uintptr_t)pointer;
        struct cudaPointerAttributes about = { .type = cudaMemoryTypeUnregistered, .device = -2 };
        if (!memory_is_device((uint64_t)(uintptr_t)pointer)) {
            about.hostPointer = at;
        } else {
            about.type = is_host(m)                                        ? cudaMemoryTypeHost
                         : is_managed(m) || runtime_managed(pointer, NULL) ? cudaMemoryTypeManaged
                                                                           : cudaMemoryTypeDevice;
            about.device = 0;
            about.devicePointer = at;
            about.hostPointer = about.type == cudaMemoryTypeDevice ? NULL : at;
        }
        runtime_copy(out, &about, sizeof about, POINTER_ATTRIBUTES_OF_12);
    }
    return runtime_end(result);
}

/* ---- IPC: there is no other process on this device -----------------------------------------------------------------
 */

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *out, void *at)
{
    CUresult result = runtime_begin();
    const struct memory *m = memory_of((uint64_t)(uintptr_t)at);

    if (result == CUDA_SUCCESS && (!out || !m || m->kind != MEMORY_DEVICE))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        memset(out, 0, sizeof *out);
        memcpy(out, &m->at, sizeof m->at);
    }
    return runtime_end(result);
}

cudaError_t cudaIpcOpenMemHandle(void **out, cudaIpcMemHandle_t handle, unsigned flags)
{
    uint64_t at;

    (void)out, (void)flags;
    memcpy(&at, &handle, sizeof at);
    runtime_begin();
    /* A process cannot open what it has made itself. */
    return runtime_end(memory_of(at) ? CUDA_ERROR_INVALID_CONTEXT
                                     : say_missing("cudaIpcOpenMemHandle (of another process)"));
}

cudaError_t cudaIpcCloseMemHandle(void *at)
{
    (void)at;
    return runtime_end_of(CUDA_ERROR_INVALID_VALUE);
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *out, cudaEvent_t event)
{
    const struct event *e = (const struct event *)event;
    CUresult result = runtime_begin();

    if (result == CUDA_SUCCESS)
        result = !out || !e                                                         ? CUDA_ERROR_INVALID_VALUE
                 : !event_known(e) || !(e->flags & (unsigned)cudaEventInterprocess) ? CUDA_ERROR_INVALID_HANDLE
                                                                                    : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) {
        memset(out, 0, sizeof *out);
        memcpy(out, &e, sizeof e);
    }
    return runtime_end(result);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *out, cudaIpcEventHandle_t handle)
{
    const struct event *e;

    (void)out;
    memcpy(&e, &handle, sizeof e);
    runtime_begin();
    return runtime_end(event_known(e) ? CUDA_ERROR_INVALID_CONTEXT
                                      : say_missing("cudaIpcOpenEventHandle (of another process)"));
}
// SPDX-License-Identifier: Apache-2.0
