/* Modules and libraries, which are the same to this device, and what lies in them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/inside/device/fatbin.h"
#include "harness/inside/device/link.h"
#include "harness/inside/driver/driver.h"

/* ---- loading ------------------------------------------------------------------------------------------------------
 */

static CUresult load(CUresult result, const void *image, struct module **out)
{
    if (result == CUDA_SUCCESS && (!image || !out))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = module_new(image, 0, false, out);
    return driver_end(result);
}

/* A whole file, with a NUL behind it; the caller frees it. */
static CUresult read_file(const char *path, char **out, size_t *size)
{
    const int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct stat about;
    size_t n = 0;

    *out = NULL;
    if (fd < 0)
        return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
    if (!fstat(fd, &about))
        *out = malloc((size_t)about.st_size + 1);
    while (*out && n < (size_t)about.st_size) {
        const ssize_t got = read(fd, *out + n, (size_t)about.st_size - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        n += (size_t)got;
    }
    close(fd);
    if (!*out)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (*out)[n] = 0;
    *size = n;
    return CUDA_SUCCESS;
}

/* A library is of no context. */
static CUresult load_file(bool library, const char *path, struct module **out)
{
    char *text;
    size_t size;
    CUresult result = read_file(path, &text, &size);

    if (result == CUDA_SUCCESS)
        result = load(library ? driver_begin_bare() : driver_begin(), text, out);
    free(text);
    return result;
}

CUresult cuModuleLoad(CUmodule *out, const char *path)
{
    return load_file(false, path, (struct module **)out);
}

CUresult cuModuleLoadData(CUmodule *out, const void *image)
{
    return load(driver_begin(), image, (struct module **)out);
}

/* What a compiler has to say to those who ask for it: nothing. */
static void answer_options(unsigned count, const CUjit_option *options, void **values)
{
    for (unsigned i = 0; options && values && i < count; i++) {
        if ((options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES || options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) ||
            options[i] == CU_JIT_WALL_TIME)
            values[i] = NULL;
        else if ((options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER) && values[i])
            *(char *)values[i] = 0;
    }
}

CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned count, CUjit_option *options, void **values)
{
    const CUresult result = load(driver_begin(), image, (struct module **)out);

    answer_options(count, options, values);
    return result;
}

CUresult cuModuleLoadFatBinary(CUmodule *out, const void *image)
{
    return load(driver_begin(), image, (struct module **)out);
}

static CUresult unload(CUresult result, CUmodule m)
{
    if (result == CUDA_SUCCESS && !module_known((struct module *)m))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        module_free((struct module *)m);
    return driver_end(result);
}

CUresult cuModuleUnload(CUmodule m)
{
    return unload(driver_begin(), m);
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    const CUresult result = driver_begin_bare();

    if (result == CUDA_SUCCESS)
        *mode = CU_MODULE_LAZY_LOADING;
    return driver_end(result);
}

/* ---- what lies in them --------------------------------------------------------------------------------------------
 */

static CUresult get_function(CUresult result, struct module *m, const char *name, struct function **out)
{
    if (result == CUDA_SUCCESS && (!name || !out))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !module_known(m))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        result = module_function(m, name, out);
    return driver_end(result);
}

