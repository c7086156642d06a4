// What the runtime answers about kernels, their launches, libraries and the functions of the driver.
#include "answers.cuh"

#include <unistd.h>

__global__ void small(int *x)
{
    if (x)
        *x = 1;
}

__global__ void __launch_bounds__(128, 2) several(int *x, char c, double d)
{
    __shared__ int s[64];
    s[threadIdx.x % 64] = c;
    __syncthreads();
    if (x)
        x[threadIdx.x] = s[0] + (int)d;
}

__global__ void __cluster_dims__(2, 1, 1) pairs(int *x)
{
    if (x)
        *x = 1;
}

static int host[64];

static void functions()
{
    static const int values[] = { -2, -1, 0, 1, 50, 100, 101 };
    cudaFuncAttributes a = {};
    const char *name = NULL;
    size_t offset = 0, bytes = 0;
    cudaFunction_t f = NULL;
    cudaKernel_t k = NULL;
    int n = 0;

    A(cudaFuncGetAttributes(NULL, small));
    A(cudaFuncGetAttributes(&a, (const void *)host));
    A(cudaFuncGetAttributes(&a, pairs));
    N(a.requiredClusterWidth);
    N(a.clusterDimMustBeSet);
    A(cudaFuncGetAttributes(&a, several));
    N(a.maxThreadsPerBlock);
    N(a.sharedSizeBytes);
    for (int which = 7; which < 17; which++)
        for (int v : values) {
            printf("attribute %d, value %d\n", which, v);
            A(cudaFuncSetAttribute(small, (cudaFuncAttribute)which, v));
        }
    A(cudaFuncGetAttributes(&a, small));
    N(a.preferredShmemCarveout);
    N(a.nonPortableClusterSizeAllowed);
    A(cudaFuncSetAttribute((const void *)NULL, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
    A(cudaFuncSetCacheConfig(small, cudaFuncCachePreferL1));
    A(cudaFuncSetCacheConfig((const void *)host, cudaFuncCachePreferL1));
    A(cudaFuncSetSharedMemConfig(small, cudaSharedMemBankSizeFourByte));
    A(cudaFuncGetName(&name, (const void *)several));
    printf("    %s\n", name ? name : "none");
    A(cudaFuncGetName(NULL, (const void *)several));
    for (size_t i = 0; i < 4; i++) {
        printf("parameter %zu\n", i);
        A(cudaFuncGetParamInfo((const void *)several, i, &offset, &bytes));
        N(offset);
        N(bytes);
    }
    A(cudaFuncGetParamInfo((const void *)several, 1, &offset, NULL));
    A(cudaFuncGetParamInfo((const void *)several, 1, NULL, &bytes));
    A(cudaGetFuncBySymbol(&f, (const void *)small));
    A(cudaGetFuncBySymbol(NULL, (const void *)small));
    A(cudaGetFuncBySymbol(&f, (const void *)host));
    A(cudaGetKernel(&k, (const void *)small));
    A(cudaGetKernel(NULL, (const void *)small));
    A(cudaKernelSetAttributeForDevice(k, cudaFuncAttributePreferredSharedMemoryCarveout, 25, 0));
    A(cudaKernelSetAttributeForDevice(k, cudaFuncAttributePreferredSharedMemoryCarveout, 25, 99));
    A(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)small, 0, 0));
    A(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)small, 1025, 0));
    N(n);
    A(cudaOccupancyMaxActiveBlocksPerMultiprocessor((int *)NULL, (const void *)small, 32, 0));
    A(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, (const void *)small, 32, 0, 1));
    N(n);
    A(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, (const void *)small, 32, 0, 2));
    A(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)small, 0, 32));
    A(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)small, 1, 0));
    A(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)small, 32, 32));
    N(bytes);
}

