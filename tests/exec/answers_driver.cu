// What the driver answers about contexts, its own functions, the device, modules and what links them.
#include "answers_driver.cuh"

#include <unistd.h>

static int host[64];
static CUdeviceptr device;
static CUstream stream;

namespace of_contexts {
static CUcontext c = NULL, second = NULL, got = NULL;
static unsigned flags = 9, version = 0;
static int active = 9, least = 9, greatest = 9;
static unsigned long long id = 0, other = 0;
static CUdevice d = 9;
static size_t value = 0;
static CUfunc_cache cache = CU_FUNC_CACHE_PREFER_L1;
static CUsharedconfig banks = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
static CUexecAffinityParam affinity = {};
static CUctxCreateParams params = {};

static void one()
{
    D(cuCtxCreate(&c, NULL, CU_CTX_SCHED_YIELD, gpu));
    D(cuCtxCreate(NULL, NULL, 0, gpu));
    D(cuCtxCreate(&second, NULL, 0, 99));
    D(cuCtxGetCurrent(&got));
    N(got == c);
    D(cuCtxGetCurrent(NULL));
    D(cuCtxGetFlags(&flags));
    N(flags & CU_CTX_SCHED_MASK);
    D(cuCtxSetFlags(CU_CTX_SCHED_SPIN));
    D(cuCtxGetFlags(&flags));
    N(flags & CU_CTX_SCHED_MASK);
    D(cuCtxGetId(c, &id));
    D(cuCtxGetId(NULL, &other));
    N(id == other);
    D(cuCtxGetApiVersion(c, &version));
    N(version);
    D(cuCtxGetApiVersion(NULL, &version));
    D(cuCtxGetDevice(&d));
    N(d);
    D(cuCtxGetDevice(NULL));
    D(cuCtxSynchronize());
    D(cuCtxPopCurrent(&got));
    N(got == c);
    D(cuCtxPushCurrent(c));
    D(cuCtxPushCurrent(NULL));
    D(cuCtxSetCurrent(context));
    D(cuCtxGetCurrent(&got));
    N(got == context);
    D(cuCtxDestroy(c));
    D(cuCtxDestroy(NULL));
    D(cuCtxCreate(&c, NULL, 0, gpu));
    D(cuCtxDestroy(c));
    D(cuCtxGetCurrent(&got));
    N(got == context);
    params.execAffinityParams = &affinity;
    params.numExecAffinityParams = 1;
    affinity.type = CU_EXEC_AFFINITY_TYPE_SM_COUNT;
    affinity.param.smCount.val = 1;
    D(cuCtxCreate(&second, &params, 0, gpu));
    D(cuDevicePrimaryCtxRetain(NULL, gpu));
    D(cuDevicePrimaryCtxRetain(&got, 99));
    D(cuDevicePrimaryCtxGetState(gpu, &flags, &active));
    N(active);
    D(cuDevicePrimaryCtxGetState(99, &flags, &active));
    D(cuDevicePrimaryCtxSetFlags(gpu, CU_CTX_SCHED_YIELD));
    D(cuDevicePrimaryCtxGetState(gpu, &flags, &active));
    N(flags & CU_CTX_SCHED_MASK);
    D(cuDevicePrimaryCtxSetFlags(99, 0));
    D(cuDevicePrimaryCtxSetFlags(gpu, 0));
    D(cuDevicePrimaryCtxRelease(99));
    for (int limit = 0; limit < 10; limit++) {
        printf("limit %d\n", limit);
        D(cuCtxGetLimit(&value, (CUlimit)limit));
        if (limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
            D(cuCtxSetLimit((CUlimit)limit, value));
    }
    D(cuCtxGetCacheConfig(&cache));
    N(cache);
    D(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_SHARED));
    D(cuCtxGetCacheConfig(&cache));
    N(cache);
    D(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_NONE));
}

