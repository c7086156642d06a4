/* fma.rn.oob over a loaded tile: PTX ISA 8.1, so a file of its own. */
#include "kernels/box.cuh"
#include "kernels/tensor.h"

enum { NONE, PLAIN };

template <int M> __device__ static uint16_t fma_oob(uint32_t bf16, uint16_t e, uint16_t x, uint16_t c)
{
    uint16_t d;

    if (M == PLAIN && bf16)
        asm volatile("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(d) : "h"(e), "h"(x), "h"(c));
    else if (M == PLAIN)
        asm volatile("fma.rn.f16 %0, %1, %2, %3;" : "=h"(d) : "h"(e), "h"(x), "h"(c));
    else if (bf16)
        asm volatile("fma.rn.oob.bf16 %0, %1, %2, %3;" : "=h"(d) : "h"(e), "h"(x), "h"(c));
    else
        asm volatile("fma.rn.oob.f16 %0, %1, %2, %3;" : "=h"(d) : "h"(e), "h"(x), "h"(c));
    return d;
}

template <int M> __device__ static void tensor_oob_body(const tensor_oob_args &a)
{
    const uint32_t bytes = (a.elements * 2 + 127) / 128 * 128, bar = ck_shared(ck_smem + bytes);

    poison_image(ck_smem, bytes);
    if (threadIdx.x == 0)
        mbarrier_init(bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box(
            { .corner = a.corner, .rank = a.rank, .shared = ck_shared(ck_smem), .bar = bar, .map = (uint64_t)&a.map });
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < a.elements; i += blockDim.x)
        ((uint16_t *)a.out)[i] = fma_oob<M>(a.bf16, ((const uint16_t *)ck_smem)[i], a.x, a.c);
}
CK_KERNEL(tensor_oob, tensor_oob_args)
CK_MUTANT(tensor_oob, plain, PLAIN, tensor_oob_args)
