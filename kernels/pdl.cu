/* Grids that depend on one another: the second may begin while the first is at work. */
#include "kernels/bar.h"
#include "kernels/ck.cuh"

enum { NONE, NO_WAIT, TWICE };

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
