/* fma.rn.oob over a loaded tile: PTX ISA 8.1, so a file of its own. */
#include "kernels/box.cuh"
#include "kernels/tensor.h"

enum { NONE, PLAIN };

/* e * x + c of f16 bits; zero where e is the NaN that fills what lies outside a tensor. */
template <int M> __device__ static uint16_t fma_f16(uint16_t e, uint16_t x, uint16_t c)
{
    uint16_t d;

    if (M == PLAIN)
        asm volatile("fma.rn.f16 %0, %1, %2, %3;" : "=h"(d) : "h"(e), "h"(x), "h"(c));
    else
        asm volatile("fma.rn.oob.f16 %0, %1, %2, %3;" : "=h"(d) : "h"(e), "h"(x), "h"(c));
    return d;
}

/* The same of bf16 bits. */
template <int M> __device__ static uint16_t fma_bf16(uint16_t e, uint16_t x, uint16_t c)
{
    uint16_t d;

    if (M == PLAIN)
        asm volatile("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(d) : "h"(e), "h"(x), "h"(c));
    else
        asm volatile("fma.rn.oob.bf16 %0, %1, %2, %3;" : "=h"(d) : "h"(e), "h"(x), "h"(c));
    return d;
}

/* Loads a tile that is filled with NaN outside the tensor, and takes each of its elements into an fma. */
template <int M> __device__ static void tensor_oob_body(const tensor_oob_args &a)
{
    const uint32_t bytes = (a.elements * 2 + 127) / 128 * 128; /* of the image */
    const uint32_t tile = ck_shared(ck_smem), bar = ck_shared(ck_smem + bytes);

    poison_and_init(bytes, bar);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(bar, a.expect);
        load_box(a.rank, tile, &a.map, a.corner, bar);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < a.elements; i += blockDim.x) {
        const uint16_t e = ((const uint16_t *)ck_smem)[i];
        a.out[i] = a.bf16 ? fma_bf16<M>(e, a.x, a.c) : fma_f16<M>(e, a.x, a.c);
    }
}
CK_KERNEL(tensor_oob, tensor_oob_args)
CK_MUTANT(tensor_oob, plain, PLAIN, tensor_oob_args)
// SPDX-License-Identifier: Apache-2.0
