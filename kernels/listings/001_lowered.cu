/* Pages of the notes 001: what the tile kernels do, written for threads: an access of a tile by its index as a tensor
 * copy, one by pointers as a copy of each lane. Blocks of 32 threads. */
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>
#include <cuda_pipeline_primitives.h>

namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using cuda::std::move;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* Loads the box at the corner of each map, and waits for both. */
__device__ static void load_boxes(barrier &bar, float *a, const CUtensorMap *a_map, float *b, const CUtensorMap *b_map,
                                  int corner, uint32_t bytes)
{
    const int32_t at[] = { corner };
    barrier::arrival_token token;

    if (threadIdx.x == 0) {
        const auto handle = cuda::device::barrier_native_handle(bar);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, a, a_map, at, handle);
        if (b)
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, b, b_map, at, handle);
        token = cuda::device::barrier_arrive_tx(bar, 1, b ? 2 * bytes : bytes);
    } else {
        token = bar.arrive();
    }
    bar.wait(move(token));
}

/* listing.001.figure19: the map has the extents in the other order, { 16, 10 }, the box too, { 4, 2 }; a corner counts
 * elements, so tile (1, 2) begins at { 8, 2 }. */
extern "C" __global__ void figure19_lowered(const __grid_constant__ CUtensorMap map, int row, int column, int *out)
{
    __shared__ alignas(128) int tile[2][4];
    __shared__ barrier bar;
    const int32_t corner[] = { column * 4, row * 2 }; //! in_tiles: const int32_t corner[] = { column, row };
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
    if (threadIdx.x < 8)
        out[threadIdx.x] = tile[threadIdx.x / 4][threadIdx.x % 4];
}

/* listing.001.vec_add: three maps with boxes of 8 numbers; the sum is stored by a tensor copy, behind a proxy fence. */
extern "C" __global__ void vec_add_lowered(const __grid_constant__ CUtensorMap a_map,
                                           const __grid_constant__ CUtensorMap b_map,
                                           const __grid_constant__ CUtensorMap out_map)
{
    __shared__ alignas(128) float a[32], b[32]; /* each begins at a multiple of 128 bytes */
    __shared__ barrier bar;
    const int32_t corner[] = { (int)blockIdx.x * 8 };

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    load_boxes(bar, a, &a_map, b, &b_map, corner[0], 8 * sizeof(float));
    if (threadIdx.x < 8)
        a[threadIdx.x] += b[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared); //! no_fence
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out_map, corner, a);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

/* listing.001.edge_safe: the map knows where the array ends, and the box is always whole. Documents differ about a
 * tensor store whose last row is no multiple of 16 bytes, so each thread stores what lies inside. */
extern "C" __global__ void edge_safe_lowered(const __grid_constant__ CUtensorMap map, float *out, int n)
{
    __shared__ alignas(128) float tile[128];
    __shared__ barrier bar;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    load_boxes(bar, tile, &map, nullptr, nullptr, blockIdx.x * 128, sizeof tile);
    for (int i = threadIdx.x, at = blockIdx.x * 128 + i; i < 128; i += blockDim.x, at += blockDim.x)
        if (at < n) //! unmasked: if (at < n + 1)
            out[at] = tile[i];
}

/* listing.001.vec_add_gather: eight lanes copy an element each, from where its pointer says. A lane uses its own copies
 * only, so its own wait is enough. */
extern "C" __global__ void vec_add_gather_lowered(const int *a, const int *b, int *out)
{
    __shared__ int a_tile[8], b_tile[8];
    const int lane = threadIdx.x, offset = 8 * blockIdx.x + lane;

    if (lane >= 8)
        return;
    __pipeline_memcpy_async(&a_tile[lane], a + offset, 4);
    __pipeline_memcpy_async(&b_tile[lane], b + offset, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0); //! no_wait
    out[offset] = a_tile[lane] + b_tile[lane];
}

/* listing.001.gather_safe: a lane whose element is masked reads nothing and fills its place with zero: the last
 * argument says how many bytes are filled. */
extern "C" __global__ void gather_safe_lowered(const int *array, int *out, int n)
{
    __shared__ int tile[8];
    const int lane = threadIdx.x, offset = 8 * blockIdx.x + lane;
    const bool inside = offset < n;

    if (lane >= 8)
        return;
    __pipeline_memcpy_async(&tile[lane], array + (inside ? offset : 0), 4, inside ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (inside) //! unmasked: ;
        out[offset] = tile[lane];
}

/* listing.001.tile_sum: the next box is on its way while one is added. A box's barrier has the parity of its round. */
extern "C" __global__ void tile_sum_lowered(const __grid_constant__ CUtensorMap map, float *out, int tiles)
{
    __shared__ alignas(128) float tile[2][32];
    __shared__ barrier bar[2];
    const int lane = threadIdx.x;
    float sum = 0;
    const auto load = [&](int number) {
        const int32_t corner[] = { number * 8 };
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile[number % 2], &map, corner,
                                  cuda::device::barrier_native_handle(bar[number % 2]));
        (void)cuda::device::barrier_arrive_tx(bar[number % 2], 1, 8 * sizeof(float));
    };

    if (lane == 0) {
        init(&bar[0], 1);
        init(&bar[1], 1);
    }
    __syncthreads();
    if (lane == 0 && tiles > 0)
        load(0);
    for (int i = 0; i < tiles; i++) {
        if (lane == 0 && i + 1 < tiles)
            load(i + 1);
        while (!ptx::mbarrier_try_wait_parity(cuda::device::barrier_native_handle(bar[i % 2]), i / 2 % 2))
            ;
        if (lane < 8)
            sum += tile[i % 2][lane];
        __syncthreads(); //! no_meeting
    }
    if (lane < 8)
        out[lane] = sum;
}

/* listing.001.conditional_load: here a condition that differed between threads would be a divergent branch; this one is
 * the same for all threads of a block, so all of them meet at the barrier. */
extern "C" __global__ void conditional_load_lowered(const __grid_constant__ CUtensorMap map, float *out, int n)
{
    __shared__ alignas(128) float tile[8];
    __shared__ barrier bar;
    const int lane = threadIdx.x, at = blockIdx.x * 8 + lane;

    if (lane == 0)
        init(&bar, blockDim.x);
    if (lane < 8)
        tile[lane] = 0;
    ptx::fence_proxy_async(ptx::space_shared); //! no_fence
    __syncthreads();                           /* the load overwrites the zeros */
    if (blockIdx.x < gridDim.x - 1)
        load_boxes(bar, tile, &map, nullptr, nullptr, blockIdx.x * 8, sizeof tile);
    if (lane < 8 && at < n)
        out[at] = tile[lane];
}
