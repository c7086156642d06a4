/* Data passed on from block to block, and ordinary accesses. Each kernel is correct; its other instances leave
 * out or weaken one step. */
#include "kernels/ck.cuh"
#include "kernels/fence.h"

enum { NONE, NO_FENCE, CTA_SCOPE, PLAIN };

/* A relaxed load of the flag. */
__device__ static uint32_t look(const uint32_t *flag)
{
    uint32_t got;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(got) : "l"(flag) : "memory");
    return got;
}

/* The fence on each side: release before the flag is raised, acquire after it was seen. */
template <int M> __device__ static void fence()
{
    if (M == CTA_SCOPE)
        asm volatile("fence.acq_rel.cta;" ::: "memory");
    else if (M != NO_FENCE)
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

/* The first block writes the data, fences and raises a flag; the others see the flag, fence and read the data. */
template <int M> __device__ static void fence_pass_body(const fence_args &a)
{
    const uint64_t start = ck_now();

    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        for (uint32_t i = 0; i < a.words; i++)
            a.data[i] = a.in[i];
        fence<M>();
        asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(a.flag) : "memory");
        return;
    }
    while (!look(a.flag))
        if (a.head.limit && ck_now() - start > a.head.limit) {
            ck_timeout(a.head, 0);
            return;
        }
    fence<M>();
    for (uint32_t i = 0; i < a.words; i++)
        a.out[(blockIdx.x - 1) * a.words + i] = a.data[i];
}
CK_KERNEL(fence_pass, fence_args)
CK_MUTANT(fence_pass, no_fence, NO_FENCE, fence_args)
CK_MUTANT(fence_pass, cta_scope, CTA_SCOPE, fence_args)

/* Each block writes its word, fences and draws a ticket; the block that draws the last one fences and adds all words
 * up. */
template <int M> __device__ static void fence_ticket_body(const fence_args &a)
{
    uint32_t sum = 0;

    if (threadIdx.x)
        return;
    a.data[blockIdx.x] = a.in[blockIdx.x];
    fence<M>();
    if (atomicAdd(a.flag, 1) != gridDim.x - 1)
        return;
    fence<M>();
    for (uint32_t i = 0; i < gridDim.x; i++)
        sum += a.data[i];
    *a.out = sum;
}
CK_KERNEL(fence_ticket, fence_args)
CK_MUTANT(fence_ticket, no_fence, NO_FENCE, fence_args)

/* Every thread of every block counts itself. */
template <int M> __device__ static void fence_count_body(const fence_args &a)
{
    if (M == PLAIN)
        asm volatile("{ .reg .b32 n; ld.global.u32 n, [%0]; add.u32 n, n, 1; st.global.u32 [%0], n; }" ::"l"(a.data)
                     : "memory");
    else
        atomicAdd(a.data, 1);
}
CK_KERNEL(fence_count, fence_args)
CK_MUTANT(fence_count, plain, PLAIN, fence_args)

/* One word is loaded from `offset` bytes behind `in`, and stored. */
template <int M> __device__ static void access_load_body(const access_args &a)
{
    if (threadIdx.x == 0)
        *a.out = *(const uint32_t *)(a.in + a.offset);
}
CK_KERNEL(access_load, access_args)
// SPDX-License-Identifier: Apache-2.0
