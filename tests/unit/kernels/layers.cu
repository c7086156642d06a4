/* Mistakes in programs that use libcu++, one in each kernel: what is said of them is the rule of libcu++. */
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/std/utility>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
enum { WORDS = 256 };

/* The tile is read before the wait. */
extern "C" __global__ void early_read(const int *in, int *out)
{
    __shared__ alignas(16) int tile[WORDS];
    __shared__ block_barrier bar;
    const auto block = cg::this_thread_block();

    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, tile, in, sizeof tile, bar);
    const int first = tile[(threadIdx.x + 1) % blockDim.x];
    bar.arrive_and_wait();
    out[threadIdx.x] = first;
}

/* A barrier in a struct, behind a member function. One thread arrives for all, and once more. */
struct meeting {
    block_barrier bar;

    __device__ void begin(unsigned threads)
    {
        if (threadIdx.x == 0)
            init(&bar, threads);
        __syncthreads();
    }
    __device__ void meet(unsigned arrivals)
    {
        block_barrier::arrival_token token = bar.arrive(arrivals);
        bar.wait(cuda::std::move(token));
    }
};
extern "C" __global__ void too_many(int *out)
{
    __shared__ meeting m;

    m.begin(blockDim.x);
    if (threadIdx.x == 0)
        m.meet(blockDim.x + 1);
    out[threadIdx.x] = 1;
}

/* The barrier's place holds data while the barrier lives. */
extern "C" __global__ void place_reused(int *out)
{
    __shared__ alignas(8) unsigned char room[sizeof(block_barrier)];
    block_barrier *const bar = reinterpret_cast<block_barrier *>(room);

    if (threadIdx.x == 0)
        init(bar, blockDim.x);
    __syncthreads();
    bar->arrive_and_wait();
    __syncthreads();
    if (threadIdx.x == 0)
        *reinterpret_cast<volatile int *>(room) = 7;
    __syncthreads();
    out[threadIdx.x] = *reinterpret_cast<volatile int *>(room);
}

/* Nobody announces the bytes of the copy. */
extern "C" __global__ void not_announced(const int *in, int *out)
{
    __shared__ alignas(16) int tile[WORDS];
    __shared__ block_barrier bar;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = tile[threadIdx.x];
}

/* Each thread promises an alignment of 8 and copies from a multiple of 4. */
extern "C" __global__ void promised_too_much(const int *in, int *out)
{
    __shared__ alignas(16) int tile[WORDS];
    __shared__ block_barrier bar;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&tile[threadIdx.x * 2], &in[threadIdx.x * 2 + 1], cuda::aligned_size_t<8>(8), bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = tile[threadIdx.x];
}

/* In a function that is not inlined: threads arrive at a barrier that may not be made yet. */
__device__ __noinline__ void meet_at(block_barrier &bar)
{
    bar.arrive_and_wait();
}
extern "C" __global__ void not_made(int *out)
{
    __shared__ block_barrier bar;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    meet_at(bar);
    out[threadIdx.x] = 1;
}

/* The last thread leaves without an arrival: nobody gets through. */
extern "C" __global__ void one_leaves(int *out)
{
    __shared__ block_barrier bar;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        return;
    bar.arrive_and_wait();
    out[threadIdx.x] = 1;
}

/* Waits for the phase that was over before. */
extern "C" __global__ void wrong_parity(const int *in, int *out)
{
    __shared__ alignas(16) int tile[WORDS];
    __shared__ block_barrier bar;

    if (threadIdx.x == 0)
        init(&bar, 1);
    __syncthreads();
    for (int round = 0; round < 2; round++) {
        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(tile, in + round * WORDS, cuda::aligned_size_t<16>(sizeof tile), bar);
            (void)cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
        }
        bar.wait_parity(false);
        out[threadIdx.x] = tile[threadIdx.x];
        __syncthreads();
    }
}
// SPDX-License-Identifier: Apache-2.0