static CUresult get_global(struct module *m, const char *name, CUdeviceptr *at, size_t *bytes)
{
    CUresult result = driver_begin();
    uint64_t address;
    size_t size;

    if (result == CUDA_SUCCESS && (!name || (!at && !bytes)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !module_known(m))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        result = module_variable(m, name, &address, &size);
    if (result == CUDA_SUCCESS && at)
        *at = address;
    if (result == CUDA_SUCCESS && bytes)
        *bytes = size;
    return driver_end(result);
}

/* The first `most` functions into `out`, unless it is NULL; `count` says how many there are. */
static CUresult enumerate(CUresult result, struct module *m, unsigned most, struct function **out, unsigned *count)
{
    const struct ptx_module *ptx;

    *count = 0;
    if (result == CUDA_SUCCESS)
        result = module_known(m) ? module_load(m) : CUDA_ERROR_INVALID_HANDLE;
    ptx = result == CUDA_SUCCESS ? module_ptx(m) : NULL;
    for (uint32_t i = 0; ptx && i < ptx->n_functions && result == CUDA_SUCCESS; i++) {
        if (!ptx->functions[i].is_entry || ptx->functions[i].definition != i)
            continue;
        if (out && *count < most)
            result = module_function(m, ptx->functions[i].name, &out[*count]);
        ++*count;
    }
    return driver_end(result);
}

CUresult cuModuleGetFunction(CUfunction *out, CUmodule m, const char *name)
{
    return get_function(driver_begin(), (struct module *)m, name, (struct function **)out);
}

CUresult cuModuleGetGlobal(CUdeviceptr *at, size_t *bytes, CUmodule m, const char *name)
{
    return get_global((struct module *)m, name, at, bytes);
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule m)
{
    return count ? enumerate(driver_begin(), (struct module *)m, 0, NULL, count) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuModuleEnumerateFunctions(CUfunction *out, unsigned most, CUmodule m)
{
    unsigned count;

    return out ? enumerate(driver_begin(), (struct module *)m, most, (struct function **)out, &count)
               : CUDA_ERROR_INVALID_VALUE;
}

/* ---- libraries ----------------------------------------------------------------------------------------------------
 */

CUresult cuLibraryLoadData(CUlibrary *out, const void *image, CUjit_option *options, void **values, unsigned count,
                           CUlibraryOption *library_options, void **library_values, unsigned library_count)
{
    const CUresult result = load(driver_begin_bare(), image, (struct module **)out);

    (void)library_options, (void)library_values, (void)library_count;
    answer_options(count, options, values);
    return result;
}

CUresult cuLibraryLoadFromFile(CUlibrary *out, const char *path, CUjit_option *options, void **values, unsigned count,
                               CUlibraryOption *library_options, void **library_values, unsigned library_count)
{
    (void)library_options, (void)library_values, (void)library_count;
    answer_options(count, options, values);
    return load_file(true, path, (struct module **)out);
}

CUresult cuLibraryUnload(CUlibrary library)
{
    return unload(driver_begin_bare(), (CUmodule)library);
}

CUresult cuLibraryGetKernel(CUkernel *out, CUlibrary library, const char *name)
{
    return get_function(driver_begin_bare(), (struct module *)library, name, (struct function **)out);
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library)
{
    return count ? enumerate(driver_begin_bare(), (struct module *)library, 0, NULL, count) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLibraryEnumerateKernels(CUkernel *out, unsigned most, CUlibrary library)
{
    unsigned count;

    return out ? enumerate(driver_begin_bare(), (struct module *)library, most, (struct function **)out, &count)
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLibraryGetModule(CUmodule *out, CUlibrary library)
{
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && !module_known((struct module *)library))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        *out = (CUmodule)library;
    return driver_end(result);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *at, size_t *bytes, CUlibrary library, const char *name)
{
    return get_global((struct module *)library, name, at, bytes);
}

CUresult cuLibraryGetManaged(CUdeviceptr *at, size_t *bytes, CUlibrary library, const char *name)
{
    return get_global((struct module *)library, name, at, bytes);
}

CUresult cuKernelGetFunction(CUfunction *out, CUkernel kernel)
{
    struct function *f;
    const CUresult result = driver_kernel(driver_begin(), kernel, out, &f);

    if (result == CUDA_SUCCESS)
        *out = (CUfunction)f;
    return driver_end(result);
}

CUresult cuKernelGetLibrary(CUlibrary *out, CUkernel kernel)
{
    struct function *f;
    const CUresult result = driver_kernel(driver_begin_bare(), kernel, out, &f);

    if (result == CUDA_SUCCESS)
        *out = (CUlibrary)f->module;
    return driver_end(result);
}

/* ---- linking ------------------------------------------------------------------------------------------------------
 */

struct linking {
    struct fatbin texts;
    char *linked;
    bool failed; /* two of its texts do not go together */
};

#undef cuLinkCreate
CUresult cuLinkCreate_v2(unsigned count, CUjit_option *options, void **values, CUlinkState *out)
{
    CUresult result = driver_begin();
    struct linking *l = result == CUDA_SUCCESS ? calloc(1, sizeof *l) : NULL;

    if (result == CUDA_SUCCESS && !l)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    answer_options(count, options, values);
    if (result == CUDA_SUCCESS)
        *out = (CUlinkState)l;
    return driver_end(result);
}

/* What the texts so far make together. */
static CUresult link_all(struct linking *l)
{
    char error[500];
    size_t bytes;

    free(l->linked);
    l->linked = NULL;
    if (l->texts.count == 1)
        l->linked = strdup(l->texts.texts[0].text);
    else if (!link_texts(&l->texts, &l->linked, &bytes, error, sizeof error)) {
        say_line("%s", error);
        l->failed = true;
    }
    return l->failed ? CUDA_ERROR_INVALID_SOURCE : l->linked ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult add(struct linking *l, CUjitInputType type, const void *data, size_t size, const char *name)
{
    struct fatbin more;
    char error[500];

    if (!l || !data)
        return CUDA_ERROR_INVALID_VALUE;
    if (type == CU_JIT_INPUT_LIBRARY || type == CU_JIT_INPUT_NVVM)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!fatbin_read(data, type == CU_JIT_INPUT_PTX ? size : 0, &more, error, sizeof error)) {
        say_line("%s: %s", name ? name : "cuLinkAddData", error);
        fatbin_free(&more);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    for (size_t i = 0; i < more.count; i++) {
        if (l->texts.count == FATBIN_TEXTS) {
            fatbin_free(&more);
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
        l->texts.texts[l->texts.count++] = more.texts[i];
        more.texts[i].text = NULL;
    }
    fatbin_free(&more);
    return link_all(l);
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                       unsigned count, CUjit_option *options, void **values)
{
    const CUresult result = driver_begin();

    answer_options(count, options, values);
    return driver_end(result == CUDA_SUCCESS ? add((struct linking *)state, type, data, size, name) : result);
}

/* A library of object files that ends in .a has the device runtime, which is part of this device. */
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned count, CUjit_option *options,
                       void **values)
{
    CUresult result = driver_begin();
    char *text = NULL;
    size_t size;

    answer_options(count, options, values);
    if (result == CUDA_SUCCESS)
        result = read_file(path, &text, &size);
    if (result == CUDA_SUCCESS && !(type == CU_JIT_INPUT_LIBRARY && strstr(path, "cudadevrt")))
        result = add((struct linking *)state, type, text, size, path);
    free(text);
    return driver_end(result);
}

/* What comes out is PTX, which cuModuleLoadData takes as it would take a cubin. */
CUresult cuLinkComplete(CUlinkState state, void **out, size_t *size)
{
    struct linking *l = (struct linking *)state;
    CUresult result = driver_begin();

    if (result == CUDA_SUCCESS && (!l || !out || !l->texts.count))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && l->failed)
        result = CUDA_ERROR_INVALID_SOURCE;
    if (result == CUDA_SUCCESS && !l->linked)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS) {
        *out = l->linked;
        if (size)
            *size = strlen(l->linked) + 1;
    }
    return driver_end(result);
}

CUresult cuLinkDestroy(CUlinkState state)
{
    struct linking *l = (struct linking *)state;
    const CUresult result = driver_begin_bare();

    if (l) {
        fatbin_free(&l->texts);
        free(l->linked);
        free(l);
    }
    return driver_end(result == CUDA_SUCCESS && !l ? CUDA_ERROR_INVALID_HANDLE : result);
}
// SPDX-License-Identifier: Apache-2.0
