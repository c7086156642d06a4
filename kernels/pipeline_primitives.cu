/* The C primitives __pipeline_* and __mbarrier_*, and nvcuda::experimental, on which cooperative_groups::memcpy_async
 * rests. */
#include <cuda_pipeline.h>

#include "kernels/late.cuh"
#include "kernels/pipeline_primitives.h"

enum { NONE, NO_COMMIT, EARLY };

/* ---- one copy ---- */

/* Each thread makes a copy, commits it and waits; the image comes out. */
template <int M> __device__ static void prim_copy_body(const prim_copy_args &a)
{
    const uint32_t half = a.image / 2, i = 16 * threadIdx.x;

    poison_shared(0, half);
    fill_shared(half, a.in + half, half);
    __syncthreads();
    __pipeline_memcpy_async((a.to_global ? a.far : ck_smem) + a.dst + i, (a.from_shared ? ck_smem : a.in) + a.src + i,
                            a.size, a.zfill);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    dump_shared(a.out, 0, a.image);
}
CK_KERNEL(prim_copy, prim_copy_args)

/* ---- batches ---- */

template <int M> struct primitives {
    static const uint32_t turn = 0;

    __device__ void copy(unsigned char *to, const unsigned char *from, uint32_t size)
    {
        __pipeline_memcpy_async(to + late_piece(size), from + late_piece(size), size);
    }
    __device__ void commit()
    {
        if (M != NO_COMMIT)
            __pipeline_commit();
    }
    __device__ void wait(uint32_t n)
    {
        __pipeline_wait_prior(n);
    }
    __device__ void finish()
    {
        __pipeline_commit();
        __pipeline_wait_prior(0);
    }
};

/* Batches of one copy a thread, and a wait. NO_COMMIT: nothing is committed before the wait. EARLY: reads before the
 * wait. */
template <int M> __device__ static void prim_batches_body(const late_args &a)
{
    primitives<M> api;

    late_groups(a, api);
}
CK_KERNEL(prim_batches, late_args)
CK_MUTANT(prim_batches, no_commit, NO_COMMIT, late_args)

/* The pipeline object of nvcuda::experimental counts the batches itself; wait(batch) takes what commit() gave. */
struct experimental {
    static const uint32_t turn = 0;
    nvcuda::experimental::pipeline pipe;
    size_t newest = 0;

    __device__ void copy(unsigned char *to, const unsigned char *from, uint32_t size)
    {
        __pipeline_memcpy_async(to + late_piece(size), from + late_piece(size), size);
    }
    __device__ void commit()
    {
        newest = pipe.commit();
    }
    __device__ void wait(uint32_t n)
    {
        pipe.wait(newest - n);
    }
    __device__ void finish()
    {
        pipe.wait_prior<0>();
    }
};

template <int M> __device__ static void prim_experimental_batches_body(const late_args &a)
{
    experimental api;

    late_groups(a, api);
}
CK_KERNEL(prim_experimental_batches, late_args)

/* ---- between a copy and its wait ---- */

__device__ static uint32_t *word_of(void *p)
{
    return (uint32_t *)p;
}

/* Each thread copies 16 bytes, waits, and gives them out. In between it loads or stores bytes of the destination, or
 * stores to the source; PRIM_OTHER: the next thread stores to the destination. */
template <int M> __device__ static void prim_between_body(const prim_between_args &a)
{
    const uint32_t i = 16 * threadIdx.x, next = (i + 16) % (16 * blockDim.x);

    poison_shared(0, 16 * blockDim.x);
    __syncthreads();
    __pipeline_memcpy_async(ck_smem + i, a.in + i, 16);
    __pipeline_commit();
    switch (a.between) {
    case PRIM_LOAD: a.out[i] = *(volatile unsigned char *)(ck_smem + i); break;
    case PRIM_STORE: *(volatile uint32_t *)(ck_smem + i) = 0x01020304; break;
    case PRIM_ATOMIC: atomicAdd(word_of(ck_smem + i), 1); break;
    case PRIM_SOURCE: *(volatile uint32_t *)(a.in + i) = 0x01020304; break;
    case PRIM_OTHER: *(volatile uint32_t *)(ck_smem + next) = 0x01020304; break;
    }
    __pipeline_wait_prior(0);
    if (a.between == PRIM_AFTER)
        *(volatile uint32_t *)(ck_smem + i) = 0x01020304;
    __syncthreads();
    dump_shared(a.out, 0, 16 * blockDim.x);
}
CK_KERNEL(prim_between, prim_between_args)

/* ---- copies bound to an mbarrier ---- */

/* Waits for the phase of `token`, with a bound. */
__device__ static bool passed(const ck_head &h, __mbarrier_t *bar, __mbarrier_token_t token)
{
    const uint64_t start = ck_now();

    while (!__mbarrier_test_wait(bar, token))
        if (h.limit && ck_now() - start > h.limit) {
            ck_timeout(h, 0);
            return false;
        }
    return true;
}

