/* Pages of the notes 004: bulk copies of one dimension, and the barriers that they complete on. */
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using cuda::std::move;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* listing.004.option1-memcpy_async: the block calls, and the library chooses how to copy.
 *
 *     aligned_size_t<16>(size)   a copy in bulk, by one thread, on sm_90
 *     size                       cp.async of 4 bytes, by all threads: the type of the pointers
 *                                promises no more
 *
 * The choice is made at compile time: nothing looks at the addresses. Both announce what they
 * need to the barrier. */
extern "C" __global__ void option1_memcpy_async(const int *in, int *out, int aligned)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ alignas(16) int tile[256];
    __shared__ barrier bar;
    const cuda::aligned_size_t<16> size(sizeof tile);

    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();

    if (aligned)
        cuda::memcpy_async(block, tile, in, size, bar);
    else
        cuda::memcpy_async(block, tile, in, sizeof tile, bar);
    bar.arrive_and_wait(); //! early: block.sync();

    for (int i = block.thread_rank(); i < 256; i += block.size())
        out[i] = tile[255 - i]; //! straight: out[i] = tile[i];
    //! early: bar.arrive_and_wait();
}

/* listing.004.option2-memcpy_async_tx: always a copy in bulk. One thread calls, in the order
 * destination, source, size, barrier, and announces the bytes itself as it arrives: the call
 * does not. */
extern "C" __global__ void option2_memcpy_async_tx(const int *in, int *out)
{
    __shared__ alignas(16) int tile[256];
    __shared__ barrier bar;
    barrier::arrival_token token;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(move(token)); //! early: __syncthreads();

    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        out[i] = tile[255 - i]; //! straight: out[i] = tile[i];
    //! early: bar.wait(move(token));
}

/* listing.004.option3-cp_async_bulk: the instruction itself. First the two state spaces, then
 * destination, source, size and the barrier as a plain 64-bit object: that is what
 * barrier_native_handle gives. */
extern "C" __global__ void option3_cp_async_bulk(const int *in, int *out)
{
    __shared__ alignas(16) int tile[256];
    __shared__ barrier bar;
    barrier::arrival_token token;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile,
                           cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(move(token)); //! early: __syncthreads();

    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        out[i] = tile[255 - i]; //! straight: out[i] = tile[i];
    //! early: bar.wait(move(token));
}

/* listing.004.tma_1d_bulk_example: blocks of any number of threads go over n numbers, 256 a
 * block, and double them. The last block copies what is left. aligned_size_t<16> is a promise,
 * and nothing falls back to another copy where it does not hold: so n is a multiple of 4. */
extern "C" __global__ void tma_1d_bulk_example(const int *src, int *dst, int n)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ alignas(16) int smem[256];
    __shared__ barrier bar;
    const int first = blockIdx.x * 256, count = min(256, n - first);

    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();

    cuda::memcpy_async(block, smem, src + first, cuda::aligned_size_t<16>(count * 4), bar);
    bar.arrive_and_wait(); //! early: block.sync();

    for (int i = block.thread_rank(); i < count; i += block.size())
        dst[first + i] = 2 * smem[i]; //! once: dst[first + i] = smem[i];
    //! early: bar.arrive_and_wait();
}

/* listing.004.mbarrier_example: the same with a plain size. It is cp.async of 4 bytes, and n is
 * any number. No bytes are counted then:
 *
 *     in bulk    the barrier expects arrivals and bytes; the copy subtracts the bytes
 *     cp.async   the barrier expects arrivals alone; cp.async.mbarrier.arrive.noinc makes the
 *                arrival of each thread wait for the thread's copies
 *
 * For the program it is the same: the phase is over when the bytes are there. */
extern "C" __global__ void mbarrier_example(const int *input, int *output, int n)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ int smem[256];
    __shared__ barrier bar;
    const int first = blockIdx.x * 256, count = min(256, n - first);

    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();

    cuda::memcpy_async(block, smem, input + first, count * sizeof(int), bar);
    bar.arrive_and_wait(); //! early: block.sync();

    for (int i = block.thread_rank(); i < count; i += block.size())
        output[first + i] = 2 * smem[count - 1 - i]; //! straight: output[first + i] = 2 * smem[i];
    //! early: bar.arrive_and_wait();
}

/* listing.004.transaction-api: bytes are announced apart from the arrival. Thread 0 announces
 * before it arrives, or the phase could be over without them; then it is a thread as any other.
 *
 *     thread 0     expect_tx  load  arrive -wait-
 *     the others                    arrive -wait-
 *     TMA                     ==bytes==>        ^
 */
extern "C" __global__ void transaction_api(const int *in, int *out)
{
    __shared__ alignas(16) int tile[256];
    __shared__ barrier bar;

    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::device::barrier_expect_tx(bar, sizeof tile);
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
    }
    bar.arrive_and_wait(); //! early: __syncthreads();

    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        out[i] = tile[255 - i]; //! straight: out[i] = tile[i];
    //! early: bar.arrive_and_wait();
}

/* listing.004.transaction-pseudo: a barrier a stage. All loads are started at once, each
 * announced to the barrier of its stage; the wait for a stage leaves the others on their way.
 *
 *     stage 0   expect load =======> wait use
 *     stage 1   expect load ===============> wait use
 *     stage 2   expect load =======================> wait use
 *     stage 3   expect load ===============================> wait use
 */
extern "C" __global__ void transaction_pseudo(const int *in, int *out)
{
    constexpr int stages = 4;
    __shared__ alignas(16) int tile[stages][256];
    __shared__ barrier barriers[stages];

    if (threadIdx.x == 0)
        for (int stage = 0; stage < stages; stage++)
            init(&barriers[stage], blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int stage = 0; stage < stages; stage++) {
            auto &bar = barriers[stage];
            cuda::device::barrier_expect_tx(bar, sizeof tile[0]);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[stage], in + stage * 256, sizeof tile[0],
                               cuda::device::barrier_native_handle(bar));
        }

    for (int stage = 0; stage < stages; stage++) {
        const int other = stages - 1 - stage;
        //! early: auto token = barriers[other].arrive();
        barriers[other].arrive_and_wait(); //! early: __syncthreads();
        for (int i = threadIdx.x; i < 256; i += blockDim.x)
            out[stage * 256 + i] = tile[other][i]; //! straight: out[other * 256 + i] = tile[other][i];
        //! early: barriers[other].wait(move(token));
    }
}

/* listing.004.wait-group-read: the store is not over when .read lets the thread go on: it has
 * read its source, and that may be filled again.
 *
 *     thread 0     fill fence | store commit wait.read | fill fence | store commit wait.read | ...
 *     the others   fill fence |                        | fill fence |                        |
 *     TMA                       read=====write=======>               read=====write========>
 *
 * The fence is for each thread's own writes, which another proxy is going to read. */
extern "C" __global__ void wait_group_read(int *out, int rounds)
{
    __shared__ alignas(16) int tile[256];

    for (int round = 0; round < rounds; round++) {
        for (int i = threadIdx.x; i < 256; i += blockDim.x)
            tile[i] = round * 1000 + i;                              //! same: tile[i] = i;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); //! no_fence
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + round * 256, tile, sizeof tile);
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); //! no_wait
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
