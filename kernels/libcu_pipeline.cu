/* cuda::pipeline of block scope, two mbarriers for each stage, and of wider scopes, atomics. */
#include "kernels/libcu_pipeline.cuh"

enum { NONE, NO_COMMIT, EARLY, NEXT, RELEASE_EARLY, NO_RELEASE, STAYS, NO_END };

/* ---- unified pipelines ---- */

/* The threads of a pipeline: a block, or one of its warps. */
struct team {
    bool warp;

    __device__ uint32_t size() const
    {
        return warp ? 32 : blockDim.x;
    }
    __device__ uint32_t thread_rank() const
    {
        return warp ? threadIdx.x % 32 : threadIdx.x;
    }
    __device__ void sync() const
    {
        if (warp)
            __syncwarp();
        else
            __syncthreads();
    }
};

template <cuda::thread_scope S, int N> using state = cuda::pipeline_shared_state<S, N>;

/* make_pipeline with the number of stages that the case asks for; `told` is nothing, a number of producers, or a role.
 */
template <cuda::thread_scope S, class... T>
__device__ static cuda::pipeline<S> make(uint32_t stages, const team &g, void *at, T... told)
{
    return stages == 1   ? cuda::make_pipeline(g, (state<S, 1> *)at, told...)
           : stages == 2 ? cuda::make_pipeline(g, (state<S, 2> *)at, told...)
           : stages == 3 ? cuda::make_pipeline(g, (state<S, 3> *)at, told...)
           : stages == 4 ? cuda::make_pipeline(g, (state<S, 4> *)at, told...)
                         : cuda::make_pipeline(g, (state<S, 8> *)at, told...);
}

/* producer_acquire of the `number`-th stage has no form with a time: a look at the stage's barrier before it bounds the
 * wait. Wider scopes have no such look; none of their kernels waits in vain. */
__device__ static bool acquire(const ck_head &h, block_pipeline &pipe, void *at, uint32_t stages, uint32_t number)
{
    block_barrier &free = ((cuda::__pipeline_stage<cuda::thread_scope_block> *)at)[number % stages].__consumed;
    const uint64_t start = ck_now();

    while (!free.try_wait_parity_for(!(number / stages & 1), nanoseconds(1000)))
        if (h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, 0);
            return false;
        }
    pipe.producer_acquire();
    return true;
}

template <class P> __device__ static bool acquire(const ck_head &, P &pipe, void *, uint32_t, uint32_t)
{
    pipe.producer_acquire();
    return true;
}

/* consumer_wait with a bound. */
template <class P> __device__ static bool await(const ck_head &h, P &pipe)
{
    const uint64_t start = ck_now();

    while (!pipe.consumer_wait_for(nanoseconds(1000)))
        if (h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, 1);
            return false;
        }
    pipe.consumer_wait();
    return true;
}

/* Where the team's pipeline and its stages are, and its chunks of batch 0; from batch to batch they are a row on. */
struct ring_place {
    unsigned char *at, *stage;
    uint32_t offset, row;
};

__device__ static ring_place place_of(const pipe_ring_args &a, const team &g)
{
    const uint32_t teams = blockDim.x / g.size(), number = threadIdx.x / g.size(), bytes = g.size() * PIPE_CHUNK;

    return { ck_smem + number * PIPE_STATE, ck_smem + teams * PIPE_STATE + number * a.stages * bytes, number * bytes,
             blockDim.x * PIPE_CHUNK };
}

/* Copies the team's chunks of a batch to its stage. */
template <class P>
__device__ static void fetch(const pipe_ring_args &a, const team &g, const ring_place &p, uint32_t batch, P &pipe)
{
    const uint32_t bytes = g.size() * PIPE_CHUNK, mine = g.thread_rank() * PIPE_CHUNK;
    unsigned char *to = p.stage + batch % a.stages * bytes;
    const unsigned char *from = a.in + batch * p.row + p.offset;

    if (a.together)
        cuda::memcpy_async(g, to, from, cuda::aligned_size_t<16>(bytes), pipe);
    else
        cuda::memcpy_async(to + mine, from + mine, cuda::aligned_size_t<16>(PIPE_CHUNK), pipe);
}

/* Gives out what the next thread of the team copied to the stage of a batch. */
__device__ static void consume(const pipe_ring_args &a, const team &g, const ring_place &p, uint32_t batch,
                               uint32_t stage)
{
    const uint32_t next = (g.thread_rank() + 1) % g.size() * PIPE_CHUNK;
    const unsigned char *from = p.stage + stage % a.stages * g.size() * PIPE_CHUNK + next;

    *(uint4 *)(a.out + batch * p.row + p.offset + next) = *(const uint4 *)from;
}

