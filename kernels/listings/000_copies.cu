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
    bar.wait(move(token)); //! early: __syncthreads();

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
    //! early: bar.wait(move(token));
}

/* listing.000.copy-1d-variants: three ways to load in bulk, chosen by `way`, and one to store.
 *
 *     cuda::memcpy_async           announces the bytes itself, and is a bulk copy because of aligned_size_t<16>
 *     memcpy_async_tx              is always a bulk copy; the caller announces the bytes
 *     cp_async_bulk                the instruction; the caller announces the bytes
 *
 * No fence comes before the store: nobody writes the tile but the load, whose completion orders it for both proxies. */
extern "C" __global__ void copy_1d_variants(const int *in, int *out, int way)
{
    __shared__ alignas(16) int tile[1024];
    __shared__ barrier bar;
    const int *const from = in + blockIdx.x * 1024;
    int *const to = out + blockIdx.x * 1024;
    const auto size = cuda::aligned_size_t<16>(sizeof tile);
    barrier::arrival_token token;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0 && way == 0) {
        cuda::memcpy_async(tile, from, size, bar);
        token = bar.arrive();
    } else if (threadIdx.x == 0 && way == 1) {
        cuda::device::memcpy_async_tx(tile, from, size, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, size);
    } else if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, from, size,
                           cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, size);
    } else {
        token = bar.arrive();
    }
    bar.wait(move(token)); //! early: __syncthreads();

    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, tile, size);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>()); /* <0> is the type of an argument, not of the function */
    }
    //! early: bar.wait(move(token));
}

/* listing.000.prefetch-stages: batches go through three buffers; while one is used, the next two are on their way.
 *
 *     batch       0     1     2     3     4     5     6
 *     buffer      0     1     2     0     1     2     0
 *     parity      0     0     0     1     1     1     0     of the phase that brings it
 *
 * A barrier expects one arrival, that of the thread that starts the copy and announces its bytes. All others only look
 * at the parity. A buffer is filled again when everyone has read it. */
extern "C" __global__ void prefetch_stages(const int *in, int *out, int batches)
{
    constexpr int stages = 3, batch = 256;
    __shared__ alignas(16) int buffer[stages][batch];
    __shared__ barrier bar[stages];
    const auto load = [&](int number) {
        const int stage = number % stages;
        cuda::device::memcpy_async_tx(buffer[stage], in + number * batch, cuda::aligned_size_t<16>(sizeof buffer[0]),
                                      bar[stage]);
        (void)cuda::device::barrier_arrive_tx(bar[stage], 1, sizeof buffer[0]);
    };

    if (threadIdx.x == 0)
        for (int stage = 0; stage < stages; stage++)
            init(&bar[stage], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int number = 0; number < stages && number < batches; number++)
            load(number);

    for (int number = 0; number < batches; number++) {
        const int stage = number % stages;
        const uint32_t parity = number / stages % 2;
        while (!ptx::mbarrier_try_wait_parity(cuda::device::barrier_native_handle(bar[stage]), parity))
            ;
        for (int i = threadIdx.x; i < batch; i += blockDim.x)
            out[number * batch + i] = buffer[stage][i] + number;
        __syncthreads(); //! no_meeting
        if (threadIdx.x == 0 && number + stages < batches)
            load(number + stages);
    }
}
