/* Copies in im2col mode. */
#include "kernels/box.cuh"
#include "kernels/im2col.h"

#define LOAD(dim, coords, offsets)                                                                                     \
    asm volatile(                                                                                                      \
        "cp.async.bulk.tensor" dim ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {" coords   \
        "}], [%2], {" offsets "};" ::"r"(shared),                                                                      \
        "l"(map), "r"(bar), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "h"(o[0]), "h"(o[1]), "h"(o[2])     \
        : "memory")
#define STORE(dim, coords)                                                                                             \
    asm volatile("cp.async.bulk.tensor" dim ".global.shared::cta.im2col_no_offs.bulk_group [%1, {" coords              \
                 "}], [%0];" ::"r"(shared),                                                                            \
                 "l"(map), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])                                       \
                 : "memory")

template <int M> __device__ static void im2col_load_body(const im2col_args &a)
{
    const uint32_t bar = ck_shared(ck_smem + a.bytes), shared = ck_shared(ck_smem + a.offset);
    const uint64_t map = (uint64_t)&a.map;
    const int32_t *const c = a.corner;
    const uint16_t *const o = a.offsets;

    poison_image(ck_smem, a.bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        switch (a.rank) {
        case 3: LOAD(".3d", "%3, %4, %5", "%8"); break;
        case 4: LOAD(".4d", "%3, %4, %5, %6", "%8, %9"); break;
        default: LOAD(".5d", "%3, %4, %5, %6, %7", "%8, %9, %10"); break;
        }
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    write_out(a.image, ck_smem, a.bytes);
}
CK_KERNEL(im2col_load, im2col_args)

template <int M> __device__ static void im2col_store_body(const im2col_args &a)
{
    const uint32_t shared = ck_shared(ck_smem + a.offset);
    const uint64_t map = (uint64_t)&a.map;
    const int32_t *const c = a.corner;

    for (uint32_t i = threadIdx.x; i < a.bytes; i += blockDim.x)
        ck_smem[i] = ((const unsigned char *)a.image)[i];
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        switch (a.rank) {
        case 3: STORE(".3d", "%2, %3, %4"); break;
        case 4: STORE(".4d", "%2, %3, %4, %5"); break;
        default: STORE(".5d", "%2, %3, %4, %5, %6"); break;
        }
        commit_and_wait();
    }
}
CK_KERNEL(im2col_store, im2col_args)
