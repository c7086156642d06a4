/* Errors of the driver API, and what stands around each of its calls. */
#include "harness/inside/driver/driver.h"

CUresult driver_begin_bare(void)
{
    device_enter();
    if (!device.initialised && !device.runtime)
        return CUDA_ERROR_NOT_INITIALIZED;
    device_state();
    return device.machine ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

bool driver_has_context(const void *handle)
{
    const CUstream stream = (CUstream)(uintptr_t)handle;
    const bool is_default = !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;

    return driver_context() || (!is_default && (stream_of(stream) || event_known((const struct event *)handle)));
}

CUresult driver_begin_in(CUstream stream)
{
    const CUresult result = driver_begin_bare();

    if (result != CUDA_SUCCESS)
        return result;
    return driver_has_context(stream) ? device.error : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult driver_begin(void)
{
    return driver_begin_in(NULL);
}

CUresult driver_end(CUresult result)
{
    device_leave();
    return result;
}

CUresult driver_device(CUdevice number)
{
    return number == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult driver_put(CUstream stream, struct operation *op)
{
    struct stream *s = stream_of(stream);

    return s ? stream_put(s, op) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult driver_put_and_wait(struct operation *op)
{
    const CUresult result = stream_wait_to_copy();

    return result == CUDA_SUCCESS ? driver_put(NULL, op) : result;
}

CUresult driver_function(const void *handle, struct function **out)
{
    *out = (struct function *)(uintptr_t)handle;
    return module_owns(*out) ? module_load((*out)->module) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult driver_kernel(CUresult begun, const void *handle, const void *out, struct function **f)
{
    if (begun != CUDA_SUCCESS)
        return begun;
    return out ? driver_function(handle, f) : CUDA_ERROR_INVALID_VALUE;
}

/* ---- names and sentences ------------------------------------------------------------------------------------------
 */

static const struct error {
    CUresult error;
    const char *name, *text;
} errors[] = {
#define ERROR(number, name, text) { number, #name, text },
#include "harness/inside/driver/errors.def"
#undef ERROR
};

/* NULL: there is none such. */
static const struct error *find(CUresult error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return &errors[i];
    return NULL;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    const struct error *e = find(error);

    if (name)
        *name = e ? e->name : NULL;
    return name && e ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    const struct error *e = find(error);

    if (text)
        *text = e ? e->text : NULL;
    return text && e ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
// SPDX-License-Identifier: Apache-2.0
