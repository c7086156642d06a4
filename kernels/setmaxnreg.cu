/* Registers that one warpgroup gives and two others take. */
#include "kernels/setmaxnreg.h"

#include "kernels/ck.cuh"

enum { NONE, NO_WAIT };

/* What each thread has at first is settled by the bounds of the launch: 65536 registers for 384 threads. */
#define SETMAXNREG_KERNEL(name, constant)                                                                              \
    extern "C" __global__ void __launch_bounds__(SETMAXNREG_THREADS, 1)                                                \
        name(const __grid_constant__ setmaxnreg_args a)                                                                \
    {                                                                                                                  \
        setmaxnreg_pool_body<constant>(a);                                                                             \
    }

/* A warp counts itself, then gives its registers, late. A warp that gets some counts itself too: as many of the others
 * have given by then as had to. NO_WAIT: it takes none. */
template <int M> __device__ static void setmaxnreg_pool_body(const setmaxnreg_args &a)
{
    __shared__ uint32_t given, taken;
    const bool first = threadIdx.x % 32 == 0;

    if (threadIdx.x == 0)
        given = taken = 0;
    __syncthreads();
    if (threadIdx.x < 128) {
        ck_pause(a.delay);
        if (first)
            atomicAdd(&given, 1);
        __syncwarp();
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;" ::: "memory");
        return;
    }
    if (M != NO_WAIT)
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;" ::: "memory");
    if (first) {
        const uint32_t order = atomicAdd(&taken, 1) + 1;
        a.out[order - 1] = 2 * atomicAdd(&given, 0) >= order;
    }
}
SETMAXNREG_KERNEL(setmaxnreg_pool, NONE)
SETMAXNREG_KERNEL(setmaxnreg_pool__no_wait, NO_WAIT)
// SPDX-License-Identifier: Apache-2.0
