// What programs of answers of the driver API share: the state in which they ask, and a kernel.
#pragma once
#include "answers.cuh"

#include <cudaTypedefs.h>

static const char kernels[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 4 .u32 count = 5;\n"
    ".visible .const .align 8 .b8 fixed[24];\n"
    ".visible .func helper()\n{\nret;\n}\n"
    // *p += by
    ".visible .entry add(.param .u64 p, .param .u32 by)\n{\n.reg .b64 %a;\n.reg .b32 %x, %y;\n"
    "ld.param.u64 %a, [p];\nld.param.u32 %y, [by];\nld.global.u32 %x, [%a];\nadd.u32 %x, %x, %y;\n"
    "st.global.u32 [%a], %x;\nret;\n}\n"
    ".visible .entry trap()\n{\ntrap;\n}\n"
    ".visible .entry shared()\n.maxntid 128, 1, 1\n{\n.shared .align 4 .b8 tile[4096];\nret;\n}\n"
    ".visible .entry exact()\n.reqntid 32, 2, 1\n{\nret;\n}\n"
    ".visible .entry wide(.param .u8 a, .param .align 8 .b8 b[24], .param .f64 c)\n{\nret;\n}\n";

static CUcontext context;
static CUmodule module;
static CUdevice gpu;

// The state in which the calls are made: "none": before cuInit; "bare": without a context; "fault": after a kernel has
// ended with an error; else as it should be.
static inline void begin_of_driver(int argc, char **argv)
{
    const char *state = argc > 1 ? argv[1] : "";
    CUfunction f = NULL;

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!strcmp(state, "none"))
        return;
    D(cuInit(0));
    D(cuDeviceGet(&gpu, 0));
    if (!strcmp(state, "bare"))
        return;
    D(cuDevicePrimaryCtxRetain(&context, gpu));
    D(cuCtxSetCurrent(context));
    D(cuModuleLoadData(&module, kernels));
    if (strcmp(state, "fault") != 0)
        return;
    D(cuModuleGetFunction(&f, module, "trap"));
    D(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    D(cuCtxSynchronize());
}
// SPDX-License-Identifier: Apache-2.0