/* As many batches as there are stages are under way; each is waited for, read and released. NO_COMMIT: the last thread
 * does not commit the last batch. EARLY: reads before it waits. NEXT: reads the stage behind the one that it waited
 * for. RELEASE_EARLY: the first warp releases the first batch before it reads it. NO_RELEASE: the last thread releases
 * nothing. */
template <int M, cuda::thread_scope S> __device__ static void ring(const pipe_ring_args &a)
{
    const team g = { a.warps != 0 };
    const ring_place p = place_of(a, g);
    const bool first = g.thread_rank() < 32, last = g.thread_rank() == g.size() - 1;
    uint32_t next = 0;

    poison_shared(blockDim.x / g.size() * PIPE_STATE, a.stages * p.row);
    __syncthreads();
    cuda::pipeline<S> pipe = make<S>(a.stages, g, p.at);
    for (uint32_t b = 0; b < a.batches; b++) {
        for (; next < a.batches && next < b + a.stages; next++) {
            if (!acquire(a.head, pipe, p.at, a.stages, next))
                return;
            fetch(a, g, p, next, pipe);
            if (M != NO_COMMIT || !last || next + 1 < a.batches)
                pipe.producer_commit();
        }
        if (M == EARLY)
            consume(a, g, p, b, b);
        if (!await(a.head, pipe))
            return;
        if (M == RELEASE_EARLY && first && b == 0) {
            pipe.consumer_release();
            ck_pause(a.late);
        }
        if (M != EARLY)
            consume(a, g, p, b, b + (M == NEXT));
        if (!(M == NO_RELEASE && last) && !(M == RELEASE_EARLY && first && b == 0))
            pipe.consumer_release();
    }
}

template <int M> __device__ static void libcu_pipe_block_body(const pipe_ring_args &a)
{
    ring<M, cuda::thread_scope_block>(a);
}
CK_KERNEL(libcu_pipe_block, pipe_ring_args)
CK_MUTANT(libcu_pipe_block, no_commit, NO_COMMIT, pipe_ring_args)
CK_MUTANT(libcu_pipe_block, early, EARLY, pipe_ring_args)
CK_MUTANT(libcu_pipe_block, next, NEXT, pipe_ring_args)
CK_MUTANT(libcu_pipe_block, release_early, RELEASE_EARLY, pipe_ring_args)
CK_MUTANT(libcu_pipe_block, no_release, NO_RELEASE, pipe_ring_args)

template <int M> __device__ static void libcu_pipe_device_body(const pipe_ring_args &a)
{
    ring<M, cuda::thread_scope_device>(a);
}
CK_KERNEL(libcu_pipe_device, pipe_ring_args)
CK_MUTANT(libcu_pipe_device, next, NEXT, pipe_ring_args)

template <int M> __device__ static void libcu_pipe_system_body(const pipe_ring_args &a)
{
    ring<M, cuda::thread_scope_system>(a);
}
CK_KERNEL(libcu_pipe_system, pipe_ring_args)
CK_MUTANT(libcu_pipe_system, next, NEXT, pipe_ring_args)

/* ---- partitioned pipelines ---- */

/* Whether the thread produces, and its number among those that do as it does. */
struct part {
    bool produces;
    uint32_t number, of;
};

__device__ static part part_of(const pipe_roles_args &a)
{
    const uint32_t i = threadIdx.x, n = blockDim.x, consumers = n - a.producers;

    if (a.split == PIPE_EVEN)
        return { i % 2 == 0, i / 2, n / 2 };
    if (a.split == PIPE_LAST)
        return i < consumers ? part{ false, i, consumers } : part{ true, i - consumers, a.producers };
    return i < a.producers ? part{ true, i, a.producers } : part{ false, i - a.producers, consumers };
}

__device__ static void produce(const pipe_roles_args &a, const part &p, unsigned char *stages, void *at,
                               block_pipeline &pipe)
{
    const uint32_t row = blockDim.x * PIPE_CHUNK;

    for (uint32_t b = 0; b < a.batches; b++) {
        if (PIPE_RIGHT < a.wrong && a.wrong < PIPE_NOT_MADE) /* one call too many keeps nobody waiting */
            pipe.producer_acquire();
        else if (!acquire(a.head, pipe, at, a.stages, b))
            return;
        for (uint32_t i = p.number * PIPE_CHUNK; i < row; i += p.of * PIPE_CHUNK)
            cuda::memcpy_async(stages + b % a.stages * row + i, a.in + b * row + i,
                               cuda::aligned_size_t<16>(PIPE_CHUNK), pipe);
        pipe.producer_commit();
    }
}

