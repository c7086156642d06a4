// Launches of the driver API, each made in another way, for what `copycheck capture` keeps of them. The argument is the
// way's number; the program prints what the kernel left.
#include "captured.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Each kernel adds to the words of `out` what it reads: its own number, a variable's value, the word that `in` names.
static const char kernels[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                              ".visible .global .align 4 .u32 more = 100;\n"
                              ".visible .entry add(.param .u64 in, .param .u32 by, .param .u64 out)\n{\n"
                              ".reg .b64 %a, %b, %v;\n.reg .b32 %x, %y, %z;\n"
                              "ld.param.u64 %a, [in];\nld.param.u32 %y, [by];\nld.param.u64 %b, [out];\n"
                              "ld.global.u64 %a, [%a];\nld.global.u32 %x, [%a];\nadd.u32 %x, %x, %y;\n"
                              "mov.u64 %v, more;\nld.global.u32 %z, [%v];\nadd.u32 %x, %x, %z;\n"
                              "st.global.u32 [%b], %x;\nret;\n}\n"
                              ".visible .entry tile(.param .align 64 .b8 map[128], .param .u64 out)\n{\n"
                              ".reg .b64 %b;\nld.param.u64 %b, [out];\nst.global.u32 [%b], 7;\nret;\n}\n";

static CUdeviceptr in, out, pointer;
static unsigned by = 20;

static void launch_plain(CUfunction f)
{
    void *params[] = { &pointer, &by, &out };

    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
}

static void launch_block(CUfunction f)
{
    struct {
        CUdeviceptr in;
        unsigned by;
        CUdeviceptr out;
    } block = { pointer, by, out };
    size_t bytes = sizeof block;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                      CU_LAUNCH_PARAM_END };

    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
}

static void launch_cooperative(CUfunction f)
{
    void *params[] = { &pointer, &by, &out };

    OK(cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params));
}

static void launch_ex(CUfunction f)
{
    void *params[] = { &pointer, &by, &out };
    CUlaunchAttribute at[2] = {};
    CUlaunchConfig c = {};

    at[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    at[0].value.clusterDim.x = at[0].value.clusterDim.y = at[0].value.clusterDim.z = 1;
    at[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    c.gridDimX = c.gridDimY = c.gridDimZ = c.blockDimX = c.blockDimY = c.blockDimZ = 1;
    c.attrs = at;
    c.numAttrs = 2;
    OK(cuLaunchKernelEx(&c, f, params, NULL));
}

// With the functions that cuGetProcAddress finds, as a runtime does it; `flags`: which default stream they mean.
static void launch_found(cuuint64_t flags)
{
    CUresult (*load)(CUmodule *, const void *, unsigned, CUjit_option *, void **);
    CUresult (*take)(CUfunction *, CUmodule, const char *);
    CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                       void **, void **);
    CUresult (*find)(const char *, void **, int, cuuint64_t);
    CUresult (*find_now)(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);
    void *params[] = { &pointer, &by, &out }, *none = NULL;
    CUmodule m;
    CUfunction f;

    OK(cuGetProcAddress("cuGetProcAddress", (void **)&find, 11030, flags, NULL));
    OK(find("cuGetProcAddress", (void **)&find_now, 13000, flags));
    OK(find("cuGetProcAddress", (void **)&find, 11030, flags));
    OK(find("cuModuleLoadDataEx", (void **)&load, 13000, flags));
    OK(find_now("cuModuleGetFunction", (void **)&take, 13000, flags, NULL));
    OK(find_now("cuLaunchKernel", (void **)&launch, 13000, flags, NULL));
    none = &none; // the older one leaves it as it is where there is no such function, the other one sets it to NULL
    if (find("cuNoSuchFunction", &none, 13000, flags) != CUDA_ERROR_NOT_FOUND || none != &none ||
        find_now("cuNoSuchFunction", &none, 13000, flags, NULL) != CUDA_SUCCESS || none)
        exit(2);
    OK(load(&m, kernels, 0, NULL, NULL));
    OK(take(&f, m, "add"));
    OK(launch(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
}

static void launch_tile(bool im2col)
{
    alignas(64) static CUtensorMap map;
    const cuuint64_t dims[4] = { 16, 8, 4, 2 }, strides[3] = { 64, 512, 2048 };
    const cuuint32_t box[4] = { 16, 8, 1, 1 }, steps[4] = { 1, 1, 1, 1 };
    const int corner[2] = { 0, 0 };
    void *params[] = { &map, &out };
    CUmodule m;
    CUfunction f;

    if (im2col)
        OK(cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, (void *)in, dims, strides, corner, corner,
                                   16, 8, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                   CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    else
        OK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)in, dims, strides, box, steps,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    OK(cuModuleLoadData(&m, kernels));
    OK(cuModuleGetFunction(&f, m, "tile"));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
}

static CUfunction loaded(const void *image)
{
    CUmodule m;
    CUfunction f;

    OK(cuModuleLoadDataEx(&m, image, 0, NULL, NULL));
    OK(cuModuleGetFunction(&f, m, "add"));
    return f;
}

static CUfunction linked()
{
    static const char helper[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .func helper()\n{\nret;\n}\n";
    CUlinkState s;
    void *image;
    size_t bytes;

    OK(cuLinkCreate(0, NULL, NULL, &s));
    OK(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)kernels, sizeof kernels, "kernels", 0, NULL, NULL));
    OK(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)helper, sizeof helper, "helper", 0, NULL, NULL));
    OK(cuLinkComplete(s, &image, &bytes));
    const CUfunction f = loaded(image);
    OK(cuLinkDestroy(s));
    return f;
}

// A kernel of a library: its function, or the kernel's own handle.
static CUfunction of_library(bool function)
{
    CUlibrary l;
    CUkernel k;
    CUfunction f;

    OK(cuLibraryLoadData(&l, kernels, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&k, l, "add"));
    OK(cuKernelGetFunction(&f, k));
    return function ? f : (CUfunction)k;
}

int main(int argc, char **argv)
{
    CUcontext context;
    unsigned got = 0, five = 5;

    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuMemAlloc(&in, 4096));
    OK(cuMemAlloc(&out, 4096));
    OK(cuMemAlloc(&pointer, 64));
    OK(cuMemsetD8(in, 0, 4096));
    OK(cuMemsetD8(out, 0, 4096));
    OK(cuMemsetD8(pointer, 0, 64));
    OK(cuMemcpyHtoD(in, &five, sizeof five));
    OK(cuMemcpyHtoD(pointer, &in, sizeof in)); // the kernel reads where its input is
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: launch_plain(loaded(kernels)); break;
    case 1: launch_block(loaded(kernels)); break;
    case 2: launch_cooperative(loaded(kernels)); break;
    case 3: launch_ex(loaded(kernels)); break;
    case 4: launch_plain(linked()); break;
    case 5: launch_plain(of_library(true)); break;
    case 6: launch_plain(of_library(false)); break;
    case 7: launch_block(of_library(false)); break;
    case 8: launch_found(CU_GET_PROC_ADDRESS_DEFAULT); break;
    case 9: launch_found(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM); break;
    case 10: launch_tile(false); break;
    case 11: launch_tile(true); break;
    }
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(&got, out, sizeof got));
    printf("%u\n", got);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
