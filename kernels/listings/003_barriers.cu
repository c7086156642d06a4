/* Pages of the notes 003: barriers, clusters, warps with a part of their own. */
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/std/utility>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using cuda::std::move;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* listing.003.arrive-wait: arriving and waiting are two calls, and work may lie between them.
 *
 *     write mine   arrive ---- work of my own ---- wait   read a neighbour's
 *
 * What a thread wrote before it arrived, all see that have waited. The token names the phase and is handed over: wait
 * takes it by move. */
extern "C" __global__ void arrive_wait(const int *in, int *out)
{
    extern __shared__ int tile[];
    __shared__ barrier bar;
    const int i = threadIdx.x, neighbour = (i + 1) % blockDim.x;

    if (i == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    tile[i] = in[i];
    barrier::arrival_token token = bar.arrive();
    int work = 3 * i;
    //! early: work += tile[neighbour] - tile[i];
    bar.wait(move(token));
    out[i] = tile[neighbour] + work;
}

/* listing.003.iter_barrier: threads meet in each iteration. There are two meetings: when all have read, each may write;
 * when all have written, each may read again. */
extern "C" __global__ void iter_barrier(int *data, int iterations)
{
    extern __shared__ int tile[];
    __shared__ barrier bar;
    const int i = threadIdx.x;

    if (i == 0)
        init(&bar, blockDim.x);
    tile[i] = data[i];
    __syncthreads();
    for (int k = 0; k < iterations; k++) {
        const int sum = tile[i] + tile[(i + 1) % blockDim.x];
        bar.arrive_and_wait(); //! one_meeting
        tile[i] = sum;
        bar.arrive_and_wait();
    }
    data[i] = tile[i];
}

/* listing.003.dsmem: two blocks of a cluster write into each other's shared memory.
 *
 *     block 0   x = 100   sync   x of block 1 = 0   sync   read x
 *     block 1   x = 101   sync   x of block 0 = 1   sync   read x
 *
 * Before the first sync the other block may not have begun; before the second one it may not have written, and it must
 * not end while its own x is still written to. */
extern "C" __global__ void __cluster_dims__(2) dsmem(int *out)
{
    __shared__ int x;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();

    if (threadIdx.x == 0)
        x = 100 + rank;
    cluster.sync(); //! no_first_sync: __syncthreads();
    if (threadIdx.x == 0)
        *cluster.map_shared_rank(&x, rank ^ 1) = blockIdx.x;
    cluster.sync(); //! no_last_sync: __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = x;
}

/* listing.003.simple_sync: block.sync() is __syncthreads(): no thread passes before all have come, and what they wrote
 * before it all may read behind it. */
extern "C" __global__ void simple_sync(int *data, int iterations)
{
    extern __shared__ int tile[];
    const cg::thread_block block = cg::this_thread_block();
    const int i = block.thread_rank();

    tile[i] = data[i];
    for (int k = 0; k < iterations; k++) {
        block.sync();
        const int left = tile[(i + block.size() - 1) % block.size()];
        block.sync(); //! no_sync
        tile[i] = left + k;
    }
    data[i] = tile[i];
}

/* listing.003.split_arrive_wait: in each iteration threads publish a number, arrive, do work that needs no other
 * thread, and wait. */
__device__ static int compute(int number)
{
    return number * 5 + 1;
}

extern "C" __global__ void split_arrive_wait(int *data, int iterations)
{
    extern __shared__ int tile[]; /* of two iterations, so that one may be written while the other is read */
    __shared__ barrier bar;
    const cg::thread_block block = cg::this_thread_block();
    const int i = block.thread_rank(), n = block.size();
    int number = data[i];

    if (i == 0)
        init(&bar, n);
    block.sync();
    for (int k = 0; k < iterations; k++) {
        int *const now = tile + k % 2 * n;
        now[i] = number;
        auto token = bar.arrive();
        number = compute(number);
        bar.wait(move(token)); //! no_wait: (void)token;
        number += now[(i + 1) % n];
    }
    data[i] = number;
    block.sync();
}

/* listing.003.init_barrier: one thread makes the barrier, with the number of arrivals that it expects in each phase;
 * the block meets, and then any thread may use it. */
extern "C" __global__ void init_barrier(int *out)
{
    extern __shared__ int tile[];
    __shared__ barrier bar;
    const cg::thread_block block = cg::this_thread_block();
    const int i = block.thread_rank();

    if (i == 0)
        init(&bar, block.size());
    block.sync();
    tile[i] = 7 * i;
    bar.arrive_and_wait(); //! no_wait: (void)bar.arrive();
    out[i] = tile[block.size() - 1 - i];
}

/* listing.003.producer_consumer_pattern: the first warp fills two buffers in turn, the other warps use them.
 *
 *     ready[b]    buffer b may be filled: all consumers have arrived     the producers wait for it
 *     filled[b]   buffer b may be used: all producers have arrived       the consumers wait for it
 *
 *     producers   wait ready[0]  fill 0  arrive filled[0]  wait ready[1]  fill 1  arrive filled[1]  wait ready[0] ...
 *     consumers   wait filled[0] use 0  arrive ready[0]  wait filled[1]  use 1  arrive ready[1] ...
 *
 * Each barrier expects the whole block: who waits for it arrives too. In the beginning both buffers are ready. */
extern "C" __global__ void producer_consumer_pattern(const int *in, int *out, int batches)
{
    constexpr int size = 64;
    __shared__ int buffer[2][size];
    __shared__ barrier ready[2], filled[2];
    const int consumers = blockDim.x - 32;

    if (threadIdx.x < 2) {
        init(&ready[threadIdx.x], blockDim.x);
        init(&filled[threadIdx.x], blockDim.x);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < batches; k++) {
            ready[k % 2].arrive_and_wait();
            for (int i = threadIdx.x; i < size; i += 32)
                buffer[k % 2][i] = in[k * size + i];
            (void)filled[k % 2].arrive();
        }
    } else {
        (void)ready[0].arrive();
        (void)ready[1].arrive();
        for (int k = 0; k < batches; k++) {
            filled[k % 2].arrive_and_wait(); //! early
            for (int i = threadIdx.x - 32; i < size; i += consumers)
                out[k * size + i] = buffer[k % 2][i] + k;
            //! early: filled[k % 2].arrive_and_wait();
            (void)ready[k % 2].arrive();
        }
    }
}
