// What the runtime answers about the device, streams, events and captures.
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

namespace of_device {
static int n = 9, list[2] = { 0, 5 };
static unsigned flags = 0;
static size_t bytes = 0;
static char bus[32] = "";
static cudaDeviceProp prop = {};
static cudaFuncCache cache = cudaFuncCachePreferL1;
static cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
static cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();

static void one()
{
    A(cudaGetDeviceCount(NULL));
    A(cudaGetDevice(&n));
    N(n);
    A(cudaGetDevice(NULL));
    A(cudaSetDevice(99));
    A(cudaSetDevice(-1));
    A(cudaSetDevice(0));
    A(cudaInitDevice(0, 0, 0));
    A(cudaInitDevice(99, 0, 0));
    A(cudaSetValidDevices(list, 1));
    A(cudaSetValidDevices(NULL, 0));
    A(cudaChooseDevice(&n, &prop));
    N(n);
    A(cudaChooseDevice(NULL, &prop));
    A(cudaChooseDevice(&n, NULL));
    A(cudaGetDeviceProperties(NULL, 0));
    A(cudaGetDeviceProperties(&prop, 99));
    A(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 99));
    A(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
    A(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
    A(cudaGetDeviceFlags(&flags));
    N(flags);
    A(cudaGetDeviceFlags(NULL));
    A(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    A(cudaGetDeviceFlags(&flags));
    N(flags);
    A(cudaSetDeviceFlags(0x10000));
    A(cudaSetDeviceFlags(0));
    A(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    A(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    N(bytes);
    A(cudaDeviceSetLimit((cudaLimit)77, 2048));
    A(cudaDeviceGetLimit(&bytes, (cudaLimit)77));
    A(cudaDeviceGetLimit(NULL, cudaLimitStackSize));
    A(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32));
    A(cudaDeviceGetLimit(&bytes, cudaLimitMaxL2FetchGranularity));
    N(bytes);
    A(cudaDeviceGetCacheConfig(&cache));
    N(cache);
    A(cudaDeviceGetCacheConfig(NULL));
    A(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    A(cudaDeviceGetCacheConfig(&cache));
    N(cache);
    A(cudaDeviceGetSharedMemConfig(&banks));
    N(banks);
    A(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    A(cudaDeviceGetSharedMemConfig(&banks));
    N(banks);
    A(cudaCtxResetPersistingL2Cache());
    A(cudaDeviceGetStreamPriorityRange(NULL, &n));
    N(n);
    A(cudaDeviceGetStreamPriorityRange(&n, NULL));
    N(n);
    for (int bits : { 8, 16, 32 })
        for (int channels = 1; channels < 5; channels++) {
            printf("%d channels of %d bits\n", channels, bits);
            f = cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0,
                                      cudaChannelFormatKindUnsigned);
            A(cudaDeviceGetTexture1DLinearMaxWidth(&bytes, &f, 0));
            N(bytes);
        }
    A(cudaDeviceGetTexture1DLinearMaxWidth(NULL, &f, 0));
}

static void two()
{
    A(cudaDeviceGetTexture1DLinearMaxWidth(&bytes, NULL, 0));
    A(cudaDeviceGetTexture1DLinearMaxWidth(&bytes, &f, 99));
    A(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    N(strlen(bus));
    A(cudaDeviceGetByPCIBusId(&n, bus));
    N(n);
    A(cudaDeviceGetByPCIBusId(&n, strlen(bus) > 5 ? bus + 5 : bus));
    A(cudaDeviceGetPCIBusId(bus, 4, 0));
    A(cudaDeviceGetPCIBusId(NULL, 32, 0));
    A(cudaDeviceGetPCIBusId(bus, 32, 99));
    A(cudaDeviceGetByPCIBusId(&n, "0000:fe:1e.0"));
    A(cudaDeviceGetByPCIBusId(&n, "words"));
    A(cudaDeviceGetByPCIBusId(&n, NULL));
    A(cudaDeviceGetByPCIBusId(NULL, "0000:fe:1e.0"));
    A(cudaDeviceCanAccessPeer(&n, 0, 0));
    N(n);
    A(cudaDeviceCanAccessPeer(&n, 0, 99));
    A(cudaDeviceCanAccessPeer(&n, 99, 0));
    A(cudaDeviceCanAccessPeer(NULL, 0, 0));
    A(cudaDeviceEnablePeerAccess(0, 0));
    A(cudaDeviceEnablePeerAccess(99, 0));
    A(cudaDeviceDisablePeerAccess(0));
    A(cudaDeviceDisablePeerAccess(99));
    A(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 0));
    A(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                         cudaFlushGPUDirectRDMAWritesToOwner));
    A(cudaDriverGetVersion(&n));
    N(n >= 13000);
    A(cudaDriverGetVersion(NULL));
    A(cudaRuntimeGetVersion(&n));
    N(n);
    A(cudaRuntimeGetVersion(NULL));
    A(cudaProfilerStart());
    A(cudaProfilerStop());
    A(cudaPeekAtLastError());
}

} // namespace of_device

static void device()
{
    of_device::one();
    of_device::two();
}

static int called;

static void count(void *by)
{
    called += *(int *)by;
}

static void CUDART_CB counted(cudaStream_t, cudaError_t status, void *by)
{
    called += *(int *)by + 1000 * (int)status;
}

static void streams()
{
    cudaStream_t s = NULL, other = NULL;
    int n = 0, by = 3, devices = 7;
    unsigned flags = 9;
    unsigned long long id = 0, second = 0;
    cudaLaunchAttributeValue value = {};

    A(cudaStreamCreate(&s));
    A(cudaStreamCreate(NULL));
    A(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    A(cudaStreamCreateWithPriority(&other, cudaStreamDefault, 5));
    A(cudaStreamGetPriority(other, &n));
    N(n);
    A(cudaStreamGetPriority(other, NULL));
    A(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -3));
    A(cudaStreamGetPriority(other, &n));
    N(n);
    A(cudaStreamGetFlags(other, &flags));
    N(flags);
    A(cudaStreamGetFlags(other, NULL));
    A(cudaStreamGetId(s, &id));
    A(cudaStreamGetId(other, &second));
    N(id == second);
    A(cudaStreamGetId(s, NULL));
    A(cudaStreamGetId(NULL, &id));
    A(cudaStreamGetId(cudaStreamPerThread, &second));
    N(id == second);
    A(cudaStreamGetDevice(s, &devices));
    N(devices);
    for (int a = 0; a < 18; a++) {
        printf("attribute %d\n", a);
        value = {};
        A(cudaStreamGetAttribute(s, (cudaLaunchAttributeID)a, &value));
    }
    A(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &value));
    N(value.priority);
    A(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &value));
    N(value.syncPolicy);
    A(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, NULL));
    value = {};
    value.syncPolicy = cudaSyncPolicyYield;
    A(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &value));
    A(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &value));
    N(value.syncPolicy);
    A(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, NULL));
    A(cudaStreamSetAttribute(s, cudaLaunchAttributeCooperative, &value));
    value.priority = -2;
    A(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &value));
    A(cudaStreamGetPriority(s, &n));
    N(n);
    A(cudaStreamCopyAttributes(other, s));
    A(cudaStreamGetAttribute(other, cudaLaunchAttributeSynchronizationPolicy, &value));
    N(value.syncPolicy);
    A(cudaLaunchHostFunc(s, count, &by));
    A(cudaLaunchHostFunc(s, NULL, &by));
    A(cudaStreamSynchronize(s));
    N(called);
    A(cudaStreamAddCallback(s, counted, &by, 0));
    A(cudaStreamSynchronize(s));
    N(called);
    A(cudaStreamAddCallback(s, counted, &by, 1));
    A(cudaStreamAddCallback(s, NULL, &by, 0));
    A(cudaStreamQuery(s));
    A(cudaStreamDestroy(s));
    A(cudaStreamDestroy(other));
}

