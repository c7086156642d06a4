/* Grids that depend on one another: the second may begin while the first is at work. */
#include "kernels/bar.h"
#include "kernels/bulk.cuh"

enum { NONE, NO_WAIT, TWICE, EARLY };

/* Each CTA says, `signals` times, that dependent grids may begin; then its threads write, late. */
template <int M> __device__ static void pdl_first_body(const pdl_args &a)
{
    const uint32_t me = blockIdx.x * blockDim.x + threadIdx.x;

    for (uint32_t i = 0; i < a.signals; i++)
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    ck_pause(a.delay);
    ((volatile uint32_t *)a.words)[me] = me + 1;
}
CK_KERNEL(pdl_first, pdl_args)

/* Each thread waits for the grid before, and takes what that one wrote. NO_WAIT: it does not wait. TWICE: it counts
 * itself twice. */
template <int M> __device__ static void pdl_second_body(const pdl_args &a)
{
    const uint32_t me = blockIdx.x * blockDim.x + threadIdx.x;

    if (M != NO_WAIT)
        asm volatile("griddepcontrol.wait;" ::: "memory");
    a.out[me] = ((volatile uint32_t *)a.words)[me];
    atomicAdd(a.count, M == TWICE ? 2 : 1);
}
CK_KERNEL(pdl_second, pdl_args)
CK_MUTANT(pdl_second, no_wait, NO_WAIT, pdl_args)
CK_MUTANT(pdl_second, twice, TWICE, pdl_args)

/* The same by a bulk copy of the CTA's words. EARLY: the copy comes before the wait. */
template <int M> __device__ static void pdl_copy_body(const pdl_args &a)
{
    const uint32_t bytes = blockDim.x * 4, bar = image_and_barrier(bytes);
    const unsigned char *words = (const unsigned char *)(a.words + blockIdx.x * blockDim.x);

    if (M != EARLY)
        asm volatile("griddepcontrol.wait;" ::: "memory");
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, bytes);
        load_to_cluster(ck_shared(ck_smem), words, bytes, bar);
    }
    __syncthreads();
    if (M == EARLY)
        asm volatile("griddepcontrol.wait;" ::: "memory");
    mbarrier_wait_parity(a.head, bar, 0, 1);
    a.out[blockIdx.x * blockDim.x + threadIdx.x] = ((volatile uint32_t *)ck_smem)[threadIdx.x];
    atomicAdd(a.count, 1);
}
CK_KERNEL(pdl_copy, pdl_args)
CK_MUTANT(pdl_copy, early, EARLY, pdl_args)
// SPDX-License-Identifier: Apache-2.0
