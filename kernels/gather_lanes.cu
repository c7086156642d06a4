/* A gather, one cp.async a lane: what a load through a tile of pointers is lowered to. */
#include "kernels/gather_lanes.h"
#include "kernels/cp_async.cuh"

enum { NONE, NO_WAIT };

#define OR_ZEROS(op, size)                                                                                             \
    "{ .reg .pred p; setp.ne.u32 p, %2, 0;\n\tcp.async." op ".shared.global [%0], [%1], " size ", p; }"

/* Each lane copies one element; a lane that ignores its source has zeros. NO_WAIT: nobody waits for the copies. */
template <int M> __device__ static void gather_lanes_body(const gather_lanes_args &a)
{
    const uint32_t size = cp_async_size(a.form), lane = threadIdx.x, dst = ck_shared(ck_smem) + lane * size;
    const unsigned char *const src = a.in + a.offsets[lane];

    poison_shared(0, blockDim.x * size);
    __syncthreads();
    CP_ASYNC_FORMS(a.form, OR_ZEROS, "r"(dst), "l"(src), "r"(a.ignore >> lane & 1));
    if (M != NO_WAIT)
        cp_async_wait_all();
    __syncthreads();
    dump_shared(a.out, 0, blockDim.x * size);
}
CK_KERNEL(gather_lanes, gather_lanes_args)
CK_MUTANT(gather_lanes, no_wait, NO_WAIT, gather_lanes_args)
// SPDX-License-Identifier: Apache-2.0
