// Kernels that wait for what comes after their launch: for the host, for another thread of it, for another stream.
// Argument `never`: for nobody.
#include <chrono>
#include <cstdlib>
#include <mma.h>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>

#include "expect.cuh"

__global__ void wait_for(volatile int *flag, int *sum, int value)
{
    while (*flag < value)
        ;
    *sum += value;
}

// As libraries poll: with pauses that a clock measures.
__global__ void wait_by_clock(volatile int *flag, int *sum)
{
    const long long begin = clock64();

    while (!*flag)
        if (clock64() - begin > 1000)
            __nanosleep(100);
    *sum += 10;
}

__global__ void add(int *sum, int value)
{
    *sum += value;
}

__global__ void say()
{
    printf("said\n");
}

// Answers each number in `ask` by its square in `answer`, up to 0.
__global__ void serve(volatile int *ask, volatile int *answer)
{
    for (int last = 0, now = 1; now; last = now) {
        while ((now = *ask) == last)
            ;
        *answer = now * now;
    }
}

// An emulator needs much stack for it.
__global__ void multiply(const half *a, float *c)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> x;
    fragment<matrix_b, 16, 16, 16, half, row_major> y;
    fragment<accumulator, 16, 16, 16, float> z;

    load_matrix_sync(x, a, 16);
    load_matrix_sync(y, a, 16);
    fill_fragment(z, 0);
    mma_sync(z, x, y, z);
    store_matrix_sync(c, z, 16, mem_row_major);
}

static void add_on_host(void *sum)
{
    *(int *)sum += 100;
}

static int *flag, *sum;
static cudaStream_t one, other, apart;

static void reset()
{
    *flag = *sum = 0;
}

// Stream one has come to `before`, not to `after`.
static void one_waits(cudaEvent_t before, cudaEvent_t after)
{
    float ms;

    GIVES(cudaStreamQuery(one), cudaErrorNotReady);
    GIVES(cudaStreamQuery(other), cudaErrorNotReady);
    GIVES(cudaStreamQuery(0), cudaErrorNotReady); // the default stream waits for all that are not apart from it
    FINE(cudaStreamQuery(apart));
    FINE(cudaEventQuery(before));
    GIVES(cudaEventQuery(after), cudaErrorNotReady);
    GIVES(cudaEventElapsedTime(&ms, before, after), cudaErrorNotReady);
}

static void host_writes()
{
    int *device, own[2] = { 1, 2 }, *back;
    cudaEvent_t before, after;
    float ms = -1;

    FINE(cudaMallocHost(&back, sizeof own));
    back[0] = back[1] = 0;
    FINE(cudaMalloc(&device, sizeof own));
    FINE(cudaEventCreate(&before));
    FINE(cudaEventCreate(&after));
    reset();
    FINE(cudaEventRecord(before, one));
    wait_for<<<1, 1, 0, one>>>(flag, sum, 3);
    FINE(cudaMemcpyAsync(device, own, sizeof own, cudaMemcpyHostToDevice, one));
    own[0] = own[1] = 7; // the copy is from pageable memory: it has these bytes already
    add<<<1, 1, 0, one>>>(device, 5);
    FINE(cudaMemcpyAsync(back, device, sizeof own, cudaMemcpyDeviceToHost, one));
    FINE(cudaLaunchHostFunc(one, add_on_host, back + 1));
    FINE(cudaEventRecord(after, one));
    FINE(cudaStreamWaitEvent(other, after, 0));
    add<<<1, 1, 0, other>>>(device, 5);
    EXPECT(*sum == 0 && back[0] == 0);
    one_waits(before, after);
    add<<<1, 2000, 0, one>>>(device, 5);
    GIVES(cudaGetLastError(), cudaErrorInvalidValue);
    *flag = 3;
    FINE(cudaStreamSynchronize(other));
    EXPECT(*sum == 3 && back[0] == 6 && back[1] == 102);
    FINE(cudaEventElapsedTime(&ms, before, after));
    EXPECT(ms > 0);
    FINE(cudaMemcpy(back, device, sizeof own, cudaMemcpyDeviceToHost));
    EXPECT(back[0] == 11 && back[1] == 2);
    FINE(cudaEventDestroy(before));
    FINE(cudaEventDestroy(after));
    FINE(cudaFree(device));
    FINE(cudaFreeHost(back));
}

