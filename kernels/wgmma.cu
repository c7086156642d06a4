/* One product of each type: a warpgroup fills shared memory, fences, multiplies, commits, waits, and writes D out. */
#include "kernels/wgmma.cuh"

enum { NONE };

#define HALF  "m64n8k16.f32.f16.f16"
#define BHALF "m64n8k16.f32.bf16.bf16"
#define PLAIN ", 1, 1, 0, 0"

PRODUCT_OF_SHARED(f16, HALF, PLAIN)
PRODUCT_OF_SHARED(f16_minus_a, HALF, ", -1, 1, 0, 0")
PRODUCT_OF_SHARED(f16_minus_b, HALF, ", 1, -1, 0, 0")
PRODUCT_OF_SHARED(f16_across_a, HALF, ", 1, 1, 1, 0")
PRODUCT_OF_SHARED(f16_across_b, HALF, ", 1, 1, 0, 1")
PRODUCT_OF_SHARED(bf16, BHALF, PLAIN)
PRODUCT_OF_SHARED(tf32, "m64n8k8.f32.tf32.tf32", ", 1, 1")
PRODUCT_OF_SHARED(e4m3, "m64n8k32.f32.e4m3.e4m3", ", 1, 1")
PRODUCT_OF_SHARED(e5m2, "m64n8k32.f32.e5m2.e5m2", ", 1, 1")
PRODUCT_OF_SHARED(e4m3_e5m2, "m64n8k32.f32.e4m3.e5m2", ", 1, 1")
PRODUCT_OF_SHARED(s8, "m64n8k32.s32.s8.s8", "")
PRODUCT_OF_SHARED(u8, "m64n8k32.s32.u8.u8", "")
PRODUCT_OF_SHARED(s8_satfinite, "m64n8k32.satfinite.s32.s8.s8", "")
PRODUCT_OF_SHARED(b1, "m64n8k256.s32.b1.b1.and.popc", "")
PRODUCT_OF_REGISTERS(f16_r, HALF, ", 1, 1, 0")
PRODUCT_OF_REGISTERS(bf16_r, BHALF, ", 1, 1, 0")
PRODUCT_OF_REGISTERS(tf32_r, "m64n8k8.f32.tf32.tf32", ", 1, 1")
PRODUCT_OF_REGISTERS(e4m3_r, "m64n8k32.f32.e4m3.e4m3", ", 1, 1")
PRODUCT_OF_REGISTERS(e5m2_r, "m64n8k32.f32.e5m2.e5m2", ", 1, 1")
PRODUCT_OF_REGISTERS(s8_r, "m64n8k32.s32.s8.s8", "")
PRODUCT_OF_REGISTERS(u8_r, "m64n8k32.s32.u8.u8", "")

/* D of .f16: two registers, with two elements each. */
__device__ static inline void f16_f16(uint32_t (&d)[WGMMA_D], uint64_t a, uint64_t b, uint32_t adds)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 "
                 "{%0, %1}, %2, %3, p, 1, 1, 0, 0; }"
                 : "+r"(d[0]), "+r"(d[1])
                 : "l"(a), "l"(b), "r"(adds)
                 : "memory");
}

/* A of .f16 with two of four neighbours kept: SELECTOR says which lanes have the metadata that count. */
template <int SELECTOR>
__device__ static inline void f16_sparse(uint32_t (&d)[WGMMA_D], uint64_t a, uint64_t b, uint32_t meta, uint32_t adds)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %7, 0; wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 "
                 "{%0, %1, %2, %3}, %4, %5, %6, %8, p, 1, 1, 0, 0; }"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "l"(a), "l"(b), "r"(meta), "r"(adds), "n"(SELECTOR)
                 : "memory");
}

/* A and B in shared memory. */
#define MULTIPLY(product)                                                                                              \
    template <int M> __device__ static void wgmma_##product##_body(const wgmma_args &a)                                \
    {                                                                                                                  \
        uint32_t d[WGMMA_D];                                                                                           \
                                                                                                                       \
        fill_image(a);                                                                                                 \
        take(d, a.d);                                                                                                  \
        wgmma_fence();                                                                                                 \
        product(d, matrix(a.a_desc), matrix(a.b_desc), a.adds);                                                        \
        wgmma_commit_group();                                                                                          \
        wgmma_wait_group<0>();                                                                                         \
        give(a.out, d);                                                                                                \
    }                                                                                                                  \
    CK_KERNEL(wgmma_##product, wgmma_args)

/* A in registers. */
#define MULTIPLY_REGISTERS(product)                                                                                    \
    template <int M> __device__ static void wgmma_##product##_body(const wgmma_args &a)                                \
    {                                                                                                                  \
        uint32_t d[WGMMA_D], rows[WGMMA_A];                                                                            \
                                                                                                                       \
        fill_image(a);                                                                                                 \
        take(d, a.d);                                                                                                  \
        take(rows, a.a);                                                                                               \
        wgmma_fence();                                                                                                 \
        product(d, rows, matrix(a.b_desc), a.adds);                                                                    \
        wgmma_commit_group();                                                                                          \
        wgmma_wait_group<0>();                                                                                         \
        give(a.out, d);                                                                                                \
    }                                                                                                                  \
    CK_KERNEL(wgmma_##product, wgmma_args)

/* A sparse A in shared memory. Lanes 0 and 1 of each four have `meta`, lanes 2 and 3 what is in its place with all bits
 * turned. */
template <int SELECTOR> __device__ static void multiply_sparse(const wgmma_args &a)
{
    const uint32_t meta = threadIdx.x % 4 < 2 ? a.meta : ~a.meta;
    uint32_t d[WGMMA_D];

    fill_image(a);
    take(d, a.d);
    wgmma_fence();
    f16_sparse<SELECTOR>(d, matrix(a.a_desc), matrix(a.b_desc), meta, a.adds);
    wgmma_commit_group();
    wgmma_wait_group<0>();
    give(a.out, d);
}

template <int M> __device__ static void wgmma_sparse_0_body(const wgmma_args &a)
{
    multiply_sparse<0>(a);
}
CK_KERNEL(wgmma_sparse_0, wgmma_args)

template <int M> __device__ static void wgmma_sparse_1_body(const wgmma_args &a)
{
    multiply_sparse<1>(a);
}
CK_KERNEL(wgmma_sparse_1, wgmma_args)

MULTIPLY(f16)
MULTIPLY(f16_f16)
MULTIPLY(f16_minus_a)
MULTIPLY(f16_minus_b)
MULTIPLY(f16_across_a)
MULTIPLY(f16_across_b)
MULTIPLY(bf16)
MULTIPLY(tf32)
MULTIPLY(e4m3)
MULTIPLY(e5m2)
MULTIPLY(e4m3_e5m2)
MULTIPLY(s8)
MULTIPLY(u8)
MULTIPLY(s8_satfinite)
MULTIPLY(b1)
MULTIPLY_REGISTERS(f16_r)
MULTIPLY_REGISTERS(bf16_r)
MULTIPLY_REGISTERS(tf32_r)
MULTIPLY_REGISTERS(e4m3_r)
MULTIPLY_REGISTERS(e5m2_r)
MULTIPLY_REGISTERS(s8_r)
MULTIPLY_REGISTERS(u8_r)
// SPDX-License-Identifier: Apache-2.0
