/* How programs find the driver's functions while they run: ours, where there is one. */
#include "harness/inject/inject.h"

#include <string.h>

/* In the order of versions where a name has several. */
static const struct ours {
    const char *name;
    int since;                /* the version of CUDA from which on the name means this function */
    void *plain, *per_thread; /* NULL: the same */
} ours[] = {
#define NAMED(name, since, f, twin)                                                                                    \
    {                                                                                                                  \
        name, since, (void *)(uintptr_t)(f), (void *)(uintptr_t)(twin)                                                 \
    }
#define OURS(f) NAMED(#f, 0, f, NULL)
#define TWO(f)  NAMED(#f, 0, f, f##_ptsz)
    OURS(cuModuleLoadData),
    OURS(cuModuleLoadDataEx),
    OURS(cuModuleLoadFatBinary),
    OURS(cuLibraryLoadData),
    OURS(cuModuleGetFunction),
    OURS(cuLibraryGetKernel),
    OURS(cuKernelGetFunction),
    OURS(cuTensorMapEncodeTiled),
    OURS(cuTensorMapEncodeIm2col),
    OURS(cuLinkComplete),
    NAMED("cuLinkAddData", 0, cuLinkAddData, NULL), /* a macro of the header */
    TWO(cuLaunchKernel),
    TWO(cuLaunchCooperativeKernel),
    TWO(cuLaunchKernelEx),
    TWO(cuStreamBeginCapture),
    NAMED("cuStreamBeginCapture", 10010, cuStreamBeginCapture_v2, cuStreamBeginCapture_v2_ptsz),
    TWO(cuStreamBeginCaptureToGraph),
    TWO(cuStreamEndCapture),
    OURS(cuGraphInstantiate),
    NAMED("cuGraphInstantiate", 11000, cuGraphInstantiate_v2, NULL),
    NAMED("cuGraphInstantiate", 12000, cuGraphInstantiateWithFlags, NULL),
    OURS(cuGraphInstantiateWithFlags),
    TWO(cuGraphInstantiateWithParams),
    OURS(cuGraphExecUpdate),
    NAMED("cuGraphExecUpdate", 12000, cuGraphExecUpdate_v2, NULL),
    OURS(cuGraphExecDestroy),
    OURS(cuGraphExecKernelNodeSetParams),
    NAMED("cuGraphExecKernelNodeSetParams", 12000, cuGraphExecKernelNodeSetParams_v2, NULL),
    OURS(cuGraphExecMemcpyNodeSetParams),
    OURS(cuGraphExecMemsetNodeSetParams),
    OURS(cuGraphExecHostNodeSetParams),
    OURS(cuGraphExecChildGraphNodeSetParams),
    OURS(cuGraphExecEventRecordNodeSetEvent),
    OURS(cuGraphExecEventWaitNodeSetEvent),
    OURS(cuGraphExecBatchMemOpNodeSetParams),
    OURS(cuGraphExecExternalSemaphoresSignalNodeSetParams),
    OURS(cuGraphExecExternalSemaphoresWaitNodeSetParams),
    OURS(cuGraphExecNodeSetParams),
    OURS(cuGraphNodeSetEnabled),
    TWO(cuGraphLaunch),
#undef NAMED
#undef OURS
#undef TWO
};

/* In place of the driver's function of this name that was found. */
static void replace(const char *name, void **function, int version, cuuint64_t flags)
{
    const struct ours *found = NULL;

    if (!strcmp(name, "cuGetProcAddress"))
        *function = version >= 12000 ? (void *)(uintptr_t)cuGetProcAddress_v2 : (void *)(uintptr_t)cuGetProcAddress;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (!strcmp(name, ours[i].name) && version >= ours[i].since)
            found = &ours[i];
    if (found)
        *function = flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM && found->per_thread ? found->per_thread
                                                                                               : found->plain;
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    const CUresult result =
        ((__typeof__(&cuGetProcAddress_v2))inject_own("cuGetProcAddress_v2"))(name, function, version, flags, status);

    if (result == CUDA_SUCCESS && *function)
        replace(name, function, version, flags);
    return result;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags)
{
    const CUresult result =
        ((__typeof__(&cuGetProcAddress))inject_own("cuGetProcAddress"))(name, function, version, flags);

    if (result == CUDA_SUCCESS && *function)
        replace(name, function, version, flags);
    return result;
}
// SPDX-License-Identifier: Apache-2.0
