/* The CUDA driver, opened at run time. */
#include "harness/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool cu_open(struct cu_driver *d, char *error, size_t error_size)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        snprintf(error, error_size, "no CUDA driver on this machine (libcuda.so.1 cannot be opened)");
        return false;
    }
#define F(name, parameters)                                                                                            \
    *(void **)&d->name = dlsym(library, #name);                                                                        \
    if (!d->name) {                                                                                                    \
        snprintf(error, error_size, "the CUDA driver is too old: it has no %s", #name);                                \
        return false;                                                                                                  \
    }
    CU_FUNCTIONS(F)
#undef F
    return true;
}

const char *cu_name(const struct cu_driver *d, cu_result result)
{
    static char number[32];
    const char *name = NULL;

    if (d->cuGetErrorName(result, &name) == 0 && name)
        return name;
    snprintf(number, sizeof number, "CUresult %d", result);
    return number;
}

static struct cu_driver encoder;

bool gpu_encode_open(char *error, size_t error_size)
{
    cu_context context;
    cu_result result;

    if (!cu_open(&encoder, error, error_size))
        return false;
    result = encoder.cuInit(0);
    if (result) {
        snprintf(error, error_size, "cuInit: %s", cu_name(&encoder, result));
        return false;
    }
    result = encoder.cuCtxCreate_v2(&context, 0, 0);
    if (result) {
        snprintf(error, error_size, "cuCtxCreate: %s", cu_name(&encoder, result));
        return false;
    }
    return true;
}

int gpu_encode(const struct tensor_map *map, void *object)
{
    return encoder.cuTensorMapEncodeTiled(object, (int)map->type, (uint32_t)map->rank, (void *)(uintptr_t)map->address,
                                          map->dims, map->strides, map->box, map->element_strides,
                                          (int)map->interleave, (int)map->swizzle, (int)map->l2, (int)map->fill);
}