// The host waits for a copy to memory of its own that is not page-locked.
static void copy_is_waited_for()
{
    int *device, back = 0;

    FINE(cudaMalloc(&device, sizeof back));
    FINE(cudaMemset(device, 0, sizeof back));
    reset();
    wait_for<<<1, 1, 0, one>>>(flag, sum, 1);
    add<<<1, 1, 0, one>>>(device, 5);
    std::thread writer([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        *flag = 1;
    });
    FINE(cudaMemcpyAsync(&back, device, sizeof back, cudaMemcpyDeviceToHost, one));
    EXPECT(back == 5 && *sum == 1);
    writer.join();
    FINE(cudaFree(device));
}

// The kernel polls memory of the device, and a copy in another stream writes there.
static void stream_writes()
{
    int *device, *more;
    const int value = 4;

    FINE(cudaMalloc(&device, sizeof *device));
    FINE(cudaMemset(device, 0, sizeof *device));
    reset();
    wait_for<<<1, 1, 0, one>>>(device, sum, 4);
    FINE(cudaMalloc(&more, 1 << 20)); // memory, and a kernel of a module, while it runs
    FINE(cudaMemsetAsync(more, 0, 1 << 20, apart));
    EXPECT(*sum == 0);
    FINE(cudaMemcpyAsync(device, &value, sizeof value, cudaMemcpyHostToDevice, apart));
    FINE(cudaStreamSynchronize(apart));
    FINE(cudaMemcpy(more, &value, sizeof value, cudaMemcpyHostToDevice)); // waits for stream one
    EXPECT(*sum == 4);
    FINE(cudaFree(device));
    FINE(cudaFree(more));
}

static void thread_writes()
{
    reset();
    wait_by_clock<<<1, 1>>>(flag, sum);
    std::thread writer([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        *flag = 1;
    });
    add<<<1, 1>>>(sum, 1);
    say<<<1, 1>>>();
    FINE(cudaDeviceSynchronize());
    EXPECT(*sum == 11);
    writer.join();
}

static void asks()
{
    volatile int *ask, *answer;

    FINE(cudaMallocHost((void **)&ask, sizeof *ask));
    FINE(cudaMallocManaged((void **)&answer, sizeof *answer));
    *ask = *answer = 0;
    serve<<<1, 1, 0, one>>>(ask, answer);
    for (int i = 2; i < 20; i++) {
        *ask = i;
        while (*answer != i * i)
            ;
    }
    *ask = 0;
    FINE(cudaStreamSynchronize(one));
    EXPECT(*answer == 0);
    FINE(cudaFreeHost((void *)ask));
    FINE(cudaFree((void *)answer));
}

// Each of two kernels waits for the other one's number.
__global__ void in_turn(volatile int *turn, int own, int last)
{
    for (int now = own; now < last; now += 2) {
        while (*turn != now)
            ;
        *turn = now + 1;
    }
}

static void two_wait()
{
    int *turn;

    FINE(cudaMallocManaged(&turn, sizeof *turn));
    *turn = -1;
    reset();
    in_turn<<<1, 1, 0, one>>>(turn, 1, 20);
    in_turn<<<1, 1, 0, other>>>(turn, 0, 20);
    add<<<1, 1, 0, other>>>(sum, 100);
    EXPECT(*(volatile int *)turn == -1);
    *(volatile int *)turn = 0;
    FINE(cudaDeviceSynchronize());
    EXPECT(*turn == 20 && *sum == 100);
    FINE(cudaFree(turn));
}

