/* cuda::pipeline of thread scope: stages are groups of cp.async. */
#include "kernels/late.cuh"
#include "kernels/libcu_pipeline.cuh"

enum { NONE, NO_COMMIT, EARLY };

/* Each group is a stage; the oldest ones are waited for one by one. */
template <int M> struct stage_by_stage {
    static const uint32_t turn = 0;
    uint32_t stages, parties;
    thread_pipeline pipe = cuda::make_pipeline();
    uint32_t made = 0;

    __device__ stage_by_stage(uint32_t all, uint32_t of) : stages(all), parties(of) {}
    __device__ void copy(unsigned char *to, const unsigned char *from, uint32_t size)
    {
        made++;
        for (uint32_t p = 0; p < parties; p++)
            if (threadIdx.x % parties == p) {
                pipe.producer_acquire();
                copy_alone(to + late_piece(size), from + late_piece(size), size, pipe);
                if (M != NO_COMMIT || threadIdx.x != 0 || made % stages)
                    pipe.producer_commit();
            }
    }
    __device__ void commit() {}
    __device__ void wait(uint32_t n)
    {
        for (uint32_t i = n; i < stages; i++) {
            pipe.consumer_wait();
            pipe.consumer_release();
        }
    }
    __device__ void finish()
    {
        pipe.producer_commit();
        cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
};

template <int M> __device__ static void libcu_pipe_stages_body(const late_args &a)
{
    stage_by_stage<M> api(a.groups, 1);

    late_groups(a, api);
}
CK_KERNEL(libcu_pipe_stages, late_args)

/* The lanes copy and commit in parties of some lanes, one after the other; a.what says how many. NO_COMMIT: lane 0 does
 * not commit its last stage. */
template <int M> __device__ static void libcu_pipe_parties_body(const late_args &a)
{
    stage_by_stage<M> api(a.groups, a.what);

    late_groups(a, api);
}
CK_KERNEL(libcu_pipe_parties, late_args)
CK_MUTANT(libcu_pipe_parties, no_commit, NO_COMMIT, late_args)

/* The same with one wait for all stages but some. */
struct all_but : stage_by_stage<NONE> {
    __device__ explicit all_but(uint32_t all) : stage_by_stage<NONE>(all, 1) {}
    __device__ void wait(uint32_t n)
    {
        switch (n) {
        case 0: cuda::pipeline_consumer_wait_prior<0>(pipe); break;
        case 1: cuda::pipeline_consumer_wait_prior<1>(pipe); break;
        case 2: cuda::pipeline_consumer_wait_prior<2>(pipe); break;
        case 3: cuda::pipeline_consumer_wait_prior<3>(pipe); break;
        case 4: cuda::pipeline_consumer_wait_prior<4>(pipe); break;
        case 5: cuda::pipeline_consumer_wait_prior<5>(pipe); break;
        case 6: cuda::pipeline_consumer_wait_prior<6>(pipe); break;
        case 7: cuda::pipeline_consumer_wait_prior<7>(pipe); break;
        case 8: cuda::pipeline_consumer_wait_prior<8>(pipe); break;
        case 9: cuda::pipeline_consumer_wait_prior<9>(pipe); break;
        case 12: cuda::pipeline_consumer_wait_prior<12>(pipe); break;
        case 255: cuda::pipeline_consumer_wait_prior<255>(pipe); break;
        }
    }
};

template <int M> __device__ static void libcu_pipe_prior_body(const late_args &a)
{
    all_but api(a.groups);

    late_groups(a, api);
}
CK_KERNEL(libcu_pipe_prior, late_args)

/* ---- a commit to a barrier ---- */

/* Each thread makes some copies on a pipeline of thread scope, commits each to a barrier, arrives, and gives out what
 * the next thread copied when the phase is over. EARLY: at once. */
template <int M> __device__ static void libcu_pipe_commit_body(const pipe_commit_args &a)
{
    block_barrier &bar = *(block_barrier *)ck_smem;
    unsigned char *const image = ck_smem + 16;
    const uint32_t i = PIPE_CHUNK * threadIdx.x, row = PIPE_CHUNK * blockDim.x, next = (i + PIPE_CHUNK) % row;
    const uint64_t start = ck_now();
    thread_pipeline pipe = cuda::make_pipeline();

    if (threadIdx.x == 0)
        init(&bar, a.expected);
    poison_shared(16, row * a.copies);
    __syncthreads();
    for (uint32_t c = 0; c < a.copies; c++) {
        copy_alone(image + c * row + i, a.in + c * row + i, PIPE_CHUNK, pipe);
        cuda::pipeline_producer_commit(pipe, bar);
    }
    const block_barrier::arrival_token token = bar.arrive();
    for (bool over = M == EARLY; !over;) {
        block_barrier::arrival_token again = token;
        over = bar.try_wait_for(cuda::std::move(again), nanoseconds(1000));
        if (!over && a.head.limit && ck_now() - start > a.head.limit) {
            ck_timeout(a.head, 0);
            return;
        }
    }
    for (uint32_t c = 0; c < a.copies; c++)
        *(uint4 *)(a.out + c * row + next) = *(const uint4 *)(image + c * row + next);
    cuda::pipeline_consumer_wait_prior<0>(pipe);
}
CK_KERNEL(libcu_pipe_commit, pipe_commit_args)
CK_MUTANT(libcu_pipe_commit, early, EARLY, pipe_commit_args)
