/* Pages of the notes 003: bulk copies and tensor maps. */
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using cuda::std::move;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* listing.003.add_one_kernel: 1 is added to 1024 numbers from `offset` on, which is a multiple of 4, so that the
 * address is one of 16 bytes. memcpy_async announces the bytes, and arrives for nobody: each thread arrives for itself.
 */
extern "C" __global__ void add_one_kernel(int *data, size_t offset)
{
    __shared__ alignas(16) int tile[1024];
    __shared__ barrier bar;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::memcpy_async(tile, data + offset, cuda::aligned_size_t<16>(sizeof tile), bar);
    barrier::arrival_token token = bar.arrive();
    bar.wait(move(token));

    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        tile[i] += 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads(); //! no_meeting
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data + offset, tile, sizeof tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    //! no_meeting: __syncthreads();
}

/* listing.003.grid-constant: the map is a parameter that is const and __grid_constant__: the kernel takes its address
 * and nothing is copied. The host has filled it in before the launch, and may change its own at once. */
extern "C" __global__ void grid_constant(const __grid_constant__ CUtensorMap map, int x, int y, int *out)
{
    __shared__ alignas(128) int tile[8][16];
    __shared__ barrier bar;
    const int32_t corner[] = { x, y };
    barrier::arrival_token token;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, corner,
                                  cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(move(token));
    for (int i = threadIdx.x; i < 8 * 16; i += blockDim.x)
        out[i] = tile[i / 16][i % 16];
}

/* listing.003.tile-2d-cde: a tile is loaded, the first of its rows changed, and stored where it came from. What hangs
 * over the edge arrives as zero and is not stored. In the end the barrier is destroyed: then its memory is free for
 * other use, and no thread may still wait for it. */
extern "C" __global__ void tile_2d_store(const __grid_constant__ CUtensorMap map, int x, int y)
{
    __shared__ alignas(128) int tile[8][16];
    __shared__ barrier bar;
    const int32_t corner[] = { x, y };
    barrier::arrival_token token;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, corner,
                                  cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(move(token));

    if (threadIdx.x < 16)
        tile[0][threadIdx.x] += threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared); //! no_fence
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, corner, tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        (&bar)->~barrier();
    }
}
