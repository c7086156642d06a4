/* Tensor maps: legal ones become the emulator's objects, and for each other one it is said which limit it breaks. */
#include <stdio.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/inside/driver/driver.h"

/* What the call breaks: each rule in a line, with the nearest value that keeps it. */
static void say_faults(const struct tensor_map *map, bool refused)
{
    struct tensor_map_fault faults[8];
    const size_t most = sizeof faults / sizeof *faults, count = tensor_map_check(map, faults, most);

    for (size_t i = 0; i < count && i < most; i++)
        if (faults[i].tolerated != refused)
            say_line("%s%s: %s is %llu, and must be %s; the nearest legal value is %llu [%s]",
                     tensor_mode_call(map->mode), refused ? " refuses" : " takes what the documents forbid",
                     faults[i].argument, (unsigned long long)faults[i].value, faults[i].limit,
                     (unsigned long long)faults[i].nearest, faults[i].rule->id);
}

/* `null`: an argument that has to be there is not. */
static CUresult encode(CUtensorMap *out, const struct tensor_map *map, const char *null)
{
    CUresult result = driver_begin(); /* documents do not say that it needs a context; an H200's driver does */

    if (result == CUDA_SUCCESS && null) {
        say_line("%s refuses: %s is NULL", tensor_mode_call(map->mode), null);
        result = CUDA_ERROR_INVALID_VALUE;
    } else if (result == CUDA_SUCCESS && !tensor_map_accepted(map)) {
        say_faults(map, true);
        result = CUDA_ERROR_INVALID_VALUE;
    } else if (result == CUDA_SUCCESS) {
        if ((uintptr_t)out % 64)
            say_line("%s takes what the documents forbid: tensorMap is at %p, and must be at a multiple of 64 bytes",
                     tensor_mode_call(map->mode), (void *)out);
        say_faults(map, false);
        emu_map_encode(map, out);
    }
    return driver_end(result);
}

/* What the three calls share: the arguments that are numbers. */
static struct tensor_map described(int64_t mode, CUtensorMapDataType type, cuuint32_t rank, const void *address,
                                   CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                   CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
    return (struct tensor_map){ .type = (int64_t)type,
                                .rank = rank,
                                .address = (uintptr_t)address,
                                .interleave = (int64_t)interleave,
                                .swizzle = (int64_t)swizzle,
                                .l2 = (int64_t)l2,
                                .fill = (int64_t)fill,
                                .mode = mode };
}

/* And those that point somewhere; NULL, or the name of an argument that is. */
static const char *take(struct tensor_map *m, const void *out, const cuuint64_t *dims, const cuuint64_t *strides,
                        const cuuint32_t *element_strides)
{
    const size_t rank = m->rank >= 0 && m->rank <= TENSOR_RANK_MAX ? (size_t)m->rank : 0;

    if (!out || !dims || !strides || !element_strides) /* a map of rank 1 has none, and yet */
        return !out ? "tensorMap" : !dims ? "globalDim" : !element_strides ? "elementStrides" : "globalStrides";
    for (size_t i = 0; i < rank; i++) {
        m->dims[i] = dims[i];
        m->element_strides[i] = element_strides[i];
        if (i)
            m->strides[i - 1] = strides[i - 1];
    }
    return NULL;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
    struct tensor_map m = described(TENSOR_MODE_TILED, type, rank, address, interleave, swizzle, l2, fill);
    const char *null = take(&m, out, dims, strides, element_strides);

    if (!null && !box)
        null = "boxDim";
    for (size_t i = 0; !null && i < rank && i < TENSOR_RANK_MAX; i++)
        m.box[i] = box[i];
    return encode(out, &m, null);
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                 const cuuint64_t *dims, const cuuint64_t *strides, const int *lower, const int *upper,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *element_strides,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
    struct tensor_map m = described(TENSOR_MODE_IM2COL, type, rank, address, interleave, swizzle, l2, fill);
    const char *null = take(&m, out, dims, strides, element_strides);

    m.channels = channels;
    m.pixels = pixels;
    if (!null && (!lower || !upper))
        null = !lower ? "pixelBoxLowerCorner" : "pixelBoxUpperCorner";
    for (size_t i = 0; !null && i + 2 < rank && i < TENSOR_SPACE_MAX; i++) {
        m.lower[i] = lower[i];
        m.upper[i] = upper[i];
    }
    return encode(out, &m, null);
}

CUresult cuTensorMapEncodeIm2colWide(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                     const cuuint64_t *dims, const cuuint64_t *strides, int lower, int upper,
                                     cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *element_strides,
                                     CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
                                     CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2,
                                     CUtensorMapFloatOOBfill fill)
{
    struct tensor_map m =
        described(TENSOR_MODE_IM2COL_W + (int64_t)mode, type, rank, address, interleave, swizzle, l2, fill);

    m.lower[0] = lower;
    m.upper[0] = upper;
    m.channels = channels;
    m.pixels = pixels;
    return encode(out, &m, take(&m, out, dims, strides, element_strides));
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *object, void *address)
{
    struct tensor_map map;

    if (!object || !emu_map_read(object, &map))
        return CUDA_ERROR_INVALID_VALUE;
    map.address = (uintptr_t)address;
    return encode(object, &map, NULL);
}
// SPDX-License-Identifier: Apache-2.0
