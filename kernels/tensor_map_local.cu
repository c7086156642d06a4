/* A tensor map that is a parameter; or, which breaks a rule, its copy in the thread's local memory. */
#include "kernels/box.cuh"
#include "kernels/tensor_map.h"

enum { NONE, LOCAL };

template <int M> __device__ static void tmap_local_body(const tmap_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes);
    __align__(64) unsigned char copy[M == LOCAL ? 128 : 1];
    uint64_t map = (uint64_t)&a.map;

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        if (M == LOCAL) {
            for (uint32_t i = 0; i < 128; i++)
                ((volatile unsigned char *)copy)[i] = a.map.bytes[i];
            map = (uint64_t)copy;
        }
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box(
            { .corner = a.corner, .rank = a.rank, .shared = ck_shared(ck_smem + a.offset), .bar = bar, .map = map });
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    write_out(a.out, ck_smem, a.bytes);
}
CK_KERNEL(tmap_local, tmap_args)
CK_MUTANT(tmap_local, local, LOCAL, tmap_args)
