/* The calls that are looked at. All others are jumps to the driver's own function: build/capture/names.S. */
#include "harness/inject/inject.h"

#include <string.h>

/* The driver's own function, as one of this type. */
#define REAL(function) ((__typeof__(&function))inject_own(#function))

/* ---- modules ------------------------------------------------------------------------------------------------------
 */

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    const CUresult result = REAL(cuModuleLoadData)(module, image);

    if (result == CUDA_SUCCESS)
        inject_loaded(*module, image);
    return result;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, CUjit_option *options, void **values)
{
    const CUresult result = REAL(cuModuleLoadDataEx)(module, image, n, options, values);

    if (result == CUDA_SUCCESS)
        inject_loaded(*module, image);
    return result;
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    const CUresult result = REAL(cuModuleLoadFatBinary)(module, image);

    if (result == CUDA_SUCCESS)
        inject_loaded(*module, image);
    return result;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options, void **values, unsigned n,
                           CUlibraryOption *more, void **more_values, unsigned more_n)
{
    const CUresult result = REAL(cuLibraryLoadData)(library, image, options, values, n, more, more_values, more_n);

    if (result == CUDA_SUCCESS)
        inject_loaded(*library, image);
    return result;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    const CUresult result = REAL(cuModuleGetFunction)(function, module, name);

    if (result == CUDA_SUCCESS)
        inject_took(*function, module, name);
    return result;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    const CUresult result = REAL(cuLibraryGetKernel)(kernel, library, name);

    if (result == CUDA_SUCCESS)
        inject_took(*kernel, library, name);
    return result;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    const CUresult result = REAL(cuKernelGetFunction)(function, kernel);

    if (result == CUDA_SUCCESS)
        inject_took(*function, kernel, NULL);
    return result;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned n,
                       CUjit_option *options, void **values)
{
    if (type == CU_JIT_INPUT_PTX)
        inject_link_added(state, data, bytes);
    return ((__typeof__(&cuLinkAddData))inject_own("cuLinkAddData_v2"))(state, type, data, bytes, name, n, options,
                                                                        values);
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
    const CUresult result = REAL(cuLinkComplete)(state, image, bytes);

    if (result == CUDA_SUCCESS)
        inject_linked(state, *image);
    return result;
}

/* ---- tensor maps --------------------------------------------------------------------------------------------------
 */

/* What the calls have in common. */
static struct tensor_map map_of(CUtensorMapDataType type, cuuint32_t rank, const void *address, const cuuint64_t *dims,
                                const cuuint64_t *strides, const cuuint32_t *steps, int interleave, int swizzle, int l2,
                                int fill)
{
    struct tensor_map m = { .type = type,
                            .rank = rank,
                            .address = (uint64_t)(uintptr_t)address,
                            .interleave = interleave,
                            .swizzle = swizzle,
                            .l2 = l2,
                            .fill = fill };

    for (unsigned i = 0; i < rank && i < TENSOR_RANK_MAX; i++) {
        m.dims[i] = dims[i];
        m.element_strides[i] = steps[i];
        if (i + 1 < rank)
            m.strides[i] = strides[i];
    }
    return m;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
    const CUresult result = REAL(cuTensorMapEncodeTiled)(map, type, rank, address, dims, strides, box, steps,
                                                         interleave, swizzle, l2, fill);

    if (result == CUDA_SUCCESS) {
        struct tensor_map m =
            map_of(type, rank, address, dims, strides, steps, (int)interleave, (int)swizzle, (int)l2, (int)fill);
        for (unsigned i = 0; i < rank; i++)
            m.box[i] = box[i];
        inject_mapped(&m, map);
    }
    return result;
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                 const cuuint64_t *dims, const cuuint64_t *strides, const int *lower, const int *upper,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *steps,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
    const CUresult result = REAL(cuTensorMapEncodeIm2col)(map, type, rank, address, dims, strides, lower, upper,
                                                          channels, pixels, steps, interleave, swizzle, l2, fill);

    if (result == CUDA_SUCCESS) {
        struct tensor_map m =
            map_of(type, rank, address, dims, strides, steps, (int)interleave, (int)swizzle, (int)l2, (int)fill);
        m.mode = TENSOR_MODE_IM2COL;
        m.channels = channels;
        m.pixels = pixels;
        for (unsigned i = 0; i + 2 < rank && i < TENSOR_SPACE_MAX; i++) {
            m.lower[i] = lower[i];
            m.upper[i] = upper[i];
        }
        inject_mapped(&m, map);
    }
    return result;
}

/* ---- launches -----------------------------------------------------------------------------------------------------
 */

static void of_config(struct inject_launch *l, const CUlaunchConfig *c)
{
    const unsigned grid[3] = { c->gridDimX, c->gridDimY, c->gridDimZ },
                   block[3] = { c->blockDimX, c->blockDimY, c->blockDimZ };

    memcpy(l->grid, grid, sizeof grid);
    memcpy(l->block, block, sizeof block);
    l->smem = c->sharedMemBytes;
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const CUlaunchAttribute *a = &c->attrs[i];
        if (a->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            l->cluster[0] = a->value.clusterDim.x;
            l->cluster[1] = a->value.clusterDim.y;
            l->cluster[2] = a->value.clusterDim.z;
        } else if (a->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
            l->cooperative = a->value.cooperative;
        }
    }
}

