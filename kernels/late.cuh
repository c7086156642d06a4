/* Groups of copies, a wait for some of them, and a read, for each API that counts groups. An API is a struct with
 *
 *     static const uint32_t turn;                   reads the piece of the thread that is so many further on
 *     void copy(to, from, size);                    the group's pieces, of `size` bytes for each thread
 *     void commit();
 *     void wait(uint32_t n);                        until at most the n newest groups are unfinished
 *     void finish();                                until none is
 */
#ifndef COPYCHECK_LATE_CUH
#define COPYCHECK_LATE_CUH

#include "kernels/late.h"
#include "kernels/shared.cuh"

/* The executing thread's bytes of a group. */
__device__ static inline uint32_t late_piece(uint32_t size)
{
    return threadIdx.x * size;
}

/* Brings the near sources near. */
__device__ static inline void late_warm_up(const late_args &a)
{
    for (uint32_t g = 0; g < a.groups; g++)
        asm volatile("{ .reg .u32 word; ld.global.u32 word, [%0]; }" ::"l"(a.near_by + g * blockDim.x * a.size +
                                                                           late_piece(a.size))
                     : "memory");
}

/* Gives out the piece of the thread that is `turn` further on, by loads as C++ writes them. */
__device__ static inline void late_give_out(const late_args &a, uint32_t turn)
{
    const uint32_t at = (threadIdx.x + turn) % blockDim.x * a.size;
    const unsigned char *from = ck_smem + a.read * blockDim.x * a.size + at;

    for (uint32_t i = 0; i < a.size; i += 4)
        *(uint32_t *)(a.out + at + i) = *(const uint32_t *)(from + i);
}

template <class Api> __device__ static inline void late_groups(const late_args &a, Api &api)
{
    const uint32_t bytes = blockDim.x * a.size;

    late_warm_up(a);
    for (uint32_t round = 0; round < LATE_ROUNDS; round++) {
        poison_shared(0, a.groups * bytes);
        __syncthreads();
        for (uint32_t g = 0; g < a.groups; g++) {
            api.copy(ck_smem + g * bytes, g == a.slow ? a.far_off + round * bytes : a.near_by + g * bytes, a.size);
            api.commit();
        }
        api.wait(a.wait);
        late_give_out(a, Api::turn);
        api.finish();
        __syncthreads();
    }
}

#endif
// SPDX-License-Identifier: Apache-2.0