static void two()
{
    D(cuCtxGetSharedMemConfig(&banks));
    N(banks);
    D(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
    D(cuCtxGetSharedMemConfig(&banks));
    N(banks);
    D(cuCtxGetStreamPriorityRange(&least, &greatest));
    N(least);
    N(greatest);
    D(cuCtxGetStreamPriorityRange(NULL, &greatest));
    D(cuCtxGetStreamPriorityRange(&least, NULL));
    D(cuCtxResetPersistingL2Cache());
    D(cuCtxEnablePeerAccess(context, 0));
    D(cuCtxEnablePeerAccess(context, 1));
    D(cuCtxEnablePeerAccess(NULL, 0));
    D(cuCtxDisablePeerAccess(context));
    D(cuCtxDisablePeerAccess(NULL));
}

} // namespace of_contexts

static void contexts()
{
    of_contexts::one();
    of_contexts::two();
}

// Functions by names and versions, older ones among them.
static void older()
{
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    void *f = NULL;
    CUcontext c = NULL;
    CUdevice d = 9;
    CUdeviceptr m = 0;
    CUdeviceptr to[1] = { device }, from[1] = { device + 64 };
    size_t bytes[1] = { 16 }, first[1] = { 0 }, failed = 5;
    CUmemcpyAttributes how = {};

    for (const char *name : { "cuMemAlloc", "cuCtxCreate", "cuInit", "cuNoSuchFunction", "cudaMalloc", "" })
        for (int version : { 2000, 3020, 12000, 13000 }) {
            printf("%s %d\n", name, version);
            f = (void *)1;
            D(cuGetProcAddress(name, &f, version, CU_GET_PROC_ADDRESS_DEFAULT, &found));
            N(found);
            N(f == NULL);
        }
    D(cuGetProcAddress("cuInit", &f, 13000, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
    D(cuGetProcAddress(NULL, &f, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
    D(cuGetProcAddress("cuInit", NULL, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
    how.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
#define OLDER(name, version, type)                                                                                     \
    f = NULL;                                                                                                          \
    D(cuGetProcAddress(name, &f, version, CU_GET_PROC_ADDRESS_DEFAULT, &found));                                       \
    if (PFN_##type function = (PFN_##type)f)
    OLDER("cuGetProcAddress", 11030, cuGetProcAddress_v11030)
    D(function("cuInit", &f, 13000, CU_GET_PROC_ADDRESS_DEFAULT));
    OLDER("cuCtxCreate", 3020, cuCtxCreate_v3020)
    {
        D(function(&c, 0, gpu));
        D(cuCtxDestroy(c));
    }
    OLDER("cuCtxCreate", 11040, cuCtxCreate_v11040)
    {
        D(function(&c, NULL, 0, 0, gpu));
        D(cuCtxDestroy(c));
    }
    OLDER("cuCtxGetDevice", 13000, cuCtxGetDevice_v13000)
    {
        D(function(&d, context));
        D(function(&d, NULL));
        D(function(NULL, context));
    }
    OLDER("cuCtxSynchronize", 13000, cuCtxSynchronize_v13000)
    {
        D(function(context));
        D(function(NULL));
    }
    D(cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_GLOBAL));
    OLDER("cuMemAdvise", 8000, cuMemAdvise_v8000)
    D(function(m, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, gpu));
    OLDER("cuMemPrefetchAsync", 8000, cuMemPrefetchAsync_v8000)
    {
        D(function(m, 4096, gpu, stream));
        D(function(m, 0, gpu, stream));
    }
    OLDER("cuMemcpyBatchAsync", 12080, cuMemcpyBatchAsync_v12080)
    {
        D(function(to, from, bytes, 1, &how, first, 1, &failed, stream));
        D(function(NULL, from, bytes, 1, &how, first, 1, &failed, stream));
    }
    D(cuStreamSynchronize(stream));
    D(cuMemFree(m));
}

namespace of_devices {
static int n = 9, major = 0, minor = 0;
static char name[64] = "", bus[32] = "";
static size_t bytes = 0;
static CUdevice d = 9;
static CUdevprop p = {};
static CUuuid id;
static const void *table = host;

static void one()
{
    D(cuDriverGetVersion(&n));
    N(n >= 13000);
    D(cuDriverGetVersion(NULL));
    D(cuDeviceGetCount(&n));
    D(cuDeviceGetCount(NULL));
    D(cuDeviceGet(&d, 0));
    D(cuDeviceGet(NULL, 0));
    D(cuDeviceGet(&d, 99));
    D(cuDeviceGet(&d, -1));
    D(cuDeviceGetName(name, sizeof name, gpu));
    printf("    %s\n", name);
    D(cuDeviceGetName(NULL, sizeof name, gpu));
    D(cuDeviceGetName(name, 0, gpu));
    D(cuDeviceGetName(name, 5, gpu));
    printf("    %s\n", name);
    D(cuDeviceGetName(name, 5, 99));
    D(cuDeviceTotalMem(&bytes, gpu));
    N(bytes);
    D(cuDeviceTotalMem(NULL, gpu));
    D(cuDeviceTotalMem(&bytes, 99));
    D(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, gpu));
    N(n);
    D(cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, gpu));
    D(cuDeviceGetAttribute(&n, (CUdevice_attribute)9999, gpu));
    D(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99));
    D(cuDeviceComputeCapability(&major, &minor, gpu));
    N(major);
    N(minor);
    D(cuDeviceGetProperties(&p, gpu));
    N(p.maxThreadsPerBlock);
    N(p.maxThreadsDim[2]);
    N(p.maxGridSize[1]);
    N(p.sharedMemPerBlock);
    N(p.totalConstantMemory);
    N(p.SIMDWidth);
    N(p.memPitch);
    N(p.regsPerBlock);
    N(p.textureAlign);
    D(cuDeviceGetProperties(NULL, gpu));
    D(cuDeviceGetUuid(&id, gpu));
    D(cuDeviceGetUuid(NULL, gpu));
    D(cuDeviceGetPCIBusId(bus, sizeof bus, gpu));
    N(strlen(bus));
    D(cuDeviceGetByPCIBusId(&d, bus));
    N(d);
    D(cuDeviceGetByPCIBusId(&d, strlen(bus) > 5 ? bus + 5 : bus));
    D(cuDeviceGetByPCIBusId(&d, "0000:fe:1e.0"));
    D(cuDeviceGetByPCIBusId(&d, "words"));
    D(cuDeviceGetByPCIBusId(&d, NULL));
    D(cuDeviceGetByPCIBusId(NULL, "0000:fe:1e.0"));
    D(cuDeviceGetPCIBusId(bus, 4, gpu));
    D(cuDeviceGetPCIBusId(NULL, 32, gpu));
    D(cuDeviceGetTexture1DLinearMaxWidth(&bytes, CU_AD_FORMAT_FLOAT, 1, gpu));
    N(bytes);
    D(cuDeviceGetTexture1DLinearMaxWidth(NULL, CU_AD_FORMAT_FLOAT, 1, gpu));
    D(cuDeviceGetExecAffinitySupport(&n, CU_EXEC_AFFINITY_TYPE_SM_COUNT, gpu));
    N(n);
    D(cuDeviceGetExecAffinitySupport(NULL, CU_EXEC_AFFINITY_TYPE_SM_COUNT, gpu));
    D(cuDeviceCanAccessPeer(&n, gpu, gpu));
    N(n);
    D(cuDeviceCanAccessPeer(&n, gpu, 99));
    D(cuDeviceCanAccessPeer(&n, 99, gpu));
}

static void two()
{
    D(cuDeviceCanAccessPeer(NULL, gpu, gpu));
    D(cuDeviceGetP2PAttribute(&n, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, gpu, gpu));
    D(cuDeviceGetP2PAttribute(NULL, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, gpu, gpu));
    D(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                 CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER));
    memset(&id, 0, sizeof id);
    D(cuGetExportTable(&table, &id));
    N(table == NULL);
    const char *text = NULL;
    D(cuGetErrorName((CUresult)9999, &text));
    N(text == NULL);
    D(cuGetErrorName(CUDA_SUCCESS, NULL));
    D(cuGetErrorString((CUresult)9999, &text));
    D(cuGetErrorString(CUDA_SUCCESS, NULL));
    D(cuInit(1));
}

} // namespace of_devices

static void devices()
{
    of_devices::one();
    of_devices::two();
}

namespace of_modules {
static CUmodule m = NULL, owner = NULL;
static CUlibrary l = NULL, of = NULL;
static CUkernel k = NULL, kernels_of[8] = {};
static CUfunction f = NULL, list[8] = {};
static CUdeviceptr p = 0;
static size_t bytes = 0, offset = 0;
static unsigned n = 9;
static const char *name = NULL;
static CUmoduleLoadingMode mode = CU_MODULE_EAGER_LOADING;
static char log[256] = "before", file[] = "/tmp/answers-XXXXXX";
static CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE };
static void *values[] = { log, (void *)sizeof log, (void *)0 };

static void one()
{
    const int fd = mkstemp(file);
    const bool written = write(fd, kernels, sizeof kernels - 1) == (ssize_t)sizeof kernels - 1;
    close(fd);
    N(written);
    D(cuModuleLoad(&m, file));
    if (m)
        D(cuModuleUnload(m));
    D(cuModuleLoad(&m, "/there/is/no/such/file"));
    D(cuModuleLoad(&m, NULL));
    D(cuModuleLoadData(&m, NULL));
    D(cuModuleLoadData(NULL, kernels));
    m = NULL;
    D(cuModuleLoadDataEx(&m, kernels, 3, options, values));
    D(cuModuleGetFunctionCount(&n, m));
    N(n);
    D(cuModuleGetFunctionCount(NULL, m));
    D(cuModuleEnumerateFunctions(list, 8, m));
    N(list[0] != NULL && list[4] != NULL);
    D(cuModuleEnumerateFunctions(list, 1, m));
    D(cuModuleEnumerateFunctions(NULL, 1, m));
    D(cuModuleGetFunction(&f, m, "helper"));
    D(cuModuleGetFunction(&f, m, "nothing"));
    D(cuModuleGetFunction(&f, m, NULL));
    D(cuModuleGetFunction(NULL, m, "add"));
    D(cuModuleGetFunction(&f, NULL, "add"));
    D(cuModuleGetFunction(&f, m, "wide"));
    D(cuModuleGetGlobal(&p, &bytes, m, "count"));
    N(bytes);
    D(cuModuleGetGlobal(&p, &bytes, m, "fixed"));
    N(bytes);
    D(cuModuleGetGlobal(NULL, &bytes, m, "count"));
    D(cuModuleGetGlobal(&p, NULL, m, "count"));
    D(cuModuleGetGlobal(NULL, NULL, m, "count"));
    D(cuModuleGetGlobal(&p, &bytes, m, "nothing"));
    D(cuModuleGetGlobal(&p, &bytes, m, NULL));
    for (size_t i = 0; i < 4; i++) {
        printf("parameter %zu\n", i);
        D(cuFuncGetParamInfo(f, i, &offset, &bytes));
        N(offset);
        N(bytes);
    }
    D(cuFuncGetParamInfo(f, 0, NULL, &bytes));
    D(cuFuncGetParamInfo(f, 0, &offset, NULL));
    D(cuFuncGetModule(&owner, f));
    N(owner == m);
    D(cuFuncGetModule(NULL, f));
    D(cuFuncGetName(&name, f));
    printf("    %s\n", name ? name : "none");
    D(cuFuncGetName(NULL, f));
    D(cuModuleGetLoadingMode(&mode));
    D(cuModuleUnload(m));
    D(cuModuleUnload(NULL));
    D(cuLibraryLoadData(&l, kernels, options, values, 3, NULL, NULL, 0));
    D(cuLibraryGetKernelCount(&n, l));
    N(n);
    D(cuLibraryGetKernelCount(NULL, l));
    D(cuLibraryEnumerateKernels(kernels_of, 8, l));
    D(cuLibraryEnumerateKernels(NULL, 8, l));
    D(cuLibraryGetKernel(&k, l, "wide"));
    D(cuLibraryGetKernel(&k, l, "nothing"));
    D(cuLibraryGetKernel(NULL, l, "wide"));
    D(cuLibraryGetModule(&owner, l));
}

static void two()
{
    D(cuLibraryGetModule(&owner, NULL));
    D(cuLibraryGetGlobal(&p, &bytes, l, "count"));
    N(bytes);
    D(cuLibraryGetGlobal(&p, &bytes, l, "nothing"));
    D(cuLibraryGetManaged(&p, &bytes, l, "nothing"));
    D(cuKernelGetFunction(&f, k));
    D(cuKernelGetFunction(NULL, k));
    D(cuKernelGetLibrary(&of, k));
    N(of == l);
    D(cuKernelGetLibrary(NULL, k));
    D(cuKernelGetName(&name, k));
    D(cuKernelGetParamInfo(k, 1, &offset, &bytes));
    N(offset);
    D(cuKernelGetAttribute((int *)&n, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, gpu));
    N(n);
    D(cuKernelGetAttribute((int *)&n, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, 99));
    D(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, k, gpu));
    D(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, k, 99));
    D(cuKernelSetCacheConfig(k, CU_FUNC_CACHE_PREFER_L1, gpu));
    D(cuKernelSetCacheConfig(k, CU_FUNC_CACHE_PREFER_L1, 99));
    D(cuLibraryUnload(l));
    D(cuLibraryUnload(NULL));
    l = NULL;
    D(cuLibraryLoadFromFile(&l, file, NULL, NULL, 0, NULL, NULL, 0));
    if (l)
        D(cuLibraryUnload(l));
    D(cuLibraryLoadFromFile(&l, "/there/is/no/such/file", NULL, NULL, 0, NULL, NULL, 0));
    unlink(file);
}

} // namespace of_modules

