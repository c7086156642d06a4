/* The CUDA driver, opened at run time. */
#include "harness/engines/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* All functions, and where the driver's struct has them; a driver may lack the later ones. */
static const struct {
    const char *name;
    size_t at;
    bool later;
} functions[] = {
#define F(name, parameters) { #name, offsetof(struct cu_driver, name), false },
    CU_FUNCTIONS(F)
#undef F
#define F(name, parameters) { #name, offsetof(struct cu_driver, name), true },
        CU_LATER_FUNCTIONS(F)
#undef F
};

bool cu_open(struct cu_driver *d, char *error, size_t error_size)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        snprintf(error, error_size, "no CUDA driver on this machine (libcuda.so.1 cannot be opened)");
        return false;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *const found = dlsym(library, functions[i].name);
        if (!found && !functions[i].later) {
            snprintf(error, error_size, "the CUDA driver is too old: it has no %s", functions[i].name);
            return false;
        }
        memcpy((char *)d + functions[i].at, &found, sizeof found);
    }
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

/* The driver reads `rank` entries of each array before it refuses a rank above 5 (driver 580 dies of rank 2^32-1), so
 * it gets arrays with some room; and no rank beyond them, where the answer cannot be another. */
cu_result cu_encode(const struct cu_driver *d, const struct tensor_map *m, void *object, unsigned null)
{
    enum { ROOM = 64, INVALID_VALUE = 1 };
    uint64_t dims[ROOM] = { 0 }, strides[ROOM] = { 0 };
    uint32_t box[ROOM] = { 0 }, element_strides[ROOM] = { 0 };
    int lower[ROOM] = { 0 }, upper[ROOM] = { 0 };

    if (m->rank < 0 || m->rank >= ROOM)
        return INVALID_VALUE;
    memcpy(dims, m->dims, sizeof m->dims);
    memcpy(strides, m->strides, sizeof m->strides);
    memcpy(box, m->box, sizeof m->box);
    memcpy(element_strides, m->element_strides, sizeof m->element_strides);
    memcpy(lower, m->lower, sizeof m->lower);
    memcpy(upper, m->upper, sizeof m->upper);
    if (m->mode >= TENSOR_MODE_IM2COL_W)
        return d->cuTensorMapEncodeIm2colWide
                   ? d->cuTensorMapEncodeIm2colWide(
                         object, (int)m->type, (uint32_t)m->rank, (void *)(uintptr_t)m->address, dims, strides,
                         lower[0], upper[0], m->channels, m->pixels, element_strides, (int)m->interleave,
                         (int)(m->mode - TENSOR_MODE_IM2COL_W), (int)m->swizzle, (int)m->l2, (int)m->fill)
                   : INVALID_VALUE;
    if (m->mode == TENSOR_MODE_IM2COL)
        return d->cuTensorMapEncodeIm2col(object, (int)m->type, (uint32_t)m->rank, (void *)(uintptr_t)m->address, dims,
                                          strides, lower, upper, m->channels, m->pixels, element_strides,
                                          (int)m->interleave, (int)m->swizzle, (int)m->l2, (int)m->fill);
    return d->cuTensorMapEncodeTiled(
        null & 1 ? NULL : object, (int)m->type, (uint32_t)m->rank, null & 2 ? NULL : (void *)(uintptr_t)m->address,
        null & 4 ? NULL : dims, null & 8 ? NULL : strides, null & 16 ? NULL : box, null & 32 ? NULL : element_strides,
        (int)m->interleave, (int)m->swizzle, (int)m->l2, (int)m->fill);
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
    return cu_encode(&encoder, map, object, 0);
}
// SPDX-License-Identifier: Apache-2.0