__device__ static void consume_all(const pipe_roles_args &a, const part &p, const unsigned char *stages,
                                   block_pipeline &pipe)
{
    const uint32_t row = blockDim.x * PIPE_CHUNK;

    for (uint32_t b = 0; b < a.batches; b++) {
        if (!await(a.head, pipe))
            return;
        for (uint32_t i = p.number * PIPE_CHUNK; i < row; i += p.of * PIPE_CHUNK)
            *(uint4 *)(a.out + b * row + i) = *(const uint4 *)(stages + b % a.stages * row + i);
        pipe.consumer_release();
    }
}

/* The first producer or the last consumer does what it must not, before its part or, of waits, after it. */
__device__ static void go_wrong(const pipe_roles_args &a, const part &p, bool before, block_pipeline &pipe)
{
    const bool producer = p.produces && p.number == 0, consumer = !p.produces && p.number == p.of - 1;

    if (before && consumer && a.wrong == PIPE_CONSUMER_ACQUIRES)
        pipe.producer_acquire();
    if (before && consumer && a.wrong == PIPE_CONSUMER_COMMITS)
        pipe.producer_commit();
    if (!before && producer && a.wrong == PIPE_PRODUCER_WAITS)
        (void)pipe.consumer_wait_for(nanoseconds(1000));
    if (before && producer && a.wrong == PIPE_PRODUCER_RELEASES)
        pipe.consumer_release();
}

__device__ static void play(const pipe_roles_args &a, const part &p, unsigned char *stages, block_pipeline &pipe)
{
    go_wrong(a, p, true, pipe);
    if (p.produces)
        produce(a, p, stages, ck_smem, pipe);
    else
        consume_all(a, p, stages, pipe);
    go_wrong(a, p, false, pipe);
}

