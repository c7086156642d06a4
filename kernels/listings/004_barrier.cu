/* Pages of the notes 004: the first entry to cp.async in C++, cuda::memcpy_async with a barrier. */
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* listing.004.entry1-barrier: the first entry. A block of any size copies 256 numbers, and a
 * barrier says when they are there.
 *
 *     every thread   memcpy_async  arrive -wait-  read
 *     the copy           ====bytes====>  ^
 *                                        the phase needs all arrivals and the bytes
 *
 * The type aligned_size_t<16> promises that both addresses and the size are multiples of 16: so
 * on sm_90 one thread makes one copy in bulk. A plain size would be cp.async of 4 bytes. */
extern "C" __global__ void entry_barrier(const float *src, float *out)
{
    const cg::thread_block block = cg::this_thread_block();
    __shared__ alignas(16) float buffer[256];
    __shared__ barrier bar;
    const cuda::aligned_size_t<16> size(sizeof buffer);

    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();

    cuda::memcpy_async(block, buffer, src, size, bar);
    bar.arrive_and_wait(); //! early: block.sync();

    /* The wait is a barrier too: each thread may read what it likes. */
    for (int i = block.thread_rank(); i < 256; i += block.size())
        out[i] = buffer[255 - i]; //! straight: out[i] = buffer[i];
    //! early: bar.arrive_and_wait();
}

/* listing.004.init-256: a barrier for 256 arrivals in each phase, and a block of 256 threads.
 *
 *     round 0   | arrive_and_wait |   round 1   | arrive_and_wait |   ...
 *     pending   256 255 254 ... 1, then 256 again: the next phase
 *
 * In each round a thread writes a number, and reads that of its neighbour of the round. Rounds
 * have two rows in turn: so one wait a round will do. */
extern "C" __global__ void init_256(const int *in, int *out, int rounds)
{
    __shared__ int row[2][256];
    __shared__ barrier bar;
    const int t = threadIdx.x;

    if (t == 0)
        init(&bar, 256);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        row[r % 2][t] = in[r * 256 + t];
        bar.arrive_and_wait();               //! no_wait: (void)bar.arrive();
        const int other = (t + r + 1) % 256; //! own: const int other = t;
        out[r * 256 + t] = row[r % 2][other];
    }
}
