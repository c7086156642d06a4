/* Pages of the notes 000: copies of one dimension. */
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using cuda::std::move;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* listing.000.rmw-1d: each block loads 1024 numbers into shared memory, adds 1 to each, and stores them, in seven
 * steps.
 *
 *     thread 0   init  load  arrive -wait-  +1  fence   -- store commit wait
 *     the others             arrive -wait-  +1  fence --
 *     TMA                ======bytes====>             ^      =====bytes====>
 *                                                     __syncthreads
 *
 * The fence is every thread's own: it orders the thread's writes before the store that reads them by another proxy. */
extern "C" __global__ void rmw_1d(int *data)
{
    __shared__ alignas(16) int tile[1024];
    __shared__ barrier bar;
    int *const mine = data + blockIdx.x * 1024;
    barrier::arrival_token token;

    /* 1. The barrier waits for all threads of the block, and for the bytes that are announced. */
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();

    /* 2. One thread starts the load and announces its bytes as it arrives. */
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, mine, sizeof tile,
                           cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    /* 3. Who has waited sees the bytes. */
    bar.wait(move(token)); //! no_wait: __syncthreads();

    /* 4. */
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        tile[i] += 1;

    /* 5. */
    //! one_fence: if (threadIdx.x == 0)
    ptx::fence_proxy_async(ptx::space_shared); //! no_fence
    __syncthreads();

    /* 6 and 7. The thread that stores waits until the tile has been read: only then may shared memory go. */
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, mine, tile, sizeof tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>()); //! no_read_wait
    }
}
