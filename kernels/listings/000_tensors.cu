/* Pages of the notes 000: tensor maps and copies of boxes. */
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using cuda::std::move;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* listing.000.tile-2d: a block loads a tile of 8 rows of 16 numbers; thread 0 gives its corner { x, y } and nothing
 * else, and announces its bytes. What lies outside the tensor arrives as zero, and the tile is always whole. */
extern "C" __global__ void tile_2d(const __grid_constant__ CUtensorMap map, int x, int y, int *out)
{
    __shared__ alignas(128) int tile[8][16];
    __shared__ barrier bar;
    const int32_t corner[] = { x, y };
    barrier::arrival_token token;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) { //! unguarded: {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, corner,
                                  cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else { //! unguarded: } if (false) {
        token = bar.arrive();
    }
    bar.wait(move(token));

    for (int i = threadIdx.x; i < 8 * 16; i += blockDim.x)
        out[i] = tile[i / 16][i % 16];
}

/* listing.000.transpose-swizzle: eight threads transpose an 8 x 8 matrix of int4.
 *
 * A row is 128 bytes: one turn of all 32 banks. Unswizzled, the eight pieces of a column would lie in the same four
 * banks. SWIZZLE_128B puts piece x of line y at x ^ y, so rows and columns both meet all banks. Both maps swizzle: the
 * load has put the pieces there, and the store takes them from there. */
extern "C" __global__ void transpose_swizzle(const __grid_constant__ CUtensorMap in,
                                             const __grid_constant__ CUtensorMap out)
{
    __shared__ alignas(1024) int4 tile[8][8];
    __shared__ alignas(1024) int4 transposed[8][8];
    __shared__ barrier bar;
    const int32_t corner[] = { 0, 0 };
    const int column = threadIdx.x;
    barrier::arrival_token token;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &in, corner,
                                  cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(move(token));

    for (int row = 0; row < 8; row++) {
        const int from = column ^ row, to = row ^ column; //! plain: const int from = column, to = row;
        transposed[column][to] = tile[row][from];
    }

    ptx::fence_proxy_async(ptx::space_shared); //! no_fence
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out, corner, transposed);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

/* listing.000.swizzle-offset: a tile that begins at any multiple of 128 bytes, which may be in the midst of the
 * pattern.
 *
 * The pattern belongs to the shared address: its line is (address / 128) % n, where n is 8, 4 or 2 lines for a span of
 * 128, 64 or 32 bytes. So piece x of line y of the buffer is found at x ^ ((y + offset) % n), where offset says at
 * which line of the pattern the buffer begins. The kernel writes the pieces out in the order of the unswizzled tile. */
extern "C" __global__ void swizzle_offset(const __grid_constant__ CUtensorMap map, int start, int n, int4 *out)
{
    __shared__ barrier bar;
    constexpr int lines = 16;
    __shared__ alignas(1024) int4 memory[(7 + lines) * 8]; /* seven lines more: `start` is below 1024 */
    int4 *const tile = memory + start / 16;
    const int32_t corner[] = { 0, 0 };
    barrier::arrival_token token;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, corner,
                                  cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, lines * 128);
    } else {
        token = bar.arrive();
    }
    bar.wait(move(token));

    const int offset = __cvta_generic_to_shared(tile) / 128 % n; //! from_start: const int offset = 0;
    for (int i = threadIdx.x; i < lines * 8; i += blockDim.x) {
        const int y = i / 8, x = i % 8;
        out[i] = tile[y * 8 + (x ^ ((y + offset) % n))];
    }
}

/* listing.000.pass-map: a kernel is given a map in three ways. A parameter must be const __grid_constant__, or the copy
 * would be given a local copy of it. One in global memory is written by another proxy than the one that reads maps:
 * each block acquires it, at system scope because the host wrote it. */
__constant__ CUtensorMap constant_map;

__device__ static void load_by(const CUtensorMap *map, int *out)
{
    __shared__ alignas(128) int tile[8][16];
    __shared__ barrier bar;
    const int32_t corner[] = { (int)blockIdx.x * 16, 0 };
    barrier::arrival_token token;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, map, corner,
                                  cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(move(token));
    for (int i = threadIdx.x; i < 8 * 16; i += blockDim.x)
        out[blockIdx.x * 128 + i] = tile[i / 16][i % 16];
}

extern "C" __global__ void pass_map_parameter(const __grid_constant__ CUtensorMap map, int *out)
{
    load_by(&map, out);
}

extern "C" __global__ void pass_map_constant(int *out)
{
    load_by(&constant_map, out);
}

extern "C" __global__ void pass_map_global(const CUtensorMap *map, int *out)
{
    if (threadIdx.x == 0) //! one_block: if (threadIdx.x == 0 && blockIdx.x == 0)
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_sys, map, ptx::n32_t<128>()); //! no_acquire: ;
    __syncthreads();
    load_by(map, out);
}
