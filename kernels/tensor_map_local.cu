/* A tensor map that is a parameter; or, which breaks a rule, its copy in the thread's local memory. */
#include "kernels/box.cuh"
#include "kernels/tensor_map.h"

enum { NONE, LOCAL };

/* A load goes through the parameter itself, and through no copy on the stack. */
template <int M> __device__ static void tmap_local_body(const tmap_args &a)
{
    const uint32_t tile = ck_shared(ck_smem + a.offset), bar = ck_shared(ck_smem + a.bytes);
    ck_tmap copy;

    if (M == LOCAL)
        for (uint32_t i = 0; i < 128; i++)
            ((volatile unsigned char *)copy.bytes)[i] = a.map.bytes[i];
    poison_and_init(a.bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box(a.rank, tile, M == LOCAL ? &copy : &a.map, a.corner, bar);
    }
    wait_and_dump(a.head, bar, a.out, a.bytes);
}
CK_KERNEL(tmap_local, tmap_args)
CK_MUTANT(tmap_local, local, LOCAL, tmap_args)
// SPDX-License-Identifier: Apache-2.0