/* Producers copy the batches, consumers give them out. */
template <int M> __device__ static void libcu_pipe_roles_body(const pipe_roles_args &a)
{
    const part p = part_of(a);
    const team g = { false };
    const bool last = threadIdx.x == blockDim.x - 1;
    unsigned char *const stages = ck_smem + PIPE_STATE;

    poison_shared(PIPE_STATE, a.stages * blockDim.x * PIPE_CHUNK);
    __syncthreads();
    if (last && a.wrong == PIPE_NOT_MADE)
        return;
    if (a.by_role != PIPE_COUNT) {
        const bool tells = p.produces != (a.by_role == PIPE_SWAPPED && last);
        block_pipeline pipe = make<cuda::thread_scope_block>(
            a.stages, g, ck_smem, tells ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
        play(a, p, stages, pipe);
    } else {
        block_pipeline pipe = make<cuda::thread_scope_block>(a.stages, g, ck_smem,
                                                             (size_t)(a.count + (last && a.wrong == PIPE_OTHER_COUNT)));
        play(a, p, stages, pipe);
    }
}
CK_KERNEL(libcu_pipe_roles, pipe_roles_args)

/* ---- the first stages, and the end ---- */

/* Each thread acquires some stages and commits them, and releases them only at the end. */
template <int M> __device__ static void libcu_pipe_acquires_body(const pipe_end_args &a)
{
    const team g = { false };
    block_pipeline pipe = make<cuda::thread_scope_block>(a.stages, g, ck_smem);
    uint32_t n = 0;

    while (n < a.acquires && acquire(a.head, pipe, ck_smem, a.stages, n)) {
        pipe.producer_commit();
        n++;
    }
    a.out[threadIdx.x] = n;
    for (uint32_t i = 0; i < n && await(a.head, pipe); i++)
        pipe.consumer_release();
}
CK_KERNEL(libcu_pipe_acquires, pipe_end_args)

/* Each thread leaves the pipeline and writes down what quit says. STAYS: the last thread does not call quit. */
template <int M> __device__ static void libcu_pipe_quit_body(const pipe_end_args &a)
{
    const team g = { false };
    block_pipeline pipe = make<cuda::thread_scope_block>(a.stages, g, ck_smem);
    bool released = false;

    for (uint32_t p = 0; p < a.parties; p++)
        if (threadIdx.x % a.parties == p && (M != STAYS || threadIdx.x != blockDim.x - 1))
            released = pipe.quit();
    a.out[threadIdx.x] = released;
    __syncthreads();
    if (a.after == 1 && threadIdx.x == 0)
        pipe.producer_commit();
    if (a.after == 2 && threadIdx.x == 0)
        cuda::memcpy_async(ck_smem + PIPE_STATE, (const unsigned char *)a.out, cuda::aligned_size_t<16>(16), pipe);
}
CK_KERNEL(libcu_pipe_quit, pipe_end_args)
CK_MUTANT(libcu_pipe_quit, stays, STAYS, pipe_end_args)

/* A pipeline that nobody ends: its memory is not destroyed as a pipeline. */
union endless {
    block_pipeline pipe;

    __device__ endless(uint32_t stages, const team &g) : pipe(make<cuda::thread_scope_block>(stages, g, ck_smem)) {}
    __device__ ~endless() {}
};

/* The number of threads that have not left, behind the stages: header <cuda/pipeline>. */
__device__ static uint32_t owners(uint32_t stages)
{
    return *(volatile uint32_t *)(ck_smem + stages * sizeof(cuda::__pipeline_stage<cuda::thread_scope_block>));
}

/* All threads make a pipeline and end it by its destructor; then its memory is used for other data, and for another
 * pipeline. NO_END: the first pipeline is not destroyed. */
template <int M> __device__ static void libcu_pipe_destructor_body(const pipe_end_args &a)
{
    const team g = { false };

    if (M == NO_END)
        endless pipe(a.stages, g);
    else
        block_pipeline pipe = make<cuda::thread_scope_block>(a.stages, g, ck_smem);
    __syncthreads();
    const uint32_t left = owners(a.stages);
    __syncthreads();
    poison_shared(0, PIPE_STATE);
    __syncthreads();
    block_pipeline pipe = make<cuda::thread_scope_block>(a.stages, g, ck_smem);
    pipe.producer_acquire();
    pipe.producer_commit();
    const bool over = await(a.head, pipe);
    pipe.consumer_release();
    a.out[threadIdx.x] = over;
    if (threadIdx.x == 0)
        a.out[blockDim.x] = left;
}
CK_KERNEL(libcu_pipe_destructor, pipe_end_args)
CK_MUTANT(libcu_pipe_destructor, no_end, NO_END, pipe_end_args)

/* ---- waits with a time ---- */

template <class P> __device__ static bool ask(const pipe_timed_args &a, P &pipe)
{
    if (a.until)
        return pipe.consumer_wait_until(cuda::std::chrono::system_clock::now() + nanoseconds(a.ns));
    return pipe.consumer_wait_for(nanoseconds(a.ns));
}

template <class P> __device__ static void timed(const pipe_timed_args &a, P &pipe)
{
    pipe.producer_acquire();
    copy_alone(ck_smem + PIPE_STATE, a.in, 16, pipe);
    if (a.early) {
        pipe.producer_commit();
        (void)await(a.head, pipe);
    }
    a.out[0] = ask(a, pipe);
    if (!a.early)
        pipe.producer_commit();
    a.out[1] = await(a.head, pipe) && ask(a, pipe);
    *(uint4 *)(a.out + 4) = *(const uint4 *)(ck_smem + PIPE_STATE);
    pipe.consumer_release();
}

/* One thread asks for a stage before it commits it and after. */
template <int M> __device__ static void libcu_pipe_timed_body(const pipe_timed_args &a)
{
    poison_shared(PIPE_STATE, 16);
    if (a.thread) {
        thread_pipeline pipe = cuda::make_pipeline();
        timed(a, pipe);
    } else {
        block_pipeline pipe = make<cuda::thread_scope_block>(1, team{ false }, ck_smem);
        timed(a, pipe);
    }
}
CK_KERNEL(libcu_pipe_timed, pipe_timed_args)

/* The second of two threads waits with a time of 0 for a stage that the first one commits later. */
template <int M> __device__ static void libcu_pipe_zero_body(const pipe_timed_args &a)
{
    block_pipeline pipe = make<cuda::thread_scope_block>(1, team{ false }, ck_smem, (size_t)1);

    if (threadIdx.x == 0) {
        pipe.producer_acquire();
        ck_pause(a.ns);
        pipe.producer_commit();
    } else {
        a.out[0] = pipe.consumer_wait_for(nanoseconds(0));
        (void)await(a.head, pipe);
        pipe.consumer_release();
    }
}
CK_KERNEL(libcu_pipe_zero, pipe_timed_args)
// SPDX-License-Identifier: Apache-2.0
