/* Asynchronous copies as CUDA C++ has them: cuda::pipeline, cuda::barrier, memcpy_async, cooperative groups, primitives.
 * Every kernel copies `count` tiles of 256 words, one behind the other, through shared memory and writes word i of a tile
 * where word 255 - i came from. Each is there twice, the second time with a wait left out. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>

namespace cg = cooperative_groups;
enum { TILE = 256, STAGES = 2 };
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
using block_state = cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__device__ static void turned(unsigned *out, const unsigned *tile, int n)
{
    for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
        out[n * TILE + i] = tile[TILE - 1 - i];
}

/* Each thread has a pipeline of its own. */
template <bool BROKEN> __device__ void own_pipeline(const unsigned *in, unsigned *out, int count)
{
    __shared__ alignas(16) unsigned tiles[STAGES][TILE];
    auto pipe = cuda::make_pipeline();
    const auto size = cuda::aligned_size_t<16>(16);

    for (int n = 0, ahead = 0; n < count; n++) {
        for (; ahead < count && ahead < n + STAGES; ahead++) {
            pipe.producer_acquire();
            if (threadIdx.x < TILE / 4)
                cuda::memcpy_async(&tiles[ahead % STAGES][threadIdx.x * 4], &in[ahead * TILE + threadIdx.x * 4], size, pipe);
            pipe.producer_commit();
        }
        if (!BROKEN || n)
            pipe.consumer_wait();
        __syncthreads();
        turned(out, tiles[n % STAGES], n);
        __syncthreads();
        pipe.consumer_release();
    }
}

/* The block has one pipeline; all threads copy and use. */
template <bool BROKEN> __device__ void block_pipeline(const unsigned *in, unsigned *out, int count)
{
    __shared__ alignas(16) unsigned tiles[STAGES][TILE];
    __shared__ block_state state;
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);

    for (int n = 0, ahead = 0; n < count; n++) {
        for (; ahead < count && ahead < n + STAGES; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tiles[ahead % STAGES], in + ahead * TILE, sizeof tiles[0], pipe);
            pipe.producer_commit();
        }
        if (!BROKEN || n)
            pipe.consumer_wait();
        turned(out, tiles[n % STAGES], n);
        pipe.consumer_release();
    }
}

/* The first warp copies, the others use. */
template <bool BROKEN> __device__ void role_pipeline(const unsigned *in, unsigned *out, int count)
{
    __shared__ alignas(16) unsigned tiles[STAGES][TILE];
    __shared__ block_state state;
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const bool copies = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state, copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);

    for (int n = 0; n < count; n++) {
        if (copies) {
            if (!BROKEN)
                pipe.producer_acquire();
            cuda::memcpy_async(warp, tiles[n % STAGES], in + n * TILE, sizeof tiles[0], pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            for (unsigned i = threadIdx.x - 32; i < TILE; i += blockDim.x - 32)
                out[n * TILE + i] = tiles[n % STAGES][TILE - 1 - i];
            pipe.consumer_release();
        }
    }
}

/* A barrier that the copies complete at. */
template <bool BROKEN> __device__ void barrier_copy(const unsigned *in, unsigned *out, int count)
{
    __shared__ alignas(16) unsigned tile[TILE];
    __shared__ block_barrier bar;
    const auto block = cg::this_thread_block();

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    if (!BROKEN)
        block.sync();
    for (int n = 0; n < count; n++) {
        cuda::memcpy_async(block, tile, in + n * TILE, sizeof tile, bar);
        bar.arrive_and_wait();
        turned(out, tile, n);
        block.sync();
    }
}

/* A bulk copy, whose bytes the barrier expects; the result goes back by a bulk copy. */
template <bool BROKEN> __device__ void bulk_copy(const unsigned *in, unsigned *out, int count)
{
    __shared__ alignas(128) unsigned tile[TILE], result[TILE];
    __shared__ block_barrier bar;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int n = 0; n < count; n++) {
        block_barrier::arrival_token token;
        if (threadIdx.x == 0) {
            cuda::memcpy_async(tile, in + n * TILE, cuda::aligned_size_t<16>(sizeof tile), bar);
            token = cuda::device::barrier_arrive_tx(bar, 1, 0);
        } else {
            token = bar.arrive();
        }
        bar.wait(std::move(token));
        for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
            result[i] = tile[TILE - 1 - i];
        if (!BROKEN)
            cuda::device::experimental::fence_proxy_async_shared_cta();
        __syncthreads();
        if (threadIdx.x == 0) {
            cuda::device::experimental::cp_async_bulk_shared_to_global(out + n * TILE, result, sizeof result);
            cuda::device::experimental::cp_async_bulk_commit_group();
            cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
        }
        __syncthreads();
    }
}

/* Cooperative groups, two copies ahead. */
template <bool BROKEN> __device__ void group_copy(const unsigned *in, unsigned *out, int count)
{
    __shared__ alignas(16) unsigned tiles[STAGES][TILE];
    const auto block = cg::this_thread_block();

    cg::memcpy_async(block, tiles[0], in, sizeof tiles[0]);
    for (int n = 0; n < count; n++) {
        if (n + 1 < count)
            cg::memcpy_async(block, tiles[(n + 1) % STAGES], in + (n + 1) * TILE, sizeof tiles[0]);
        if (n + 1 < count || BROKEN)
            cg::wait_prior<1>(block);
        else
            cg::wait(block);
        turned(out, tiles[n % STAGES], n);
        block.sync();
    }
}

/* The primitives in C. */
template <bool BROKEN> __device__ void primitive_copy(const unsigned *in, unsigned *out, int count)
{
    __shared__ alignas(16) unsigned tile[TILE];

    for (int n = 0; n < count; n++) {
        if (threadIdx.x < TILE / 4)
            __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[n * TILE + threadIdx.x * 4], 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        if (!BROKEN)
            __syncthreads();
        turned(out, tile, n);
        __syncthreads();
    }
}

#define KERNEL(name)                                                                                                   \
    extern "C" __global__ void name(const unsigned *in, unsigned *out, int count)                                      \
    {                                                                                                                  \
        name<false>(in, out, count);                                                                                   \
    }                                                                                                                  \
    extern "C" __global__ void name##_broken(const unsigned *in, unsigned *out, int count)                             \
    {                                                                                                                  \
        name<true>(in, out, count);                                                                                    \
    }
KERNEL(own_pipeline)
KERNEL(block_pipeline)
KERNEL(role_pipeline)
KERNEL(barrier_copy)
KERNEL(bulk_copy)
KERNEL(group_copy)
KERNEL(primitive_copy)
// SPDX-License-Identifier: Apache-2.0
