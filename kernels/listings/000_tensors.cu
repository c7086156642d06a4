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
    } else {                                                          //! unguarded: } if (false) {
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
