/* Pages of the notes 004: how a tensor map comes to a kernel, and loads by it. */
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using cuda::std::move;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* Loads 32 x 32 numbers from (x, y) on. All threads of the block call it, and all may read the tile behind it. */
__device__ static void load_tile(int (&tile)[32][32], const CUtensorMap *map, int x, int y)
{
    __shared__ barrier bar;
    const int32_t corner[] = { x, y };
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
}

/* listing.004.pass-param: the first way. The map is a parameter, and its address is that of the
 * parameter itself: const __grid_constant__ says that no thread writes it, so the compiler needs
 * no copy of its own.
 *
 *     kernel<<<grid, block>>>(map, out)     128 bytes go with the launch
 *
 * A copy in a local variable would be in the thread's own memory. TMA reads maps in parameters,
 * in constant and in global memory only. */
extern "C" __global__ void pass_param(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int tile[32][32];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32;
    //! local: const CUtensorMap mine = map;
    const CUtensorMap *const tensor = &map; //! local: const CUtensorMap *const tensor = &mine;

    load_tile(tile, tensor, x, y); //! swapped: load_tile(tile, tensor, y, x);
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        out[(y + i / 32) * gridDim.x * 32 + x + i % 32] = tile[i / 32][i % 32];
}

/* listing.004.pass-constant: the second way. The map is an object in constant memory, which the
 * host fills before the launch:
 *
 *     cudaMemcpyToSymbol(matrix_map, &map, sizeof map);
 *
 * Here the blocks transpose the matrix: the tile at (x, y) goes to (y, x). */
__constant__ CUtensorMap matrix_map;

extern "C" __global__ void pass_constant(int *out)
{
    __shared__ alignas(128) int tile[32][32];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32;

    load_tile(tile, &matrix_map, x, y);
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
        const int row = i / 32, column = i % 32;
        const int number = tile[column][row]; //! straight: const int number = tile[row][column];
        out[(x + row) * gridDim.y * 32 + y + column] = number;
    }
}

/* listing.004.pass-global: the third way. The map is in global memory:
 *
 *     cudaMalloc(&d_map, sizeof map);
 *     cudaMemcpy(d_map, &map, sizeof map, cudaMemcpyHostToDevice);
 *
 * Bytes there are written by one proxy and read as a map by another. The fence makes them one: a
 * thread of each block acquires the 128 bytes, at system scope since the host wrote them, and
 * the others go on behind a block barrier. */
extern "C" __global__ void pass_global(const CUtensorMap *map, int *out)
{
    __shared__ alignas(128) int tile[32][32];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32;

    if (threadIdx.x == 0) //! first_block: if (threadIdx.x + blockIdx.x + blockIdx.y == 0)
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_sys, map, ptx::n32_t<128>()); //! no_acquire: ;
    __syncthreads();

    load_tile(tile, map, x, y); //! swapped: load_tile(tile, map, y, x);
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        out[(y + i / 32) * gridDim.x * 32 + x + i % 32] = tile[i / 32][i % 32];
}

/* listing.004.prefetch-tensormap: the map may be fetched before it is needed, while the block
 * still does something else: it changes no result. The form with .const takes an address of
 * constant memory, the one with .param that of a parameter, and the one with neither a generic
 * address. */
__constant__ CUtensorMap prefetched_map;

extern "C" __global__ void prefetch_tensormap(int *out)
{
    __shared__ alignas(128) int tile[32][32];
    const size_t at = __cvta_generic_to_constant(&prefetched_map);

    if (threadIdx.x == 0)
        asm volatile("prefetch.const.tensormap [%0];" ::"l"(at) : "memory");

    load_tile(tile, &prefetched_map, blockIdx.x * 32, 0); //! first: load_tile(tile, &prefetched_map, 0, 0);
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        out[blockIdx.x * 1024 + i] = tile[i / 32][i % 32];
}

/* listing.004.coords-1024: a tile of a matrix. The first coordinate is that of the dimension
 * which lies together in memory: of a matrix in C, the column.
 *
 *               0        256 .. 287        1023
 *          0    +---------------------------+
 *               |                           |
 *        512    |         +----+            |     corner = { 256, 512 }
 *         ..    |         |    | 32 x 32    |
 *        543    |         +----+            |
 *       1023    +---------------------------+
 */
extern "C" __global__ void coords_1024(const __grid_constant__ CUtensorMap map, int column, int row, int *out)
{
    __shared__ alignas(128) int tile[32][32];

    load_tile(tile, &map, column, row); //! rows_first: load_tile(tile, &map, row, column);
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        out[i] = tile[i / 32][i % 32];
}

