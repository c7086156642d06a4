/* Products of more columns: the kernel of wgmma.cu with an N of 16, 64 and 256. */
#include "kernels/wgmma.cuh"

enum { NONE };

#define FOUR(i)    "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define EIGHT(i)   FOUR(i), FOUR(i + 4)
#define THIRTY(i)  EIGHT(i), EIGHT(i + 8), EIGHT(i + 16), EIGHT(i + 24)
#define HUNDRED(i) THIRTY(i), THIRTY(i + 32), THIRTY(i + 64), THIRTY(i + 96)

#define NAMES_8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define NAMES_32                                                                                                       \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, "                  \
    "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define NAMES_128                                                                                                      \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, "                  \
    "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, "                  \
    "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, "                  \
    "%59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, "                  \
    "%78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, "                  \
    "%97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, "                    \
    "%113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

/* D += A * B of `n` columns, with `count` registers of D in each thread; op_a and op_b are the
 * numbers of the operands behind them. */
#define WIDE(n, count, names, registers, op_a, op_b)                                                                   \
    __device__ static inline void multiply_##n(uint32_t(&d)[count], uint64_t da, uint64_t db)                          \
    {                                                                                                                  \
        asm volatile("wgmma.mma_async.sync.aligned.m64n" #n "k16.f32.f16.f16 {" names "}, %" #op_a ", %" #op_b         \
                     ", 1, 1, 1, 0, 0;"                                                                                \
                     : registers                                                                                       \
                     : "l"(da), "l"(db)                                                                                \
                     : "memory");                                                                                      \
    }                                                                                                                  \
    template <int M> __device__ static void wgmma_wide_##n##_body(const wgmma_args &a)                                 \
    {                                                                                                                  \
        uint32_t d[count];                                                                                             \
                                                                                                                       \
        fill_image(a);                                                                                                 \
        for (int i = 0; i < count; i++)                                                                                \
            d[i] = *(const volatile uint32_t *)(a.d + threadIdx.x * count + i);                                        \
        wgmma_fence();                                                                                                 \
        multiply_##n(d, matrix(a.a_desc), matrix(a.b_desc));                                                           \
        wgmma_commit_group();                                                                                          \
        wgmma_wait_group<0>();                                                                                         \
        for (int i = 0; i < count; i++)                                                                                \
            a.out[threadIdx.x * count + i] = d[i];                                                                     \
    }                                                                                                                  \
    CK_KERNEL(wgmma_wide_##n, wgmma_args)

WIDE(16, 8, NAMES_8, EIGHT(0), 8, 9)
WIDE(64, 32, NAMES_32, THIRTY(0), 32, 33)
WIDE(256, 128, NAMES_128, HUNDRED(0), 128, 129)
// SPDX-License-Identifier: Apache-2.0