static void modules()
{
    of_modules::one();
    of_modules::two();
}

static const char calls[] = ".version 8.0\n.target sm_90\n.address_size 64\n.extern .func helped();\n"
                            ".visible .entry calls()\n{\ncall helped;\nret;\n}\n";
static const char helps[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .func helped()\n{\nret;\n}\n";

static void links()
{
    CUlinkState s = NULL;
    CUmodule m = NULL;
    CUfunction f = NULL;
    void *image = NULL;
    size_t bytes = 0;
    char file[] = "/tmp/answers-XXXXXX", info[128] = "", error[128] = "";
    float seconds = 0;
    CUjit_option options[] = { CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                               CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_WALL_TIME };
    void *values[] = { info, (void *)sizeof info, error, (void *)sizeof error, &seconds };

    const int fd = mkstemp(file);
    const bool written = write(fd, helps, sizeof helps) == (ssize_t)sizeof helps;
    close(fd);
    N(written);
    D(cuLinkCreate(5, options, values, &s));
    D(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)calls, sizeof calls, "calls", 0, NULL, NULL));
    D(cuLinkAddData(s, CU_JIT_INPUT_PTX, NULL, 0, "none", 0, NULL, NULL));
    D(cuLinkAddFile(s, CU_JIT_INPUT_PTX, "/there/is/no/such/file", 0, NULL, NULL));
    D(cuLinkAddFile(s, CU_JIT_INPUT_PTX, file, 0, NULL, NULL));
    unlink(file);
    D(cuLinkComplete(s, &image, &bytes));
    N(bytes > 0);
    D(cuModuleLoadData(&m, image));
    D(cuModuleGetFunction(&f, m, "calls"));
    D(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    D(cuStreamSynchronize(stream));
    D(cuModuleUnload(m));
    D(cuLinkDestroy(s));
    // one text alone
    D(cuLinkCreate(0, NULL, NULL, &s));
    D(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)kernels, sizeof kernels, NULL, 0, NULL, NULL));
    D(cuLinkComplete(s, &image, NULL));
    D(cuLinkDestroy(s));
    // the same function twice
    D(cuLinkCreate(0, NULL, NULL, &s));
    D(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)helps, sizeof helps, "first", 0, NULL, NULL));
    D(cuLinkAddData(s, CU_JIT_INPUT_PTX, (void *)helps, sizeof helps, "second", 0, NULL, NULL));
    D(cuLinkComplete(s, &image, &bytes));
    D(cuLinkDestroy(s));
}

int main(int argc, char **argv)
{
    static void (*const parts[])() = { contexts, older, devices, modules, links };

    begin_of_driver(argc, argv);
    D(cuMemAlloc(&device, 1 << 16));
    D(cuStreamCreate(&stream, 0));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_wanted(argc, argv, i))
            parts[i]();
    D(cuMemFree(device));
    D(cuStreamDestroy(stream));
    D(cuDevicePrimaryCtxRelease(gpu));
    D(cuDevicePrimaryCtxRelease(gpu));
    D(cuDevicePrimaryCtxReset(gpu));
    D(cuDevicePrimaryCtxReset(99));
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
