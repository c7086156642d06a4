/* Errors of the driver API, and what stands around each of its calls. */
#include "harness/inside/driver/driver.h"

CUresult driver_begin_bare(void)
{
    device_enter();
    return device.initialised || device.runtime ? device_state() : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult driver_begin(void)
{
    const CUresult result = driver_begin_bare();

    return result == CUDA_SUCCESS && !driver_context() ? CUDA_ERROR_INVALID_CONTEXT : result;
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
    const CUresult result = stream_wait(NULL);

    return result == CUDA_SUCCESS ? driver_put(NULL, op) : result;
}

CUresult driver_function(const void *handle, struct function **out)
{
    *out = (struct function *)(uintptr_t)handle;
    return module_owns(*out) ? module_load((*out)->module) : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- names and sentences ------------------------------------------------------------------------------------------
 */

static const struct {
    CUresult error;
    const char *name, *text;
} errors[] = {
#define ERROR(name, text) { name, #name, text },
#include "harness/inside/driver/errors.def"
#undef ERROR
};

CUresult cuGetErrorName(CUresult error, const char **name)
{
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error) {
            *name = errors[i].name;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error) {
            *text = errors[i].text;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}