static void graph_waits()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    FINE(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, one>>>(sum, 1);
    wait_for<<<1, 1, 0, one>>>(flag, sum, 5);
    FINE(cudaLaunchHostFunc(one, add_on_host, sum));
    FINE(cudaStreamEndCapture(one, &graph));
    FINE(cudaGraphInstantiate(&exec, graph, 0));
    reset();
    FINE(cudaGraphLaunch(exec, one));
    while (*(volatile int *)sum != 1)
        ;
    *flag = 5;
    FINE(cudaStreamSynchronize(one));
    EXPECT(*sum == 106);
    FINE(cudaGraphExecDestroy(exec));
    FINE(cudaGraphDestroy(graph));
}

// Each frees its own memory, of two kinds, while others do.
static void threads_free()
{
    std::thread all[8];

    for (std::thread &t : all)
        t = std::thread([] {
            int *device, *host;
            cudaStream_t own;
            for (int i = 0; i < 40; i++) {
                FINE(cudaStreamCreate(&own));
                FINE(cudaMalloc(&device, sizeof *device));
                FINE(cudaMallocHost(&host, sizeof *host));
                *host = i;
                FINE(cudaMemcpyAsync(device, host, sizeof *host, cudaMemcpyDefault, own));
                add<<<1, 1, 0, own>>>(device, 1);
                FINE(cudaMemcpyAsync(host, device, sizeof *host, cudaMemcpyDefault, own));
                FINE(cudaStreamSynchronize(own));
                EXPECT(*host == i + 1);
                FINE(cudaFree(device));
                FINE(cudaFreeHost(host));
                FINE(cudaStreamDestroy(own));
            }
        });
    for (std::thread &t : all)
        t.join();
}

static half *ones;
static float *product;

static void multiply_here()
{
    multiply<<<1, 32>>>(ones, product);
}

static void *multiply_in_thread(void *)
{
    multiply_here();
    return NULL;
}

// Kernels that wait for nobody, launched where there is little stack.
static void little_stack()
{
    enum { STACK = 64 << 10 };
    static char stack[STACK];
    static ucontext_t here, there;
    pthread_attr_t how;
    pthread_t thread;

    FINE(cudaMallocManaged(&ones, 256 * sizeof *ones));
    FINE(cudaMallocManaged(&product, 256 * sizeof *product));
    for (int i = 0; i < 256; i++)
        ones[i] = 1;
    multiply_here(); // a driver loads it at its first launch
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK);
    EXPECT(pthread_create(&thread, &how, multiply_in_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
    FINE(cudaDeviceSynchronize());
    EXPECT(product[0] == 16 && product[255] == 16);
    product[0] = product[255] = 0;
    EXPECT(getcontext(&there) == 0);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, multiply_here, 0);
    EXPECT(swapcontext(&here, &there) == 0);
    FINE(cudaDeviceSynchronize());
    EXPECT(product[0] == 16 && product[255] == 16);
}

// A process that leaves the device alone does not disturb its parent.
static void forks()
{
    int status = -1;
    pid_t child;

    reset();
    add<<<1, 1>>>(sum, 1);
    child = fork();
    if (!child)
        exit(3); // with all that a program does at its end
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
    add<<<1, 1>>>(sum, 1);
    FINE(cudaDeviceSynchronize());
    EXPECT(*sum == 2);
}

int main(int argc, char **argv)
{
    FINE(cudaMallocHost(&flag, sizeof *flag));
    FINE(cudaMallocManaged(&sum, sizeof *sum));
    FINE(cudaStreamCreate(&one));
    FINE(cudaStreamCreate(&other));
    FINE(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    if (argc > 1) {
        reset();
        wait_for<<<1, 1>>>(flag, sum, 1);
        GIVES(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
        return end_of_test();
    }
    host_writes();
    copy_is_waited_for();
    stream_writes();
    thread_writes();
    asks();
    two_wait();
    graph_waits();
    threads_free();
    little_stack();
    forks();
    return end_of_test();
}
// SPDX-License-Identifier: Apache-2.0