namespace of_launches {
static int *x = NULL;
static char letter = 1;
static double number = 2;
static void *args[] = { &x, &letter, &number };
static cudaLaunchConfig_t c = {};
static cudaLaunchAttribute at[2] = {};
static cudaStream_t s = NULL;
static cudaEvent_t timed = NULL, untimed = NULL;
static int n = 0;

static void one()
{
    A(cudaStreamCreate(&s));
    A(cudaEventCreate(&timed));
    A(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    A(cudaLaunchKernel((const void *)small, dim3(1), dim3(1), args, 0, s));
    A(cudaLaunchKernel((const void *)host, dim3(1), dim3(1), args, 0, s));
}

static void two()
{
    static const dim3 sizes[] = { dim3(0),           dim3(1, 0),        dim3(1, 1, 0), dim3(1, 65536),
                                  dim3(1, 1, 65536), dim3(0x80000000u), dim3(2048),    dim3(1, 2048),
                                  dim3(1, 1, 128),   dim3(32, 32, 2),   dim3(8, 8, 2) };
    for (const dim3 &d : sizes) {
        printf("%u %u %u\n", d.x, d.y, d.z);
        if (d.x < 0x80000000u || d.y > 1) {
            A(cudaLaunchKernel((const void *)small, dim3(1), d, args, 0, s));
        }
        if (d.x != 2048 && d.x != 32 && d.y != 2048)
            A(cudaLaunchKernel((const void *)small, d, dim3(1), args, 0, s));
    }
    A(cudaLaunchKernel((const void *)several, dim3(1), dim3(256), args, 0, s));
    A(cudaLaunchKernel((const void *)pairs, dim3(3), dim3(1), args, 0, s));
    A(cudaLaunchKernel((const void *)small, dim3(1), dim3(1), args, 49153, s));
    A(cudaLaunchKernel((const void *)small, dim3(1), dim3(1), args, (size_t)1 << 33, s));
    A(cudaLaunchCooperativeKernel((const void *)small, dim3(2), dim3(32), args, 0, s));
    A(cudaLaunchCooperativeKernel((const void *)small, dim3(0), dim3(32), args, 0, s));
    c.gridDim = dim3(4);
    c.blockDim = dim3(32);
    c.stream = s;
    c.numAttrs = 1;
    A(cudaLaunchKernelExC(&c, (const void *)small, args));
    c.attrs = at;
    for (int id = 0; id < 16; id++) {
        printf("attribute %d\n", id);
        memset(at, 0, sizeof at);
        at[0].id = (cudaLaunchAttributeID)id;
        if (id != 6 && id != 12 && id != 15)
            A(cudaLaunchKernelExC(&c, (const void *)small, args));
    }
    memset(at, 0, sizeof at);
    at[0].id = cudaLaunchAttributeCooperative;
    at[0].val.cooperative = 1;
    A(cudaLaunchKernelExC(&c, (const void *)small, args));
    at[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    at[0].val.programmaticStreamSerializationAllowed = 1;
    A(cudaLaunchKernelExC(&c, (const void *)small, args));
    for (int k = 0; k < 2; k++) {
        at[0].id = cudaLaunchAttributeProgrammaticEvent;
        at[0].val.programmaticEvent.event = k ? timed : untimed;
        at[0].val.programmaticEvent.flags = 0;
        at[0].val.programmaticEvent.triggerAtBlockStart = 0;
        A(cudaLaunchKernelExC(&c, (const void *)small, args));
        at[0].id = cudaLaunchAttributeLaunchCompletionEvent;
        at[0].val.launchCompletionEvent.event = k ? timed : untimed;
        at[0].val.launchCompletionEvent.flags = 0;
        A(cudaLaunchKernelExC(&c, (const void *)small, args));
    }
    A(cudaEventSynchronize(untimed));
    memset(at, 0, sizeof at);
    at[0].id = cudaLaunchAttributeClusterDimension;
    for (unsigned k = 0; k < 4; k++) {
        printf("cluster %u\n", k);
        at[0].val.clusterDim.x = k;
        at[0].val.clusterDim.y = at[0].val.clusterDim.z = 1;
        A(cudaLaunchKernelExC(&c, (const void *)small, args));
        at[0].val.clusterDim.x = at[0].val.clusterDim.z = 1;
        at[0].val.clusterDim.y = k;
        A(cudaLaunchKernelExC(&c, (const void *)small, args));
    }
    A(cudaOccupancyMaxActiveClusters(&n, small, NULL));
    A(cudaOccupancyMaxPotentialClusterSize(&n, small, NULL));
}

static void three()
{
    A(cudaOccupancyMaxActiveClusters((int *)NULL, small, &c));
    A(cudaStreamSynchronize(s));
    A(cudaEventDestroy(timed));
    A(cudaEventDestroy(untimed));
    A(cudaStreamDestroy(s));
}

} // namespace of_launches

static void launches()
{
    of_launches::one();
    of_launches::two();
    of_launches::three();
}

static const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                          ".visible .global .align 4 .u32 count = 5;\n"
                          ".visible .func helper()\n{\nret;\n}\n"
                          ".visible .entry first(.param .u64 p, .param .u32 n)\n{\nret;\n}\n"
                          ".visible .entry second()\n{\nret;\n}\n";

static void libraries()
{
    cudaLibrary_t l = NULL;
    cudaKernel_t k = NULL, list[4] = {};
    void *p = NULL;
    size_t bytes = 0;
    unsigned n = 0;
    char file[] = "/tmp/answers-XXXXXX";
    const int fd = mkstemp(file);

    A(cudaLibraryLoadData(NULL, ptx, NULL, NULL, 0, NULL, NULL, 0));
    A(cudaLibraryLoadData(&l, NULL, NULL, NULL, 0, NULL, NULL, 0));
    A(cudaLibraryLoadFromFile(&l, "/there/is/no/such/file", NULL, NULL, 0, NULL, NULL, 0));
    A(cudaLibraryLoadFromFile(&l, NULL, NULL, NULL, 0, NULL, NULL, 0));
    FILE *f = fdopen(fd, "w");
    fputs(ptx, f);
    fclose(f);
    l = NULL;
    A(cudaLibraryLoadFromFile(&l, file, NULL, NULL, 0, NULL, NULL, 0));
    if (l)
        A(cudaLibraryUnload(l));
    unlink(file);
    l = NULL;
    A(cudaLibraryLoadData(&l, ptx, NULL, NULL, 0, NULL, NULL, 0));
    A(cudaLibraryGetKernelCount(&n, l));
    N(n);
    A(cudaLibraryGetKernelCount(NULL, l));
    A(cudaLibraryEnumerateKernels(list, 4, l));
    N(list[0] && list[1]);
    A(cudaLibraryEnumerateKernels(list, 1, l));
    A(cudaLibraryEnumerateKernels(NULL, 1, l));
    A(cudaLibraryGetKernel(&k, l, "second"));
    A(cudaLibraryGetKernel(&k, l, "third"));
    A(cudaLibraryGetKernel(&k, l, "helper"));
    A(cudaLibraryGetKernel(NULL, l, "first"));
    A(cudaLibraryGetKernel(&k, l, NULL));
    A(cudaLibraryGetGlobal(&p, &bytes, l, "count"));
    N(bytes);
    A(cudaLibraryGetGlobal(NULL, &bytes, l, "count"));
    A(cudaLibraryGetGlobal(&p, NULL, l, "count"));
    A(cudaLibraryGetGlobal(&p, &bytes, l, "other"));
    A(cudaLibraryGetGlobal(&p, &bytes, l, NULL));
    A(cudaLibraryGetManaged(&p, &bytes, l, "other"));
    if (l)
        A(cudaLibraryGetKernel(&k, l, "second"));
    A(cudaLaunchKernel((const void *)k, dim3(1), dim3(1), NULL, 0, NULL));
    A(cudaDeviceSynchronize());
    A(cudaLibraryUnload(l));
    A(cudaLibraryUnload(NULL));
}

static void entries()
{
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
    void *f = NULL;

    for (const char *name : { "cuMemAlloc", "cuCtxCreate", "cuInit", "cuNoSuchFunction", "cudaMalloc", "" }) {
        printf("%s\n", name);
        for (unsigned version : { 3000u, 4000u, 11000u, 12050u, 13000u }) {
            f = (void *)1;
            A(cudaGetDriverEntryPointByVersion(name, &f, version, cudaEnableDefault, &found));
            N(found);
            N(f == NULL);
        }
    }
    A(cudaGetDriverEntryPointByVersion("cuInit", &f, 13000, cudaEnableLegacyStream, &found));
    A(cudaGetDriverEntryPointByVersion("cuInit", &f, 13000, cudaEnablePerThreadDefaultStream, &found));
    A(cudaGetDriverEntryPointByVersion("cuInit", &f, 13000, 77, &found));
    A(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &f, 13000, cudaEnableDefault, NULL));
}

int main(int argc, char **argv)
{
    static void (*const parts[])() = { functions, launches, libraries, entries };

    begin_of_answers(argc, argv);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_wanted(argc, argv, i))
            parts[i]();
    A(cudaDeviceReset());
    A(cudaDeviceSynchronize());
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