/* Each thread makes some copies, binds each to the mbarrier, arrives, waits, and gives out the pieces of the next
 * thread. */
template <int M> __device__ static void prim_arrive_on_body(const prim_arrive_args &a)
{
    __mbarrier_t *const bar = (__mbarrier_t *)ck_smem;
    unsigned char *const image = ck_smem + 16;
    const uint32_t i = 16 * threadIdx.x, next = (i + 16) % (16 * blockDim.x), row = 16 * blockDim.x;

    if (threadIdx.x == 0)
        __mbarrier_init(bar, a.expected);
    poison_shared(16, row * a.copies);
    __syncthreads();
    for (uint32_t c = 0; c < a.copies; c++) {
        __pipeline_memcpy_async(image + c * row + i, a.in + c * row + i, 16);
        __pipeline_arrive_on(bar);
    }
    const __mbarrier_token_t token = __mbarrier_arrive(bar);
    if (M == EARLY || passed(a.head, bar, token))
        for (uint32_t c = 0; c < a.copies; c++)
            *(uint4 *)(a.out + c * row + next) = *(const uint4 *)(image + c * row + next);
    __pipeline_wait_prior(0);
}
CK_KERNEL(prim_arrive_on, prim_arrive_args)
CK_MUTANT(prim_arrive_on, early, EARLY, prim_arrive_args)

/* ---- one thread and an mbarrier, step by step ---- */

/* Whether the phase of `token` ends within `ns` nanoseconds. */
__device__ static bool ends(__mbarrier_t *bar, __mbarrier_token_t token, uint32_t ns)
{
    const uint64_t start = ck_now();

    while (!__mbarrier_test_wait(bar, token))
        if (ck_now() - start > ns)
            return false;
    return true;
}

__device__ static uint32_t step(const prim_step &s, __mbarrier_t *bar, __mbarrier_token_t *tokens)
{
    switch (s.op) {
    case PRIM_INIT: __mbarrier_init(bar, s.value); break;
    case PRIM_INVAL: __mbarrier_inval(bar); break;
    case PRIM_ARRIVE:
        for (uint32_t i = 0; i < s.value; i++)
            tokens[s.token] = __mbarrier_arrive(bar);
        break;
    case PRIM_DROP: tokens[s.token] = __mbarrier_arrive_and_drop(bar); break;
    case PRIM_TEST: return __mbarrier_test_wait(bar, tokens[s.token]);
    case PRIM_TEST_PARITY: return __mbarrier_test_wait_parity(bar, s.value);
    case PRIM_TRY: return __mbarrier_try_wait(bar, tokens[s.token], s.ns);
    case PRIM_TRY_PARITY: return __mbarrier_try_wait_parity(bar, s.value, s.ns);
    case PRIM_WAIT: return ends(bar, tokens[s.token], s.ns);
    case PRIM_PENDING: return __mbarrier_token_pending_count(tokens[s.token]);
    case PRIM_MAXIMUM: return __mbarrier_maximum_count();
    case PRIM_USE: *(volatile uint64_t *)bar = 0x0123456789ABCDEFull; break;
    case PRIM_ARRIVE_ON: __pipeline_arrive_on(bar); break;
    }
    return 0;
}

/* One thread carries out a list of steps on an mbarrier and writes down each answer. */
template <int M> __device__ static void prim_steps_body(const prim_steps_args &a)
{
    __mbarrier_token_t tokens[PRIM_TOKENS] = {};

    for (uint32_t i = 0; i < a.count; i++)
        a.answers[i] = step(a.steps[i], (__mbarrier_t *)ck_smem, tokens);
}
CK_KERNEL(prim_steps, prim_steps_args)

/* ---- objects ---- */

template <uint32_t SIZE, uint32_t ALIGN> struct alignas(ALIGN) object {
    unsigned char bytes[SIZE];
};

template <uint32_t SIZE, uint32_t ALIGN> __device__ static void copy_object(const prim_object_args &a)
{
    nvcuda::experimental::pipeline pipe;

    if (a.size != SIZE || a.align != ALIGN)
        return;
    nvcuda::experimental::memcpy_async(*(object<SIZE, ALIGN> *)ck_smem, *(const object<SIZE, ALIGN> *)a.in, pipe);
    pipe.commit_and_wait();
}

/* One thread copies an object of some size and alignment, and gives 64 bytes out. */
template <int M> __device__ static void prim_object_body(const prim_object_args &a)
{
    poison_shared(0, 64);
    copy_object<4, 4>(a);
    copy_object<8, 4>(a);
    copy_object<12, 4>(a);
    copy_object<16, 4>(a);
    copy_object<64, 4>(a);
    copy_object<8, 8>(a);
    copy_object<16, 8>(a);
    copy_object<24, 8>(a);
    copy_object<64, 8>(a);
    copy_object<16, 16>(a);
    copy_object<32, 16>(a);
    copy_object<64, 16>(a);
    dump_shared(a.out, 0, 64);
}
CK_KERNEL(prim_object, prim_object_args)
// SPDX-License-Identifier: Apache-2.0