static void events()
{
    cudaEvent_t e = NULL, second = NULL, untimed = NULL;
    cudaStream_t s = NULL;
    float ms = -1;

    A(cudaStreamCreate(&s));
    for (unsigned f = 0; f < 9; f++) {
        printf("flags %u\n", f);
        e = NULL;
        A(cudaEventCreateWithFlags(&e, f));
        if (e)
            A(cudaEventDestroy(e));
    }
    A(cudaEventCreate((cudaEvent_t *)NULL));
    A(cudaEventCreate(&e));
    A(cudaEventCreate(&second));
    A(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    A(cudaEventDestroy(NULL));
    A(cudaEventRecord(NULL, s));
    A(cudaEventQuery(NULL));
    A(cudaEventSynchronize(NULL));
    A(cudaStreamWaitEvent(s, NULL, 0));
    A(cudaEventElapsedTime(&ms, e, NULL));
    A(cudaEventElapsedTime(&ms, NULL, e));
    A(cudaEventElapsedTime(&ms, e, second));
    A(cudaEventRecordWithFlags(e, s, cudaEventRecordDefault));
    A(cudaEventRecordWithFlags(second, s, cudaEventRecordExternal));
    A(cudaEventRecordWithFlags(second, s, 2));
    A(cudaEventRecord(second, s));
    A(cudaEventSynchronize(second));
    A(cudaEventElapsedTime(&ms, e, second));
    N(ms >= 0);
    A(cudaEventElapsedTime(NULL, e, second));
    A(cudaEventElapsedTime(&ms, e, untimed));
    A(cudaEventQuery(e));
    A(cudaStreamWaitEvent(s, e, cudaEventWaitDefault));
    A(cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
    A(cudaStreamWaitEvent(s, e, 2));
    A(cudaStreamSynchronize(s));
    A(cudaEventDestroy(e));
    A(cudaEventDestroy(second));
    A(cudaEventDestroy(untimed));
    A(cudaStreamDestroy(s));
}

// What a stream that captures, in each mode, allows in the meantime.
namespace of_captures {
static const cudaStreamCaptureMode modes[] = { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                                               cudaStreamCaptureModeRelaxed, (cudaStreamCaptureMode)7 };
static cudaStream_t s = NULL, other = NULL;
static cudaGraph_t g = NULL, seen = NULL, given = NULL;
static cudaGraphExec_t x = NULL;
static cudaEvent_t e = NULL, outside = NULL;
static cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
static cudaStreamCaptureMode mode;
static const cudaGraphNode_t *last = NULL;
static const cudaGraphEdgeData *edges = NULL;
static unsigned long long id = 0;
static size_t n = 0;
static void *p = NULL;
static int by = 1;

static void one()
{
    A(cudaStreamCreate(&s));
    A(cudaStreamCreate(&other));
    A(cudaEventCreate(&e));
    A(cudaEventCreate(&outside));
    A(cudaEventRecord(outside, other));
    A(cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal));
    for (int m = 0; m < 4; m++)
        for (int call = 0; call < 8; call++) {
            printf("mode %d, call %d\n", m, call);
            g = NULL;
            A(cudaStreamBeginCapture(s, modes[m]));
            small<<<1, 1, 0, s>>>(NULL);
            A(cudaGetLastError());
            switch (call) {
            case 0: A(cudaMalloc(&p, 64)); break;
            case 1: A(cudaStreamSynchronize(s)); break;
            case 2: A(cudaDeviceSynchronize()); break;
            case 3:
                if (m < 3)
                    A(cudaStreamQuery(s));
                break;
            case 4: A(cudaStreamAddCallback(s, counted, &by, 0)); break;
            case 5: A(cudaStreamWaitEvent(s, outside, 0)); break;
            case 6: A(cudaMemset(host, 0, 4)); break;
            case 7:
                small<<<1, 1>>>(NULL);
                A(cudaGetLastError());
                break;
            }
            A(cudaStreamIsCapturing(s, &status));
            N(status);
            A(cudaStreamEndCapture(s, &g));
            if (g)
                A(cudaGraphDestroy(g));
            A(cudaDeviceSynchronize());
        }
    A(cudaStreamIsCapturing(s, NULL));
    A(cudaStreamIsCapturing(s, &status));
    N(status);
    A(cudaStreamGetCaptureInfo(s, &status, &id, &seen, &last, &edges, &n));
    A(cudaStreamGetCaptureInfo(s, NULL, &id, &seen, &last, &edges, &n));
    A(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
}

static void two()
{
    // what breaks a capture of two streams
    for (int call = 0; call < 6; call++) {
        printf("call %d\n", call);
        g = NULL;
        A(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
        A(cudaEventRecord(e, s));
        A(cudaStreamWaitEvent(other, e, 0));
        small<<<1, 1, 0, other>>>(NULL);
        A(cudaGetLastError());
        switch (call) {
        case 0: A(cudaStreamEndCapture(other, &g)); break;
        case 1: A(cudaEventQuery(e)); break;
        case 2: A(cudaEventSynchronize(e)); break;
        case 3: A(cudaStreamEndCapture(s, NULL)); break;
        case 4: A(cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed)); break;
        }
        A(cudaEventRecord(e, other));
        A(cudaStreamWaitEvent(s, e, 0));
        A(cudaStreamIsCapturing(s, &status));
        N(status);
        A(cudaStreamEndCapture(s, &g));
        A(cudaStreamIsCapturing(other, &status));
        N(status);
        if (g)
            A(cudaGraphDestroy(g));
    }
    // two streams, of which the second joins and comes back
    A(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    A(cudaEventRecord(e, s));
    A(cudaStreamWaitEvent(other, e, 0));
    small<<<1, 1, 0, other>>>(NULL);
    A(cudaGetLastError());
    A(cudaEventRecord(e, other));
    A(cudaStreamWaitEvent(s, e, 0));
    small<<<1, 1, 0, s>>>(NULL);
    A(cudaGetLastError());
    n = 0;
    A(cudaStreamGetCaptureInfo(s, &status, &id, &seen, &last, &edges, &n));
    N(status);
    N(n);
    A(cudaStreamGetCaptureInfo(s, &status, NULL, NULL, NULL, NULL, NULL));
    cudaGraphNode_t node = last && n ? last[0] : NULL;
    A(cudaStreamUpdateCaptureDependencies(s, &node, NULL, 1, cudaStreamAddCaptureDependencies));
    A(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
    A(cudaStreamUpdateCaptureDependencies(s, &node, NULL, 1, cudaStreamSetCaptureDependencies));
    A(cudaStreamUpdateCaptureDependencies(s, NULL, NULL, 1, cudaStreamSetCaptureDependencies));
    A(cudaStreamUpdateCaptureDependencies(s, &node, NULL, 1, 5));
    A(cudaStreamEndCapture(s, &g));
    A(cudaGraphGetNodes(g, NULL, &n));
    N(n);
    A(cudaGraphInstantiate(&x, g, 0));
    // a graph that is launched into a capture
    A(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    A(cudaGraphLaunch(x, s));
    A(cudaStreamEndCapture(s, &seen));
    A(cudaGraphGetNodes(seen, NULL, &n));
    N(n);
    A(cudaGraphDestroy(seen));
    // into a graph that there is
    A(cudaGraphCreate(&given, 0));
    A(cudaStreamBeginCaptureToGraph(s, given, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    A(cudaMallocAsync(&p, 64, s));
}

static void three()
{
    A(cudaFreeAsync(p, s));
    A(cudaStreamEndCapture(s, &seen));
    N(seen == given);
    A(cudaStreamBeginCaptureToGraph(s, NULL, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    A(cudaStreamBeginCaptureToGraph(s, given, NULL, NULL, 1, cudaStreamCaptureModeRelaxed));
    A(cudaGraphDestroy(given));
    // two captures that meet
    A(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    A(cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed));
    A(cudaEventRecord(e, other));
    A(cudaStreamWaitEvent(s, e, 0));
    A(cudaStreamEndCapture(s, &seen));
    A(cudaStreamEndCapture(other, &seen));
    // one that is not joined
    A(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    A(cudaEventRecord(e, s));
    A(cudaStreamWaitEvent(other, e, 0));
    small<<<1, 1, 0, other>>>(NULL);
    A(cudaGetLastError());
    A(cudaStreamEndCapture(s, &seen));
    A(cudaStreamIsCapturing(other, &status));
    N(status);
    for (int m = 0; m < 3; m++) {
        mode = modes[m];
        A(cudaThreadExchangeStreamCaptureMode(&mode));
        N(mode);
    }
    A(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    A(cudaMalloc(&p, 64));
    A(cudaStreamEndCapture(s, &seen));
    mode = cudaStreamCaptureModeGlobal;
    A(cudaThreadExchangeStreamCaptureMode(&mode));
    N(mode);
    A(cudaFree(p));
    A(cudaGraphExecDestroy(x));
    A(cudaGraphDestroy(g));
    A(cudaEventDestroy(e));
    A(cudaEventDestroy(outside));
    A(cudaStreamDestroy(s));
    A(cudaStreamDestroy(other));
}

} // namespace of_captures

static void captures()
{
    of_captures::one();
    of_captures::two();
    of_captures::three();
}

int main(int argc, char **argv)
{
    static void (*const parts[])() = { device, streams, events, captures };

    begin_of_answers(argc, argv);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_wanted(argc, argv, i))
            parts[i]();
    A(cudaDeviceReset());
    A(cudaDeviceSynchronize());
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
