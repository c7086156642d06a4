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

/* ---- what a copy moves ---- */

struct block {
    __device__ uint32_t size() const
    {
        return blockDim.x;
    }
    __device__ uint32_t thread_rank() const
    {
        return threadIdx.x;
    }
};

__device__ static void copy_by_form(const pipe_copy_args &a, unsigned char *to, const unsigned char *from,
                                    thread_pipeline &pipe)
{
    const block g;

    switch (a.form) {
    case PIPE_CHARS: cuda::memcpy_async(g, to, from, a.size, pipe); break;
    case PIPE_INT: cuda::memcpy_async(g, (int *)to, (const int *)from, a.size, pipe); break;
    case PIPE_INT4: cuda::memcpy_async(g, (int4 *)to, (const int4 *)from, a.size, pipe); break;
    case PIPE_A4: cuda::memcpy_async(g, to, from, cuda::aligned_size_t<4>(a.size), pipe); break;
    case PIPE_A8: cuda::memcpy_async(g, to, from, cuda::aligned_size_t<8>(a.size), pipe); break;
    case PIPE_A16: cuda::memcpy_async(g, to, from, cuda::aligned_size_t<16>(a.size), pipe); break;
    case PIPE_A32: cuda::memcpy_async(g, to, from, cuda::aligned_size_t<32>(a.size), pipe); break;
    }
}

__device__ static void copy_each(const pipe_copy_args &a, unsigned char *to, const unsigned char *from,
                                 thread_pipeline &pipe)
{
    if (a.form == PIPE_CHARS)
        cuda::memcpy_async(to, from, (size_t)a.size, pipe);
    else
        cuda::memcpy_async(to, from, cuda::aligned_size_t<4>(a.size), pipe);
}

/* The generic address of the image, whose origin nvcc does not see: libcu_memcpy.cu says why. */
__device__ static unsigned char *image_of_block()
{
    uint64_t generic;
    asm volatile("cvta.shared.u64 %0, %1;" : "=l"(generic) : "l"((uint64_t)ck_shared(ck_smem)));
    return (unsigned char *)generic;
}

/* One stage of a pipeline of thread scope: a copy, a commit and a wait; then all meet, and the image comes out. */
template <int M> __device__ static void libcu_pipe_copy_body(const pipe_copy_args &a)
{
    unsigned char *const image = image_of_block();
    const uint32_t half = a.image / 2, offset = a.alone * threadIdx.x;
    unsigned char *const to = (a.to_shared ? image : a.far) + a.dst + offset;
    const unsigned char *const from = (a.from_shared ? image : a.in) + a.src + offset;
    thread_pipeline pipe = cuda::make_pipeline();

    poison_shared(0, half);
    fill_shared(half, a.in + half, half);
    __syncthreads();
    pipe.producer_acquire();
    if (a.alone)
        copy_each(a, to, from, pipe);
    else
        copy_by_form(a, to, from, pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    pipe.consumer_release();
    __syncthreads();
    dump_shared(a.out, 0, a.image);
}
CK_KERNEL(libcu_pipe_copy, pipe_copy_args)
// SPDX-License-Identifier: Apache-2.0
