/* wgmma and its fences, groups and waits. Each kernel is right; its other instances leave out or move one step. */
#include "kernels/wgmma.cuh"

enum {
    NONE,
    NO_FENCE,    /* no wgmma.fence at all */
    NO_PROXY,    /* no proxy fence behind the ordinary writes */
    NO_BARRIER,  /* no barrier between writes of other threads and the product */
    EARLY,       /* D is read before the wait */
    UNCOMMITTED, /* the wait comes before the commit */
    TOUCHED,     /* D is changed, and multiplied again without a fence */
    OVERWRITTEN, /* B is overwritten before the wait */
    OTHER_LANE,  /* lane 0 has another descriptor */
    OTHER_WARP,  /* warp 0 has another descriptor */
    OTHER_SCALE, /* lane 0 has another scale-d */
    SKIPPED,     /* warp 3 leaves the product out */
    ONE_MORE,    /* the wait leaves one group more */
    BEHIND,      /* the other shape comes without a fence */
};

PRODUCT_OF_SHARED(f16, "m64n8k16.f32.f16.f16", ", 1, 1, 0, 0")

/* The same with 16 columns: the B of the second 8 lies one stride dimension byte offset further on. */
__device__ static inline void f16_wide(uint32_t (&d)[8], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1, 1, "
                 "1, 0, 0;"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7])
                 : "l"(a), "l"(b)
                 : "memory");
}

/* Shared memory is filled by ordinary writes; a proxy fence and a barrier come before the products, a wgmma.fence
 * before the first one. Two products are added to D without a fence between them; then D is read. */
template <int M> __device__ static void wgmma_steps_body(const wgmma_args &a)
{
    const bool first = threadIdx.x % 32 == 0;
    uint64_t b = matrix(a.b_desc);
    uint32_t d[WGMMA_D], adds = a.adds;

    fill_shared(0, a.in, WGMMA_IMAGE);
    if (M != NO_PROXY)
        fence_proxy_async_shared();
    if (M != NO_BARRIER)
        __syncthreads();
    if (M == OTHER_LANE && first)
        b += 1;
    if (M == OTHER_WARP && threadIdx.x < 32)
        b += 1;
    if (M == OTHER_SCALE && first)
        adds = 0;
    take(d, a.d);
    if (M != NO_FENCE)
        wgmma_fence();
    f16(d, matrix(a.a_desc), b, adds);
    if (M != SKIPPED || threadIdx.x < 96)
        f16(d, matrix(a.a_desc), b, adds);
    if (M == UNCOMMITTED)
        wgmma_wait_group<0>();
    else
        wgmma_commit_group();
    if (M == EARLY || M == UNCOMMITTED)
        give(a.out, d);
    if (M == OVERWRITTEN)
        *(volatile uint32_t *)(ck_smem + WGMMA_IMAGE / 2 + threadIdx.x * 4) = 0;
    if (M == UNCOMMITTED)
        wgmma_commit_group();
    wgmma_wait_group<0>();
    if (M != EARLY && M != UNCOMMITTED)
        give(a.out, d);
}
CK_KERNEL(wgmma_steps, wgmma_args)
CK_MUTANT(wgmma_steps, no_fence, NO_FENCE, wgmma_args)
CK_MUTANT(wgmma_steps, no_proxy, NO_PROXY, wgmma_args)
CK_MUTANT(wgmma_steps, no_barrier, NO_BARRIER, wgmma_args)
CK_MUTANT(wgmma_steps, early, EARLY, wgmma_args)
CK_MUTANT(wgmma_steps, uncommitted, UNCOMMITTED, wgmma_args)
CK_MUTANT(wgmma_steps, overwritten, OVERWRITTEN, wgmma_args)
CK_MUTANT(wgmma_steps, other_lane, OTHER_LANE, wgmma_args)
CK_MUTANT(wgmma_steps, other_warp, OTHER_WARP, wgmma_args)
CK_MUTANT(wgmma_steps, other_scale, OTHER_SCALE, wgmma_args)
CK_MUTANT(wgmma_steps, skipped, SKIPPED, wgmma_args)