/* listing.004.coords-negative: a tile that hangs over the edges of a matrix of 100 x 100. What
 * is outside arrives as zero.
 *
 *     corner = { -8, 90 }
 *
 *            -8 .. -1    0 ..... 23
 *      90    0 0 0 0 0 | a b c d e       columns -8 to -1 are outside
 *      99    0 0 0 0 0 | f g h i j
 *            ----------+----------
 *     100    0 0 0 0 0 | 0 0 0 0 0       rows 100 to 121 are outside
 *     121    0 0 0 0 0 | 0 0 0 0 0
 *
 * So a sum of neighbours needs no case for the edge: each of the 30 x 30 inner numbers of the
 * tile becomes the sum of those above, below, left and right. The first coordinate is a multiple
 * of 16 bytes, here of 4 numbers, also where it is negative. */
extern "C" __global__ void coords_negative(const __grid_constant__ CUtensorMap map, int x, int y, int *out)
{
    __shared__ alignas(128) int tile[32][32];

    load_tile(tile, &map, x, y);
    for (int i = threadIdx.x; i < 30 * 30; i += blockDim.x) {
        const int r = 1 + i / 30, c = 1 + i % 30;
        const int left = tile[r][c - 1]; //! one_less: const int left = 0;
        out[i] = tile[r - 1][c] + tile[r + 1][c] + left + tile[r][c + 1];
    }
}

/* listing.004.expect-flow: announce, copy, wait, on a barrier that expects one arrival: that of
 * thread 0, which announces. All others only look at the parity of the phase.
 *
 *     thread 0   expect 4096  load  wait | use |  expect 4096  load  wait | use | ...
 *     TMA                     ====bytes==> -4096               ====bytes==> -4096
 *     parity     0                       |        1                       |
 *
 * The copy subtracts the bytes of the full box, also where some of the box is outside: it does
 * not arrive. The phase is over when nothing is left of arrivals and of bytes. */
extern "C" __global__ void expect_flow(const __grid_constant__ CUtensorMap map, int tiles, int *out)
{
    __shared__ alignas(128) int tile[32][32];
    __shared__ uint64_t mbar;

    if (threadIdx.x == 0)
        ptx::mbarrier_init(&mbar, 1);
    __syncthreads();
    for (int n = 0; n < tiles; n++) {
        const int32_t corner[] = { n * 32 - 16, 0 };

        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &mbar, sizeof tile);
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, corner, &mbar);
        }
        while (!ptx::mbarrier_try_wait_parity(&mbar, n % 2))
            ;
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
            const int c = 31 - i % 32; //! straight: const int c = i % 32;
            out[n * 1024 + i] = tile[i / 32][c];
        }
        __syncthreads(); //! no_meeting
    }
}

__device__ static uint32_t address(const void *shared)
{
    return (uint32_t)__cvta_generic_to_shared(shared);
}

/* Waits until the phase of this parity is over. */
__device__ static void wait(uint32_t mbar, uint32_t parity)
{
    for (uint32_t done = 0; !done;)
        asm volatile("{\n\t"
                     ".reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t"
                     "}"
                     : "=r"(done)
                     : "r"(mbar), "r"(parity)
                     : "memory");
}

/* listing.004.ptx-2d: a tile, all in PTX. The destination .shared::cta is the block's own memory;
 * PTX 8.6 has it, and before there is .shared::cluster, which names a block of a cluster. */
extern "C" __global__ void ptx_2d(const __grid_constant__ CUtensorMap map, int x, int y, int *out)
{
    __shared__ alignas(128) int tile[32][32];
    __shared__ uint64_t bar;
    const uint32_t shrd = address(tile), mbar = address(&bar);

    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(mbar) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(mbar) : "memory");
        //! swapped: asm volatile("" : "+r"(x), "+r"(y)); const int z = x; x = y; y = z;
        asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];" ::"r"(shrd),
                     "l"(&map), "r"(x), "r"(y), "r"(mbar)
                     : "memory");
    }
    wait(mbar, 0); //! early: __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        out[i] = tile[i / 32][i % 32];
    //! early: wait(mbar, 0);
}

/* listing.004.complete-tx-ptx: what .mbarrier::complete_tx::bytes does. Each of two copies, when
 * its bytes are there, subtracts them from what the barrier still expects:
 *
 *     expect_tx 8192   ->  8192
 *     left half        ->  4096        or the right one first: copies have no order
 *     right half       ->     0        the phase is over
 *
 * One wait is for both. */
extern "C" __global__ void complete_tx_ptx(const __grid_constant__ CUtensorMap map, int x, int y, int *out)
{
    __shared__ alignas(128) int tile[2][32][32];
    __shared__ uint64_t bar;
    const uint32_t mbar = address(&bar);

    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(mbar) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 8192;" ::"r"(mbar) : "memory");
        for (int half = 0; half < 2; half++) {
            const int left = x + half * 32; //! same: const int left = x;
            asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes "
                         "[%0], [%1, {%2, %3}], [%4];" ::"r"(address(tile[half])),
                         "l"(&map), "r"(left), "r"(y), "r"(mbar)
                         : "memory");
        }
    }
    wait(mbar, 0); //! early: __syncthreads();
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        out[i] = tile[i / 32 % 2][i / 64][i % 32];
    //! early: wait(mbar, 0);
}
