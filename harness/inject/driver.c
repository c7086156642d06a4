/* The calls that are looked at. All others are jumps to the driver's own function: build/capture/names.S. */
#include "harness/inject/inject.h"

#include <string.h>

/* ---- modules ------------------------------------------------------------------------------------------------------
 */

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    const CUresult result = INJECT_REAL(cuModuleLoadData, "cuModuleLoadData")(module, image);

    if (result == CUDA_SUCCESS)
        inject_loaded(*module, image);
    return result;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, CUjit_option *options, void **values)
{
    const CUresult result = INJECT_REAL(cuModuleLoadDataEx, "cuModuleLoadDataEx")(module, image, n, options, values);

    if (result == CUDA_SUCCESS)
        inject_loaded(*module, image);
    return result;
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    const CUresult result = INJECT_REAL(cuModuleLoadFatBinary, "cuModuleLoadFatBinary")(module, image);

    if (result == CUDA_SUCCESS)
        inject_loaded(*module, image);
    return result;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options, void **values, unsigned n,
                           CUlibraryOption *more, void **more_values, unsigned more_n)
{
    const CUresult result = INJECT_REAL(cuLibraryLoadData, "cuLibraryLoadData")(library, image, options, values, n,
                                                                                more, more_values, more_n);

    if (result == CUDA_SUCCESS)
        inject_loaded(*library, image);
    return result;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    const CUresult result = INJECT_REAL(cuModuleGetFunction, "cuModuleGetFunction")(function, module, name);

    if (result == CUDA_SUCCESS)
        inject_took(*function, module, name);
    return result;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    const CUresult result = INJECT_REAL(cuLibraryGetKernel, "cuLibraryGetKernel")(kernel, library, name);

    if (result == CUDA_SUCCESS)
        inject_took(*kernel, library, name);
    return result;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    const CUresult result = INJECT_REAL(cuKernelGetFunction, "cuKernelGetFunction")(function, kernel);

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
    const CUresult result = INJECT_REAL(cuLinkComplete, "cuLinkComplete")(state, image, bytes);

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
    const CUresult result = INJECT_REAL(cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled")(
        map, type, rank, address, dims, strides, box, steps, interleave, swizzle, l2, fill);

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
    const CUresult result = INJECT_REAL(cuTensorMapEncodeIm2col, "cuTensorMapEncodeIm2col")(
        map, type, rank, address, dims, strides, lower, upper, channels, pixels, steps, interleave, swizzle, l2, fill);

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

/* While a stream is captured, a launch may be a node of the graph, and nothing may wait for the device. */
static bool before(const struct inject_launch *l)
{
    return !inject_capturing() && inject_chooses(l->function) && inject_take(l);
}

#define LAUNCH(name)                                                                                                   \
    CUresult name(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,          \
                  unsigned smem, CUstream stream, void **params, void **extra)                                         \
    {                                                                                                                  \
        const struct inject_launch l = { f, { gx, gy, gz }, { bx, by, bz }, { 0 }, smem, false, params, extra };       \
        const bool wanted = before(&l);                                                                                \
        const CUresult result = INJECT_REAL(name, #name)(f, gx, gy, gz, bx, by, bz, smem, stream, params, extra);      \
        if (wanted)                                                                                                    \
            inject_behind();                                                                                           \
        return result;                                                                                                 \
    }
#define LAUNCH_COOPERATIVE(name)                                                                                       \
    CUresult name(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,          \
                  unsigned smem, CUstream stream, void **params)                                                       \
    {                                                                                                                  \
        const struct inject_launch l = { f, { gx, gy, gz }, { bx, by, bz }, { 0 }, smem, true, params, NULL };         \
        const bool wanted = before(&l);                                                                                \
        const CUresult result = INJECT_REAL(name, #name)(f, gx, gy, gz, bx, by, bz, smem, stream, params);             \
        if (wanted)                                                                                                    \
            inject_behind();                                                                                           \
        return result;                                                                                                 \
    }
#define LAUNCH_EX(name)                                                                                                \
    CUresult name(const CUlaunchConfig *config, CUfunction f, void **params, void **extra)                             \
    {                                                                                                                  \
        struct inject_launch l = { .function = f, .params = params, .extra = extra };                                  \
        of_config(&l, config);                                                                                         \
        const bool wanted = before(&l);                                                                                \
        const CUresult result = INJECT_REAL(name, #name)(config, f, params, extra);                                    \
        if (wanted)                                                                                                    \
            inject_behind();                                                                                           \
        return result;                                                                                                 \
    }

LAUNCH(cuLaunchKernel)
LAUNCH(cuLaunchKernel_ptsz)
LAUNCH_COOPERATIVE(cuLaunchCooperativeKernel)
LAUNCH_COOPERATIVE(cuLaunchCooperativeKernel_ptsz)
LAUNCH_EX(cuLaunchKernelEx)
LAUNCH_EX(cuLaunchKernelEx_ptsz)
// SPDX-License-Identifier: Apache-2.0
