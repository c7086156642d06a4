/* What lab.cuh needs of CUDA C++ where clang compiles without a toolkit: the words of the language, the built-in
 * variables, and a few functions. */
#ifndef LAB_CLANG_CUH
#define LAB_CLANG_CUH

typedef __INT8_TYPE__ int8_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __INT16_TYPE__ int16_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t;

#define __global__             __attribute__((global))
#define __device__             __attribute__((device))
#define __host__               __attribute__((host))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __forceinline__        __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n)           __attribute__((aligned(n)))
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__ this_lab_needs_nvcc_or_clang_20
#endif

#include <__clang_cuda_builtin_vars.h> /* threadIdx, blockIdx, blockDim, gridDim */

#define lab_shared(p) ((uint32_t)(size_t)(__attribute__((address_space(3))) const void *)(const void *)(p))
#define lab_global(p) ((uint64_t)(__attribute__((address_space(1))) const void *)(const void *)(p))

struct alignas(64) CUtensorMap {
    uint64_t opaque[16];
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

#undef __syncthreads
#define __syncthreads()       asm volatile("bar.sync 0;" ::: "memory")
#define __syncwarp()          asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define __threadfence()       asm volatile("membar.gl;" ::: "memory")
#define __threadfence_block() asm volatile("membar.cta;" ::: "memory")

__device__ static __forceinline__ int atomicAdd(int *p, int n)
{
    return __nvvm_atom_add_gen_i(p, n);
}
__device__ static __forceinline__ unsigned atomicAdd(unsigned *p, unsigned n)
{
    return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)n);
}
__device__ static __forceinline__ float atomicAdd(float *p, float x)
{
    return __nvvm_atom_add_gen_f(p, x);
}

/* After a word of the language clang takes no alignas, as in `__shared__ alignas(16) float tile[64]`; this it takes. */
#define alignas(n) __align__(n)

extern "C" __device__ int printf(const char *format, ...);

#endif
