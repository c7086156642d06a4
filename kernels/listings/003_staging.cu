/* Pages of the notes 003: a block brings batches into shared memory and computes with them; six ways to bring them. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/utility>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

/* Each thread uses a number that another thread brought. */
__device__ static void compute(int *out, const int *batch, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = 2 * batch[n - 1 - i];
}

/* listing.003.without_memcpy_async: through registers. The first block.sync() is for the batch to be whole, the second
 * one for everyone to have used it before the next one overwrites it. */
extern "C" __global__ void without_memcpy_async(const int *in, int *out, int batches)
{
    extern __shared__ int batch[];
    const cg::thread_block block = cg::this_thread_block();
    const int n = block.size(), i = block.thread_rank();

    for (int k = 0; k < batches; k++) {
        batch[i] = in[k * n + i];
        block.sync(); //! no_first_sync
        compute(out + k * n, batch, n);
        block.sync(); //! no_second_sync
    }
}

/* listing.003.with_memcpy_async: the block copies together; cg::wait waits for the copies of all its threads. Without a
 * promise about alignment the addresses decide at run time: 4, 8 or 16 bytes at a time by cp.async, else through
 * registers.
 */
extern "C" __global__ void with_memcpy_async(const int *in, int *out, int batches)
{
    extern __shared__ int batch[];
    const cg::thread_block block = cg::this_thread_block();
    const int n = block.size();

    for (int k = 0; k < batches; k++) {
        cg::memcpy_async(block, batch, in + k * n, sizeof(int) * n);
        cg::wait(block); //! own_wait: cg::wait(cg::this_thread());
        compute(out + k * n, batch, n);
        block.sync();
    }
}

/* listing.003.with_barrier: the copies belong to the phase in which they are asked for, so arrive_and_wait waits for
 * them too. A plain size with int * is an alignment of 4: cp.async by all threads, never a bulk copy. */
extern "C" __global__ void with_barrier(const int *in, int *out, int batches)
{
    extern __shared__ int batch[];
    __shared__ barrier bar;
    const cg::thread_block block = cg::this_thread_block();
    const int n = block.size();

    if (block.thread_rank() == 0)
        init(&bar, n);
    block.sync();
    for (int k = 0; k < batches; k++) {
        cuda::memcpy_async(block, batch, in + k * n, sizeof(int) * n, bar);
        bar.arrive_and_wait(); //! early: block.sync();
        compute(out + k * n, batch, n);
        bar.arrive_and_wait();
    }
}

/* listing.003.with_single_stage: a pipeline of one stage. acquire, copy, commit; wait, compute, release. With one stage
 * nothing overlaps. */
extern "C" __global__ void with_single_stage(const int *in, int *out, int batches)
{
    extern __shared__ int batch[];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    const cg::thread_block block = cg::this_thread_block();
    const int n = block.size();
    auto pipeline = cuda::make_pipeline(block, &state);

    for (int k = 0; k < batches; k++) {
        pipeline.producer_acquire();
        cuda::memcpy_async(block, batch, in + k * n, sizeof(int) * n, pipeline);
        pipeline.producer_commit();
        pipeline.consumer_wait(); //! early: block.sync();
        compute(out + k * n, batch, n);
        //! early: pipeline.consumer_wait();
        pipeline.consumer_release();
    }
}

/* listing.003.with_staging: two stages; a batch is computed while the next one comes.
 *
 *     stage 0   copy 0   compute 0   copy 2   compute 2
 *     stage 1            copy 1      compute 1  copy 3 ...
 */
extern "C" __global__ void with_staging(const int *in, int *out, int batches)
{
    extern __shared__ int batch[]; /* two of them */
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const cg::thread_block block = cg::this_thread_block();
    const int n = block.size();
    auto pipeline = cuda::make_pipeline(block, &state);
    const auto copy = [&](int k) {
        pipeline.producer_acquire();
        cuda::memcpy_async(block, batch + k % 2 * n, in + k * n, sizeof(int) * n, pipeline);
        pipeline.producer_commit();
    };

    if (batches > 0)
        copy(0);
    for (int k = 0; k < batches; k++) {
        if (k + 1 < batches)
            copy(k + 1);
        pipeline.consumer_wait(); //! early: block.sync();
        compute(out + k * n, batch + k % 2 * n, n);
        //! early: pipeline.consumer_wait();
        pipeline.consumer_release();
    }
}

/* listing.003.with_specialized_staging_unified: even threads produce, odd threads consume; the pipeline is told each
 * thread's part. A batch has a number for each producer. That is a partition of threads, and none of warps. */
extern "C" __global__ void with_specialized_staging(const int *in, int *out, int batches)
{
    extern __shared__ int batch[]; /* two of them */
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const cg::thread_block block = cg::this_thread_block();
    const int n = block.size() / 2, i = block.thread_rank() / 2;
    const bool produces = block.thread_rank() % 2 == 0;
    auto pipeline =
        cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);

    for (int k = 0; k < batches; k++) {
        int *const stage = batch + k % 2 * n;
        if (produces) {
            pipeline.producer_acquire();
            cuda::memcpy_async(stage + i, in + k * n + i, sizeof(int), pipeline);
            pipeline.producer_commit();
        } else {
            pipeline.consumer_wait(); //! early
            out[k * n + i] = 2 * stage[n - 1 - i];
            //! early: pipeline.consumer_wait();
            pipeline.consumer_release();
        }
    }
}