/* D is read and changed between two products: a wait comes before, a fence behind. TOUCHED: no fence. */
template <int M> __device__ static void wgmma_again_body(const wgmma_args &a)
{
    uint32_t d[WGMMA_D];

    fill_image(a);
    take(d, a.d);
    wgmma_fence();
    f16(d, matrix(a.a_desc), matrix(a.b_desc), 1);
    wgmma_commit_group();
    wgmma_wait_group<0>();
    for (int i = 0; i < WGMMA_D; i++)
        asm volatile("add.f32 %0, %0, 0f3F800000;" : "+r"(d[i]));
    if (M != TOUCHED)
        wgmma_fence();
    f16(d, matrix(a.a_desc), matrix(a.b_desc), 1);
    wgmma_commit_group();
    wgmma_wait_group<0>();
    give(a.out, d);
}
CK_KERNEL(wgmma_again, wgmma_args)
CK_MUTANT(wgmma_again, touched, TOUCHED, wgmma_args)

/* A product of 8 columns, then one of 16 that has the same registers in D: a fence comes between the two. BEHIND: none.
 */
template <int M> __device__ static void wgmma_shapes_body(const wgmma_args &a)
{
    uint32_t d[2 * WGMMA_D];

    fill_image(a);
    take((uint32_t(&)[WGMMA_D])d, a.d);
    take((uint32_t(&)[WGMMA_D])d[WGMMA_D], a.d);
    wgmma_fence();
    f16((uint32_t(&)[WGMMA_D])d, matrix(a.a_desc), matrix(a.b_desc), 1);
    if (M != BEHIND)
        wgmma_fence();
    f16_wide(d, matrix(a.a_desc), matrix(a.b_desc));
    wgmma_commit_group();
    wgmma_wait_group<0>();
    give(a.out, (uint32_t(&)[WGMMA_D])d);
}
CK_KERNEL(wgmma_shapes, wgmma_args)
CK_MUTANT(wgmma_shapes, behind, BEHIND, wgmma_args)

/* Two groups with a product each: the first one is complete when all groups but the last are. ONE_MORE: but the last
 * two. */
template <int M> __device__ static void wgmma_groups_body(const wgmma_args &a)
{
    uint32_t d[WGMMA_D], e[WGMMA_D];

    fill_image(a);
    take(d, a.d);
    take(e, a.d);
    wgmma_fence();
    f16(d, matrix(a.a_desc), matrix(a.b_desc), 1);
    wgmma_commit_group();
    f16(e, matrix(a.a_desc), matrix(a.b_desc), 0);
    wgmma_commit_group();
    wgmma_wait_group<M == ONE_MORE ? 2 : 1>();
    give(a.out, d);
    wgmma_wait_group<0>();
    give(a.out + WGMMA_THREADS * WGMMA_D, e);
}
CK_KERNEL(wgmma_groups, wgmma_args)
CK_MUTANT(wgmma_groups, one_more, ONE_MORE, wgmma_args)

/* A group with a product, and an empty one behind it: all groups but the last are complete, so the product is.
 * ONE_MORE: but the last two. */
template <int M> __device__ static void wgmma_empty_body(const wgmma_args &a)
{
    uint32_t d[WGMMA_D];

    fill_image(a);
    take(d, a.d);
    wgmma_fence();
    f16(d, matrix(a.a_desc), matrix(a.b_desc), 1);
    wgmma_commit_group();
    wgmma_commit_group();
    wgmma_wait_group<M == ONE_MORE ? 2 : 1>();
    give(a.out, d);
    wgmma_wait_group<0>();
}
CK_KERNEL(wgmma_empty, wgmma_args)
CK_MUTANT(wgmma_empty, one_more, ONE_MORE, wgmma_args)
// SPDX-License-Identifier: Apache-2.0