#define LAUNCH(name)                                                                                                   \
    CUresult name(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,          \
                  unsigned smem, CUstream stream, void **params, void **extra)                                         \
    {                                                                                                                  \
        const struct inject_launch l = { f, { gx, gy, gz }, { bx, by, bz }, { 0 }, smem, false, params, extra };       \
        const bool wanted = inject_before(&l);                                                                         \
        const CUresult result = REAL(name)(f, gx, gy, gz, bx, by, bz, smem, stream, params, extra);                    \
        if (wanted)                                                                                                    \
            inject_behind();                                                                                           \
        return result;                                                                                                 \
    }
#define LAUNCH_COOPERATIVE(name)                                                                                       \
    CUresult name(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,          \
                  unsigned smem, CUstream stream, void **params)                                                       \
    {                                                                                                                  \
        const struct inject_launch l = { f, { gx, gy, gz }, { bx, by, bz }, { 0 }, smem, true, params, NULL };         \
        const bool wanted = inject_before(&l);                                                                         \
        const CUresult result = REAL(name)(f, gx, gy, gz, bx, by, bz, smem, stream, params);                           \
        if (wanted)                                                                                                    \
            inject_behind();                                                                                           \
        return result;                                                                                                 \
    }
#define LAUNCH_EX(name)                                                                                                \
    CUresult name(const CUlaunchConfig *config, CUfunction f, void **params, void **extra)                             \
    {                                                                                                                  \
        struct inject_launch l = { .function = f, .params = params, .extra = extra };                                  \
        of_config(&l, config);                                                                                         \
        const bool wanted = inject_before(&l);                                                                         \
        const CUresult result = REAL(name)(config, f, params, extra);                                                  \
        if (wanted)                                                                                                    \
            inject_behind();                                                                                           \
        return result;                                                                                                 \
    }

#pragma GCC visibility push(default)
CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                             unsigned smem, CUstream stream, void **params, void **extra);
CUresult cuLaunchCooperativeKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                        unsigned bz, unsigned smem, CUstream stream, void **params);
CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction f, void **params, void **extra);
#pragma GCC visibility pop

LAUNCH(cuLaunchKernel)
LAUNCH(cuLaunchKernel_ptsz)
LAUNCH_COOPERATIVE(cuLaunchCooperativeKernel)
LAUNCH_COOPERATIVE(cuLaunchCooperativeKernel_ptsz)
LAUNCH_EX(cuLaunchKernelEx)
LAUNCH_EX(cuLaunchKernelEx_ptsz)

/* ---- how programs find functions ----------------------------------------------------------------------------------
 */

#pragma GCC visibility push(default)
#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags);
CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status);
#pragma GCC visibility pop

/* In place of the driver's function of this name that was found: ours, where there is one. */
static void replace(const char *name, void **function, cuuint64_t flags)
{
    static const struct {
        const char *name;
        void *plain, *per_thread; /* NULL: the same */
    } ours[] = {
#define OURS(f, twin) { #f, (void *)(uintptr_t)f, (void *)(uintptr_t)(twin) }
        OURS(cuModuleLoadData, NULL),
        OURS(cuModuleLoadDataEx, NULL),
        OURS(cuModuleLoadFatBinary, NULL),
        OURS(cuLibraryLoadData, NULL),
        OURS(cuModuleGetFunction, NULL),
        OURS(cuLibraryGetKernel, NULL),
        OURS(cuKernelGetFunction, NULL),
        OURS(cuTensorMapEncodeTiled, NULL),
        OURS(cuTensorMapEncodeIm2col, NULL),
        OURS(cuLinkComplete, NULL),
        { "cuLinkAddData", (void *)(uintptr_t)cuLinkAddData, NULL },
        OURS(cuLaunchKernel, cuLaunchKernel_ptsz),
        OURS(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel_ptsz),
        OURS(cuLaunchKernelEx, cuLaunchKernelEx_ptsz),
#undef OURS
    };

    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (!strcmp(name, ours[i].name))
            *function = flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM && ours[i].per_thread ? ours[i].per_thread
                                                                                                    : ours[i].plain;
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    const CUresult result = REAL(cuGetProcAddress_v2)(name, function, version, flags, status);

    if (result != CUDA_SUCCESS || !*function)
        return result;
    if (!strcmp(name, "cuGetProcAddress"))
        *function = version >= 12000 ? (void *)(uintptr_t)cuGetProcAddress_v2 : (void *)(uintptr_t)cuGetProcAddress;
    else
        replace(name, function, flags);
    return result;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags)
{
    const CUresult result = REAL(cuGetProcAddress)(name, function, version, flags);

    if (result == CUDA_SUCCESS && *function) {
        if (!strcmp(name, "cuGetProcAddress"))
            *function = version >= 12000 ? (void *)(uintptr_t)cuGetProcAddress_v2 : (void *)(uintptr_t)cuGetProcAddress;
        else
            replace(name, function, flags);
    }
    return result;
}
// SPDX-License-Identifier: Apache-2.0
